package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"steelyard/migrations"
)

// maxLost is how many processes may die at a task, one after the other and
// without any progress, before it counts as failed: it may be what kills them.
const maxLost = 10

// lookAgain is after how many times the silence of a dead process a waiting
// task's job is looked for.
const lookAgain = 4

// takeOver puts tasks back into the queue whose process fell silent, and those
// whose job is no longer there.
func (q *Queue) takeOver(ctx context.Context) error {
	var left []row
	// Most rounds find nothing, and then nothing is written.
	err := q.DB.View(ctx, func(tx *sql.Tx) (err error) {
		left, err = q.left(ctx, tx)
		return err
	})
	if err == nil && len(left) > 0 {
		err = q.DB.Update(ctx, migrations.Jobs, func(tx *sql.Tx, _ int64) error {
			left, err := q.left(ctx, tx)
			if err != nil {
				return err
			}
			for _, r := range left {
				take := q.lookAfter
				if r.State == Running {
					take = q.revive
				}
				if err := take(ctx, tx, r); err != nil {
					return fmt.Errorf("%s: %w", r.Key, err)
				}
			}
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("take over the tasks of processes that ended: %w", err)
	}
	return nil
}

// left lists the tasks that run in a process that fell silent, and those that
// have waited for so long that their job may be gone.
func (q *Queue) left(ctx context.Context, tx *sql.Tx) ([]row, error) {
	now := q.now()
	all, err := rows(ctx, tx, `WHERE state IN ($1, $2) ORDER BY asked_at, kind, subject, item`, Waiting, Running)
	return slices.DeleteFunc(all, func(r row) bool {
		if r.State == Running {
			return !q.gone(r, now)
		}
		looked := r.Asked
		if r.Beat.After(looked) {
			looked = r.Beat
		}
		return !looked.Before(now.Add(-lookAgain * q.silent()))
	}), err
}

// revive gives a task whose process died to the next one. Its old job finds
// that it is no longer the row's.
func (q *Queue) revive(ctx context.Context, tx *sql.Tx, r row) error {
	if r.Cancel {
		r.end(Cancelled, q.now())
		return put(ctx, tx, r)
	}
	r.lost++
	if r.lost >= maxLost {
		r.end(Failed, q.now())
		r.Error = fmt.Sprintf("%d processes in a row ended while they worked on it and came no further: look into their logs, then ask for it again", r.lost)
		return put(ctx, tx, r)
	}
	q.Logger.Info("taking over a job whose process ended", "task", r.String(), "worker", r.Worker)
	made, err := q.asking.InsertTx(ctx, tx, arguments{What: r.Kind, Subject: r.Subject, Item: r.Item}, options(r.Kind))
	if err != nil {
		return fmt.Errorf("put it into the queue again: %w", err)
	}
	r.job, r.State = made.Job.ID, Waiting
	r.Asked = q.now()
	return put(ctx, tx, r)
}

// lookAfter puts a waiting task whose job is gone into the queue again, as
// after a restored backup, or a queue that was emptied by hand.
func (q *Queue) lookAfter(ctx context.Context, tx *sql.Tx, r row) error {
	job, err := q.asking.JobGetTx(ctx, tx, r.job)
	switch {
	case errors.Is(err, river.ErrNotFound):
	case err != nil:
		return err
	case job.FinalizedAt == nil && job.State != rivertype.JobStateRunning,
		// About to be claimed, or just handed back.
		job.State == rivertype.JobStateRunning && job.AttemptedAt != nil && q.now().Sub(job.AttemptedAt.UTC()) < 2*q.silent():
		r.Beat = q.now()
		return put(ctx, tx, r)
	}
	return q.insert(ctx, tx, r)
}
