package syncing_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
	"steelyard/metrics"
	"steelyard/metrics/ingest/attribution"
	"steelyard/metrics/ingest/syncing"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
	"steelyard/rules"
)

// The variables that make this test program another process: one that backfills
// from a GitHub into a database and ends, unless it is killed before.
const (
	childDatabase = "STEELYARD_TEST_CHILD_DATABASE"
	childGitHub   = "STEELYARD_TEST_CHILD_GITHUB"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(childDatabase); url != "" {
		if err := child(url, os.Getenv(childGitHub)); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		fmt.Println("whole")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child(database, url string) error {
	ctx := context.Background()
	db, err := migrations.Open(ctx, database, migrations.Options{})
	if err != nil {
		return err
	}
	table, err := rules.AttributionTable()
	if err != nil {
		return err
	}
	c := newClock(tableEnd)
	client, err := github.New(github.Options{BaseURL: url, Clock: c.now, Sleep: c.sleep})
	if err != nil {
		return err
	}
	s := syncing.New(syncing.Options{
		GitHub: client, Store: store.New(db, c.now), Clock: c.now, Matcher: attribution.New(table), Teams: killTeams,
		Progress: func(p syncing.Progress) { fmt.Println("at", p.Done, "of", p.Total) },
	})
	return errors.Join(s.Backfill(ctx, ref), db.Close())
}

// killTeams place what is backfilled: one team by its people, one by its
// repository.
var killTeams = []metrics.TeamSource{
	{Team: "Core", Members: []metrics.TeamMember{{Login: "u-2813af80"}, {Login: "u-33b49b67"}, {Login: "nobody-ever"}}},
	{Team: "Others", Repositories: []string{repo}},
}

// kills is how often; under the race detector, which reads fewer pages, less
// often.
func kills() int {
	if underRace {
		return 6
	}
	return 20
}

// kill backfills the same GitHub as l into another database, killed with -9
// twenty times at random moments. Each process goes on where the one before it
// was killed; in the end the database is that of l, whose run nobody disturbed.
func (l *lab) kill(t *testing.T, n int) {
	want := dump(t, l.db)
	url := migrationstest.URL(t, l.db.Engine)
	killed := killAll(t, url, l.server.URL, n)
	db, err := migrations.Open(t.Context(), url, migrations.Options{})
	l.must(err)
	defer func() { l.must(db.Close()) }()
	got := dump(t, db)
	t.Logf("killed %d times; %d rows", killed, len(got))
	if diff := cmp.Diff(head(want), head(got)); diff != "" {
		t.Fatalf("the databases differ (-undisturbed +killed):\n%.4000s", diff)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("row %d differs: %s; want %s", i, got[i], want[i])
		}
	}
	if killed != kills() {
		t.Errorf("killed %d times; want %d", killed, kills())
	}
}

// head are the first rows, which say most, for a readable difference.
func head(rows []string) []string {
	return append([]string{fmt.Sprint(len(rows), " rows")}, rows[:min(3, len(rows))]...)
}

// killAll runs backfills of n pull requests until one comes to its end. Each of
// the first is killed at a moment drawn from what is left: after some page,
// and some milliseconds into the next.
func killAll(t *testing.T, database, url string, n int) (killed int) {
	t.Helper()
	random := rand.New(rand.NewPCG(20, 9))
	done := 0
	for {
		cmd, lines := startChild(t, database, url)
		wait := time.Duration(-1)
		until := 0
		if killed < kills() {
			left := max(n-done, 1)
			until = done + random.IntN(min(2*left/(kills()-killed+1), left*8/10)+1)
			wait = time.Duration(random.IntN(80)) * time.Millisecond
		}
		last := "nothing"
		for line := range lines {
			last = line
			if _, err := fmt.Sscanf(line, "at %d of", &done); err == nil && wait >= 0 && done >= until {
				break
			}
		}
		if wait < 0 {
			if err := cmd.Wait(); err != nil || last != "whole" {
				t.Fatalf("the last process ended with %q: %v", last, err)
			}
			return killed
		}
		if last == "whole" || strings.HasPrefix(last, "failed") {
			t.Fatalf("a process ended before it was killed, after %d: %s", killed, last)
		}
		time.Sleep(wait)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		killed++
	}
}

// startChild starts a process and gives the lines it writes.
func startChild(t *testing.T, database, url string) (*exec.Cmd, func(yield func(string) bool)) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), childDatabase+"="+database, childGitHub+"="+url)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	scan := bufio.NewScanner(out)
	return cmd, func(yield func(string) bool) {
		for scan.Scan() {
			if !yield(scan.Text()) {
				return
			}
		}
	}
}
