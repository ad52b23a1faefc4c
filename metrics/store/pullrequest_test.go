package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/store"
)

func TestPullRequestRoundTrip(t *testing.T) {
	opened := time.Date(2025, time.June, 1, 10, 0, 0, 987654321, time.FixedZone("", 2*60*60))
	rows := []metrics.PullRequest{
		{ID: "b", Opened: opened, Additions: -1, Deletions: -1, ReviewRounds: -1, ReviewerComments: -1, BotThreads: -1, BotThreadsActedOn: -1},
		{
			ID: "PR_kwDO", Repository: "acme/pay", Number: 17, Author: "U_1", AuthorBot: true, Team: "Zahlungen – Köln",
			Opened: opened, Ready: opened.Add(1e9), FirstReview: opened.Add(2e9), Merged: opened.Add(3e9),
			Closed: opened.Add(4e9), RevertedAt: opened.Add(5e9), Additions: 0, Deletions: 1 << 40, Line: 9,
			Base: "release/1", MergeCommit: "0123abc", FirstCommit: opened.Add(-1e9), Deployed: opened.Add(6e9), Seen: opened.Add(7e9),
			ReviewRounds: 2, ReviewerComments: 3, BotThreads: 4, BotThreadsActedOn: 1, Assisted: "co-authored",
		},
		{ID: "old", Opened: time.Date(1969, time.July, 20, 0, 0, 0, 0, time.UTC)},
	}
	kept := func(t time.Time) time.Time {
		if t.IsZero() {
			return t
		}
		return t.UTC().Truncate(time.Millisecond)
	}
	var want []metrics.PullRequest
	for _, i := range []int{2, 1, 0} { // by opening time, then ID in bytes
		p := rows[i]
		p.Line = 0
		for _, at := range []*time.Time{&p.Opened, &p.Ready, &p.FirstReview, &p.Merged, &p.Closed, &p.RevertedAt, &p.FirstCommit, &p.Deployed, &p.Seen} {
			*at = kept(*at)
		}
		want = append(want, p)
	}
	each(t, func(t *testing.T, s *store.Store) {
		imp, err := importPullRequests(t.Context(), s, rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantImport := metrics.Import{
			File: "pulls.csv", SHA256: "ab12", Rows: 3, At: now,
			LeftOut: []metrics.LeftOut{{Count: 3, What: "rows", Reason: "of duplicates"}},
		}
		if diff := cmp.Diff(wantImport, imp); diff != "" {
			t.Errorf("import (-want +got):\n%s", diff)
		}
		got, err := collect(s.PullRequests(t.Context(), nil, metrics.Window{}))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pull requests (-want +got):\n%s", diff)
		}
		if !slices.EqualFunc(want, got, func(a, b metrics.PullRequest) bool { return a == b }) {
			t.Errorf("times are not in UTC: %v", got)
		}
	})
}

func TestPullRequestsAreReplacedByID(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		rows := pullRequests("Payments", 600) // more than two batches
		if _, err := importPullRequests(ctx, s, rows, nil); err != nil {
			t.Fatal(err)
		}
		newer := []metrics.PullRequest{rows[599], rows[0], pullRequest("Ledger", 1)}
		newer[0].Team, newer[1].Merged = "Checkout", time.Time{}
		newer[0].Additions = 12345
		if _, err := importPullRequests(ctx, s, newer, nil); err != nil {
			t.Fatal(err)
		}
		rows[599], rows[0] = newer[0], newer[1]
		want := append(slices.Clone(rows), newer[2])
		slices.SortFunc(want, byOpened)
		got, err := collect(s.PullRequests(ctx, nil, metrics.Window{}))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pull requests (-want +got):\n%s", diff)
		}
	})
}

func byOpened(a, b metrics.PullRequest) int {
	if c := a.Opened.Compare(b.Opened); c != 0 {
		return c
	}
	return strings.Compare(a.ID, b.ID)
}

func TestPullRequestsByTeamAndWindow(t *testing.T) {
	var rows []metrics.PullRequest
	for _, team := range []string{"", "Checkout", "Ledger", "Payments"} {
		rows = append(rows, pullRequests(team, 100)...)
	}
	at := func(hours int) time.Time { return day(2025, time.January, 1).Add(time.Duration(hours) * time.Hour) }
	many := make([]string, 1500)
	for i := range many {
		many[i] = fmt.Sprintf("Team %d", i)
	}
	tests := []struct {
		name  string
		teams []string
		w     metrics.Window
	}{
		{"all", nil, metrics.Window{}},
		{"one-team", []string{"Ledger"}, metrics.Window{}},
		{"two-teams", []string{"Payments", "Checkout"}, metrics.Window{}},
		{"unplaced", []string{""}, metrics.Window{}},
		{"unknown-team", []string{"Nobody"}, metrics.Window{}},
		{"window", nil, metrics.Window{From: at(40), To: at(50)}},
		{"team-in-window", []string{"Payments"}, metrics.Window{From: at(40), To: at(50)}},
		{"open-start", []string{"Payments"}, metrics.Window{To: at(3)}},
		{"open-end", nil, metrics.Window{From: at(125)}},
		{"empty-window", nil, metrics.Window{From: at(9), To: at(9)}},
		{"more-teams-than-a-query-names", append(many, "Ledger", "Payments"), metrics.Window{From: at(40)}},
	}
	each(t, func(t *testing.T, s *store.Store) {
		if _, err := importPullRequests(t.Context(), s, rows, nil); err != nil {
			t.Fatal(err)
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				want := []metrics.PullRequest{}
				for _, p := range rows {
					inTeams := len(test.teams) == 0 || slices.Contains(test.teams, p.Team)
					if inTeams && (test.w.Contains(p.Opened) || !p.Merged.IsZero() && test.w.Contains(p.Merged)) {
						want = append(want, p)
					}
				}
				slices.SortFunc(want, byOpened)
				got, err := collect(s.PullRequests(t.Context(), test.teams, test.w))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("pull requests (-want +got):\n%s", diff)
				}
			})
		}
	})
}

func TestPullRequestReaderMayStopEarly(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		if _, err := importPullRequests(t.Context(), s, pullRequests("Payments", 5000), nil); err != nil {
			t.Fatal(err)
		}
		for range 50 { // more often than there are connections
			n := 0
			for p, err := range s.PullRequests(t.Context(), nil, metrics.Window{}) {
				if err != nil {
					t.Fatal(err)
				}
				if n++; n == 3 {
					if p.Number != 2 {
						t.Fatalf("third pull request is number %d", p.Number)
					}
					break
				}
			}
		}
	})
}

func TestPullRequestReaderIsCancelled(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		if _, err := importPullRequests(t.Context(), s, pullRequests("Payments", 5000), nil); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		n := 0
		var last error
		for _, err := range s.PullRequests(ctx, nil, metrics.Window{}) {
			if n++; n == 3 {
				cancel()
			}
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), context.Canceled.Error()) || n > 4000 {
			t.Errorf("after %d rows: %v; want context canceled", n, last)
		}
	})
}

// A reader that is in the middle of its rows neither stops a writer nor sees
// what it writes.
func TestReaderSeesOneMomentWhileAWriterWrites(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		rows := pullRequests("Payments", 3000)
		if _, err := importPullRequests(t.Context(), s, rows, nil); err != nil {
			t.Fatal(err)
		}
		newer := slices.Clone(rows)
		for i := range newer {
			newer[i].Team = "Renamed"
		}
		n := 0
		for p, err := range s.PullRequests(t.Context(), nil, metrics.Window{}) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 10 {
				if _, err := importPullRequests(t.Context(), s, newer, nil); err != nil {
					t.Fatal(err)
				}
			}
			if p.Team != "Payments" {
				t.Fatalf("row %d is of team %q", n, p.Team)
			}
		}
		if n != len(rows) {
			t.Errorf("%d rows; want %d", n, len(rows))
		}
	})
}

// While an import is under way, readers read, and see nothing of it.
func TestReadersReadDuringAnImport(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		if _, err := importPanel(t.Context(), s, panelPilot("editor"), panelRows(), nil); err != nil {
			t.Fatal(err)
		}
		before := everything(t, s)
		n := 0
		_, err := s.ImportPullRequests(t.Context(), func(yield func(metrics.PullRequest, error) bool) {
			for _, p := range pullRequests("Payments", 1000) {
				if n++; n%250 == 3 {
					if diff := cmp.Diff(before, everything(t, s), cmp.Comparer(sameFloat)); diff != "" {
						t.Errorf("the store changed (-before +during):\n%s", diff)
					}
				}
				if !yield(p, nil) {
					return
				}
			}
		}, finish("pulls.csv"))
		if err != nil {
			t.Fatal(err)
		}
	})
}

func sameFloat(a, b float64) bool { return a == b || a != a && b != b }

func TestPullRequestFaults(t *testing.T) {
	many := pullRequests("Payments", 900)
	for i := range many {
		many[i].Line = i + 2
	}
	with := func(i int, change func(p *metrics.PullRequest)) []metrics.PullRequest {
		rows := slices.Clone(many)
		change(&rows[i])
		return rows
	}
	again := func(i, line int) []metrics.PullRequest {
		p := many[i]
		p.Line = line
		return append(slices.Clone(many), p)
	}
	tests := []struct {
		name string
		rows []metrics.PullRequest
		err  error
		want string
	}{
		{"rows-fail", many, errBad, errBad.Error()},
		{"no-id", with(700, func(p *metrics.PullRequest) { p.ID = "" }), nil, "line 702: the pull request has no ID"},
		{
			"not-opened", with(700, func(p *metrics.PullRequest) { p.Opened = time.Time{} }), nil,
			`line 702: pull request "Payments#000700" has no opening time`,
		},
		{
			"nul", with(1, func(p *metrics.PullRequest) { p.Author = "a\x00b" }), nil,
			`line 3: author "a\x00b" holds a NUL character or is not valid UTF-8: save it as UTF-8`,
		},
		{
			"duplicate-in-a-batch", again(899, 4000), nil,
			`pull request "Payments#000899" stands twice, in lines 901 and 4000: keep one of them`,
		},
		{
			"duplicate-in-another-batch", again(1, 4000), nil,
			`pull request "Payments#000001" stands twice, in lines 3 and 4000: keep one of them`,
		},
	}
	each(t, func(t *testing.T, s *store.Store) {
		if _, err := importPullRequests(t.Context(), s, pullRequests("Payments", 5), nil); err != nil {
			t.Fatal(err)
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				checkUnchanged(t, s, func() error {
					_, err := importPullRequests(t.Context(), s, test.rows, test.err)
					return err
				}, "import pull requests: ", test.want)
			})
		}
		t.Run("cancelled", func(t *testing.T) {
			checkUnchanged(t, s, func() error {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				n := 0
				_, err := s.ImportPullRequests(ctx, func(yield func(metrics.PullRequest, error) bool) {
					for _, p := range many {
						if n++; n == 700 {
							cancel()
						}
						if !yield(p, nil) {
							return
						}
					}
				}, finish("pulls.csv"))
				return err
			}, "import pull requests: ", context.Canceled.Error())
		})
		t.Run("panic", func(t *testing.T) {
			before := everything(t, s)
			func() {
				defer func() {
					if recover() == nil {
						t.Error("the panic was swallowed")
					}
				}()
				_, _ = s.ImportPullRequests(t.Context(), func(yield func(metrics.PullRequest, error) bool) {
					yield(many[8], nil)
					panic("a reader of rows fails")
				}, finish("pulls.csv"))
			}()
			if diff := cmp.Diff(before, everything(t, s)); diff != "" {
				t.Errorf("the store changed (-before +after):\n%s", diff)
			}
			if _, err := importPullRequests(t.Context(), s, many, nil); err != nil {
				t.Errorf("the next import: %v", err)
			}
		})
	})
}

// What an import does not say of itself is filled in.
func TestImportIsDatedAndCounted(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		imp, err := s.ImportPullRequests(t.Context(), sequence(pullRequests("Payments", 3), nil),
			func() (metrics.Import, error) { return metrics.Import{File: "x.csv", Rows: 99}, nil })
		if err != nil {
			t.Fatal(err)
		}
		want := metrics.Import{File: "x.csv", Rows: 3, At: now, LeftOut: []metrics.LeftOut{}}
		if diff := cmp.Diff(want, imp); diff != "" {
			t.Errorf("import (-want +got):\n%s", diff)
		}
	})
}
