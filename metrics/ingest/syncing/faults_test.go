package syncing_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
)

// wanted are the numbers that the world has.
func (l *lab) wanted() map[int]bool {
	out := map[int]bool{}
	for _, p := range l.world.PullRequests(repo) {
		out[p.Number] = true
	}
	return out
}

// stored are the numbers that are measured.
func (l *lab) stored() map[int]bool {
	out := map[int]bool{}
	for n := range l.pulls() {
		out[n] = true
	}
	return out
}

func (l *lab) nothingLost() {
	l.t.Helper()
	if diff := cmp.Diff(l.wanted(), l.stored()); diff != "" {
		l.t.Errorf("pull requests (-GitHub +stored):\n%s", diff)
	}
}

// Faults that pass are waited out or asked again: the run ends well, and
// nothing is lost or doubled.
func TestPassingFaults(t *testing.T) {
	for _, kind := range []githubtest.FaultKind{
		githubtest.PrimaryLimit, githubtest.SecondaryForbidden, githubtest.SecondaryTooMany, githubtest.SecondaryDate,
		githubtest.SecondaryWords, githubtest.TooManyBare, githubtest.ServerError, githubtest.BadGateway, githubtest.Unavailable,
		githubtest.CutConnection, githubtest.TruncatedJSON, githubtest.GraphQLError, githubtest.GraphQLRateLimited,
	} {
		t.Run(strings.ReplaceAll(string(kind), " ", "_"), func(t *testing.T) {
			l := newLab(t, freshDB(t, "sqlite"))
			l.some(150)
			for after := range 3 {
				l.world.Fail(githubtest.Fault{Kind: kind, On: githubtest.GraphQL, After: 1 + after})
			}
			l.backfill()
			l.nothingLost()
			if h := l.ingest().Repositories[0]; !h.Whole || h.Problem != "" || len(h.Missing) > 0 {
				t.Errorf("health %+v", h)
			}
			l.world.Touch(repo, 5)
			l.clock.move(time.Hour)
			l.world.Fail(githubtest.Fault{Kind: kind, On: githubtest.GraphQL})
			l.update()
			l.nothingLost()
		})
	}
}

// A fault that stays ends the run with what GitHub said; what was read is kept,
// and the next run goes on from there.
func TestLastingFaults(t *testing.T) {
	for _, c := range []struct {
		kind githubtest.FaultKind
		says string
	}{
		{githubtest.ServerError, "500"},
		{githubtest.BadGateway, "502"},
		{githubtest.TruncatedJSON, "cannot be used"},
		{githubtest.NotJSON, "not a GraphQL answer"},
		{githubtest.GraphQLError, "cannot be used"},
		{githubtest.BadCredentials, "does not accept the credentials"},
		{githubtest.Forbidden, "refuses"},
	} {
		t.Run(strings.ReplaceAll(string(c.kind), " ", "_"), func(t *testing.T) {
			l := newLab(t, freshDB(t, "sqlite"))
			l.some(150)
			l.world.Fail(githubtest.Fault{Kind: c.kind, On: githubtest.GraphQL, After: 2, Times: -1})
			err := l.syncer().Backfill(t.Context(), ref)
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "backfill of acme/api") {
				t.Fatalf("got %v; want an error that says %q", err, c.says)
			}
			h := l.ingest().Repositories[0]
			if h.Pulls == 0 || h.Whole || !strings.Contains(h.Problem, c.says) {
				t.Errorf("health %+v; want some pull requests and the problem", h)
			}
			l.world.Heal()
			before := h.Pulls
			if n := l.requests(l.backfill); n > (150-before)/50+4 {
				t.Errorf("%d requests for the %d that were left", n, 150-before)
			}
			l.nothingLost()
			if h := l.ingest().Repositories[0]; !h.Whole || h.Problem != "" {
				t.Errorf("health after the rest %+v", h)
			}
		})
	}
}

// What cannot be read is left out by name and counted, and comes later.
func TestUnreadablePullRequestIsNamed(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.some(90)
		l.world.Break(repo, 40, githubtest.Unreadable)
		l.backfill()
		h := l.ingest().Repositories[0]
		if len(h.Missing) != 1 || h.Missing[0].Number != 40 || !h.Whole || h.Pulls != 89 {
			t.Errorf("health %+v; want #40 missing", h)
		}
		if l.seen[len(l.seen)-1].Skipped != 1 {
			t.Errorf("the run says %+v; want one skipped", l.seen[len(l.seen)-1])
		}
		sum, err := l.store.PullRequestSummary(t.Context())
		l.must(err)
		if notes := strings.Join(sum.Imports[0].Notes, "\n"); !strings.Contains(notes, "1 thing could not be read") {
			t.Errorf("the data page says %q", notes)
		}
		l.world.Break(repo, 40, githubtest.Whole)
		l.clock.move(time.Hour)
		l.must(l.syncer().Reconcile(t.Context(), ref))
		l.nothingLost()
		if h := l.ingest().Repositories[0]; len(h.Missing) != 0 {
			t.Errorf("still missing %+v", h.Missing)
		}
	})
}

// A list that moves while it is read loses nothing and doubles nothing.
func TestDrift(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.some(200)
		i := 0
		l.world.Watch(func(githubtest.Request) {
			i++
			l.clock.move(time.Second)
			l.world.Touch(repo, 1+(i*37)%200)
			l.world.Open(repo, githubtest.Pull{Author: "eve"})
		})
		l.backfill()
		l.update()
		l.world.Watch(nil)
		l.clock.move(time.Hour)
		l.update()
		l.nothingLost()
		for n, p := range l.pulls() {
			if want := l.world.PullRequest(repo, n); want.Title != "" && p.ID != want.ID {
				t.Fatalf("#%d is %q; want %q", n, p.ID, want.ID)
			}
		}
	})
}

// A repository is its node id: under another name, or another owner, it is the
// same, and whoever gets its old name is another.
func TestRenamedAndReplaced(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.some(30)
		l.backfill()
		id := l.repository().ID
		l.world.Rename(repo, "other/api-two")
		l.world.Touch(repo, 3)
		l.clock.move(time.Hour)
		l.update()
		r, err := l.store.Synced(t.Context(), id)
		l.must(err)
		if r.Name != "other/api-two" || r.State.Listed != 30 {
			t.Errorf("repository %+v", r)
		}
		if n := len(l.pulls()); n != 30 {
			t.Errorf("%d pull requests; want 30", n)
		}
		for _, p := range l.pulls() {
			if p.Repository != "other/api-two" {
				t.Fatalf("#%d is of %q", p.Number, p.Repository)
			}
		}
		names, err := l.store.RepositoryNames(t.Context(), id)
		l.must(err)
		if diff := cmp.Diff([]string{repo, "other/api-two"}, names); diff != "" {
			t.Errorf("names (-want +got):\n%s", diff)
		}
		n := l.world.Open("other/api-two", githubtest.Pull{Title: "After the move"})
		l.clock.move(time.Hour)
		l.update() // still by the name that is configured
		if _, ok := l.pulls()[n]; !ok || len(l.pulls()) != 31 {
			t.Errorf("after another update %d pull requests; want 31", len(l.pulls()))
		}
	})
}

// A repository that is gone is marked and keeps what was read of it; one that
// never was there is an error.
func TestDeletedRepository(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.some(30)
		l.backfill()
		until := l.repository().State.KnownUntil
		l.world.Delete(repo)
		l.clock.move(3 * time.Hour)
		l.update()
		if r := l.repository(); !r.GoneAt.Equal(l.clock.now()) {
			t.Errorf("gone at %s; want now", r.GoneAt)
		}
		if !strings.Contains(l.notes(), "no longer on GitHub") {
			t.Errorf("the run says %q", l.notes())
		}
		pulls := l.pulls()
		if len(pulls) != 30 {
			t.Errorf("%d pull requests; want 30", len(pulls))
		}
		for _, p := range pulls {
			if p.Open() && !p.Seen.Equal(until) {
				t.Errorf("#%d is known until %s; want %s", p.Number, p.Seen, until)
			}
		}
		err := l.syncer().Backfill(t.Context(), github.RepositoryRef{Owner: "acme", Name: "never"})
		if !errors.Is(err, github.ErrNotFound) {
			t.Errorf("a repository that never was: %v", err)
		}
	})
}

// Where GraphQL is blocked REST reads the same.
func TestRESTReadsTheSame(t *testing.T) {
	l := newLab(t, freshDB(t, "sqlite"))
	l.some(70)
	l.backfill()
	want := l.pulls()
	rest := newLab(t, freshDB(t, "sqlite"))
	rest.world, rest.server, rest.clock = l.world, l.server, l.clock
	rest.store = storeOn(rest.db, l.clock)
	rest.world.Fail(githubtest.Fault{Kind: githubtest.GraphQLBlocked, On: githubtest.GraphQL, Times: -1})
	rest.backfill()
	if diff := cmp.Diff(want, rest.pulls()); diff != "" {
		t.Errorf("(-GraphQL +REST):\n%s", diff)
	}
	if !strings.Contains(rest.notes(), "REST") {
		t.Errorf("the run says %q", rest.notes())
	}
	rest.clock.move(time.Hour)
	rest.world.Touch(repo, 7)
	n := rest.world.Open(repo, githubtest.Pull{})
	rest.update()
	if _, ok := rest.pulls()[n]; !ok {
		t.Error("an update through REST did not bring the new one")
	}
}

// GraphQL that is blocked in the middle of a backfill makes it begin again
// through REST, and nothing is lost or doubled.
func TestBlockedInTheMiddle(t *testing.T) {
	l := newLab(t, freshDB(t, "sqlite"))
	l.some(130)
	l.world.Fail(githubtest.Fault{Kind: githubtest.GraphQLBlocked, On: githubtest.GraphQL, After: 2, Times: -1})
	l.backfill()
	l.nothingLost()
	if st := l.repository().State; st.Listed != 130 {
		t.Errorf("listed %d; want 130", st.Listed)
	}
}

func TestRefetch(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.some(10)
		l.backfill()
		l.clock.move(time.Hour)
		l.world.Review(repo, 4, l.world.Person("late"), "APPROVED")
		l.world.Close(repo, 4, "ada")
		if n := l.requests(func() { l.must(l.syncer().Refetch(t.Context(), ref, 4)) }); n > 2 {
			t.Errorf("%d requests", n)
		}
		if p := l.pulls()[4]; p.Open() {
			t.Error("#4 is still open")
		}
		l.must(l.syncer().Refetch(t.Context(), ref, 9999)) // never was
		l.nothingLost()
	})
}

// Reconciliation finds what incremental runs could not see.
func TestReconcile(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.some(60)
		l.backfill()
		l.clock.move(48 * time.Hour)
		// Merged and opened as if long ago: no update shows it.
		old := start.Add(time.Minute)
		l.world.Put(repo, githubPull{Number: 500, Title: "Lost", Created: old, Updated: old, Author: l.world.Person("eve")})
		updated := l.world.PullRequest(repo, 4).Updated
		l.world.Change(repo, 4, func(p *githubPull) { p.State, p.Closed, p.Updated = "CLOSED", updated, updated })
		l.update()
		if _, ok := l.pulls()[500]; ok {
			t.Fatal("an update saw what was hidden from it")
		}
		l.must(l.syncer().Reconcile(t.Context(), ref))
		l.nothingLost()
		if p := l.pulls()[4]; p.Open() {
			t.Error("#4 is still open")
		}
		n := l.requests(func() { l.must(l.syncer().Reconcile(t.Context(), ref)) })
		if n > 8 {
			t.Errorf("a reconciliation of what agrees took %d requests", n)
		}
	})
}

func TestNothingIsAskedInsideATransaction(t *testing.T) {
	l := newLab(t, freshDB(t, "sqlite"))
	l.some(120)
	// SQLite has one writer: if a run held it while it asks, this would wait for
	// it in vain.
	l.world.Watch(func(githubtest.Request) {
		if _, err := l.db.Write.ExecContext(t.Context(), `UPDATE revisions SET revision = revision WHERE subject = 'lint'`); err != nil {
			t.Error(fmt.Errorf("write while GitHub is asked: %w", err))
		}
	})
	l.backfill()
	l.update()
	l.must(l.syncer().Reconcile(t.Context(), ref))
}
