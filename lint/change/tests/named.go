package tests

import "strings"

// guarding is the condition of blocks one inside the other.
func guarding(guards []guard) string {
	if len(guards) == 1 {
		return guards[0].words
	}
	var parts []string
	for _, g := range guards {
		words, negated := strings.CutPrefix(g.words, "unless ")
		words = "( " + strings.TrimSuffix(strings.TrimPrefix(words, "if "), " :") + " )"
		if negated {
			words = "not " + words
		}
		parts = append(parts, words)
	}
	return strings.Join(parts, " and ")
}

// askingCalls skip a test by what their argument says; the value says whether
// it is one under which the test runs.
var askingCalls = map[string]bool{
	"assumeTrue": true, "assumeFalse": false, "If": false, "IfNot": true, "When": false, "Unless": true,
	"SkipWhen": false, "SkipUnless": true, "skip": false, "fixme": false,
}

// askedBy is the condition that a call which skips has for an argument, behind
// its reason or before it.
func (s *suite) askedBy(i int) (cond string, runs bool) {
	runs, ok := askingCalls[s.src.at(i)]
	if !ok {
		return "", false
	}
	for _, arg := range s.src.arguments(i + 1) {
		if s.src.kind(arg.from) != text && arg.len() <= maxFormula && !s.src.isFunction(arg) {
			return s.src.join(arg), runs
		}
	}
	return "", false
}

// maxDefinition bounds the value of a name that a condition uses.
const maxDefinition = 60

// definitions are the values of the names that a file sets once, outside of
// everything: what a condition says by such a name is what the value says.
func (s *suite) definitions() map[string]span {
	if s.defined != nil {
		return s.defined
	}
	s.defined = map[string]span{}
	src := s.src
	whole := span{0, len(src.tokens)}
	for i := 0; i+2 < len(src.tokens) && len(s.defined) < maxTests; i++ {
		if !src.isWord(i) || src.token(i).up >= 0 || !src.is(i+1, "=") && !src.is(i+1, ":=") {
			continue
		}
		if src.lang.indented() && (!src.token(i).first || src.token(i).col > 0) {
			continue
		}
		st := src.statement(i+2, span{i + 2, whole.to})
		if _, twice := s.defined[src.at(i)]; twice || st.to-i-2 > maxDefinition {
			s.defined[src.at(i)] = span{} // it is not the same everywhere
			continue
		}
		s.defined[src.at(i)] = span{i + 2, st.to}
	}
	return s.defined
}

// conditionsWritten puts what names stand for into the conditions of markers.
func (s *suite) conditionsWritten() {
	for _, t := range s.tests {
		s.writeOut(t.marks)
	}
	for _, g := range s.scopes {
		s.writeOut(g.mark)
	}
}

func (s *suite) writeOut(marks []marker) {
	for i := range marks {
		if marks[i].cond == "" {
			continue
		}
		marks[i].lang = s.src.lang
		for range 2 {
			marks[i].cond = s.spelled(marks[i].cond)
		}
	}
}

// spelled is a condition with the values of its names in their place.
func (s *suite) spelled(cond string) string {
	words := strings.Split(cond, " ")
	if len(words) > maxFormula {
		return cond
	}
	changed := false
	for i, w := range words {
		if len(w) < 2 || !isName(w) || i > 0 && words[i-1] == "." || i+1 < len(words) && (words[i+1] == "(" || words[i+1] == "." || words[i+1] == "=") {
			continue
		}
		if r := s.definitions()[w]; r.len() > 0 {
			words[i], changed = "( "+s.src.join(r)+" )", true
		}
	}
	if !changed {
		return cond
	}
	return strings.Join(words, " ")
}

// isName reports whether a word is a name.
func isName(w string) bool {
	for i := range len(w) {
		c := w[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}
