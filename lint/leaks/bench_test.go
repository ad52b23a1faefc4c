package leaks

import "testing"

// BenchmarkRules is what the first search of a run costs beside the search.
func BenchmarkRules(b *testing.B) {
	for range b.N {
		if _, err := readRules(); err != nil {
			b.Fatal(err)
		}
	}
}
