package metrics_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"steelyard/metrics"
)

func reportOf(t *testing.T, s *fakeStore, id string) *metrics.Report {
	t.Helper()
	r, err := metrics.NewReporter(s).Report(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func metricOf(t *testing.T, r *metrics.Report, id string) metrics.MetricReport {
	t.Helper()
	for _, m := range r.Metrics {
		if m.Outcome.ID == id {
			return m
		}
	}
	t.Fatalf("no metric %q in the report", id)
	return metrics.MetricReport{}
}

// The numbers of the worked example are those of the design; the interval of
// reverts is R's fisher.test, to more digits by exact roots.
func TestWorkedExample(t *testing.T) {
	r := reportOf(t, workedStore(), "worked")
	m := metricOf(t, r, "open_to_merge")
	for _, tt := range []struct{ got, want string }{
		{m.Pilot.Text, "18\u202fh → 12\u202fh"},
		{m.Pilot.ValueText, "−33\u202f%"},
		{m.Comparison.Text, "18\u202fh → 15\u202fh"},
		{m.Comparison.ValueText, "−17\u202f%"},
		{m.Headline.EstimateText, "−17 points"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
	if !near(m.Headline.Estimate, -100./3+100./6, 1e-12) || m.Headline.Unit != metrics.UnitPoints {
		t.Errorf("difference = %v %s, want −16.67 points", *m.Headline.Estimate, m.Headline.Unit)
	}
	rv := metricOf(t, r, "reverts")
	if rv.Words != "rose for the pilot only" || rv.Pilot.Text != "3 → 7" || rv.Comparison.Text != "3 → 3" {
		t.Errorf("reverts: %q, %q, %q", rv.Words, rv.Pilot.Text, rv.Comparison.Text)
	}
	h := rv.Headline
	if !near(h.Estimate, 7./3, 1e-12) || !near(h.Low, .1814350246, 1e-8) || !near(h.High, 29.50467723, 1e-8) || !near(h.P, .6066433566, 1e-8) {
		t.Errorf("reverts: %s", h.Text)
	}
	if mle := rv.Others[0]; !near(mle.Estimate, 2.21, .005) {
		t.Errorf("conditional maximum likelihood: %s", mle.Text)
	}
	if !strings.Contains(rv.Finding, "far from conclusive") {
		t.Errorf("finding %q does not say how far the numbers are from conclusive", rv.Finding)
	}
	if len(r.Health) == 0 || !strings.HasPrefix(r.Health[0], "Made-up numbers") {
		t.Errorf("health = %q, want made-up numbers first", r.Health)
	}
}

// An open pull request lasts at least until the data ends; leaving it out
// would make the window look fast.
func TestOpenPullRequestsAreCensored(t *testing.T) {
	s := workedStore()
	n := 0
	for i, p := range s.pulls {
		if p.Team == "payments" && p.Opened.After(day(workedStart).AddDate(0, 0, 14)) && p.Opened.Before(workedPilot().After.To) && i%5 < 2 && n < 30 {
			s.pulls[i].Merged, s.pulls[i].Closed, s.pulls[i].RevertedAt = time.Time{}, time.Time{}, time.Time{}
			n++
		}
	}
	m := metricOf(t, reportOf(t, s, "worked"), "open_to_merge")
	if m.Sample.Censored != n || n == 0 {
		t.Errorf("%d still open, want %d", m.Sample.Censored, n)
	}
	if m.Pilot.After == nil || *m.Pilot.After <= 12 {
		t.Errorf("median after = %v, want more than the 12 h without the open ones", m.Pilot.After)
	}
	if first := metricOf(t, reportOf(t, s, "worked"), "time_to_first_review"); first.Sample.Censored != 0 {
		t.Errorf("%d first reviews not there yet, though each has come", first.Sample.Censored)
	}
	open := *m.Pilot.After
	// Closed without merge at once: they can never merge, so giving them up
	// makes nothing faster than leaving them open does.
	for i, p := range s.pulls {
		if p.Open() {
			s.pulls[i].Closed = p.Opened.Add(time.Minute)
		}
	}
	m = metricOf(t, reportOf(t, s, "worked"), "open_to_merge")
	if m.Sample.Censored != n {
		t.Errorf("%d closed without their merge, want %d", m.Sample.Censored, n)
	}
	if m.Pilot.After == nil || *m.Pilot.After != open {
		t.Errorf("median after with %d closed unmerged = %v, want the %v of the open ones", n, m.Pilot.After, open)
	}
	if a := metricOf(t, reportOf(t, s, "worked"), "abandoned"); a.Pilot.After == nil || *a.Pilot.After <= 0 {
		t.Errorf("abandoned after = %v, want a share above 0", a.Pilot.After)
	}
}

// A change of no line at all, such as a renamed file, is no tiny fraction of
// one line in a mean of logarithms.
func TestEmptySizesCountAsOneLine(t *testing.T) {
	ratio := func(lines int) *float64 {
		s := workedStore()
		for i := range s.pulls {
			if s.pulls[i].Team == "payments" && i%5 == 0 && s.pulls[i].Opened.After(day(workedStart)) {
				s.pulls[i].Additions, s.pulls[i].Deletions = lines, 0
			}
		}
		return metricOf(t, reportOf(t, s, "worked"), "size").Ratio.Estimate
	}
	if none, one := ratio(0), ratio(1); !near(none, *one, 1e-12) {
		t.Errorf("ratio of sizes %v with empty changes, want %v as with changes of one line", *none, *one)
	}
}

func TestYoungMergesAreNotYetKnown(t *testing.T) {
	s := workedStore()
	end := workedPilot().After.To
	var kept []metrics.PullRequest
	for _, p := range s.pulls {
		if p.Opened.Before(end) {
			kept = append(kept, p)
		}
	}
	s.pulls = kept
	m := metricOf(t, reportOf(t, s, "worked"), "reverts")
	young := 0
	for _, l := range m.Sample.LeftOut {
		if strings.Contains(l.Reason, "younger than 30 days") {
			young = l.Count
		}
	}
	// Five teams with five merges a week, in four weeks that are whole; of the
	// last one only half is there, so it is not used at all.
	if young != 100 {
		t.Errorf("%d merges too young, want 100; left out: %v", young, m.Sample.LeftOut)
	}
	if last := m.Trend.Points[len(m.Trend.Points)-1]; last.LeftOut != "not yet known" {
		t.Errorf("last week is left out as %q", last.LeftOut)
	}
	if m.Pilot.Text != "3 in 90 merged pull requests → 7 in 65" {
		t.Errorf("pilot = %q, want counts with what they are counted over", m.Pilot.Text)
	}
}

// Until the first merges after the start are 30 days old, nothing is known of
// their reverts: neither that they rose nor that they did not.
func TestRevertsAfterTheStartAreUnknownAtFirst(t *testing.T) {
	s := workedStore()
	s.pulls = slices.DeleteFunc(s.pulls, func(p metrics.PullRequest) bool {
		return p.Opened.After(day(workedStart).AddDate(0, 0, 7*(workedRamp+3)))
	})
	m := metricOf(t, reportOf(t, s, "worked"), "reverts")
	if m.Words != "" || m.Pilot.Text != "" || m.Pilot.Value != nil || m.Headline.Estimate != nil {
		t.Errorf("reverts %q: pilot %q, %q", m.Words, m.Pilot.Text, m.Headline.Text)
	}
	if !strings.Contains(m.Finding, "no week with known values is left on one side of the start") {
		t.Errorf("finding %q", m.Finding)
	}
	if m.Trend == nil {
		t.Error("what is known from before the start is not drawn")
	}
}

func TestLateRevertsDoNotCount(t *testing.T) {
	s := workedStore()
	for i, p := range s.pulls {
		if !p.RevertedAt.IsZero() {
			s.pulls[i].RevertedAt = p.Merged.AddDate(0, 0, 31)
		}
	}
	m := metricOf(t, reportOf(t, s, "worked"), "reverts")
	if m.Pilot.Text != "0 → 0" || m.Headline.Estimate != nil || m.Headline.Missing == "" {
		t.Errorf("reverts after 31 days: %q, %q", m.Pilot.Text, m.Headline.Text)
	}
}

func TestBotsAndUnplacedAreSetApart(t *testing.T) {
	s := workedStore()
	want := reportOf(t, workedStore(), "worked")
	for i := range 40 {
		p := s.pulls[i]
		p.ID += "-bot"
		p.AuthorBot = i%2 == 0
		if !p.AuthorBot {
			p.Team = ""
		}
		s.pulls = append(s.pulls, p)
	}
	r := reportOf(t, s, "worked")
	if *r.Metrics[0].Headline.Estimate != *want.Metrics[0].Headline.Estimate {
		t.Error("bots or unplaced pull requests changed the estimate")
	}
	got := map[string]int{}
	for _, l := range r.LeftOut {
		got[l.Reason] = l.Count
	}
	if got["the author is a bot"] == 0 || got["the author could not be placed in a team"] != 20 {
		t.Errorf("left out %v, want bots and 20 unplaced", got)
	}
}

func TestSmallGroupsAreNotShown(t *testing.T) {
	for _, team := range []string{"payments", "comparison"} {
		t.Run(team, func(t *testing.T) {
			s := workedStore()
			for i, p := range s.pulls {
				if (p.Team == "payments") == (team == "payments") {
					s.pulls[i].Author = team + "-" + string(rune('a'+i%4))
				}
			}
			r := reportOf(t, s, "worked")
			if r.Verdict.Value != metrics.VerdictCannotSayYet || r.Verdict.Reasons[0].Code != "group_too_small" {
				t.Errorf("verdict %s, reasons %v", r.Verdict.Value, r.Verdict.Reasons)
			}
			for _, m := range r.Metrics {
				if m.Pilot.Before != nil || m.Pilot.Value != nil || m.Headline.Estimate != nil || m.Trend != nil || m.EventStudy != nil || m.Placebo != nil {
					t.Errorf("%s shows numbers of a group under five", m.Outcome.ID)
				}
			}
		})
	}
}

// Who left before the window began does not hide those who are in it.
func TestEarlierAuthorsDoNotMakeAGroupLarger(t *testing.T) {
	s := workedStore()
	for i, p := range s.pulls {
		if p.Team == "payments" {
			s.pulls[i].Author = "payments-" + string(rune('a'+i%4))
		}
	}
	for i := range 10 {
		at := workedPilot().Before.From.AddDate(0, 0, -60)
		s.pulls = append(s.pulls, metrics.PullRequest{
			ID: "old-" + string(rune('a'+i)), Team: "payments", Author: "left-" + string(rune('a'+i)),
			Opened: at, Merged: at.Add(time.Hour), Closed: at.Add(time.Hour),
		})
	}
	if r := reportOf(t, s, "worked"); r.Verdict.Reasons[0].Code != "group_too_small" {
		t.Errorf("verdict %s, reasons %v", r.Verdict.Value, r.Verdict.Reasons)
	}
}

func TestComparisonTeamsAreNotNamed(t *testing.T) {
	r := reportOf(t, workedStore(), "worked")
	for _, table := range r.Tables() {
		for _, row := range table.Rows {
			for _, c := range row {
				for _, name := range []string{"billing", "checkout", "search", "mobile"} {
					if strings.Contains(c.Text, name) {
						t.Errorf("table %s shows %q", table.ID, c.Text)
					}
				}
			}
		}
	}
}

func TestWindowNotOver(t *testing.T) {
	s := workedStore()
	p := workedPilot()
	p.After.To = p.After.To.AddDate(0, 6, 0)
	s.put(p, nil)
	r := reportOf(t, s, "worked")
	if r.Verdict.Value != metrics.VerdictCannotSayYet || r.Verdict.Reasons[0].Code != "window_not_over" {
		t.Errorf("verdict %s: %v", r.Verdict.Value, r.Verdict.Reasons)
	}
	if r.Metrics[0].Headline.Estimate == nil {
		t.Error("no numbers so far")
	}
	// A look before the end that finds an effect finds one too often.
	h := r.Metrics[0].Headline
	if !h.ExcludesNoChange() {
		t.Fatalf("the example shows no effect so far: %s", h.Text)
	}
	for _, text := range []string{r.Verdict.Sentence, r.Metrics[0].Finding} {
		if strings.Contains(text, "clear of chance") {
			t.Errorf("before the window is over: %q", text)
		}
	}
}

// A week whose last event lies on its Friday is whole when the import came
// after its Sunday; otherwise it may have been cut off.
func TestLastWeekIsWholeOnlyIfImportedLater(t *testing.T) {
	s := workedStore()
	p := workedPilot()
	p.After.To = p.After.To.AddDate(0, 0, 7*workedTail)
	s.put(p, nil)
	last := p.After.To.Add(-60 * time.Hour)
	n := len(s.pulls) - 1
	s.pulls[n].Merged, s.pulls[n].Closed = last, last
	s.imports[0].At = p.After.To.AddDate(0, 0, 1)
	if r := reportOf(t, s, "worked"); r.Verdict.Reasons[0].Code == "window_not_over" || r.Design.PeriodsAfter != workedWeeks+workedTail {
		t.Errorf("imported later: %d weeks after, %v", r.Design.PeriodsAfter, r.Verdict.Reasons[0])
	}
	s.imports[0].At = last.Add(time.Hour)
	if r := reportOf(t, s, "worked"); r.Verdict.Reasons[0].Code != "window_not_over" || r.Design.PeriodsAfter != workedWeeks+workedTail-1 {
		t.Errorf("imported at once: %d weeks after, %v", r.Design.PeriodsAfter, r.Verdict.Reasons[0])
	}
}

func TestNoPullRequestsIsAnError(t *testing.T) {
	s := newFakeStore()
	s.put(workedPilot(), nil)
	_, err := metrics.NewReporter(s).Report(t.Context(), "worked")
	if err == nil || !strings.Contains(err.Error(), "no pull request") {
		t.Errorf("error = %v", err)
	}
}

func TestNothingIsNaN(t *testing.T) {
	for name, r := range reports(t) {
		for _, table := range r.Tables() {
			for _, row := range table.Rows {
				for _, c := range row {
					if x, ok := c.Value.(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) {
						t.Errorf("%s: table %s holds %v", name, table.ID, x)
					}
				}
			}
		}
	}
}
