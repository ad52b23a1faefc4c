package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"
)

// Bounds of an orderly end: how long running tasks may take to notice it, and
// how long they may take to hand back what they hold.
const (
	softStop = 3 * time.Second
	hardStop = 15 * time.Second
)

// Run works tasks until ctx ends; then it hands back what runs and returns nil.
// regular says whether it also looks up what is due ([Options.Plan]). Several
// processes may run at once.
func (q *Queue) Run(ctx context.Context, regular bool) error {
	if len(q.Work) == 0 {
		return errors.New("work jobs: there is nothing that could do them")
	}
	client, err := q.client()
	if err != nil {
		return fmt.Errorf("work jobs: %w", err)
	}
	// River's own context outlives ours, so that the end is an orderly one.
	life, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	if err := client.Start(life); err != nil {
		return fmt.Errorf("work jobs: %w", err)
	}
	rounds := make(chan struct{})
	go func() {
		defer close(rounds)
		q.rounds(ctx, regular)
	}()
	<-ctx.Done()
	<-rounds
	return q.stop(life, client)
}

type stopper interface {
	Stop(context.Context) error
	StopAndCancel(context.Context) error
}

func (q *Queue) stop(life context.Context, client stopper) error {
	soft, done := context.WithTimeout(life, softStop)
	err := client.Stop(soft)
	done()
	if err == nil {
		return nil
	}
	hard, done := context.WithTimeout(life, hardStop)
	defer done()
	if err := client.StopAndCancel(hard); err != nil {
		return fmt.Errorf("stop the jobs: some did not end within %s; another process will take them over: %w", hardStop, err)
	}
	return nil
}

func (q *Queue) client() (interface {
	stopper
	Start(context.Context) error
}, error,
) {
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{queue: q})
	return river.NewClient(q.driver.Driver, &river.Config{
		Logger:  riverLogger(q.Logger),
		Workers: workers,
		Queues: map[string]river.QueueConfig{
			queueShort: {MaxWorkers: q.Workers}, queueLong: {MaxWorkers: max(1, q.Workers/2)},
		},
		JobTimeout:        q.Slice,
		FetchPollInterval: time.Second,
		// Behind our own looking for silent processes, which is much quicker.
		RescueStuckJobsAfter: q.Slice + 2*softStop + hardStop + time.Minute,
	})
}

// rounds looks every few beats for tasks of processes that died, and for what
// is due. A fault is logged and tried again with the next round.
func (q *Queue) rounds(ctx context.Context, regular bool) {
	every := time.NewTicker(2 * q.Beat)
	defer every.Stop()
	var swept time.Time
	for {
		err := q.takeOver(ctx)
		if regular && err == nil {
			err = q.askDue(ctx)
		}
		if regular && err == nil && q.now().Sub(swept) > time.Hour {
			swept, err = q.now(), q.sweep(ctx)
		}
		if err != nil && ctx.Err() == nil {
			q.Logger.Warn("the round of the job queue failed and is tried again", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
	}
}
