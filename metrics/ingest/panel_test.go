package ingest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

var now = time.Date(2026, time.March, 4, 5, 6, 7, 0, time.UTC)

const never = metrics.Never

// spec reads the columns unit, time, first and y.
func spec() ingest.PanelSpec {
	return ingest.PanelSpec{
		Pilot: metrics.Pilot{ID: "p"}, UnitCol: "unit", TimeCol: "time", FirstTreatedCol: "first",
		Outcomes: []ingest.OutcomeColumn{outcome("y")},
	}
}

func outcome(s string) ingest.OutcomeColumn {
	o, err := ingest.ParseOutcome(s)
	if err != nil {
		panic(err)
	}
	return o
}

func importPanel(t *testing.T, s ingest.PanelSpec, text string) (*memory, metrics.Import, error) {
	t.Helper()
	store := newMemory()
	_, done, err := ingest.ImportPanel(context.Background(), store, strings.NewReader(text), "dir/panel.csv", s, now)
	if err != nil && !store.empty() {
		t.Errorf("the import failed and left something behind: %+v", store)
	}
	return store, done, err
}

func TestPanelRows(t *testing.T) {
	s := spec()
	s.ExposureCol = "n"
	s.Outcomes = []ingest.OutcomeColumn{outcome("y"), outcome("w=a+b:lower:log1p:counter")}
	store, done, err := importPanel(t, s, strings.Join([]string{
		"unit,time,first,y,a,b,n,note",
		"x,2024-01,2024-03,1.5e3,1,2,10,",
		`"y ""z""",2024-01,,-2,3,NA,,"two`,
		`lines"`,
		"x,2024-02,2024-03,nan,0,0,2.5,",
	}, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	month := metrics.PeriodMonth
	at := func(s string) int { n, _ := month.Parse(s); return n }
	want := []metrics.PanelRow{
		{Unit: "x", Period: at("2024-01"), FirstTreated: at("2024-03"), Exposure: 10, Values: []float64{1500, 3}, Line: 2},
		{Unit: `y "z"`, Period: at("2024-01"), FirstTreated: never, Exposure: math.NaN(), Values: []float64{-2, math.NaN()}, Line: 3},
		{Unit: "x", Period: at("2024-02"), FirstTreated: at("2024-03"), Exposure: 2.5, Values: []float64{math.NaN(), 0}, Line: 5},
	}
	if diff := cmp.Diff(want, store.panels["p"], cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	pilot := store.definitions["p"].Pilot
	wantPilot := metrics.Pilot{
		ID: "p", Title: "P", Level: metrics.LevelPanel, UnitNoun: "unit", PeriodNoun: "month", SmallestEffect: 0.1,
		Outcomes: []metrics.Outcome{
			{ID: "y", Title: "Y", Better: metrics.BetterNeutral, Scale: metrics.ScaleLevel, Role: metrics.RolePrimary},
			{ID: "w", Title: "W", Better: metrics.BetterLower, Scale: metrics.ScaleLog1p, Role: metrics.RoleCounter},
		},
	}
	if diff := cmp.Diff(wantPilot, pilot); diff != "" {
		t.Errorf("pilot (-want +got):\n%s", diff)
	}
	if done.File != "panel.csv" || done.Rows != 3 || !done.At.Equal(now) || len(done.LeftOut) != 0 {
		t.Errorf("import = %+v", done)
	}
}

// TestPanelForms holds files that say the same in other forms to the same rows.
func TestPanelForms(t *testing.T) {
	plain := "unit,time,first,y\na,1,2,10\na,2,2,20\nb,1,0,30\n"
	want, plainImport, err := importPanel(t, spec(), plain)
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string]string{
		"bom":                  "\ufeff" + plain,
		"crlf":                 strings.ReplaceAll(plain, "\n", "\r\n"),
		"no-last-line-end":     strings.TrimSuffix(plain, "\n"),
		"trailing-blank-lines": plain + "\n\r\n\n",
		"quoted":               "\"unit\",\"time\",first,y\n\"a\",\"1\",2,10\na,2,\"2\",20\nb,\"1\",0,\"30\"\n",
		"spaces":               "unit, time ,first,y\n a , 1, 2 ,10 \na,2,2,20\nb,1,0,30\n",
		"fractions":            "unit,time,first,y\na,1.0,2.0,10\na,2,2,20.0\nb,1.00,0.0,3e1\n",
		"never":                "unit,time,first,y\na,1,2,10\na,2,2,20\nb,1,never,30\n",
		"NA":                   "unit,time,first,y\na,1,2,10\na,2,2,20\nb,1,NA,30\n",
		"Inf":                  "unit,time,first,y\na,1,2,10\na,2,2,20\nb,1,Inf,30\n",
		"unnamed-column":       ",unit,time,first,y,\n1,a,1,2,10,\n2,a,2,2,20,\n3,b,1,0,30,\n",
		"gzip":                 zip(plain),
		"gzip-with-bom":        zip("\ufeff" + plain),
		"gzip-in-two-parts":    zip(plain[:25]) + zip(plain[25:]),
	}
	for name, text := range forms {
		t.Run(name, func(t *testing.T) {
			got, done, err := importPanel(t, spec(), text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.panels, got.panels, cmpopts.EquateNaNs(), cmpopts.IgnoreFields(metrics.PanelRow{}, "Line")); diff != "" {
				t.Errorf("rows (-plain +%s):\n%s", name, diff)
			}
			sum := sha256.Sum256([]byte(text))
			if done.SHA256 != hex.EncodeToString(sum[:]) || done.SHA256 == plainImport.SHA256 {
				t.Errorf("SHA256 = %s, not that of the bytes read", done.SHA256)
			}
		})
	}
}

func zip(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func TestPeriodKinds(t *testing.T) {
	cases := []struct {
		name, times, first string
		kind               metrics.PeriodKind
		noun               string
		wantFirst          int
	}{
		{"integers", "7 -3 2004", "2004", metrics.PeriodInteger, "period", 2004},
		{"years", "2003 2004", "2004", metrics.PeriodYear, "year", 2004},
		{"year-past-the-end", "2003 2004", "10000", metrics.PeriodYear, "year", 10000},
		{"months", "2024-08 2024/09", "2024-09", metrics.PeriodMonth, "month", 2024*12 + 8},
		{"days", "2024-08-05 2024-08-06", "2024-08-06", metrics.PeriodDay, "day", 19941},
		{"weeks", "2024-08-05 2024-W33", "2024-08-12", metrics.PeriodDay, "day", 19947},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("unit,time,first,y\n")
			for _, at := range strings.Fields(c.times) {
				fmt.Fprintf(&b, "a,%s,%s,1\n", at, c.first)
			}
			store, _, err := importPanel(t, spec(), b.String())
			if err != nil {
				t.Fatal(err)
			}
			if got := store.kinds["p"]; got != c.kind {
				t.Errorf("kind = %s, want %s", got, c.kind)
			}
			if got := store.panels["p"][0].FirstTreated; got != c.wantFirst {
				t.Errorf("first treated = %d, want %d", got, c.wantFirst)
			}
			if got := store.definitions["p"].Pilot.PeriodNoun; got != c.noun {
				t.Errorf("period noun = %s, want %s", got, c.noun)
			}
		})
	}
}

func TestLeftOut(t *testing.T) {
	s := spec()
	s.Drop = []ingest.Filter{
		{Column: "dup", Value: "1", Reason: "the source ships this row twice"},
		{Column: "y", Value: "0"},
	}
	s.OnlyUnits = []string{"a", "b"}
	_, done, err := importPanel(t, s, "unit,time,first,y,dup\na,1,2,1,0\na,1,2,1, 1\nb,1,0,0,0\nb,2,0,5,\nc,1,0,5,0\nc,2,0,5,1\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []metrics.LeftOut{
		{Count: 2, What: "rows", Reason: "the source ships this row twice"},
		{Count: 1, What: "rows", Reason: `y is "0"`},
		{Count: 1, What: "rows", Reason: "their unit is not one of those chosen for this comparison"},
	}
	if diff := cmp.Diff(want, done.LeftOut); diff != "" || done.Rows != 2 {
		t.Errorf("rows = %d, left out (-want +got):\n%s", done.Rows, diff)
	}
}

func TestStarts(t *testing.T) {
	s := spec()
	s.FirstTreatedCol = ""
	text := "unit,time,y\na,2024-08-05,1\nb,2024-08-05,1\na,2024-08-12,2\nb,2024-08-12,2\n"
	start := time.Date(2024, time.August, 12, 0, 0, 0, 0, time.UTC)
	want := []metrics.Adoption{{Unit: "a", Start: start}}
	check := func(t *testing.T) {
		store, _, err := importPanel(t, s, text)
		if err != nil {
			t.Fatal(err)
		}
		rows := store.panels["p"]
		if rows[0].FirstTreated != 19947 || rows[1].FirstTreated != never {
			t.Errorf("first treated = %d, %d", rows[0].FirstTreated, rows[1].FirstTreated)
		}
		if diff := cmp.Diff(want, store.definitions["p"].Pilot.Treated); diff != "" {
			t.Errorf("treated (-want +got):\n%s", diff)
		}
	}
	t.Run("by-unit-and-period", func(t *testing.T) {
		s.Starts = map[string]string{"a": "2024-08-12"}
		check(t)
	})
	t.Run("by-the-pilot", func(t *testing.T) {
		s.Starts, s.Pilot.Treated = nil, want
		check(t)
	})
	t.Run("whole-numbers", func(t *testing.T) {
		s.Starts, s.Pilot.Treated = map[string]string{"a": "2"}, nil
		store, _, err := importPanel(t, s, "unit,time,y\na,1,1\nb,1,1\na,2,2\nb,2,2\n")
		if err != nil {
			t.Fatal(err)
		}
		if got := store.panels["p"][0].FirstTreated; got != 2 || store.definitions["p"].Pilot.Treated != nil {
			t.Errorf("first treated = %d, treated = %v", got, store.definitions["p"].Pilot.Treated)
		}
	})
}

// TestBadPanels holds every bad line to its message: file, line, column,
// value, what is wrong and the cure.
func TestBadPanels(t *testing.T) {
	long := strings.Repeat("x", 300)
	cases := []struct {
		name, text string
		spec       func(*ingest.PanelSpec)
		want       string
	}{
		{name: "empty", text: "", want: `panel.csv:1: the file is empty; the first line must name the columns`},
		{name: "blank", text: "\n\n", want: `panel.csv:1: the file is empty`},
		{name: "header-only", text: "unit,time,first,y\n", want: `panel.csv:1: the file has a header and no rows`},
		{name: "unknown-column", text: "unit,tine,first,y\na,1,2,3\n", want: `panel.csv:1: column time: "time" is no column of the file (wanted as the time); it has unit, tine, first, y; did you mean "tine"?`},
		{name: "other-case", text: "Unit,time,first,y\na,1,2,3\n", want: `did you mean "Unit"?`},
		{name: "semicolons", text: "unit;time;first;y\na;1;2;3\n", want: `the file is separated by semicolons: export it with commas`},
		{name: "tabs", text: "unit\ttime\tfirst\ty\n", want: `the file is separated by tabs`},
		{name: "duplicate-header", text: "unit,time,y,first,y\n", want: `panel.csv:1: column y: "y" names both column 3 and column 5`},
		{name: "long-header", text: "unit,time,first,y," + long + "\n", want: `is a column name longer than 200 bytes`},
		{name: "ragged-short", text: "unit,time,first,y\na,1,2\n", want: `panel.csv:2: the line has 3 fields and the header 4`},
		{name: "ragged-long", text: "unit,time,first,y\na,1,2,3,4\n", want: `panel.csv:2: the line has 5 fields and the header 4`},
		{name: "nul", text: "unit,time,first,y\na,1,2,3\x00\n", want: `panel.csv:2: "a,1,2,3\x00" has a NUL byte (byte 8 of the line); save the file as UTF-8 text`},
		{name: "not-utf8", text: "unit,time,first,y\nB\xe4r,1,2,3\n", want: `panel.csv:2: "B\xe4r,1,2,3" has a byte that is not UTF-8 (byte 2 of the line); save the file as UTF-8`},
		{name: "utf16", text: "\xff\xfeu\x00n\x00", want: `panel.csv:1: the file is UTF-16; save it as UTF-8`},
		{name: "workbook", text: "PK\x03\x04....", want: `the file is a zip archive or an Excel workbook, not CSV; export the sheet as CSV (UTF-8)`},
		{name: "cr-only", text: "unit,time,first,y\ra,1,2,3\r", want: `panel.csv:1: "unit,time,first,y\ra,1,2,3" has a carriage return inside a line (byte 18 of the line); end lines with LF or CRLF`},
		{name: "open-quote", text: "unit,time,first,y\n\"a,1,2,3\nb,1,2,3\n", want: `panel.csv:2: column unit: "a,1,2,3\nb,1,2,3" starts with a quote that is never closed`},
		{name: "text-after-quote", text: "unit,time,first,y\n\"a\"b,1,2,3\n", want: `panel.csv:2: column unit: "a" is followed by "b,1,2,3" behind its closing quote`},
		{name: "bare-quote", text: "unit,time,first,y\na\"b,1,2,3\n", want: `panel.csv:2: column unit: "a\"b" has a quote inside an unquoted field; put the whole field in quotes`},
		{name: "line-after-quoted-breaks", text: "unit,time,first,y\n\"a\nb\nc\",1,2,3\n", want: `panel.csv:2: column unit: "a\nb\nc" has a line break or another control character`},
		{name: "line-of-the-field", text: "unit,time,note,first,y\na,1,\"two\nlines\",2,x\n", want: `panel.csv:3: column y: "x" is not a number`},
		{name: "line-after-a-quoted-break", text: "unit,time,note,first,y\na,1,\"two\n\nlines\",2,1\na,2,,2,x\n", want: `panel.csv:5: column y: "x" is not a number; write it like 1234.5, or leave it empty where there is none`},
		{name: "thousands", text: "unit,time,first,y\na,1,2,\"1,234\"\n", want: `panel.csv:2: column y: "1,234" is not a number; write it without thousands separators and with a decimal point, like 1234.5`},
		{name: "percent", text: "unit,time,first,y\na,1,2,12%\n", want: `"12%" is not a number; write it without the percent sign`},
		{name: "infinite", text: "unit,time,first,y\na,1,2,-Inf\n", want: `"-Inf" is not a finite number`},
		{name: "hexadecimal", text: "unit,time,first,y\na,1,2,0x1p3\n", want: `"0x1p3" is not a number`},
		{name: "huge-number", text: "unit,time,first,y\na,1,2,1e999\n", want: `"1e999" is too large for a number`},
		{name: "long-value", text: "unit,time,first,y\na,1,2," + long + "\n", want: `column y: "` + strings.Repeat("x", 79) + `…" is not a number`},
		{name: "no-unit", text: "unit,time,first,y\n ,1,2,3\n", want: `panel.csv:2: column unit: " " is missing; give every row its name, or delete the line`},
		{name: "long-unit", text: "unit,time,first,y\n" + long + ",1,2,3\n", want: `is longer than 200 bytes`},
		{name: "no-period", text: "unit,time,first,y\na,,2,3\n", want: `panel.csv:2: column time: "" is missing; write a day`},
		{name: "bad-period", text: "unit,time,first,y\na,spring,2,3\n", want: `column time: "spring" is not a period; write a day`},
		{name: "month-13", text: "unit,time,first,y\na,2024-08,,3\na,2024-13,,3\n", want: `panel.csv:3: column time: "2024-13" is not a month`},
		{name: "time-of-day", text: "unit,time,first,y\na,2024-08-01,,3\na,2024-08-02 12:00:00,,3\n", want: `panel.csv:3: column time: "2024-08-02 12:00:00" is not a whole day; write the day alone`},
		{name: "mixed-kinds", text: "unit,time,first,y\na,2024-08,,3\na,2024-08-01,,3\n", want: `panel.csv:3: column time: "2024-08-01" is a day, and line 2 has a month; write all periods of a file in one form`},
		{name: "first-of-other-kind", text: "unit,time,first,y\na,2024-08,2024-08-01,3\n", want: `panel.csv:2: column first: "2024-08-01" is a day, and line 2 has a month; write all periods of a file in one form; leave it empty where the unit is never treated`},
		{name: "zero-in-a-month-panel", text: "unit,time,first,y\na,2024-08,0,3\n", want: `column first: "0" is a whole number, and line 2 has a month`},
		{name: "zero-is-a-period", text: "unit,time,first,y\na,0,0,3\n", want: `panel.csv:2: column first: "0" would mean never treated, but line 2 has 0 as a period; leave it empty where the unit is never treated, or count periods from 1`},
		{name: "start-inside-a-week", text: "unit,time,first,y\na,2024-08-05,2024-08-14,3\na,2024-08-12,2024-08-14,3\n", want: `panel.csv:2: column first: "2024-08-14" is a Wednesday, and the weeks of the file start on a Monday; write the first day of unit "a"'s first treated week: 2024-08-12, or 2024-08-19`},
		{name: "first-changes", text: "unit,time,first,y\na,1,2,3\nb,1,2,3\na,2,3,3\n", want: `panel.csv:4: column first: "3" differs from line 2, which gives unit "a" another first treated period`},
		{name: "duplicate", text: "unit,time,first,y\na,1,2,3\nb,1,2,3\na,1,2,3\n", want: `panel.csv:4: column time: "1" is the second row of unit "a" in this period, after line 2; keep one row a unit and period`},
		{name: "duplicate-out-of-order", text: "unit,time,first,y\na,3,2,3\na,1,2,3\na,2,2,3\na,3,2,1\n", want: `panel.csv:5: column time: "3" is the second row of unit "a" in this period, after line 2`},
		{name: "duplicate-in-another-form", text: "unit,time,first,y\na,2024-08-05,,3\na,2024-W32,,3\n", want: `panel.csv:3: column time: "2024-W32" is the second row of unit "a" in this period, after line 2`},
		{
			name: "exposure-zero", text: "unit,time,first,y,n\na,1,2,3,0\n", spec: func(s *ingest.PanelSpec) { s.ExposureCol = "n" },
			want: `panel.csv:2: column n: "0" is not above 0, and nothing can be counted over it; leave it empty where there was nothing to count over`,
		},
		{
			name: "negative-count", text: "unit,time,first,y\na,1,2,-1\n", spec: func(s *ingest.PanelSpec) { s.Outcomes[0].Scale = metrics.ScaleCount },
			want: `column y: "-1" is negative, and a count is 0 or more`,
		},
		{
			name: "broken-count", text: "unit,time,first,y\na,1,2,1.5\n", spec: func(s *ingest.PanelSpec) { s.Outcomes[0].Scale = metrics.ScaleCount },
			want: `column y: "1.5" is not a whole number, and a count is`,
		},
		{
			name: "log-of-zero", text: "unit,time,first,y\na,1,2,0\n", spec: func(s *ingest.PanelSpec) { s.Outcomes[0].Scale = metrics.ScaleLog },
			want: `column y: "0" has no logarithm; import the outcome on the scale log1p, ln(1 + x)`,
		},
		{
			name: "log1p-of-negative", text: "unit,time,first,y\na,1,2,-0.5\n", spec: func(s *ingest.PanelSpec) { s.Outcomes[0].Scale = metrics.ScaleLog1p },
			want: `column y: "-0.5" is negative, and the scale log1p takes 0 or more`,
		},
		{
			name: "log-of-a-sum", text: "unit,time,first,y,z\na,1,2,1,-3\n", spec: func(s *ingest.PanelSpec) { s.Outcomes = []ingest.OutcomeColumn{outcome("s=y+z:lower:log")} },
			want: `panel.csv:2: column y+z: "-2" has no logarithm`,
		},
		{
			name: "all-left-out", text: "unit,time,first,y\na,1,2,3\n", spec: func(s *ingest.PanelSpec) { s.Drop = []ingest.Filter{{Column: "unit", Value: "a"}} },
			want: `panel.csv:2: nothing is left to import: every row was left out (1); check the filters`,
		},
		{
			name: "unknown-filter", text: "unit,time,first,y\na,1,2,3\n", spec: func(s *ingest.PanelSpec) { s.Drop = []ingest.Filter{{Column: "dup", Value: "a"}} },
			want: `column dup: "dup" is no column of the file (wanted as a filter)`,
		},
		{
			name: "unknown-unit-to-keep", text: "unit,time,first,y\nalpha,1,2,3\n", spec: func(s *ingest.PanelSpec) { s.OnlyUnits = []string{"alpha", "alpa"} },
			want: `panel.csv: "alpa" is no unit of the file (named as one to keep); it has alpha; did you mean "alpha"?`,
		},
		{
			name: "unknown-start", text: "unit,time,y\nalpha,1,2\n", spec: func(s *ingest.PanelSpec) {
				s.FirstTreatedCol, s.Starts = "", map[string]string{"alpha ": "1"}
			},
			want: `panel.csv: "alpha " is no unit of the file (named as treated)`,
		},
		{
			name: "bad-start", text: "unit,time,y\na,2024-08,2\n", spec: func(s *ingest.PanelSpec) {
				s.FirstTreatedCol, s.Starts = "", map[string]string{"a": "soon"}
			},
			want: `start a=soon: "soon" is not a month; write a day`,
		},
		{
			name: "unknown-comparison", text: "unit,time,first,y\na,1,2,3\n", spec: func(s *ingest.PanelSpec) { s.Pilot.Comparison = []string{"b"} },
			want: `"b" is no unit of the file (named as a comparison)`,
		},
		{
			name: "too-many-rows", text: "unit,time,first,y\na,1,2,3\na,2,2,3\n", spec: func(s *ingest.PanelSpec) { s.Limits.Rows = 1 },
			want: `panel.csv:3: is past the limit of 1 rows`,
		},
		{
			name: "too-many-units", text: "unit,time,first,y\na,1,2,3\nb,2,2,3\n", spec: func(s *ingest.PanelSpec) { s.Limits.Units = 1 },
			want: `panel.csv:3: column unit: "b" is past the limit of 1 units`,
		},
		{
			name: "too-many-columns", text: "unit,time,first,y\n", spec: func(s *ingest.PanelSpec) { s.Limits.Columns = 3 },
			want: `panel.csv:1: the line has more than 3 columns`,
		},
		{
			name: "too-many-quoted-columns", text: "\"unit\",time,first,y\n", spec: func(s *ingest.PanelSpec) { s.Limits.Columns = 3 },
			want: `panel.csv:1: the line has more than 3 columns`,
		},
		{
			name: "long-field", text: "unit,time,first,y\naaaaaaaaaaa,1,2,3\n", spec: func(s *ingest.PanelSpec) { s.Limits.Field = 10 },
			want: `panel.csv:2: column unit: "aaaaaaaaaaa" is longer than 10 bytes`,
		},
		{
			name: "bad-pilot", text: "unit,time,first,y\na,1,2,3\n", spec: func(s *ingest.PanelSpec) { s.Pilot.ID = "No Spaces" },
			want: `"No Spaces" is not a pilot id`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := spec()
			if c.spec != nil {
				c.spec(&s)
			}
			_, _, err := importPanel(t, s, c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error = %v\nwant       %s", err, c.want)
			}
		})
	}
}

func TestBadSpecs(t *testing.T) {
	cases := map[string]struct {
		spec func(*ingest.PanelSpec)
		want string
	}{
		"no-unit":      {func(s *ingest.PanelSpec) { s.UnitCol = "" }, "name the columns of the unit and of the time"},
		"no-outcome":   {func(s *ingest.PanelSpec) { s.Outcomes = nil }, "name at least one outcome"},
		"no-start":     {func(s *ingest.PanelSpec) { s.FirstTreatedCol = "" }, "give each treated unit's start as unit=period"},
		"two-starts":   {func(s *ingest.PanelSpec) { s.Starts = map[string]string{"a": "1"} }, "not both"},
		"other-level":  {func(s *ingest.PanelSpec) { s.Pilot.Level = metrics.LevelPullRequests }, "is measured by pull_requests"},
		"dated-starts": {func(s *ingest.PanelSpec) { s.FirstTreatedCol, s.Pilot.Treated = "", []metrics.Adoption{{Unit: "a"}} }, "whole numbers, which have no dates"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := spec()
			c.spec(&s)
			if _, _, err := importPanel(t, s, "unit,time,first,y\na,1,2,3\n"); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error = %v, want %s", err, c.want)
			}
		})
	}
}

func TestBadDateInLine4000(t *testing.T) {
	var b strings.Builder
	b.WriteString("unit,time,first,y\n")
	for i := range 5000 {
		day := metrics.PeriodDay.Label(19000 + i)
		if i == 3998 {
			day = "2024-02-30"
		}
		fmt.Fprintf(&b, "a,%s,,%d\n", day, i)
	}
	_, _, err := importPanel(t, spec(), b.String())
	var line *ingest.LineError
	if !errors.As(err, &line) {
		t.Fatalf("error = %v, want a LineError", err)
	}
	want := ingest.LineError{
		File: "dir/panel.csv", Line: 4000, Column: "time", Value: "2024-02-30", Problem: "is not a day",
		Cure: "write a day or a week's first day as 2024-08-05, a month as 2024-08, a year as 2003, or a whole number",
	}
	if diff := cmp.Diff(want, *line); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStoreFails(t *testing.T) {
	store := newMemory()
	store.stopAfter = 2
	_, _, err := ingest.ImportPanel(context.Background(), store, strings.NewReader("unit,time,first,y\na,1,2,3\na,2,2,3\na,3,2,3\n"), "panel.csv", spec(), now)
	if !errors.Is(err, errDisk) || !strings.HasPrefix(err.Error(), "import panel.csv: ") {
		t.Errorf("error = %v", err)
	}
	if !store.empty() {
		t.Error("something was left behind")
	}
}
