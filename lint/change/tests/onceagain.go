package tests

import (
	"regexp"
	"strings"
)

// againAtOnce reports whether an assertion of a test stands there once more with
// nothing but other assertions between: one of the two can go. What a test asks
// again after it did something is another question.
func againAtOnce(a *assertion, t *test) bool {
	list := t.asserts[:min(len(t.asserts), maxPairing)]
	last := -1
	for i := range list {
		if list[i].text != a.text && !sameQuestion(&list[i], a) {
			continue
		}
		if last >= 0 && quietBetween(list[last:i+1], t) {
			return true
		}
		last = i
	}
	return false
}

// sameQuestion reports whether two assertions check the same of the same value.
func sameQuestion(a, b *assertion) bool {
	if strings.Contains(a.text, ":=") || strings.Contains(b.text, ":=") {
		return false // each with a value of its own
	}
	return a.subject != "" && a.subject == b.subject && a.expected == b.expected && a.name == b.name && a.negated == b.negated && a.op == b.op
}

// quietBetween reports whether nothing but assertions stands between the first
// and the last of some.
func quietBetween(list []assertion, t *test) bool {
	src := t.suite.src
	for i := 0; i+1 < len(list); i++ {
		for j := list[i].end; j < list[i+1].at; j++ {
			if src.isWord(j) && !src.is(j, "await") && !src.is(j, "self") || src.is(j, "{") || src.is(j, "=") {
				return false
			}
		}
	}
	return true
}

// failCall is a call by which a test fails wherever it stands.
var failCall = regexp.MustCompile(`^(?i)(fail|flunk)$`)
