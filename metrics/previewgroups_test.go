package metrics_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"steelyard/metrics"
)

// listed is a store that lists pull requests, in which some teams have fewer
// than five authors.
type listed struct {
	summed
	small []string
	asked *metrics.PullQuery
}

func (s listed) ListPulls(_ context.Context, q metrics.PullQuery) (metrics.PullPage, error) {
	*s.asked = q
	var page metrics.PullPage
	for _, t := range q.Teams {
		if slices.Contains(s.small, t) {
			page.Small = append(page.Small, t)
		}
	}
	return page, nil
}

// Anybody may look ahead with any teams. Whether a team under five authors is
// named or not, a look ahead says the same: else the difference would be its.
func TestPreviewLooksAtNoSmallTeam(t *testing.T) {
	p := workedPilot()
	look := func(t *testing.T, small, comparison []string) (string, *metrics.Preview, metrics.PullQuery) {
		t.Helper()
		var asked metrics.PullQuery
		q := p
		q.Comparison = comparison
		s := listed{summed{workedStore()}, small, &asked}
		ahead, err := metrics.NewReporter(metrics.AsOf(s, day(workedStart))).Preview(t.Context(), q)
		if err != nil || ahead == nil {
			t.Fatalf("%+v, %v", ahead, err)
		}
		seen, err := json.Marshal(ahead.Metrics)
		if err != nil {
			t.Fatal(err)
		}
		return string(seen), ahead, asked
	}
	small := []string{"search", "mobile"}
	large := []string{"billing", "checkout"}
	want, ahead, asked := look(t, small, large)
	if ahead.Small != 0 || ahead.Problem != "" {
		t.Fatalf("without small teams: %+v", ahead)
	}
	if !asked.Window.To.Equal(day(workedStart)) && !asked.Window.To.Before(day(workedStart)) {
		t.Errorf("looked at %v", asked.Window)
	}
	for name, comparison := range map[string][]string{"both": append(small, large...), "one": append(small[:1:1], large...)} {
		got, ahead, _ := look(t, small, comparison)
		if got != want {
			t.Errorf("%s: what is seen differs", name)
		}
		if line := ahead.Lines()[0]; !strings.Contains(line, "with fewer than five authors") {
			t.Errorf("%s: %s", name, line)
		}
	}
	if everything, _, _ := look(t, nil, append(small, large...)); everything == want {
		t.Error("the teams that are left out make no difference: the test tells nothing")
	}
	for name, c := range map[string]struct{ small, comparison []string }{
		"treated": {[]string{p.Treated[0].Unit}, large}, "comparison": {small, small},
	} {
		_, ahead, _ := look(t, c.small, c.comparison)
		if !strings.Contains(ahead.Problem, "five authors in that time") || len(ahead.Metrics) > 0 {
			t.Errorf("%s: %+v", name, ahead)
		}
	}
}
