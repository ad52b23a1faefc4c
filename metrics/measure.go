package metrics

import (
	"fmt"
	"math"
	"slices"

	"steelyard/metrics/did"
)

// measureOneStart reports values of a design with one start: by the units' own
// changes where the choice says that there are enough of them, else with the
// treated taken as one.
func (m *MetricReport) measureOneStart(f *frame, d *outcomeData) {
	c := newComparison(f, d)
	m.Sample.LeftOut = append(m.Sample.LeftOut, c.leftOut...)
	if c.problem != "" {
		m.refuse(f, &Reason{Text: upperFirst(c.problem) + "."}, false)
		return
	}
	m.choice = c.choice
	m.Sample.TreatedUnits, m.Sample.ComparisonUnits = len(c.treated), len(c.others)
	_, m.ChangeUnit = c.units()
	m.Pilot, m.Comparison = c.sides()
	m.Others = []Effect{}
	if c.choice.headline() == methodTwoByTwo {
		m.Headline, m.Ratio, m.PreTrend = c.severalHeadline(), c.severalRatio(), c.severalTrend()
		m.Detectable = severalDetectable(m.Headline)
		if c.choice.shows("randomization") {
			m.Others = append(m.Others, c.assignments())
		}
		if c.choice.shows("callaway-santanna") {
			m.Others = append(m.Others, c.cohorts())
		}
	} else {
		m.Headline, m.Ratio, m.PreTrend = c.headline(), c.ratio(), c.preTrend()
		m.besideOne(c)
	}
	if c.choice.shows("honest-did") {
		m.Breakdown = c.breakdown()
	} else {
		m.Breakdown = noBreakdown(inWords(c.choice.of("honest-did").Reasons[0], f.pilot))
	}
	m.Looks = c.looks()
	if m.EventStudy = c.eventStudy(); m.EventStudy == nil {
		d.caveats = append(d.caveats, c.noEventStudy())
	}
	m.Trend = trendOf(f, d, c.treated, c.others)
	m.Trend.windowMeans(f, d, c.treated, c.others)
	m.Trend.Finding = trendFinding(*m)
}

// besideOne are the methods beside the cross-fit t.
func (m *MetricReport) besideOne(c *comparison) {
	if c.choice.shows("donald-lang") {
		m.Others = append(m.Others, c.donaldLang())
	}
	if c.choice.shows("placebo") {
		placebo, rank := c.placebo()
		m.Others, m.Placebo = append(m.Others, rank), placebo
	}
	if len(c.choice.methods) > 0 && c.choice.shows("synthetic-did") {
		m.Others = append(m.Others, c.synthetic())
	}
}

func (m *MetricReport) measureCounts(f *frame, d *outcomeData) {
	c := newCountComparison(f, d)
	m.ChangeUnit = UnitRatio
	m.Trend = trendOf(f, d, f.treated, f.comparison)
	m.Trend.windowMeans(f, d, f.treated, f.comparison)
	if c.problem != "" {
		m.refuse(f, &Reason{Text: upperFirst(c.problem) + "."}, true)
		m.Trend.Finding = trendFinding(*m)
		return
	}
	m.choice = c.choose()
	exact, mle := c.effects()
	if times, beyond := c.dispersion(); beyond && m.choice.headline() != "poisson" {
		m.measureClumped(f, d, exact, times)
		return
	}
	m.Pilot, m.Comparison = c.sides()
	m.Words = c.words()
	m.Headline, m.Others = exact, []Effect{mle}
	m.PreTrend = Test{Title: "Pre-trend", Missing: "counts this small have no trend that could be tested"}.say()
	if m.choice.headline() == "poisson" {
		m.Headline, m.Others = c.poisson(), []Effect{c.noSay(exact)}
		if x := severalDetectable(m.Headline); x != nil {
			m.Detectable = finitePtr(math.Exp(*x))
		}
		m.PreTrend = Test{Title: "Pre-trend", Missing: "a ratio of events has no test of the time before the start"}.say()
	} else if x, ok := c.detectable(); ok {
		m.Detectable = &x
	}
	m.Looks = f.noLooks("counts have no intervals that hold at all looks at once", "")
	m.Trend.Finding = trendFinding(*m)
}

// measureClumped reports counts that vary more than independent events would:
// their rates are compared as values are, and the exact interval, too narrow
// for them, stands beside it without a say.
func (m *MetricReport) measureClumped(f *frame, d *outcomeData, exact Effect, times float64) {
	m.measureOneStart(f, d)
	exact.Admissible = false
	exact.Notes = append(exact.Notes, fmt.Sprintf("It takes events to be independent, and these vary %s times as much from %s to %s and between %s, so it is too narrow to rest on.",
		FormatNumber(times), f.pilot.PeriodNoun, f.pilot.PeriodNoun, plural(2, f.pilot.UnitNoun)))
	m.Others = append(m.Others, exact)
}

func (m *MetricReport) measureStaggered(f *frame, d *outcomeData) {
	s := newStaggered(f, d)
	res := s.estimate()
	m.choice = s.choose()
	m.Sample.TreatedUnits, m.Sample.ComparisonUnits = s.treated, s.comparison
	m.Sample.LeftOut = append(m.Sample.LeftOut, res.leftOut...)
	m.ChangeUnit = s.unit()
	m.Pilot, m.Comparison = res.pilot, res.comparison
	m.Headline, m.Others = res.headline, res.others
	m.PreTrend, m.EventStudy, m.Breakdown = res.preTrend, res.event, res.breakdown
	m.Looks = f.noLooks("intervals that hold at all looks at once need a single start", "")
	m.Trend = trendOf(f, d, f.treated, f.comparison)
	m.Trend.Finding = m.Trend.course(f, m.Outcome)
	if m.choice.design.Outcome == did.Counted {
		m.countStaggered(s)
	}
}

// countStaggered puts the ratio of rates before what compares rates start by
// start.
func (m *MetricReport) countStaggered(s *staggered) {
	m.ChangeUnit = UnitRatio
	const why = "several starts leave no single before and after"
	m.Pilot = Change{Label: s.f.side(), Missing: why, ValueText: dash}
	m.Comparison = Change{Label: "comparison", Missing: why, ValueText: dash}
	m.Others = append([]Effect{m.Headline}, m.Others...)
	m.Headline, m.Breakdown = s.poisson(m.choice), nil
}

// choose is the choice for an outcome with several starts.
func (s *staggered) choose() choice {
	return newChoice(s.panel, func(d *did.Design) {
		if s.d.counts == nil {
			return
		}
		d.Outcome, d.Events = did.Counted, s.fewestEvents()
	})
}

// fewestEvents is the smallest number of events among the treated before and
// after their starts and the comparison, where there is one.
func (s *staggered) fewestEvents() int {
	var sums [3]float64
	kept := s.d.over(s.f.kept)
	for _, u := range s.f.treated {
		i, _ := slices.BinarySearch(kept, s.f.units[u].first)
		before, _, _ := s.d.counts.sum([]int{u}, kept[:i])
		after, _, _ := s.d.counts.sum([]int{u}, kept[i:])
		sums[0] += before
		sums[1] += after
	}
	sums[2], _, _ = s.d.counts.sum(s.f.comparison, kept)
	if len(s.f.comparison) == 0 {
		return int(min(sums[0], sums[1]))
	}
	return int(slices.Min(sums[:]))
}
