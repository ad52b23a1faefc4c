package tests

import (
	"fmt"
	"regexp"
	"strings"
)

// insideWeaker compares the assertions that stand in blocks of two assertions:
// Assert.Collection(list, e => { … }), satisfies(e -> …).
func insideWeaker(o, n *test, a, b *assertion) string {
	if o.suite.src.lang != n.suite.src.lang || alike(a.text, b.text) < 0.5 || a.name != b.name {
		return ""
	}
	before, after := o.suite.inside(a), n.suite.inside(b)
	if len(before) == 0 {
		return ""
	}
	if len(before) != len(after) {
		if kept := subsequence(after, before); kept && len(after) < len(before) {
			return "a check inside of it is gone"
		}
		return ""
	}
	for i := range before {
		if before[i].text == after[i].text {
			continue
		}
		if why := weaker(&before[i], &after[i]); why != "" {
			return why
		}
	}
	return ""
}

// maxInside bounds the words of an assertion that is looked into.
const maxInside = 1500

// inside are the assertions in the blocks of another.
func (s *suite) inside(a *assertion) []assertion {
	if a.end-a.at > maxInside || !strings.Contains(a.text, "=>") && !strings.Contains(a.text, "->") && !strings.Contains(a.text, "{") {
		return nil
	}
	for i := a.at; i < a.end; i++ {
		if s.src.is(i, "=>") || s.src.is(i, "->") || s.src.is(i, "{") {
			return s.assertions(span{i + 1, a.end}, func(int) bool { return true })
		}
	}
	return nil
}

// subsequence reports whether all of some assertions stand among others.
func subsequence(some, others []assertion) bool {
	i := 0
	for j := 0; j < len(others) && i < len(some); j++ {
		if some[i].text == others[j].text {
			i++
		}
	}
	return i == len(some)
}

// linkForm is a link of a chain that checks something.
var linkForm = regexp.MustCompile(`^ ?\. (?:And \. |and \. )?(?:is|has|have|contains?|does|matches|starts|ends|all|any|none|satisfies|not_?|Be|Have|Contain|Match|With|Start|End|Equal|On|to)\w*`)

// lostLink reports a chain of matchers that lost one.
func lostLink(o, n *assertion) string {
	if len(n.text) >= len(o.text) || o.name == "" || o.negated != n.negated {
		return ""
	}
	from := 0
	for from < len(n.text) && n.text[from] == o.text[from] {
		from++
	}
	rest := len(n.text) - from
	if !strings.HasSuffix(o.text, n.text[from:]) || rest > 0 && len(o.text)-rest < from {
		return ""
	}
	gone := o.text[from : len(o.text)-rest]
	for from > 0 && !strings.HasPrefix(gone, " . ") && o.text[from-1] == gone[len(gone)-1] { // slide to the start of the link
		from--
		gone = o.text[from : from+len(gone)]
	}
	gone = strings.TrimSpace(gone)
	if !linkForm.MatchString(gone) || !strings.HasSuffix(gone, ")") || strings.Count(gone, "(") != strings.Count(gone, ")") || !linkOf(o.text) {
		return ""
	}
	name := strings.Fields(gone)[1]
	if plumbing[name] || nothingRaised[name] {
		return ""
	}
	return fmt.Sprintf("%q is no longer asked for", short(gone))
}

// linkOf reports whether a text is a chain of matchers.
func linkOf(text string) bool {
	return strings.HasPrefix(text, "assertThat") || strings.HasPrefix(text, "then (") || strings.Contains(text, ". Should ( )") || strings.HasPrefix(text, "expect (") || strings.HasPrefix(text, "await expect (")
}
