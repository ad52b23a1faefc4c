package ingest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

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
		{name: "too-large-to-square", text: "unit,time,first,y\na,1,2,-1.1e100\n", want: `panel.csv:2: column y: "-1.1e100" is too large to be computed with; outcomes go to ±1e+100`},
		{name: "too-large-for-a-logarithm", text: "unit,time,first,y\na,1,2,201\n", spec: func(s *ingest.PanelSpec) { s.Outcomes[0].Scale = metrics.ScaleLogged }, want: `panel.csv:2: column y: "201" is too large for a logarithm; logarithms go to ±200`},
		{name: "too-large-for-a-count", text: "unit,time,first,y\na,1,2,1000000001\n", spec: func(s *ingest.PanelSpec) { s.Outcomes[0].Scale = metrics.ScaleCount }, want: `panel.csv:2: column y: "1000000001" is too large for a count; counts go to 1,000,000,000`},
		{name: "exposure-too-large", text: "unit,time,first,y,n\na,1,2,3,1e300\n", spec: func(s *ingest.PanelSpec) { s.ExposureCol = "n" }, want: `panel.csv:2: column n: "1e300" is too small or too large to count over; an exposure lies between 1e-09 and 1e+15`},
		{name: "exposure-too-small", text: "unit,time,first,y,n\na,1,2,3,1e-300\n", spec: func(s *ingest.PanelSpec) { s.ExposureCol = "n" }, want: `"1e-300" is too small or too large to count over`},
		{name: "bidirectional-unit", text: "unit,time,first,y\n\u2066a\u2069,1,2,3\n", want: `panel.csv:2: column unit: "\u2066a\u2069" has the invisible character U+2066; take it out: it would make one name look like another`},
		{name: "tagged-unit", text: "unit,time,first,y\na\U000e0041,1,2,3\n", want: `has the invisible character U+E0041`},
		{name: "long-value", text: "unit,time,first,y\na,1,2," + long + "\n", want: `column y: "` + strings.Repeat("x", 79) + `…" is not a number`},
		{name: "no-unit", text: "unit,time,first,y\n ,1,2,3\n", want: `panel.csv:2: column unit: " " is missing; give every row its name, or delete the line`},
		{name: "long-unit", text: "unit,time,first,y\n" + long + ",1,2,3\n", want: `is longer than 200 bytes`},
		{name: "no-period", text: "unit,time,first,y\na,,2,3\n", want: `panel.csv:2: column time: "" is missing; write a day`},
		{name: "bad-period", text: "unit,time,first,y\na,spring,2,3\n", want: `column time: "spring" is not a period; write a day`},
		{name: "period-of-ten-digits", text: "unit,time,first,y\na,2147483648,,3\n", want: `panel.csv:2: column time: "2147483648" is too large for a period; count periods in at most 9 digits`},
		{name: "first-of-ten-digits", text: "unit,time,first,y\na,1,-2147483648,3\n", want: `panel.csv:2: column first: "-2147483648" is too large for a period`},
		{name: "day-of-year-1", text: "unit,time,first,y\na,0001-01-01,,3\n", want: `panel.csv:2: column time: "0001-01-01" is not between the years 1900 and 2199; correct it`},
		{name: "month-of-year-9999", text: "unit,time,first,y\na,2024-08,9999-12,3\n", want: `panel.csv:2: column first: "9999-12" is not between the years 1900 and 2199`},
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
			want: `column y: "0" has no logarithm; use the scale log1p, ln(1 + x)`,
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
