package jobs_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"steelyard/metrics/jobs"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// victimEnv makes the test program a process that works jobs until it is
// killed; its value is the URL of the database.
const victimEnv = "STEELYARD_TEST_JOBS_VICTIM"

func TestMain(m *testing.M) {
	if url := os.Getenv(victimEnv); url != "" {
		if err := victim(context.Background(), url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func victim(ctx context.Context, url string) error {
	db, err := migrations.Open(ctx, url, migrations.Options{})
	if err != nil {
		return err
	}
	q, err := jobs.Open(ctx, jobs.Options{DB: db, Clock: time.Now, Beat: 50 * time.Millisecond, Work: steps(db, 60)})
	if err != nil {
		return err
	}
	return q.Run(ctx, false)
}

// steps is work of n steps that keeps each with how far it is, in one
// transaction, and goes on where the last one stopped.
func steps(db *migrations.DB, n int) map[jobs.Kind]jobs.Work {
	return map[jobs.Kind]jobs.Work{jobs.Backfill: func(ctx context.Context, _ jobs.Key, report func(jobs.Progress)) error {
		for {
			var done int
			err := db.Update(ctx, migrations.Measurement, func(tx *sql.Tx, _ int64) error {
				if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM test_steps`).Scan(&done); err != nil || done == n {
					return err
				}
				done++
				_, err := tx.ExecContext(ctx, `INSERT INTO test_steps (step) VALUES ($1)`, done)
				return err
			})
			if err != nil {
				return err
			}
			report(jobs.Progress{Phase: "steps", Done: done, Total: n})
			if done == n {
				return nil
			}
			time.Sleep(20 * time.Millisecond)
		}
	}}
}

// TestKilled holds that the work of a process that is killed with no chance to
// say so is taken over, goes on where it was, and is not done twice.
func TestKilled(t *testing.T) {
	for _, engine := range migrationstest.Engines() {
		t.Run(string(engine), func(t *testing.T) {
			url := migrationstest.URL(t, engine)
			db, err := migrations.Open(t.Context(), url, migrations.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Write.Exec(`CREATE TABLE test_steps (step BIGINT PRIMARY KEY)`); err != nil {
				t.Fatal(err)
			}
			q := open(t, db, jobs.Options{Work: steps(db, 60)})
			key := jobs.Key{Kind: jobs.Backfill, Subject: "acme/payments"}
			ask(t, q, key)
			for _, at := range []int{1, 8, 20} {
				kill(t, url, func() bool {
					var n int
					return db.Read.QueryRow(`SELECT COUNT(*) FROM test_steps`).Scan(&n) == nil && n >= at
				})
			}
			// Nobody said that it ended; the row shows a process that is dead.
			if got := until(t, q, key, in(jobs.Running)); got.Done == 60 {
				t.Fatalf("it was killed too late: %+v", got)
			}
			work(t, q, false)
			if got := until(t, q, key, in(jobs.Done)); got.Done != 60 || got.Attempt != 0 {
				t.Errorf("it ended as %+v", got)
			}
			var n, last int
			if err := db.Read.QueryRow(`SELECT COUNT(*), MAX(step) FROM test_steps`).Scan(&n, &last); err != nil || n != 60 || last != 60 {
				t.Errorf("%d steps, the last %d: %v", n, last, err)
			}
		})
	}
}

// kill starts a process that works jobs, and kills it once when is true.
func kill(t *testing.T, url string, when func() bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimEnv+"="+url)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patience); !when(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("process %s did not come so far", strconv.Itoa(cmd.Process.Pid))
			break
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) {
		t.Errorf("it was not killed: %v", err)
	}
}
