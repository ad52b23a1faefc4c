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

// TestRailsFitsTheBudget reads 22,718 real pull requests.
func TestRailsFitsTheBudget(t *testing.T) {
	each(t, func(t *testing.T, l *lab) {
		n := l.fill("rails")
		began := time.Now()
		requests := l.requests(l.backfill)
		t.Logf("%d pull requests in %d requests, %s", n, requests, time.Since(began).Round(time.Millisecond))
		if (n != 22_718 && !underRace) || requests > 500 {
			t.Errorf("%d pull requests in %d requests; want 22,718 in at most 500", n, requests)
		}
		if got := len(l.pulls()); got != n {
			t.Errorf("%d pull requests are stored; want %d", got, n)
		}
		l.clock.move(30 * time.Minute)
		began = time.Now()
		requests = l.requests(l.update)
		t.Logf("a quiet update: %d requests, %s", requests, time.Since(began).Round(time.Millisecond))
		if requests > 3 {
			t.Errorf("a quiet update took %d requests; want at most 3", requests)
		}
		l.clock.move(30 * time.Minute)
		for i, number := range l.someNumbers(10) {
			l.world.Change(repo, number, func(p *githubPull) { p.Body += fmt.Sprint("Changed ", i) })
			l.world.Touch(repo, number)
		}
		began = time.Now()
		requests = l.requests(l.update)
		t.Logf("an update of ten: %d requests, %s", requests, time.Since(began).Round(time.Millisecond))
		if requests > 5 {
			t.Errorf("an update of ten took %d requests; want at most 5", requests)
		}
	})
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

// TestRevertRates expects the net revert rates that were published for five
// repositories, out of the whole pipeline: once over all pull requests, as they
// were published, and once without bots, as pilots are measured.
func TestRevertRates(t *testing.T) {
	for _, c := range []struct{ name, rate string }{
		{"rails", "1.9"}, {"electron", "0.9"}, {"terraform", "0.5"}, {"pinot", "0.4"}, {"etcd", "0.4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t, migrationstest.Open(t, migrations.SQLite))
			n := l.fill(c.name)
			l.backfill()
			var reverted, people, ofPeople, inTime int
			for _, p := range l.pulls() {
				counts := !p.RevertedAt.IsZero()
				if counts {
					reverted++
					if p.RevertedAt.Sub(p.Merged) <= 30*24*time.Hour {
						inTime++
					}
				}
				if !p.AuthorBot {
					people++
					if counts {
						ofPeople++
					}
				}
			}
			f, err := l.store.Reverts(t.Context(), l.repository().ID)
			l.must(err)
			all := fmt.Sprintf("%.1f", 100*float64(reverted)/float64(n))
			without := fmt.Sprintf("%.1f", 100*float64(ofPeople)/float64(people))
			t.Logf("%d of %d reverted: %s %%; of people's %d of %d: %s %%; within 30 days %d; %d links, %d unresolved",
				reverted, n, all, ofPeople, people, without, inTime, len(f.Links), len(f.Unresolved))
			if (all != c.rate || without != c.rate) && !underRace {
				t.Errorf("%s %% of all, %s %% of people's; want %s %%", all, without, c.rate)
			}
		})
	}
}
