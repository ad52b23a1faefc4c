package syncing_test

import (
	"compress/gzip"
	"fmt"
	"os"
	"testing"
	"time"

	"steelyard/internal/github/githubtest"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// tableSeed draws what the tables of real pull requests lack.
const tableSeed = 4

// fill puts the real pull requests of one repository's table into the world.
func (l *lab) fill(table string) int {
	l.t.Helper()
	f, err := os.Open(dataDir(l.t, "github", "pr_"+table+".csv.gz"))
	l.must(err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	l.must(err)
	rows, err := githubtest.ReadTable(z)
	l.must(err)
	if underRace {
		rows = rows[:min(len(rows), fewRows)]
	}
	l.world.FillRows(repo, rows, tableSeed)
	l.clock.set(tableEnd)
	return len(rows)
}

// fewRows are read of a table under the race detector.
const fewRows = 1500

// tableEnd lies after everything in the tables.
var tableEnd = time.Date(2026, time.October, 1, 12, 0, 0, 0, time.UTC)

// TestRails reads 22,718 real pull requests within the budget of requests, the
// same again while it is killed over and over, and then only what changed.
func TestRails(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tens of thousands of pull requests")
	}
	each(t, func(t *testing.T, l *lab) {
		n := l.fill("rails")
		l.teams = killTeams
		l.timed("backfill", 500, l.backfill)
		if got := len(l.pulls()); got != n || (n != 22_718 && !underRace) {
			t.Fatalf("%d pull requests are stored of %d; want 22,718", got, n)
		}
		l.checkRates("1.9", n)
		l.kill(t, n)
		l.clock.move(30 * time.Minute)
		l.timed("quiet update", 3, l.update)
		l.clock.move(30 * time.Minute)
		for _, number := range l.someNumbers(10) {
			l.world.Change(repo, number, func(p *githubPull) { p.Title += ", changed" })
		}
		l.timed("update of ten", 5, l.update)
		for _, p := range l.pulls() {
			if p.Repository != repo {
				t.Fatalf("#%d is of %q", p.Number, p.Repository)
			}
		}
	})
}

// timed runs f and wants it to take at most so many requests.
func (l *lab) timed(what string, most int, f func()) {
	l.t.Helper()
	began := time.Now()
	requests := l.requests(f)
	l.t.Logf("%s: %d requests, %s", what, requests, time.Since(began).Round(time.Millisecond))
	if requests > most {
		l.t.Errorf("%s took %d requests; want at most %d", what, requests, most)
	}
}

// someNumbers are n numbers of pull requests, spread over all.
func (l *lab) someNumbers(n int) []int {
	all := l.world.PullRequests(repo)
	var out []int
	for i := range n {
		out = append(out, all[i*len(all)/n].Number)
	}
	return out
}

// TestRevertRates expects the net revert rates that were published for other
// repositories.
func TestRevertRates(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tens of thousands of pull requests")
	}
	for name, rate := range map[string]string{"electron": "0.9", "terraform": "0.5", "pinot": "0.4", "etcd": "0.4"} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, migrationstest.Open(t, migrations.SQLite))
			n := l.fill(name)
			l.backfill()
			l.checkRates(rate, n)
		})
	}
}

// checkRates wants the net revert rate that comes out of the whole pipeline,
// once over all pull requests, as it was published, and once without bots, as
// pilots are measured.
func (l *lab) checkRates(want string, n int) {
	l.t.Helper()
	var reverted, people, ofPeople int
	for _, p := range l.pulls() {
		counts := !p.RevertedAt.IsZero()
		if counts {
			reverted++
		}
		if !p.AuthorBot {
			people++
			if counts {
				ofPeople++
			}
		}
	}
	f, err := l.store.Reverts(l.t.Context(), l.repository().ID)
	l.must(err)
	all := fmt.Sprintf("%.1f", 100*float64(reverted)/float64(n))
	without := fmt.Sprintf("%.1f", 100*float64(ofPeople)/float64(people))
	l.t.Logf("%d of %d reverted: %s %%; of people's %d of %d: %s %%; %d links, %d unresolved",
		reverted, n, all, ofPeople, people, without, len(f.Links), len(f.Unresolved))
	if (all != want || without != want) && !underRace {
		l.t.Errorf("%s %% of all, %s %% of people's; want %s %%", all, without, want)
	}
}
