package syncing_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
	"steelyard/metrics"
)

// merged opens a pull request and merges it an hour later.
func (l *lab) merged(p githubtest.Pull) int {
	n := l.world.Open(repo, p)
	l.clock.move(time.Hour)
	l.world.Merge(repo, n, "bob", "")
	l.clock.move(time.Hour)
	return n
}

func (l *lab) revert(n int) int {
	p := l.world.PullRequest(repo, n)
	return l.merged(githubtest.Pull{
		Title: fmt.Sprintf("Revert %q", p.Title), Body: fmt.Sprintf("Reverts %s#%d", repo, n), Head: fmt.Sprintf("revert-%d-%s", n, p.Head),
	})
}

func (l *lab) reverted() map[int]bool {
	l.t.Helper()
	out := map[int]bool{}
	for n, p := range l.pulls() {
		if !p.RevertedAt.IsZero() {
			out[n] = true
		}
	}
	return out
}

func (l *lab) wantReverted(numbers ...int) {
	l.t.Helper()
	want := map[int]bool{}
	for _, n := range numbers {
		want[n] = true
	}
	if diff := cmp.Diff(want, l.reverted()); diff != "" {
		l.t.Errorf("reverted (-want +got):\n%s", diff)
	}
}

// Reverts come out run by run as they come out at once, and a run without any
// does not search.
func TestRevertsRunByRun(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		first := l.merged(githubtest.Pull{Title: "Add a door to the house"})
		second := l.merged(githubtest.Pull{Title: "Add a window to the house"})
		l.backfill()
		l.wantReverted()

		undoing := l.revert(first)
		l.update()
		l.wantReverted(first)
		if at := l.pulls()[first].RevertedAt; !at.Equal(l.world.PullRequest(repo, undoing).Merged) {
			t.Errorf("reverted at %s", at)
		}

		l.revert(undoing) // restores
		l.update()
		l.wantReverted(undoing)

		// A direct push undoes the second, by its merge commit.
		hash := l.world.PullRequest(repo, second).MergeCommit.OID
		l.clock.move(time.Hour)
		l.world.Commit(repo, github.Commit{Message: "Put it back\n\nThis reverts commit " + hash + "."})
		l.clock.move(time.Hour)
		l.update()
		l.wantReverted(undoing, second)

		// Something that only looks like one is listed for a person.
		l.merged(githubtest.Pull{Title: `Revert "Something that never was here"`})
		l.update()
		l.wantReverted(undoing, second)
		if got := l.ingest().Unresolved; len(got) != 1 || got[0].Count != 1 {
			t.Errorf("unresolved %+v; want one", got)
		}

		searches := 0
		l.seen = nil
		l.merged(githubtest.Pull{Title: "Paint the door"})
		l.update()
		for _, p := range l.seen {
			if p.Phase == "reverts" {
				searches++
			}
		}
		if searches != 0 {
			t.Error("a run without a revert searched the history")
		}
		byRuns, err := l.store.Reverts(t.Context(), l.repository().ID)
		l.must(err)
		fresh := newLab(t, freshDB(t, l.db.Engine))
		fresh.world, fresh.server, fresh.clock = l.world, l.server, l.clock
		fresh.store = storeOn(fresh.db, l.clock)
		fresh.backfill()
		atOnce, err := fresh.store.Reverts(t.Context(), fresh.repository().ID)
		l.must(err)
		if diff := cmp.Diff(atOnce, byRuns); diff != "" {
			t.Errorf("(-at once +run by run):\n%s", diff)
		}
		if diff := cmp.Diff(fresh.reverted(), l.reverted()); diff != "" {
			t.Errorf("reverted (-at once +run by run):\n%s", diff)
		}
	})
}

// A change that comes back after the time in which reverts are waited for was
// reverted all the same; one that comes back before was not.
func TestReturnsCountOnlyInTime(t *testing.T) {
	l := newLab(t, freshDB(t, "sqlite"))
	soon := l.merged(githubtest.Pull{Title: "Add a door to the house"})
	late := l.merged(githubtest.Pull{Title: "Add a window to the house"})
	undoSoon, undoLate := l.revert(soon), l.revert(late)
	l.revert(undoSoon)
	l.clock.move(40 * 24 * time.Hour)
	l.revert(undoLate)
	l.backfill()
	l.wantReverted(late, undoSoon, undoLate)
}

// What counts is how a pull request stood at the end of the time in which
// reverts are waited for, whatever came after: a second revert does not make the
// first one late, and a return that is undone later was one in time.
func TestLaterReturnsAndRevertsChangeNothing(t *testing.T) {
	l := newLab(t, freshDB(t, "sqlite"))
	twice := l.merged(githubtest.Pull{Title: "Add a door to the house"})
	back := l.merged(githubtest.Pull{Title: "Add a window to the house"})
	undoTwice, undoBack := l.revert(twice), l.revert(back)
	returned := l.revert(undoBack)
	l.clock.move(40 * 24 * time.Hour)
	l.revert(undoTwice)
	l.clock.move(24 * time.Hour)
	l.world.Commit(repo, github.Commit{Message: "Take the door out again\n\nThis reverts commit " + l.world.PullRequest(repo, twice).MergeCommit.OID + "."})
	again := l.revert(returned)
	l.clock.move(time.Hour)
	l.backfill()
	// What is undone too late to count is still undone.
	l.wantReverted(twice, back, undoTwice, undoBack, returned)
	if at := l.pulls()[back].RevertedAt; !at.Equal(l.world.PullRequest(repo, again).Merged) {
		t.Errorf("what came back in time is reverted at %s", at)
	}
	if at := l.pulls()[twice].RevertedAt; !at.Equal(l.world.PullRequest(repo, undoTwice).Merged) {
		t.Errorf("reverted at %s, not by its first revert", at)
	}
}

// A pull request that a rebase brought is undone by the hash of any of its
// commits on the branch, and one on a branch that was renamed since counts as
// one of the default branch.
func TestRevertsOfRebasedAndRenamed(t *testing.T) {
	l := newLab(t, freshDB(t, "sqlite"))
	authored := start.Add(-time.Hour)
	n := l.world.Open(repo, githubtest.Pull{Title: "Add a door to the house", Base: "master", Commits: []github.Commit{
		{Message: "Cut a hole", Authored: authored}, {Message: "Hang a door", Authored: authored.Add(time.Minute)},
	}})
	l.clock.move(time.Hour)
	// Rebased: copies with the same titles and times of writing reach the branch.
	hole := l.world.Commit(repo, github.Commit{Message: "Cut a hole", Authored: authored, Committed: l.clock.now()})
	last := l.world.Commit(repo, github.Commit{Message: "Hang a door", Authored: authored.Add(time.Minute), Committed: l.clock.now()})
	l.world.Change(repo, n, func(p *githubPull) {
		p.State, p.Merged, p.Closed = "MERGED", p.Updated, p.Updated
		p.MergeCommit = &github.Commit{OID: last, Message: "Hang a door", Authored: authored.Add(time.Minute), Committed: p.Updated}
	})
	l.clock.move(time.Hour)
	l.world.Commit(repo, github.Commit{Message: "Close the wall\n\nThis reverts commits " + hole + " and " + last + "."})
	l.clock.move(time.Hour)
	l.backfill()
	l.wantReverted(n)
}

func TestRevertOfAnotherBranch(t *testing.T) {
	l := newLab(t, freshDB(t, "sqlite"))
	n := l.merged(githubtest.Pull{Title: "Add a door to the house", Base: "release/2"})
	l.revert(n)
	l.backfill()
	l.wantReverted()
	f, err := l.store.Reverts(t.Context(), l.repository().ID)
	l.must(err)
	if len(f.Unresolved) == 0 || f.Unresolved[0].Reason != "it was merged to another base" {
		t.Errorf("unresolved %+v", f.Unresolved)
	}
}

func TestTeamsAreIntervals(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.teams = []metrics.TeamSource{{Team: "Payments", GitHub: "acme/pay"}, {Team: "Ledger", GitHub: "acme/ledger"}, {Team: "Lost", GitHub: "acme/lost"}}
		l.world.Team("acme", "pay", "ada", "bob")
		l.world.Team("acme", "ledger", "eve")
		read := func() { l.must(l.syncer().Teams(t.Context(), "acme")) }
		open := func(author string) int {
			n := l.world.Open(repo, githubtest.Pull{Author: author})
			l.clock.move(time.Hour)
			return n
		}
		before := open("ada")
		l.backfill()
		if p := l.pulls()[before]; p.Team != "" {
			t.Errorf("team %q before any was read", p.Team)
		}
		read() // places what is there
		stays, moves := open("bob"), open("ada")
		l.clock.move(time.Hour)
		l.world.DeleteTeam("acme", "pay")
		l.world.DeleteTeam("acme", "ledger")
		l.world.Team("acme", "pay", "bob")
		l.world.Team("acme", "ledger", "eve", "ada")
		read()
		moved, both := open("ada"), open("bob")
		nobody := open("stranger")
		l.update()
		team := func(n int) string { return l.pulls()[n].Team }
		for n, want := range map[int]string{before: "Payments", stays: "Payments", moves: "Payments", moved: "Ledger", both: "Payments", nobody: ""} {
			if team(n) != want {
				t.Errorf("#%d is in %q; want %q", n, team(n), want)
			}
		}
		in := l.ingest()
		if len(in.TeamProblems) != 1 {
			t.Errorf("problems %q; want one of the team that is not there", in.TeamProblems)
		}
		if len(in.Unplaced) != 1 || in.Unplaced[0].Reason != "its author is in no team" {
			t.Errorf("unplaced %+v", in.Unplaced)
		}
		// The configuration changes: everything is placed anew.
		l.teams = []metrics.TeamSource{{Team: "All", Repositories: []string{repo}}, {Team: "Eve's", Members: []metrics.TeamMember{{Login: "Ada", From: l.clock.now()}}}}
		l.must(l.syncer().Place(t.Context()))
		late := open("ada")
		l.update()
		for n, want := range map[int]string{before: "All", moved: "All", nobody: "All", late: "Eve's"} {
			if team(n) != want {
				t.Errorf("#%d is in %q; want %q", n, team(n), want)
			}
		}
	})
}
