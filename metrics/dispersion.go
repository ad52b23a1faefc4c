package metrics

import "math"

// dispersion gathers how far counts lie from their shares, as Pearson's
// statistic does, over groups whose totals are taken as given. Where events
// come independently of each other, its expectation and variance are known
// exactly (the multinomial's), so it can be judged even where counts are small.
type dispersion struct{ statistic, expected, variance float64 }

// clumped is the standard score from which counts vary too much for
// independent events: 1 in 100 where they are independent.
const clumped = 2.326

// add is one group: counts that would lie in proportion to weights, which are
// positive.
func (d *dispersion) add(counts, weights []float64) {
	var n, total float64
	for i := range counts {
		n += counts[i]
		total += weights[i]
	}
	if n == 0 || len(counts) < 2 {
		return
	}
	k := float64(len(counts))
	inverse := 0.0
	for i, x := range counts {
		want := n * weights[i] / total
		d.statistic += (x - want) * (x - want) / want
		inverse += total / weights[i]
	}
	d.expected += k - 1
	d.variance += 2*(k-1) + (inverse-k*k-2*k+2)/n
}

// times is how many times as much the counts vary as independent events
// would; beyond is true where that is more than chance.
func (d *dispersion) times() (times float64, beyond bool) {
	if d.expected < 1 || !(d.variance > 0) {
		return 1, false
	}
	return d.statistic / d.expected, d.statistic-d.expected > clumped*math.Sqrt(d.variance)
}

// dispersion is that of the counts from period to period within each unit and
// window, and of the comparison units' changes among each other: an exact
// interval takes both for nothing but independent events.
func (c *countComparison) dispersion() (times float64, beyond bool) {
	var d dispersion
	before, after := c.d.over(c.f.before), c.d.over(c.f.after)
	for _, units := range [][]int{c.f.treated, c.f.comparison} {
		for _, u := range units {
			for _, w := range [][]int{before, after} {
				counts, weights := c.d.counts.cells(u, w)
				d.add(counts, weights)
			}
		}
	}
	rate := rateRatio(c.table.ComparisonAfter, c.table.ComparisonBefore, c.table.Exposure[2], c.table.Exposure[3])
	if rate > 0 { // else a side has no event, and there is no change to share
		for _, u := range c.f.comparison {
			a, exposureAfter, _ := c.d.counts.sum([]int{u}, after)
			b, exposureBefore, _ := c.d.counts.sum([]int{u}, before)
			if exposureAfter > 0 && exposureBefore > 0 {
				d.add([]float64{a, b}, []float64{rate * exposureAfter, exposureBefore})
			}
		}
		d.expected-- // the common change was fitted
	}
	return d.times()
}

// cells are a unit's counts and what they are counted over, by period.
func (c *countSeries) cells(u int, periods []int) (counts, weights []float64) {
	for _, t := range periods {
		if n, e, seen := c.sum([]int{u}, []int{t}); seen > 0 && e > 0 {
			counts, weights = append(counts, n), append(weights, e)
		}
	}
	return counts, weights
}
