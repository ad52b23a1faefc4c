package metrics_test

import (
	"bytes"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"steelyard/metrics"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files")

// reports are the pilots whose reports are held in testdata.
func reports(t *testing.T) map[string]*metrics.Report {
	t.Helper()
	worked, err := metrics.NewReporter(workedStore()).Report(t.Context(), "worked")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*metrics.Report{
		"worked":      worked,
		"one-treated": build(t, first(onePanel(6, 30, 15, 6)), second(onePanel(6, 30, 15, 6))),
		"staggered":   build(t, first(staggeredPanel(24, 30, .25)), second(staggeredPanel(24, 30, .25))),
		"few-units":   build(t, first(staggeredPanel(6, 4, .25)), second(staggeredPanel(6, 4, .25))),
		"several":     build(t, first(severalPanel(5, 9, 26, 13, 6)), second(severalPanel(5, 9, 26, 13, 6))),
		"running":     build(t, running(first(onePanel(3, 26, 6, 8))), second(onePanel(3, 26, 6, 8))),
		"nothing-yet": build(t, first(onePanel(3, 10, 0, 0)), second(onePanel(3, 10, 0, 0))),
	}
}

func first(p metrics.Pilot, _ *metrics.Panel) metrics.Pilot   { return p }
func second(_ metrics.Pilot, p *metrics.Panel) *metrics.Panel { return p }

func TestGoldenReports(t *testing.T) {
	for name, r := range reports(t) {
		for ext, write := range map[string]func(io.Writer, *metrics.Report) error{
			"txt": metrics.WriteText, "md": metrics.WriteMarkdown, "json": metrics.WriteJSON,
		} {
			t.Run(name+"/"+ext, func(t *testing.T) {
				var b bytes.Buffer
				if err := write(&b, r); err != nil {
					t.Fatal(err)
				}
				checkGolden(t, name+"."+ext, b.Bytes())
			})
		}
	}
}

func TestGoldenTables(t *testing.T) {
	for name, r := range reports(t) {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			for _, table := range r.Tables() {
				b.WriteString("-- " + table.ID + " --\n")
				if err := table.WriteCSV(&b); err != nil {
					t.Fatal(err)
				}
				for i, row := range table.Rows {
					if len(row) != len(table.Columns) {
						t.Errorf("table %s row %d has %d cells for %d columns", table.ID, i, len(row), len(table.Columns))
					}
				}
				if again, ok := r.Table(table.ID); !ok || again.Title != table.Title {
					t.Errorf("Table(%q) does not find the table", table.ID)
				}
			}
			checkGolden(t, name+".tables.csv", b.Bytes())
		})
	}
}

func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	got = tenDigits(got)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("%s differs (-want +got); if that is meant, run with -update\n%s", path, diff)
	}
}

// long matches numbers that are written with more digits than any method is
// right to: their last ones differ between processors.
var long = regexp.MustCompile(`[-−]?[0-9]+\.[0-9]{9,}(?:[eE][-+]?[0-9]+)?`)

// tenDigits rounds long numbers to ten significant digits, and what is nothing
// but rounding to 0.
func tenDigits(text []byte) []byte {
	return long.ReplaceAllFunc(text, func(n []byte) []byte {
		digits, minus := bytes.CutPrefix(n, []byte("−"))
		x, err := strconv.ParseFloat(string(digits), 64)
		if err != nil {
			return n
		}
		if math.Abs(x) < 1e-12 {
			x, minus = 0, false
		}
		short := strconv.AppendFloat(nil, x, 'g', 10, 64)
		if minus {
			short = append([]byte("−"), short...)
		}
		return short
	})
}
