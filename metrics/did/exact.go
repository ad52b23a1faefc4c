package did

// CountTable holds events by side and window, and what they are counted over.
type CountTable struct {
	TreatedAfter, TreatedBefore, ComparisonAfter, ComparisonBefore int
	// Exposure is in the same order as the counts; all zeros means equal.
	Exposure [4]float64
}

// ExactResult is the exact answer for a [CountTable]. It holds no infinities.
type ExactResult struct {
	// SampleRatio is the ratio of the two after/before ratios of rates, nil
	// where a zero leaves it undefined or infinite.
	SampleRatio *float64
	// MLE is the conditional maximum-likelihood ratio, nil where it is
	// infinite or undefined.
	MLE *float64
	// Low and High bound the ratio of ratios. LowOpen and HighOpen say that
	// the data set no bound on that side; Low or High is 0 then.
	Low, High         float64
	LowOpen, HighOpen bool
	Level             float64
	// P sums the probabilities of tables at most as likely as the observed
	// one (Fisher); MidP and PDoubled are twice the smaller tail, with half
	// and with all of the observed table's probability.
	P, MidP, PDoubled float64
}

// ExactRatio is the exact conditional interval and test for a ratio of ratios
// of Poisson counts.
func ExactRatio(t CountTable, level float64) (ExactResult, error) {
	return ExactResult{}, refuse(ErrOption, "being written")
}
