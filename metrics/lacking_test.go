package metrics_test

import (
	"context"
	"strings"
	"testing"

	"steelyard/metrics"
)

// What the files did not say is unknown: it is neither nought nor "never".
func TestMissingColumnsAreNotMeasured(t *testing.T) {
	for _, c := range []struct {
		metric string
		lacks  metrics.Field
		want   string
	}{
		{"reverts", metrics.FieldRevertedAt, "Not measured: no import has a reverted_at column."},
		{"time_to_first_review", metrics.FieldFirstReview, "Not measured: no import has a first_review column."},
		{"abandoned", metrics.FieldClosed, "Not measured: no import has a closed column."},
		{"abandoned", metrics.FieldMerged, "Not measured: no import has a merged column."},
		{"open_to_merge", metrics.FieldMerged, "Not measured: no import has a merged column."},
		{"size", metrics.FieldAdditions, "Not measured: no import has an additions column."},
	} {
		t.Run(c.metric+"-without-"+string(c.lacks), func(t *testing.T) {
			s := workedStore()
			for i := range s.pulls {
				s.pulls[i].Lacks = metrics.FieldSet(c.lacks)
			}
			m := metricOf(t, reportOf(t, s, "worked"), c.metric)
			if m.Headline.Missing != c.want || m.Headline.Estimate != nil || m.Words != "" || m.Pilot.Before != nil {
				t.Errorf("%q, estimate %v, words %q; want %q and no number", m.Headline.Missing, m.Headline.Estimate, m.Words, c.want)
			}
		})
	}
}

// Half of the data is measured, and the rest is counted.
func TestSomeImportsWithoutAColumn(t *testing.T) {
	s := workedStore()
	for i := range s.pulls {
		if i%3 == 0 {
			s.pulls[i].Lacks = metrics.FieldSet(metrics.FieldRevertedAt, metrics.FieldReady)
		}
	}
	r := reportOf(t, s, "worked")
	if m := metricOf(t, r, "reverts"); m.Headline.Missing != "" && m.Headline.Estimate == nil || !leavesOut(m.Sample.LeftOut, "their import has no reverted_at column") {
		t.Errorf("reverts: %q, left out %v", m.Headline.Missing, m.Sample.LeftOut)
	}
	m := metricOf(t, r, "time_to_first_review")
	var caveats []string
	for _, a := range m.Against {
		caveats = append(caveats, a.Text)
	}
	if !strings.Contains(strings.Join(caveats, " "), "Not every import has a ready column, so the time counts from the opening") {
		t.Errorf("against: %q", caveats)
	}
}

func leavesOut(all []metrics.LeftOut, reason string) bool {
	for _, l := range all {
		if l.Reason == reason && l.Count > 0 {
			return true
		}
	}
	return false
}

// Without authors nobody knows how many people stand behind a number.
func TestUnknownAuthorsHideNumbers(t *testing.T) {
	for _, c := range []struct {
		name   string
		fields metrics.Fields
		want   string
	}{
		{"no-column", metrics.FieldSet(metrics.FieldAuthor), "the import has no author column"},
		{"empty-column", 0, "no pull request of it has an author"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := workedStore()
			for i := range s.pulls {
				s.pulls[i].Author, s.pulls[i].Lacks = "", c.fields
			}
			r := reportOf(t, s, "worked")
			first := r.Verdict.Reasons[0]
			if first.Code != "authors_unknown" || !strings.Contains(first.Text, c.want) {
				t.Errorf("reason %+v; want authors_unknown because %s", first, c.want)
			}
			for _, m := range r.Metrics {
				if m.Pilot.Before != nil || m.Headline.Estimate != nil || m.Trend != nil {
					t.Errorf("%s shows numbers", m.Outcome.ID)
				}
			}
			var text strings.Builder
			if err := metrics.WriteText(&text, r); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text.String(), "0 authors") {
				t.Error("the report counts 0 authors where they are not known")
			}
		})
	}
}

// Teams whose authors are not known are not shown on their own either.
func TestTeamsWithoutAuthorsAreAddedUp(t *testing.T) {
	s := workedStore()
	summary, err := s.PullRequestSummary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range summary.Teams {
		summary.Teams[i].Authors = 0
	}
	health, err := metrics.NewReporter(summaryStore{s, summary}).Data(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if teams := health.PullRequests.Teams; len(teams) != 1 || teams[0].Team != "5 teams without a known author" {
		t.Errorf("teams %+v", teams)
	}
}

type summaryStore struct {
	*fakeStore
	summary metrics.PullRequestSummary
}

func (s summaryStore) PullRequestSummary(_ context.Context) (metrics.PullRequestSummary, error) {
	return s.summary, nil
}

// A team that the definition names and the data does not have is named, and the
// answer waits for it.
func TestNamedTeamsWithoutData(t *testing.T) {
	s := workedStore()
	p := workedPilot()
	p.Comparison = append(p.Comparison, "moblie")
	s.put(p, nil)
	r := reportOf(t, s, "worked")
	if len(r.Health) < 2 || !strings.Contains(r.Health[1], "“moblie”") || r.Verdict.Value != metrics.VerdictCannotSayYet {
		t.Errorf("verdict %s, health %q", r.Verdict.Value, r.Health)
	}
	p = workedPilot()
	p.Treated[0].Unit = "paymets"
	s.put(p, nil)
	r = reportOf(t, s, "worked")
	if first := r.Verdict.Reasons[0]; !strings.Contains(first.Text, "“paymets”") {
		t.Errorf("reason %+v; want the team's name", first)
	}
	q, panel := onePanel(3, 12, 12, 0)
	q.Comparison = []string{"repository-01", "repositroy-02"}
	s.put(q, panel)
	if r := reportOf(t, s, q.ID); !strings.Contains(strings.Join(r.Health, " "), "“repositroy-02”") {
		t.Errorf("health of a panel: %q", r.Health)
	}
}

func TestReadyToMergeNeedsReady(t *testing.T) {
	s := workedStore()
	p := workedPilot()
	o, _ := metrics.CatalogueOutcome("ready_to_merge")
	p.Outcomes = append(p.Outcomes, o)
	s.put(p, nil)
	for i := range s.pulls {
		s.pulls[i].Lacks = metrics.FieldSet(metrics.FieldReady)
	}
	m := metricOf(t, reportOf(t, s, "worked"), "ready_to_merge")
	if m.Headline.Missing != "Not measured: no import has a ready column." {
		t.Errorf("%q, estimate %v; want not measured, since it would equal open_to_merge", m.Headline.Missing, m.Headline.Estimate)
	}
}
