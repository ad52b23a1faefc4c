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
	if lots || d.tasks() {
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
	if !design.Balanced {
		design.Before, design.After = d.around()
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

// around is the fewest periods of the panel that lie before a start inside it,
// and from one on. Single units may have been seen in fewer.
func (d *Data) around() (before, after int) {
	periods := d.periods()
	for u, has := range d.withRows() {
		g := d.panel.First[u]
		if !has || g <= periods[0] || g > periods[len(periods)-1] {
			continue
		}
		k, _ := slices.BinarySearch(periods, g)
		if before == 0 || k < before {
			before = k
		}
		if rest := len(periods) - k; after == 0 || rest < after {
			after = rest
		}
	}
	return before, after
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

// fewestEvents is the smallest of the four sums of events: treated and
// comparison, before and after.
func (d *Data) fewestEvents() int {
	start, err := d.oneStart()
	if err != nil {
		return 0
	}
	c, err := d.countCells(start)
	if err != nil {
		return 0
	}
	return int(math.Min(math.Min(c.events[0], c.events[1]), math.Min(c.events[2], c.events[3])))
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
