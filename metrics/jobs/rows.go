package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"steelyard/migrations"
)

const taskColumns = `kind, subject, item, state, again, cancel, worker, attempt, phase, done, total, requests, points,
	skipped, note, error, job, lost, asked_at, started_at, finished_at, succeeded_at, next_at, wait_until, beat`

// row is a task with what only the queue needs of it.
type row struct {
	Task
	job  int64
	lost int
}

func scanRow(scan func(...any) error) (row, error) {
	var r row
	var asked, started, finished, succeeded, next, wait, beat sql.NullInt64
	err := scan(&r.Kind, &r.Subject, &r.Item, &r.State, &r.Again, &r.Cancel, &r.Worker, &r.Attempt, &r.Phase,
		&r.Done, &r.Total, &r.Requests, &r.Points, &r.Skipped, &r.Note, &r.Error, &r.job, &r.lost,
		&asked, &started, &finished, &succeeded, &next, &wait, &beat)
	r.Asked, r.Started, r.Finished = migrations.Time(asked), migrations.Time(started), migrations.Time(finished)
	r.Succeeded, r.Next, r.WaitUntil, r.Beat = migrations.Time(succeeded), migrations.Time(next), migrations.Time(wait), migrations.Time(beat)
	return r, err
}

// get reads one task; found is false where it was never asked for.
func get(ctx context.Context, tx *sql.Tx, k Key) (r row, found bool, err error) {
	q := tx.QueryRowContext(ctx, `SELECT `+taskColumns+` FROM tasks WHERE kind = $1 AND subject = $2 AND item = $3`,
		k.Kind, k.Subject, k.Item)
	r, err = scanRow(q.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return row{}, false, nil
	}
	return r, err == nil, err
}

// put writes a task whole.
func put(ctx context.Context, tx *sql.Tx, r row) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO tasks (`+taskColumns+`) VALUES (`+migrations.Placeholders(1, 25)+`)
		ON CONFLICT (kind, subject, item) DO UPDATE SET state = excluded.state, again = excluded.again,
			cancel = excluded.cancel, worker = excluded.worker, attempt = excluded.attempt, phase = excluded.phase,
			done = excluded.done, total = excluded.total, requests = excluded.requests, points = excluded.points,
			skipped = excluded.skipped, note = excluded.note, error = excluded.error, job = excluded.job,
			lost = excluded.lost, asked_at = excluded.asked_at, started_at = excluded.started_at,
			finished_at = excluded.finished_at, succeeded_at = excluded.succeeded_at, next_at = excluded.next_at,
			wait_until = excluded.wait_until, beat = excluded.beat`,
		r.Kind, r.Subject, r.Item, r.State, r.Again, r.Cancel, r.Worker, r.Attempt, clip(r.Phase, 200),
		r.Done, r.Total, r.Requests, r.Points, r.Skipped, clip(r.Note, maxError), clip(r.Error, maxError), r.job, r.lost,
		migrations.Millis(r.Asked), migrations.Millis(r.Started), migrations.Millis(r.Finished),
		migrations.Millis(r.Succeeded), migrations.Millis(r.Next), migrations.Millis(r.WaitUntil), migrations.Millis(r.Beat))
	if err != nil {
		return fmt.Errorf("write the task %q: %w", r.Key, err)
	}
	return nil
}

// rows reads the tasks that the end of a query selects.
func rows(ctx context.Context, tx *sql.Tx, which string, args ...any) ([]row, error) {
	var all []row
	err := migrations.Each(ctx, tx, `SELECT `+taskColumns+` FROM tasks `+which, args, func(scan func(...any) error) error {
		r, err := scanRow(scan)
		if err == nil {
			all = append(all, r)
		}
		return err
	})
	return all, err
}

// busy is the task that keeps another one of its subject from running: one
// that runs in a process that lives.
func (q *Queue) busy(ctx context.Context, tx *sql.Tx, k Key, now time.Time) (*row, error) {
	if !k.Kind.exclusive() {
		return nil, nil
	}
	all, err := rows(ctx, tx, `WHERE subject = $1 AND state = $2 AND beat > $3 ORDER BY kind, item`,
		k.Subject, Running, now.Add(-q.silent()).UnixMilli())
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		if r.Key != k && r.Kind.exclusive() && !q.certainlyDead(r.Worker) {
			return &r, nil
		}
	}
	return nil, nil
}

// Tasks reads the tasks in the named states, all of them where none is named:
// what runs first, then what waits, then the rest by its end, newest first.
func (q *Queue) Tasks(ctx context.Context, states ...State) ([]Task, error) {
	return Tasks(ctx, q.DB, states...)
}

// Tasks reads the tasks of a database as [Queue.Tasks] does, for those who only
// look.
func Tasks(ctx context.Context, db *migrations.DB, states ...State) ([]Task, error) {
	which := `WHERE 1 = 1`
	var args []any
	if len(states) > 0 {
		for _, s := range states {
			args = append(args, s)
		}
		which = `WHERE state IN (` + migrations.Placeholders(1, len(args)) + `)`
	}
	which += ` ORDER BY CASE state WHEN 'running' THEN 0 WHEN 'waiting' THEN 1 ELSE 2 END, finished_at DESC, asked_at, kind, subject, item`
	var tasks []Task
	err := db.View(ctx, func(tx *sql.Tx) error {
		all, err := rows(ctx, tx, which, args...)
		for _, r := range all {
			tasks = append(tasks, r.Task)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the tasks: %w", err)
	}
	return tasks, nil
}

// Count is how many tasks of a kind are in a state.
type Count struct {
	Kind  Kind
	State State
	Tasks int
}

// Counts says how many tasks there are, by kind and state.
func (q *Queue) Counts(ctx context.Context) ([]Count, error) {
	var all []Count
	err := q.DB.View(ctx, func(tx *sql.Tx) error {
		return migrations.Each(ctx, tx, `SELECT kind, state, COUNT(*) FROM tasks GROUP BY kind, state ORDER BY kind, state`, nil,
			func(scan func(...any) error) error {
				var c Count
				if err := scan(&c.Kind, &c.State, &c.Tasks); err != nil {
					return err
				}
				all = append(all, c)
				return nil
			})
	})
	if err != nil {
		return nil, fmt.Errorf("count the tasks: %w", err)
	}
	return all, nil
}
