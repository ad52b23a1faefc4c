package tests

import (
	"slices"
	"strings"

	"steelyard/lint"
)

// passedOver reports loops of a test that go on to the next value before they
// check it, more often than before.
func (c *change) passedOver(o, n *test) {
	after := n.passes()
	if len(after) == 0 || len(o.asserts) == 0 || n.cases > o.cases && o.cases > 0 {
		return
	}
	before := map[string]int{}
	for _, p := range o.passes() {
		before[p.words]++
	}
	for _, p := range after {
		before[p.words]--
	}
	for _, p := range after {
		if before[p.words] >= 0 || !n.checksAfter(p.at) || n.markedNear(p.at) {
			continue
		}
		if !namesValue(p.words) || likeness(o, n) < 0.6 {
			continue
		}
		related := []lint.Related{was(o.suite, o.head(), "the test before")}
		c.report("TS013", n.suite.path, n.suite.src.line(p.at), related, "%q no longer checks what is so: %s", short(n.name), short(p.words))
		return
	}
}

// markedNear reports whether a place is read as a skip of the test already.
func (t *test) markedNear(at int) bool {
	return slices.ContainsFunc(t.marks, func(m marker) bool { return m.at >= at-maxBound && m.at <= at+maxBound/4 })
}

// namesValue reports whether a condition compares with a value that is written
// out, or asks where the test runs.
func namesValue(words string) bool {
	if ofSystem(words) {
		return true
	}
	list := strings.Fields(words)
	for i, w := range list {
		switch w {
		case "==", "===", "equals", "Equals":
			for _, next := range list[i+1 : min(i+3, len(list))] {
				if strings.HasPrefix(next, `"`) && len(next) > 2 {
					return true
				}
			}
			if i > 0 && strings.HasPrefix(list[max(i-2, 0)], `"`) {
				return true
			}
		}
	}
	return false
}

// passes are the conditions under which loops of a test go on at once.
func (t *test) passes() []guard {
	var found []guard
	src := t.suite.src
	for i := t.body.from; i < t.body.to && len(found) < maxLoops; i++ {
		if !src.is(i, "continue") && (src.lang != ruby || !src.is(i, "next")) || src.is(i-1, ".") {
			continue
		}
		words := ""
		switch {
		case src.lang == ruby && src.is(i+1, "if"):
			words = src.join(span{i + 1, src.headLine(i).to})
		case src.lang == python:
			at := i - 1
			for at > t.body.from && (!src.token(at).first || src.token(at).col >= src.token(i).col) {
				at--
			}
			if src.is(at, "if") && src.block(at).to-i <= 2 && src.token(at+1).off > 0 && !t.suite.checksIn(span{at, i}) {
				words = src.join(span{at, min(i, at+maxBound)})
			}
		default:
			words = t.braceCondition(i)
		}
		if words != "" {
			found = append(found, guard{at: i, words: strings.TrimSuffix(strings.TrimSpace(words), " {")})
		}
	}
	return found
}

// braceCondition is the condition of "if (…) continue" and of "if … { continue }".
func (t *test) braceCondition(i int) string {
	src := t.suite.src
	open := i - 1
	if src.is(open, "{") {
		open--
	} else if !src.is(open, ")") {
		return ""
	}
	for at := open; at > t.body.from && at > i-maxBound; at-- {
		if m := int(src.token(at).mate); closes(src.at(at)) && m > t.body.from && m < at {
			at = m
		}
		if src.is(at, "if") {
			return src.join(span{at, open + 1})
		}
		if src.is(at, ";") || src.is(at, "{") || src.is(at, "}") {
			return ""
		}
	}
	return ""
}

// checksIn reports whether a range holds an assertion.
func (s *suite) checksIn(r span) bool {
	for i := r.from; i < r.to; i++ {
		if w := s.src.at(i); s.src.isWord(i) && (strings.HasPrefix(strings.ToLower(w), "assert") || w == "expect" || checkName(w)) {
			return true
		}
	}
	return false
}
