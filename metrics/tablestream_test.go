package metrics_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"steelyard/metrics"
)

// Rows one by one give the same bytes as a whole table.
func TestTableRowByRow(t *testing.T) {
	cells := []metrics.Cell{{Value: "a,\"b\"", Text: "<a> & b"}, {Value: 1.5, Text: "1.5"}, {Text: "–"}, {Value: true, Text: "yes"}}
	for rows := range 3 {
		table := metrics.Table{ID: "x", Title: "Title & <more>", Columns: []metrics.Column{{Name: "a"}, {Name: "b", Numeric: true}, {Name: "c"}, {Name: "d"}}, Rows: [][]metrics.Cell{}}
		for range rows {
			table.Rows = append(table.Rows, cells)
		}
		for name, c := range map[string]struct {
			whole func(io.Writer) error
			parts func(io.Writer) metrics.TableWriter
		}{"CSV": {table.WriteCSV, table.CSVWriter}, "JSON": {table.WriteJSON, table.JSONWriter}} {
			var want, got bytes.Buffer
			err := c.whole(&want)
			w := c.parts(&got)
			for _, row := range table.Rows {
				err = errors.Join(err, w.Row(row))
			}
			if err = errors.Join(err, w.Close()); err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(want.String(), got.String()); diff != "" {
				t.Errorf("%s of %d rows (-whole +parts):\n%s", name, rows, diff)
			}
		}
	}
}

// What a spreadsheet would compute stays text; numbers stay numbers.
func TestCellsAreNoFormulas(t *testing.T) {
	for value, want := range map[any]string{
		`=HYPERLINK("x")`: `'=HYPERLINK("x")`, "+1": "'+1", "-1": "'-1", "@a": "'@a", "\t=1": "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1",
		"＝1": "'＝1", "＋1": "'＋1", "－1": "'－1", "＠a": "'＠a",
		"": "", "a=b": "a=b", "−1": "−1", -1.5: "-1.5", -3: "-3",
	} {
		var b bytes.Buffer
		table := metrics.Table{Columns: []metrics.Column{{Name: "x"}, {Name: "y"}}, Rows: [][]metrics.Cell{{{Value: value}, {Value: "."}}}}
		if err := table.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		r := csv.NewReader(strings.NewReader(b.String()))
		all, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		// A reader of CSV takes \r\n for \n; a lone \r stays.
		if got := all[1][0]; got != want {
			t.Errorf("%q is written %q, not %q", value, got, want)
		}
	}
}
