package jobs

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"steelyard/migrations"
)

// pulse says regularly that a running task's process lives and how far the
// task is, and hears whether it is to end.
type pulse struct {
	queue  *Queue
	key    Key
	job    int64
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	newest  Progress
	changed bool
	wait    time.Time // the end of GitHub's wait, as of the report

	quit, over chan struct{}
}

func (q *Queue) newPulse(k Key, job int64, cancel context.CancelCauseFunc) *pulse {
	return &pulse{queue: q, key: k, job: job, cancel: cancel, quit: make(chan struct{}), over: make(chan struct{})}
}

// report remembers how far the task is; the next beat writes it.
func (p *pulse) report(now Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.newest, p.changed = now, true
	p.wait = time.Time{}
	if now.Wait > 0 {
		p.wait = p.queue.now().Add(now.Wait)
	}
}

// stop ends the beating and returns the last report.
func (p *pulse) stop() Progress {
	close(p.quit)
	<-p.over
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.newest
}

// lookEvery is how often a running task's row is looked at: whether it is to
// end, and what there is to tell.
const lookEvery = time.Second

// beat looks and writes until stop is called. Several writes may fail, as when
// the database is busy, before anybody takes the task for dead.
func (p *pulse) beat(ctx context.Context) {
	defer close(p.over)
	// The first look is soon, for a person who watches the start.
	look := time.NewTimer(min(p.queue.Beat, lookEvery/4))
	defer look.Stop()
	written := time.Now()
	for {
		select {
		case <-p.quit:
			return
		case <-look.C:
			look.Reset(min(p.queue.Beat, lookEvery))
		}
		bounded, done := context.WithTimeout(context.WithoutCancel(ctx), p.queue.silent()/2)
		act := p.look
		if p.news() || time.Since(written) >= p.queue.Beat {
			act, written = p.write, time.Now()
		}
		err := act(bounded)
		done()
		switch {
		case errors.Is(err, errCancelled), errors.Is(err, errLost):
			p.cancel(err)
		case err != nil:
			p.queue.Logger.Warn("the progress of a job could not be written", "task", p.key.String(), "error", err)
		}
	}
}

// news reports whether there is something that was not written.
func (p *pulse) news() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

// look reads whether the task is to end.
func (p *pulse) look(ctx context.Context) error {
	return p.queue.DB.View(ctx, func(tx *sql.Tx) error {
		r, found, err := get(ctx, tx, p.key)
		if err != nil {
			return err
		}
		return p.ours(r, found)
	})
}

// ours says why the task of a row is no longer this run's to work on.
func (p *pulse) ours(r row, found bool) error {
	if !found || r.job != p.job || r.Worker != p.queue.worker || r.State != Running {
		return errLost
	}
	if r.Cancel {
		return errCancelled
	}
	return nil
}

func (p *pulse) write(ctx context.Context) error {
	p.mu.Lock()
	newest, wait, changed := p.newest, p.wait, p.changed
	p.changed = false
	p.mu.Unlock()
	return p.queue.DB.Update(ctx, migrations.Jobs, func(tx *sql.Tx, _ int64) error {
		r, found, err := get(ctx, tx, p.key)
		if err != nil {
			return err
		}
		if err := p.ours(r, found); err != nil {
			return err
		}
		r.Beat = p.queue.now()
		if changed {
			if newest.Done != r.Done || newest.Phase != r.Phase {
				r.lost = 0
			}
			r.Progress, r.WaitUntil = newest, wait
		}
		return put(ctx, tx, r)
	})
}
