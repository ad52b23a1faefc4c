package estimate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

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
