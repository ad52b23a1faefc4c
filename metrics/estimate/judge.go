package estimate

import (
	"math"
	"slices"

	"steelyard/metrics"
	"steelyard/metrics/did"
)

// judgements are what the design says of every method.
type judgements struct {
	design  *Design
	choices []did.MethodChoice
	// none is why there are none, and err the same; empty where there are some.
	none string
	err  error
}

// byLot is the method whose very name says that lots decided.
const byLot = "randomized"

// judge reads the design of the data and asks package did. The method is the
// one that was called, or "all".
func judge(d *Data, method string) judgements {
	design, err := designOf(d, method == byLot)
	if err != nil {
		return judgements{none: err.Error(), err: err}
	}
	j := judgements{design: shown(design)}
	if j.choices, err = did.Choose(design); err != nil {
		j.none, j.err = err.Error(), err
	}
	return j
}

// of is what is said of one method.
func (j judgements) of(name string) (did.Role, []string, string, *Design) {
	if j.none != "" {
		return "", []string{j.none}, "", j.design
	}
	role, reasons, headline := did.Role(""), []string{}, ""
	for _, c := range j.choices {
		if c.Role == did.Headline {
			headline = c.Method
		}
		if c.Method == name {
			role, reasons = c.Role, c.Reasons
		}
	}
	return role, reasons, headline, j.design
}

// designOf is the design of the data: of single rows where there are no
// periods, and else of a panel with one row a unit and period.
func designOf(d *Data, lots bool) (did.Design, error) {
	// A column of 0 and 1 under which units stay treated once they are is no
	// lottery of tasks, whatever the method is called.
	if d.tasks() || lots && (d.treated == nil || d.ends != nil) {
		design := did.Design{Randomised: true}
		if d.censored != nil {
			design.Outcome = did.Censored
		}
		return design, nil
	}
	if d.ends != nil {
		return did.Design{}, d.ends
	}
	design, err := did.DesignOf(d.cellMeans())
	if err != nil {
		return design, err
	}
	if d.cluster != nil {
		design.TreatedClusters, design.ComparisonClusters = d.clustersOfSides()
	}
	switch {
	case d.censored != nil:
		design.Outcome = did.Censored
	case d.outcome.scale == metrics.ScaleCount || d.exposure != nil:
		design.Outcome = did.Counted
		design.Events = d.fewestEvents()
	}
	return design, nil
}

// clustersOfSides counts the clusters among the units that start inside the
// panel and among those that never do.
func (d *Data) clustersOfSides() (treated, comparison int) {
	periods := d.periods()
	sides := [2]map[int]bool{{}, {}}
	for i, c := range d.cluster {
		switch first := d.panel.First[d.panel.Unit[i]]; {
		case first > periods[len(periods)-1]:
			sides[1][c] = true
		case first > periods[0]:
			sides[0][c] = true
		}
	}
	return len(sides[0]), len(sides[1])
}

// cellMeans is the panel with the mean of the rows of each unit and period.
func (d *Data) cellMeans() did.Panel {
	if d.checkCells() == nil {
		return did.Panel{Unit: d.panel.Unit, Time: d.panel.Time, Y: d.panel.Y, First: d.panel.First}
	}
	type cell struct{ unit, time int }
	at := map[cell]int{}
	p := did.Panel{First: d.panel.First}
	var n []float64
	for i, u := range d.panel.Unit {
		c := cell{u, d.panel.Time[i]}
		k, ok := at[c]
		if !ok {
			k = len(p.Y)
			at[c] = k
			p.Unit, p.Time, p.Y, n = append(p.Unit, u), append(p.Time, c.time), append(p.Y, 0), append(n, 0)
		}
		p.Y[k] += d.panel.Y[i]
		n[k]++
	}
	for k := range p.Y {
		p.Y[k] /= n[k]
	}
	return p
}

// fewestEvents is the smallest sum of events: of treated and comparison, before
// and after; where starts differ, of the treated before and after theirs and the
// comparison.
func (d *Data) fewestEvents() int {
	if start, err := d.oneStart(); err == nil {
		c, err := d.countCells(start)
		if err != nil {
			return 0
		}
		return int(slices.Min(c.events[:]))
	}
	periods := d.periods()
	var before, after, never float64
	compared := false
	for i, y := range d.panel.Y {
		switch first := d.panel.First[d.panel.Unit[i]]; {
		case first > periods[len(periods)-1]:
			never += y
			compared = true
		case first <= periods[0]:
		case d.panel.Time[i] < first:
			before += y
		default:
			after += y
		}
	}
	fewest := min(before, after)
	if compared {
		fewest = min(fewest, never)
	}
	return int(min(max(fewest, 0), math.MaxInt32))
}

func shown(d did.Design) *Design {
	kind := map[did.OutcomeKind]string{did.Measured: "measured", did.Counted: "counted", did.Censored: "censored"}
	out := &Design{
		Outcome: kind[d.Outcome], Randomised: d.Randomised, Treated: d.Treated, Comparison: d.Comparison,
		Starts: d.Starts, Before: d.Before, After: d.After, Balanced: d.Balanced,
	}
	if d.SpreadRatio > 0 {
		out.SpreadRatio = number(d.SpreadRatio)
	}
	return out
}
