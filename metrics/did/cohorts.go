package did

import (
	"cmp"
	"math"
	"slices"
)

// maxCells bounds how many group-time cells are estimated.
const maxCells = 200_000

// cohorts is a panel as the group-time estimator reads it: rows by period,
// units sorted by first treated period, so that a cohort is one range of units
// and "not treated yet" is everything to its right.
type cohorts struct {
	periods []int
	first   []int // distinct first treated periods, ascending, Never last
	from    []int // len(first)+1 offsets of units
	rows    []crossSection
	// weight is by unit and mass its sum by cohort: how much a unit and a
	// cohort count where effects are averaged. weight is nil where all count 1.
	weight, mass []float64
	// cluster numbers the clusters of units from 0; nil: each unit its own.
	cluster  []int
	clusters int
	// width is how many numbers a row of x has: the constant and the
	// covariates; 0 where there are none.
	width int
	// steadyX and steadyW say that a unit's covariates and weight never change.
	steadyX, steadyW bool
	scale            float64
}

// crossSection holds the rows of one period, by unit.
type crossSection struct {
	unit []int // nil where every unit is seen
	from []int // len(first)+1 offsets of rows, by cohort
	// y is the outcome; in a balanced panel it is the change since the first
	// period: unit effects are gone before anything is added up.
	y []float64
	w []float64 // nil for equal weights
	x []float64 // width numbers a row, the first of them 1
}

func (c *cohorts) units() int     { return c.from[len(c.first)] }
func (c *cohorts) balanced() bool { return c.rows[0].unit == nil }

func (c *cohorts) size(h int) int { return c.from[h+1] - c.from[h] }

// newCohorts leaves out what the design cannot use and lays out the rest.
// cluster is by unit of t, or nil.
func newCohorts(t *table, o GroupTimeOptions, cluster []int) (*cohorts, []Drop, []string, error) {
	d := &selection{t: t, anticipation: o.Anticipation, until: len(t.periods), latest: math.MinInt}
	if err := d.choose(o.Control); err != nil {
		return nil, nil, nil, err
	}
	if o.Balance {
		if err := d.balance(); err != nil {
			return nil, nil, nil, err
		}
	}
	c := &cohorts{periods: t.periods[:d.until], scale: t.scale}
	order := c.sort(d)
	if c.units() == 0 || len(c.first) < 2 {
		return nil, nil, nil, refuse(ErrNoComparison, "all units start in the same period %d: nobody is left to compare with", d.latest)
	}
	if c.first[len(c.first)-1] != Never {
		return nil, nil, nil, refuse(ErrNoComparison, "no unit that is still untreated at the end was seen before period %d", d.latest)
	}
	if cells := len(c.first) * d.until; cells > maxCells {
		return nil, nil, nil, refuse(ErrShape, "%d cohorts over %d periods make %d cells, over %d: count in longer periods", len(c.first), d.until, cells, maxCells)
	}
	c.fill(t, order, o.Weights)
	d.warnings = append(d.warnings, c.addCovariates(t, order)...)
	c.addWeights(t, order)
	if cluster != nil {
		c.setClusters(cluster, order)
	}
	return c, d.drops, d.warnings, nil
}

// sort puts the kept units in order of their cohorts.
func (c *cohorts) sort(d *selection) (order []int) {
	last := d.until - 1
	cohort := func(u int) int {
		if d.t.first[u] > c.periods[last]+d.anticipation {
			return Never
		}
		return d.t.first[u]
	}
	for u, keep := range d.keep {
		if keep {
			order = append(order, u)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cohort(a), cohort(b)) })
	for i, u := range order {
		if g := cohort(u); i == 0 || g != c.first[len(c.first)-1] {
			c.first = append(c.first, g)
			c.from = append(c.from, i)
		}
	}
	c.from = append(c.from, len(order))
	return order
}

// fill lays out the outcomes.
func (c *cohorts) fill(t *table, order []int, weights WeightPeriod) {
	counts := make([]int, len(c.periods))
	rows := 0
	c.eachRow(t, order, func(_, r int) {
		counts[t.period[r]]++
		rows++
	})
	c.rows = make([]crossSection, len(c.periods))
	balanced := rows == len(order)*len(c.periods)
	for p, n := range counts {
		c.rows[p] = crossSection{y: make([]float64, 0, n), from: c.from}
		if !balanced {
			c.rows[p].unit = make([]int, 0, n)
		}
	}
	// Weights of their own make levels count, as in cross-sections.
	changes := balanced && (t.w == nil || weights != OwnPeriodWeights)
	c.eachRow(t, order, func(i, r int) {
		s := &c.rows[t.period[r]]
		base := 0.0
		if changes {
			base = t.y[t.start[order[i]]]
		}
		s.y = append(s.y, t.y[r]-base)
		if !balanced {
			s.unit = append(s.unit, i)
		}
	})
	if balanced {
		return
	}
	for p := range c.rows {
		s := &c.rows[p]
		s.from = make([]int, len(c.from))
		for h, unit := range c.from {
			s.from[h], _ = slices.BinarySearch(s.unit, unit)
		}
	}
}

// eachRow visits the rows of the periods used: i counts the units in order, r
// is a row of t.
func (c *cohorts) eachRow(t *table, order []int, do func(i, r int)) {
	for i, u := range order {
		for r := t.start[u]; r < t.start[u+1] && t.period[r] < len(c.periods); r++ {
			do(i, r)
		}
	}
}

// addWeights lays out the weights, divided by the largest.
func (c *cohorts) addWeights(t *table, order []int) {
	c.mass = make([]float64, len(c.first))
	for h := range c.mass {
		c.mass[h] = float64(c.size(h))
	}
	if t.w == nil {
		return
	}
	var top float64
	c.eachRow(t, order, func(_, r int) { top = max(top, t.w[r]) })
	c.weight = make([]float64, len(order))
	seen := make([]float64, len(order))
	first := make([]float64, len(order))
	c.steadyW = true
	c.eachRow(t, order, func(i, r int) {
		s := &c.rows[t.period[r]]
		w := t.w[r] / top
		s.w = append(s.w, w)
		if seen[i] == 0 {
			first[i] = w
		}
		seen[i]++
		c.weight[i] += w
		c.steadyW = c.steadyW && w == first[i]
	})
	// A unit counts with its weight in the first period or, in a panel with
	// gaps, with the mean of its weights.
	for i := range c.weight {
		c.weight[i] /= seen[i]
		if c.balanced() {
			c.weight[i] = first[i]
		}
	}
	for h := range c.mass {
		c.mass[h] = 0
		for _, w := range c.weight[c.from[h]:c.from[h+1]] {
			c.mass[h] += w
		}
	}
}

// weightOf is how much unit i counts where effects are averaged.
func (c *cohorts) weightOf(i int) float64 {
	if c.weight == nil {
		return 1
	}
	return c.weight[i]
}

// setClusters keeps the clusters of the units in order, numbered anew.
func (c *cohorts) setClusters(cluster, order []int) {
	number := map[int]int{}
	c.cluster = make([]int, len(order))
	for i, u := range order {
		k, ok := number[cluster[u]]
		if !ok {
			k = len(number)
			number[cluster[u]] = k
		}
		c.cluster[i] = k
	}
	c.clusters = len(number)
}

// byCluster adds up an influence function by cluster.
func (c *cohorts) byCluster(influence []float64) []float64 {
	if c.cluster == nil {
		return influence
	}
	sums := make([]float64, c.clusters)
	for i, x := range influence {
		sums[c.cluster[i]] += x
	}
	return sums
}

// independent is how many independent parts the data have.
func (c *cohorts) independent() int {
	if c.cluster == nil {
		return c.units()
	}
	return c.clusters
}
