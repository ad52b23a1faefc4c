package did

import "math"

// DonaldLang compares one treated unit's change with the changes of at least
// two comparison units, as Donald and Lang ("Inference with
// difference-in-differences and other panel data", 2007) do with group means:
// the standard error is sd(comparison changes)·√(1 + 1/n) and t has n − 1
// degrees of freedom. It takes the treated unit to be as noisy as the others;
// compare [SpreadRatio]. HasSE is false where the comparison changes are all
// equal. Level 0 means 0.95.
func DonaldLang(treatedChange float64, comparisonChanges []float64, level float64) (Estimate, error) {
	level, err := checkLevel(level)
	if err != nil {
		return Estimate{}, err
	}
	n := len(comparisonChanges)
	if n == 0 {
		return Estimate{}, refuse(ErrNoComparison, "Donald–Lang has no comparison unit: it needs at least 2")
	}
	if n < 2 {
		return Estimate{}, refuse(ErrTooFewUnits, "Donald–Lang has 1 comparison unit: it needs at least 2")
	}
	if !finite(treatedChange) {
		return Estimate{}, refuse(ErrNotFinite, "the treated unit's change is %v", treatedChange)
	}
	if err := checkFinite("change of comparison unit", comparisonChanges); err != nil {
		return Estimate{}, err
	}
	value := treatedChange - mean(comparisonChanges)
	se := sampleSD(comparisonChanges) * math.Sqrt(1+1/float64(n))
	return newEstimate(value, se, float64(n-1), level, size(comparisonChanges...)), nil
}

// SpreadRatio is the treated unit's standard deviation over the periods before
// its start, divided by the root mean square of the comparison units'. Over
// 1.5 [DonaldLang] rejects too often. Comparison series may differ in length;
// each series needs two values.
func SpreadRatio(treated []float64, comparisons [][]float64) (float64, error) {
	if len(comparisons) == 0 {
		return 0, refuse(ErrNoComparison, "spread ratio without a comparison unit")
	}
	var sum float64
	for i := -1; i < len(comparisons); i++ {
		xs := treated
		if i >= 0 {
			xs = comparisons[i]
		}
		if len(xs) < 2 {
			return 0, refuse(ErrTooFewPeriods, "spread ratio needs at least 2 periods before the start, found %d", len(xs))
		}
		if err := checkFinite("value in period", xs); err != nil {
			return 0, err
		}
		if i >= 0 {
			sd := sampleSD(xs)
			sum += sd * sd
		}
	}
	if sum == 0 {
		return 0, refuse(ErrZeroVariance, "no comparison unit varies before the start, so spreads cannot be compared")
	}
	return sampleSD(treated) / math.Sqrt(sum/float64(len(comparisons))), nil
}
