package tests

import (
	"regexp"
	"slices"
	"strings"
)

// sameAsked reports whether an assertion that looks weaker asks for as much:
// what the limit is of grew with it, the size was counted a line before, or the
// message is asked for by another assertion now.
func sameAsked(o, n *test, a, b *assertion) bool {
	return scaled(o, n, a, b) || sizeOfLocal(o, a, b) || messageBeside(n, a, b) || nested(a, b)
}

// scaled reports whether a number that is the limit of an assertion stands
// elsewhere in the test too, and has there the new value as well: the value
// that is measured was set by it.
func scaled(o, n *test, a, b *assertion) bool {
	if a.level != ordered || a.subject != b.subject && alike(a.subject, b.subject) < 0.5 || a.expected == b.expected {
		return false
	}
	_, ok := plainNumber(a.expected)
	if _, also := plainNumber(b.expected); !ok || !also || len(a.expected) < 2 {
		return false
	}
	limits := 0
	for i := range o.asserts[:min(len(o.asserts), maxPairing)] {
		if l := &o.asserts[i]; l.level == ordered && l.expected == a.expected {
			limits++
		}
	}
	before := o.wordsLike(a.expected)
	return before > limits && n.wordsLike(a.expected) == 0 && n.wordsLike(b.expected) >= before
}

// wordsLike counts a token in a test.
func (t *test) wordsLike(w string) int {
	n := 0
	for i := t.body.from; i < t.body.to; i++ {
		if t.suite.src.is(i, w) {
			n++
		}
	}
	return n
}

// sizeForm is the size of something, as a value of its own.
var sizeForm = regexp.MustCompile(`^(len \( .+ \)|.+ \. (length|size|Count|count)( \( \))?)$`)

// sizeOfLocal reports whether the size that an assertion asks for was held by a
// variable that the old one compared.
func sizeOfLocal(o *test, a, b *assertion) bool {
	return b.sizeOf && identifier(a.subject) && a.expected == b.expected && sizeForm.MatchString(o.locals()[a.subject])
}

// messageBeside reports whether the message of a wanted error or warning is
// asked for by another assertion of the test.
func messageBeside(n *test, a, b *assertion) bool {
	said := strings.Trim(a.detail, "\"'`r")
	if len(said) < 6 || b.detail != "" {
		return false
	}
	for i := range n.asserts[:min(len(n.asserts), maxPairing)] {
		if m := &n.asserts[i]; m.text != b.text && !m.negated && strings.Contains(m.text, said) {
			return true
		}
	}
	return false
}

// Forms of values of which a part is asked for, and of values of a kind under
// a key.
var (
	containing = "expect . objectContaining"
	keyed      = regexp.MustCompile(`(\w+) : (expect \. any \( \w+ \)|expect \. anything \( \)|mock \. ANY|ANY\b|anything\b)`)
)

// nested reports whether the new assertion only has further objects of which a
// part is asked for around the values of the old one, or the same values of a
// kind under the same keys once more.
func nested(a, b *assertion) bool {
	from, to := strings.Count(a.text, containing), strings.Count(b.text, containing)
	was, now := keyed.FindAllString(a.text, maxTexts), keyed.FindAllString(b.text, maxTexts)
	if wild(a.text) != len(was) || wild(b.text) != len(now) || from == 0 && to > 0 || to <= from && len(now) <= len(was) {
		return false
	}
	for _, k := range now {
		if !slices.Contains(was, k) {
			return false
		}
	}
	return to <= from || valuesKept(a.text, b.text)
}

// wild counts the values of a kind in an assertion.
func wild(text string) int {
	return count(text, "expect . any (") + count(text, "expect . anything (") + count(text, "ANY") + strings.Count(text, "expect . arrayContaining") + strings.Count(text, "expect . string")
}

// valuesKept reports whether every word of an object that is no key stands in
// another one.
func valuesKept(was, now string) bool {
	kept, words := wordsOf(now), strings.Fields(was)
	for i, w := range words {
		if !isWordByte(w[0]) && w[0] != '"' && w[0] != '\'' || i+1 < len(words) && words[i+1] == ":" {
			continue
		}
		if !kept[w] {
			return false
		}
	}
	return true
}
