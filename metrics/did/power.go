package did

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// DetectableEffect is the smallest effect that a two-sided t-test at size
// alpha sees with probability power, given the estimate's standard error and
// degrees of freedom (0 means normal). Rejections on the wrong side count, as
// in R's power.t.test with strict = TRUE. The effect is in the unit of se.
func DetectableEffect(se, df, alpha, power float64) (float64, error) {
	if !finite(se) || se <= 0 {
		return 0, refuse(ErrZeroVariance, "standard error %v: it must be positive", se)
	}
	if !finite(df) || df != 0 && df < 1 {
		return 0, refuse(ErrOption, "%v degrees of freedom: give at least 1, or 0 for the normal distribution", df)
	}
	if !(alpha > 0 && power > alpha && power < 1) {
		return 0, refuse(ErrOption, "size %v and power %v: give 0 < size < power < 1", alpha, power)
	}
	df = manyAreNormal(df)
	spread := spreadOfSD(df)
	critical := quantile(1-alpha/2, df)
	low, high := 0.0, 1.0
	for spread.rejection(high, critical) < power {
		low, high = high, 2*high
		if high > 1e12 {
			return 0, refuse(ErrOption, "size %v with %v degrees of freedom: no effect is seen with power %v", alpha, df, power)
		}
	}
	for range 200 {
		middle := (low + high) / 2
		if middle <= low || middle >= high {
			break
		}
		if spread.rejection(middle, critical) < power {
			low = middle
		} else {
			high = middle
		}
	}
	if !finite(high * se) {
		return 0, refuse(ErrNotFinite, "standard error %v is too large: rescale the outcome", se)
	}
	return high * se, nil
}

// manyAreNormal is df, or 0 for the normal distribution where t has become it
// to seven digits and rounding would tell more than the difference.
func manyAreNormal(df float64) float64 {
	if df > 1e7 {
		return 0
	}
	return df
}

// sdSpread is the distribution of an estimated standard deviation whose square
// is chi-squared/df, as points with weights.
type sdSpread struct{ at, weight []float64 }

func spreadOfSD(df float64) sdSpread {
	if df == 0 {
		return sdSpread{at: []float64{1}, weight: []float64{1}}
	}
	const points = 200
	s := sdSpread{at: make([]float64, points), weight: make([]float64, points)}
	half := 12 / math.Sqrt(2*df) // twelve standard deviations
	quad.Legendre{}.FixedLocations(s.at, s.weight, max(0, 1-half), 1+half)
	gamma, _ := math.Lgamma(df / 2)
	constant := math.Ln2 + df/2*math.Log(df/2) - gamma
	for i, x := range s.at {
		s.weight[i] *= math.Exp(constant + (df-1)*math.Log(x) - df*x*x/2)
	}
	return s
}

// rejection is the probability that |T| exceeds critical when T is noncentral
// t: the normal probability, averaged over the standard deviation.
func (s sdSpread) rejection(noncentrality, critical float64) float64 {
	var p float64
	for i, x := range s.at {
		p += s.weight[i] * (upper(critical*x-noncentrality) + upper(critical*x+noncentrality))
	}
	return p
}

// upper is the probability that a standard normal variable exceeds z.
func upper(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }
