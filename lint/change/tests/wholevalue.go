package tests

import (
	"regexp"
	"strings"
)

// wholes compare several members of a value at once.
var wholes = map[string]bool{"toMatchObject": true, "have_attributes": true, "containsExactly": true, "toHaveAttributes": true}

// ofWhole reports whether an assertion of a member became one of the value that
// it is a member of, with what was expected of it.
func ofWhole(o, n *assertion) bool {
	if !memberOf(o.subject, n.subject) || o.expected == "" || !strings.Contains(" "+n.text+" ", " "+o.expected+" ") {
		return false
	}
	return wholes[n.name] || strength(n) == exact
}

func memberOf(a, b string) bool {
	return b != "" && (strings.HasPrefix(a, b+" . ") || strings.HasPrefix(a, b+" [ "))
}

// wholeNow reports whether a new assertion compares the value whose member a
// lost one looked at.
func wholeNow(a *assertion, o, n *test) bool {
	had := map[string]bool{}
	for i := range o.asserts[:min(len(o.asserts), maxPairing)] {
		had[o.asserts[i].text] = true
	}
	for i := range n.asserts[:min(len(n.asserts), maxPairing)] {
		b := &n.asserts[i]
		if had[b.text] || b.negated {
			continue
		}
		if diffOf(a.subject, b.text) || ofWhole(a, b) {
			return true
		}
	}
	return false
}

// diffOf reports whether an assertion of Go compares a whole value by its
// difference from another.
func diffOf(subject, text string) bool {
	root, member, _ := strings.Cut(subject, " ")
	_, args, ok := strings.Cut(text, "Diff ( ")
	return ok && member != "" && strings.Contains(" "+args, " "+root+" ")
}

// kept are calls that compare a value with one that is kept in a file.
var kept = regexp.MustCompile(`Snapshot|snapshot|^Verify(Xml|Json|Text|Async)?$|^(verify|Verify)(As)?(Json|JSON)|^Approve|^autogold$|^[Gg]olden$`)

// comparesKept reports whether a test now makes such a call and did not before.
func (t *test) comparesKept() bool {
	before := t.mate.calledNames()
	for name := range t.calledNames() {
		if !before[name] && kept.MatchString(name) {
			return true
		}
	}
	return false
}

// pattern reports whether an assertion of Rust matches a value against all
// that was expected.
func pattern(o, n *assertion) bool {
	return strings.Contains(n.text, "matches !") && o.expected != "" && strings.Contains(n.text, o.expected) && !strings.Contains(n.text, " | ")
}
