package metrics

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Bounds of a panel's grid: a panel whose periods lie absurdly far apart is
// refused instead of being laid out.
const (
	maxPeriods = 20_000
	maxCells   = 10_000_000
)

// framePanel lays a panel out: the frame, and each of the pilot's outcomes on
// it.
func framePanel(p Pilot, panel *Panel) (*frame, []*outcomeData, error) {
	if panel == nil || len(panel.Period) == 0 {
		return nil, nil, fmt.Errorf("lay out panel of %q: it has no rows; import it again", p.ID)
	}
	first, last := slices.Min(panel.Period), slices.Max(panel.Period)
	g := grid{kind: panel.Kind, step: panel.Step(), first: first}
	g.n = (last-first)/g.step + 1
	if g.n > maxPeriods || g.n*len(panel.Units) > maxCells {
		return nil, nil, fmt.Errorf("lay out panel of %q: %d units over the %d periods from %s to %s are too many; the most is %d periods and %d cells",
			p.ID, len(panel.Units), g.n, g.label(0), g.kind.Label(last), maxPeriods, maxCells)
	}
	if !g.dated() && (p.Before != Window{} || p.After != Window{} || len(p.LeftOut) > 0) {
		return nil, nil, fmt.Errorf("lay out panel of %q: its periods are plain numbers, so windows and spans given as dates cannot be found in it; leave them out of the definition", p.ID)
	}
	seen := make([]bool, g.n)
	for _, t := range panel.Period {
		seen[g.index(t)] = true
	}
	f := newFrame(p, g, panelUnits(p, g, panel.Units))
	dropUnseen(f, seen)
	named := make(map[string]bool, len(panel.Units))
	for _, u := range panel.Units {
		named[u.Name] = true
	}
	f.nameAbsent(func(name string) bool { return named[name] }, absence{"row of that name", misnamed})
	f.leftOut = append(f.leftOut, panel.Import.LeftOut...)
	f.leaveAbsentRows(panel)
	place := make(map[string]int, len(f.units))
	for i, u := range f.units {
		place[u.name] = i
	}
	rows := make([]int, len(panel.Units))
	for i, u := range panel.Units {
		rows[i] = place[u.Name]
	}
	outcomes := make([]*outcomeData, len(p.Outcomes))
	for k, o := range p.Outcomes {
		col := slices.Index(panel.Outcomes, o.ID)
		if col < 0 {
			return nil, nil, fmt.Errorf("lay out panel of %q: it has no column %q; import it again with that outcome", p.ID, o.ID)
		}
		outcomes[k] = panelOutcome(f, o, panel, rows, panel.Values[col])
	}
	return f, outcomes, nil
}

// leaveAbsentRows counts the units' periods for which the panel has no row.
func (f *frame) leaveAbsentRows(panel *Panel) {
	used := make(map[string]bool, len(f.treated)+len(f.comparison))
	for _, u := range slices.Concat(f.treated, f.comparison) {
		used[f.units[u].name] = true
	}
	kept := make(map[int]bool, len(f.kept))
	for _, t := range f.kept {
		kept[t] = true
	}
	rows := 0
	for i, t := range panel.Period {
		if used[panel.Units[panel.Unit[i]].Name] && kept[f.index(t)] {
			rows++
		}
	}
	n := len(used)*len(kept) - rows
	f.leave(n, plural(n, f.pilot.UnitNoun+"-"+f.pilot.PeriodNoun), "the data has no row for "+itThem(n))
}

func itThem(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// panelUnits gives every unit its first treated index: the definition's, where
// it names the unit, else the data's.
func panelUnits(p Pilot, g grid, units []PanelUnit) []frameUnit {
	starts := make(map[string]int, len(p.Treated))
	if g.dated() {
		for _, a := range p.Treated {
			starts[a.Unit] = g.at(a.Start)
		}
	}
	out := make([]frameUnit, len(units))
	for i, u := range units {
		out[i] = frameUnit{name: u.Name, first: Never}
		if u.FirstTreated != Never {
			out[i].first = g.index(u.FirstTreated)
		}
		if s, ok := starts[u.Name]; ok {
			out[i].first = s
		}
	}
	return out
}

// dropUnseen takes periods for which no unit has a row out of the windows, so
// that neighbouring periods are the neighbours that were seen.
func dropUnseen(f *frame, seen []bool) {
	gone := func(t int) bool { return !seen[t] }
	for t := range f.n {
		if gone(t) && f.out[t] == "" {
			f.out[t] = "no data"
		}
	}
	f.before = slices.DeleteFunc(f.before, gone)
	f.after = slices.DeleteFunc(f.after, gone)
	f.kept = slices.DeleteFunc(f.kept, gone)
}

// panelOutcome spreads one column over the frame and counts what it cannot
// use.
func panelOutcome(f *frame, o Outcome, panel *Panel, rows []int, column []float64) *outcomeData {
	if o.Title == "" {
		o.Title = o.ID
	}
	d := &outcomeData{outcome: o, measure: panelMeasure(o, panel)}
	used := make(map[int]bool, len(f.treated)+len(f.comparison))
	for _, u := range slices.Concat(f.treated, f.comparison) {
		used[u] = true
	}
	values := blank(len(f.units), f.n)
	var missing, outside, excluded int
	for i, x := range column {
		u, t := rows[panel.Unit[i]], f.index(panel.Period[i])
		if !used[u] {
			continue
		}
		switch {
		case f.out[t] != "":
			excluded++
		case !finite(x):
			missing++
			x = math.NaN()
		case !inDomain(o.Scale, x):
			outside++
			x = math.NaN()
		default:
			d.sample.Observations++
		}
		if finite(x) && inDomain(o.Scale, x) {
			values[u][t] = x
		}
	}
	leave := func(n int, reason string) {
		if n > 0 {
			d.sample.LeftOut = append(d.sample.LeftOut, LeftOut{Count: n, What: plural(n, "row"), Reason: reason})
		}
	}
	leave(missing, "the value is missing")
	leave(outside, domainReason(o.Scale))
	if outside > 0 {
		d.dropped = fmt.Sprintf(": %s left out because %s", counted(outside, "row"), domainReason(o.Scale))
	}
	leave(excluded, "the "+f.pilot.PeriodNoun+" is in neither window")
	vs := &valueSeries{scale: o.Scale, values: values}
	d.series = vs
	switch o.Scale {
	case ScaleLog, ScaleLog1p, ScaleLogged:
		d.geometric, d.logPoints = true, true
		d.plusOne = o.Scale == ScaleLog1p
	case ScaleCount:
		d.counts = &countSeries{events: values}
		if panel.Exposure != nil {
			d.exposed = exposureNoun(panel.Import.Exposure)
			d.counts.exposure = blank(len(f.units), f.n)
			beyond := 0
			for i, e := range panel.Exposure {
				switch {
				case e == 0 || e >= LeastExposure && e <= LargestExposure:
					d.counts.exposure[rows[panel.Unit[i]]][f.index(panel.Period[i])] = e
				case finite(e) && used[rows[panel.Unit[i]]]:
					beyond++
				}
			}
			if beyond > 0 {
				d.dropped += fmt.Sprintf(": %s left out because the exposure lies outside %g to %g", counted(beyond, "row"), LeastExposure, LargestExposure)
			}
			leave(beyond, fmt.Sprintf("the exposure lies outside %g to %g", LeastExposure, LargestExposure))
		}
		d.series = d.counts.rates()
	case ScaleLevel: // values are taken as they are
	}
	return d
}

// exposureNoun is what counts are counted over, by the name of its column.
func exposureNoun(column string) string {
	if column == "" {
		return "units of exposure"
	}
	return clean(strings.ReplaceAll(column, "_", " "))
}

func panelMeasure(o Outcome, panel *Panel) string {
	switch o.Scale {
	case ScaleCount:
		if panel.Exposure != nil {
			return "count, over " + exposureNoun(panel.Import.Exposure)
		}
		return "count"
	case ScaleLog, ScaleLogged:
		return join(", ", o.Unit, "geometric mean")
	case ScaleLog1p:
		return join(", ", o.Unit, "geometric mean of 1 + x")
	default:
		return join(", ", o.Unit, "mean")
	}
}

// Bounds of what is computed with. Values beyond them have no place in a mean
// of squares, or of exponentials, or in a ratio of rates: they would end in an
// infinity. An import refuses them; the report leaves them out and says so.
const (
	// LargestValue bounds the size of any outcome.
	LargestValue = 1e100
	// LargestLogarithm bounds the size of an outcome that is a logarithm.
	LargestLogarithm = 200
	// LargestCount bounds a count.
	LargestCount = 1e9
	// LeastExposure and LargestExposure bound what counts are counted over.
	LeastExposure   = 1e-9
	LargestExposure = 1e15
)

func inDomain(s Scale, x float64) bool {
	if math.Abs(x) > LargestValue {
		return false
	}
	switch s {
	case ScaleLog:
		return x > 0
	case ScaleLog1p:
		return x >= 0
	case ScaleLogged:
		return math.Abs(x) <= LargestLogarithm
	case ScaleCount:
		return x >= 0 && x == math.Trunc(x) && x <= LargestCount
	default:
		return true
	}
}

func domainReason(s Scale) string {
	switch s {
	case ScaleLog:
		return "the value is not positive, so it has no logarithm, or too large"
	case ScaleLog1p:
		return "the value is negative, which this scale does not allow, or too large"
	case ScaleCount:
		return fmt.Sprintf("the value is not a whole number of events from 0 to %s", FormatCount(LargestCount))
	default:
		return "the value is too large to be computed with"
	}
}

// blank is a table of missing values, in one allocation.
func blank(units, periods int) [][]float64 {
	all := make([]float64, units*periods)
	for i := range all {
		all[i] = math.NaN()
	}
	out := make([][]float64, units)
	for u := range out {
		out[u] = all[u*periods : (u+1)*periods : (u+1)*periods]
	}
	return out
}

// join joins the parts that are not empty.
func join(sep string, parts ...string) string {
	out := ""
	for _, p := range parts {
		if p == "" {
			continue
		}
		if out != "" {
			out += sep
		}
		out += p
	}
	return out
}
