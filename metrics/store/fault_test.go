package store_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// childEnv makes this test program another process that imports the same pull
// requests into the database whose URL it holds, until it is killed.
const childEnv = "STEELYARD_TEST_CHILD_IMPORTS"

func TestMain(m *testing.M) {
	if url := os.Getenv(childEnv); url != "" {
		fmt.Println(child(url))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const childRows = 2000

func child(url string) error {
	ctx := context.Background()
	db, err := migrations.Open(ctx, url, migrations.Options{})
	if err != nil {
		return err
	}
	s := newStore(db)
	fmt.Println("importing")
	for round := 0; ; round++ {
		rows := pullRequests("Payments", childRows)
		for i := range rows {
			rows[i].Repository = fmt.Sprintf("process %d, round %d", os.Getpid(), round)
		}
		if _, err := importPullRequests(ctx, s, rows, nil); err != nil {
			return err
		}
	}
}

// Two processes import at once and are killed at any moment: what is left is
// one whole import, and nothing is counted twice.
func TestKilledWhileImporting(t *testing.T) {
	for _, e := range migrationstest.Engines() {
		t.Run(string(e), func(t *testing.T) {
			url := migrationstest.URL(t, e)
			for i := range 6 {
				children := []*exec.Cmd{startChild(t, url), startChild(t, url)}
				time.Sleep(time.Duration(i) * 37 * time.Millisecond)
				for _, c := range children {
					if err := c.Process.Kill(); err != nil {
						t.Fatal(err)
					}
					if err := c.Wait(); c.ProcessState.Exited() {
						t.Fatalf("the child ended before it was killed: %v", err)
					}
				}
				checkWhole(t, url)
			}
		})
	}
}

func startChild(t *testing.T, url string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), childEnv+"="+url)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 9)); err != nil { // it has begun
		t.Fatal(err)
	}
	return cmd
}

// checkWhole opens the database again and wants none or one whole import.
func checkWhole(t *testing.T, url string) {
	t.Helper()
	db, err := migrations.Open(t.Context(), url, migrations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := newStore(db)
	rows, err := collect(s.PullRequests(t.Context(), nil, metrics.Window{}))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 0 && len(rows) != childRows {
		t.Errorf("%d rows; want none or %d", len(rows), childRows)
	}
	for _, p := range rows {
		if p.Repository != rows[0].Repository {
			t.Fatalf("rows of two imports: %q and %q", rows[0].Repository, p.Repository)
		}
	}
	summary, err := s.PullRequestSummary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r := revision(t, s); r != fmt.Sprint(len(summary.Imports)) {
		t.Errorf("%d imports are kept at revision %s", len(summary.Imports), r)
	}
}

func TestDiskFull(t *testing.T) {
	db := migrationstest.Open(t, migrations.SQLite)
	s := newStore(db)
	if _, err := importPullRequests(t.Context(), s, pullRequests("Payments", 100), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Write.ExecContext(t.Context(), `PRAGMA max_page_count = 60`); err != nil {
		t.Fatal(err)
	}
	checkUnchanged(t, s, func() error {
		_, err := importPullRequests(t.Context(), s, pullRequests("Ledger", 3000), nil)
		return err
	}, "import pull requests: ", "the disk is full: make room, then try again")
}

func TestClosedDatabase(t *testing.T) {
	for _, e := range migrationstest.Engines() {
		t.Run(string(e), func(t *testing.T) {
			db, err := migrations.Open(t.Context(), migrationstest.URL(t, e), migrations.Options{})
			if err != nil {
				t.Fatal(err)
			}
			s := store.New(db, time.Now)
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Revision(t.Context()); err == nil {
				t.Error("revision: no error")
			}
			if _, err := collect(s.PullRequests(t.Context(), nil, metrics.Window{})); err == nil {
				t.Error("pull requests: no error")
			}
			if _, err := s.SavePilot(t.Context(), panelPilot("editor"), now); err == nil {
				t.Error("save pilot: no error")
			}
		})
	}
}
