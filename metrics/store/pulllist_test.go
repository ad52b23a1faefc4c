package store_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// listedPulls are pull requests of teams of different sizes, in every state,
// with times that repeat.
func listedPulls() []metrics.PullRequest {
	random := rand.New(rand.NewPCG(7, 11))
	var out []metrics.PullRequest
	for i := range 900 {
		team := []string{"Payments", "Checkout", "Ledger", "Trio", "Ghosts", ""}[i%6]
		p := metrics.PullRequest{
			ID: fmt.Sprintf("PR_%03d", (i*7)%900), Repository: fmt.Sprintf("acme/r%d", i%4), Number: i + 1, Team: team,
			Author: fmt.Sprintf("U_%d", random.IntN(9)), AuthorBot: i%29 == 0,
			Opened: day(2025, time.January, 1).Add(time.Duration(random.IntN(200)) * 12 * time.Hour), Additions: i, Deletions: -1,
		}
		switch team {
		case "Trio":
			p.Author = fmt.Sprintf("U_%d", i%3)
		case "Ghosts":
			p.Author = ""
		}
		if i%31 == 0 {
			p.SetApart = "back-port"
		}
		switch i % 5 {
		case 0:
			p.Closed = p.Opened.Add(40 * time.Hour)
		case 1, 2, 3:
			p.Merged = p.Opened.Add(time.Duration(random.IntN(60)) * time.Hour)
			p.Closed = p.Merged
		}
		if i%5 == 2 && i%4 == 0 {
			p.RevertedAt = p.Merged.Add(50 * time.Hour)
		}
		if i%3 == 0 {
			p.Assisted = "co-authored"
		}
		out = append(out, p)
	}
	return out
}

// chosen are the IDs that a query must list, found the slow way.
func chosen(all []metrics.PullRequest, q metrics.PullQuery) []int {
	at := func(p metrics.PullRequest) time.Time {
		if q.State == metrics.PullReverted {
			return p.Merged
		}
		return p.Opened
	}
	var out []metrics.PullRequest
	for _, p := range all {
		shown := map[string]bool{"Payments": true, "Checkout": true, "Ledger": true}[p.Team] && slices.Contains(q.Teams, p.Team)
		if !shown || p.AuthorBot || p.SetApart != "" {
			continue
		}
		state := map[metrics.PullState]bool{
			"": true, metrics.PullOpen: p.Open(), metrics.PullMerged: !p.Merged.IsZero(),
			metrics.PullClosed: p.Merged.IsZero() && !p.Closed.IsZero(), metrics.PullReverted: !p.RevertedAt.IsZero(),
		}[q.State]
		signal := map[metrics.PullSignal]bool{"": true, metrics.SignalSeen: p.Assisted != "", metrics.SignalNone: p.Assisted == ""}[q.Signal]
		if !state || !signal || !q.Window.Contains(at(p)) || slices.ContainsFunc(q.Except, func(w metrics.Window) bool { return w.Contains(at(p)) }) {
			continue
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b metrics.PullRequest) int {
		return cmp.Or(at(b).Compare(at(a)), strings.Compare(b.ID, a.ID))
	})
	numbers := []int{}
	for _, p := range out {
		numbers = append(numbers, p.Number)
	}
	return numbers
}

func TestListPulls(t *testing.T) {
	all := listedPulls()
	teams := []string{"Payments", "Checkout", "Ledger", "Trio", "Ghosts", "Nobody", ""}
	spring := metrics.Window{From: day(2025, time.February, 1), To: day(2025, time.April, 1)}
	each(t, func(t *testing.T, s *store.Store) {
		if _, err := importPullRequests(t.Context(), s, all, nil); err != nil {
			t.Fatal(err)
		}
		for _, state := range append(metrics.PullStates(), "") {
			for _, signal := range append(metrics.PullSignals(), "") {
				for i, q := range []metrics.PullQuery{
					{Teams: teams},
					{Teams: []string{"Checkout"}, Limit: 7},
					{Teams: teams, Window: spring, Limit: 3},
					{Teams: teams[:2], Window: spring, Except: []metrics.Window{{From: day(2025, time.February, 10), To: day(2025, time.March, 3)}}},
					{Teams: teams, Window: metrics.Window{From: spring.From}, Limit: 1000},
				} {
					q.State, q.Signal = state, signal
					want := chosen(all, q)
					got, small := walkPulls(t, s, q)
					if diff := gocmp.Diff(want, got); diff != "" {
						t.Errorf("query %d, state %q, signal %q (-want +got):\n%s", i, state, signal, diff)
					}
					if wantSmall := []string{"Ghosts", "Trio"}; len(q.Teams) > 2 && !slices.Equal(small, wantSmall) {
						t.Errorf("small teams %q, want %q", small, wantSmall)
					}
				}
			}
		}
	})
}

// walkPulls lists every page and holds each to its limit.
func walkPulls(t *testing.T, s *store.Store, q metrics.PullQuery) (numbers []int, small []string) {
	t.Helper()
	numbers = []int{}
	for range 1000 {
		page, err := s.ListPulls(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if limit := cmp.Or(min(q.Limit, metrics.MaxPulls), metrics.DefaultPulls); len(page.Rows) > limit || page.Next != (metrics.PullPlace{}) && len(page.Rows) != limit {
			t.Fatalf("%d rows on a page of %d, next %v", len(page.Rows), limit, page.Next)
		}
		for _, r := range page.Rows {
			numbers = append(numbers, r.Number)
		}
		place, err := metrics.ParsePullPlace(page.Next.String())
		if err != nil {
			t.Fatal(err)
		}
		if q.After = place; place == (metrics.PullPlace{}) {
			return numbers, page.Small
		}
	}
	t.Fatal("the list does not end")
	return nil, nil
}

// TestSmallGroupsAreNotListed holds that a narrow window, in which only few of a
// large team did anything, shows nothing of them.
func TestSmallGroupsAreNotListed(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		var rows []metrics.PullRequest
		for i := range 500 {
			p := metrics.PullRequest{ID: fmt.Sprint("a", i), Repository: "acme/pay", Number: i, Team: "Payments", Author: fmt.Sprint("U_", i%4), Opened: day(2025, time.June, 1).Add(time.Duration(i) * time.Minute)}
			rows = append(rows, p)
		}
		rows[0].Author = "U_4" // the fifth, seen only behind many others
		rows = append(rows, metrics.PullRequest{ID: "b", Team: "Payments", Author: "U_1", Opened: day(2025, time.July, 1)})
		if _, err := importPullRequests(t.Context(), s, rows, nil); err != nil {
			t.Fatal(err)
		}
		for w, want := range map[metrics.Window]int{
			{}:                               20,
			{From: day(2025, time.June, 30)}: 0,
			{From: rows[0].Opened, To: rows[400].Opened}: 20,
			{From: rows[1].Opened, To: rows[400].Opened}: 0,
			{To: day(2024, time.June, 30)}:               0,
		} {
			page, err := s.ListPulls(t.Context(), metrics.PullQuery{Teams: []string{"Payments"}, Window: w})
			if err != nil || len(page.Rows) != want || (len(page.Small) > 0) != (want == 0 && !w.From.IsZero()) {
				t.Errorf("%v: %d rows and %q too small, want %d rows: %v", w, len(page.Rows), page.Small, want, err)
			}
		}
		// A write is seen.
		var more []metrics.PullRequest
		for i := range 4 {
			more = append(more, metrics.PullRequest{ID: fmt.Sprint("c", i), Team: "Payments", Author: fmt.Sprint("U_1", i), Opened: day(2025, time.July, 2)})
		}
		if _, err := importPullRequests(t.Context(), s, more, nil); err != nil {
			t.Fatal(err)
		}
		page, err := s.ListPulls(t.Context(), metrics.PullQuery{Teams: []string{"Payments"}, Window: metrics.Window{From: day(2025, time.June, 30)}})
		if err != nil || len(page.Rows) != 5 {
			t.Errorf("after a write: %d rows, %v", len(page.Rows), err)
		}
	})
}

func TestListPullsRefusesWhatItDoesNotKnow(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		for _, q := range []metrics.PullQuery{{State: "lost"}, {Signal: "maybe"}} {
			if _, err := s.ListPulls(t.Context(), q); err == nil {
				t.Errorf("%+v: no error", q)
			}
		}
	})
}

// TestListPullsOfAMillion holds the pages of a large database to a time that
// only reading along an index can keep.
func TestListPullsOfAMillion(t *testing.T) {
	if os.Getenv(longEnv) == "" {
		t.Skip("set " + longEnv + "=1 to list 1,000,000 pull requests")
	}
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		s := newStore(db)
		const n = 1_000_000
		start := time.Now()
		rows := func(yield func(metrics.PullRequest, error) bool) {
			for i := range n {
				p := bigPullRequest(i, n)
				if i%10 == 0 && i < n*99/100 { // what is old is not open any more
					p.Closed = p.Opened.Add(30 * time.Hour)
				}
				if i%101 == 0 && !p.Merged.IsZero() {
					p.RevertedAt = p.Merged.Add(time.Hour)
				}
				if i > n*9/10 && i%4 == 0 {
					p.Assisted = "co-authored"
				}
				if !yield(p, nil) {
					return
				}
			}
		}
		if _, err := s.ImportPullRequests(t.Context(), rows, finish("pulls.csv")); err != nil {
			t.Fatal(err)
		}
		t.Logf("import: %v", time.Since(start))
		var all []string
		for i := range 50 {
			all = append(all, fmt.Sprintf("Team %02d", i))
		}
		year := metrics.Window{From: day(2023, time.January, 1), To: day(2024, time.January, 1)}
		for _, teams := range [][]string{all[:1], all[:10], all} {
			for _, w := range []metrics.Window{{}, year} {
				for _, state := range append(metrics.PullStates(), "") {
					for _, signal := range append(metrics.PullSignals(), "") {
						q := metrics.PullQuery{Teams: teams, Window: w, State: state, Signal: signal}
						for page := range 3 {
							start := time.Now()
							got, err := s.ListPulls(t.Context(), q)
							if err != nil {
								t.Fatal(err)
							}
							if took := time.Since(start); took > 50*time.Millisecond {
								t.Logf("%d teams, since %d, state %q, signal %q, page %d: %d rows in %v", len(teams), w.From.Year(), state, signal, page, len(got.Rows), took)
								if took > 5*time.Second {
									t.Error("that is too long")
								}
							}
							q.After = got.Next
						}
					}
				}
			}
		}
	})
}
