package metrics

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// Reporter makes reports from a store and keeps them until the store's
// revision changes. It is safe for concurrent use: callers who ask for the
// same report at the same time share one computation.
type Reporter struct {
	store  Store
	flight singleflight.Group

	mu       sync.Mutex
	revision string
	reports  map[string]made // by pilot id, all of one revision
	running  map[string]*Computation
	// taken and computed count reports that were kept already, and those that
	// were not.
	taken, computed uint64
}

// made is a report, or the error there was instead of one.
type made struct {
	report *Report
	err    error
}

var _ Reports = (*Reporter)(nil)

// NewReporter returns a Reporter on s.
func NewReporter(s Store) *Reporter {
	return &Reporter{store: s, reports: map[string]made{}}
}

// Report returns one pilot's report, or an error that wraps [ErrNotFound]. The
// report is shared: callers must not change it.
func (r *Reporter) Report(ctx context.Context, pilot string) (*Report, error) {
	revision, err := r.store.Revision(ctx)
	if err != nil {
		return nil, fmt.Errorf("report %q: read the state of the data: %w", pilot, err)
	}
	if m, ok := r.kept(revision, pilot); ok {
		return m.report, m.err
	}
	// The computation outlives a caller who leaves, because others may be
	// waiting for it and its result is kept.
	ch := r.flight.DoChan(revision+"\x00"+pilot, func() (any, error) {
		defer r.began(pilot)()
		report, err := r.compute(context.WithoutCancel(ctx), pilot)
		if err == nil || isPermanent(err) {
			r.keep(revision, pilot, made{report, err})
		}
		return report, err
	})
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("report %q: %w", pilot, ctx.Err())
	case res := <-ch:
		report, _ := res.Val.(*Report)
		return report, res.Err
	}
}

// kept is the report of a revision, if it was made already.
func (r *Reporter) kept(revision, pilot string) (made, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m, ok := r.reports[pilot]
	if ok = ok && r.revision == revision; !ok {
		r.computed++
		return made{}, false
	}
	r.taken++
	return m, true
}

// Counts says how many reports were kept already when they were asked for, and
// how many were not.
func (r *Reporter) Counts() (kept, computed uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.taken, r.computed
}

// keep remembers a report; what was kept of another revision goes.
func (r *Reporter) keep(revision, pilot string, m made) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.revision != revision {
		r.revision, r.reports = revision, map[string]made{}
	}
	r.reports[pilot] = m
}

// BuildError says why there is nothing to report on, and what to do about the
// definition or the data; its text is for people. It stays the same until one
// of the two changes.
type BuildError struct{ Err error }

// Error is the text alone.
func (e *BuildError) Error() string { return e.Err.Error() }

// Unwrap gives the error of [Build].
func (e *BuildError) Unwrap() error { return e.Err }

func isPermanent(err error) bool {
	_, ok := errors.AsType[*BuildError](err)
	return ok
}

// panicked is a fault of ours that was caught: it says nothing of the data, is
// not kept, and is for the log alone.
type panicked struct{ cause any }

func (e *panicked) Error() string { return fmt.Sprintf("internal error: %v", e.cause) }

// building tells what Build says of the data from a fault of ours.
func building(err error) error {
	if _, fault := errors.AsType[*panicked](err); fault {
		return err
	}
	return &BuildError{err}
}

func (r *Reporter) compute(ctx context.Context, pilot string) (report *Report, err error) {
	// Nobody above could catch a panic here: it would not be in the caller's
	// goroutine.
	defer func() {
		if x := recover(); x != nil {
			report, err = nil, fmt.Errorf("report %q: %w", pilot, &panicked{x})
		}
	}()
	def, err := r.store.Pilot(ctx, pilot)
	if err != nil {
		return nil, fmt.Errorf("read pilot %q: %w", pilot, err)
	}
	data, err := r.data(ctx, def.Pilot)
	if err != nil {
		return nil, err
	}
	data.Measured = func(done, of int) { r.measured(pilot, done, of) }
	report, err = Build(def, data)
	if err != nil {
		return nil, building(err)
	}
	others := comparedOf(def.Pilot, data)
	if err := r.addFelt(ctx, report, others); err != nil {
		return nil, err
	}
	if err := r.addSpent(ctx, report, others); err != nil {
		return nil, err
	}
	return report, nil
}

// data reads what the pilot's level calls for.
func (r *Reporter) data(ctx context.Context, p Pilot) (Data, error) {
	if p.Level == LevelPanel {
		panel, err := r.store.Panel(ctx, p.ID)
		if err != nil {
			return Data{}, fmt.Errorf("read panel of %q: %w", p.ID, err)
		}
		return Data{Panel: panel}, nil
	}
	summary, err := r.store.PullRequestSummary(ctx)
	if err != nil {
		return Data{}, fmt.Errorf("read pull requests of %q: %w", p.ID, err)
	}
	var teams []string
	if len(p.Comparison) > 0 {
		for _, a := range p.Treated {
			teams = append(teams, a.Unit)
		}
		teams = append(teams, p.Comparison...)
		teams = append(teams, "") // those without a team are counted
	}
	read := r.store.PullRequests
	if fast, ok := r.store.(MeasuredPullRequestStore); ok {
		read = fast.MeasuredPullRequests
	}
	use, err := r.useFigures(ctx, p)
	if err != nil {
		return Data{}, err
	}
	return Data{PullRequests: read(ctx, teams, readWindow(p, summary)), Summary: summary, Use: use}, nil
}

// lookBack is how long before its window a pilot's pull requests are read:
// what was opened earlier may be closed inside it. One that lay open for
// longer and was then closed without merge is not seen.
const lookBack = 366 * 24 * time.Hour

// readWindow bounds what is read. The end is left open where the summary does
// not know where the data ends, because then the rows have to tell.
func readWindow(p Pilot, summary PullRequestSummary) Window {
	var w Window
	if !p.Before.From.IsZero() {
		w.From = p.Before.From.Add(-lookBack)
	}
	if !summary.Last.IsZero() {
		w.To = p.After.To
	}
	return w
}

// Summaries returns one summary a pilot, by id. A pilot whose report cannot be
// made has its Error set instead.
func (r *Reporter) Summaries(ctx context.Context) ([]Summary, error) {
	defs, err := r.store.Pilots(ctx)
	if err != nil {
		return nil, fmt.Errorf("list pilots: %w", err)
	}
	out := make([]Summary, 0, len(defs))
	for _, def := range defs {
		one, err := r.summaryOf(ctx, def)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// Summary is that of one pilot, with its Error set where no report can be made.
// The error wraps [ErrNotFound] where there is no such pilot; where ctx ends
// first, the pilot's id and title are there.
func (r *Reporter) Summary(ctx context.Context, pilot string) (Summary, error) {
	def, err := r.store.Pilot(ctx, pilot)
	if err != nil {
		return Summary{ID: pilot}, fmt.Errorf("summarise pilot %q: %w", pilot, err)
	}
	return r.summaryOf(ctx, def)
}

func (r *Reporter) summaryOf(ctx context.Context, def Definition) (Summary, error) {
	report, err := r.Report(ctx, def.Pilot.ID)
	if err == nil {
		return summarise(report), nil
	}
	s := Summary{
		ID: def.Pilot.ID, Title: def.Pilot.Title, Error: forPeople(err), Spark: []*float64{},
		Verdict: Verdict{Reasons: []Reason{}, WouldChange: []string{}},
	}
	if ctx.Err() != nil {
		return s, fmt.Errorf("summarise pilots: %w", ctx.Err())
	}
	return s, nil
}

// forPeople is the text of an error that says what to do about a pilot's data.
// Any other, from a database or a fault of ours, may name what no page and no
// assistant should show; asking for the one report gives it to the log.
func forPeople(err error) string {
	if isPermanent(err) || errors.Is(err, ErrNotFound) {
		return err.Error()
	}
	return "The report could not be made, because of an internal error or of the database; the server's log says more once its page is opened."
}

func summarise(r *Report) Summary {
	p, m := r.Definition.Pilot, r.Metrics[0]
	s := Summary{
		ID: p.ID, Title: p.Title, Subject: p.Subject, MadeUp: p.madeUp(), Verdict: r.Verdict,
		Primary: m.Outcome.Title, Better: m.Outcome.Better, Headline: m.Headline,
		Counter: counterNote(r.Metrics), Design: r.Design, UnitNoun: p.UnitNoun, Through: r.Design.Through, Disagree: m.Disagree, Spark: []*float64{},
	}
	if r.Import != nil {
		s.ImportedAt = r.Import.At
	}
	if m.Trend == nil {
		return s
	}
	for _, pt := range m.Trend.Points {
		var gap *float64
		if pt.Pilot != nil && pt.Comparison != nil {
			gap = finitePtr(*pt.Pilot - *pt.Comparison)
		}
		s.Spark = append(s.Spark, gap)
	}
	return s
}

func (p Pilot) madeUp() bool {
	for _, s := range p.Sources {
		if s.MadeUp {
			return true
		}
	}
	return false
}

// counterNote is the counter-metric that looks worst: one that clearly got
// worse before one that may have.
func counterNote(metrics []MetricReport) *CounterNote {
	var note *CounterNote
	for _, m := range metrics {
		if m.Outcome.Role != RoleCounter {
			continue
		}
		worse := counterWorse(m)
		if note != nil && !worse {
			continue
		}
		note = &CounterNote{Title: upperFirst(m.Outcome.Title), Text: upperFirst(story(m)) + "."}
		if worse {
			return note
		}
	}
	return note
}
