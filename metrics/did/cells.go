package did

import "math"

// span is the units [from, to).
type span struct{ from, to int }

// part is what a cell is made of: the means of four groups of rows, treated
// and comparison, each at the cell's time and at its base.
type part struct {
	cohort, at, base int // indices
	treated          span
	// comparison is to the right of the treated cohort, or around it.
	comparison [2]span
	// n and mean are indexed by side (treated, comparison), then moment
	// (time, base).
	n, mean [2][2]float64
}

// addCells fills g.Cells and g.parts.
func (g *GroupTime) addCells() {
	c := g.data
	influence := make([]float64, c.units())
	for h, first := range c.first {
		if first == Never {
			continue
		}
		base := lastBefore(c.periods, first)
		for at, period := range c.periods {
			from := base
			if period < first && g.options.Base == Varying {
				if from = at - 1; from < 0 {
					continue
				}
			}
			cell, p := g.cell(h, at, from, influence)
			g.Cells = append(g.Cells, cell)
			g.parts = append(g.parts, p)
		}
	}
}

// lastBefore is the index of the last period before first.
func lastBefore(periods []int, first int) int {
	at := 0
	for i, p := range periods {
		if p < first {
			at = i
		}
	}
	return at
}

// cell estimates one cell; scratch is zeros, one a unit, and is left so.
func (g *GroupTime) cell(h, at, base int, scratch []float64) (Cell, part) {
	c := g.data
	p := part{cohort: h, at: at, base: base, treated: span{c.from[h], c.from[h+1]}}
	p.comparison = g.comparison(h, max(c.periods[at], c.periods[base]))
	cell := Cell{Group: c.first[h], Time: c.periods[at]}
	for moment, period := range [2]int{at, base} {
		p.n[0][moment], p.mean[0][moment] = c.mean(period, p.treated)
		p.n[1][moment], p.mean[1][moment] = c.mean(period, p.comparison[:]...)
	}
	cell.Treated, cell.Comparison = int(p.n[0][0]), int(p.n[1][0])
	switch {
	case at == base:
		cell.Reference = true
		return cell, p
	case p.n[0][0] == 0 || p.n[0][1] == 0:
		cell.Missing = "no unit of the cohort was seen in this period or in the one it is compared with"
		return cell, p
	case p.n[1][0] == 0 || p.n[1][1] == 0:
		cell.Missing = "no comparison unit was seen in this period or in the one it is compared with"
		return cell, p
	}
	cell.TreatedChange = p.mean[0][0] - p.mean[0][1]
	cell.ComparisonChange = p.mean[1][0] - p.mean[1][1]
	c.addInfluence(scratch, p, 1)
	var squares float64
	for _, s := range append(p.comparison[:], p.treated) {
		for i, x := range scratch[s.from:s.to] {
			squares += x * x
			scratch[s.from+i] = 0
		}
	}
	se := math.Sqrt(squares) / float64(c.units())
	cell.Estimate = newEstimate(cell.TreatedChange-cell.ComparisonChange, se, 0, g.options.Level, c.scale)
	return cell, p
}

// comparison is who cohort h is compared with when the later of the two
// periods is latest.
func (g *GroupTime) comparison(h, latest int) [2]span {
	c := g.data
	last := len(c.first) - 1
	if g.options.Control == NeverTreated {
		return [2]span{{c.from[last], c.from[last+1]}}
	}
	k := 0
	for c.first[k] <= latest {
		k++
	}
	if k > h {
		return [2]span{{c.from[k], c.units()}}
	}
	return [2]span{{c.from[k], c.from[h]}, {c.from[h+1], c.units()}}
}

// mean counts and averages the units of some spans in period p.
func (c *cohorts) mean(p int, spans ...span) (n, mean float64) {
	var sum float64
	for _, s := range spans {
		n += c.count(p, s.from, s.to)
		sum += c.sum(p, s.from, s.to)
	}
	if n == 0 {
		return 0, 0
	}
	return n, sum / n
}

// addInfluence adds weight times the influence function of the effect made of
// p: how far each unit, by being there, moves the effect, times the number of
// units.
func (c *cohorts) addInfluence(dst []float64, p part, weight float64) {
	n := float64(c.units())
	for moment, period := range [2]int{p.at, p.base} {
		sign := weight * n
		if moment == 1 {
			sign = -sign
		}
		c.addDeviations(dst, period, p.treated, sign/p.n[0][moment], p.mean[0][moment])
		for _, s := range p.comparison {
			c.addDeviations(dst, period, s, -sign/p.n[1][moment], p.mean[1][moment])
		}
	}
}

// addDeviations adds factor·(y − centre) of the rows of s in period p.
func (c *cohorts) addDeviations(dst []float64, p int, s span, factor, centre float64) {
	y := c.y[p][s.from:s.to]
	out := dst[s.from:s.to:s.to]
	if c.seen == nil {
		for i, v := range y {
			out[i] += factor * (v - centre)
		}
		return
	}
	seen := c.seen[p][s.from:s.to]
	for i, v := range y {
		out[i] += factor * (v - centre) * seen[i]
	}
}
