package store_test

import (
	"errors"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/store"
)

// shipped is a day of the tests below.
func shipped(hour int) time.Time {
	return day(2026, time.January, 5).Add(time.Duration(hour) * time.Hour)
}

// mergedAt is a pull request of acme/pay that was merged to main.
func mergedAt(id, commit string, hour int) metrics.PullRequest {
	return metrics.PullRequest{
		ID: id, Repository: "acme/pay", Team: "Payments", Base: "main", MergeCommit: commit,
		Opened: shipped(0), Merged: shipped(hour), Closed: shipped(hour),
	}
}

func importDeployments(t *testing.T, s *store.Store, rows ...metrics.Deployment) (metrics.Linked, error) {
	t.Helper()
	return s.ImportDeployments(t.Context(), values(rows), func() (metrics.Import, error) {
		return metrics.Import{File: "deployments.csv", Rows: len(rows)}, nil
	})
}

func values[T any](rows []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// deployedAt is when each stored pull request was deployed, as an hour of the
// day; −1 where it was not.
func deployedAt(t *testing.T, s *store.Store) map[string]int {
	t.Helper()
	out := map[string]int{}
	all, err := collect(s.PullRequests(t.Context(), nil, metrics.Window{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		out[p.ID] = -1
		if !p.Deployed.IsZero() {
			out[p.ID] = int(p.Deployed.Sub(shipped(0)).Hours())
		}
	}
	return out
}

// A deployment that names only its commit holds what was merged to the same
// branch since the deployment before.
func TestDeploymentsHoldWhatWasMergedBefore(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		other := mergedAt("other-branch", "b1", 3)
		other.Base = "release/1"
		rows := []metrics.PullRequest{
			mergedAt("before-all", "a0", 1), mergedAt("first", "aaaa1111", 2), mergedAt("a", "aaaa2222", 4), mergedAt("b", "aaaa3333", 6),
			mergedAt("late", "aaaa4444", 20), other,
		}
		if _, err := importPullRequests(t.Context(), s, rows, nil); err != nil {
			t.Fatal(err)
		}
		at := func(id, sha string, hour int) metrics.Deployment {
			return metrics.Deployment{ID: id, Repository: "acme/pay", Environment: "prod", Finished: shipped(hour), SHA: sha}
		}
		done, err := importDeployments(t, s, at("1", "aaaa1111", 3), at("2", "aaaa3333", 8), at("3", "aaaa2222", 9), at("4", "unknown", 21))
		if err != nil {
			t.Fatal(err)
		}
		// What came before the first deployment was deployed nobody knows when.
		want := map[string]int{"before-all": -1, "first": 3, "a": 8, "b": 8, "late": -1, "other-branch": -1}
		if diff := cmp.Diff(want, deployedAt(t, s)); diff != "" {
			t.Errorf("deployed (-want +got):\n%s", diff)
		}
		if done.Deployments != 4 || done.PullRequests != 3 || done.Waiting != 3 {
			t.Errorf("linked %+v", done)
		}
		// A pull request that comes later is dated, and one that is stored again
		// keeps its date.
		again := mergedAt("a", "aaaa2222", 4)
		if _, err := importPullRequests(t.Context(), s, []metrics.PullRequest{again, mergedAt("c", "c", 5)}, nil); err != nil {
			t.Fatal(err)
		}
		if got := deployedAt(t, s); got["a"] != 8 || got["c"] != 8 {
			t.Errorf("after another import: %v", got)
		}
		// A deployment that turns out to have been of another commit.
		if _, err := importDeployments(t, s, at("2", "aaaa2222", 8)); err != nil {
			t.Fatal(err)
		}
		if got := deployedAt(t, s); got["a"] != 8 || got["b"] != -1 {
			t.Errorf("after the correction: %v", got)
		}
		if got := lacksDeployed(t, s); len(got) != 0 {
			t.Errorf("deployments are taken for unknown of %v", got)
		}
	})
}

// lacksDeployed are the pull requests of which it is not known whether they
// were deployed.
func lacksDeployed(t *testing.T, s *store.Store) []string {
	t.Helper()
	var out []string
	for p, err := range s.PullRequests(t.Context(), nil, metrics.Window{}) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Lacks.Has(metrics.FieldDeployed) {
			out = append(out, p.ID)
		}
	}
	slices.Sort(out)
	return out
}

// Listed commits are taken as they stand, whole hashes and short ones.
func TestDeploymentsThatListCommits(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		long := "0123456789abcdef0123456789abcdef01234567"
		rows := []metrics.PullRequest{
			mergedAt("long", long, 2), mergedAt("upper", "ABCDEF0123456789", 3), mergedAt("unlisted", "fedcba9876543210", 1), mergedAt("short", "abc", 4),
		}
		if _, err := importPullRequests(t.Context(), s, rows, nil); err != nil {
			t.Fatal(err)
		}
		d := func(id string, hour int, commits ...string) metrics.Deployment {
			return metrics.Deployment{ID: id, Repository: "acme/pay", Finished: shipped(hour), Commits: commits}
		}
		if _, err := importDeployments(t, s, d("1", 5, long[:9]), d("1", 5, "abcdef0123456789"), d("2", 7, long)); err != nil {
			t.Fatal(err)
		}
		want := map[string]int{"long": 7, "upper": 5, "unlisted": -1, "short": -1}
		if diff := cmp.Diff(want, deployedAt(t, s)); diff != "" {
			t.Errorf("deployed (-want +got):\n%s", diff)
		}
	})
}

func TestBrokenDeploymentsChangeNothing(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		if _, err := importPullRequests(t.Context(), s, []metrics.PullRequest{mergedAt("a", "aaaa2222", 4)}, nil); err != nil {
			t.Fatal(err)
		}
		before, err := s.Revision(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		broken := errors.New("broken")
		rows := func(yield func(metrics.Deployment, error) bool) {
			if yield(metrics.Deployment{ID: "1", Repository: "acme/pay", Finished: shipped(8), SHA: "aaaa2222"}, nil) {
				yield(metrics.Deployment{}, broken)
			}
		}
		if _, err := s.ImportDeployments(t.Context(), rows, func() (metrics.Import, error) { return metrics.Import{}, nil }); !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
		if got := deployedAt(t, s); got["a"] != -1 {
			t.Errorf("deployed at %v after a broken import", got)
		}
		if after, err := s.Revision(t.Context()); err != nil || after != before {
			t.Errorf("revision %s, then %s: %v", before, after, err)
		}
	})
}

func TestSurveyAndCosts(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		finish := func(rows int) func() (metrics.Import, error) {
			return func() (metrics.Import, error) { return metrics.Import{File: "f.csv", Rows: rows}, nil }
		}
		a := metrics.Answer{Respondent: "r1", Day: day(2026, time.January, 5), Team: "Payments", Question: "focus", Value: 4, Low: 1, High: 5}
		b := a
		b.Respondent, b.Question, b.Value, b.Low, b.High = "r2", metrics.BelievedChange, -20, 0, 0
		other := a
		other.Team, other.Respondent = "Ledger", "r3"
		if imp, err := s.ImportSurvey(ctx, values([]metrics.Answer{a, b, other}), finish(2)); err != nil || imp.Rows != 2 {
			t.Fatal(imp, err)
		}
		a.Value = 2
		if _, err := s.ImportSurvey(ctx, values([]metrics.Answer{a}), finish(1)); err != nil {
			t.Fatal(err)
		}
		got, err := s.Answers(ctx, []string{"Payments"})
		if diff := cmp.Diff([]metrics.Answer{b, a}, got); err != nil || diff != "" {
			t.Errorf("answers (-want +got):\n%s%v", diff, err)
		}
		if _, err := s.ImportSurvey(ctx, values([]metrics.Answer{{Respondent: "a\x00b"}}), finish(1)); err == nil {
			t.Error("a NUL was stored")
		}

		c := metrics.Cost{Team: "Payments", Day: day(2026, time.January, 5), Unit: "credits", Amount: 3}
		for range 2 { // the second import replaces the first
			if _, err := s.ImportCosts(ctx, values([]metrics.Cost{c, c}), finish(2)); err != nil {
				t.Fatal(err)
			}
		}
		costs, err := s.Costs(ctx, []string{"Payments"}, metrics.Window{To: day(2026, time.January, 6)})
		c.Amount = 6
		if diff := cmp.Diff([]metrics.Cost{c}, costs); err != nil || diff != "" {
			t.Errorf("costs (-want +got):\n%s%v", diff, err)
		}
		if costs, err := s.Costs(ctx, []string{"Payments"}, metrics.Window{From: day(2026, time.January, 6)}); err != nil || len(costs) != 0 {
			t.Errorf("costs of another window: %v, %v", costs, err)
		}
		// None of them is an import of pull requests.
		if sum, err := s.PullRequestSummary(ctx); err != nil || len(sum.Imports) != 0 {
			t.Errorf("summary %+v, %v", sum, err)
		}
		bot := mergedAt("bot", "", 3)
		bot.AuthorBot = true
		apart := mergedAt("back-port", "", 3)
		apart.SetApart = "back-port"
		if _, err := importPullRequests(ctx, s, []metrics.PullRequest{mergedAt("a", "", 2), mergedAt("b", "", 30), bot, apart}, nil); err != nil {
			t.Fatal(err)
		}
		if n, err := s.MergesOf(ctx, []string{"Payments"}, metrics.Window{From: shipped(0), To: shipped(24)}); err != nil || n != 1 {
			t.Errorf("%d merges, %v; want the one of a person in the window", n, err)
		}
	})
}

// Of a repository that is read from GitHub nobody knows its deployments until
// some are imported.
func TestSyncedRepositoriesLackDeployments(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		p := mergedAt("a", "aaaa2222", 4)
		_, err := s.ImportPullRequests(t.Context(), values([]metrics.PullRequest{p}), func() (metrics.Import, error) {
			return metrics.Import{File: "github:acme/pay", Until: shipped(50)}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := lacksDeployed(t, s); len(got) != 1 {
			t.Errorf("deployments are known of %v", got)
		}
		if _, err := importDeployments(t, s, metrics.Deployment{ID: "1", Repository: "acme/pay", Finished: shipped(8), SHA: "aaaa2222"}); err != nil {
			t.Fatal(err)
		}
		if got := lacksDeployed(t, s); len(got) != 0 {
			t.Errorf("deployments are not known of %v", got)
		}
	})
}
