package store_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"testing"
	"time"

	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// now is the clock of every test.
var now = time.Date(2026, time.March, 2, 9, 30, 0, 123e6, time.UTC)

// each runs f on a store of its own, once an engine.
func each(t *testing.T, f func(t *testing.T, s *store.Store)) {
	t.Helper()
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) { f(t, newStore(db)) })
}

func newStore(db *migrations.DB) *store.Store {
	return store.New(db, func() time.Time { return now })
}

func day(year int, month time.Month, d int) time.Time {
	return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
}

// panelPilot is a pilot with a panel of two outcomes.
func panelPilot(id string) metrics.Pilot {
	return metrics.Pilot{
		ID: id, Title: "An editor", Subject: "Adopters", Level: metrics.LevelPanel,
		UnitNoun: "repository", PeriodNoun: "month",
		Outcomes: []metrics.Outcome{
			{ID: "commits", Title: "Commits", Better: metrics.BetterHigher, Scale: metrics.ScaleLog1p, Role: metrics.RolePrimary},
			{ID: "warnings", Title: "Warnings", Better: metrics.BetterLower, Scale: metrics.ScaleLog1p, Role: metrics.RoleCounter},
		},
		SmallestEffect: 0.1, Seed: 7,
		Sources: []metrics.Source{{Title: "A source", MadeUp: true}},
	}
}

// teamPilot is a pilot measured by pull requests that starts on start.
func teamPilot(id string, start time.Time) metrics.Pilot {
	return metrics.Pilot{
		ID: id, Title: "Payments", Level: metrics.LevelPullRequests, UnitNoun: "team", PeriodNoun: "week",
		Treated:    []metrics.Adoption{{Unit: "Payments", Start: start}},
		Comparison: []string{"Checkout", "Ledger"},
		Outcomes:   []metrics.Outcome{{ID: "open_to_merge", Title: "Open to merge", Better: metrics.BetterLower, Role: metrics.RolePrimary}},
	}
}

// panelRows are three units in three months, in no order: a treated one, one
// that is never treated, and one without its second month.
func panelRows() []metrics.PanelRow {
	month := func(m int) int { return metrics.PeriodMonth.At(day(2024, time.Month(m), 1)) }
	row := func(unit string, m, first int, exposure, commits, warnings float64) metrics.PanelRow {
		return metrics.PanelRow{Unit: unit, Period: month(m), FirstTreated: first, Exposure: exposure, Values: []float64{commits, warnings}}
	}
	nan := math.NaN()
	rows := []metrics.PanelRow{
		row("zeta", 3, metrics.Never, 1, 3, 0.1),
		row("zeta", 1, metrics.Never, nan, 1, nan),
		row("Alpha", 2, month(2), 2.5, 1e-300, 5),
		row("Alpha", 1, month(2), 2, nan, math.MaxFloat64),
		row("émile", 1, metrics.Never, 4, 1.0/3, -1),
		row("Alpha", 3, month(2), 0, 7, 8),
		row("zeta", 2, metrics.Never, 1, 2, 3),
		row("émile", 3, metrics.Never, 4, 1, 1),
	}
	for i := range rows {
		rows[i].Line = i + 2
	}
	return rows
}

// sequence yields rows and then, where err is not nil, err.
func sequence[T any](rows []T, err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
		if err != nil {
			var zero T
			yield(zero, err)
		}
	}
}

func finish(file string) func() (metrics.Import, error) {
	return func() (metrics.Import, error) {
		return metrics.Import{
			File: file, SHA256: "ab12", At: now,
			LeftOut: []metrics.LeftOut{{Count: 3, What: "rows", Reason: "of duplicates"}},
		}, nil
	}
}

func importPanel(ctx context.Context, s *store.Store, p metrics.Pilot, rows []metrics.PanelRow, err error) (metrics.Definition, error) {
	return s.ImportPanel(ctx, p, metrics.PeriodMonth, sequence(rows, err), finish("panel.csv"))
}

// pullRequest is the n-th of a team's, opened n hours into 2025.
func pullRequest(team string, n int) metrics.PullRequest {
	opened := day(2025, time.January, 1).Add(time.Duration(n) * time.Hour)
	p := metrics.PullRequest{
		ID: fmt.Sprintf("%s#%06d", team, n), Repository: "acme/" + team, Number: n,
		Author: fmt.Sprintf("author-%d", n%7), Team: team, Opened: opened,
		Additions: n % 90, Deletions: -1,
	}
	if n%3 > 0 {
		p.Ready, p.FirstReview = opened.Add(time.Hour), opened.Add(90*time.Minute+time.Millisecond)
		p.Merged = opened.Add(30 * time.Hour)
		p.Closed = p.Merged
	}
	return p
}

func pullRequests(team string, n int) []metrics.PullRequest {
	all := make([]metrics.PullRequest, n)
	for i := range all {
		all[i] = pullRequest(team, i)
	}
	return all
}

func importPullRequests(ctx context.Context, s *store.Store, rows []metrics.PullRequest, err error) (metrics.Import, error) {
	return s.ImportPullRequests(ctx, sequence(rows, err), finish("pulls.csv"))
}

func collect(rows iter.Seq2[metrics.PullRequest, error]) ([]metrics.PullRequest, error) {
	all := []metrics.PullRequest{}
	for p, err := range rows {
		if err != nil {
			return all, err
		}
		all = append(all, p)
	}
	return all, nil
}

func revision(t *testing.T, s *store.Store) string {
	t.Helper()
	r, err := s.Revision(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var errBad = errors.New("line 4000: not a date")

func TestRevisionChangesWithEveryWriteAndOnlyThen(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		seen := map[string]bool{revision(t, s): true}
		step := func(what string, changes bool, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			r := revision(t, s)
			if seen[r] == changes {
				t.Fatalf("%s: revision %s; want a new one: %v", what, r, changes)
			}
			seen[r] = true
		}
		_, err := s.SavePilot(ctx, panelPilot("editor"), now)
		step("save", true, err)
		_, err = s.SavePilot(ctx, panelPilot("editor"), now.Add(time.Hour))
		step("save again", false, err)
		_, err = importPanel(ctx, s, panelPilot("editor"), panelRows(), nil)
		step("import panel", true, err)
		_, err = importPullRequests(ctx, s, pullRequests("Payments", 3), nil)
		step("import pull requests", true, err)
		_, err = importPullRequests(ctx, s, pullRequests("Payments", 3), errBad)
		if !errors.Is(err, errBad) {
			t.Fatalf("got %v; want the rows' error", err)
		}
		step("failed import", false, nil)
		_, err = s.PullRequestSummary(ctx)
		step("read", false, err)
	})
}
