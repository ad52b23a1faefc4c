package estimate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"steelyard/metrics"
	"steelyard/metrics/did"
	"steelyard/metrics/ingest"
)

// Read reads a CSV file, plain or gzip, under the bounds of package ingest.
// file is its name in messages. A bad line is a [*ingest.LineError], bad
// columns are that or an [*Error]. Rows that miss a value are left out and
// counted; the answers of [Run] say so.
func Read(ctx context.Context, r io.Reader, file string, columns Columns, limits ingest.Limits) (*Data, error) {
	if err := columns.check(); err != nil {
		return nil, err
	}
	t, err := ingest.OpenTable(ctx, r, file, limits)
	if err != nil {
		return nil, err
	}
	p := &reader{t: t, d: &Data{columns: columns, file: file}, unitNumber: map[string]int{}, clusterNumber: map[string]int{}}
	if err := p.findColumns(columns); err != nil {
		return nil, err
	}
	for {
		switch err := t.Next(); {
		case errors.Is(err, io.EOF):
			return p.finish()
		case err != nil:
			return nil, err
		}
		if err := p.row(); err != nil {
			return nil, err
		}
	}
}

// absent is the number of a column that was not named.
const absent = -1

// reader reads the rows of one file.
type reader struct {
	t *ingest.Table
	d *Data

	unit, time, first, treated          int
	weights, exposure, cluster, censors int
	stillRunning                        string // the value of censors that says so; empty for a flag
	covariates                          []field
	only                                map[string]bool

	unitNumber, clusterNumber map[string]int
	byUnit                    []unitStart
	factors                   [][]string // the names of each factor's column, nil for numbers
	missing                   map[string]int
	others                    int // rows of units that were not asked for
	early, late               int // rows outside the periods to read
	from, to                  *int
	x                         []float64
}

// unitStart is what a unit's rows say of its start.
type unitStart struct {
	first, firstLine int
	// from and until are the first period with treatment and the last one
	// without, where a column of 0 and 1 tells; with the lines they stand on.
	from, fromLine, until, untilLine int
}

func (p *reader) findColumns(c Columns) error {
	for _, f := range []struct {
		at         *int
		name, what string
	}{
		{&p.unit, c.Unit, "the unit"},
		{&p.time, c.Time, "the time"},
		{&p.first, c.FirstTreated, "the first treated period"},
		{&p.treated, c.Treated, "the treatment"},
		{&p.weights, c.Weights, "the weights"},
		{&p.exposure, c.Exposure, "the exposure"},
		{&p.cluster, c.Cluster, "the cluster"},
		{&p.censors, c.Censored, "what was censored"},
	} {
		*f.at = absent
		if f.at == &p.censors && !p.t.Has(f.name) {
			if i := strings.LastIndexByte(f.name, '='); i > 0 {
				f.name, p.stillRunning = f.name[:i], f.name[i+1:]
			}
		}
		if f.name == "" {
			continue
		}
		col, err := p.t.Column(f.name, f.what)
		if err != nil {
			return err
		}
		*f.at = col
	}
	var err error
	if p.d.outcome, err = findField(p.t, c.Outcome, "the outcome", outcomeScales); err != nil {
		return err
	}
	for _, text := range c.Covariates {
		f, err := findField(p.t, text, "a covariate", covariateScales)
		if err != nil {
			return err
		}
		p.covariates = append(p.covariates, f)
	}
	p.factors = make([][]string, len(p.covariates))
	p.d.panel.X = make([][]float64, len(p.covariates))
	p.x = make([]float64, len(p.covariates))
	p.missing = map[string]int{}
	if len(c.Only) > 0 {
		p.only = map[string]bool{}
		for _, u := range c.Only {
			p.only[u] = true
		}
	}
	return p.t.LeaveOut(c.Drop)
}

// row reads the current row. What it says of its unit's start counts even where
// a value of it is missing.
func (p *reader) row() error {
	unit := 0
	if p.unit != absent {
		name, err := p.t.Name(p.unit)
		if err != nil {
			return err
		}
		if p.only != nil && !p.only[string(name)] {
			p.others++
			return nil
		}
		var known bool
		if unit, known = p.unitNumber[string(name)]; !known {
			unit = len(p.d.units)
			p.unitNumber[string(name)] = unit
			p.d.units = append(p.d.units, string(name))
			p.byUnit = append(p.byUnit, unitStart{first: did.Never, from: did.Never, until: math.MinInt})
		}
	}
	period := 0
	if p.time != absent {
		var err error
		if period, err = p.t.Period(p.time); err != nil {
			return err
		}
	}
	on, known, err := p.treatment(unit, period)
	if err != nil {
		return err
	}
	switch outside, err := p.outside(period); {
	case err != nil || outside:
		return err
	case !known:
		p.missing[p.d.columns.Treated]++
		return nil
	}
	return p.values(unit, period, on)
}

// outside reports whether a period is not among those to read, and counts it.
func (p *reader) outside(period int) (bool, error) {
	c := p.d.columns
	for _, bound := range []struct {
		at         **int
		text, flag string
	}{
		{&p.from, c.From, "--from"}, {&p.to, c.To, "--to"},
	} {
		if bound.text == "" || *bound.at != nil {
			continue
		}
		n, err := p.t.Start(bound.text, bound.flag)
		if err != nil {
			return false, err
		}
		*bound.at = &n
	}
	switch {
	case p.from != nil && period < *p.from:
		p.early++
		return true, nil
	case p.to != nil && period > *p.to:
		p.late++
		return true, nil
	}
	return false, nil
}

// treatment reads what the row says of its unit's start.
func (p *reader) treatment(unit, period int) (on, known bool, err error) {
	if p.first != absent {
		return false, true, p.firstTreated(unit)
	}
	if p.treated == absent {
		return false, true, nil
	}
	on, known, err = p.t.Flag(p.treated)
	if err != nil || !known || p.time == absent {
		return on, known, err
	}
	switch u := &p.byUnit[unit]; {
	case on && period < u.from:
		u.from, u.fromLine = period, p.t.Line()
	case !on && period > u.until:
		u.until, u.untilLine = period, p.t.Line()
	}
	return on, known, nil
}

func (p *reader) firstTreated(unit int) error {
	first, err := p.t.FirstTreated(p.first)
	if err != nil {
		return err
	}
	u := &p.byUnit[unit]
	if u.firstLine == 0 {
		u.first, u.firstLine = first, p.t.Line()
	}
	if u.first != first {
		return p.t.Bad(p.first,
			fmt.Sprintf("differs from line %d, which gives unit %q another first treated period", u.firstLine, p.d.units[unit]),
			"give all rows of a unit the same first treated period")
	}
	return nil
}

// values reads the row's numbers and keeps it, unless one is missing.
func (p *reader) values(unit, period int, on bool) error {
	d := p.d
	y, err := p.t.Value(d.outcome.cols, d.outcome.scale)
	if err != nil {
		return err
	}
	lack := ""
	note := func(column string, x float64) {
		if math.IsNaN(x) && lack == "" {
			lack = column
		}
	}
	note(d.outcome.name, y)
	for k, f := range p.covariates {
		if f.scale == factor {
			if p.t.Missing(f.cols[0]) {
				note(f.name, math.NaN())
			}
			continue
		}
		if p.x[k], err = p.t.Value(f.cols, f.scale); err != nil {
			return err
		}
		note(f.name, p.x[k])
	}
	weight, exposure := 1.0, 1.0
	if p.weights != absent {
		if weight, err = p.t.Number(p.weights); err != nil {
			return err
		}
		if weight <= 0 {
			return p.t.Bad(p.weights, "is not above 0", "weights are numbers above 0; leave out rows that shall not count with --drop")
		}
		note(d.columns.Weights, weight)
	}
	if p.exposure != absent {
		if exposure, err = p.t.Exposure(p.exposure); err != nil {
			return err
		}
		note(d.columns.Exposure, exposure)
	}
	if p.cluster != absent && p.t.Missing(p.cluster) {
		note(d.columns.Cluster, math.NaN())
	}
	still := false
	if p.censors != absent {
		var known bool
		if still, known, err = p.censored(); err != nil {
			return err
		}
		if !known {
			note(d.columns.Censored, math.NaN())
		}
	}
	if lack != "" {
		p.missing[lack]++
		return nil
	}
	return p.keep(unit, period, on, still, y, weight, exposure)
}

// censored reads whether the row's duration had not ended.
func (p *reader) censored() (still, known bool, err error) {
	if p.stillRunning == "" {
		return p.t.Flag(p.censors)
	}
	if p.t.Missing(p.censors) {
		return false, false, nil
	}
	v, err := p.t.Name(p.censors)
	return string(v) == p.stillRunning, true, err
}

// keep appends a row that has all its values.
func (p *reader) keep(unit, period int, on, still bool, y, weight, exposure float64) error {
	d := p.d
	d.panel.Y = append(d.panel.Y, d.outcome.transformed(y))
	d.line = append(d.line, int32(p.t.Line()))
	if p.time != absent {
		d.panel.Unit = append(d.panel.Unit, unit)
		d.panel.Time = append(d.panel.Time, period)
	}
	for k, f := range p.covariates {
		if f.scale != factor {
			d.panel.X[k] = append(d.panel.X[k], f.transformed(p.x[k]))
			continue
		}
		name, err := p.t.Name(f.cols[0])
		if err != nil {
			return err
		}
		p.factors[k] = append(p.factors[k], string(name))
	}
	if p.weights != absent {
		d.panel.Weight = append(d.panel.Weight, weight)
	}
	if p.exposure != absent {
		d.exposure = append(d.exposure, exposure)
	}
	if p.censors != absent {
		d.censored = append(d.censored, still)
	}
	if p.treated != absent {
		d.treated = append(d.treated, on)
	}
	if p.cluster == absent {
		return nil
	}
	name, err := p.t.Name(p.cluster)
	if err != nil {
		return err
	}
	number, known := p.clusterNumber[string(name)]
	if !known {
		number = len(d.clusters)
		p.clusterNumber[string(name)] = number
		d.clusters = append(d.clusters, string(name))
	}
	d.cluster = append(d.cluster, number)
	return nil
}

// finish puts units and periods in order once the file was read.
func (p *reader) finish() (*Data, error) {
	d := p.d
	for _, name := range slices.Sorted(slices.Values(d.columns.Only)) {
		if _, ok := p.unitNumber[name]; !ok {
			return nil, p.t.NoUnit(name, "with --only", slices.Sorted(slices.Values(d.units)))
		}
	}
	p.noteLeftOut()
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
