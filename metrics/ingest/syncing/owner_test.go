package syncing_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
	"steelyard/metrics"
)

// copilot is the account of a coding agent as GitHub has it.
func copilot(l *lab) github.Account {
	l.world.Account(github.Account{ID: 198982749, NodeID: "BOT_copilot", Login: "copilot-swe-agent", Type: "Bot"})
	return l.world.Bot("copilot-swe-agent")
}

// What an assistant opened is the person's who asked for it, and of that
// person's team; its marks are kept.
func TestAgentsPullRequestsBelongToWhoAsked(t *testing.T) {
	for _, c := range []struct {
		name  string
		pull  func(l *lab) githubtest.Pull
		merge string
		owner string
		bot   bool
	}{
		{"assignee", func(l *lab) githubtest.Pull {
			return githubtest.Pull{Author: "copilot-swe-agent", Assignees: []string{"copilot-swe-agent", "ada"}}
		}, "bob", "ada", false},
		{"co-author by account", func(l *lab) githubtest.Pull {
			return githubtest.Pull{Author: "copilot-swe-agent", Commits: []github.Commit{
				{Message: "Add", Author: l.world.Bot("copilot-swe-agent"), Authored: start}, {Message: "More", Author: l.world.Person("ada"), Authored: start},
			}}
		}, "bob", "ada", false},
		{"co-author by trailer", func(l *lab) githubtest.Pull {
			ada := l.world.Person("ada")
			l.world.Open(repo, githubtest.Pull{Author: "ada"}) // so that she is known
			return githubtest.Pull{Author: "copilot-swe-agent", Commits: []github.Commit{{
				Message: fmt.Sprintf("Add\n\nCo-authored-by: Ada <%d+ada@users.noreply.github.com>", ada.ID),
				Author:  l.world.Bot("copilot-swe-agent"), Authored: start,
			}}}
		}, "bob", "ada", false},
		{"merger", func(l *lab) githubtest.Pull { return githubtest.Pull{Author: "copilot-swe-agent"} }, "ada", "ada", false},
		{"nobody", func(l *lab) githubtest.Pull { return githubtest.Pull{Author: "copilot-swe-agent"} }, "", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var ada string
			var l *lab
			p := one(t, func(made *lab) int {
				l = made
				l.teams = []metrics.TeamSource{{Team: "Payments", Members: []metrics.TeamMember{{Login: "ada"}}}}
				copilot(l)
				ada = l.world.Person("ada").NodeID
				n := l.world.Open(repo, c.pull(l))
				l.clock.move(time.Hour)
				if c.merge != "" {
					l.world.Merge(repo, n, c.merge, "")
				}
				return n
			})
			if c.owner == "ada" && (p.Author != ada || p.Team != "Payments" || p.AuthorBot) {
				t.Errorf("author %q, team %q, bot %v; want ada's", p.Author, p.Team, p.AuthorBot)
			}
			if apart := p.SetApart != ""; apart != c.bot {
				t.Errorf("set apart %q; want that: %v", p.SetApart, c.bot)
			}
			if p.Assisted != "authored" {
				t.Errorf("assisted %q; want authored", p.Assisted)
			}
			apart := l.ingest().SetApart
			if c.bot != (len(apart) == 1) {
				t.Errorf("set apart %+v", apart)
			}
		})
	}
}

// Who asked an assistant does not review it as another person would.
func TestWhoAskedIsNoReviewer(t *testing.T) {
	p := one(t, func(l *lab) int {
		copilot(l)
		n := l.world.Open(repo, githubtest.Pull{Author: "copilot-swe-agent", Assignees: []string{"ada"}})
		l.clock.move(time.Hour)
		l.world.Review(repo, n, l.world.Person("ada"), "COMMENTED")
		l.clock.move(time.Hour)
		l.world.Review(repo, n, l.world.Person("bob"), "APPROVED")
		return n
	})
	if got := p.FirstReview.Sub(p.Opened); got != 2*time.Hour {
		t.Errorf("first review after %s; want 2h", got)
	}
}

// Ghosts keep their pull requests, also those that became ghosts later.
func TestGhosts(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.teams = []metrics.TeamSource{{Team: "Payments", Members: []metrics.TeamMember{{Login: "ada"}}}}
		l.world.Open(repo, githubtest.Pull{Author: "gone"})
		l.world.DeleteAccount("gone")
		n := l.world.Open(repo, githubtest.Pull{Author: "ada"})
		l.clock.move(time.Hour)
		l.backfill()
		if p := l.pulls()[1]; p.Author != "" || p.AuthorBot || p.Team != "" {
			t.Errorf("a ghost's %+v", p)
		}
		ada := l.pulls()[n].Author
		if team := l.pulls()[n].Team; team != "Payments" {
			t.Fatalf("team %q before", team)
		}
		l.clock.move(time.Hour)
		l.world.DeleteAccount("ada")
		l.world.Touch(repo, n)
		l.update()
		if p := l.pulls()[n]; p.Author != ada || p.Team != "Payments" {
			t.Errorf("after the account is gone: author %q, team %q; want what it was", p.Author, p.Team)
		}
		want := []metrics.LeftOut{{Count: 1, What: "pull request", Reason: "its author's account was deleted"}}
		if got := l.ingest().Unplaced; !slices.Equal(got, want) {
			t.Errorf("unplaced %+v; want %+v", got, want)
		}
	})
}

func TestSetApart(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.world.Account(github.Account{ID: 49699333, NodeID: "BOT_dependabot", Login: "dependabot", Type: "Bot"})
		l.world.Account(github.Account{ID: 777, NodeID: "MN_old", Login: "old-hand", Type: "Mannequin"})
		open := func(p githubtest.Pull) int { return l.world.Open(repo, p) }
		bot := open(githubtest.Pull{Author: "dependabot", Title: "Bump x"})
		imported := open(githubtest.Pull{Author: "old-hand"})
		back := []int{
			open(githubtest.Pull{Title: "Add a door", Head: "backport-12-to-2.x", Base: "release-2.x"}),
			open(githubtest.Pull{Title: "[2.x] Add a door", Base: "2.x"}),
			open(githubtest.Pull{Title: "[backport 1.2] Add a door", Base: "release/1.2"}),
			open(githubtest.Pull{Title: "Add a door", Body: "Backport of #12", Base: "stable-1"}),
			open(githubtest.Pull{Title: "Add a door", Labels: []string{"Backport"}, Base: "stable-1"}),
		}
		none := []int{
			open(githubtest.Pull{Title: "[ui] Add a door"}),
			open(githubtest.Pull{Title: "Document the backport process", Body: "How to backport #12"}),
			open(githubtest.Pull{Title: "Fix the release", Base: "release/1.2"}),
		}
		l.clock.move(time.Hour)
		l.backfill()
		pulls := l.pulls()
		if !pulls[bot].AuthorBot {
			t.Error("a bot's pull request is not set apart")
		}
		for _, n := range back {
			if got := pulls[n].SetApart; got != "back-port" {
				t.Errorf("#%d is set apart as %q", n, got)
			}
		}
		if got := pulls[imported].SetApart; got != "import" {
			t.Errorf("an import is set apart as %q", got)
		}
		for _, n := range none {
			if p := pulls[n]; p.SetApart != "" || p.AuthorBot {
				t.Errorf("#%d is set apart as %q", n, p.SetApart)
			}
		}
		want := []metrics.LeftOut{
			{Count: 5, What: "pull requests", Reason: "back-port"},
			{Count: 1, What: "pull request", Reason: "bot"},
			{Count: 1, What: "pull request", Reason: "import"},
		}
		if got := l.ingest().SetApart; !slices.Equal(got, want) {
			t.Errorf("set apart %+v; want %+v", got, want)
		}
	})
}
