package syncing_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
	"steelyard/metrics"
	"steelyard/metrics/ingest/attribution"
	"steelyard/metrics/ingest/syncing"
	"steelyard/rules"
)

// Other rules read the stored records anew: the next run does it without asking
// GitHub for any of them. The same rules find the same.
func TestOtherRulesReadTheRecordsAgain(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		l.teams = []metrics.TeamSource{{Team: "Payments", Members: []metrics.TeamMember{{Login: "ada"}, {Login: "house-robot"}}}}
		l.some(40)
		robot := github.Account{ID: 4711, NodeID: "U_robot", Login: "house-robot", Type: "User"}
		l.world.Account(robot)
		reviewed := l.world.Open(repo, githubtest.Pull{Author: "ada"})
		l.clock.move(time.Minute)
		l.world.Review(repo, reviewed, l.world.Person("house-robot"), "COMMENTED")
		l.clock.move(time.Hour)
		l.world.Review(repo, reviewed, l.world.Person("bob"), "APPROVED")
		opened := l.world.Open(repo, githubtest.Pull{Author: "house-robot"})
		l.backfill()
		before, rows := dump(t, l.db), l.pulls()
		if got := rows[reviewed].FirstReview.Sub(rows[reviewed].Opened); got != time.Minute {
			t.Fatalf("first review after %s; want a minute, as the robot is nobody known", got)
		}

		table, err := rules.AttributionTable()
		l.must(err)
		table.Accounts = append(slices.Clone(table.Accounts), rules.AccountRow{Login: "house-robot", ID: 4711, User: true, Role: rules.Bot, Source: "test"})
		s := syncing.New(syncing.Options{
			GitHub: newClient(t, l.server.URL, l.clock), Store: l.store, Clock: l.clock.now, Matcher: attribution.New(table), Teams: l.teams,
		})
		n := l.requests(func() { l.must(s.Update(t.Context(), ref)) })
		if n > 2 {
			t.Errorf("%d requests", n)
		}
		after := l.pulls()
		if got := after[reviewed].FirstReview.Sub(after[reviewed].Opened); got != time.Hour+time.Minute {
			t.Errorf("first review after %s; want 1h1m", got)
		}
		if !after[opened].AuthorBot || after[opened].Team != "" {
			t.Errorf("what the robot opened: %+v", after[opened])
		}

		l.update() // by the old rules again
		if diff := cmp.Diff(measured(before), measured(dump(t, l.db))); diff != "" {
			t.Errorf("the same rules find something else (-before +after):\n%s", diff)
		}
	})
}

// measured are the lines that hold no state of the synchronisation.
func measured(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool {
		return strings.HasPrefix(l, "github_repositories ") || strings.HasPrefix(l, "imports ")
	})
}
