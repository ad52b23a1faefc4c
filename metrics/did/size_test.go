package did_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"steelyard/metrics/did"
)

// world is the generator of simulated weeks: a stationary AR(1) with unit
// variance, 50 weeks of burn-in, times the unit's standard deviation.
type world struct {
	random *rand.Rand
	rho    float64
}

func (w world) series(periods int, sd float64) []float64 {
	out := make([]float64, periods)
	u := w.random.NormFloat64()
	for i := -50; i < periods; i++ {
		u = w.rho*u + math.Sqrt(1-w.rho*w.rho)*w.random.NormFloat64()
		if i >= 0 {
			out[i] = u * sd
		}
	}
	return out
}

// TestSize measures how often each test of one treated unit rejects where
// nothing happened, at a nominal 5 %: 26 weeks before, 13 after. The bar is
// 8 % with a pilot like the others and with one twice as noisy, and 10 % where
// each team's weeks after the start are shifted by chance.
func TestSize(t *testing.T) {
	for _, rho := range []float64{0, 0.4} {
		for _, units := range []int{1, 3, 5, 10} {
			for _, c := range []struct {
				name           string
				sd, shock, bar float64
			}{{"alike", 1, 0, 0.08}, {"noisier", 2, 0, 0.08}, {"shocks", 1, 0.3, 0.10}} {
				t.Run(fmt.Sprintf("rho=%v/comparisons=%d/%s", rho, units, c.name), func(t *testing.T) {
					w := world{random: rand.New(rand.NewPCG(7, uint64(units))), rho: rho}
					crossFit, preTrend := w.rejections(t, units, c.sd, c.shock)
					t.Logf("cross-fit t rejects %.3f, pre-trend %.3f", crossFit, preTrend)
					if crossFit > c.bar {
						t.Errorf("the cross-fit t rejects %.3f of draws without an effect, over %v", crossFit, c.bar)
					}
					if preTrend > 0.08 {
						t.Errorf("the pre-trend test rejects %.3f of draws without a trend, over 0.08", preTrend)
					}
				})
			}
		}
	}
}

// rejections is how often both tests reject at 5 %.
func (w world) rejections(t *testing.T, units int, sd, shock float64) (crossFit, preTrend float64) {
	t.Helper()
	const before, after, draws = 26, 13, 3000
	team := func(sd float64) []float64 {
		out := w.series(before+after, sd)
		shift := shock * w.random.NormFloat64()
		for i := before; i < len(out); i++ {
			out[i] += shift
		}
		return out
	}
	for range draws {
		treated := team(sd)
		gap := append([]float64{}, treated...)
		comparisons := make([][]float64, units)
		for i := range comparisons {
			c := team(1)
			comparisons[i] = c[:before]
			for k := range gap {
				gap[k] -= c[k] / float64(units)
			}
		}
		r, err := did.CrossFitGap(gap, before, 3, 0)
		if err != nil {
			t.Fatal(err)
		}
		p, err := did.PreTrend(nil, treated[:before], comparisons, 0)
		if err != nil {
			t.Fatal(err)
		}
		if r.Estimate.P < 0.05 {
			crossFit += 1.0 / draws
		}
		if p.Slope.P < 0.05 {
			preTrend += 1.0 / draws
		}
	}
	return crossFit, preTrend
}
