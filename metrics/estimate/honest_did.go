package estimate

import (
	"fmt"

	"steelyard/metrics/did"
)

var honestDiD = method{
	name:  "honest-did",
	takes: []string{"covariates", "weights", "cluster", "control", "estimator", "horizons", "anticipation", "repeated-cross-sections"},
	run:   runHonestDiD,
}

// bounds are the values M̄ that are tried.
var bounds = []float64{0.5, 1, 1.5, 2}

// runHonestDiD bounds the effect in the first period from the start on, and
// the mean effect.
func runHonestDiD(t *task) error {
	in, err := t.trends()
	if err != nil {
		return err
	}
	after := len(in.Beta) - in.Before
	first := make([]float64, after)
	first[0] = 1
	mean := make([]float64, after)
	for k := range mean {
		mean[k] = 1 / float64(after)
	}
	if err := t.honest("average", in, mean); err != nil || after == 1 {
		return err
	}
	return t.honest("first", in, first)
}

func (t *task) honest(name string, in did.HonestInput, weights []float64) error {
	r, err := did.RelativeMagnitudes(in, did.HonestOptions{Weights: weights, Bounds: bounds})
	if err != nil {
		return err
	}
	side := name != "average"
	t.result(name+":parallel", r.Original, side)
	for _, i := range r.Intervals {
		term := fmt.Sprintf("%s:M=%g", name, i.Bound)
		if i.Empty {
			t.addMissing(term, "every value is rejected: the data contradict the bound", side)
			continue
		}
		out := Result{Term: term, side: side}
		out.between(interval{i.Low, i.High, i.LowOpen, i.HighOpen})
		t.a.Results = append(t.a.Results, out)
	}
	b, err := did.BreakdownMagnitude(in, did.HonestOptions{Weights: weights})
	if err != nil {
		return err
	}
	term := name + ":breakdown"
	switch {
	case !b.Significant:
		t.addMissing(term, "even with parallel trends the interval holds 0", side)
		return nil
	case b.Beyond:
		t.warn("%s: the interval excludes 0 at the largest value tried, %g", term, b.Bound)
	}
	t.a.Results = append(t.a.Results, Result{Term: term, Estimate: number(b.Bound), side: side})
	return nil
}

// trends is the event study whose trends are bounded: of one treated unit, or
// of the group-time effects.
func (t *task) trends() (did.HonestInput, error) {
	if treated, err := t.d.treatedUnits(); err != nil {
		return did.HonestInput{}, err
	} else if treated == 1 {
		return t.unitTrends()
	}
	g, err := t.groupTime(did.Universal)
	if err != nil {
		return did.HonestInput{}, err
	}
	t.dropped(g.Dropped)
	t.warnAll(g.Warnings)
	h, err := t.connected(g)
	if err != nil {
		return did.HonestInput{}, err
	}
	if err := t.boundEvents(h); err != nil {
		return did.HonestInput{}, err
	}
	t.took("horizons", h.String())
	return g.HonestInput(h.First, h.Last)
}

const (
	// mostEvents is how many events are taken where no horizons say which: the
	// time that bounds take grows with their third power, and this many need
	// seconds.
	mostEvents = 41
	// mostAskedEvents is how many horizons may ask for.
	mostAskedEvents = 101
)

// boundEvents refuses more events than bounds can be computed for while
// somebody waits.
func (t *task) boundEvents(h Horizons) error {
	n, limit := h.Last-h.First+1, mostEvents
	if t.o.Horizons != nil {
		limit = mostAskedEvents
	}
	if n <= limit {
		return nil
	}
	return refuse(ErrOption, fmt.Sprintf("say which events with --horizons A:B, %d at most, or count in longer periods", mostAskedEvents),
		"bounds over the %d events %s take too long: %d are the most", n, h, limit)
}

// treatedUnits counts the units that start inside the panel.
func (d *Data) treatedUnits() (int, error) {
	periods := d.periods()
	n := 0
	for u, has := range d.withRows() {
		if g := d.panel.First[u]; has && g > periods[0] && g <= periods[len(periods)-1] {
			n++
		}
	}
	if n == 0 {
		return 0, &did.Error{Code: did.ErrNoTreated, Detail: "no unit starts inside the panel's periods"}
	}
	return n, nil
}

// connected are the events around the start that all have an estimate, inside
// the horizons where some were given.
func (t *task) connected(g *did.GroupTime) (Horizons, error) {
	r, err := dynamic(g, nil)
	if err != nil {
		return Horizons{}, whyNone(g, err)
	}
	// The reference and what stands for no effect have no standard error.
	has := map[int]bool{}
	for _, p := range r.Points {
		has[p.Event] = p.Missing == "" && (p.Reference || p.Estimate.HasSE)
	}
	h := Horizons{0, -1}
	for has[h.First-1] && (t.o.Horizons == nil || h.First > t.o.Horizons.First) {
		h.First--
	}
	for has[h.Last+1] && (t.o.Horizons == nil || h.Last < t.o.Horizons.Last) {
		h.Last++
	}
	if h.First > -2 || h.Last < 0 {
		return h, &did.Error{Code: did.ErrTooFewPeriods, Detail: "bounds on trends need effects in two periods before the start and in one from it on"}
	}
	return h, nil
}

// unitTrends is the event study of one treated unit in blocks of time: at most
// half as many as there are comparison units, whose changes give the
// covariance, widened as a report widens it.
func (t *task) unitTrends() (did.HonestInput, error) {
	if err := t.unitOptions(); err != nil {
		return did.HonestInput{}, err
	}
	s, err := t.oneStart(true)
	if err != nil {
		return did.HonestInput{}, err
	}
	cut, err := did.CutTime(s.Before, len(s.Periods)-s.Before, len(s.Comparisons))
	if err != nil {
		return did.HonestInput{}, err
	}
	if cut.Length > 1 {
		t.warn("time is cut into blocks of %d periods, %d before the start and %d from it on", cut.Length, cut.Before, cut.After)
	}
	comparisons := make([][]float64, len(s.Comparisons))
	for i, y := range s.Comparisons {
		comparisons[i] = cut.Means(y, s.Before)
	}
	in, err := did.UnitStudy(cut.Means(s.Treated, s.Before), comparisons, cut.Before)
	if err != nil {
		return did.HonestInput{}, err
	}
	return in.Widened(len(comparisons)-1, 0)
}

// unitOptions refuses what only group-time effects take.
func (t *task) unitOptions() error {
	for _, option := range append(t.d.columnSet(), t.o.given()...) {
		return refuse(ErrOption, "leave it out", "with one treated unit it does not take --%s", option)
	}
	return nil
}
