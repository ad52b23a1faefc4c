package did

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// TTestPower is the probability that a two-sided t-test of two groups of n
// each, at size alpha, rejects in favour of the true side where the means
// differ by effect standard deviations: R's power.t.test, whose default leaves
// rejections on the wrong side out. n need not be whole.
func TTestPower(n, effect, alpha float64) (float64, error) {
	if err := checkPowerSize(n, alpha); err != nil {
		return 0, err
	}
	if !finite(effect) {
		return 0, refuse(ErrOption, "effect of %v standard deviations: give a finite number", effect)
	}
	return tTestPower(n, math.Abs(effect), alpha), nil
}

func tTestPower(n, effect, alpha float64) float64 {
	df := manyAreNormal(2 * (n - 1))
	return spreadOfSD(df).exceeds(math.Sqrt(n/2)*effect, quantile(1-alpha/2, df))
}

// exceeds is the probability that a noncentral t variable exceeds critical.
func (s sdSpread) exceeds(noncentrality, critical float64) float64 {
	var p float64
	for i, x := range s.at {
		p += s.weight[i] * upper(critical*x-noncentrality)
	}
	return p
}

// TTestSampleSize is the n, not rounded, at which [TTestPower] is power.
func TTestSampleSize(effect, alpha, power float64) (float64, error) {
	if err := checkPower(alpha, power); err != nil {
		return 0, err
	}
	effect = math.Abs(effect)
	if !finite(effect) || effect < 1e-4 {
		return 0, refuse(ErrOption, "effect of %v standard deviations: give at least 0.0001", effect)
	}
	return rising(2, power, func(n float64) float64 { return tTestPower(n, effect, alpha) })
}

// TTestDetectable is the effect, in standard deviations, at which [TTestPower]
// of n a group is power.
func TTestDetectable(n, alpha, power float64) (float64, error) {
	if err := checkPowerSize(n, alpha); err != nil {
		return 0, err
	}
	if err := checkPower(alpha, power); err != nil {
		return 0, err
	}
	return rising(0, power, func(effect float64) float64 { return tTestPower(n, effect, alpha) })
}

// ProportionPower is the power of a two-sided normal test of two shares p1 and
// p2 among n each, as in R's power.prop.test.
func ProportionPower(n, p1, p2, alpha float64) (float64, error) {
	if err := checkPowerSize(n, alpha); err != nil {
		return 0, err
	}
	if err := checkShares(p1, p2); err != nil {
		return 0, err
	}
	return proportionPower(n, p1, p2, alpha), nil
}

func proportionPower(n, p1, p2, alpha float64) float64 {
	critical := quantile(1-alpha/2, 0)
	pooled := math.Sqrt((p1 + p2) * (1 - (p1+p2)/2))
	apart := math.Sqrt(p1*(1-p1) + p2*(1-p2))
	return upper((critical*pooled - math.Sqrt(n)*math.Abs(p1-p2)) / apart)
}

// ProportionSampleSize is the n a group, not rounded, at which
// [ProportionPower] is power.
func ProportionSampleSize(p1, p2, alpha, power float64) (float64, error) {
	if err := checkPower(alpha, power); err != nil {
		return 0, err
	}
	if err := checkShares(p1, p2); err != nil {
		return 0, err
	}
	if math.Abs(p1-p2) < 1e-9 {
		return 0, refuse(ErrOption, "shares %v and %v are equal: no number of observations tells them apart", p1, p2)
	}
	return rising(1, power, func(n float64) float64 { return proportionPower(n, p1, p2, alpha) })
}

// ProportionDetectable is the smallest share above p1 that [ProportionPower] of
// n a group sees with probability power; an error where none is.
func ProportionDetectable(n, p1, alpha, power float64) (float64, error) {
	if err := checkPowerSize(n, alpha); err != nil {
		return 0, err
	}
	if err := checkPower(alpha, power); err != nil {
		return 0, err
	}
	if err := checkShares(p1, 0.5); err != nil {
		return 0, err
	}
	if proportionPower(n, p1, 1-1e-12, alpha) < power {
		return 0, refuse(ErrTooFewUnits, "%v observations a group see no share above %v with power %v", n, p1, power)
	}
	share, err := rising(0, power, func(x float64) float64 { return proportionPower(n, p1, min(p1+x, 1-1e-12), alpha) })
	return p1 + share, err
}

// RatePower is the power of the exact conditional test that two groups of equal
// exposure have the same rate of events, where base events are expected in one
// and ratio times as many in the other: events are Poisson, and given their
// sum those of one group are binomial. Two-sided, each tail at half of alpha.
func RatePower(base, ratio, alpha float64) (float64, error) {
	if err := checkRates(base, ratio); err != nil {
		return 0, err
	}
	if !(alpha > 0 && alpha < 1) {
		return 0, refuse(ErrOption, "size %v: give a number between 0 and 1", alpha)
	}
	return ratePower(base, ratio, alpha), nil
}

// maxEvents bounds the exact sums; it is far beyond where exactness matters.
const maxEvents = 100_000

func checkRates(base, ratio float64) error {
	if !finite(base) || base <= 0 || base > maxEvents {
		return refuse(ErrOption, "%v events expected: give more than 0, and at most 100,000", base)
	}
	if !finite(ratio) || ratio <= 0 || base*ratio > maxEvents {
		return refuse(ErrOption, "ratio of rates %v: give a positive number with at most 100,000 events", ratio)
	}
	return nil
}

// ratePower sums over totals within ten standard deviations.
func ratePower(base, ratio, alpha float64) float64 {
	total := base * (1 + ratio)
	share := ratio / (1 + ratio)
	reach := 10*math.Sqrt(total) + 20
	sum := distuv.Poisson{Lambda: total}
	var power float64
	for n := max(math.Floor(total-reach), 1); n <= total+reach; n++ {
		weight := sum.Prob(n)
		if weight < 1e-14 {
			continue
		}
		critical := tailStart(n, alpha/2)
		if critical > n {
			continue
		}
		events := distuv.Binomial{N: n, P: share}
		reject := events.CDF(n - critical)
		if critical <= n {
			reject += 1 - events.CDF(critical-1)
		}
		power += weight * reject
	}
	return min(power, 1)
}

// tailStart is the least k with P(Binomial(n, ½) ≥ k) ≤ tail, n + 1 where there
// is none.
func tailStart(n, tail float64) float64 {
	fair := distuv.Binomial{N: n, P: 0.5}
	low, high := math.Floor(n/2), n+1
	for high-low > 1 {
		k := math.Floor((low + high) / 2)
		// By symmetry P(X ≥ k) = P(X ≤ n − k).
		if fair.CDF(n-k) <= tail {
			high = k
		} else {
			low = k
		}
	}
	return high
}

// RateDetectable is the smallest ratio of rates above 1 that [RatePower] sees
// with probability power where base events are expected in the other group.
func RateDetectable(base, alpha, power float64) (float64, error) {
	if err := checkRates(base, 1); err != nil {
		return 0, err
	}
	if err := checkPower(alpha, power); err != nil {
		return 0, err
	}
	// Power is not quite smooth in the ratio, but it rises.
	low, high := 1.0, 2.0
	for ratePower(base, high, alpha) < power {
		low, high = high, 2*high
		if base*high > maxEvents {
			return 0, refuse(ErrTooFewUnits, "with %v events expected no ratio of rates is seen with power %v", base, power)
		}
	}
	for range 60 {
		middle := (low + high) / 2
		if ratePower(base, middle, alpha) < power {
			low = middle
		} else {
			high = middle
		}
		if high-low < 1e-9*high {
			break
		}
	}
	return high, nil
}

// CrossFitDetectable is the effect that the cross-fit t-test will see with
// probability power, known before the pilot starts: its standard error rests on
// the periods before alone. gapBefore is the gap in those periods, after the
// number that will follow.
func CrossFitDetectable(gapBefore []float64, after, folds int, alpha, power float64) (float64, error) {
	if after < 1 || after > 1_000_000 {
		return 0, refuse(ErrTooFewPeriods, "%d periods after the start: at least 1 is needed", after)
	}
	gap := append(append([]float64{}, gapBefore...), make([]float64, after)...)
	r, err := CrossFitGap(gap, len(gapBefore), folds, 0)
	if err != nil {
		return 0, err
	}
	if !r.Estimate.HasSE {
		return 0, refuse(ErrZeroVariance, "the gap does not vary between blocks before the start, so nothing shows the uncertainty")
	}
	return DetectableEffect(r.Estimate.SE, r.Estimate.DF, alpha, power)
}

// DonaldLangDetectable is the effect that [DonaldLang] sees with probability
// power, given the changes of the comparison units, for instance over an
// earlier time.
func DonaldLangDetectable(comparisonChanges []float64, alpha, power float64) (float64, error) {
	e, err := DonaldLang(0, comparisonChanges, 0)
	if err != nil {
		return 0, err
	}
	if !e.HasSE {
		return 0, refuse(ErrZeroVariance, "the comparison units' changes are equal, so nothing shows the uncertainty")
	}
	return DetectableEffect(e.SE, e.DF, alpha, power)
}

func checkPowerSize(n, alpha float64) error {
	if !(n >= 2) || n > 1e12 {
		return refuse(ErrTooFewUnits, "%v observations a group: give 2 to 1e12", n)
	}
	if !(alpha > 0 && alpha < 1) {
		return refuse(ErrOption, "size %v: give a number between 0 and 1", alpha)
	}
	return nil
}

func checkPower(alpha, power float64) error {
	if !(alpha > 0 && power > alpha && power < 1) {
		return refuse(ErrOption, "size %v and power %v: give 0 < size < power < 1", alpha, power)
	}
	return nil
}

func checkShares(p1, p2 float64) error {
	for _, p := range []float64{p1, p2} {
		if !(p > 0 && p < 1) {
			return refuse(ErrOption, "share %v: give a number between 0 and 1", p)
		}
	}
	return nil
}

// rising is where f, which rises from from on, reaches target.
func rising(from, target float64, f func(float64) float64) (float64, error) {
	low, high := from, max(2*from, 1)
	for f(high) < target {
		low, high = high, 2*high
		if high > 1e12 {
			return 0, refuse(ErrOption, "a power of %v is out of reach", target)
		}
	}
	for range 200 {
		middle := (low + high) / 2
		if middle <= low || middle >= high {
			break
		}
		if f(middle) < target {
			low = middle
		} else {
			high = middle
		}
	}
	return high, nil
}
