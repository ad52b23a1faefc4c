package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"

	"steelyard/migrations"
)

// Why the context of a task ended before its work did.
var (
	errCancelled = errors.New("cancelled")
	errLost      = errors.New("another process has taken the task over")
)

// worker is what River calls for each job.
type worker struct {
	river.WorkerDefaults[arguments]
	queue *Queue
}

// settleTime bounds the writing of how a run ended.
const settleTime = 10 * time.Second

// Work runs one slice of a task.
func (w *worker) Work(ctx context.Context, job *river.Job[arguments]) error {
	q, k := w.queue, job.Args.key()
	claimed, wait, err := q.claim(ctx, k, job.ID)
	switch {
	case err != nil:
		return err
	case wait > 0:
		return river.JobSnooze(wait)
	case !claimed:
		return nil
	}
	started := time.Now()
	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := q.newPulse(k, job.ID, cancel)
	go p.beat(run)
	err = q.do(run, k, p.report)
	last := p.stop()

	settle, done := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer done()
	state, answer := w.judge(ctx, run, job, err)
	if err := q.settle(settle, outcome{k, job.ID, state, err, last, w.NextRetry(job)}, ctx.Err() != nil); err != nil {
		return fmt.Errorf("write how %q ended: %w", k, err)
	}
	if q.Ended != nil && state.Ended() {
		q.Ended(k, state, time.Since(started))
	}
	return answer
}

// do calls the work and turns a panic into an error.
func (q *Queue) do(ctx context.Context, k Key, report func(Progress)) (err error) {
	work := q.Work[k.Kind]
	if work == nil {
		return Permanent(fmt.Errorf("this process cannot do %q: its settings name no source for it", k))
	}
	defer func() {
		if v := recover(); v != nil {
			q.Logger.Error("a job panicked", "task", k.String(), "panic", v, "stack", string(debug.Stack()))
			err = Permanent(fmt.Errorf("internal error: %v", v))
		}
	}()
	return work(ctx, k, report)
}

// judge says what becomes of a task, and what River is told. outer ends with
// the slice or the process, run also when the task is cancelled or lost.
func (w *worker) judge(outer, run context.Context, job *river.Job[arguments], err error) (State, error) {
	switch cause := context.Cause(run); {
	case err == nil:
		return Done, nil
	case errors.Is(cause, errCancelled):
		return Cancelled, river.JobCancel(errCancelled)
	case errors.Is(cause, errLost):
		return Running, nil // the row is another's
	case outer.Err() != nil:
		return Waiting, river.JobSnooze(0) // the slice is over, or this process ends
	case isPermanent(err) || job.Attempt >= job.MaxAttempts:
		return Failed, river.JobCancel(err)
	}
	return Waiting, err
}

// NextRetry is when a task that failed is tried again: GitHub's own waits are
// over by then, so this is for faults of ours, of the network, of the database.
func (w *worker) NextRetry(job *river.Job[arguments]) time.Time {
	delays := []time.Duration{5 * time.Second, 30 * time.Second, 3 * time.Minute}
	return w.queue.now().Add(delays[min(max(job.Attempt, 1), len(delays))-1])
}

// claim takes a task for this process. wait is how long to leave it where
// another task of the same subject runs; claimed is false where there is
// nothing to do: it ended, or is another job's by now.
func (q *Queue) claim(ctx context.Context, k Key, job int64) (claimed bool, wait time.Duration, err error) {
	err = q.DB.Update(ctx, migrations.Jobs, func(tx *sql.Tx, _ int64) error {
		claimed, wait = false, 0
		now := q.now()
		r, found, err := get(ctx, tx, k)
		if err != nil || !found || r.job != job || r.State.Ended() {
			return err
		}
		if r.Cancel {
			r.end(Cancelled, now)
			return put(ctx, tx, r)
		}
		if r.State == Running && r.Worker != q.worker && !q.gone(r, now) {
			wait = q.silent()
			return nil
		}
		other, err := q.busy(ctx, tx, k, now)
		if err != nil {
			return err
		}
		if other != nil {
			wait = q.Beat
			return nil
		}
		r.State, r.Worker, r.Beat, r.Started = Running, q.worker, now, now
		r.Finished, r.Next, r.WaitUntil = time.Time{}, time.Time{}, time.Time{}
		claimed = true
		return put(ctx, tx, r)
	})
	if err != nil {
		return false, 0, fmt.Errorf("take %q: %w", k, err)
	}
	return claimed, wait, nil
}

// outcome is how a run of a task ended.
type outcome struct {
	key   Key
	job   int64
	state State
	err   error
	last  Progress
	next  time.Time // when it is tried again, if it is
}

// settle writes how a run ended; what was asked for anew meanwhile goes into
// the queue again, in the same transaction. over is set where the run was only
// interrupted.
func (q *Queue) settle(ctx context.Context, o outcome, over bool) error {
	if o.state == Running {
		return nil
	}
	return q.DB.Update(ctx, migrations.Jobs, func(tx *sql.Tx, _ int64) error {
		r, found, err := get(ctx, tx, o.key)
		if err != nil || !found || r.job != o.job || r.Worker != q.worker {
			return err
		}
		again, started := r.Again, r.Started
		r.Progress = o.last
		r.Error = ""
		switch o.state {
		case Done:
			r.end(Done, q.now())
			r.Succeeded, r.Attempt, r.lost = started, 0, 0
		case Failed:
			r.end(Failed, q.now())
			r.Error, r.Attempt = o.err.Error(), r.Attempt+1
		case Cancelled:
			r.end(Cancelled, q.now())
		default: // waiting: for its next slice, or for another try
			r.State, r.Beat, r.WaitUntil = Waiting, time.Time{}, time.Time{}
			if !over {
				r.Error, r.Attempt, r.Next = o.err.Error(), r.Attempt+1, o.next
			}
			return put(ctx, tx, r)
		}
		if again && o.state != Cancelled {
			succeeded := r.Succeeded
			return q.insert(ctx, tx, row{Task: Task{Key: o.key, Worker: r.Worker, Started: started, Succeeded: succeeded}})
		}
		return put(ctx, tx, r)
	})
}
