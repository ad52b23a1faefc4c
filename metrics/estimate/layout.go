package estimate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"steelyard/metrics"
	"steelyard/metrics/did"
	"steelyard/metrics/ingest"
)

// finish puts units and periods in order once the file was read.
func (p *reader) finish() (*Data, error) {
	d := p.d
	for _, name := range slices.Sorted(slices.Values(d.columns.Only)) {
		if _, ok := p.unitNumber[name]; !ok {
			return nil, p.t.NoUnit(name, "with --only", slices.Sorted(slices.Values(d.units)))
		}
	}
	p.noteLeftOut()
	if d.looksCounted() {
		d.notes = append(d.notes, fmt.Sprintf("%s holds whole numbers, 0 among them: where it counts events, say so (--outcome %s:count), and they are compared as ratios of rates", d.outcome.name, d.outcome.name))
	}
	if d.rows() == 0 {
		return nil, refuse(ErrNoRows, "name other columns, or fill the values in",
			"%s: no row is left: %s", d.file, strings.Join(d.notes, "; "))
	}
	if err := p.spreadFactors(); err != nil {
		return nil, err
	}
	d.sortClusters()
	if p.stillRunning != "" && !slices.Contains(d.censored, true) {
		d.notes = append(d.notes, fmt.Sprintf("no row has %s: every duration counts as ended", d.columns.Censored))
	}
	if d.tasks() {
		d.sortRows()
		return d, nil
	}
	if err := p.findStarts(); err != nil {
		return nil, err
	}
	p.sortUnits()
	p.countPeriods()
	if d.checkCells() != nil {
		d.sortRows()
	}
	return d, nil
}

// looksCounted reports whether the outcome, whose scale nobody gave, could be
// counts of events: whole numbers from 0 to more than 1.
func (d *Data) looksCounted() bool {
	if d.outcome.scaled || d.rows() == 0 {
		return false
	}
	none, several := false, false
	for _, y := range d.panel.Y {
		if y < 0 || y != math.Trunc(y) {
			return false
		}
		none, several = none || y == 0, several || y > 1
	}
	return none && several
}

// noteLeftOut says which rows are not used, and why.
func (p *reader) noteLeftOut() {
	for _, l := range p.t.LeftOut() {
		p.d.notes = append(p.d.notes, fmt.Sprintf("left out %s: %s", counted(l.Count, "row"), l.Reason))
	}
	if p.others > 0 {
		p.d.notes = append(p.d.notes, fmt.Sprintf("left out %s: their unit is not one of those to keep", counted(p.others, "row")))
	}
	if p.early > 0 {
		p.d.notes = append(p.d.notes, fmt.Sprintf("left out %s: before %s", counted(p.early, "row"), p.d.columns.From))
	}
	if p.late > 0 {
		p.d.notes = append(p.d.notes, fmt.Sprintf("left out %s: after %s", counted(p.late, "row"), p.d.columns.To))
	}
	columns := slices.SortedFunc(maps.Keys(p.missing), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.missing[b], p.missing[a]), cmp.Compare(a, b))
	})
	for _, c := range columns {
		p.d.notes = append(p.d.notes, fmt.Sprintf("left out %s: %s is missing", counted(p.missing[c], "row"), c))
	}
}

// maxCovariates bounds the columns that covariates may come to.
const maxCovariates = 1000

// spreadFactors turns covariates that are names into columns of 0 and 1.
func (p *reader) spreadFactors() error {
	var x [][]float64
	var names []string
	for k, f := range p.covariates {
		if f.scale != factor {
			x, names = append(x, p.d.panel.X[k]), append(names, f.name)
			continue
		}
		levels := map[string]bool{}
		for _, name := range p.factors[k] {
			levels[name] = true
		}
		if len(x)+len(levels) > maxCovariates {
			return refuse(ErrColumns, "take a column with fewer names, or numbers",
				"covariate %s has %d names: %d columns of covariates are the most", f.name, len(levels), maxCovariates)
		}
		columns, others := did.Dummies(p.factors[k])
		x = append(x, columns...)
		for _, level := range others {
			names = append(names, f.name+"="+level)
		}
	}
	p.d.panel.X, p.d.covariates = x, names
	return nil
}

// findStarts fills in when each unit was first treated.
func (p *reader) findStarts() error {
	d := p.d
	for _, unit := range slices.Sorted(maps.Keys(d.columns.Starts)) {
		u, ok := p.unitNumber[unit]
		if !ok {
			return p.t.NoUnit(unit, "with --start", slices.Sorted(slices.Values(d.units)))
		}
		first, err := p.t.Start(d.columns.Starts[unit], "--start "+unit)
		if err != nil {
			return err
		}
		p.byUnit[u].first = first
	}
	if p.treated == absent {
		return nil
	}
	for u := range p.byUnit {
		s := &p.byUnit[u]
		s.first = s.from
		if s.until >= s.from && d.ends == nil {
			d.ends = &ingest.LineError{
				File: d.file, Line: s.untilLine, Column: d.columns.Treated, Value: "0",
				Problem: fmt.Sprintf("comes after line %d, where unit %q is treated in an earlier period or the same one", s.fromLine, d.units[u]),
				Cure:    "a unit stays treated once it is; leave out the rows after it stopped, or take the start for the treatment",
			}
		}
	}
	if d.ends == nil {
		p.noteUnseenStarts()
	}
	return nil
}

// noteUnseenStarts says which units were not seen in the period before their
// first treated row: they may have started in a gap of their rows, which moves
// them into another cohort.
func (p *reader) noteUnseenStarts() {
	d := p.d
	seen := map[int]bool{}
	for _, t := range d.panel.Time {
		seen[t] = true
	}
	periods := slices.Sorted(maps.Keys(seen))
	unseen, first := 0, absent
	for u, s := range p.byUnit {
		if s.from == did.Never {
			continue
		}
		k, _ := slices.BinarySearch(periods, s.from)
		if k == 0 || periods[k-1] <= s.until {
			continue
		}
		unseen++
		if first == absent || d.units[u] < d.units[first] {
			first = u
		}
	}
	if unseen == 0 {
		return
	}
	s, kind := p.byUnit[first], p.t.Kind()
	before := "never seen before it"
	if s.until != math.MinInt {
		before = "last seen without in " + kind.Label(s.until)
	}
	d.notes = append(d.notes, fmt.Sprintf(
		"%s not seen in the period before the first treated row, which counts as the start: unit %q, treated in %s, was %s; name starts with --first-treated or --start where they were earlier",
		counted(unseen, "unit was", "units were"), d.units[first], kind.Label(s.from), before))
}

// sortUnits puts the units in the order of their names, so that the order of
// rows decides nothing, not even random draws.
func (p *reader) sortUnits() {
	d := p.d
	order := make([]int, len(d.units))
	for u := range order {
		order[u] = u
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(d.units[a], d.units[b]) })
	units, place := make([]string, len(order)), make([]int, len(order))
	d.panel.First = make([]int, len(order))
	for at, u := range order {
		units[at], place[u] = d.units[u], at
		d.panel.First[at] = p.byUnit[u].first
	}
	d.units = units
	for i, u := range d.panel.Unit {
		d.panel.Unit[i] = place[u]
	}
}

// countPeriods counts periods from 0 in steps of their greatest common divisor:
// weeks are seven days apart.
func (p *reader) countPeriods() {
	d := p.d
	d.kind, d.origin = p.t.Kind(), slices.Min(d.panel.Time)
	for _, t := range d.panel.Time {
		for a := t - d.origin; a != 0; {
			d.step, a = a, d.step%a
		}
	}
	d.step = max(d.step, 1)
	if numbers := d.kind == metrics.PeriodInteger || d.kind == metrics.PeriodYear; numbers && d.step == 1 {
		d.base = d.origin
	}
	for i, t := range d.panel.Time {
		d.panel.Time[i] = d.base + (t-d.origin)/d.step
	}
	between := 0
	for u, g := range d.panel.First {
		if g == did.Never {
			continue
		}
		at := floorDiv(g-d.origin, d.step)
		if at*d.step != g-d.origin {
			at++
			between++
		}
		d.panel.First[u] = d.base + at
	}
	if between > 0 {
		d.notes = append(d.notes, fmt.Sprintf("%s between two periods: the next period counts as the first treated one", counted(between, "start lies", "starts lie")))
	}
	if d.step > 1 && d.kind != metrics.PeriodDay {
		d.notes = append(d.notes, fmt.Sprintf("periods are %d apart: events count such steps", d.step))
	}
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// counted is "1 row" or "2 rows"; an irregular plural is given.
func counted(n int, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) > 0:
		return fmt.Sprintf("%d %s", n, many[0])
	}
	return fmt.Sprintf("%d %ss", n, one)
}
