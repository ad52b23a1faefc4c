package did

import (
	"cmp"
	"slices"
)

// Holm returns the p-values adjusted by Holm's step-down method (1979), in the
// order given: the k-th smallest of m is multiplied by m − k + 1, made
// monotone, and cut at 1. Values outside [0, 1] are an error of the caller and
// count as 1.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	out := make([]float64, len(p))
	for i, x := range p {
		order[i] = i
		out[i] = x
		if !(x >= 0 && x <= 1) {
			out[i] = 1
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(out[a], out[b]) })
	var running float64
	for k, i := range order {
		running = max(running, min(1, out[i]*float64(len(p)-k)))
		out[i] = running
	}
	return out
}
