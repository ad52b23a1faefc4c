package ingest_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

// TestTable reads a file row by row, as package estimate does.
func TestTable(t *testing.T) {
	const file = `team,week,hours,on,first
a,2024-01-01,1.5,0,2024-01-08
a,2024-01-08,NA,yes,2024-01-08
left,2024-01-01,1,0,
b,2024-01-01,2,1,never
`
	table, err := ingest.OpenTable(context.Background(), strings.NewReader(file), "weeks.csv", ingest.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := table.LeaveOut([]ingest.Filter{{Column: "team", Value: "left", Reason: "it was closed"}}); err != nil {
		t.Fatal(err)
	}
	column := func(name string) int {
		t.Helper()
		col, err := table.Column(name, "a test")
		if err != nil {
			t.Fatal(err)
		}
		return col
	}
	type row struct {
		Name            string
		Line            int
		Period, First   string
		Missing, On     bool
		HasValue, Known bool
	}
	var got []row
	for {
		err := table.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		name, err := table.Name(column("team"))
		period, err2 := table.Period(column("week"))
		first, err3 := table.FirstTreated(column("first"))
		y, err4 := table.Value([]int{column("hours")}, metrics.ScaleLog)
		on, known, err5 := table.Flag(column("on"))
		if err := errors.Join(err, err2, err3, err4, err5); err != nil {
			t.Fatal(err)
		}
		r := row{
			Name: string(name), Line: table.Line(), Period: table.Kind().Label(period), First: "never",
			Missing: table.Missing(column("hours")), On: on, HasValue: y == y, Known: known,
		}
		if first != metrics.Never {
			r.First = table.Kind().Label(first)
		}
		got = append(got, r)
	}
	want := []row{
		{"a", 2, "2024-01-01", "2024-01-08", false, false, true, true},
		{"a", 3, "2024-01-08", "2024-01-08", true, true, false, true},
		{"b", 5, "2024-01-01", "never", false, true, true, true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]metrics.LeftOut{{Count: 1, What: "rows", Reason: "it was closed"}}, table.LeftOut()); diff != "" {
		t.Error(diff)
	}
}

// TestTableErrors names the file, the line, the column, the value and the cure.
func TestTableErrors(t *testing.T) {
	for _, c := range []struct {
		name, file, want string
		read             func(*ingest.Table) error
	}{
		{
			"no-column", "a,b\n1,2\n", `f.csv:2: column aa: "aa" is no column of the file (wanted as the unit); it has a, b`,
			func(t *ingest.Table) error { _, err := t.Column("aa", "the unit"); return err },
		},
		{
			"flag", "a\n2\n", `f.csv:2: column a: "2" is neither 0 nor 1`,
			func(t *ingest.Table) error { _, _, err := t.Flag(0); return err },
		},
		{
			"number", "a\n1e999\n", `f.csv:2: column a: "1e999" is too large for a number`,
			func(t *ingest.Table) error { _, err := t.Number(0); return err },
		},
		{
			"exposure", "a\n0\n", `f.csv:2: column a: "0" is not above 0`,
			func(t *ingest.Table) error { _, err := t.Exposure(0); return err },
		},
		{
			"start", "a\n2024-01\n", `f.csv: "soon" is not a month (--start a)`,
			func(t *ingest.Table) error {
				if _, err := t.Period(0); err != nil {
					return err
				}
				_, err := t.Start("soon", "--start a")
				return err
			},
		},
		{
			"zeros", "a\n0\n", `f.csv:2: column a: "0" would mean never treated, but line 2 has 0 as a period`,
			func(t *ingest.Table) error {
				if _, err := t.Period(0); err != nil {
					return err
				}
				if _, err := t.FirstTreated(0); err != nil {
					return err
				}
				return t.Next()
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, err := ingest.OpenTable(context.Background(), strings.NewReader(c.file), "f.csv", ingest.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if err := table.Next(); err != nil {
				t.Fatal(err)
			}
			err = c.read(table)
			var line *ingest.LineError
			if !errors.As(err, &line) || !strings.HasPrefix(err.Error(), c.want) || line.Cure == "" {
				t.Errorf("got %v, want %s… and a cure", err, c.want)
			}
		})
	}
}

// TestTableWithoutRows is an error, and so are more rows than the bound.
func TestTableWithoutRows(t *testing.T) {
	table, err := ingest.OpenTable(context.Background(), strings.NewReader("a,b\n"), "f.csv", ingest.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Next(); err == nil || !strings.Contains(err.Error(), "no rows") {
		t.Error(err)
	}
	table, err = ingest.OpenTable(context.Background(), strings.NewReader("a\n1\n2\n"), "f.csv", ingest.Limits{Rows: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(table.Next(), table.Next()); err == nil || !strings.Contains(err.Error(), "limit of 1 rows") {
		t.Error(err)
	}
}
