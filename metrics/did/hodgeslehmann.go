package did

import (
	"cmp"
	"math"
	"slices"
)

// Shift is the answer of [HodgesLehmann].
type Shift struct {
	// Value is the median of all differences between a value of the one group
	// and a value of the other.
	Value float64
	// Low and High are the differences that bound the shifts not rejected;
	// the interval is open on a side where the groups are too small to reject
	// any.
	Low, High         float64
	LowOpen, HighOpen bool
	Level             float64
	// P is the two-sided p-value of no shift, by the normal approximation of
	// the rank sum with corrections for continuity and ties.
	P float64
}

// maxPairs bounds the differences that are sorted.
const maxPairs = 50_000_000

// HodgesLehmann estimates how far treated values are shifted against the
// others (Hodges and Lehmann 1963) with the test and interval of Wilcoxon's
// rank sum. Nothing is taken to be normal, and a few wild values move it
// little; values are taken to be independent. R's wilcox.test looks for the
// same differences with a tolerance of 1e-4. Level 0 means 0.95.
func HodgesLehmann(treated, others []float64, level float64) (Shift, error) {
	level, err := checkLevel(level)
	if err != nil {
		return Shift{}, err
	}
	n, m := len(treated), len(others)
	switch {
	case n == 0:
		return Shift{}, refuse(ErrNoTreated, "no treated values")
	case m == 0:
		return Shift{}, refuse(ErrNoComparison, "no values to compare with")
	case n > maxPairs/m:
		return Shift{}, refuse(ErrShape, "%d by %d values make more than %d differences", n, m, maxPairs)
	}
	for _, xs := range [][]float64{treated, others} {
		if err := checkFinite("value", xs); err != nil {
			return Shift{}, err
		}
		if size(xs...) > 1e300 {
			return Shift{}, refuse(ErrNotFinite, "values are too large for their differences: rescale them")
		}
	}
	differences := make([]float64, 0, n*m)
	for _, x := range treated {
		for _, y := range others {
			differences = append(differences, x-y)
		}
	}
	slices.Sort(differences)
	pairs := float64(n * m)
	s := Shift{Level: level, Value: (differences[(n*m-1)/2] + differences[n*m/2]) / 2}
	spread := math.Sqrt(pairs / 12 * float64(n+m+1))
	// The k-th difference from an end is the last shift not rejected.
	k := int(math.Ceil(pairs/2 + 0.5 + quantile(1-(1-level)/2, 0)*spread))
	if k > n*m {
		s.LowOpen, s.HighOpen = true, true
	} else {
		s.Low, s.High = differences[n*m-k], differences[k-1]
	}
	s.P = rankSumP(treated, others)
	return s, nil
}

// rankSumP is the two-sided p-value of Wilcoxon's rank sum; 1 where all values
// are equal.
func rankSumP(treated, others []float64) float64 {
	type value struct {
		x       float64
		treated bool
	}
	var all []value
	for _, x := range treated {
		all = append(all, value{x, true})
	}
	for _, x := range others {
		all = append(all, value{x, false})
	}
	slices.SortFunc(all, func(a, b value) int { return cmp.Compare(a.x, b.x) })
	var ranks, ties float64
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].x == all[from].x {
			to++
		}
		run := float64(to - from)
		ties += run*run*run - run
		for _, v := range all[from:to] {
			if v.treated {
				ranks += float64(from+to+1) / 2
			}
		}
		from = to
	}
	n, m := float64(len(treated)), float64(len(others))
	total := n + m
	z := ranks - n*(n+1)/2 - n*m/2
	variance := n * m / 12 * (total + 1 - ties/(total*(total-1)))
	if !(variance > 0) {
		return 1
	}
	z = max(0, math.Abs(z)-0.5) / math.Sqrt(variance)
	return min(1, twoSided(z, 0))
}
