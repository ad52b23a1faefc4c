package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

func TestPullRequestSummary(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		got, err := s.PullRequestSummary(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := metrics.PullRequestSummary{Teams: []metrics.TeamSize{}, Imports: []metrics.Import{}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("empty store (-want +got):\n%s", diff)
		}

		rows := append(pullRequests("payments", 30), pullRequests("Ledger", 10)...)
		rows = append(rows, pullRequests("", 4)...)
		rows[0].Author, rows[1].AuthorBot = "", true // author-0 and author-1 are others' too
		rows[31].Closed = day(2025, time.September, 1)
		for _, part := range [][]metrics.PullRequest{rows[:20], rows[20:]} {
			file := fmt.Sprintf("%d.csv", len(part))
			if _, err := s.ImportPullRequests(t.Context(), sequence(part, nil), finish(file)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := importPanel(t.Context(), s, panelPilot("editor"), panelRows(), nil); err != nil {
			t.Fatal(err)
		}
		got, err = s.PullRequestSummary(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		left := []metrics.LeftOut{{Count: 3, What: "rows", Reason: "of duplicates"}}
		want = metrics.PullRequestSummary{
			Total: 44, Unplaced: 4, Bots: 1, Open: 10 + 4 + 2,
			// By bytes: capitals first.
			Teams: []metrics.TeamSize{{Team: "Ledger", PullRequests: 10, Authors: 7}, {Team: "payments", PullRequests: 30, Authors: 7}},
			First: day(2025, time.January, 1), Last: day(2025, time.September, 1),
			Imports: []metrics.Import{
				{File: "24.csv", SHA256: "ab12", Rows: 24, At: now, LeftOut: left},
				{File: "20.csv", SHA256: "ab12", Rows: 20, At: now, LeftOut: left},
			},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("summary (-want +got):\n%s", diff)
		}

		got.Teams[0].Team, got.Imports[0].LeftOut[0].What = "changed", "by its reader"
		again, err := s.PullRequestSummary(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, again); diff != "" {
			t.Errorf("summary, asked again (-want +got):\n%s", diff)
		}
	})
}

// A summary that is kept is counted anew when another process has written.
func TestSummaryAfterAnotherProcessWrote(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		ours, others := newStore(db), newStore(db)
		for want := 1; want <= 3; want++ {
			if _, err := importPullRequests(t.Context(), others, pullRequests("Payments", want), nil); err != nil {
				t.Fatal(err)
			}
			got, err := ours.PullRequestSummary(t.Context())
			if err != nil || got.Total != want {
				t.Errorf("total %d, %v; want %d", got.Total, err, want)
			}
		}
	})
}
