package did

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

const defaultLevel = 0.95

// checkLevel returns the level of confidence to use: 0 means 95 %.
func checkLevel(level float64) (float64, error) {
	if level == 0 {
		return defaultLevel, nil
	}
	if !(level > 0 && level < 1) {
		return 0, refuse(ErrOption, "level of confidence %v: give a number between 0 and 1, such as 0.95", level)
	}
	return level, nil
}

// roundingNoise is how large, relative to the numbers that went in, a spread
// can be that is nothing but rounding.
const roundingNoise = 1e-13

// newEstimate completes an estimate from its standard error. A standard error
// that is zero, up to the rounding of numbers of size scale, is none: nothing
// varied where variation would have shown the uncertainty.
func newEstimate(value, se, df, level, scale float64) Estimate {
	if !finite(se) || se <= roundingNoise*scale {
		return Estimate{Value: value}
	}
	half := quantile(1-(1-level)/2, df) * se
	return Estimate{
		Value: value, SE: se, HasSE: true, DF: df,
		Low: value - half, High: value + half, Level: level,
		P: twoSided(value/se, df),
	}
}

// quantile is the quantile of Student's t with df degrees of freedom, or of
// the normal distribution where df is 0.
func quantile(p, df float64) float64 {
	if df == 0 {
		return distuv.UnitNormal.Quantile(p)
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(p)
}

// twoSided is the probability of a statistic at least as far from 0 as t.
func twoSided(t, df float64) float64 {
	if df == 0 {
		return math.Erfc(math.Abs(t) / math.Sqrt2)
	}
	return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Survival(math.Abs(t))
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// checkFinite refuses the first value of xs that is not a number.
func checkFinite(what string, xs []float64) error {
	for i, x := range xs {
		if !finite(x) {
			return refuse(ErrNotFinite, "%s %d is %v: leave missing values out first", what, i+1, x)
		}
	}
	return nil
}

// size is the largest absolute value of xs.
func size(xs ...float64) float64 {
	var m float64
	for _, x := range xs {
		m = max(m, math.Abs(x))
	}
	return m
}

func mean(xs []float64) float64 {
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// sampleSD is the standard deviation with n − 1 in the denominator.
func sampleSD(xs []float64) float64 {
	m := mean(xs)
	var sum float64
	for _, x := range xs {
		sum += (x - m) * (x - m)
	}
	return math.Sqrt(sum / float64(len(xs)-1))
}
