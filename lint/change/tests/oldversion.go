package tests

import (
	"regexp"
	"strings"
)

// versionWord is what asks for the version of the language itself.
var versionWord = regexp.MustCompile(`\b(RUBY_VERSION|version_info|PY2|PY3)\b`)

// ofOldVersion reports whether a lost assertion stood in one branch of a
// question for the language's version that the test does not ask any more, and
// its subject is still checked.
func ofOldVersion(a *assertion, o, n *test) bool {
	src := o.suite.src
	if !src.lang.indented() || a.subject == "" {
		return false
	}
	still := false
	for i := range n.asserts[:min(len(n.asserts), maxPairing)] {
		still = still || n.asserts[i].subject == a.subject
	}
	if !still {
		return false
	}
	first := a.at
	for first > o.body.from && !src.token(first).first {
		first--
	}
	col := src.token(first).col
	for i := first - 1; i >= max(o.body.from, first-maxStatement); i-- {
		if !src.token(i).first || src.token(i).col >= col {
			continue
		}
		col = src.token(i).col
		head := src.join(src.headLine(i))
		if src.is(i, "if") && o.suite.otherBranch(i) && versionWord.MatchString(head) {
			return !strings.Contains(n.suite.src.join(n.body), head)
		}
	}
	return false
}
