package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
	"unicode"

	"steelyard/metrics"
)

// panelReader turns records into rows of a panel.
type panelReader struct {
	*table
	spec PanelSpec

	unitCol, timeCol    int
	firstCol, exposeCol int // −1 where there is none
	outcomes            []outcomeReader
	filters             *filters
	only                map[string]bool // nil: all
	otherUnits          int             // rows left out by only

	periods  *periods
	units    *units
	starts   map[string]int // nil where a column says it
	weekdays weekdays
	zeros    zeros
	kept     int
	values   []float64 // room for the values of rows to come
}

func openPanel(ctx context.Context, r io.Reader, file string, spec PanelSpec) (*panelReader, error) {
	spec.Limits = spec.Limits.withDefaults()
	if err := spec.check(); err != nil {
		return nil, err
	}
	src, err := openSource(ctx, r, file, spec.Limits)
	if err != nil {
		return nil, err
	}
	t, err := readHeader(src, file, spec.Limits)
	if err != nil {
		return nil, err
	}
	p := &panelReader{table: t, spec: spec, firstCol: -1, exposeCol: -1, periods: newPeriods(), units: newUnits(spec.Limits.Units)}
	if len(spec.OnlyUnits) > 0 {
		p.only = make(map[string]bool, len(spec.OnlyUnits))
		for _, u := range spec.OnlyUnits {
			p.only[u] = true
		}
	}
	return p, p.findColumns()
}

// check refuses a spec that no file could fit.
func (spec PanelSpec) check() error {
	starts := len(spec.Starts) > 0 || len(spec.Pilot.Treated) > 0
	switch {
	case spec.Pilot.Level != "" && spec.Pilot.Level != metrics.LevelPanel:
		return fmt.Errorf("import panel: pilot %q is measured by %s; import those instead", spec.Pilot.ID, spec.Pilot.Level)
	case spec.UnitCol == "" || spec.TimeCol == "":
		return errors.New("import panel: name the columns of the unit and of the time")
	case len(spec.Outcomes) == 0:
		return errors.New("import panel: name at least one outcome; the first is the primary one")
	case spec.FirstTreatedCol == "" && !starts:
		return errors.New("import panel: name the column of the first treated period, or give each treated unit's start as unit=period")
	case spec.FirstTreatedCol != "" && starts:
		return errors.New("import panel: give the first treated period by a column or by unit=period, not both")
	}
	return nil
}

func (p *panelReader) findColumns() error {
	find := func(at *int, name, what string) (err error) {
		if name != "" {
			*at, err = p.column(name, what)
		}
		return err
	}
	for _, c := range []struct {
		at         *int
		name, what string
	}{
		{&p.unitCol, p.spec.UnitCol, "the unit"},
		{&p.timeCol, p.spec.TimeCol, "the time"},
		{&p.firstCol, p.spec.FirstTreatedCol, "the first treated period"},
		{&p.exposeCol, p.spec.ExposureCol, "the exposure"},
	} {
		if err := find(c.at, c.name, c.what); err != nil {
			return err
		}
	}
	for _, o := range p.spec.Outcomes {
		out := outcomeReader{scale: o.Scale}
		for _, name := range o.columns() {
			i, err := p.column(name, "outcome "+o.ID)
			if err != nil {
				return err
			}
			out.columns = append(out.columns, i)
		}
		p.outcomes = append(p.outcomes, out)
	}
	var err error
	p.filters, err = p.compile(p.spec.Drop, "rows")
	return err
}

// peekRows is how many rows are read ahead, to see what the periods are.
const peekRows = 4096

// peek reads the first rows. The end of the file is met again by the one who
// reads on.
func (p *panelReader) peek() ([]metrics.PanelRow, error) {
	var head []metrics.PanelRow
	for len(head) < peekRows {
		row, err := p.next()
		if errors.Is(err, io.EOF) && len(head) > 0 {
			break
		}
		if err != nil {
			return nil, err
		}
		head = append(head, row)
	}
	return head, nil
}

// rows yields the rows read ahead and all that follow, or the first error.
func (p *panelReader) rows(head []metrics.PanelRow) iter.Seq2[metrics.PanelRow, error] {
	return func(yield func(metrics.PanelRow, error) bool) {
		for _, row := range head {
			if !yield(row, nil) {
				return
			}
		}
		for {
			row, err := p.next()
			if errors.Is(err, io.EOF) {
				if err = p.checkWhole(); err == nil {
					return
				}
			}
			if err != nil {
				yield(metrics.PanelRow{}, err)
				return
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// next reads the next row that is kept; io.EOF after the last one, which is an
// error where none was kept.
func (p *panelReader) next() (metrics.PanelRow, error) {
	for {
		err := p.records.next()
		switch {
		case errors.Is(err, io.EOF) && p.kept == 0:
			return metrics.PanelRow{}, p.noRows(p.filters.total() + p.otherUnits)
		case err != nil:
			return metrics.PanelRow{}, err
		case p.filters.drops(p.fields):
			continue
		}
		name := bytes.TrimSpace(p.fields[p.unitCol])
		if p.only != nil && !p.only[string(name)] {
			p.otherUnits++
			continue
		}
		if p.kept++; p.kept > p.limits.Rows {
			return metrics.PanelRow{}, p.tooManyRows()
		}
		return p.row(name)
	}
}

func (p *panelReader) row(name []byte) (metrics.PanelRow, error) {
	if _, known := p.units.byName[string(name)]; !known {
		if f := checkName(name); f != nil {
			return metrics.PanelRow{}, p.badField(p.unitCol, *f)
		}
	}
	period, f := p.periods.time(p.fields[p.timeCol], p.start)
	if f != nil {
		return metrics.PanelRow{}, p.badField(p.timeCol, *f)
	}
	u, err := p.place(name, period)
	if err != nil {
		return metrics.PanelRow{}, err
	}
	row := metrics.PanelRow{Unit: u.name, Period: period, FirstTreated: u.first, Exposure: math.NaN(), Line: p.start}
	if p.exposeCol >= 0 {
		if row.Exposure, err = p.exposure(p.exposeCol); err != nil {
			return row, err
		}
	}
	row.Values = p.room(len(p.outcomes))
	for k := range p.outcomes {
		if row.Values[k], err = p.outcome(p.outcomes[k]); err != nil {
			return row, err
		}
	}
	return row, nil
}

// place finds the row's unit and holds it to one row a period and one first
// treated period.
func (p *panelReader) place(name []byte, period int) (*unit, error) {
	first, err := p.firstTreated(name)
	if err != nil {
		return nil, err
	}
	u := p.units.get(name, first, p.start)
	if u == nil {
		return nil, p.badField(p.unitCol, flaw{
			fmt.Sprintf("is past the limit of %d units", p.limits.Units), "check that this column is the unit",
		})
	}
	if u.first != first {
		return nil, p.badField(p.firstCol, flaw{
			fmt.Sprintf("differs from line %d, which gives unit %q another first treated period", u.firstLine, shown(u.name)),
			"give all rows of a unit the same first treated period",
		})
	}
	if earlier := u.add(period, p.start); earlier > 0 {
		return nil, p.badField(p.timeCol, flaw{
			fmt.Sprintf("is the second row of unit %q in this period, after line %d", shown(u.name), earlier),
			"keep one row a unit and period, or leave the other out with a filter",
		})
	}
	if p.periods.kind == metrics.PeriodDay {
		p.weekdays.rows |= weekday(period)
		if first != metrics.Never {
			p.weekdays.starts |= weekday(first)
		}
	}
	p.zeros.atPeriod(period, p.start)
	return u, nil
}

// firstTreated is the first treated period of the current row's unit.
func (p *panelReader) firstTreated(name []byte) (int, error) {
	if p.firstCol >= 0 {
		v := p.fields[p.firstCol]
		n, f := p.periods.firstTreated(v)
		if f != nil {
			return 0, p.badField(p.firstCol, *f)
		}
		p.zeros.atFirst(v, n, p.start)
		return n, nil
	}
	if p.starts == nil {
		if err := p.readStarts(); err != nil {
			return 0, err
		}
	}
	if n, ok := p.starts[string(name)]; ok {
		return n, nil
	}
	return metrics.Never, nil
}

// readStarts reads the spec's starts, once the kind of the periods is known.
func (p *panelReader) readStarts() error {
	p.starts = map[string]int{}
	for unit, text := range p.spec.Starts {
		n, f := p.periods.start(strings.TrimSpace(text))
		if f != nil {
			return fmt.Errorf("import %s: start %s=%s: %q %s; %s", p.file, unit, text, shown(text), f.problem, f.cure)
		}
		p.starts[unit] = n
	}
	if len(p.starts) > 0 {
		return nil
	}
	if p.periods.kind == metrics.PeriodInteger {
		return fmt.Errorf("import %s: the periods are whole numbers, which have no dates; give each start as unit=period", p.file)
	}
	for _, a := range p.spec.Pilot.Treated {
		p.starts[a.Unit] = p.periods.kind.At(a.Start)
	}
	return nil
}

// room returns space for n values; the space of many rows is allocated at once.
func (p *panelReader) room(n int) []float64 {
	if len(p.values) < n {
		p.values = make([]float64, max(n, 1024))
	}
	out := p.values[:n:n]
	p.values = p.values[n:]
	return out
}

// checkName holds a name to one short line of characters that can be seen.
func checkName(name []byte) *flaw {
	switch {
	case len(name) == 0:
		return &flaw{"is missing", "give every row its name, or delete the line"}
	case len(name) > maxName:
		return &flaw{fmt.Sprintf("is longer than %d bytes", maxName), "use a shorter name"}
	case bytes.IndexFunc(name, unicode.IsControl) >= 0:
		return &flaw{"has a line break or another control character", "write names on one line"}
	}
	if r, ok := metrics.Invisible(string(name)); ok {
		return &flaw{fmt.Sprintf("has the invisible character U+%04X", r), "take it out: it would make one name look like another"}
	}
	return nil
}
