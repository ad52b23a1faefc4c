package tests

import (
	"fmt"
	"strings"

	"steelyard/lint"
)

// movedConstant reports a limit that is a name and that the name now has a
// value by which more passes. A name that stands elsewhere too may be what the
// code is given, and is left alone.
func (c *change) movedConstant(o, n *test, a, b *assertion) bool {
	if a.text != b.text || a.level != ordered || direction(b) == "" {
		return false
	}
	for w := range strings.FieldsSeq(b.expected) {
		if !identifier(w) || len(w) < 3 {
			continue
		}
		from, ok := o.setTo(w)
		to, also := n.setTo(w)
		if !ok || !also || from == to {
			continue
		}
		moved := further(from, to)
		if direction(b) == "<" && moved > 0 || direction(b) == ">" && moved < 0 {
			c.report("TS006", n.suite.path, n.suite.src.line(b.at), []lint.Related{was(o.suite, a.at, "it was %s", short(from))},
				"assertion in %q is weaker: %s", short(n.name), fmt.Sprintf("%s goes from %s to %s", w, short(from), short(to)))
			return true
		}
	}
	return false
}

// setTo is what a name of limits is set to, once, in a test or outside of the
// tests of its file; it must stand in assertions alone.
func (t *test) setTo(name string) (string, bool) {
	if value, ok := t.locals()[name]; ok {
		inBody := 0
		for i := t.body.from; i < t.body.to; i++ {
			if t.suite.src.is(i, name) {
				inBody++
			}
		}
		return value, isSum(value) && inBody == mentioned(t.asserts, name)+1
	}
	if t.suite.words == nil {
		t.suite.words = t.suite.src.count()
	}
	if uses := t.suite.words[name]; uses < 2 || uses > maxLocals {
		return "", false
	}
	value := t.suite.constant(name)
	if !isSum(value) {
		return "", false
	}
	uses := 0
	for _, other := range t.suite.tests[:min(len(t.suite.tests), maxPairing)] {
		uses += mentioned(other.asserts, name)
	}
	return value, t.suite.words[name] == uses+1
}

// mentioned counts a word in assertions.
func mentioned(list []assertion, name string) int {
	n := 0
	for i := range list[:min(len(list), maxPairing)] {
		n += strings.Count(" "+list[i].text+" ", " "+name+" ")
	}
	return n
}

// constant is what the first place of a name in a file sets it to, "" if it
// sets nothing.
func (s *suite) constant(name string) string {
	src := s.src
	for i := range src.tokens {
		if !src.is(i, name) || src.is(i-1, ".") {
			continue
		}
		j := i + 1
		for j < i+6 && (src.isWord(j) || src.is(j, ":") || src.is(j, "&")) {
			j++
		}
		if !src.is(j, "=") {
			return ""
		}
		return src.join(span{j + 1, src.statement(j+1, span{j + 1, len(src.tokens)}).to})
	}
	return ""
}

// isSum reports whether a value is a number or a length of time.
func isSum(value string) bool {
	s := sumOf(value)
	for key := range s {
		if key != "" && key != "ns" {
			return false
		}
	}
	return len(s) > 0
}
