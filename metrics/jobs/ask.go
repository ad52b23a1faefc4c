package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"steelyard/migrations"
)

// The queues that our jobs stand in. What takes long has one of its own, so
// that a hand is always free for the rest.
const (
	queueShort = "steelyard"
	queueLong  = "steelyard_long"
)

// attempts is how often a task is tried before it counts as failed.
const attempts = 4

// arguments are what River keeps of a task.
type arguments struct {
	What    Kind   `json:"kind"`
	Subject string `json:"subject"`
	Item    string `json:"item,omitempty"`
}

// Kind is the name of our jobs in River's table.
func (arguments) Kind() string { return "steelyard_task" }

func (a arguments) key() Key { return Key{Kind: a.What, Subject: a.Subject, Item: a.Item} }

func options(k Kind) *river.InsertOpts {
	o := &river.InsertOpts{Queue: queueShort, MaxAttempts: attempts, Priority: 2}
	switch k {
	case Refetch:
		o.Priority = 1 // somebody has just done something: it is quick, and wanted now
	case Backfill, Reconcile:
		o.Queue = queueLong
	}
	return o
}

// Ask asks for tasks, all of them or none. One that waits already is left as
// it is; one that runs is run once more afterwards.
func (q *Queue) Ask(ctx context.Context, keys ...Key) error {
	err := q.DB.Update(ctx, migrations.Jobs, func(tx *sql.Tx, _ int64) error { return q.ask(ctx, tx, keys) })
	if err != nil {
		return fmt.Errorf("ask for %s: %w", names(keys), err)
	}
	return nil
}

func (q *Queue) ask(ctx context.Context, tx *sql.Tx, keys []Key) error {
	for _, k := range keys {
		for what, text := range map[string]string{"subject": k.Subject, "item": k.Item} {
			if err := migrations.CheckText(what, text); err != nil {
				return err
			}
		}
		r, found, err := get(ctx, tx, k)
		switch {
		case err != nil:
			return err
		case found && r.State == Running && !r.Cancel:
			r.Again = true
			err = put(ctx, tx, r)
		case found && r.State == Waiting && !r.Cancel && r.Attempt == 0:
			continue
		default:
			r.Key = k
			err = q.insert(ctx, tx, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// insert puts a task into the queue anew. A job that it had there before finds
// its number gone from the row, and does nothing.
func (q *Queue) insert(ctx context.Context, tx *sql.Tx, r row) error {
	made, err := q.asking.InsertTx(ctx, tx, arguments{What: r.Kind, Subject: r.Subject, Item: r.Item}, options(r.Kind))
	if err != nil {
		return fmt.Errorf("put %q into the queue: %w", r.Key, err)
	}
	r.job, r.State = made.Job.ID, Waiting
	r.Again, r.Cancel, r.Attempt, r.lost, r.Error = false, false, 0, 0, ""
	r.Asked, r.Beat, r.Next, r.WaitUntil, r.Finished = q.now(), time.Time{}, time.Time{}, time.Time{}, time.Time{}
	r.Progress = Progress{}
	return put(ctx, tx, r)
}

// Cancel ends the tasks of a subject that wait or run: waiting ones at once,
// running ones as soon as their process has seen it, within a few seconds. It
// returns the tasks that it found. What was done stays.
func (q *Queue) Cancel(ctx context.Context, subject string) ([]Key, error) {
	var ended []Key
	err := q.DB.Update(ctx, migrations.Jobs, func(tx *sql.Tx, _ int64) error {
		all, err := rows(ctx, tx, `WHERE subject = $1 AND state IN ($2, $3) ORDER BY kind, item`, subject, Waiting, Running)
		if err != nil {
			return err
		}
		for _, r := range all {
			ended = append(ended, r.Key)
			if r.State == Running && !q.gone(r, q.now()) {
				r.Cancel, r.Again = true, false
			} else {
				r.end(Cancelled, q.now())
			}
			if err := put(ctx, tx, r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("cancel the work on %s: %w", subject, err)
	}
	return ended, nil
}

// end settles a row. The job that it had in the queue is no longer its own.
func (r *row) end(s State, now time.Time) {
	r.State, r.Finished = s, now
	r.Again, r.Cancel = false, false
	r.Next, r.WaitUntil, r.Beat = time.Time{}, time.Time{}, time.Time{}
}

// gone reports whether the process that runs a task has fallen silent.
func (q *Queue) gone(r row, now time.Time) bool {
	return r.Beat.Before(now.Add(-q.silent())) || q.certainlyDead(r.Worker)
}

func names(keys []Key) string {
	switch len(keys) {
	case 0:
		return "nothing"
	case 1:
		return keys[0].String()
	}
	return fmt.Sprintf("%s and %d more", keys[0], len(keys)-1)
}

// Forget removes the tasks of a subject. One that runs in another process is
// cancelled; its row stays for that process to end, and goes in time like that
// of any task that is over.
func (q *Queue) Forget(ctx context.Context, subject string) error {
	if _, err := q.Cancel(ctx, subject); err != nil {
		return err
	}
	err := q.DB.Update(ctx, migrations.Jobs, func(tx *sql.Tx, _ int64) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM tasks WHERE LOWER(subject) = LOWER($1) AND state <> $2`, subject, Running)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget the jobs of %s: %w", subject, err)
	}
	return nil
}
