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

// beat writes until stop is called. Several writes may fail, as when the
// database is busy, before anybody takes the task for dead.
func (p *pulse) beat(ctx context.Context) {
	defer close(p.over)
	every := time.NewTicker(p.queue.Beat)
	defer every.Stop()
	// Reports are shown sooner than a beat where a person watches the start.
	soon := time.NewTimer(min(p.queue.Beat, 250*time.Millisecond))
	defer soon.Stop()
	for {
		select {
		case <-p.quit:
			return
		case <-soon.C:
		case <-every.C:
		}
		bounded, done := context.WithTimeout(context.WithoutCancel(ctx), p.queue.silent()/2)
		err := p.write(bounded)
		done()
		switch {
		case errors.Is(err, errCancelled), errors.Is(err, errLost):
			p.cancel(err)
		case err != nil:
			p.queue.Logger.Warn("the progress of a job could not be written", "task", p.key.String(), "error", err)
		}
	}
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
		if !found || r.job != p.job || r.Worker != p.queue.worker || r.State != Running {
			return errLost
		}
		if r.Cancel {
			return errCancelled
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
