package jobs

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"steelyard/migrations"
)

// The times that a [Queue] keeps where its options name no others.
const (
	defaultBeat  = 5 * time.Second
	defaultSlice = 20 * time.Minute
	// silentBeats is how many beats a process may miss before it counts as
	// dead.
	silentBeats = 8
	// defaultWorkers is how many tasks run at once: GitHub's limits, not this
	// machine, are what bounds them.
	defaultWorkers = 4
)

// Options says what a [Queue] works with.
type Options struct {
	DB *migrations.DB
	// Work does the tasks, by kind. A kind that is not in it is left to other
	// processes; nil makes a queue that only asks and watches.
	Work map[Kind]Work
	// Plan says what is due regularly; nil: nothing is.
	Plan func(ctx context.Context) (Plan, error)
	// Workers is how many tasks run at once, and half as many that take long;
	// 0 is four.
	Workers int
	// Clock tells the time.
	Clock func() time.Time
	// Logger gets what the queue has to say; nil discards it.
	Logger *slog.Logger
	// Beat is how often a running task says that its process lives; 0 is five
	// seconds. A process that misses eight beats counts as dead.
	Beat time.Duration
	// Slice is the longest that a task runs before others get their turn; 0 is
	// twenty minutes.
	Slice time.Duration
	// Ended, if set, hears of each run of a task that ended, and how long it
	// took.
	Ended func(k Key, s State, took time.Duration)
}

// Queue asks for tasks, works them and watches them. It is safe for use by
// several goroutines and processes.
type Queue struct {
	Options
	worker  string // this process in the rows
	machine string
	driver  driver
	asking  *river.Client[*sql.Tx] // inserts; works nothing
}

// Open prepares a queue in a database that [migrations.Open] opened: it brings
// the queue's own tables up to date. Close lets go of what it holds; the
// database stays open.
func Open(ctx context.Context, o Options) (*Queue, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Beat <= 0 {
		o.Beat = defaultBeat
	}
	if o.Slice <= 0 {
		o.Slice = defaultSlice
	}
	if o.Workers <= 0 {
		o.Workers = defaultWorkers
	}
	q := &Queue{Options: o, machine: machine()}
	q.worker = fmt.Sprintf("%s/%d/%s", q.machine, processID(), rand.Text()[:8])
	var err error
	if q.driver, err = openDriver(ctx, o.DB); err != nil {
		return nil, fmt.Errorf("open the job queue: %w", err)
	}
	if q.asking, err = river.NewClient(q.driver.Driver, &river.Config{Logger: riverLogger(o.Logger)}); err != nil {
		return nil, errors.Join(fmt.Errorf("open the job queue: %w", err), q.Close())
	}
	return q, nil
}

// Close lets go of the connections that listen.
func (q *Queue) Close() error {
	q.driver.close()
	return nil
}

// silent is how long ago a living process has beaten at the latest.
func (q *Queue) silent() time.Duration { return silentBeats * q.Beat }

// now is the time as rows keep it.
func (q *Queue) now() time.Time { return q.Clock().UTC().Truncate(time.Millisecond) }

// riverLogger passes on River's errors. It warns of each job that failed, which
// the job's row says better.
func riverLogger(l *slog.Logger) *slog.Logger {
	return slog.New(&atLeast{l.Handler(), slog.LevelError})
}

type atLeast struct {
	slog.Handler
	least slog.Level
}

func (h *atLeast) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= h.least && h.Handler.Enabled(ctx, l)
}

func (h *atLeast) WithAttrs(a []slog.Attr) slog.Handler {
	return &atLeast{h.Handler.WithAttrs(a), h.least}
}

func (h *atLeast) WithGroup(name string) slog.Handler {
	return &atLeast{h.Handler.WithGroup(name), h.least}
}
