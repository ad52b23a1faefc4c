package migrations_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

type question struct{ name string }

// TestMemory holds that an answer is read once, until something is written about
// one of the subjects, and that failures are not remembered.
func TestMemory(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		m := migrations.NewMemory(db, migrations.Lint, migrations.Ingest)
		reads := 0
		ask := func(question any) int {
			t.Helper()
			n, err := migrations.Remember(t.Context(), m, question, func(int) int { return 1 }, func(*sql.Tx) (int, error) {
				reads++
				return reads, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		write := func(s migrations.Subject) {
			t.Helper()
			if err := db.Update(t.Context(), s, func(*sql.Tx, int64) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		for i, step := range []struct {
			before   migrations.Subject
			question any
			want     int
		}{
			{"", "a", 1},
			{"", "a", 1},
			{"", question{"a"}, 2}, // another type asks something else
			{"", "b", 3},
			{migrations.Jobs, "a", 1}, // no subject of this memory
			{migrations.Lint, "a", 4},
			{"", "a", 4},
			{migrations.Ingest, "a", 5},
			{"", "b", 6},
			{"", nil, 7},
			{"", nil, 8},
			{"", "a", 5},
		} {
			if step.before != "" {
				write(step.before)
			}
			if got := ask(step.question); got != step.want {
				t.Errorf("step %d: answer %d, want %d", i, got, step.want)
			}
		}
		broken := errors.New("broken")
		for range 2 {
			before := reads
			_, err := migrations.Remember(t.Context(), m, "c", func(int) int { return 1 }, func(*sql.Tx) (int, error) {
				reads++
				return 0, broken
			})
			if !errors.Is(err, broken) || reads != before+1 {
				t.Errorf("error %v after %d reads", err, reads-before)
			}
		}
		for i := range 3000 { // many questions push out the first
			ask(i)
		}
		if got := ask("a"); got == 5 {
			t.Error("everything is remembered")
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := migrations.Remember(ended, m, "a", func(int) int { return 1 }, func(*sql.Tx) (int, error) { return 0, nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after the caller left: %v", err)
		}
	})
}
