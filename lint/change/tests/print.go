package tests

import (
	"hash/fnv"
	"slices"
)

// maxPrint bounds the words of a test that are compared.
const maxPrint = 4000

// fingerprint keeps the sorted hashes of the words, numbers and strings of a
// test, rows above its body included.
func (t *test) fingerprint() {
	src := t.suite.src
	for i := t.whole.from; i < t.whole.to && len(t.print) < maxPrint; i++ {
		if src.kind(i) == mark || !t.own(i) && t.suite.src.lang != golang {
			continue
		}
		t.print = append(t.print, hashOf(src.value(i)))
	}
	slices.Sort(t.print)
}

func hashOf(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

// shared counts the hashes that two sorted lists have in common.
func shared(a, b []uint32) int {
	n, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			n, i, j = n+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return n
}

// likeness is the share of words that two tests have in common, 0 to 1.
func likeness(a, b *test) float64 {
	n := shared(a.print, b.print)
	if all := len(a.print) + len(b.print) - n; all > 0 {
		return float64(n) / float64(all)
	}
	return 1
}

// contained is the share of the distinct words of a that b has too.
func contained(a, b *test) float64 {
	x, y := slices.Compact(slices.Clone(a.print)), slices.Compact(slices.Clone(b.print))
	if len(x) == 0 {
		return 1
	}
	return float64(shared(x, y)) / float64(len(x))
}
