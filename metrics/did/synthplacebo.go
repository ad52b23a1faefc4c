package did

import (
	"math"
	"math/rand/v2"
)

// defaultPlacebos is the number of random placebos where several units are
// treated.
const defaultPlacebos = 200

// placebos fills the placebo effects of res and returns their spread: 0 where
// there are none.
func (b *blocks) placebos(res *Synthetic, o SyntheticOptions, value float64) float64 {
	treated := 0
	for _, c := range b.cohorts {
		treated += c.size
	}
	n := len(b.pool)
	if n <= treated || n < 3 {
		res.Warnings = append(res.Warnings, tooFewForPlacebos(treated, n))
		return 0
	}
	draws := o.Placebos
	switch {
	case draws > 0:
	case treated == 1:
		draws, res.EveryUnitOnce = n, true
	default:
		draws = defaultPlacebos
	}
	random := rand.New(rand.NewPCG(o.Seed, 0x9e3779b97f4a7c15))
	// With one treated unit a placebo is one comparison unit, and random ones
	// come up again and again: each is worked out once.
	known := make([]float64, n)
	done := make([]bool, n)
	for draw := range draws {
		var order []int
		switch {
		case res.EveryUnitOnce:
			order = lastIs(draw, n)
		case treated == 1:
			order = lastIs(random.IntN(n), n)
		default:
			order = random.Perm(n)
		}
		last := order[n-1]
		if treated > 1 || !done[last] {
			known[last], done[last] = b.placebo(order, o.WarmPlacebos), true
		}
		res.Placebos = append(res.Placebos, known[last])
	}
	r := float64(draws)
	if res.EveryUnitOnce {
		atLeast := 1
		slack := tieSlack * size(append(res.Placebos, value)...)
		for _, x := range res.Placebos {
			if math.Abs(x) >= math.Abs(value)-slack {
				atLeast++
			}
		}
		res.P = float64(atLeast) / (r + 1)
	}
	if draws < 2 {
		return 0
	}
	return math.Sqrt((r-1)/r) * sampleSD(res.Placebos)
}

// lastIs is 0 … n−1 with u moved to the end.
func lastIs(u, n int) []int {
	order := make([]int, 0, n)
	for i := range n {
		if i != u {
			order = append(order, i)
		}
	}
	return append(order, u)
}

// placebo is the effect where the last units of order are treated like the
// cohorts, in turn, and the others are the comparison. Warm weights start from
// those of the real cohorts.
func (b *blocks) placebo(order []int, warm bool) float64 {
	treated := 0
	for _, c := range b.cohorts {
		treated += c.size
	}
	rest := order[:len(order)-treated]
	pool := make([][]float64, len(rest))
	for i, u := range rest {
		pool[i] = b.pool[u]
	}
	next := len(rest)
	effects := make([]float64, len(b.cohorts))
	for k := range b.cohorts {
		c := &b.cohorts[k]
		members := make([][]float64, c.size)
		for i := range members {
			members[i] = b.pool[order[next]]
			next++
		}
		var omega, lambda []float64
		if warm {
			omega = make([]float64, len(rest))
			for i, u := range rest {
				omega[i] = c.omega[u]
			}
			omega, lambda = normalised(omega), c.lambda
		}
		series := meanSeries(members)
		omega, lambda = b.weigh(c, pool, series, omega, lambda)
		effects[k] = b.effect(c, pool, series, omega, lambda)
	}
	return b.mean(effects)
}
