package syncing_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
	"steelyard/metrics"
	"steelyard/metrics/ingest/syncing"
)

// atPage runs f once, before the n-th page of pull requests is answered.
func (l *lab) atPage(n int, f func()) {
	seen := 0
	l.world.Watch(func(r githubtest.Request) {
		if r.Operation != "Page" {
			return
		}
		if seen++; seen == n {
			f()
		}
	})
}

// A repository that is forgotten while it is read stays forgotten: what was
// under way does not bring a part of it back, as the whole.
func TestForgottenWhileItIsRead(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.some(150)
		l.atPage(2, func() {
			_, err := l.store.ForgetRepository(t.Context(), repo, false)
			l.must(err)
		})
		err := l.syncer().Backfill(t.Context(), ref)
		if !errors.Is(err, metrics.ErrNotFound) {
			t.Errorf("error is %v", err)
		}
		if n := len(l.pulls()); n != 0 {
			t.Errorf("%d pull requests came back", n)
		}
		if _, err := l.store.SyncedByName(t.Context(), repo); !errors.Is(err, metrics.ErrNotFound) {
			t.Errorf("the repository came back: %v", err)
		}
		l.backfill() // it is still in the settings
		if n := len(l.pulls()); n != 150 {
			t.Errorf("read anew: %d pull requests; want 150", n)
		}
		l.world.Touch(repo, 3)
		l.clock.move(time.Hour)
		l.atPage(1, func() {
			_, err := l.store.ForgetRepository(t.Context(), repo, false)
			l.must(err)
		})
		if err := l.syncer().Update(t.Context(), ref); !errors.Is(err, metrics.ErrNotFound) || len(l.pulls()) != 0 {
			t.Errorf("after an update %d pull requests, error %v", len(l.pulls()), err)
		}
	})
}

// A backup that is restored while a repository is read is read on from where
// it stood, not from where the run had come.
func TestRestoredWhileItIsRead(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.some(200)
		var early bytes.Buffer
		backup := func() {
			early.Reset()
			_, err := l.db.Backup(t.Context(), &early, l.clock.now())
			l.must(err)
		}
		restore := func() {
			_, err := l.db.Restore(t.Context(), bytes.NewReader(early.Bytes()), true)
			l.must(err)
		}
		seen := 0
		l.world.Watch(func(r githubtest.Request) {
			if r.Operation != "Page" {
				return
			}
			switch seen++; seen {
			case 2:
				backup()
			case 4:
				restore()
			}
		})
		l.backfill()
		l.world.Watch(nil)
		if n := len(l.pulls()); n != 200 {
			t.Errorf("after a backfill %d pull requests; want 200", n)
		}

		backup()
		l.clock.move(time.Hour)
		l.world.Change(repo, 7, func(p *github.PullRequest) { p.Title = "Changed before the restore" })
		l.update()
		for n := range 20 { // push it out of the first page
			l.clock.move(time.Hour)
			l.world.Touch(repo, 100+n)
		}
		l.update()
		l.clock.move(time.Hour)
		l.atPage(1, restore)
		l.update()
		l.world.Watch(nil)
		l.clock.move(time.Hour)
		l.update()
		if got := l.record(7).Title; got != "Changed before the restore" {
			t.Errorf("#7 is %q after the restore", got)
		}
	})
}

// record is what is stored of a pull request.
func (l *lab) record(number int) metrics.Record {
	l.t.Helper()
	all, err := l.store.Records(l.t.Context(), l.repository().ID, number-1, 1)
	l.must(err)
	if len(all) != 1 || all[0].Number != number {
		l.t.Fatalf("#%d is not stored", number)
	}
	return all[0]
}

// A pull request that is asked for by a name which another repository has by
// now belongs to that one.
func TestRefetchUnderANameThatChangedHands(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.some(3)
		l.backfill()
		old := l.repository().ID
		l.world.Rename(repo, "acme/api-old")
		l.world.Repository("acme/fresh")
		number := l.world.Open("acme/fresh", githubtest.Pull{Title: "First of the new one"})
		l.world.Rename("acme/fresh", repo)
		if number != 1 {
			t.Fatalf("the new repository's first is #%d", number)
		}
		l.clock.move(time.Minute)
		l.must(l.syncer().Refetch(t.Context(), ref, 1))
		fresh := l.repository()
		if fresh.ID == old {
			t.Fatal("the name is still the old repository's")
		}
		stored, err := l.store.StoredPulls(t.Context(), old)
		l.must(err)
		theirs, err := l.store.StoredPulls(t.Context(), fresh.ID)
		l.must(err)
		if len(stored) != 3 || len(theirs) != 1 {
			t.Errorf("%d pull requests of the old, %d of the new; want 3 and 1", len(stored), len(theirs))
		}
	})
}

// A clock that ran ahead and was set right loses no update that came meanwhile.
func TestClockThatRanAhead(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.some(40)
		l.backfill()
		l.clock.move(time.Hour)
		ahead := syncing.New(syncing.Options{
			GitHub: newClient(t, l.server.URL, newClock(l.clock.now().Add(48*time.Hour))), Store: l.store,
			Clock: func() time.Time { return l.clock.now().Add(48 * time.Hour) }, Matcher: matcher(t),
		})
		l.must(ahead.Update(t.Context(), ref))
		l.world.Change(repo, 1, func(p *github.PullRequest) { p.Title = "While the clock was wrong" })
		for n := range 25 { // push it out of the first page
			l.clock.move(time.Minute)
			l.world.Touch(repo, 2+n)
		}
		l.clock.move(time.Hour)
		l.update()
		if got := l.record(1).Title; got != "While the clock was wrong" {
			t.Errorf("#1 is %q", got)
		}
		if until := l.repository().State.KnownUntil; until.After(l.clock.now()) {
			t.Errorf("known until %s, which is yet to come", until)
		}
	})
}

// Who joins a team that was found empty was not in it before.
func TestTeamThatWasEmpty(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.teams = []metrics.TeamSource{{Team: "Payments", GitHub: "acme/pay"}}
		before := l.world.Open(repo, githubtest.Pull{Author: "ada"})
		read := func() { l.must(l.syncer().Teams(t.Context(), "acme")) }
		read() // it is not there yet: nobody has looked into it
		l.world.Team("acme", "pay")
		l.backfill()
		read()
		l.clock.move(24 * time.Hour)
		l.world.DeleteTeam("acme", "pay")
		read()
		l.world.Team("acme", "pay", "ada")
		read()
		l.clock.move(time.Hour)
		after := l.world.Open(repo, githubtest.Pull{Author: "ada"})
		l.update()
		if p := l.pulls(); p[before].Team != "" || p[after].Team != "Payments" {
			t.Errorf("teams %q before and %q after", p[before].Team, p[after].Team)
		}
	})
}
