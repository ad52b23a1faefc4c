package leaks

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestWords holds that one pass finds what looking for each word finds.
func TestWords(t *testing.T) {
	list, err := vendorRules()
	if err != nil {
		t.Fatal(err)
	}
	check := func(list []string, text string) {
		t.Helper()
		owners := make([]int, len(list))
		for i := range owners {
			owners[i] = i
		}
		var got, want []int
		newWords(list, owners).in(text, func(owner int) { got = append(got, owner) })
		for i, word := range list {
			if strings.Contains(text, word) {
				want = append(want, i)
			}
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Fatalf("%q in %q: %v, want %v", list, text, got, want)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	letters := func(n, of int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('a' + r.IntN(of))
		}
		return string(b)
	}
	for range 500 {
		var list []string
		for range 1 + r.IntN(12) {
			list = append(list, letters(1+r.IntN(4), 3))
		}
		check(list, letters(r.IntN(40), 4))
	}
	var all []string
	for _, one := range list.rules {
		all = append(all, one.keywords...)
	}
	for range 200 {
		check(all, letters(3, 26)+all[r.IntN(len(all))]+"é"+all[r.IntN(len(all))][1:]+all[r.IntN(len(all))])
	}
}

// BenchmarkNothing searches a text without a secret, as nearly all are.
func BenchmarkNothing(b *testing.B) {
	text := strings.Repeat("The pilot's teams opened pull requests that were merged 33 % sooner, see https://steelyard.example/pilots/tools. ", 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if All(text, func(int) bool { return true }) != nil {
			b.Fatal("found something")
		}
	}
}
