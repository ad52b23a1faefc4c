package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

var (
	ada = metrics.Account{ID: "U_ada", Number: 101, Login: "Ada", Type: "User"}
	bob = metrics.Account{ID: "U_bob", Number: 102, Login: "bob", Type: "User"}
)

// page is one pull request by ada that bob reviewed, of a repository.
func page(repository string, number int, updated metrics.Moment) metrics.SyncPage {
	opened := time.Unix(1_770_000_000, 0).UTC()
	id := fmt.Sprintf("PR_%s_%d", repository, number)
	return metrics.SyncPage{
		Repository: metrics.SyncedRepository{ID: "R_" + repository, Name: "acme/" + repository, DefaultBranch: "main"},
		At:         opened.Add(time.Hour), Accounts: []metrics.Account{ada, bob},
		Pulls: []metrics.SyncedPull{{
			Record: metrics.Record{
				ID: id, Number: number, Title: "Change", Opened: metrics.MomentOf(opened), Updated: updated, Merged: updated,
				Base: "main", Head: "ada/fix-1", Author: ada.ID, MergedBy: bob.ID, Assignees: []string{ada.ID, bob.ID}, CoAuthors: []int64{ada.Number},
				Commits: []metrics.RecordCommit{{OID: "aa", Author: ada.ID}},
				Reviews: []metrics.RecordReview{{State: "approved", Author: bob.ID}, {State: "commented", Author: ada.ID}},
				Threads: []metrics.RecordThread{{Comments: []metrics.RecordComment{{Author: ada.ID}, {Author: bob.ID}}}},
			},
			Row:    metrics.PullRequest{ID: id, Number: number, Author: ada.ID, Opened: opened, Merged: updated.Time(), Additions: 1, Deletions: 1},
			Owner:  ada.ID,
			Landed: &metrics.Landed{ID: id, Number: number, Merged: updated.Time(), Commit: "bb", Facts: `{"base":"main","head":"ada/fix-1"}`},
		}},
		Place: func(q metrics.PlaceQuery) (string, string) {
			if q.Owner == "" {
				return "", "its author's account was deleted"
			}
			return "payments", ""
		},
	}
}

// save saves a page by the memberships as they are.
func save(t *testing.T, s *store.Store, p metrics.SyncPage) {
	t.Helper()
	teams, err := s.Teams(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.Teams = teams.Version
	if _, err := s.SavePage(t.Context(), p); err != nil {
		t.Fatal(err)
	}
}

func seeded(t *testing.T, db *migrations.DB) *store.Store {
	t.Helper()
	s := store.New(db, func() time.Time { return time.Unix(1_770_100_000, 0) })
	for _, p := range []metrics.SyncPage{page("api", 1, 1_770_000_100), page("web", 7, 1_770_000_100)} {
		if _, err := s.SavePage(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	sources := []metrics.TeamSource{{Team: "payments", GitHub: "acme/payments"}}
	if _, err := s.SaveTeamSources(t.Context(), sources); err != nil {
		t.Fatal(err)
	}
	if _, err := s.SaveTeamMembers(t.Context(), "acme/payments", []metrics.Account{ada, bob}, time.Unix(1_770_000_000, 0)); err != nil {
		t.Fatal(err)
	}
	return s
}

// allText is all text that the database holds, table by table.
func allText(t *testing.T, db *migrations.DB) string {
	t.Helper()
	var b strings.Builder
	for _, table := range []string{"github_accounts", "github_pulls", "github_changes", "pull_requests", "team_members", "imports", "github_repositories", "github_repository_names", "github_signals"} {
		err := db.View(t.Context(), func(tx *sql.Tx) error {
			rows, err := tx.QueryContext(t.Context(), `SELECT * FROM `+table)
			if err != nil {
				return err
			}
			defer rows.Close()
			columns, err := rows.Columns()
			if err != nil {
				return err
			}
			for rows.Next() {
				cells := make([]sql.NullString, len(columns))
				into := make([]any, len(columns))
				for i := range cells {
					into[i] = &cells[i]
				}
				if err := rows.Scan(into...); err != nil {
					return err
				}
				fmt.Fprintln(&b, table, cells)
			}
			return rows.Err()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// TestForgetPerson holds that nothing names a forgotten person afterwards, not
// even what is read of them later, and that their pull requests still count.
func TestForgetPerson(t *testing.T) {
	for _, who := range []string{"ada", "U_ada", "101"} {
		t.Run(who, func(t *testing.T) {
			migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
				s := seeded(t, db)
				before := allText(t, db)
				want := store.ForgottenPerson{Authored: 2, Named: 0, Memberships: 1, Accounts: 1}
				got, err := s.ForgetPerson(t.Context(), who, true)
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Fatalf("dry: %v\n%s", err, diff)
				}
				if diff := cmp.Diff(before, allText(t, db)); diff != "" {
					t.Fatalf("looking changed something:\n%s", diff)
				}
				if got, err = s.ForgetPerson(t.Context(), who, false); err != nil || got != want {
					t.Fatalf("%+v, %v", got, err)
				}
				check := func(when string) {
					text := allText(t, db)
					for _, trace := range []string{"U_ada", "Ada", "ada/", "[101]"} {
						if strings.Contains(text, trace) {
							t.Errorf("%s: %q is still there:\n%s", when, trace, text)
						}
					}
					if !strings.Contains(text, "U_bob") {
						t.Errorf("%s: somebody else is gone", when)
					}
				}
				check("forgotten")
				sum, err := s.PullRequestSummary(t.Context())
				if err != nil || sum.Total != 2 || sum.Unplaced != 0 || len(sum.Teams) != 1 || sum.Teams[0] != (metrics.TeamSize{Team: "payments", PullRequests: 2}) {
					t.Errorf("%+v, %v", sum, err)
				}
				save(t, s, page("api", 1, 1_770_000_900))
				if _, err := s.SaveTeamMembers(t.Context(), "acme/payments", []metrics.Account{ada, bob}, time.Unix(1_770_200_000, 0)); err != nil {
					t.Fatal(err)
				}
				check("read again")
				if _, err := s.ForgetPerson(t.Context(), who, false); !errors.Is(err, metrics.ErrNotFound) {
					t.Errorf("a second time: %v", err)
				}
			})
		})
	}
}

func TestForgetReviewer(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		s := seeded(t, db)
		got, err := s.ForgetPerson(t.Context(), "BOB", false)
		if want := (store.ForgottenPerson{Named: 2, Memberships: 1, Accounts: 1}); err != nil || got != want {
			t.Errorf("%+v, %v", got, err)
		}
		if text := allText(t, db); strings.Contains(text, "U_bob") || !strings.Contains(text, "U_ada") {
			t.Errorf("what is left:\n%s", text)
		}
	})
}

// TestForgetRepository holds that nothing is left of a repository, nor of
// people who stood in nothing else, and that the others are as they were.
func TestForgetRepository(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		s := seeded(t, db)
		only := page("api", 2, 1_770_000_300)
		carol := metrics.Account{ID: "U_carol", Number: 103, Login: "carol", Type: "User"}
		only.Accounts = append(only.Accounts, carol)
		only.Pulls[0].Record.MergedBy = carol.ID
		only.Repository.Name = "acme/api-next" // renamed
		save(t, s, only)
		want := store.ForgottenRepository{Names: []string{"acme/api", "acme/api-next"}, PullRequests: 2, Accounts: 1}
		for _, dry := range []bool{true, false} {
			got, err := s.ForgetRepository(t.Context(), "acme/api", dry)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Fatalf("dry %v: %v\n%s", dry, err, diff)
			}
		}
		text := allText(t, db)
		for _, trace := range []string{"R_api", "PR_api", "acme/api", "carol"} {
			if strings.Contains(text, trace) {
				t.Errorf("%q is still there:\n%s", trace, text)
			}
		}
		if !strings.Contains(text, "PR_web_7") || !strings.Contains(text, "U_ada") {
			t.Errorf("more is gone than that:\n%s", text)
		}
		if _, err := s.ForgetRepository(t.Context(), "acme/api", false); !errors.Is(err, metrics.ErrNotFound) {
			t.Errorf("a second time: %v", err)
		}
	})
}

// A name that is another repository's by now is that one's: forgetting it
// leaves the one that had it before, and the other way round.
func TestForgetRepositoryOfATakenName(t *testing.T) {
	for forgotten, left := range map[string]string{"acme/api": "PR_api_1", "acme/old": "PR_new_1"} {
		migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
			s := seeded(t, db)
			moved := page("api", 2, 1_770_000_300)
			moved.Repository.Name = "acme/old"
			save(t, s, moved)
			taken := page("new", 1, 1_770_000_300)
			taken.Repository.Name = "acme/api"
			save(t, s, taken)
			if _, err := s.ForgetRepository(t.Context(), forgotten, false); err != nil {
				t.Fatal(err)
			}
			var rows []string
			for p, err := range s.PullRequests(t.Context(), nil, metrics.Window{}) {
				if err != nil {
					t.Fatal(err)
				}
				rows = append(rows, p.ID)
			}
			if !slices.Contains(rows, left) || slices.Contains(rows, "PR_new_1") == slices.Contains(rows, "PR_api_1") {
				t.Errorf("after %s was forgotten there are %q", forgotten, rows)
			}
		})
	}
}
