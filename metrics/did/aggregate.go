package did

import "slices"

// Simple is the mean of all cells from treatment on, weighted by the size of
// their cohorts.
func (g *GroupTime) Simple() (Aggregate, error) {
	keep := g.choose(func(c Cell) bool { return c.Time >= c.Group })
	if len(keep) == 0 {
		return Aggregate{}, refuse(ErrNotIdentified, "no cell from treatment on has an estimate")
	}
	influence, _ := g.average(keep)
	var a Aggregate
	a.TreatedChange, a.ComparisonChange = g.changes(keep)
	a.Estimate = g.finish(effects{}, a.TreatedChange-a.ComparisonChange, influence).overall
	return a, nil
}

// Dynamic is the effect by time since treatment, for minEvent ≤ event ≤
// maxEvent, cohorts weighted by size. Overall is the mean of the points from
// event 0 on. With draws in the options, bands hold for all points at once:
// their critical value is the quantile of the largest studentised value of a
// multiplier bootstrap of the influence functions with Rademacher weights.
func (g *GroupTime) Dynamic(minEvent, maxEvent int) (Dynamic, error) {
	return g.dynamic(minEvent, maxEvent, func(Cell) bool { return true })
}

// DynamicBalanced is [GroupTime.Dynamic] over the cohorts that are seen for at
// least exposure periods after their start, up to that event: the same cohorts
// stand behind every point from the start on.
func (g *GroupTime) DynamicBalanced(minEvent, maxEvent, exposure int) (Dynamic, error) {
	if exposure < 0 {
		return Dynamic{}, refuse(ErrOption, "exposure of %d periods: give 0 or more", exposure)
	}
	first, last := g.data.periods[0], g.data.periods[len(g.data.periods)-1]
	from := max(minEvent, exposure-last+first)
	return g.dynamic(from, min(maxEvent, exposure), func(c Cell) bool { return last-c.Group >= exposure })
}

func (g *GroupTime) dynamic(minEvent, maxEvent int, want func(Cell) bool) (Dynamic, error) {
	var d Dynamic
	var e effects
	overall := make([]float64, g.Units)
	var sum, count float64
	events, cells := g.groupBy(func(c Cell) (int, bool) {
		event := c.Time - c.Group
		return event, event >= minEvent && event <= maxEvent && want(c)
	})
	for _, event := range events {
		keep := cells[event]
		point := EventEstimate{Event: event}
		if len(keep) == 0 {
			point.Missing = "no cell this long after the start has an estimate"
			d.Points = append(d.Points, point)
			e.add(0, nil)
			continue
		}
		influence, value := g.average(keep)
		e.add(value, influence)
		point.Reference = true
		for _, k := range keep {
			point.Units += g.data.size(g.parts[k].cohort)
			point.Reference = point.Reference && g.Cells[k].Reference
		}
		d.Points = append(d.Points, point)
		if event >= 0 {
			addTo(overall, influence)
			sum += value
			count++
		}
	}
	if count == 0 {
		return Dynamic{}, refuse(ErrNotIdentified, "no effect from the start on lies between events %d and %d", minEvent, maxEvent)
	}
	scaleBy(overall, 1/count)
	r := g.finish(e, sum/count, overall)
	d.Overall, d.BandCritical = r.overall, r.critical
	for i := range d.Points {
		d.Points[i].Estimate = r.points[i]
		d.Points[i].BandLow, d.Points[i].BandHigh = r.band(i)
	}
	return d, nil
}

// Group is the mean effect of each cohort over its periods from treatment on,
// and the mean of cohorts weighted by size. Bands are as in
// [GroupTime.Dynamic].
func (g *GroupTime) Group() (Grouped, error) {
	var out Grouped
	var e effects
	var points []weighted
	cohorts, cells := g.groupBy(func(c Cell) (int, bool) { return c.Group, c.Time >= c.Group })
	for _, first := range cohorts {
		keep := cells[first]
		if len(keep) == 0 {
			continue
		}
		h := g.parts[keep[0]].cohort
		influence := make([]float64, g.Units)
		var value float64
		for _, k := range keep {
			value += g.Cells[k].Estimate.Value / float64(len(keep))
			g.addCell(influence, k, 1/float64(len(keep)))
		}
		e.add(value, influence)
		out.Points = append(out.Points, GroupEffect{Label: first, Units: g.data.size(h)})
		points = append(points, weighted{cohort: h, value: value, influence: influence})
	}
	if len(points) == 0 {
		return Grouped{}, refuse(ErrNotIdentified, "no cohort has an estimate from treatment on")
	}
	influence, value := g.weigh(points)
	out.complete(g.finish(e, value, influence))
	return out, nil
}

// Calendar is the mean effect in each period over the cohorts treated by then,
// weighted by size, and the plain mean of periods. Bands are as in
// [GroupTime.Dynamic].
func (g *GroupTime) Calendar() (Grouped, error) {
	var out Grouped
	var e effects
	overall := make([]float64, g.Units)
	var sum float64
	periods, cells := g.groupBy(func(c Cell) (int, bool) { return c.Time, c.Time >= c.Group })
	for _, period := range periods {
		keep := cells[period]
		if len(keep) == 0 {
			continue
		}
		influence, value := g.average(keep)
		units := 0
		for _, k := range keep {
			units += g.data.size(g.parts[k].cohort)
		}
		e.add(value, influence)
		out.Points = append(out.Points, GroupEffect{Label: period, Units: units})
		sum += value
		addTo(overall, influence)
	}
	if len(out.Points) == 0 {
		return Grouped{}, refuse(ErrNotIdentified, "no period has an estimate")
	}
	n := float64(len(out.Points))
	scaleBy(overall, 1/n)
	out.complete(g.finish(e, sum/n, overall))
	return out, nil
}

// complete fills in estimates and bands.
func (r *Grouped) complete(f finished) {
	r.Overall, r.BandCritical = f.overall, f.critical
	for i := range r.Points {
		r.Points[i].Estimate = f.points[i]
		r.Points[i].BandLow, r.Points[i].BandHigh = f.band(i)
	}
}

// choose returns the cells with an estimate for which want holds.
func (g *GroupTime) choose(want func(Cell) bool) []int {
	var keep []int
	for k, c := range g.Cells {
		if c.Missing == "" && want(c) {
			keep = append(keep, k)
		}
	}
	return keep
}

// groupBy sorts the cells that label accepts by their label. A label stands
// there even where none of its cells has an estimate.
func (g *GroupTime) groupBy(label func(Cell) (int, bool)) (labels []int, cells map[int][]int) {
	cells = map[int][]int{}
	for k, c := range g.Cells {
		name, ok := label(c)
		if !ok {
			continue
		}
		if _, seen := cells[name]; !seen {
			cells[name] = nil
			labels = append(labels, name)
		}
		if c.Missing == "" {
			cells[name] = append(cells[name], k)
		}
	}
	slices.Sort(labels)
	return labels, cells
}

// weighted is an effect on a cohort, to be averaged by the cohort's size.
type weighted struct {
	cohort    int
	value     float64
	influence []float64
}

// average is the mean of some cells, weighted by the size of their cohorts,
// with its influence function.
func (g *GroupTime) average(keep []int) (influence []float64, value float64) {
	points := make([]weighted, len(keep))
	for i, k := range keep {
		points[i] = weighted{cohort: g.parts[k].cohort, value: g.Cells[k].Estimate.Value}
	}
	influence, value = g.weigh(points)
	total := g.total(points)
	for _, k := range keep {
		g.addCell(influence, k, g.data.mass[g.parts[k].cohort]/total)
	}
	return influence, value
}

func (g *GroupTime) total(points []weighted) float64 {
	var n float64
	for _, p := range points {
		n += g.data.mass[p.cohort]
	}
	return n
}

// weigh averages points by cohort size. The influence function has a part for
// the sizes, which are estimates too: a unit of cohort h moves the mean by the
// sum of (value − mean) over the points of its cohort, divided by the sum of
// cohort shares.
func (g *GroupTime) weigh(points []weighted) (influence []float64, value float64) {
	total := g.total(points)
	for _, p := range points {
		value += p.value * g.data.mass[p.cohort] / total
	}
	influence = make([]float64, g.Units)
	share := total / float64(g.Units)
	for _, p := range points {
		size := g.data.mass[p.cohort]
		for i := range p.influence {
			influence[i] += p.influence[i] * size / total
		}
		for u := g.data.from[p.cohort]; u < g.data.from[p.cohort+1]; u++ {
			influence[u] += g.data.weightOf(u) * (p.value - value) / share
		}
	}
	return influence, value
}

// changes are the two sides of the mean of some cells.
func (g *GroupTime) changes(keep []int) (treated, comparison float64) {
	var total float64
	for _, k := range keep {
		size := g.data.mass[g.parts[k].cohort]
		total += size
		treated += size * g.Cells[k].TreatedChange
		comparison += size * g.Cells[k].ComparisonChange
	}
	return treated / total, comparison / total
}

func (g *GroupTime) addCell(influence []float64, k int, weight float64) {
	if !g.Cells[k].Reference {
		g.data.addInfluence(influence, g.parts[k], weight)
	}
}

func addTo(dst, x []float64) {
	for i, v := range x {
		dst[i] += v
	}
}

func scaleBy(x []float64, factor float64) {
	for i := range x {
		x[i] *= factor
	}
}
