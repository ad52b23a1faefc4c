package did

import "math"

// CountTable holds events by side and window, and what they are counted over.
type CountTable struct {
	TreatedAfter, TreatedBefore, ComparisonAfter, ComparisonBefore int
	// Exposure is in the same order as the counts; all zeros means equal.
	Exposure [4]float64
}

// ExactResult is an exact answer for counts. It holds no infinities: what the
// data set no value for is nil or flagged.
type ExactResult struct {
	// SampleRatio is the ratio as it was seen, nil where a zero leaves it
	// infinite or undefined.
	SampleRatio *float64
	// MLE is the conditional maximum-likelihood ratio, which is nearer to 1;
	// nil where it is infinite or undefined.
	MLE *float64
	// Low and High bound the ratio. LowOpen and HighOpen say that the data set
	// no bound on that side (0 and infinity); Low or High is 0 then.
	Low, High         float64
	LowOpen, HighOpen bool
	Level             float64
	// P sums the probabilities of all tables at most as likely as the observed
	// one under no effect (Fisher); PDoubled is twice the smaller tail, MidP
	// the same with half of the observed table's probability.
	P, MidP, PDoubled float64
}

// maxCount bounds counts, so that sums over tables stay short.
const maxCount = 1_000_000_000

// ExactRatio is the exact conditional inference for the ratio of two
// after/before ratios of Poisson rates. Given the margins of the table,
// treated events after the start follow Fisher's noncentral hypergeometric
// distribution, and each limit leaves (1 − level)/2 in its tail (Clopper and
// Pearson's way). Limits are solved to 1e-14, where R's fisher.test stops at
// four digits. Level 0 means 0.95.
func ExactRatio(t CountTable, level float64) (ExactResult, error) {
	e, err := exposures(t.Exposure[:])
	if err != nil {
		return ExactResult{}, err
	}
	a, b, c, d := t.TreatedAfter, t.TreatedBefore, t.ComparisonAfter, t.ComparisonBefore
	if err := checkCounts(a, b, c, d); err != nil {
		return ExactResult{}, err
	}
	treated, comparison, after := float64(a+b), float64(c+d), float64(a+c)
	x := conditional{
		low: max(0, a-d), high: min(a+b, a+c), at: a,
		// Odds of one more treated event after, at a ratio of 1.
		odds: e[0] * e[3] / (e[1] * e[2]),
		step: func(k float64) float64 {
			return (treated - k) * (after - k) / ((k + 1) * (comparison - after + k + 1))
		},
	}
	res, err := x.infer(level)
	if err != nil {
		return ExactResult{}, err
	}
	if b > 0 && c > 0 {
		ratio := float64(a) / float64(b) * float64(d) / float64(c) / x.odds
		res.SampleRatio = &ratio
	}
	return res, nil
}

// ExactRate is the exact inference for one side's after/before ratio of
// Poisson rates: given their sum, events after the start are binomial.
// Exposures of 0 and 0 mean equal. Level 0 means 0.95.
func ExactRate(after, before int, exposureAfter, exposureBefore, level float64) (ExactResult, error) {
	e, err := exposures([]float64{exposureAfter, exposureBefore})
	if err != nil {
		return ExactResult{}, err
	}
	if err := checkCounts(after, before); err != nil {
		return ExactResult{}, err
	}
	n := float64(after + before)
	x := conditional{
		high: after + before, at: after, odds: e[0] / e[1],
		step: func(k float64) float64 { return (n - k) / (k + 1) },
	}
	res, err := x.infer(level)
	if err != nil {
		return ExactResult{}, err
	}
	if before > 0 {
		ratio := float64(after) / float64(before) / x.odds
		res.SampleRatio = &ratio
	}
	return res, nil
}

func checkCounts(counts ...int) error {
	for _, n := range counts {
		if n < 0 || n > maxCount {
			return refuse(ErrShape, "count %d: give a whole number from 0 to %d", n, maxCount)
		}
	}
	return nil
}

// exposures replaces all zeros by ones and refuses what cannot be divided by.
func exposures(given []float64) ([]float64, error) {
	out := make([]float64, len(given))
	zeros := 0
	for i, x := range given {
		if !finite(x) || x < 0 || x > 1e60 || x > 0 && x < 1e-60 {
			return nil, refuse(ErrNotFinite, "exposure %v: give a positive number", x)
		}
		if x == 0 {
			zeros++
		}
		out[i] = x
	}
	if zeros == len(given) {
		for i := range out {
			out[i] = 1
		}
		return out, nil
	}
	if zeros > 0 {
		return nil, refuse(ErrNotFinite, "exposures %v: give all or none", given)
	}
	return out, nil
}

// conditional is a distribution on low … high in which one more is
// ratio·odds·step(k) times as likely as k; step falls with k. at was observed.
type conditional struct {
	low, high, at int
	odds          float64
	step          func(k float64) float64
}

func (c conditional) infer(level float64) (ExactResult, error) {
	level, err := checkLevel(level)
	if err != nil {
		return ExactResult{}, err
	}
	res := ExactResult{Level: level, LowOpen: c.at == c.low, HighOpen: c.at == c.high}
	alpha := (1 - level) / 2
	if !res.LowOpen {
		res.Low = c.solve(func(t tails) float64 { return t.atLeast - alpha })
	}
	if !res.HighOpen {
		res.High = c.solve(func(t tails) float64 { return alpha - t.atMost })
	}
	switch {
	case c.low == c.high || c.at == c.high:
	case c.at == c.low:
		res.MLE = new(float64)
	default:
		mle := c.solve(func(t tails) float64 { return t.mean - float64(c.at) })
		res.MLE = &mle
	}
	t := c.tails(0)
	res.P = min(1, t.unlikely)
	smaller := min(t.atLeast, t.atMost)
	res.PDoubled = min(1, 2*smaller)
	res.MidP = min(1, 2*smaller-t.exactly)
	return res, nil
}

// tails are probabilities under one ratio.
type tails struct {
	atLeast, atMost, exactly float64
	// unlikely sums values at most as likely as the observed one.
	unlikely float64
	mean     float64
}

// Terms are left out, with all beyond them, once they are negligible against
// the largest one and, where they are compared with it, the observed one. A
// probability under vanishing times the mode's counts as 0.
const (
	negligible = 1e-22
	vanishing  = 1e-280
)

// tails adds up the distribution at exp(logRatio), outwards from its mode, so
// that nothing overflows and only terms that count are visited.
func (c conditional) tails(logRatio float64) tails {
	odds := c.odds * math.Exp(logRatio)
	mode := c.mode(odds)
	observed := c.relative(mode, odds)
	same := observed * (1 + 1e-7)
	floor := negligible
	if observed > 0 {
		floor *= min(1, observed)
	}
	var t tails
	var total, mean, below, above float64
	add := func(k int, w float64) {
		total += w
		mean += w * float64(k-c.at)
		if k < c.at {
			below += w
		}
		if k > c.at {
			above += w
		}
		if w <= same {
			t.unlikely += w
		}
	}
	add(mode, 1)
	for k, w := mode, 1.0; k < c.high; k++ {
		if w *= odds * c.step(float64(k)); w < floor {
			break
		}
		add(k+1, w)
	}
	for k, w := mode, 1.0; k > c.low; k-- {
		if w /= odds * c.step(float64(k-1)); w < floor {
			break
		}
		add(k-1, w)
	}
	t.exactly = observed / total
	t.atLeast = (above + observed) / total
	t.atMost = (below + observed) / total
	t.unlikely /= total
	t.mean = mean/total + float64(c.at)
	return t
}

// mode is the likeliest value: the first with nothing likelier above it.
func (c conditional) mode(odds float64) int {
	low, high := c.low, c.high
	for low < high {
		middle := low + (high-low)/2
		if odds*c.step(float64(middle)) >= 1 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// relative is the probability of the observed value over that of the mode.
func (c conditional) relative(mode int, odds float64) float64 {
	w := 1.0
	for k := mode; k < c.at && w > vanishing; k++ {
		w *= odds * c.step(float64(k))
	}
	for k := mode; k > c.at && w > vanishing; k-- {
		w /= odds * c.step(float64(k-1))
	}
	if w <= vanishing {
		return 0
	}
	return w
}

// solve finds the ratio at which f, which rises with it, is 0, by halving the
// logarithm until nothing is left to halve.
func (c conditional) solve(f func(tails) float64) float64 {
	low, high := -1.0, 1.0
	for f(c.tails(low)) > 0 && low > -600 {
		low *= 2
	}
	for f(c.tails(high)) < 0 && high < 600 {
		high *= 2
	}
	for {
		middle := low + (high-low)/2
		if middle <= low || middle >= high || high-low < 1e-15 {
			return math.Exp(middle)
		}
		if f(c.tails(middle)) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
}
