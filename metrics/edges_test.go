package metrics_test

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"steelyard/metrics"
)

func textOf(t *testing.T, r *metrics.Report) string {
	t.Helper()
	var b strings.Builder
	if err := metrics.WriteText(&b, r); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Series that never change show no noise; what rounding leaves of them must not
// pass for it.
func TestConstantSeriesShowNoNoise(t *testing.T) {
	for _, treated := range []int{1, 3} {
		p, panel := severalPanel(treated, 5, 26, 13, 0)
		for i, u := range panel.Unit {
			panel.Values[0][i] = float64(u + 1)
		}
		r := build(t, p, panel)
		m := r.Metrics[0]
		if m.Headline.Low != nil || m.Headline.P != nil || m.Ratio.Low != nil || m.Ratio.P != nil || m.PreTrend.P != nil {
			t.Errorf("%d treated: %s; ratio %s; %s", treated, m.Headline.Text, m.Ratio.Text, m.PreTrend.Text)
		}
		if text := textOf(t, r); strings.Contains(text, "regression") {
			t.Errorf("%d treated: the text speaks of a regression", treated)
		}
	}
}

// Where too few units stand behind errors, nothing that rests on them is said:
// no bands, no test of the time before.
func TestFewUnitsSayNothingOfTheTimeBefore(t *testing.T) {
	for _, n := range [][2]int{{3, 2}, {24, 1}, {5, 30}} {
		p, panel := staggeredPanel(n[0], n[1], .2)
		m := build(t, p, panel).Metrics[0]
		if m.PreTrend.P != nil || !strings.Contains(m.PreTrend.Text, "too few repositories") {
			t.Errorf("%v: %s", n, m.PreTrend.Text)
		}
		for _, pt := range m.EventStudy.Points {
			if pt.Low != nil || pt.BandHigh != nil {
				t.Errorf("%v: %+v has an interval", n, pt)
			}
		}
		for _, a := range m.Against {
			if a.Code == "event_before" {
				t.Errorf("%v: %s", n, a.Text)
			}
		}
	}
}

// What estimators say of their units and numbered periods is said of the
// pilot's own, by name.
func TestNotesSpeakThePilotsWords(t *testing.T) {
	foreign := regexp.MustCompile(`\b[Uu]nits?\b|\bperiod \d|\bperiods? before\b`)
	panels := map[string]func() (metrics.Pilot, *metrics.Panel){
		"two waves alone": func() (metrics.Pilot, *metrics.Panel) { return staggeredPanel(2, 1, .2) },
		"few":             func() (metrics.Pilot, *metrics.Panel) { return staggeredPanel(4, 4, .2) },
		"one":             func() (metrics.Pilot, *metrics.Panel) { return staggeredPanel(1, 9, .2) },
		"gaps": func() (metrics.Pilot, *metrics.Panel) {
			p, panel := staggeredPanel(2, 1, .2)
			for i := range panel.Values[0] {
				if i%3 == 0 {
					panel.Values[0][i] = math.NaN()
				}
			}
			return p, panel
		},
	}
	for name, make := range panels {
		if found := foreign.FindString(textOf(t, build(t, first(make()), second(make())))); found != "" {
			t.Errorf("%s: the text says %q", name, found)
		}
	}
	if text := textOf(t, build(t, first(staggeredPanel(2, 1, .2)), second(staggeredPanel(2, 1, .2)))); !strings.Contains(text, "One repository alone starts in 2025-05") {
		t.Errorf("no month in %s", text)
	}
}

// Two units are each other's comparison: a rank among them says nothing.
func TestTwoUnitsHaveNoRank(t *testing.T) {
	p, panel := onePanel(1, 26, 13, 9)
	r := build(t, p, panel)
	if r.Metrics[0].Placebo != nil || !strings.Contains(strings.Join(r.MethodsNotUsed(), " "), "both always move equally far") {
		t.Errorf("placebo %+v; %v", r.Metrics[0].Placebo, r.MethodsNotUsed())
	}
}

// Of many comparison units some are taken as placebos, by lot, and the mix is
// counted by shares of its own size.
func TestManyComparisonUnits(t *testing.T) {
	p, panel := onePanel(300, 16, 8, 4)
	for _, o := range build(t, p, panel).Metrics[0].Others {
		if o.Method != "synthetic-did" {
			continue
		}
		note := strings.Join(o.Notes, " ")
		if o.Low == nil || !strings.Contains(note, "taking 100 of them, drawn by lot") || strings.Contains(note, "mix of 0 of") {
			t.Errorf("%s: %s", o.Text, note)
		}
		return
	}
	t.Error("synthetic DiD is not shown")
}

// A design whose headline has no interval says why under its method, too.
func TestMethodWithoutIntervalSaysWhy(t *testing.T) {
	p, panel := onePanel(4, 2, 6, 3)
	if r := build(t, p, panel); len(r.Design.Why) == 0 || !strings.Contains(r.Design.Why[0], "at least 3 weeks") {
		t.Errorf("why %q", r.Design.Why)
	}
}

// A conclusion that trends could undo says so among its reasons, and a verdict
// names its outcome.
func TestVerdictSaysWhatWouldUndoIt(t *testing.T) {
	p, panel := onePanel(20, 40, 20, 6)
	r := build(t, p, panel)
	has := slices.ContainsFunc(r.Verdict.Reasons, func(x metrics.Reason) bool { return x.Code == "trend_bend" })
	b := r.Metrics[0].Breakdown
	if r.Verdict.Value != metrics.VerdictImproved || b == nil || b.Bound == nil || has != (*b.Bound < 1) {
		t.Errorf("verdict %s with the reason %t: %+v", r.Verdict.Value, has, b)
	}
	p, panel = onePanel(5, 26, 13, 0)
	for i := range panel.Values[0] {
		panel.Values[0][i] = 4
	}
	if r := build(t, p, panel); !strings.HasPrefix(r.Verdict.Sentence, "Merged pull requests: ") {
		t.Errorf("sentence %q", r.Verdict.Sentence)
	}
}

// A test that finds the groups apart and knows its own limit says so where it
// decides.
func TestPreTrendSaysItsLimitInTheVerdict(t *testing.T) {
	p, panel := staggeredPanel(12, 12, .2)
	p.Outcomes = p.Outcomes[1:]
	p.Outcomes[0].Role = metrics.RolePrimary
	r := build(t, p, panel)
	if test := r.Metrics[0].PreTrend; test.P == nil || *test.P >= 0.05 || len(test.Notes) == 0 {
		t.Fatalf("the example is not what it should be: %+v", test)
	}
	if x := r.Verdict.Reasons[0]; x.Code != "pre_trend" || !strings.Contains(x.Text, "has its limit: a cohort has no more") {
		t.Errorf("%s: %s", x.Code, x.Text)
	}
}
