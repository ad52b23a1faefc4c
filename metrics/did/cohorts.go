package did

import (
	"cmp"
	"slices"
)

// maxSparse bounds how many unit-periods a panel may span for each row it has:
// the group-time estimator keeps the whole rectangle in memory.
const maxSparse = 64

// maxCells bounds how many group-time cells are estimated.
const maxCells = 200_000

// cohorts is a panel as the group-time estimator reads it: a rectangle of
// periods by units, units sorted by first treated period, so that a cohort is
// one range of units and "not treated yet" is everything to its right.
type cohorts struct {
	periods []int
	first   []int // distinct first treated periods, ascending, Never last
	from    []int // len(first)+1 offsets of units
	// y[p][u] is unit u in period p, 0 where it was not seen. In a balanced
	// panel it is the change since the first period: unit effects are gone
	// before anything is added up.
	y [][]float64
	// seen[p][u] is 1 where unit u has a row in period p, else 0; nil where
	// the panel is balanced.
	seen  [][]float64
	scale float64
}

func (c *cohorts) units() int { return c.from[len(c.first)] }

func (c *cohorts) size(h int) int { return c.from[h+1] - c.from[h] }

// newCohorts leaves out what the design cannot use and lays out the rest.
func newCohorts(t *table, control Control) (*cohorts, []Drop, []string, error) {
	var drops []Drop
	var warnings []string
	keep := make([]bool, t.units())
	early := Drop{Reason: "the unit is treated in or before the first period, so it has no period before treatment"}
	never, treated, latest := 0, 0, 0
	for u, g := range t.first {
		switch {
		case g <= t.periods[0]:
			early.Units++
			early.Rows += t.size(u)
			early.TreatedRows += t.treatedRows(u)
			continue
		case t.treated(g):
			treated++
			latest = max(latest, g)
		default:
			never++
		}
		keep[u] = true
	}
	if early.Units > 0 {
		drops = append(drops, early)
	}
	if treated == 0 {
		return nil, nil, nil, refuse(ErrNoTreated, "no unit is first treated after the first period (%d) and by the last (%d)", t.periods[0], t.lastPeriod())
	}
	until := len(t.periods)
	if never == 0 {
		if control == NeverTreated {
			return nil, nil, nil, refuse(ErrNoComparison, "every unit is treated in the end: compare with units not treated yet")
		}
		// As in R's did: without a never-treated unit the last cohort is the
		// comparison, and periods in which it is treated are not used.
		until, _ = slices.BinarySearch(t.periods, latest)
		if d := cutPeriods(t, keep, until); d.Rows > 0 {
			drops = append(drops, d)
		}
		warnings = append(warnings, "No unit is never treated: the last cohort serves as the comparison until it starts.")
		if until < 2 {
			return nil, nil, nil, refuse(ErrTooFewPeriods, "every unit is treated by period %d: fewer than 2 periods have a comparison", latest)
		}
	}
	c := layOut(t, keep, until)
	if c.units() == 0 || len(c.first) < 2 {
		return nil, nil, nil, refuse(ErrNoComparison, "all units start in the same period %d: nobody is left to compare with", latest)
	}
	if c.first[len(c.first)-1] != Never {
		return nil, nil, nil, refuse(ErrNoComparison, "no unit that is still untreated at the end was seen before period %d", latest)
	}
	if c.y == nil {
		return nil, nil, nil, refuse(ErrShape, "%d units over %d periods hold only %d rows: too sparse to compare", c.units(), until, t.rows())
	}
	if cells := len(c.first) * until; cells > maxCells {
		return nil, nil, nil, refuse(ErrShape, "%d cohorts over %d periods make %d cells, over %d: count in longer periods", len(c.first), until, cells, maxCells)
	}
	return c, drops, warnings, nil
}

// cutPeriods counts the rows of kept units from period index until on, and
// stops keeping units that have no row before.
func cutPeriods(t *table, keep []bool, until int) Drop {
	d := Drop{Reason: "every unit is treated by then, so nobody is left to compare with"}
	for u := range t.first {
		if !keep[u] {
			continue
		}
		before := 0
		for i := t.start[u]; i < t.start[u+1] && t.period[i] < until; i++ {
			before++
		}
		d.Rows += t.size(u) - before
		if before == 0 {
			d.Units++
			keep[u] = false
		}
	}
	return d
}

// layOut sorts the kept units by cohort and fills the rectangle; y stays nil
// where it would be far larger than the rows.
func layOut(t *table, keep []bool, until int) *cohorts {
	c := &cohorts{periods: t.periods[:until], scale: t.scale}
	start := make([]int, 0, t.units()) // units by cohort
	cohort := func(u int) int {
		if t.first[u] > c.periods[until-1] {
			return Never
		}
		return t.first[u]
	}
	rows := 0
	for u := range t.first {
		if !keep[u] {
			continue
		}
		start = append(start, u)
		for i := t.start[u]; i < t.start[u+1] && t.period[i] < until; i++ {
			rows++
		}
	}
	slices.SortStableFunc(start, func(a, b int) int { return cmp.Compare(cohort(a), cohort(b)) })
	for i, u := range start {
		if g := cohort(u); i == 0 || g != c.first[len(c.first)-1] {
			c.first = append(c.first, g)
			c.from = append(c.from, i)
		}
	}
	c.from = append(c.from, len(start))
	if len(start)*until/maxSparse > rows {
		return c
	}
	c.fill(t, start, rows)
	return c
}

func (c *cohorts) fill(t *table, order []int, rows int) {
	n, periods := len(order), len(c.periods)
	balanced := rows == n*periods
	c.y = rectangle(periods, n)
	if !balanced {
		c.seen = rectangle(periods, n)
	}
	for i, u := range order {
		base := 0.0
		if balanced {
			base = t.y[t.start[u]]
		}
		for r := t.start[u]; r < t.start[u+1] && t.period[r] < periods; r++ {
			c.y[t.period[r]][i] = t.y[r] - base
			if !balanced {
				c.seen[t.period[r]][i] = 1
			}
		}
	}
}

func rectangle(rows, columns int) [][]float64 {
	cells := make([]float64, rows*columns)
	out := make([][]float64, rows)
	for i := range out {
		out[i] = cells[i*columns : (i+1)*columns : (i+1)*columns]
	}
	return out
}

// count is how many of the units [from, to) were seen in period p.
func (c *cohorts) count(p, from, to int) float64 {
	if c.seen == nil {
		return float64(to - from)
	}
	var sum float64
	for _, s := range c.seen[p][from:to] {
		sum += s
	}
	return sum
}

// sum adds up the units [from, to) in period p.
func (c *cohorts) sum(p, from, to int) float64 {
	var sum float64
	for _, y := range c.y[p][from:to] {
		sum += y
	}
	return sum
}
