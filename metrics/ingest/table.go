package ingest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"steelyard/metrics"
)

// Table reads a CSV file, plain or gzip, row by row, for what is no import:
// with the same bounds, the same reading of values and the same [LineError].
// Columns are known by their number. Open it with [OpenTable].
type Table struct {
	t       *table
	filters *filters
	periods *periods
	zeros   zeros
	first   string // the column that FirstTreated read
	rows    int
}

// OpenTable starts reading a file and reads its header; file is its name in
// messages. Reading stops with the context's error once the context is done.
func OpenTable(ctx context.Context, r io.Reader, file string, limits Limits) (*Table, error) {
	limits = limits.withDefaults()
	src, err := openSource(ctx, r, file, limits)
	if err != nil {
		return nil, err
	}
	t, err := readHeader(src, file, limits)
	if err != nil {
		return nil, err
	}
	return &Table{t: t, filters: &filters{}, periods: newPeriods()}, nil
}

// Has reports whether the file has a column of that name.
func (t *Table) Has(name string) bool {
	_, ok := t.t.index[name]
	return ok
}

// Column is the number of the named column; what says what it is wanted as,
// for the error where there is none.
func (t *Table) Column(name, what string) (int, error) { return t.t.column(name, what) }

// LeaveOut makes Next pass over the rows that a filter names.
func (t *Table) LeaveOut(drop []Filter) (err error) {
	t.filters, err = t.t.compile(drop, "rows")
	return err
}

// LeftOut counts what the filters left out.
func (t *Table) LeftOut() []metrics.LeftOut { return t.filters.leftOut() }

// Next reads the next row; io.EOF after the last one. A file without a row is
// an error, and so is one whose zeros could be periods or "never treated".
func (t *Table) Next() error {
	for {
		err := t.t.next()
		switch {
		case errors.Is(err, io.EOF) && t.rows == 0:
			return t.t.noRows(t.filters.total())
		case errors.Is(err, io.EOF):
			if err := t.zeros.check(t.t.file, t.first); err != nil {
				return err
			}
			return io.EOF
		case err != nil:
			return err
		case t.filters.drops(t.t.fields):
			continue
		}
		if t.rows++; t.rows > t.t.limits.Rows {
			return t.t.tooManyRows()
		}
		return nil
	}
}

// Line is the line that the current row began on.
func (t *Table) Line() int { return t.t.start }

// Missing reports whether the row has no value in a column: it is empty, NA,
// NaN, NaT, None or null.
func (t *Table) Missing(col int) bool { return missing(t.text(col)) }

func (t *Table) text(col int) []byte { return bytes.TrimSpace(t.t.fields[col]) }

// Name reads a name of at most 200 bytes on one line; the slice is valid until
// Next is called.
func (t *Table) Name(col int) ([]byte, error) {
	name := t.text(col)
	if f := checkName(name); f != nil {
		return nil, t.t.badField(col, *f)
	}
	return name, nil
}

// Number reads a finite number, NaN where it is missing.
func (t *Table) Number(col int) (float64, error) {
	x, f := parseNumber(t.t.fields[col])
	if f != nil {
		return 0, t.t.badField(col, *f)
	}
	return x, nil
}

// Value reads an outcome: the sum of columns, which must lie in the domain of
// the scale; it is not transformed. NaN where one of them is missing.
func (t *Table) Value(cols []int, scale metrics.Scale) (float64, error) {
	return t.t.outcome(outcomeReader{columns: cols, scale: scale})
}

// Exposure reads a number above 0, NaN where it is missing.
func (t *Table) Exposure(col int) (float64, error) { return t.t.exposure(col) }

// Flag reads 1 or 0, yes or no, true or false; known is false where the value
// is missing.
func (t *Table) Flag(col int) (on, known bool, err error) {
	v := t.text(col)
	if missing(v) {
		return false, false, nil
	}
	if x, f := parseNumber(v); f == nil && (x == 0 || x == 1) {
		return x == 1, true, nil
	}
	on, f := parseBool(v)
	if f != nil {
		return false, false, t.t.badField(col, flaw{"is neither 0 nor 1", "write 1 where it holds and 0 where it does not"})
	}
	return on, true, nil
}

// Period reads a period. All of a file are of one kind, that of the first one
// read, which [Table.Kind] returns; a missing one is an error.
func (t *Table) Period(col int) (int, error) {
	n, f := t.periods.time(t.t.fields[col], t.t.start)
	if f != nil {
		return 0, t.t.badField(col, *f)
	}
	t.zeros.atPeriod(n, t.t.start)
	return n, nil
}

// Kind is the kind of the periods; "" before the first one was read.
func (t *Table) Kind() metrics.PeriodKind { return t.periods.kind }

// FirstTreated reads a first treated period as [PanelSpec] describes;
// [metrics.Never] where there is none. Read the row's period before it.
func (t *Table) FirstTreated(col int) (int, error) {
	n, f := t.periods.firstTreated(t.t.fields[col])
	if f != nil {
		return 0, t.t.badField(col, *f)
	}
	t.first = t.t.names[col]
	t.zeros.atFirst(t.t.fields[col], n, t.t.start)
	return n, nil
}

// Start reads the text of a first treated period that does not stand in the
// file, once the kind of its periods is known. where says where it stands.
func (t *Table) Start(text, where string) (int, error) {
	n, f := t.periods.start(strings.TrimSpace(text))
	if f != nil {
		return 0, &LineError{File: t.t.file, Value: shown(text), Problem: f.problem + " (" + where + ")", Cure: f.cure}
	}
	return n, nil
}

// Bad is the error for the current row's value in a column. problem continues
// a sentence that begins with the value, cure says what to do.
func (t *Table) Bad(col int, problem, cure string) *LineError {
	return t.t.badField(col, flaw{problem, cure})
}

// NoUnit is the error for a unit that was named, where says how, and is none
// of the file's.
func (t *Table) NoUnit(name, where string, units []string) *LineError {
	return noUnit(t.t.file, name, where, units)
}
