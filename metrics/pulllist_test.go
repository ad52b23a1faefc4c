package metrics_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
)

func FuzzParsePullPlace(f *testing.F) {
	for _, p := range []metrics.PullPlace{{}, {At: time.UnixMilli(-1).UTC(), ID: "acme/pay#1"}, {At: time.UnixMilli(1 << 52).UTC(), ID: "ü"}} {
		f.Add(p.String())
	}
	f.Add("AAAA")
	f.Add(strings.Repeat("A", 5000))
	f.Fuzz(func(t *testing.T, s string) {
		p, err := metrics.ParsePullPlace(s)
		if err != nil {
			if !errors.Is(err, metrics.ErrPlace) {
				t.Errorf("%q: error %v is not ErrPlace", s, err)
			}
			return
		}
		if got := p.String(); got != s {
			t.Errorf("%q reads as %v, which is written %q", s, p, got)
		}
	})
}

// listingStore remembers what it was asked to list.
type listingStore struct {
	*fakeStore
	asked metrics.PullQuery
}

func (s *listingStore) ListPulls(_ context.Context, q metrics.PullQuery) (metrics.PullPage, error) {
	s.asked = q
	return metrics.PullPage{}, nil
}

func (s *listingStore) PullRequestSummary(context.Context) (metrics.PullRequestSummary, error) {
	return metrics.PullRequestSummary{Teams: []metrics.TeamSize{{Team: "Web"}, {Team: "Payments"}, {Team: "Ledger"}}}, nil
}

// TestPilotPullsAskForThePilotsOwn holds which teams and which time a pilot's
// list is about.
func TestPilotPullsAskForThePilotsOwn(t *testing.T) {
	on := func(month time.Month, d int) time.Time { return time.Date(2026, month, d, 0, 0, 0, 0, time.UTC) }
	pilot := metrics.Pilot{
		ID: "p", Title: "P", Level: metrics.LevelPullRequests, UnitNoun: "team", PeriodNoun: "week",
		Treated: []metrics.Adoption{{Unit: "Payments", Start: on(7, 6)}},
		Before:  metrics.Window{From: on(1, 5)}, After: metrics.Window{To: on(10, 5)},
		LeftOut: []metrics.Exclusion{{Window: metrics.Window{From: on(8, 3), To: on(8, 10)}, Reason: "holidays"}},
	}
	store := &listingStore{fakeStore: newFakeStore()}
	store.put(pilot, nil)
	named := pilot
	named.ID, named.Comparison = "named", []string{"Web"}
	store.put(named, nil)
	r := metrics.NewReporter(store)
	for name, c := range map[string]struct {
		pilot string
		f     metrics.PullFilter
		want  metrics.PullQuery
	}{
		"everything": {"p", metrics.PullFilter{}, metrics.PullQuery{
			Teams: []string{"Payments", "Ledger", "Web"}, Window: metrics.Window{From: on(1, 5), To: on(10, 5)},
		}},
		"named comparison": {"named", metrics.PullFilter{Side: metrics.SideComparison, Span: metrics.SpanBefore}, metrics.PullQuery{
			Teams: []string{"Web"}, Window: metrics.Window{From: on(1, 5), To: on(7, 6)}, Except: []metrics.Window{{From: on(8, 3), To: on(8, 10)}},
		}},
		"after, narrowed": {"p", metrics.PullFilter{Team: "payments", Span: metrics.SpanAfter, Window: metrics.Window{From: on(7, 1), To: on(7, 20)}, State: metrics.PullOpen}, metrics.PullQuery{
			Teams: []string{"Payments"}, Window: metrics.Window{From: on(7, 6), To: on(7, 20)}, Except: []metrics.Window{{From: on(8, 3), To: on(8, 10)}}, State: metrics.PullOpen,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			page, err := r.PilotPulls(t.Context(), c.pilot, c.f)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, store.asked); diff != "" {
				t.Errorf("query (-want +got):\n%s", diff)
			}
			if page.Side("Payments") != metrics.SidePilot || page.Side("Web") != metrics.SideComparison || page.Side("") != "" {
				t.Errorf("sides: %v", page.All)
			}
		})
	}
	for name, f := range map[string]metrics.PullFilter{
		"no such team": {Team: "Paymnts"}, "team of the other side": {Team: "Web", Side: metrics.SidePilot}, "no such side": {Side: "left"},
	} {
		choice := (*metrics.ChoiceError)(nil)
		if _, err := r.PilotPulls(t.Context(), "p", f); !errors.As(err, &choice) || len(choice.Choices) == 0 {
			t.Errorf("%s: %v, want the choices", name, err)
		}
	}
	panel := pilot
	panel.ID, panel.Level = "table", metrics.LevelPanel
	store.put(panel, nil)
	if _, err := r.PilotPulls(t.Context(), "table", metrics.PullFilter{}); !errors.Is(err, metrics.ErrNoPulls) {
		t.Errorf("a pilot on a table: %v", err)
	}
	if _, err := r.PilotPulls(t.Context(), "absent", metrics.PullFilter{}); !errors.Is(err, metrics.ErrNotFound) {
		t.Errorf("no pilot: %v", err)
	}
}
