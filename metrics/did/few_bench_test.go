package did_test

import (
	"testing"

	"steelyard/metrics/did"
)

// synthdid 0.0.9's medians on the same 2-core machine in milliseconds.
const (
	syntheticInR = 258
	placebosInR  = 32337
)

func benchSynthetic(b *testing.B, method did.SyntheticMethod, placebos int) {
	b.Helper()
	p := bundled(b, "california")
	for b.Loop() {
		if _, err := did.SyntheticControls(p, did.SyntheticOptions{Method: method, Placebos: placebos, Seed: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSyntheticCalifornia: 39 states by 31 years, and one placebo.
func BenchmarkSyntheticCalifornia(b *testing.B) {
	benchSynthetic(b, did.SyntheticDiD, 1)
	against(b, syntheticInR)
}

// BenchmarkSyntheticPlacebos: the same with 200 placebos, of which at most 38
// differ.
func BenchmarkSyntheticPlacebos(b *testing.B) {
	benchSynthetic(b, did.SyntheticDiD, 200)
	against(b, placebosInR)
}

// BenchmarkSyntheticStaggered: 200 placebos that all differ.
func BenchmarkSyntheticStaggered(b *testing.B) {
	p := bundled(b, "california")
	first := append([]int{}, p.First...)
	first[3], first[7] = 1989, 1992
	p.First = first
	for b.Loop() {
		if _, err := did.SyntheticControls(p, did.SyntheticOptions{Placebos: 200, Seed: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRelativeMagnitudes(b *testing.B) {
	in := ehecStudy(b)
	for b.Loop() {
		if _, err := did.RelativeMagnitudes(in, did.HonestOptions{Bounds: []float64{1}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBreakdownMagnitude(b *testing.B) {
	in := ehecStudy(b)
	for b.Loop() {
		if _, err := did.BreakdownMagnitude(in, did.HonestOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkConformal(b *testing.B) {
	gap := noisyGap(1, 26, 13)
	for b.Loop() {
		if _, err := did.Conformal(gap, 26, did.ConformalOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
