package tests

import (
	"strconv"
	"strings"
)

// comparison reads a condition that must hold.
func (s *source) comparison(cond span) assertion {
	for s.is(cond.from, "(") && s.close(cond.from) == cond.to-1 {
		cond = span{cond.from + 1, cond.to - 1}
	}
	subject, op, expected := s.operator(cond)
	a := assertion{subject: s.join(subject), expected: s.join(expected)}
	switch op {
	case "":
		s.predicate(&a, cond)
		if v := s.value(cond.from); cond.len() == 1 && (constant(v) || s.kind(cond.from) == text && (strings.HasPrefix(v, "/") || strings.HasPrefix(v, "%r"))) {
			a.level = nothing
			if v == "false" || v == "False" {
				a.level = unknown // it always fails: a way to say that this must not be reached
			}
		}
	case "==", "===", "is":
		a.level = exact
		if !s.literal(expected) {
			a.other = a.expected
		} else if s.literal(subject) {
			a.subject, a.expected = a.expected, a.subject
		}
		a.bool()
		a.sized()
		if s.is(subject.from, "typeof") || s.is(subject.from, "type") && s.is(subject.from+1, "(") {
			a.level, a.subject = presence, strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(a.subject, "typeof "), "type ( "), " )")
		}
		if strings.Contains(a.expected, "approx") {
			a.level = partial
			a.loose = s.tolerances(expected)
		}
	case "!=", "!==", "is not", "not in", "isnot":
		a.level = presence
		a.sized()
	case "in", "=~":
		a.level = partial
		if s.literal(subject) && !s.literal(expected) && op == "in" {
			a.subject, a.expected = a.expected, a.subject
		}
	default:
		a.level, a.op = ordered, op
		if s.literal(subject) && subject.len() > 0 && !s.literal(expected) && !strings.ContainsAny(a.expected, "<>") {
			a.subject, a.expected, a.op = a.expected, a.subject, turnedRound(op)
		}
		a.sized()
		if strings.HasPrefix(a.subject, "abs ( ") || strings.Contains(a.subject, ". abs ( )") || strings.Contains(a.subject, "Math . abs (") || strings.Contains(a.subject, "Math . Abs (") {
			a.level = partial // near a value, as many write it
		}
	}
	return a
}

// turnedRound is an operator with its sides changed.
func turnedRound(op string) string {
	return strings.NewReplacer("<", ">", ">", "<").Replace(op)
}

// bool lowers a comparison with true, false or null to what it is.
func (a *assertion) bool() {
	switch a.expected {
	case "true", "false", "True", "False", "None", "null", "nil", "undefined", "0":
		if a.expected != "0" {
			a.level = truth
		}
	}
	if a.subject != "" && a.subject == a.expected && constant(a.subject) {
		a.level = nothing
	}
}

// sizes are the ends of an expression that asks for a size.
var sizes = []string{" . length", " . size", " . count", " . Count", " . Length", " . len ( )", " . size ( )", " . count ( )", " . length ( )", " . Count ( )", " . call_count", " . callCount"}

// sized lowers a comparison of a size, and takes what has that size for the
// subject.
func (a *assertion) sized() {
	base := a.subject
	if inner, ok := strings.CutPrefix(base, "len ( "); ok && strings.HasSuffix(inner, " )") {
		base = strings.TrimSuffix(inner, " )")
	}
	for _, size := range sizes {
		base = strings.TrimSuffix(base, size)
	}
	if base == a.subject {
		return
	}
	a.subject, a.sizeOf = base, true
	if a.level == exact || a.level == truth {
		a.level = partial
	}
}

// constant reports whether a value is true whatever the code does.
func constant(v string) bool {
	if v == "true" || v == "True" || v == "1" || v == "false" || v == "False" {
		return true
	}
	_, err := strconv.ParseFloat(v, 64)
	return err == nil || len(v) > 1 && (v[0] == '"' || v[0] == '\'')
}

// alternatives counts the words that join conditions of which one will do.
func (s *source) alternatives(r span, joint string) int {
	n := 0
	for i := r.from; i < r.to; i++ {
		if c := s.close(i); c > 0 && c < r.to {
			i = c
		} else if s.kind(i) != text && (s.is(i, joint) || joint == "or" && s.is(i, "||")) {
			n++
		}
	}
	return n
}

// operator cuts a condition at its comparison. Of several joined by "and" it
// takes the first.
func (s *source) operator(r span) (subject span, op string, expected span) {
	end := r.to
	at, width := -1, 1
	for i := r.from; i < r.to && at < 0; i++ {
		if c := s.close(i); c > 0 && c < r.to {
			i = c
			continue
		}
		switch v := s.at(i); v {
		case "==", "!=", "===", "!==", "<", ">", "<=", ">=", "=~":
			at, op = i, v
		case "in", "is":
			if s.lang != python {
				continue
			}
			at, op = i, v
			if v == "is" && s.is(i+1, "not") {
				op, width = "is not", 2
			}
			if v == "in" && s.is(i-1, "not") {
				at, op, width = i-1, "not in", 2
			}
		case "for":
			if s.lang == python {
				return r, "", span{}
			}
		}
	}
	if at <= r.from {
		return r, "", span{}
	}
	for i := at + width; i < end; i++ {
		if c := s.close(i); c > 0 && c < r.to {
			i = c
		} else if v := s.at(i); v == "and" || v == "or" || v == "&&" || v == "||" {
			end = i
		}
	}
	return span{r.from, at}, op, span{at + width, end}
}

// predicates are functions that say yes or no of a value, without case and
// separators; the value of the map is what they pin down.
var predicates = map[string]level{
	"equals": exact, "equal": exact, "deepequal": exact, "allequal": exact, "arrayequal": exact, "sequenceequal": exact, "eq": exact,
	"all": partial, "every": partial, "allclose": partial, "isclose": partial, "hasprefix": partial, "hassuffix": partial, "search": partial, "test": partial, "some": partial,
	"isok": presence, "issome": presence, "isinstance": presence, "hasattr": presence, "callable": presence, "iserr": presence, "any": presence, "ispresent": presence,
	"isarray": presence, "isnone": truth, "isempty": truth, "isnull": truth, "isnotempty": presence, "isnotblank": presence, "isdefined": presence, "issubclass": presence,
}

// anyOf reports whether the pattern of a matches! takes whatever an Ok, an Err
// or a Some holds: Err(_), Err(TryRecvError { .. }).
func (s *source) anyOf(open int) bool {
	args := s.arguments(open)
	if len(args) != 2 || !s.is(args[1].from+1, "(") {
		return false
	}
	for i := args[1].from + 2; i < args[1].to; i++ {
		w := s.at(i)
		whole := strings.HasSuffix(w, "Error") && s.is(i+1, "{") && (s.is(i+2, "..") || s.is(i+2, "."))
		module := s.is(i+1, "::") && strings.ToLower(w) == w
		if s.isWord(i) && w != "_" && !whole && !module || s.kind(i) == text || s.kind(i) == number {
			return false
		}
	}
	return true
}

// predicate reads a condition without a comparison by the last function that
// it calls: what it asks, and of what.
func (s *source) predicate(a *assertion, r span) {
	from := r.from
	for s.is(from, "!") || s.is(from, "not") {
		from++
	}
	negated := (from-r.from)%2 == 1
	call := -1
	for i := from; i < r.to; i++ {
		if s.isWord(i) && (s.is(i+1, "(") || s.is(i+1, "!")) {
			call = i
		}
		if c := s.close(i); c > 0 && c < r.to {
			i = c
		}
	}
	a.level = truth
	if call < 0 {
		return
	}
	open := call + 1
	if s.is(open, "!") {
		open++
	}
	name := strings.ToLower(strings.ReplaceAll(s.at(call), "_", ""))
	l, known := predicates[name]
	for _, prefix := range []string{"contain", "include", "startswith", "endswith", "match"} {
		if strings.HasPrefix(name, prefix) {
			l, known = partial, true
		}
	}
	if !known {
		return
	}
	if name == "matches" && s.lang == rust && s.anyOf(open) {
		l = presence // as is_err() and is_ok() ask
	}
	a.level = l
	if negated {
		a.level = unknown
		if name == "isempty" || name == "isnull" || name == "isnone" {
			a.level = presence
		}
	}
	if s.close(open) != r.to-1 {
		return
	}
	args := s.arguments(open)
	module := s.at(call - 2)
	switch {
	case s.is(call-1, ".") && call-1 > from && len(args) < 2 && module != "strings" && module != "assert" && module != "re" && module != "Array" && module != "errors":
		a.subject = s.join(span{from, call - 1})
		if len(args) == 1 {
			a.expected = s.join(args[0])
		}
		if s.kind(from) == text && call-2 == from && len(args) == 1 { // /x/.test(value)
			a.subject, a.expected = a.expected, s.value(from)
		}
	case len(args) > 1 && (module == "re" || s.literal(args[0])):
		a.subject, a.expected = s.join(args[1]), s.join(args[0])
	case len(args) > 1:
		a.subject, a.expected = s.join(args[0]), s.join(args[1])
		if l == exact && !s.literal(args[1]) {
			a.other = a.expected
		}
	case len(args) == 1:
		a.subject = s.join(args[0])
	}
}
