package metrics_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
)

// A report as of a moment is the report on data that ends there.
func TestAsOf(t *testing.T) {
	s := workedStore()
	p := workedPilot()
	s.put(p, nil)
	at := day(workedStart).AddDate(0, 0, 42)
	past, err := metrics.NewReporter(metrics.AsOf(summed{s}, at)).Report(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	now, err := metrics.NewReporter(summed{s}).Report(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if past.Design.PeriodsAfter >= now.Design.PeriodsAfter || past.Design.PeriodsBefore != now.Design.PeriodsBefore {
		t.Errorf("%d weeks after the start, today %d; before it %d and %d",
			past.Design.PeriodsAfter, now.Design.PeriodsAfter, past.Design.PeriodsBefore, now.Design.PeriodsBefore)
	}

	cut := workedStore()
	cut.pulls = slices.DeleteFunc(cut.pulls, func(pr metrics.PullRequest) bool { return !pr.Opened.Before(at) })
	for i := range cut.pulls {
		for _, when := range []*time.Time{&cut.pulls[i].FirstReview, &cut.pulls[i].Merged, &cut.pulls[i].Closed, &cut.pulls[i].RevertedAt} {
			if !when.Before(at) {
				*when = time.Time{}
			}
		}
	}
	// That the data goes on proves that it is whole up to then.
	cut.pulls = append(cut.pulls, metrics.PullRequest{ID: "last", Opened: at.Add(-time.Millisecond), Additions: -1, Deletions: -1})
	cut.put(p, nil)
	want, err := metrics.NewReporter(metrics.AsOf(summed{cut}, at)).Report(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Metrics[0].Headline, past.Metrics[0].Headline); diff != "" || want.Verdict.Value != past.Verdict.Value {
		t.Errorf("as of, and on data that ends there (-want +got):\n%s", diff)
	}
	if past.Metrics[0].Headline.Estimate == nil || *past.Metrics[0].Headline.Estimate == *now.Metrics[0].Headline.Estimate {
		t.Errorf("the past has today's estimate %v", past.Metrics[0].Headline.Text)
	}
}

// Panels keep the periods that were over; who starts later is not known yet.
func TestPanelAsOf(t *testing.T) {
	months := metrics.PeriodMonth
	jan := months.At(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	panel := &metrics.Panel{Kind: months, Units: []metrics.PanelUnit{{Name: "a", FirstTreated: jan + 1}, {Name: "b", FirstTreated: jan + 3}, {Name: "c", FirstTreated: metrics.Never}}, Outcomes: []string{"x"}, Values: [][]float64{{}}}
	for u := range 3 {
		for m := range 4 {
			panel.Unit, panel.Period = append(panel.Unit, u), append(panel.Period, jan+m)
			panel.Values[0] = append(panel.Values[0], float64(10*u+m))
		}
	}
	s := newFakeStore()
	s.put(metrics.Pilot{ID: "months"}, panel)
	got, err := metrics.AsOf(summed{s}, time.Date(2026, 3, 15, 0, 0, 0, 0, time.UTC)).Panel(t.Context(), "months")
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{0, 1, 10, 11, 20, 21}; !slices.Equal(got.Values[0], want) {
		t.Errorf("values %v, want %v", got.Values[0], want)
	}
	if got.Units[0].FirstTreated != jan+1 || got.Units[1].FirstTreated != metrics.Never || panel.Units[1].FirstTreated != jan+3 {
		t.Errorf("units %+v", got.Units)
	}
	s.put(metrics.Pilot{ID: "numbers"}, &metrics.Panel{Kind: metrics.PeriodInteger})
	if _, err := metrics.AsOf(summed{s}, time.Date(2026, 3, 15, 0, 0, 0, 0, time.UTC)).Panel(t.Context(), "numbers"); err == nil {
		t.Error("numbered periods have no past")
	}
}

// A pilot that has started can be looked at as it could before.
func TestPreviewOfOneThatHasStarted(t *testing.T) {
	s := workedStore()
	p := workedPilot()
	ahead, err := metrics.NewReporter(metrics.AsOf(summed{s}, day(workedStart))).Preview(t.Context(), p)
	if err != nil || ahead == nil || ahead.Problem != "" || ahead.Metrics[0].Detectable == nil {
		t.Fatalf("%+v, %v", ahead, err)
	}
	trend := ahead.Metrics[0].Trend
	if trend == nil || len(trend.Points) == 0 || trend.PilotAfter != nil || trend.StartIndex >= 0 {
		t.Fatalf("trend %+v", trend)
	}
	for _, pt := range trend.Points {
		if !pt.Start.Before(day(workedStart)) {
			t.Errorf("the trend before the start holds %s", pt.Label)
		}
	}
}
