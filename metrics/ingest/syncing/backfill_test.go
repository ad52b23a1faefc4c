package syncing_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github/githubtest"
)

// some opens n pull requests an hour apart, and merges two of three.
func (l *lab) some(n int) {
	for i := range n {
		l.clock.move(time.Hour)
		number := l.world.Open(repo, githubtest.Pull{Author: fmt.Sprintf("person-%d", i%7)})
		if i%3 > 0 {
			l.clock.move(time.Minute)
			l.world.Review(repo, number, l.world.Person("reviewer"), "APPROVED")
			l.world.Merge(repo, number, "reviewer", "")
		}
	}
	l.clock.move(24 * time.Hour)
}

func TestBackfillThenQuietThenTenChanges(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.some(230)
		if n := l.requests(l.backfill); n > 12 {
			t.Errorf("backfill took %d requests", n)
		}
		if n := len(l.pulls()); n != 230 {
			t.Fatalf("%d pull requests; want 230", n)
		}
		st := l.repository().State
		if st.Listed != 230 || st.Total != 230 || st.Backfilled.IsZero() || !st.Watermark.Equal(l.clock.now()) || st.RevertsStale {
			t.Errorf("state %+v", st)
		}
		if n := l.requests(l.backfill); n > 1 {
			t.Errorf("a backfill of what is whole took %d requests", n)
		}
		before, revision := dump(t, l.db), l.revision()
		l.clock.move(20 * time.Minute)
		if n := l.requests(l.update); n > 3 {
			t.Errorf("a quiet update took %d requests", n)
		}
		if l.revision() != revision {
			t.Error("a quiet update made reports old")
		}
		l.clock.move(20 * time.Minute)
		for i := range 10 {
			l.world.Change(repo, 1+20*i, func(p *githubPull) { p.Title += ", changed" })
		}
		if n := l.requests(l.update); n > 5 {
			t.Errorf("an update of ten took %d requests", n)
		}
		if l.revision() == revision {
			t.Error("ten changes left reports as they were")
		}
		after := dump(t, l.db)
		changed := 0
		for _, line := range after {
			if !contains(before, line) {
				changed++
			}
		}
		// Ten records, ten changes of the history of those merged (titles), the repository and its import.
		if changed < 11 || changed > 40 {
			t.Errorf("%d rows changed", changed)
		}
		if st := l.repository().State; !st.KnownUntil.Equal(l.clock.now()) {
			t.Errorf("known until %s; want now", st.KnownUntil)
		}
	})
}

func contains(lines []string, line string) bool {
	for _, l := range lines {
		if l == line {
			return true
		}
	}
	return false
}

// What an update reads at once is what a backfill of the same GitHub reads.
func TestUpdatesEqualABackfill(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.some(60)
		l.backfill()
		for range 5 {
			l.some(20)
			l.world.Review(repo, 3, l.world.Person("late"), "CHANGES_REQUESTED")
			l.world.Close(repo, 1, "person-0")
			l.update()
		}
		got := l.pulls()
		fresh := newLab(t, freshDB(t, l.db.Engine))
		fresh.world, fresh.server, fresh.clock = l.world, l.server, l.clock
		fresh.store = storeOn(fresh.db, l.clock)
		fresh.backfill()
		if diff := cmp.Diff(fresh.pulls(), got, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Seen" }, cmp.Ignore())); diff != "" {
			t.Errorf("backfill and updates differ (-backfill +updates):\n%s", diff)
		}
	})
}

// An open pull request is known to be open until the last run, and no longer.
func TestSeen(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.world.Open(repo, githubtest.Pull{Title: "Open"})
		l.backfill()
		until := l.clock.now()
		if p := l.pulls()[1]; !p.Seen.Equal(until) || !p.Open() {
			t.Errorf("seen %s, open %v; want %s", p.Seen, p.Open(), until)
		}
		l.clock.move(30 * time.Minute)
		l.update()
		if p := l.pulls()[1]; !p.Seen.Equal(until) {
			t.Errorf("after half a quiet hour seen %s; want %s", p.Seen, until)
		}
		l.clock.move(45 * time.Minute)
		l.update()
		if p := l.pulls()[1]; !p.Seen.Equal(l.clock.now()) {
			t.Errorf("after more than a quiet hour seen %s; want now", p.Seen)
		}
	})
}

func TestIncompleteIngestSaysSo(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.some(200)
		l.world.Fail(githubtest.Fault{Kind: githubtest.ServerError, After: 3, Times: -1})
		err := l.syncer().Backfill(t.Context(), ref)
		if err == nil {
			t.Fatal("no error")
		}
		in := l.ingest()
		h := in.Repositories[0]
		if h.Whole || h.Pulls == 0 || h.Pulls >= 200 || h.Total != 200 || h.Problem == "" {
			t.Errorf("health %+v", h)
		}
		sum, err := l.store.PullRequestSummary(t.Context())
		l.must(err)
		if len(sum.Imports) != 1 || len(sum.Imports[0].Notes) == 0 {
			t.Errorf("imports %+v; want one that says that it is not whole", sum.Imports)
		}
		l.world.Heal()
		l.backfill()
		h = l.ingest().Repositories[0]
		if !h.Whole || h.Pulls != 200 || h.Problem != "" {
			t.Errorf("health after the rest %+v", h)
		}
		sum, err = l.store.PullRequestSummary(t.Context())
		l.must(err)
		if len(sum.Imports) != 1 || len(sum.Imports[0].Notes) != 0 || sum.Imports[0].Rows != 200 {
			t.Errorf("imports %+v; want one, whole, without notes", sum.Imports)
		}
	})
}
