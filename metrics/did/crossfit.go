package did

import "math"

// CrossFitResult is the answer of the cross-fit t-test.
type CrossFitResult struct {
	// Estimate has the mean of the folds as its value and K − 1 degrees of
	// freedom. It is not the plain difference in differences, which uses the
	// whole period before. HasSE is false where all folds agree exactly.
	Estimate Estimate
	// Folds are the effects, one for each block used as the period before, in
	// order of time.
	Folds []float64
	// BlockLength is the number of periods in a block.
	BlockLength int
}

// CrossFit is the cross-fit t-test of Chernozhukov, Wüthrich and Zhu ("A
// t-test for synthetic controls", 2021) for one treated unit. Before and after
// are the numbers of periods on each side of the start. The last folds·r
// periods before the start are cut into consecutive blocks of
// r = min(⌊before/folds⌋, after) periods, as in the authors' code; effect
// returns the effect with the periods [from, to) as the whole period before,
// counted from 0 at the first period. The interval is
//
//	mean ± t(K−1) · √(1 + K·r/after) · sd / √K
//
// It stays valid under autocorrelation because whole blocks are compared.
// Level 0 means 0.95. An error of effect is returned as it is.
func CrossFit(before, after, folds int, level float64, effect func(from, to int) (float64, error)) (CrossFitResult, error) {
	return crossFit(before, after, folds, level, 0, effect)
}

// crossFit is CrossFit for numbers of size scale.
func crossFit(before, after, folds int, level, scale float64, effect func(from, to int) (float64, error)) (CrossFitResult, error) {
	level, err := checkLevel(level)
	if err != nil {
		return CrossFitResult{}, err
	}
	if folds < 2 {
		return CrossFitResult{}, refuse(ErrOption, "cross-fit t-test with %d folds: it needs at least 2", folds)
	}
	if before < folds || after < 1 {
		return CrossFitResult{}, refuse(ErrTooFewPeriods,
			"cross-fit t-test with %d folds on %d periods before and %d after: it needs at least %d before and 1 after",
			folds, before, after, folds)
	}
	r := min(before/folds, after)
	res := CrossFitResult{Folds: make([]float64, folds), BlockLength: r}
	for k := range folds {
		from := before - folds*r + k*r
		x, err := effect(from, from+r)
		if err != nil {
			return CrossFitResult{}, err
		}
		if !finite(x) {
			return CrossFitResult{}, refuse(ErrNotFinite, "effect with periods %d to %d as the period before is %v", from+1, from+r, x)
		}
		res.Folds[k] = x
	}
	k := float64(folds)
	se := math.Sqrt(1+k*float64(r)/float64(after)) * sampleSD(res.Folds) / math.Sqrt(k)
	res.Estimate = newEstimate(mean(res.Folds), se, k-1, level, max(scale, size(res.Folds...)))
	return res, nil
}

// CrossFitGap is [CrossFit] for the difference of means of a gap: gap[t] is the
// treated unit less its comparison in period t, and the first before values
// lie before the start.
func CrossFitGap(gap []float64, before, folds int, level float64) (CrossFitResult, error) {
	if before < 0 || before > len(gap) {
		return CrossFitResult{}, refuse(ErrShape, "%d periods before the start in a gap of %d periods", before, len(gap))
	}
	if err := checkFinite("gap in period", gap); err != nil {
		return CrossFitResult{}, err
	}
	after := len(gap) - before
	if after < 1 {
		return CrossFitResult{}, refuse(ErrTooFewPeriods, "the gap has no period after the start")
	}
	m := mean(gap[before:])
	return crossFit(before, after, folds, level, size(gap...), func(from, to int) (float64, error) {
		return m - mean(gap[from:to]), nil
	})
}
