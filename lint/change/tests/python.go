package tests

import "strings"

// block is the extent of an indented block whose header begins at token i: the
// tokens up to the next line that is indented no deeper. In Ruby the line with
// its end belongs to it.
func (s *source) block(i int) span {
	if r, ok := s.blocks[i]; ok {
		return r
	}
	if s.blocks == nil {
		s.blocks = map[int]span{}
	}
	r := s.extent(i)
	s.blocks[i] = r
	return r
}

func (s *source) extent(i int) span {
	col := s.token(i).col
	for j := i; j < len(s.tokens); j++ {
		t := s.tokens[j]
		if j > i && t.first && t.col <= col {
			if s.lang == ruby && t.col == col && s.is(j, "end") {
				return span{i, j + 1}
			}
			if s.lang == python && closes(s.at(j)) {
				continue
			}
			if s.lang == ruby && t.col == col && rubyMiddles[s.at(j)] {
				continue
			}
			return span{i, j}
		}
		if t.kind == mark && s.lang == python {
			if c := s.close(j); c > 0 {
				j = c // a line inside brackets begins no statement
			}
		}
	}
	return span{i, len(s.tokens)}
}

var rubyMiddles = map[string]bool{"else": true, "elsif": true, "rescue": true, "ensure": true, "when": true, "in": true}

// python finds functions and methods called test… and classes of tests.
func (s *suite) python() {
	src := s.src
	for i := 0; i < len(src.tokens); i++ {
		if !src.token(i).first || !src.isWord(i) {
			continue
		}
		at := i
		if src.is(at, "async") {
			at++
		}
		switch {
		case src.is(at, "class"):
			marks, _ := s.decorators(i)
			marks = append(marks, s.classMarks(src.block(i))...)
			s.scopes = append(s.scopes, &scope{name: src.at(at + 1), body: src.block(i), mark: marks})
		case src.is(at, "def"):
			s.pythonFunction(i, at+1)
		}
	}
}

// classMarks reads "pytestmark = …" and "__test__ = False" right inside a class.
func (s *suite) classMarks(r span) []marker {
	var marks []marker
	src, col := s.src, int32(-1)
	for i := r.from + 1; i+2 < r.to; i++ {
		if !src.token(i).first || col >= 0 && src.token(i).col != col {
			continue
		}
		col = src.token(i).col
		if !src.is(i+1, "=") {
			continue
		}
		switch {
		case src.is(i, "__test__") && src.is(i+2, "False"):
			marks = append(marks, marker{kind: skips, at: i, words: "__test__ = False"})
		case src.is(i, "pytestmark"):
			st := src.statement(i, r)
			for j := i + 2; j < st.to; j++ {
				switch src.at(j) {
				case "skip":
					marks = append(marks, marker{kind: skips, at: i, words: "pytestmark"})
				case "skipif":
					marks = append(marks, marker{kind: skipsIf, at: i, words: "pytestmark"})
				case "xfail":
					marks = append(marks, marker{kind: expectsFailure, at: i, words: "pytestmark"})
				}
			}
		}
	}
	return marks
}

func (s *suite) pythonFunction(i, at int) {
	src := s.src
	name := src.at(at)
	whole := src.block(i)
	params := src.close(at + 1)
	if params < 0 {
		return
	}
	colon := params + 1
	for colon < whole.to && !src.is(colon, ":") {
		colon++
	}
	body := span{min(colon+1, whole.to), whole.to}
	if !strings.HasPrefix(name, "test") {
		s.helpers[name] = body
		return
	}
	marks, from := s.decorators(i)
	t := s.add(name, span{from, whole.to}, body, marks)
	for j := from; j < i; j++ {
		if src.is(j, "parametrize") && src.is(j+1, "(") {
			if args := src.arguments(j + 1); len(args) > 1 && src.is(args[1].from, "[") {
				t.cases = max(t.cases, 1) * max(len(src.arguments(args[1].from)), 1)
			}
		}
	}
}

// decorators reads the lines with @ above a definition.
func (s *suite) decorators(i int) ([]marker, int) {
	src := s.src
	col, from := src.token(i).col, i
	for from > 0 {
		// The start of the statement above at the same indentation.
		j := from - 1
		for j >= 0 && (!src.token(j).first || src.token(j).col > col || closes(src.at(j))) {
			j--
		}
		if j < 0 || !src.is(j, "@") || src.token(j).col != col {
			break
		}
		from = j
	}
	var marks []marker
	for j := from; j < i; j++ {
		if !src.is(j, "@") || !src.token(j).first {
			continue
		}
		if m, ok := s.decorator(j + 1); ok {
			marks = append(marks, m)
		}
	}
	return marks, from
}

// decorator reads the dotted name at i, and what it does to a test.
func (s *suite) decorator(i int) (marker, bool) {
	src := s.src
	from := i
	for src.is(i+1, ".") {
		i += 2
	}
	m := marker{at: from, words: "@" + strings.ReplaceAll(src.join(span{from, i + 1}), " ", "")}
	if i == from && !src.is(from-1, ".") { // not the mark itself, which may have the name that it is given
		if named, ok := s.namedMark(src.at(i)); ok {
			named.at, named.words = m.at, m.words
			return named, true
		}
	}
	switch name := strings.ToLower(src.at(i)); {
	case name == "skip" || name == "ignore" || name == "skip_test":
		m.kind = skips
	case name == "xfail" || name == "expectedfailure":
		s.expected(&m, i)
	case strings.HasPrefix(name, "knownfail") || strings.HasPrefix(name, "known_fail"):
		m.kind = expectsFailure
	case strings.HasPrefix(strings.ToLower(src.at(from)), "skip"), strings.HasPrefix(name, "requires_"), strings.HasPrefix(name, "needs_"), strings.HasPrefix(name, "require_"):
		m.kind = skipsIf
	case strings.HasPrefix(name, "skip"):
		m.kind = skipsIf
		if cond, ok := s.conditionOf(i); ok {
			m.cond = cond
		}
	case name == "flaky" || name == "retry" || name == "reruns":
		m.kind, m.count = retries, 1
	case strings.HasPrefix(m.words, "@pytest.mark.") && failingTag(name), houseDecoration(src.at(i)), strings.Contains(m.words, ".skip."), strings.HasPrefix(name, "xfail_"):
		m.kind = skipsIf
	default:
		return m, false
	}
	return m, true
}

// namedMark is the mark that a name of the file stands for: "xfail_win =
// pytest.mark.xfail(…)", or a part of one that functools made.
func (s *suite) namedMark(name string) (marker, bool) {
	r := s.definitions()[name]
	for j := r.from; j+2 < r.to; j++ {
		if s.src.is(j, "mark") && s.src.is(j+1, ".") && (j == r.from || s.src.is(j-1, ".")) {
			switch s.src.at(j + 2) {
			case "skip", "skipif", "xfail", "flaky":
				return s.decorator(j + 2)
			}
		}
	}
	return marker{}, false
}

// conditionOf is the condition that a mark of pytest has, the first argument or
// the one of that name; behind a mark that a function completes it comes next.
func (s *suite) conditionOf(i int) (string, bool) {
	src := s.src
	args := src.arguments(i + 1)
	if src.is(i+1, ",") && src.token(i).up >= 0 {
		args = src.split(span{i + 2, src.close(int(src.token(i).up))})
	}
	for n, arg := range args {
		switch {
		case src.is(arg.from, "condition") && src.is(arg.from+1, "="):
			return src.join(span{arg.from + 2, arg.to}), true
		case n == 0 && !src.is(arg.from+1, "="):
			return src.join(arg), true
		}
	}
	return "", false
}

// expected reads what a mark that expects a failure says: always or under a
// condition, and whether a test that passes is one.
func (s *suite) expected(m *marker, i int) {
	src := s.src
	m.kind, m.lax = expectsFailure, true
	if cond, ok := s.conditionOf(i); ok {
		m.kind, m.cond = skipsIf, cond
	}
	for _, arg := range src.arguments(i + 1) {
		if src.is(arg.from, "strict") && src.is(arg.from+1, "=") && !src.is(arg.from+2, "False") {
			m.strict = src.is(arg.from+2, "True")
			m.lax = !m.strict
		}
	}
}
