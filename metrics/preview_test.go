package metrics_test

import (
	"context"
	"strings"
	"testing"

	"steelyard/metrics"
)

// Before a pilot starts, its design is measured on the data there is.
func TestPreview(t *testing.T) {
	s := workedStore()
	p := workedPilot()
	end := day(workedStart)
	var kept []metrics.PullRequest
	for _, pr := range s.pulls {
		if pr.Opened.Before(end) {
			kept = append(kept, pr)
		}
	}
	s.pulls = kept
	length := p.After.To.Sub(end)
	for i := range p.Treated {
		p.Treated[i].Start = p.Treated[i].Start.AddDate(0, 0, 28)
	}
	p.Before.To, p.After = p.Before.To.AddDate(0, 0, 28), metrics.Window{From: p.After.From.AddDate(0, 0, 28), To: p.After.To.AddDate(0, 0, 28)}
	s.put(p, nil)
	ahead, err := metrics.NewReporter(summed{s}).Preview(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if ahead == nil || ahead.Problem != "" || len(ahead.Metrics) != len(p.Outcomes) || !ahead.AsIf.Before(end) || ahead.Periods < 2 {
		t.Fatalf("preview %+v", ahead)
	}
	if planned := int(length.Hours() / 24 / 7); ahead.Planned < planned || ahead.Periods > ahead.Planned {
		t.Errorf("%d periods of %d planned, want %d planned", ahead.Periods, ahead.Planned, planned)
	}
	m := ahead.Metrics[0]
	if m.Detectable == nil || *m.Detectable <= 0 || !strings.Contains(m.Text, "8 cases out of 10") || m.PreTrend.Text == "" {
		t.Errorf("metric %+v", m)
	}
	lines := strings.Join(ahead.Lines(), "\n")
	for _, part := range []string{"as if it had started on", "Open to merge: "} {
		if !strings.Contains(lines, part) {
			t.Errorf("%q does not say %q", lines, part)
		}
	}
	if strings.Contains(lines, "→") {
		t.Errorf("a difference is shown before the start: %s", lines)
	}
}

func TestPreviewHasNothingToSay(t *testing.T) {
	s := workedStore()
	if ahead, err := metrics.NewReporter(summed{s}).Preview(t.Context(), workedPilot()); err != nil || ahead != nil {
		t.Errorf("a pilot that has started: %+v, %v", ahead, err)
	}
	s.pulls = nil
	ahead, err := metrics.NewReporter(summed{s}).Preview(t.Context(), workedPilot())
	if err != nil || ahead == nil || !strings.Contains(ahead.Lines()[0], "No pull request is stored yet") {
		t.Errorf("no data: %+v, %v", ahead, err)
	}
	s = workedStore()
	s.pulls = s.pulls[:3]
	ahead, err = metrics.NewReporter(summed{s}).Preview(t.Context(), workedPilot())
	if err != nil || ahead == nil || ahead.Problem == "" {
		t.Errorf("three pull requests: %+v, %v", ahead, err)
	}
}

// summed is a store whose summary is that of its pull requests.
type summed struct{ *fakeStore }

func (s summed) PullRequestSummary(context.Context) (metrics.PullRequestSummary, error) {
	sum := metrics.PullRequestSummary{Total: len(s.pulls), Imports: s.imports}
	for i, p := range s.pulls {
		if i == 0 || p.Opened.Before(sum.First) {
			sum.First = p.Opened
		}
		if p.Opened.After(sum.Last) {
			sum.Last = p.Opened
		}
	}
	return sum, nil
}
