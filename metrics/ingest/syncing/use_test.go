package syncing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
	"steelyard/metrics"
)

// useLab is an organisation with two teams on GitHub, one of them of six people
// and one of five, and seats for four of the first and one of the second.
func useLab(l *lab) {
	l.teams = []metrics.TeamSource{{Team: "payments", GitHub: "acme/payments"}, {Team: "search", GitHub: "acme/search"}}
	names := func(prefix string, n int) []string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprint(prefix, i))
		}
		return out
	}
	l.world.Team("acme", "payments", names("pay", 6)...)
	l.world.Team("acme", "search", names("find", 5)...)
	seat := func(login string, last time.Time) github.Seat {
		return github.Seat{Account: l.world.Person(login), Created: start.AddDate(0, -6, 0), LastActivity: last}
	}
	l.world.Seats("acme",
		seat("pay0", start.Add(-time.Hour)), seat("pay1", start.AddDate(0, 0, -10)), seat("pay2", start.AddDate(0, 0, -100)), seat("pay3", time.Time{}),
		seat("find0", start.AddDate(0, 0, -3)), seat("stranger", start.AddDate(0, 0, -1)))
	for back := 2; back < 12; back++ {
		use := func(login string, n int) github.UserUsage {
			return github.UserUsage{ID: l.world.Person(login).ID, Login: login, Interactions: n}
		}
		l.world.Report("acme", start.AddDate(0, 0, -back), use("pay0", 3), use("pay1", 1), use("pay2", 0), use("stranger", 2))
	}
}

// TestUse holds that figures are kept as sums by team, that a second run asks
// only for what may have changed, and that no person is stored with them.
func TestUse(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		useLab(l)
		l.must(l.syncer().Use(t.Context(), "Acme"))
		window := metrics.Window{From: start.AddDate(0, 0, -30), To: start.AddDate(0, 0, 1)}
		got, err := l.store.Use(t.Context(), window)
		l.must(err)
		today := start.Truncate(24 * time.Hour)
		want := metrics.UseFigures{
			Sources: []metrics.UseSource{{Organisation: "acme", SeatsOn: today, ReportedUntil: today.AddDate(0, 0, -2)}},
			People:  map[string]int{"payments": 6, "search": 5},
			Windows: []metrics.UseWindow{{
				Day: today, Seats: map[string]int{"payments": 4, "search": 1, "": 1}, Active: map[string]int{"payments": 2, "search": 1, "": 1},
				Reported: 10, Used: map[string]int{"payments": 20, "": 10},
			}},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		for _, line := range slices.Concat(dumpTable(t, l.db, "github_seats", "day, team, last_active"), dumpTable(t, l.db, "github_use", "day, team")) {
			for _, login := range []string{"pay0", "pay1", "find0", "stranger"} {
				if a := l.world.Person(login); strings.Contains(line, login) || strings.Contains(line, a.NodeID) || strings.Contains(line, fmt.Sprintf("=%d ", a.ID)) {
					t.Errorf("%q names %s", line, login)
				}
			}
		}
		revision := l.revision()
		if n := l.requests(func() { l.must(l.syncer().Use(t.Context(), "acme")) }); n > 30 {
			t.Errorf("a second run asked %d times", n)
		}
		again, err := l.store.Use(t.Context(), window)
		l.must(err)
		if diff := cmp.Diff(want, again); diff != "" || revision == "" {
			t.Errorf("a second run changed the figures, -want +got:\n%s", diff)
		}
	})
}

// TestUseRefused holds that credentials which may not see the figures, and an
// organisation without any, fail no run and are noted.
func TestUseRefused(t *testing.T) {
	for name, arrange := range map[string]func(*lab){
		"forbidden": func(l *lab) {
			l.world.Fail(githubtest.Fault{Kind: githubtest.Forbidden, Match: "/copilot/", Times: -1})
		},
		"without reports and seats that can be read": func(l *lab) {
			l.world.Fail(githubtest.Fault{Kind: githubtest.NotJSON, Match: "/copilot/billing", Times: -1})
			l.clock.move(60 * 24 * time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, l *lab) {
				useLab(l)
				arrange(l)
				l.must(l.syncer().Use(t.Context(), "acme"))
				got, err := l.store.UseSources(t.Context())
				l.must(err)
				if len(got) != 1 || got[0].NoSeats == "" || got[0].NoReports == "" || !got[0].SeatsOn.IsZero() || !got[0].ReportedUntil.IsZero() {
					t.Errorf("sources %+v", got)
				}
			})
		})
	}
}

// TestUseOfPeopleOnALists holds that a list of people finds those with a seat
// who never opened a pull request.
func TestUseOfPeopleOnALists(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		useLab(l)
		l.teams = []metrics.TeamSource{{Team: "mine", Members: []metrics.TeamMember{{Login: "PAY0"}, {Login: "find0"}, {Login: "nobody"}}}}
		l.must(l.syncer().Use(t.Context(), "acme"))
		got, err := l.store.Use(t.Context(), metrics.Window{})
		l.must(err)
		if w := got.Windows[0]; w.Seats["mine"] != 2 || w.Seats[""] != 4 || w.Used["mine"] != 10 || got.People["mine"] != 2 {
			t.Errorf("figures %+v", got)
		}
		if _, err := l.store.ForgetPerson(t.Context(), "pay0", false); err != nil {
			t.Fatal(err)
		}
		l.must(l.syncer().Use(t.Context(), "acme"))
		got, err = l.store.Use(t.Context(), metrics.Window{})
		l.must(err)
		if w := got.Windows[0]; w.Seats["mine"] != 1 || w.Seats[""] != 5 || got.People["mine"] != 1 {
			t.Errorf("a forgotten person is counted: %+v", got)
		}
	})
}

// TestUseInAReport holds that figures reach a pilot's report through GitHub, the
// database and the memberships of teams, and that a comparison which has seats
// and uses them is named against the verdict.
func TestUseInAReport(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		without := l.pilotReport(1, 0.75)
		if without.Use == nil || len(without.Use.Unknown) != 1 || !strings.Contains(without.Use.Unknown[0], "was not asked") {
			t.Errorf("before GitHub is asked: %+v", without.Use)
		}
		window := without.Definition.Pilot.After
		l.clock.set(window.From.AddDate(0, 0, 40))
		teams, err := l.store.Teams(t.Context())
		l.must(err)
		var seats []github.Seat
		for _, m := range teams.GitHub {
			found, err := l.store.Accounts(t.Context(), []string{m.Account}, nil)
			l.must(err)
			a := found[m.Account]
			seats = append(seats, github.Seat{
				Account: github.Account{ID: a.Number, NodeID: a.ID, Login: a.Login, Type: a.Type}, Created: window.From, LastActivity: window.From.AddDate(0, 0, 30),
			})
		}
		l.world.Seats("acme", seats...)
		l.must(l.syncer().Use(t.Context(), "acme"))
		r, err := metrics.NewReporter(l.store).Report(t.Context(), "pilot")
		l.must(err)
		shown := 0
		for _, side := range r.Use.Sides {
			if side.After != nil && *side.After.Seats == *side.People && *side.After.Active == *side.People && side.Before == nil {
				shown += *side.People
			}
		}
		if shown != len(seats) {
			t.Errorf("%d seats, and the report shows %+v", len(seats), r.Use)
		}
		if !slices.ContainsFunc(r.Verdict.Reasons, func(x metrics.Reason) bool { return x.Code == "comparison_assisted" }) {
			t.Errorf("reasons %+v", r.Verdict.Reasons)
		}
	})
}
