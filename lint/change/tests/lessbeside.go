package tests

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"steelyard/lint"
)

// lessBeside reports assertions in the place of which others stand now that
// together ask for less.
func (c *change) lessBeside(o, n *test, pairs comparedTest) bool {
	for _, a := range pairs.removed[:min(len(pairs.removed), maxPairing)] {
		why := ""
		switch {
		case onlyOrder(a, pairs):
			why = "of the whole list the order of some of it is asked for"
		case superset(a, pairs):
			why = "more than was written out may be there"
		case ofAnyKind(a, pairs):
			why = "one of many has to be of this kind"
		case c.countless(a, o, pairs):
			why = "how many there are is no longer asked for"
		case eitherNow(a, pairs):
			why = "one of several values will do"
		case partsNow(a, pairs):
			why = "a part of the value is asked for where the whole was compared"
		}
		if why != "" && c.gone(o.suite.src, span{a.at, a.end}) == "" {
			c.reportLess(o, n, a, nil, why)
			return true
		}
	}
	for _, k := range pairs.kept {
		if k[0].text != k[1].text && k[0].sizeOf && !k[1].sizeOf && c.countless(k[0], o, pairs) && c.gone(o.suite.src, span{k[0].at, k[0].end}) == "" {
			c.reportLess(o, n, k[0], k[1], "how many there are is no longer asked for")
			return true
		}
		if k[0].text != k[1].text && inPieces(k[0], n, o) && !c.textGone(k[0], k[1]) && c.gone(o.suite.src, span{k[0].at, k[0].end}) == "" {
			c.reportLess(o, n, k[0], k[1], "of the text a few pieces are asked for")
			return true
		}
	}
	return false
}

func (c *change) reportLess(o, n *test, a, b *assertion, why string) {
	line := n.line()
	if b != nil {
		line = n.suite.src.line(b.at)
	}
	c.report("TS006", n.suite.path, line, []lint.Related{was(o.suite, a.at, "it was: %s", short(a.text))}, "assertion in %q is weaker: %s", short(n.name), why)
}

// minListed is how many values a list has whose order counts.
const minListed = 3

// listStart begins a list that is written out.
var listStart = regexp.MustCompile(`^(\[|new \[ \] \{|listOf \(|List \. of \(|Arrays \. asList \(|vec ! \[|\[ \] \w+ \{|\{)`)

// onlyOrder reports whether a list was compared as a whole, and all that was
// added asks which of two comes first, or whether there is one.
func onlyOrder(a *assertion, pairs comparedTest) bool {
	if a.level != exact || a.negated || !listStart.MatchString(a.expected) || strings.Count(a.expected, " , ") < minListed-1 || len(pairs.added) == 0 {
		return false
	}
	some := false
	for _, b := range pairs.added {
		switch {
		case b.level == ordered:
			some = true
		case b.level == presence, b.level == nothing, b.setup:
		case b.level == truth && strings.Contains(b.text, " < "):
			some = true
		default:
			return false
		}
	}
	return some
}

// Forms of a question whether one collection holds another, and may hold more.
var (
	supersetForm = regexp.MustCompile(`^(assertGreaterEqual|assertLessEqual|assertDictContainsSubset|assertIsSuperset|assertIsSubset)$`)
	members      = regexp.MustCompile(`(\w+(?: \. \w+)*) \. (?:items|keys|entrySet|keySet|entries) \( \)`)
)

// superset reports whether a lost equality was about the members of something
// of which an added assertion says that they are among others.
func superset(a *assertion, pairs comparedTest) bool {
	if a.level != exact || a.negated {
		return false
	}
	for _, b := range pairs.added {
		if !supersetForm.MatchString(b.name) && (b.level != ordered || b.name != "assert") || !strings.Contains(b.text, "items ( )") && !strings.Contains(b.text, "set (") {
			continue
		}
		for _, m := range members.FindAllStringSubmatch(b.text, maxTexts) {
			if holds(a.text, m[1]) {
				return true
			}
		}
	}
	return false
}

// Forms of a question for a type.
var (
	ofType  = regexp.MustCompile(`(?:BeOfType|BeAssignableTo|ShouldBeOfType|IsType|isInstanceOf|assertInstanceOf|toBeInstanceOf|be_a|be_kind_of|isinstance|IsAssignableFrom) [<(] (?:\w+ , )?(\w+)`)
	anyType = regexp.MustCompile(`(?:Any|any|some|anyMatch|anySatisfy|Contains) \(.* (?:is|instanceof) (\w+)|any \( isinstance \( \w+ , (\w+)`)
)

// ofAnyKind reports whether what had to be of a type is now one of many.
func ofAnyKind(a *assertion, pairs comparedTest) bool {
	m := ofType.FindStringSubmatch(a.text)
	if m == nil || a.negated || anyType.MatchString(a.text) {
		return false
	}
	for _, b := range pairs.added {
		if now := anyType.FindStringSubmatch(b.text); now != nil && (now[1] == m[1] || now[2] == m[1]) {
			return true
		}
	}
	for _, k := range pairs.kept {
		if now := anyType.FindStringSubmatch(k[1].text); now != nil && k[0].text != k[1].text && (now[1] == m[1] || now[2] == m[1]) {
			return true
		}
	}
	return false
}

// minText is how long a text is that may be asked for in pieces.
const minText = 24

// inPieces reports whether a text that was asked for whole is asked for in
// pieces now, without much of it.
func inPieces(a *assertion, n, o *test) bool {
	if len(a.texts) != 1 || a.negated || a.subject == "" || a.level != exact && a.level != partial {
		return false
	}
	whole := inner(a.texts[0])
	if utf8.RuneCountInString(whole) < minText {
		return false
	}
	said, pieces := 0, 0
	for i := range n.asserts[:min(len(n.asserts), maxPairing)] {
		b := &n.asserts[i]
		if b.subject != a.subject || b.negated || len(b.texts) != 1 {
			continue
		}
		piece := inner(b.texts[0])
		if b.level != partial && !b.partOfText() {
			return false
		}
		if strings.Contains(piece, whole) {
			return false
		}
		if strings.Contains(whole, piece) && !hadText(o, a.subject, b.texts[0]) {
			said, pieces = said+len(strings.TrimSpace(piece)), pieces+1
		}
	}
	return pieces > 0 && said < len(whole)*9/10
}

// hadText reports whether a test asked for a text of a subject before.
func hadText(t *test, subject, text string) bool {
	for i := range t.asserts[:min(len(t.asserts), maxPairing)] {
		if b := &t.asserts[i]; b.subject == subject && len(b.texts) == 1 && b.texts[0] == text {
			return true
		}
	}
	return false
}

// entryForm is one entry of a map that a check wants to be there.
var entryForm = regexp.MustCompile(`(^| )(put|entry|containsEntry|MapEntry \. entry) \( "`)

// fewerEntries reports a check for entries among others that names fewer.
func fewerEntries(o, n *assertion) string {
	if o.name != n.name || o.subject != n.subject || o.level == exact || !strings.Contains(strings.ToLower(o.name), "contain") {
		return ""
	}
	from, to := len(entryForm.FindAllStringIndex(o.text, -1)), len(entryForm.FindAllStringIndex(n.text, -1))
	if to > 0 && to < from {
		return "fewer entries are asked for"
	}
	return ""
}
