package did

import "math"

// span is the cohorts [from, to).
type span struct{ from, to int }

// part is what a cell is made of: four groups of rows, treated and comparison,
// each at the cell's time and at its base.
type part struct {
	cohort, at, base int // indices
	// sides are the cohorts of either side. The comparison is to the right of
	// the treated cohort, or around it.
	treated    span
	comparison [2]span
	// n and mean are indexed by side (treated, comparison), then moment
	// (time, base).
	n, mean [2][2]float64
	// influence is that of an adjusted cell, one value a unit of the treated
	// cohort and then of the comparison; nil where n and mean tell it.
	influence []float64
}

func (p *part) spans() [3]span { return [3]span{p.treated, p.comparison[0], p.comparison[1]} }

// addCells fills g.Cells and g.parts.
func (g *GroupTime) addCells() {
	c := g.data
	influence := make([]float64, c.units())
	adjust := newAdjuster(c, g.options)
	for h, first := range c.first {
		if first == Never {
			continue
		}
		base := lastBefore(c.periods, first-g.options.Anticipation)
		for at, period := range c.periods {
			from := base
			if period < first && g.options.Base == Varying {
				if from = at - 1; from < 0 {
					continue
				}
			}
			p := part{cohort: h, at: at, base: from, treated: span{h, h + 1}}
			p.comparison = g.comparison(h, max(c.periods[at], c.periods[from]))
			cell := g.cell(&p, adjust, base)
			if !cell.Reference && cell.Missing == "" {
				g.measure(&cell, p, influence)
			}
			g.Cells = append(g.Cells, cell)
			g.parts = append(g.parts, p)
		}
	}
	if adjust != nil && adjust.lost {
		g.Warnings = append(g.Warnings, "Units that were not seen in the period their weight is taken from were left out of some cells.")
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

// cell finds the two sides of one cell. start is the index of the last period
// before its cohort's treatment.
func (g *GroupTime) cell(p *part, adjust *adjuster, start int) Cell {
	c := g.data
	cell := Cell{Group: c.first[p.cohort], Time: c.periods[p.at]}
	cell.Treated, cell.Comparison = c.count(p.at, p.treated), c.count(p.at, p.comparison[:]...)
	switch {
	case p.at == p.base:
		cell.Reference = true
	case cell.Treated == 0 || c.count(p.base, p.treated) == 0:
		cell.Missing = "no unit of the cohort was seen in this period or in the one it is compared with"
	case cell.Comparison == 0 || c.count(p.base, p.comparison[:]...) == 0:
		cell.Missing = "no comparison unit was seen in this period or in the one it is compared with"
	case adjust != nil:
		cell.TreatedChange, cell.ComparisonChange, cell.Missing = adjust.cell(p, start)
	default:
		for moment, period := range [2]int{p.at, p.base} {
			p.n[0][moment], p.mean[0][moment] = c.mean(period, p.treated)
			p.n[1][moment], p.mean[1][moment] = c.mean(period, p.comparison[:]...)
		}
		cell.TreatedChange = p.mean[0][0] - p.mean[0][1]
		cell.ComparisonChange = p.mean[1][0] - p.mean[1][1]
	}
	return cell
}

// measure gives a cell its estimate; scratch is zeros, one a unit, and is left
// so.
func (g *GroupTime) measure(cell *Cell, p part, scratch []float64) {
	c := g.data
	c.addInfluence(scratch, p, 1)
	var squares float64
	if c.cluster != nil {
		for _, x := range c.byCluster(scratch) {
			squares += x * x
		}
	}
	for _, s := range p.spans() {
		from, to := c.from[s.from], c.from[s.to]
		for i, x := range scratch[from:to] {
			if c.cluster == nil {
				squares += x * x
			}
			scratch[from+i] = 0
		}
	}
	cell.Estimate = g.estimate(cell.TreatedChange-cell.ComparisonChange, math.Sqrt(squares)/float64(c.units()))
}

// comparison is who cohort h is compared with when the later of the two
// periods is latest.
func (g *GroupTime) comparison(h, latest int) [2]span {
	c := g.data
	last := len(c.first)
	if g.options.Control == NeverTreated {
		return [2]span{{last - 1, last}}
	}
	k := 0
	for c.first[k] <= latest+g.options.Anticipation {
		k++
	}
	if k > h {
		return [2]span{{k, last}}
	}
	return [2]span{{k, h}, {h + 1, last}}
}

// count is how many units of some spans were seen in period p.
func (c *cohorts) count(p int, spans ...span) int {
	n := 0
	for _, s := range spans {
		n += c.rows[p].from[s.to] - c.rows[p].from[s.from]
	}
	return n
}

// mean counts and averages the units of some spans in period p.
func (c *cohorts) mean(p int, spans ...span) (n, mean float64) {
	var sum float64
	rows := &c.rows[p]
	for _, s := range spans {
		y := rows.y[rows.from[s.from]:rows.from[s.to]]
		n += float64(len(y))
		for _, v := range y {
			sum += v
		}
	}
	return n, sum / n
}

// addInfluence adds weight times the influence function of the effect made of
// p: how far each unit, by being there, moves the effect, times the number of
// units.
func (c *cohorts) addInfluence(dst []float64, p part, weight float64) {
	n := float64(c.units())
	if p.influence != nil {
		rest := p.influence
		for _, s := range p.spans() {
			out := dst[c.from[s.from]:c.from[s.to]]
			for i := range out {
				out[i] += weight * n * rest[i]
			}
			rest = rest[len(out):]
		}
		return
	}
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
	rows := &c.rows[p]
	from, to := rows.from[s.from], rows.from[s.to]
	y := rows.y[from:to]
	if rows.unit == nil {
		out := dst[from:to:to]
		for i, v := range y {
			out[i] += factor * (v - centre)
		}
		return
	}
	unit := rows.unit[from:to:to]
	for i, v := range y {
		dst[unit[i]] += factor * (v - centre)
	}
}
