package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics/jobs"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// patience bounds every wait of a test: generous, as the machine may be busy.
const patience = 2 * time.Minute

// open makes a queue whose processes are quick to be taken for dead.
func open(t *testing.T, db *migrations.DB, o jobs.Options) *jobs.Queue {
	t.Helper()
	o.DB = db
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Beat == 0 {
		o.Beat = 50 * time.Millisecond
	}
	q, err := jobs.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	return q
}

// work runs a queue until the test, or stop, ends it.
func work(t *testing.T, q *jobs.Queue, regular bool) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx, regular) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// ask asks and fails the test where that is refused.
func ask(t *testing.T, q *jobs.Queue, keys ...jobs.Key) {
	t.Helper()
	if err := q.Ask(t.Context(), keys...); err != nil {
		t.Fatal(err)
	}
}

// until waits for a task that satisfies ok.
func until(t *testing.T, q *jobs.Queue, k jobs.Key, ok func(jobs.Task) bool) jobs.Task {
	t.Helper()
	var last jobs.Task
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		all, err := q.Tasks(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(all, func(task jobs.Task) bool { return task.Key == k })
		if i < 0 {
			continue
		}
		if last = all[i]; ok(last) {
			return last
		}
	}
	t.Fatalf("%s is still %+v", k, last)
	return last
}

func in(s jobs.State) func(jobs.Task) bool {
	return func(task jobs.Task) bool { return task.State == s }
}

var acme = jobs.Key{Kind: jobs.Update, Subject: "acme/payments"}

func TestWorksWhatIsAskedFor(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		var ended atomic.Int32
		q := open(t, db, jobs.Options{
			Work: map[jobs.Kind]jobs.Work{jobs.Update: func(_ context.Context, k jobs.Key, report func(jobs.Progress)) error {
				report(jobs.Progress{Phase: "pull requests", Done: 3, Total: 3, Requests: 2, Points: 5, Skipped: 1, Note: k.Subject})
				return nil
			}},
			Ended: func(jobs.Key, jobs.State, time.Duration) { ended.Add(1) },
		})
		// Twice is once, while it waits.
		ask(t, q, acme)
		ask(t, q, acme)
		work(t, q, false)
		got := until(t, q, acme, in(jobs.Done))
		want := jobs.Progress{Phase: "pull requests", Done: 3, Total: 3, Requests: 2, Points: 5, Skipped: 1, Note: "acme/payments"}
		if diff := cmp.Diff(want, got.Progress); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if got.Succeeded.IsZero() || got.Finished.Before(got.Started) || got.Error != "" {
			t.Errorf("it ended as %+v", got)
		}
		if n := ended.Load(); n != 1 {
			t.Errorf("it ran %d times", n)
		}
		counts, err := q.Counts(t.Context())
		if diff := cmp.Diff([]jobs.Count{{Kind: jobs.Update, State: jobs.Done, Tasks: 1}}, counts); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
		if err := q.Ready(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestAgain holds that a task that is asked for while it runs runs once more,
// and no more than that.
func TestAgain(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		var runs atomic.Int32
		began, goOn := make(chan bool, 9), make(chan bool, 9)
		q := open(t, db, jobs.Options{Work: map[jobs.Kind]jobs.Work{jobs.Update: func(context.Context, jobs.Key, func(jobs.Progress)) error {
			runs.Add(1)
			began <- true
			<-goOn
			return nil
		}}})
		work(t, q, false)
		ask(t, q, acme)
		<-began
		ask(t, q, acme)
		ask(t, q, acme)
		goOn <- true
		<-began
		goOn <- true
		until(t, q, acme, in(jobs.Done))
		if n := runs.Load(); n != 2 {
			t.Errorf("it ran %d times", n)
		}
	})
}

// TestOneAtATime holds that what reads through one repository never overlaps,
// that work on another one is not held up by it, and single pull requests are
// not either.
func TestOneAtATime(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		var running, most atomic.Int32
		through := func(context.Context, jobs.Key, func(jobs.Progress)) error {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(300 * time.Millisecond)
			running.Add(-1)
			return nil
		}
		meanwhile := make(chan int32, 2)
		beside := func(context.Context, jobs.Key, func(jobs.Progress)) error { meanwhile <- running.Load(); return nil }
		q := open(t, db, jobs.Options{Workers: 8, Beat: 20 * time.Millisecond, Work: map[jobs.Kind]jobs.Work{
			jobs.Backfill: through, jobs.Update: through, jobs.Reconcile: through, jobs.Refetch: beside, jobs.Teams: beside,
		}})
		var keys []jobs.Key
		for _, kind := range []jobs.Kind{jobs.Backfill, jobs.Update, jobs.Reconcile} {
			keys = append(keys, jobs.Key{Kind: kind, Subject: "acme/payments"})
		}
		keys = append(keys, jobs.Key{Kind: jobs.Refetch, Subject: "acme/payments", Item: "7"}, jobs.Key{Kind: jobs.Teams, Subject: "acme/payments"})
		ask(t, q, keys...)
		work(t, q, false)
		for _, k := range keys {
			until(t, q, k, in(jobs.Done))
		}
		if most.Load() != 1 {
			t.Errorf("%d ran at once on one repository", most.Load())
		}
		t.Logf("beside them ran, while that many did: %d, %d", <-meanwhile, <-meanwhile)
	})
}

func TestFailures(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		var tries atomic.Int32
		q := open(t, db, jobs.Options{Work: map[jobs.Kind]jobs.Work{
			jobs.Update: func(context.Context, jobs.Key, func(jobs.Progress)) error {
				tries.Add(1)
				return errors.New("the network is down")
			},
			jobs.Backfill: func(context.Context, jobs.Key, func(jobs.Progress)) error {
				return jobs.Permanent(errors.New("no such repository"))
			},
			jobs.Reconcile: func(context.Context, jobs.Key, func(jobs.Progress)) error { panic("out of range") },
		}})
		ask(t, q, acme,
			jobs.Key{Kind: jobs.Backfill, Subject: "acme/gone"}, jobs.Key{Kind: jobs.Reconcile, Subject: "acme/odd"},
			jobs.Key{Kind: jobs.Teams, Subject: "acme"})
		work(t, q, false)
		waits := until(t, q, acme, func(task jobs.Task) bool { return task.State == jobs.Waiting && task.Attempt == 1 })
		if waits.Error != "the network is down" || !waits.Next.After(waits.Started) {
			t.Errorf("it waits as %+v", waits)
		}
		for kind, want := range map[jobs.Kind]string{
			jobs.Backfill:  "no such repository",
			jobs.Reconcile: "internal error: out of range",
			jobs.Teams:     `this process cannot do "teams acme": its settings name no source for it`,
		} {
			subject := map[jobs.Kind]string{jobs.Backfill: "acme/gone", jobs.Reconcile: "acme/odd", jobs.Teams: "acme"}[kind]
			if got := until(t, q, jobs.Key{Kind: kind, Subject: subject}, in(jobs.Failed)); got.Error != want {
				t.Errorf("%s: %q", kind, got.Error)
			}
		}
		// Asking does not wait for the next try.
		ask(t, q, acme)
		until(t, q, acme, func(task jobs.Task) bool { return tries.Load() >= 2 && task.Attempt == 1 })
	})
}

func TestCancel(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		var began atomic.Bool
		q := open(t, db, jobs.Options{Work: map[jobs.Kind]jobs.Work{jobs.Update: func(ctx context.Context, _ jobs.Key, _ func(jobs.Progress)) error {
			began.Store(true)
			<-ctx.Done()
			return ctx.Err()
		}}})
		// One that waits ends at once, and its job does nothing afterwards.
		ask(t, q, acme)
		if got, err := q.Cancel(t.Context(), "acme/payments"); err != nil || !slices.Equal(got, []jobs.Key{acme}) {
			t.Errorf("%v, %v", got, err)
		}
		until(t, q, acme, in(jobs.Cancelled))
		running := jobs.Key{Kind: jobs.Update, Subject: "acme/web"}
		ask(t, q, running)
		work(t, q, false)
		until(t, q, running, in(jobs.Running))
		if got, err := q.Cancel(t.Context(), "acme/web"); err != nil || !slices.Equal(got, []jobs.Key{running}) {
			t.Errorf("%v, %v", got, err)
		}
		until(t, q, running, in(jobs.Cancelled))
		if got, err := q.Cancel(t.Context(), "acme/nothing"); err != nil || len(got) != 0 {
			t.Errorf("%v, %v", got, err)
		}
		if got := until(t, q, acme, in(jobs.Cancelled)); !got.Started.IsZero() {
			t.Errorf("it ran after it was cancelled: %+v", got)
		}
	})
}

// TestHandsBack holds that a process that ends in an orderly way gives its task
// to another one at once, without counting a failure.
func TestHandsBack(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		var second atomic.Bool
		work1 := map[jobs.Kind]jobs.Work{jobs.Update: func(ctx context.Context, _ jobs.Key, _ func(jobs.Progress)) error {
			if second.Load() {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		}}
		q := open(t, db, jobs.Options{Work: work1})
		ask(t, q, acme)
		stop := work(t, q, false)
		until(t, q, acme, in(jobs.Running))
		stop()
		if got := until(t, q, acme, in(jobs.Waiting)); got.Attempt != 0 || got.Error != "" {
			t.Errorf("it was handed back as %+v", got)
		}
		second.Store(true)
		work(t, open(t, db, jobs.Options{Work: work1}), false)
		until(t, q, acme, in(jobs.Done))
	})
}

// TestSlices holds that a long task gives way and goes on afterwards.
func TestSlices(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		var slices atomic.Int32
		q := open(t, db, jobs.Options{Slice: 100 * time.Millisecond, Work: map[jobs.Kind]jobs.Work{jobs.Backfill: func(ctx context.Context, _ jobs.Key, _ func(jobs.Progress)) error {
			if slices.Add(1) == 3 {
				return nil
			}
			<-ctx.Done()
			return fmt.Errorf("read a page: %w", ctx.Err())
		}}})
		long := jobs.Key{Kind: jobs.Backfill, Subject: "acme/payments"}
		ask(t, q, long)
		work(t, q, false)
		if got := until(t, q, long, in(jobs.Done)); got.Attempt != 0 || slices.Load() != 3 {
			t.Errorf("after %d slices: %+v", slices.Load(), got)
		}
	})
}

// TestAskRepositories holds that a repository that was never read is read from
// its beginning, where that does not hold up what is quick.
func TestAskRepositories(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		done := func(context.Context, jobs.Key, func(jobs.Progress)) error { return nil }
		q := open(t, db, jobs.Options{Work: map[jobs.Kind]jobs.Work{jobs.Backfill: done, jobs.Update: done}})
		work(t, q, false)
		for _, kind := range []jobs.Kind{jobs.Backfill, jobs.Update} {
			if err := q.AskRepositories(t.Context(), []string{"acme/payments"}); err != nil {
				t.Fatal(err)
			}
			until(t, q, jobs.Key{Kind: kind, Subject: "acme/payments"}, in(jobs.Done))
		}
	})
}

func TestDeliver(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		q := open(t, db, jobs.Options{})
		for i, want := range []bool{true, false} {
			fresh, err := q.Deliver(t.Context(), "72d3162e-cc78-11e3-81ab-4c9367dc0958", acme)
			if err != nil || fresh != want {
				t.Errorf("delivery %d: fresh %v, %v", i+1, fresh, err)
			}
		}
		until(t, q, acme, in(jobs.Waiting))
		if _, err := q.Deliver(t.Context(), "a\x00b"); err == nil {
			t.Error("a delivery whose id no database keeps was taken")
		}
	})
}

// TestPlan holds that what is due is asked for, once, without anybody asking.
func TestPlan(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		var mu sync.Mutex
		ran := map[string]int{}
		note := func(_ context.Context, k jobs.Key, _ func(jobs.Progress)) error {
			mu.Lock()
			defer mu.Unlock()
			ran[k.String()]++
			return nil
		}
		o := jobs.Options{
			Work: map[jobs.Kind]jobs.Work{jobs.Backfill: note, jobs.Update: note, jobs.Reconcile: note, jobs.Teams: note, jobs.Repositories: note, jobs.Exposure: note},
			Plan: func(context.Context) (jobs.Plan, error) {
				return jobs.Plan{Repositories: []string{"acme/payments"}, Organisations: []string{"acme"}, TeamsOf: []string{"acme"}, ExposureOf: []string{"acme"}, Every: time.Hour, ReconcileHour: 3}, nil
			},
		}
		q := open(t, db, o)
		// A repository that the organisation once had is kept current with it.
		ask(t, q, jobs.Key{Kind: jobs.Update, Subject: "Acme/web"})
		work(t, q, true)
		work(t, open(t, db, o), true)
		for _, k := range []jobs.Key{
			{Kind: jobs.Reconcile, Subject: "acme/payments"},
			{Kind: jobs.Reconcile, Subject: "Acme/web"},
			{Kind: jobs.Teams, Subject: "acme"},
			{Kind: jobs.Repositories, Subject: "acme"},
			{Kind: jobs.Exposure, Subject: "acme"},
		} {
			until(t, q, k, in(jobs.Done))
		}
		time.Sleep(500 * time.Millisecond) // several more rounds
		mu.Lock()
		defer mu.Unlock()
		want := map[string]int{
			"backfill acme/payments": 1, "update acme/payments": 1, "update Acme/web": 1, "reconcile acme/payments": 1, "reconcile Acme/web": 1,
			"teams acme": 1, "repositories acme": 1, "exposure acme": 1,
		}
		if diff := cmp.Diff(want, ran); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
