package metrics_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"steelyard/metrics"
)

// Reference: R did 2.5.0, analytic (csdid's ref_aggte.csv).
func TestMpdta(t *testing.T) {
	p, panel := mpdta(t)
	r := build(t, p, panel)
	h := r.Metrics[0].Headline
	if !near(h.Raw, -0.0399512751551763, 1e-14) || !near(h.Estimate, -0.0399512751551763, 1e-14) || !near(h.SE, 0.012034012770254, 1e-12) {
		t.Errorf("simple effect %v (se %v)", *h.Raw, *h.SE)
	}
	var b strings.Builder
	if err := metrics.WriteText(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"−0.0399512751552", "0.0120340127702"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text does not show %s", want)
		}
	}
	if r.Design.Kind != metrics.DesignStaggered || !near(r.Metrics[0].PreTrend.Statistic, 7.79123662720035, 1e-9) {
		t.Errorf("design %s, pre-test %+v", r.Design.Kind, r.Metrics[0].PreTrend)
	}
	m := r.Metrics[0]
	if !near(m.Headline.Estimate, *m.Pilot.Value-*m.Comparison.Value, 1e-15) {
		t.Errorf("%v − %v is not %v", *m.Pilot.Value, *m.Comparison.Value, *m.Headline.Estimate)
	}
}

// Reference: reference_he2025.csv, "BJS imputation static no covs, dedup" and
// "Callaway-SantAnna unbalanced no covs, dedup"; R didimputation and did.
func TestHe2025(t *testing.T) {
	p, panel := he2025(t)
	r := build(t, p, panel)
	want := map[string]struct{ imputation, imputationSE, cs, csSE float64 }{
		"commits":              {0.298827783430642, 0.0627207850878097, -0.141197033703606, 0.0815526497507765},
		"lines_added":          {0.898512469967173, 0.138697024587195, -0.0835212551824124, 0.190693821664149},
		"warnings":             {0.316405417791183, 0.0545144508439401, 0, 0},
		"cognitive_complexity": {0.405265501046615, 0.0567256623486229, 0.164050647031462, 0.0875261805052202},
	}
	for _, m := range r.Metrics {
		w := want[m.Outcome.ID]
		im := m.Others[len(m.Others)-1]
		if im.Method != "imputation" || !near(im.Raw, w.imputation, 1e-6) || !near(im.SE, w.imputationSE, 1e-6) {
			t.Errorf("%s: imputation %v (se %v), want %v (%v)", m.Outcome.ID, *im.Raw, *im.SE, w.imputation, w.imputationSE)
		}
		if w.cs != 0 && (!near(m.Headline.Raw, w.cs, 1e-10) || !near(m.Headline.SE, w.csSE, 1e-9)) {
			t.Errorf("%s: Callaway–Sant’Anna %v (se %v), want %v (%v)", m.Outcome.ID, *m.Headline.Raw, *m.Headline.SE, w.cs, w.csSE)
		}
	}
	if r.Verdict.Value != metrics.VerdictCannotSayYet || !slices.ContainsFunc(r.Verdict.Reasons, func(x metrics.Reason) bool { return x.Code == "methods_disagree" }) {
		t.Errorf("verdict %s: %v", r.Verdict.Value, r.Verdict.Reasons)
	}
	// 1,080 rows without an untreated row and 374 treated rows of units with
	// one; the data's own note counts both among 4,409 treated rows.
	var early int
	for _, l := range r.Metrics[0].Sample.LeftOut {
		if strings.Contains(l.Reason, "fewer than two months before adoption") {
			early += l.Count
		}
	}
	if early != 1080+448 {
		t.Errorf("%d rows of repositories with fewer than two months before adoption, want 1,528", early)
	}
}

// With few periods after the start the interval rests on the last ones before
// it, and the estimate on all: they can point to opposite sides.
func TestEstimateAgainstItsOwnInterval(t *testing.T) {
	p, panel := onePanel(5, 40, 4, 0)
	start := metrics.PeriodDay.At(day("2026-01-05"))
	for i, u := range panel.Unit {
		w := (panel.Period[i] - start) / 7
		x := 20 + math.Sin(float64(7*w+3*u))/5
		if u == 0 && w < -12 {
			x += 10 // long ago it stood higher than now
		}
		if u == 0 && w >= 0 {
			x += 5
		}
		panel.Values[0][i] = x
	}
	r := build(t, p, panel)
	m := r.Metrics[0]
	if *m.Headline.Estimate >= 0 || *m.Headline.Low <= 0 {
		t.Fatalf("the example is not what it should be: %s", m.Headline.Text)
	}
	if !m.Disagree || r.Verdict.Value != metrics.VerdictCannotSayYet || strings.Contains(m.Finding, "clear of chance") {
		t.Errorf("verdict %s: %q", r.Verdict.Value, m.Finding)
	}
	if !slices.ContainsFunc(r.Verdict.Reasons, func(x metrics.Reason) bool { return x.Code == "methods_disagree" }) {
		t.Errorf("reasons %v", r.Verdict.Reasons)
	}
}

// Points of a pilot much noisier than the others would stand clear of bands
// that come from the others' spread.
func TestEventStudyOfANoisyPilotHasNoBands(t *testing.T) {
	p, panel := onePanel(6, 30, 15, 0)
	for i, u := range panel.Unit {
		if u == 0 {
			panel.Values[0][i] = 20 + 4*(panel.Values[0][i]-20)
		}
	}
	es := build(t, p, panel).Metrics[0].EventStudy
	for _, pt := range es.Points {
		if pt.Low != nil || pt.BandLow != nil {
			t.Fatalf("point %+v has an interval", pt)
		}
	}
	if !strings.Contains(es.Caption, "varied") || strings.Contains(es.Finding, "clear") {
		t.Errorf("caption %q, finding %q", es.Caption, es.Finding)
	}
}

func TestDesigns(t *testing.T) {
	sameStart := func(treated, others int) (metrics.Pilot, *metrics.Panel) {
		p, panel := staggeredPanel(treated, others, .3)
		for i := range panel.Units {
			if panel.Units[i].FirstTreated != metrics.Never {
				panel.Units[i].FirstTreated = 12*2025 + 6
			}
		}
		return p, panel
	}
	tests := []struct {
		name        string
		pilot       metrics.Pilot
		panel       *metrics.Panel
		kind        metrics.DesignKind
		method      string
		admissible  bool
		comparisons int
	}{}
	add := func(name string, p metrics.Pilot, panel *metrics.Panel, kind metrics.DesignKind, method string, admissible bool, n int) {
		tests = append(tests, struct {
			name        string
			pilot       metrics.Pilot
			panel       *metrics.Panel
			kind        metrics.DesignKind
			method      string
			admissible  bool
			comparisons int
		}{name, p, panel, kind, method, admissible, n})
	}
	p, panel := sameStart(1, 5)
	add("one", p, panel, metrics.DesignOneTreated, "cross-fit-t", true, 5)
	p, panel = sameStart(4, 5)
	add("several-one-start", p, panel, metrics.DesignSeveralTreated, "two-by-two", true, 5)
	p, panel = sameStart(2, 3)
	add("few-one-start", p, panel, metrics.DesignFewTreated, "cross-fit-t", true, 3)
	p, panel = sameStart(6, 1)
	add("one-to-compare-with", p, panel, metrics.DesignFewTreated, "cross-fit-t", true, 1)
	p, panel = sameStart(12, 15)
	add("many-one-start", p, panel, metrics.DesignSeveralTreated, "two-by-two", true, 15)
	p, panel = staggeredPanel(4, 20, .3)
	add("few-starts", p, panel, metrics.DesignStaggered, "callaway-santanna-never-treated", false, 20)
	p, panel = staggeredPanel(24, 0, .3)
	add("nobody-never", p, panel, metrics.DesignStaggered, "callaway-santanna-not-yet-treated", true, 0)
	p, panel = sameStart(1, 1)
	add("one-against-one", p, panel, metrics.DesignOneTreated, "cross-fit-t", true, 1)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := build(t, tt.pilot, tt.panel)
			h := r.Metrics[0].Headline
			if r.Design.Kind != tt.kind || r.Design.Method != tt.method || h.Method != tt.method {
				t.Errorf("design %s by %s (headline %s)", r.Design.Kind, r.Design.Method, h.Method)
			}
			if h.Admissible != tt.admissible || r.Design.ComparisonUnits != tt.comparisons {
				t.Errorf("admissible %t, %d comparison units; %s", h.Admissible, r.Design.ComparisonUnits, h.Text)
			}
			if len(r.Design.Why) < 2 || len(r.Design.NotUsed) < 3 {
				t.Errorf("only %d reasons for the method, %d against others", len(r.Design.Why), len(r.Design.NotUsed))
			}
			if !tt.admissible && r.Verdict.Value != metrics.VerdictCannotSayYet {
				t.Errorf("verdict %s on errors nobody can trust", r.Verdict.Value)
			}
		})
	}
}

func TestTooFewPeriodsGiveNoInterval(t *testing.T) {
	p, panel := onePanel(4, 2, 6, 3)
	r := build(t, p, panel)
	h := r.Metrics[0].Headline
	if h.Estimate == nil || h.Low != nil || h.P != nil || h.Missing == "" || h.Admissible {
		t.Errorf("headline on two weeks before: %+v", h)
	}
	if r.Verdict.Value != metrics.VerdictCannotSayYet || r.Verdict.Reasons[0].Code != "no_interval" {
		t.Errorf("verdict %s: %v", r.Verdict.Value, r.Verdict.Reasons)
	}
}

func TestNoComparison(t *testing.T) {
	p, panel := onePanel(0, 12, 6, 3)
	r := build(t, p, panel)
	if r.Verdict.Value != metrics.VerdictCannotSayYet || r.Verdict.Reasons[0].Code != "no_comparison" {
		t.Errorf("verdict %s: %v", r.Verdict.Value, r.Verdict.Reasons)
	}
}

// A noisy pilot makes Donald–Lang too narrow, so it may not stop a verdict.
func TestNoisyPilotDisqualifiesDonaldLang(t *testing.T) {
	p, panel := onePanel(6, 30, 15, 0)
	for i, u := range panel.Unit {
		if u == 0 {
			panel.Values[0][i] = math.Max(0, panel.Values[0][i]+10*math.Sin(float64(i)))
		}
	}
	r := build(t, p, panel)
	dl := r.Metrics[0].Others[0]
	if dl.Method != "donald-lang" || dl.Admissible || len(dl.Notes) == 0 {
		t.Errorf("Donald–Lang: %+v", dl)
	}
	if !slices.ContainsFunc(r.Metrics[0].Against, func(x metrics.Reason) bool { return x.Code == "pilot_noisier" }) {
		t.Errorf("nothing said against a noisy pilot: %v", r.Metrics[0].Against)
	}
}

// Values that are not positive have no percentage; the effect is then in the
// outcome's own unit.
func TestZeroBeforeReadsInOwnUnit(t *testing.T) {
	p, panel := onePanel(4, 12, 6, 3)
	for i, u := range panel.Unit {
		if u == 0 && panel.Period[i] < metrics.PeriodDay.At(day("2026-01-05")) {
			panel.Values[0][i] = 0
		}
	}
	m := build(t, p, panel).Metrics[0]
	if m.Headline.Unit != metrics.UnitLevel || m.ChangeUnit != metrics.UnitLevel || m.Ratio != nil {
		t.Errorf("headline in %s, changes in %s, ratio %v", m.Headline.Unit, m.ChangeUnit, m.Ratio)
	}
}

func TestLeftOutSpans(t *testing.T) {
	p, panel := onePanel(4, 20, 10, 3)
	want := build(t, p, panel)
	freeze := metrics.PeriodDay.At(day("2025-11-03"))
	for i := range panel.Period {
		if panel.Period[i] == freeze {
			panel.Values[0][i] = 1e6
		}
	}
	p.LeftOut = []metrics.Exclusion{{Window: window("2025-11-05", "2025-11-06"), Reason: "freeze"}}
	r := build(t, p, panel)
	if r.Design.PeriodsBefore != 19 || want.Design.PeriodsBefore != 20 {
		t.Errorf("%d periods before, want 19", r.Design.PeriodsBefore)
	}
	if after := *r.Metrics[0].Pilot.Before; after > 100 {
		t.Errorf("the freeze still counts: %v", after)
	}
	i := slices.IndexFunc(r.Metrics[0].Trend.Points, func(p metrics.TrendPoint) bool { return p.LeftOut == "freeze" })
	if i < 0 || r.Metrics[0].Trend.Points[i].Label != "2025-11-03" {
		t.Error("the trend does not show the freeze")
	}
}

func TestWindowsOfAPanel(t *testing.T) {
	p, panel := onePanel(4, 20, 10, 3)
	p.Before, p.After = window("2025-09-15", "2025-12-22"), window("2026-01-19", "2026-02-16")
	r := build(t, p, panel)
	if r.Design.PeriodsBefore != 14 || r.Design.PeriodsAfter != 4 {
		t.Errorf("%d and %d periods, want 14 and 4", r.Design.PeriodsBefore, r.Design.PeriodsAfter)
	}
	p.After.To = day("2027-01-01")
	if r := build(t, p, panel); r.Verdict.Reasons[0].Code != "window_not_over" {
		t.Errorf("reasons %v", r.Verdict.Reasons)
	}
	p.After.To, p.Before.From = time.Time{}, day("2025-01-06")
	r = build(t, p, panel)
	if !slices.ContainsFunc(r.Verdict.Reasons, func(x metrics.Reason) bool { return x.Code == "ingest_incomplete" }) || len(r.Health) == 0 {
		t.Errorf("data that begins late: reasons %v, health %v", r.Verdict.Reasons, r.Health)
	}
}

func TestAlwaysTreatedAndUnnamedAreCounted(t *testing.T) {
	p, panel := staggeredPanel(24, 20, .2)
	panel.Units[0].FirstTreated = 12 * 2025
	panel.Units[1].FirstTreated = 12*2025 - 7
	for i := 24; i < 40; i++ {
		p.Comparison = append(p.Comparison, panel.Units[i].Name)
	}
	r := build(t, p, panel)
	got := map[string]int{}
	for _, l := range r.LeftOut {
		got[l.Reason] = l.Count
	}
	if got["the data holds no time before the start"] != 2 || got["the definition names others as the comparison"] != 4 {
		t.Errorf("left out %v", got)
	}
	if r.Design.TreatedUnits != 22 || r.Design.ComparisonUnits != 16 {
		t.Errorf("%d treated, %d comparison", r.Design.TreatedUnits, r.Design.ComparisonUnits)
	}
}

func TestBadPanelsAreErrors(t *testing.T) {
	p, panel := onePanel(2, 6, 3, 0)
	tests := map[string]func() (metrics.Pilot, *metrics.Panel){
		"no rows":         func() (metrics.Pilot, *metrics.Panel) { return p, &metrics.Panel{} },
		"no panel":        func() (metrics.Pilot, *metrics.Panel) { return p, nil },
		"no column":       func() (metrics.Pilot, *metrics.Panel) { q := *panel; q.Outcomes = []string{"x", "y"}; return p, &q },
		"periods too far": func() (metrics.Pilot, *metrics.Panel) { return farPanel(p) },
	}
	for name, make := range tests {
		q, bad := make()
		if _, err := metrics.Build(metrics.Definition{Pilot: q}, metrics.Data{Panel: bad}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func farPanel(p metrics.Pilot) (metrics.Pilot, *metrics.Panel) {
	b := newPanel(metrics.PeriodInteger, "merges", "reverts")
	b.add("a", 0, 3, 1, 1)
	b.add("a", 1, 3, 1, 1)
	b.add("a", 900_000_000, 3, 1, 1)
	return p, &b.panel
}
