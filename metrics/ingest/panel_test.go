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
		{"weeks", "2024-08-05 2024-W33", "2024-08-12", metrics.PeriodDay, "week", 19947},
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
