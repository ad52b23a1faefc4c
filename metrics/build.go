package metrics

import (
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"steelyard/metrics/did"
)

// Data is what a report is built from: a panel, or pull requests, by the
// pilot's level.
type Data struct {
	Panel *Panel
	// PullRequests are those of the teams compared, or of every team where the
	// definition names no comparison. They are read once.
	PullRequests iter.Seq2[PullRequest, error]
	// Summary counts what is stored and says when it was imported.
	Summary PullRequestSummary
	// Use is what GitHub says of the use of assistants before and after the
	// first start; nil where it is not known.
	Use *UseFigures
	// Measured is told how many of how many outcomes are measured, by several
	// goroutines; nil: nobody asks.
	Measured func(done, of int)
}

// Build computes a pilot's report from its data. It is pure: the same
// definition and data give the same report. What cannot be estimated is said
// in the report; an error means that there is nothing to report on, and says
// what to do.
func Build(def Definition, data Data) (*Report, error) {
	p := def.Pilot
	if p.SmallestEffect == 0 {
		p.SmallestEffect = DefaultSmallestEffect
	}
	f, outcomes, imported, err := lay(p, data)
	if err != nil {
		return nil, err
	}
	r := &Report{
		Version: ReportVersion, Definition: def, Import: imported,
		Seed: p.Seed, Command: "steelyard report " + p.ID,
	}
	if r.Metrics, err = measureAll(f, outcomes, data.Measured); err != nil {
		return nil, fmt.Errorf("measure %q: %w", p.ID, err)
	}
	adjust(r.Metrics)
	r.Design = designOf(f, r.Metrics)
	r.LeftOut = mergeLeftOut(f.leftOut)
	r.Health = health(def, f)
	r.Exposure, r.Use = f.exposure, f.use(data.Use)
	r.Verdict = Decide(Evidence{
		Pilot: p, Design: r.Design, Metrics: r.Metrics, Problem: f.problem,
		NotOver: f.notOver, Incomplete: f.incomplete, Changed: changedAfterStart(def), Retrospective: definedAfterStart(def, f), Baseline: baseline(f, outcomes[0]),
		Assisted: r.Use.contaminated(f.exposure.contaminated()),
	})
	r.Facts = facts(def, f, r)
	r.Computed = computed(def, f, r)
	return r, nil
}

// lay puts the data on a frame.
func lay(p Pilot, data Data) (*frame, []*outcomeData, *Import, error) {
	switch p.Level {
	case LevelPanel:
		f, outcomes, err := framePanel(p, data.Panel)
		if err != nil {
			return nil, nil, nil, err
		}
		return f, outcomes, &data.Panel.Import, nil
	case LevelPullRequests:
		if data.PullRequests == nil {
			return nil, nil, nil, fmt.Errorf("measure %q: no pull requests given", p.ID)
		}
		pulls, err := readPulls(p, data.PullRequests, data.Summary.Last)
		if err != nil {
			return nil, nil, nil, err
		}
		f, outcomes, err := framePulls(p, pulls, data.Summary)
		if err != nil {
			return nil, nil, nil, err
		}
		var imported *Import
		if len(data.Summary.Imports) > 0 {
			imported = &data.Summary.Imports[0]
		}
		return f, outcomes, imported, nil
	}
	return nil, nil, nil, fmt.Errorf("measure %q: level %q is not known", p.ID, p.Level)
}

// measureAll reports every outcome, in the pilot's order, as many at once as
// there are processors. A panic in one of them is an error of the report and
// not the end of the process that serves it.
func measureAll(f *frame, outcomes []*outcomeData, measured func(done, of int)) ([]MetricReport, error) {
	var done atomic.Int64
	tell := func(n int64) {
		if measured != nil {
			measured(int(n), len(outcomes))
		}
	}
	tell(0)
	out := make([]MetricReport, len(outcomes))
	errs := make([]error, len(outcomes))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, d := range outcomes {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			defer func() {
				if x := recover(); x != nil {
					errs[i] = fmt.Errorf("outcome %q: %w", d.outcome.ID, &panicked{x})
				}
			}()
			out[i] = measure(f, d)
			tell(done.Add(1))
		})
	}
	wg.Wait()
	return out, errors.Join(errs...)
}

// measure reports one outcome by the method that the design chooses.
func measure(f *frame, d *outcomeData) MetricReport {
	m := MetricReport{Outcome: d.outcome, Measure: d.measure, Sample: d.sample, ChangeUnit: UnitPercent, early: f.notOver != ""}
	if m.Outcome.Title == "" {
		m.Outcome.Title = m.Outcome.ID
	}
	m.Sample.TreatedUnits, m.Sample.ComparisonUnits = len(f.treated), len(f.comparison)
	switch {
	case f.problem != nil:
		m.refused = true
		m.refuse(f, f.problem, d.counts != nil)
	case d.unmeasured != "":
		m.unmeasured = true
		m.refuse(f, &Reason{Text: d.unmeasured}, d.counts != nil)
	case f.kind == DesignStaggered:
		m.measureStaggered(f, d)
	case d.counts != nil:
		m.measureCounts(f, d)
	default:
		m.measureOneStart(f, d)
	}
	m.Sample.LeftOut = mergeLeftOut(m.Sample.LeftOut)
	m.Disagree = disagree(m)
	m.sayDetectable(f)
	m.sayBreakdown(f)
	m.Spread = f.spread(d)
	if m.EventStudy != nil {
		m.EventStudy.Finding = m.EventStudy.finding(m)
	}
	m.Finding = finding(m)
	m.Against = append(against(f, m), d.caveats...)
	return m
}

// refuse fills a metric that has no numbers.
func (m *MetricReport) refuse(f *frame, why *Reason, counts bool) {
	m.Headline = missing(methodCrossFit, titleCrossFit, UnitPoints, why.Text)
	if counts {
		m.Headline = missing(methodExact, titleExact, UnitRatio, why.Text)
	}
	m.Pilot = Change{Label: f.side(), Missing: why.Text, ValueText: dash}
	m.Comparison = Change{Label: "comparison", Missing: why.Text, ValueText: dash}
	m.PreTrend = Test{Title: "Pre-trend", Missing: "there is no estimate"}.say()
	m.Others = []Effect{}
}

// disagree reports whether an admissible method's interval lies entirely on
// the side of no change opposite to the headline estimate. The headline's own
// can: the cross-fit interval rests on the last periods before the start, the
// estimate on all of them.
func disagree(m MetricReport) bool {
	return opposes(m.Headline, m.Headline) ||
		slices.ContainsFunc(m.Others, func(o Effect) bool { return opposes(o, m.Headline) })
}

func opposes(o, headline Effect) bool {
	if !o.Admissible || headline.Estimate == nil || !o.ExcludesNoChange() {
		return false
	}
	n, h := o.Unit.NoChange(), *headline.Estimate-headline.Unit.NoChange()
	return o.Low != nil && *o.Low > n && h < 0 || o.High != nil && *o.High < n && h > 0
}

// sayDetectable finds the smallest effect this design would have seen in 8
// cases of 10.
func (m *MetricReport) sayDetectable(f *frame) {
	if m.Detectable == nil {
		if x, ok := detectable(m.Headline.SE, m.Headline.DF); ok && m.Headline.Unit != UnitRatio && m.Headline.Method != methodTwoByTwo {
			if m.Headline.Unit == UnitPercent {
				x = asPercent(x)
			}
			m.Detectable = finitePtr(x)
		}
	}
	if m.Detectable == nil {
		if m.Headline.Estimate == nil && m.Headline.Low == nil && m.Headline.High == nil {
			m.DetectableText = "Without an estimate it cannot be said how large an effect could have been seen."
			return
		}
		m.DetectableText = "How large an effect this design could have seen cannot be said, because it has no standard error."
		return
	}
	size := magnitude(m.Headline.in(*m.Detectable, m.Outcome.Unit))
	about := ""
	if m.Headline.Unit == UnitRatio {
		about = "about "
	}
	m.DetectableText = fmt.Sprintf("%s would have seen %s%s or more in 8 cases out of 10.", f.size(m.Sample), about, size)
	if u := m.Headline.Unit; (u == UnitPoints || u == UnitPercent) && *m.Detectable >= 100 {
		m.DetectableText += fmt.Sprintf(" No fall can be that large, so it would only have noticed %s %s against the comparison.",
			lowerTitle(m.Outcome.Title), growth(1+*m.Detectable/100))
	}
}

// growth names an increase to at least x times, x ≥ 2.
func growth(x float64) string {
	switch {
	case x < 3:
		return "more than doubling"
	case x < 4:
		return "more than tripling"
	case x < 5:
		return "more than quadrupling"
	}
	return fmt.Sprintf("growing more than %s-fold", FormatCount(int(x)))
}

// size says how large the design is: "1 pilot team and 12 weeks after the
// start".
func (f *frame) size(s Sample) string {
	if f.kind == DesignStaggered {
		return fmt.Sprintf("%s against %s", counted(s.TreatedUnits, f.pilot.UnitNoun), FormatCount(s.ComparisonUnits))
	}
	pilot := counted(s.TreatedUnits, "pilot "+f.pilot.UnitNoun)
	if s.TreatedUnits == 1 {
		pilot = "One pilot " + f.pilot.UnitNoun
	}
	return fmt.Sprintf("%s and %s after the start", pilot, counted(len(f.after), f.pilot.PeriodNoun))
}

// adjust gives every metric but the primary one its p-value by Holm's method
// over all of them.
func adjust(metrics []MetricReport) {
	var ps []float64
	var at []int
	for i := 1; i < len(metrics); i++ {
		if p := metrics[i].Headline.P; p != nil {
			ps, at = append(ps, *p), append(at, i)
		}
	}
	for k, p := range did.Holm(ps) {
		metrics[at[k]].HolmP = finitePtr(p)
	}
}

// baseline is the size of the primary outcome before the start, which a
// smallest effect given as a share is a share of; nil where it is not needed
// or not known.
func baseline(f *frame, d *outcomeData) *float64 {
	if f.problem != nil || d.logPoints && f.kind == DesignStaggered {
		return nil
	}
	if f.kind != DesignStaggered {
		return d.sideValue(f.treated, d.over(f.before))
	}
	var xs []float64
	for _, u := range f.treated {
		for _, t := range d.over(f.kept) {
			if x, ok := d.series.point(u, t); ok && t < f.units[u].first {
				xs = append(xs, x)
			}
		}
	}
	if len(xs) == 0 {
		return nil
	}
	return finitePtr(mean(xs))
}
