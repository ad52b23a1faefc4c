package syncing_test

import (
	"slices"
	"testing"
	"time"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
	"steelyard/metrics"
	"steelyard/metrics/did"
)

// one backfills a GitHub with a single pull request that f makes.
func one(t *testing.T, f func(l *lab) int) metrics.PullRequest {
	t.Helper()
	l := newLab(t, freshDB(t, "sqlite"))
	number := f(l)
	l.clock.move(time.Hour)
	l.backfill()
	p, ok := l.pulls()[number]
	if !ok {
		t.Fatalf("#%d is not measured", number)
	}
	return p
}

// aiReviewer is a known AI reviewer's account.
func aiReviewer(l *lab) github.Account {
	a := github.Account{ID: 136622811, Login: "coderabbitai", Type: "Bot"}
	l.world.Account(a)
	return l.world.Bot("coderabbitai")
}

// An AI reviewer that answers within a minute leaves the first review as it is,
// and so do a bot that nobody knows, the author, and a comment while it still
// was a draft.
func TestFirstReviewIsAPersons(t *testing.T) {
	reviewed := func(l *lab, disturb func(n int)) int {
		n := l.world.Open(repo, githubtest.Pull{Author: "ada"})
		l.clock.move(time.Minute)
		if disturb != nil {
			disturb(n)
		}
		l.clock.move(3*time.Hour - time.Minute)
		l.world.Review(repo, n, l.world.Person("bob"), "COMMENTED")
		l.clock.move(time.Hour)
		l.world.Merge(repo, n, "bob", "")
		return n
	}
	plain := one(t, func(l *lab) int { return reviewed(l, nil) })
	if got := plain.FirstReview.Sub(plain.Opened); got != 3*time.Hour {
		t.Fatalf("first review after %s; want 3h", got)
	}
	for name, disturb := range map[string]func(l *lab, n int){
		"ai_reviewer": func(l *lab, n int) { l.world.Review(repo, n, aiReviewer(l), "COMMENTED") },
		"unknown_bot": func(l *lab, n int) { l.world.Review(repo, n, l.world.Bot("some-robot"), "APPROVED") },
		"author":      func(l *lab, n int) { l.world.Review(repo, n, l.world.Person("ada"), "COMMENTED") },
		"ai_thread": func(l *lab, n int) {
			l.world.Change(repo, n, func(p *githubPull) {
				p.Threads = append(p.Threads, github.Thread{Path: "a.go", Comments: []github.Comment{{Author: aiReviewerOf(p, l), Created: p.Updated}}})
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := one(t, func(l *lab) int {
				aiReviewer(l)
				return reviewed(l, func(n int) { disturb(l, n) })
			})
			if !p.FirstReview.Equal(plain.FirstReview) {
				t.Errorf("first review %s; want %s as without", p.FirstReview, plain.FirstReview)
			}
		})
	}
}

// aiReviewerOf is the account without asking the world, which is busy.
func aiReviewerOf(*githubPull, *lab) github.Account {
	return github.Account{ID: 136622811, NodeID: "BOT_ai", Login: "coderabbitai", Type: "Bot"}
}

func TestReadyIsTheLastTime(t *testing.T) {
	p := one(t, func(l *lab) int {
		n := l.world.Open(repo, githubtest.Pull{Author: "ada", Draft: true})
		event := func(kind github.EventKind, draft bool) {
			l.clock.move(time.Hour)
			l.world.Change(repo, n, func(p *githubPull) {
				p.Draft = draft
				p.Events = append(slices.Clone(p.Events), github.Event{Kind: kind, At: p.Updated, Actor: p.Author})
			})
		}
		event(github.Ready, false)
		l.world.Review(repo, n, l.world.Person("bob"), "COMMENTED") // of the first draft
		event(github.Drafted, true)
		event(github.Ready, false) // three hours after opening
		l.clock.move(time.Hour)
		l.world.Review(repo, n, l.world.Person("bob"), "APPROVED")
		l.world.Merge(repo, n, "bob", "")
		return n
	})
	if got := p.Ready.Sub(p.Opened); got != 3*time.Hour {
		t.Errorf("ready after %s; want 3h", got)
	}
	if got := p.FirstReview.Sub(p.Ready); got != time.Hour {
		t.Errorf("first review %s after it was ready; want 1h", got)
	}
}

func TestRoundsCommentsAndThreads(t *testing.T) {
	p := one(t, func(l *lab) int {
		ai := aiReviewer(l)
		bob, eve := l.world.Person("bob"), l.world.Person("eve")
		n := l.world.Open(repo, githubtest.Pull{Author: "ada"})
		push := func() {
			l.clock.move(time.Hour)
			l.world.Change(repo, n, func(p *githubPull) {
				p.Commits = append(slices.Clone(p.Commits), github.Commit{Message: "More", Author: p.Author, Authored: p.Updated, Committed: p.Updated})
				p.HeadOID = ""
			})
			l.clock.move(time.Minute)
		}
		review := func(who github.Account, state string) {
			l.clock.move(time.Minute)
			l.world.Review(repo, n, who, state)
		}
		review(bob, "CHANGES_REQUESTED")
		review(ai, "CHANGES_REQUESTED")
		push()
		review(bob, "CHANGES_REQUESTED") // followed by nobody's push but a review
		review(eve, "COMMENTED")
		push()
		review(bob, "APPROVED")
		review(eve, "CHANGES_REQUESTED") // followed by nothing
		l.world.Change(repo, n, func(p *githubPull) {
			at := p.Updated
			comment := func(who github.Account) github.Comment { return github.Comment{Author: who, Created: at} }
			p.Threads = []github.Thread{
				{Path: "a.go", Comments: []github.Comment{comment(bob), comment(p.Author), comment(eve)}},
				{Path: "a.go", Outdated: true, Comments: []github.Comment{comment(ai), comment(p.Author)}},
				{Path: "b.go", Comments: []github.Comment{comment(ai)}},
			}
		})
		return n
	})
	if p.ReviewRounds != 2 {
		t.Errorf("%d rounds; want 2", p.ReviewRounds)
	}
	if p.ReviewerComments != 2 {
		t.Errorf("%d comments; want 2", p.ReviewerComments)
	}
	if p.BotThreads != 2 || p.BotThreadsActedOn != 1 {
		t.Errorf("%d threads of an AI, %d acted on; want 2 and 1", p.BotThreads, p.BotThreadsActedOn)
	}
}

func TestSizeLeavesOutWhatNobodyWrote(t *testing.T) {
	p := one(t, func(l *lab) int {
		return l.world.Open(repo, githubtest.Pull{Files: []github.File{
			{Path: "cmd/main.go", Additions: 10, Deletions: 3},
			{Path: "web/distribution.js", Additions: 1},
			{Path: "package-lock.json", Additions: 9000, Deletions: 8000},
			{Path: "sub/go.sum", Additions: 40},
			{Path: "vendor/x/y.go", Additions: 500},
			{Path: "api/v1/api.pb.go", Additions: 700, Deletions: 20},
			{Path: "third_party/yarn.lock", Additions: 7},
			{Path: "ui/__snapshots__/a.test.js.snap", Additions: 60},
		}})
	})
	if p.Additions != 11 || p.Deletions != 3 {
		t.Errorf("size +%d −%d; want +11 −3", p.Additions, p.Deletions)
	}
}

// The first commit is that of the branch, whatever a squash made of it.
func TestFirstCommitSurvivesASquash(t *testing.T) {
	written := start.Add(-50 * time.Hour)
	p := one(t, func(l *lab) int {
		n := l.world.Open(repo, githubtest.Pull{Author: "ada", Commits: []github.Commit{
			{Message: "Second", Authored: written.Add(time.Hour), Committed: start.Add(-time.Hour)},
			{Message: "First", Authored: written, Committed: start.Add(-time.Hour)},
		}})
		l.clock.move(time.Hour)
		l.world.Merge(repo, n, "bob", "Squashed (#1)")
		return n
	})
	if !p.FirstCommit.Equal(written) {
		t.Errorf("first commit %s; want %s", p.FirstCommit, written)
	}
}

// An open pull request lengthens a median and never shortens it.
func TestOpenPullRequestsLengthenTheMedian(t *testing.T) {
	l := newLab(t, freshDB(t, "sqlite"))
	for i := range 9 {
		n := l.world.Open(repo, githubtest.Pull{Author: "ada"})
		l.clock.move(time.Duration(i+1) * time.Hour)
		l.world.Merge(repo, n, "bob", "")
	}
	l.backfill()
	median := func() float64 {
		var hours []float64
		var done []bool
		for _, p := range l.pulls() {
			end := p.Merged
			if p.Open() {
				end = p.Seen
			}
			hours, done = append(hours, end.Sub(p.Opened).Hours()), append(done, !p.Open())
		}
		s, err := did.KaplanMeier(hours, done)
		l.must(err)
		m, ok := s.Quantile(0.5)
		if !ok {
			t.Fatal("no median")
		}
		return m
	}
	before := median()
	for range 4 {
		l.world.Open(repo, githubtest.Pull{Author: "eve"})
	}
	l.clock.move(30 * time.Hour)
	l.update()
	if after := median(); after <= before {
		t.Errorf("with four open pull requests the median is %g; without them %g", after, before)
	}
}

// What is a draft is not ready: nobody waited for a review of it, however long
// it is one.
func TestDraftsDoNotWait(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		open := l.world.Open(repo, githubtest.Pull{Draft: true})
		closed := l.world.Open(repo, githubtest.Pull{Draft: true})
		l.clock.move(time.Hour)
		l.world.Close(repo, closed, "ada")
		l.clock.move(time.Hour)
		l.backfill()
		for range 3 {
			if p := l.pulls()[open]; !p.Ready.Equal(p.Seen) {
				t.Errorf("a draft seen at %s is ready at %s", p.Seen, p.Ready)
			}
			if p := l.pulls()[closed]; !p.Ready.Equal(p.Closed) {
				t.Errorf("a draft closed at %s is ready at %s", p.Closed, p.Ready)
			}
			l.clock.move(3 * time.Hour)
			l.update()
		}
		l.world.Change(repo, open, func(p *githubPull) {
			p.Draft = false
			p.Events = append(slices.Clone(p.Events), github.Event{Kind: github.Ready, At: p.Updated, Actor: p.Author})
		})
		ready := l.clock.now()
		l.clock.move(3 * time.Hour)
		l.update()
		if p := l.pulls()[open]; !p.Ready.Equal(ready) {
			t.Errorf("ready at %s; want %s", p.Ready, ready)
		}
	})
}
