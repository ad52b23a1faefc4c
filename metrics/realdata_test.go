package metrics_test

import (
	"compress/gzip"
	"encoding/csv"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"steelyard/metrics"
)

// readTable reads a CSV file of the measurement data as maps by column; the
// test is skipped where the data is absent.
func readTable(tb testing.TB, name string) []map[string]string {
	tb.Helper()
	dir := os.Getenv("STEELYARD_DATA")
	if dir == "" {
		dir = "../../shared/data"
	} else if !filepath.IsAbs(dir) {
		dir = filepath.Join("..", dir)
	}
	f, err := os.Open(filepath.Join(dir, "measurement", name))
	if err != nil {
		tb.Skipf("needs %s of the measurement data: set STEELYARD_DATA (%v)", name, err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			tb.Fatal(err)
		}
	}
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	out := make([]map[string]string, 0, len(rows))
	for _, row := range rows[1:] {
		m := make(map[string]string, len(row))
		for i, v := range row {
			m[rows[0][i]] = v
		}
		out = append(out, m)
	}
	return out
}

func number(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// panelBuilder adds rows up to a panel.
type panelBuilder struct {
	panel metrics.Panel
	unit  map[string]int
}

func newPanel(kind metrics.PeriodKind, outcomes ...string) *panelBuilder {
	return &panelBuilder{
		panel: metrics.Panel{Kind: kind, Outcomes: outcomes, Values: make([][]float64, len(outcomes))},
		unit:  map[string]int{},
	}
}

func (b *panelBuilder) add(unit string, period, first int, values ...float64) {
	u, ok := b.unit[unit]
	if !ok {
		u = len(b.panel.Units)
		b.unit[unit] = u
		b.panel.Units = append(b.panel.Units, metrics.PanelUnit{Name: unit, FirstTreated: first})
	}
	b.panel.Unit = append(b.panel.Unit, u)
	b.panel.Period = append(b.panel.Period, period)
	for k, x := range values {
		b.panel.Values[k] = append(b.panel.Values[k], x)
	}
}

func mpdta(tb testing.TB) (metrics.Pilot, *metrics.Panel) {
	tb.Helper()
	b := newPanel(metrics.PeriodYear, "lemp")
	for _, r := range readTable(tb, "mpdta.csv") {
		year, _ := strconv.Atoi(r["year"])
		first, _ := strconv.Atoi(r["first_treat"])
		if first == 0 {
			first = metrics.Never
		}
		b.add(r["countyreal"], year, first, number(r["lemp"]))
	}
	return metrics.Pilot{
		ID: "mpdta", Title: "Minimum wage and teen employment", Subject: "Counties that raised the minimum wage",
		Level: metrics.LevelPanel, UnitNoun: "county", PeriodNoun: "year", Seed: 1, SmallestEffect: 0.1,
		Outcomes: []metrics.Outcome{{ID: "lemp", Title: "Log teen employment", Better: metrics.BetterNeutral, Scale: metrics.ScaleLevel, Role: metrics.RolePrimary}},
	}, &b.panel
}

func he2025(tb testing.TB) (metrics.Pilot, *metrics.Panel) {
	tb.Helper()
	b := newPanel(metrics.PeriodMonth, "commits", "lines_added", "warnings", "cognitive_complexity")
	start := 12 * 2024
	dropped := 0
	for _, r := range readTable(tb, "he2025_cursor_panel_monthly.csv.gz") {
		if r["dup"] == "1" {
			dropped++
			continue
		}
		t, _ := strconv.Atoi(r["t"])
		first := metrics.Never
		if g, err := strconv.Atoi(strings.TrimSuffix(r["g"], ".0")); err == nil {
			first = start + g
		}
		b.add(r["repo_name"], start+t, first, number(r["commits"]), number(r["lines_added"]),
			number(r["code_smells"])+number(r["vulnerabilities"])+number(r["bugs"]), number(r["cognitive_complexity"]))
	}
	b.panel.Import = metrics.Import{File: "he2025_cursor_panel_monthly.csv.gz", LeftOut: []metrics.LeftOut{
		{Count: dropped, What: "rows", Reason: "the source ships the repository-month twice"},
	}}
	neutral := func(id, title string, role metrics.Role) metrics.Outcome {
		return metrics.Outcome{ID: id, Title: title, Better: metrics.BetterNeutral, Scale: metrics.ScaleLog1p, Role: role}
	}
	counter := func(id, title string) metrics.Outcome {
		return metrics.Outcome{ID: id, Title: title, Better: metrics.BetterLower, Scale: metrics.ScaleLog1p, Role: metrics.RoleCounter}
	}
	return metrics.Pilot{
		ID: "ai-editor-2025", Title: "Open-source repositories that adopted an AI editor", Subject: "repositories that adopted the editor",
		Level: metrics.LevelPanel, UnitNoun: "repository", PeriodNoun: "month", Seed: 2025, SmallestEffect: 0.1,
		Outcomes: []metrics.Outcome{
			neutral("commits", "Commits", metrics.RolePrimary), neutral("lines_added", "Lines added", metrics.RoleSecondary),
			counter("warnings", "Static-analysis warnings"), counter("cognitive_complexity", "Cognitive complexity"),
		},
	}, &b.panel
}

func build(tb testing.TB, p metrics.Pilot, panel *metrics.Panel) *metrics.Report {
	tb.Helper()
	if err := p.Validate(); err != nil {
		tb.Fatal(err)
	}
	hash, err := p.Hash()
	if err != nil {
		tb.Fatal(err)
	}
	r, err := metrics.Build(metrics.Definition{Pilot: p, Hash: hash}, metrics.Data{Panel: panel})
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func near(got *float64, want, tolerance float64) bool {
	return got != nil && math.Abs(*got-want) <= tolerance*math.Max(1, math.Abs(want))
}
