package tests

import "strings"

// ofEachRow reports whether a lost assertion's subject is now compared in a
// loop, with what a row of a table says: several checks one after the other
// became a table.
func ofEachRow(a *assertion, o, n *test) bool {
	if a.subject == "" || len(a.subject+a.expected) < 4 || n.suite.src.lang.indented() {
		return false
	}
	had := map[string]bool{}
	for i := range o.asserts[:min(len(o.asserts), maxPairing)] {
		had[o.asserts[i].text] = true
	}
	for i := range n.asserts[:min(len(n.asserts), maxPairing)] {
		b := &n.asserts[i]
		if !had[b.text] && b.level == exact && !b.negated && holds(b.text, a.subject) && (len(a.subject) >= 4 || holds(b.text, a.expected)) && n.suite.looped(b.at, n.body) {
			return true
		}
	}
	return false
}

// holds reports whether a text has all the words of a part, one after the other.
func holds(text, part string) bool {
	return strings.Contains(" "+text+" ", " "+part+" ")
}

// looped reports whether a block around a place is a loop's.
func (s *suite) looped(at int, r span) bool {
	for up := int(s.src.token(at).up); up > r.from; up = int(s.src.token(up).up) {
		if !s.src.is(up, "{") {
			continue
		}
		first := up
		for first > r.from && !s.src.token(first).first {
			first--
		}
		if s.src.is(first, "for") || s.src.is(first, "foreach") {
			return true
		}
	}
	return false
}
