package metrics_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"steelyard/metrics"
)

// The parts of one report must not contradict each other.

// troughPanel is one repository against four, equal but for a bin just before
// the start in which the treated one fell: a Christmas week.
func troughPanel() (metrics.Pilot, *metrics.Panel) {
	p, panel := onePanel(5, 12, 6, 0)
	for i, u := range panel.Unit {
		if u == 0 && panel.Period[i] == panel.Units[0].FirstTreated-7 {
			panel.Values[0][i] = 2
		}
	}
	return p, panel
}

// One odd week before the start does not move every dot: they are relative to
// the whole time before.
func TestEventStudyIsRelativeToTheWholeTimeBefore(t *testing.T) {
	p, panel := troughPanel()
	es := build(t, p, panel).Metrics[0].EventStudy
	var before, after, nb, na float64
	for _, pt := range es.Points {
		if pt.Baseline || pt.Estimate == nil {
			t.Fatalf("point %+v is a baseline, or missing", pt)
		}
		if pt.Event < 0 {
			before, nb = before+*pt.Estimate, nb+1
		} else {
			after, na = after+*pt.Estimate, na+1
		}
	}
	if math.Abs(before/nb) > 1e-9 || math.Abs(after/na-*es.Average) > 1e-9 {
		t.Errorf("dots average %v before and %v after the start; want 0 and the headline, %v", before/nb, after/na, *es.Average)
	}
	if es.AxisTitle != "Weeks from the start" || es.Step != 1 {
		t.Errorf("axis %q, step %d", es.AxisTitle, es.Step)
	}
}

// What stands clear before the start is counted against the number, and nothing
// says that nothing speaks against it.
func TestClearDotsBeforeTheStartSpeakAgainst(t *testing.T) {
	p, panel := onePanel(30, 16, 4, 0)
	noise := rand.New(rand.NewPCG(3, 5))
	for i := range panel.Unit { // alike, but for one odd week
		panel.Values[0][i] = 20 + .3*noise.NormFloat64()
		if panel.Unit[i] == 0 && panel.Period[i] == panel.Units[0].FirstTreated-42 {
			panel.Values[0][i] = 21.4
		}
	}
	r := build(t, p, panel)
	m := r.Metrics[0]
	if !strings.HasPrefix(m.EventStudy.Finding, "The groups already differed before the start: 1 week before it lies clearly above zero") {
		t.Fatalf("finding %q", m.EventStudy.Finding)
	}
	against := false
	for _, a := range m.Against {
		against = against || a.Code == "event_before"
	}
	if !against {
		t.Errorf("against %+v; want what the event study shows", m.Against)
	}
	for _, reason := range r.Verdict.Reasons {
		if strings.Contains(reason.Title, "Nothing speaks against") {
			t.Errorf("reason %+v beside a finding that does", reason)
		}
	}
}

// A clear effect is not said to be unclear by the figure under it.
func TestEventStudyAgreesWithTheHeadline(t *testing.T) {
	p, panel := onePanel(4, 18, 9, 3)
	m := build(t, p, panel).Metrics[0]
	if !m.Headline.ExcludesNoChange() {
		t.Fatalf("the example is not what it should be: %s", m.Headline.Text)
	}
	if strings.HasPrefix(m.EventStudy.Finding, "No ") && !strings.Contains(m.EventStudy.Finding, "their average is") {
		t.Errorf("finding %q beside %q", m.EventStudy.Finding, m.Finding)
	}
}

// A trend without a single start is told by what is drawn.
func TestStaggeredTrendTellsItsLines(t *testing.T) {
	p, panel := staggeredPanel(24, 30, .2)
	m := build(t, p, panel).Metrics[0]
	if !strings.HasPrefix(m.Trend.Finding, "Commits from 2025-01 to 2025-12: ") {
		t.Errorf("finding %q", m.Trend.Finding)
	}
}

func TestSummariesSayThatMethodsDisagree(t *testing.T) {
	s := newFakeStore()
	p, panel := onePanel(4, 18, 9, 4)
	s.put(p, panel)
	all, err := metrics.NewReporter(s).Summaries(t.Context())
	if err != nil || len(all) != 1 || all[0].Disagree != reportOf(t, s, p.ID).Metrics[0].Disagree {
		t.Errorf("summaries %+v, %v", all, err)
	}
}

// Rows that are not there are counted.
func TestAbsentRowsAreCounted(t *testing.T) {
	p, panel := onePanel(3, 12, 6, 0)
	for _, drop := range []int{2, 21, 40} {
		panel.Unit = append(panel.Unit[:drop], panel.Unit[drop+1:]...)
		panel.Period = append(panel.Period[:drop], panel.Period[drop+1:]...)
		panel.Exposure = append(panel.Exposure[:drop], panel.Exposure[drop+1:]...)
		for k := range panel.Values {
			panel.Values[k] = append(panel.Values[k][:drop], panel.Values[k][drop+1:]...)
		}
	}
	for _, l := range build(t, p, panel).LeftOut {
		if l.Reason == "the data has no row for them" {
			if l.Count != 3 || l.What != "repository-weeks" {
				t.Errorf("left out %+v", l)
			}
			return
		}
	}
	t.Error("three missing rows are left out in silence")
}

// The end of the data is its last day, wherever it is said.
func TestThroughIsTheLastDayCovered(t *testing.T) {
	t.Run("weeks", func(t *testing.T) {
		p, panel := onePanel(3, 12, 6, 0)
		d := build(t, p, panel).Design
		if d.Through != "2026-02-15" || d.LastPeriod != "2026-02-09" || d.Span != 18 {
			t.Errorf("through %s, last period %s, span %d", d.Through, d.LastPeriod, d.Span)
		}
	})
	t.Run("data-ends-inside-a-week", func(t *testing.T) {
		s := newFakeStore()
		end := day("2026-09-20") // the last Sunday evening of the worked example
		for _, pr := range workedPulls() {
			if pr.Opened.Before(end.AddDate(0, 0, -2)) {
				pr.Opened, pr.Merged, pr.Closed = pr.Opened.AddDate(0, 0, 2), pr.Merged.AddDate(0, 0, 2), pr.Closed.AddDate(0, 0, 2)
				if pr.Merged.After(end) {
					continue
				}
				s.pulls = append(s.pulls, pr)
			}
		}
		s.imports = []metrics.Import{{File: "worked.csv", At: day("2026-11-29")}}
		p := workedPilot()
		p.Treated[0].Start = p.Treated[0].Start.AddDate(0, 0, 2) // a Wednesday
		p.Before, p.After, p.LeftOut = metrics.Window{}, metrics.Window{}, nil
		s.put(p, nil)
		r := reportOf(t, s, p.ID)
		if got := r.Design.Through; got > "2026-09-20" {
			t.Errorf("data through %s, and nothing happened after 2026-09-20", got)
		}
	})
	t.Run("data-page", func(t *testing.T) {
		s := newFakeStore()
		p, panel := onePanel(3, 12, 6, 0)
		p.Before.From = day("2025-11-03")
		s.put(p, panel)
		health, err := metrics.NewReporter(s).Data(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		set := health.DataSets[0]
		if set.Periods != 18 || set.Used != 15 || set.Last != "2026-02-15" || set.PeriodNoun != "week" || set.UnitNoun != "repository" {
			t.Errorf("data set %+v", set)
		}
	})
}

// A report without numbers says why once.
func TestNoEstimateIsSaidOnce(t *testing.T) {
	p, panel := onePanel(3, 12, 6, 0)
	panel.Units[0].FirstTreated = metrics.PeriodDay.At(day("2027-01-04"))
	r := build(t, p, panel)
	for name, write := range map[string]func(*strings.Builder) error{
		"text":     func(b *strings.Builder) error { return metrics.WriteText(b, r) },
		"markdown": func(b *strings.Builder) error { return metrics.WriteMarkdown(b, r) },
	} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(strings.ToLower(strings.Join(strings.Fields(b.String()), " ")), "the start lies after the end of the data"); n > 2 {
			t.Errorf("%s says it %d times; want at most the reason and what was left out", name, n)
		}
	}
}

// An interval no fall can fill is explained in a sentence.
func TestImpossibleFallsAreExplained(t *testing.T) {
	p, panel := onePanel(4, 12, 6, 0)
	for i, u := range panel.Unit {
		if u == 0 {
			panel.Values[0][i] = []float64{10, 100, 30, 40, 40}[i/4]
		}
	}
	m := build(t, p, panel).Metrics[0]
	if m.Headline.Low == nil || *m.Headline.Low > -110 || *m.Detectable < 100 {
		t.Fatalf("the example is not what it should be: %s", m.Headline.Text)
	}
	if !slices.ContainsFunc(m.Against, func(a metrics.Reason) bool { return strings.Contains(a.Text, "is impossible") }) {
		t.Errorf("against %+v", m.Against)
	}
	if !strings.Contains(m.DetectableText, "it would only have noticed merged pull requests") {
		t.Errorf("detectable: %q", m.DetectableText)
	}
}

// Harm that is likely is not played down.
func TestLikelyHarmIsSaid(t *testing.T) {
	likely := func(p, estimate float64) metrics.Verdict {
		e := evidence(points(-17, -24, -10), metrics.BetterLower)
		h := points(estimate, -1, 40)
		h.P = &p
		e.Metrics = append(e.Metrics, metrics.MetricReport{
			Outcome: metrics.Outcome{ID: "c", Title: "Complexity", Better: metrics.BetterLower, Role: metrics.RoleCounter}, Headline: h,
			Pilot: metrics.Change{Value: ptr(20), ValueText: "+20 %"}, Comparison: metrics.Change{Value: ptr(2), ValueText: "+2 %"},
		})
		return metrics.Decide(e)
	}
	for _, c := range []struct {
		p, estimate float64
		want        string
	}{
		{.06, 18, "Complexity may well have got worse"},
		{.5, 18, "Complexity may have got worse"},
		{.5, -3, "Complexity did not clearly get worse"},
	} {
		found := false
		for _, r := range likely(c.p, c.estimate).Reasons {
			found = found || r.Title == c.want
		}
		if !found {
			t.Errorf("p = %v, estimate %v: no reason %q", c.p, c.estimate, c.want)
		}
	}
}

func TestMarkdownLeavesComparisonsAlone(t *testing.T) {
	p, panel := staggeredPanel(24, 30, .4)
	var b strings.Builder
	if err := metrics.WriteMarkdown(&b, build(t, p, panel)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), `\< `) {
		t.Error("a comparison is escaped as if it were markup")
	}
}
