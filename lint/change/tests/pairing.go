package tests

import (
	"slices"
	"strings"
)

// comparedTest is what became of the assertions of one test.
type comparedTest struct {
	kept    [][2]*assertion // old and new of the same words, or of the same subject
	removed []*assertion
	added   []*assertion
}

// pairAsserts finds for each old assertion the new one that stands for it: the
// same words, the same subject, then the most alike.
func pairAsserts(o, n *test) comparedTest {
	var c comparedTest
	free := map[string][]*assertion{}
	for i := range n.asserts {
		a := &n.asserts[i]
		free[a.text] = append(free[a.text], a)
	}
	used := map[*assertion]bool{}
	var left []*assertion
	for i := range o.asserts {
		a := &o.asserts[i]
		if list := free[a.text]; len(list) > 0 {
			c.kept = append(c.kept, [2]*assertion{a, list[0]})
			used[list[0]] = true
			free[a.text] = list[1:]
			continue
		}
		left = append(left, a)
	}
	var open []*assertion
	for i := range n.asserts {
		if a := &n.asserts[i]; !used[a] {
			open = append(open, a)
		}
	}
	left, open = c.pair(left, open, func(a, b *assertion) float64 {
		if a.subject == "" || (a.raises == nil) != (b.raises == nil) {
			return 0
		}
		score := 1.0
		switch {
		case a.subject == b.subject:
		case a.other != "" && (a.other == b.subject || a.other == b.other), b.other != "" && b.other == a.subject:
			score = 0.7
		default:
			return 0
		}
		if a.sizeOf == b.sizeOf {
			score++
		}
		return score + float64(b.level)/10 + alike(a.text, b.text)/2
	})
	left, open = c.pair(left, open, func(a, b *assertion) float64 {
		if b.helper && b.setup && !a.helper && !a.setup {
			return 0 // a call that may check something on its way
		}
		l := alike(a.text, b.text)
		if l < 0.5 && (l < 0.2 || a.raises == nil || b.raises == nil) && (l == 0 || !related(a, b) && anyPattern(a, b) == "") {
			return 0
		}
		return l
	})
	if len(left) > 0 && len(open) > 0 {
		expand(n, open)
		left, open = c.pair(left, open, func(a, b *assertion) float64 {
			if nearNow(a, b) || oneSideNow(a, b) {
				return 1
			}
			if a.level == ordered && b.level == ordered && sameMeasure(a, b) {
				return 0.5
			}
			return 0
		})
	}
	c.removed, c.added = left, open
	return c
}

// maxPairing bounds the assertions that are compared with each other.
const maxPairing = 200

// pair takes for each of left the open one that scores best.
func (c *comparedTest) pair(left, open []*assertion, score func(a, b *assertion) float64) (leftOver, openOver []*assertion) {
	for i, a := range left {
		if i >= maxPairing {
			leftOver = append(leftOver, a)
			continue
		}
		best, at := 0.0, -1
		for j, b := range open[:min(len(open), maxPairing)] {
			if s := score(a, b); s > best {
				best, at = s, j
			}
		}
		if at < 0 {
			leftOver = append(leftOver, a)
			continue
		}
		c.kept = append(c.kept, [2]*assertion{a, open[at]})
		open = slices.Delete(slices.Clone(open), at, at+1)
	}
	return leftOver, open
}

// alike is the share of words that two texts have in common.
func alike(a, b string) float64 {
	x, y := wordsOf(a), wordsOf(b)
	n := 0
	for w := range x {
		if y[w] {
			n++
		}
	}
	if all := len(x) + len(y) - n; all > 0 {
		return float64(n) / float64(all)
	}
	return 1
}

func wordsOf(s string) map[string]bool {
	words := map[string]bool{}
	if len(s) > 4000 {
		s = s[:4000]
	}
	for w := range strings.FieldsSeq(s) {
		if len(w) > 1 || isWordByte(w[0]) {
			words[w] = true
		}
	}
	return words
}
