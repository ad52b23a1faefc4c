package ingest

import (
	"bytes"
	"fmt"
	"strconv"

	"steelyard/metrics"
)

// Filter leaves out the rows whose column has a value, and says why.
type Filter struct {
	// Column and Value: a row is left out where its column, trimmed, is Value.
	Column, Value string
	// Reason completes "left out because …".
	Reason string
}

// filters counts what each filter leaves out of a file.
type filters struct {
	rows []compiledFilter
	what string // plural noun of what a row is
}

type compiledFilter struct {
	Filter
	column int
	value  []byte
	count  int
}

func (t *table) compile(drop []Filter, what string) (*filters, error) {
	f := &filters{what: what}
	for _, d := range drop {
		i, err := t.column(d.Column, "a filter")
		if err != nil {
			return nil, err
		}
		if d.Reason == "" {
			d.Reason = d.Column + " is " + strconv.Quote(d.Value)
		}
		if r, ok := metrics.Invisible(d.Reason); ok {
			return nil, fmt.Errorf("leave out rows where %s is %q: the reason %q has the invisible character U+%04X; take it out", d.Column, shown(d.Value), shown(d.Reason), r)
		}
		f.rows = append(f.rows, compiledFilter{Filter: d, column: i, value: []byte(d.Value)})
	}
	return f, nil
}

// drops reports whether a row is left out, and counts it under the first
// filter that says so.
func (f *filters) drops(fields [][]byte) bool {
	for i := range f.rows {
		c := &f.rows[i]
		if bytes.Equal(bytes.TrimSpace(fields[c.column]), c.value) {
			c.count++
			return true
		}
	}
	return false
}

// leftOut lists what was left out, in the order of the filters.
func (f *filters) leftOut() []metrics.LeftOut {
	out := []metrics.LeftOut{}
	for _, c := range f.rows {
		if c.count > 0 {
			out = append(out, metrics.LeftOut{Count: c.count, What: f.what, Reason: c.Reason})
		}
	}
	return out
}

func (f *filters) total() int {
	n := 0
	for _, c := range f.rows {
		n += c.count
	}
	return n
}
