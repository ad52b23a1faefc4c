package metrics

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// outcome lays one metric of the catalogue out on the frame. lo is the frame's
// first period in the pull requests' own numbering.
func (d *pullData) outcome(f *frame, k int, o Outcome, lo int) *outcomeData {
	m := d.metrics[k]
	if o.Title == "" {
		o.Title = m.Title
	}
	if o.Unit == "" {
		o.Unit = m.Unit
	}
	if noun := f.pilot.PeriodNoun; m.ID == rateID && noun != rateNoun { // saved before it was refused
		o.Title = strings.Replace(o.Title, rateNoun, noun, 1)
	}
	out := &outcomeData{outcome: o, measure: m.Measure}
	if d.work != nil && m.Kind == KindDuration {
		out.measure = strings.Replace(m.Measure, "median ", "median working ", 1)
	}
	cells := d.cells(f, lo)
	switch m.Kind {
	case KindDuration, KindSize:
		s := &spanSeries{keys: make([][][]survivalKey, len(cells)), least: shortest * m.perUnit()}
		if m.Kind == KindSize {
			s.least = smallest
		}
		for u, row := range cells {
			s.keys[u] = make([][]survivalKey, len(row))
			for t, c := range row {
				if c != nil {
					s.keys[u][t] = c.sized
					if m.Kind == KindDuration {
						s.keys[u][t] = c.lasted[k]
					}
				}
			}
		}
		out.series, out.logPoints = s, true
	case KindRate, KindShare:
		switch m.ID {
		case rateID:
			out.series = &valueSeries{scale: ScaleLevel, values: ratio(cells, func(c *pullCell) (float64, float64) { return float64(c.tallied), float64(len(c.active)) })}
		case "abandoned":
			out.series = &valueSeries{scale: ScaleLevel, values: ratio(cells, func(c *pullCell) (float64, float64) { return c.sums[k].num, c.sums[k].den })}
		default:
			out.series = summed(cells, func(c *pullCell) (float64, float64) { return c.sums[k].num, c.sums[k].den }).rates()
		}
	case KindCount:
		out.counts = summed(cells, func(c *pullCell) (float64, float64) { return float64(c.reverted), float64(c.exposed) })
		out.exposed = "merged pull requests"
		out.series = out.counts.rates()
		out.usable = d.known(f)
	}
	d.sampleOf(out, f, cells, k)
	return out
}

// cells are the cells of the frame by unit and period, nil where a team did
// nothing, or was not seen to the period's end.
func (d *pullData) cells(f *frame, lo int) [][]*pullCell {
	out := make([][]*pullCell, len(f.units))
	for u, unit := range f.units {
		team := d.teams[unit.name]
		out[u] = make([]*pullCell, f.n)
		for t := range f.n {
			if d.sees(team, f.end(t)) {
				out[u][t] = team.periods[lo+t]
			}
		}
	}
	return out
}

// censored is how many pull requests opened in the period have not reached the
// end that metric k waits for.
func (c *pullCell) censored(k int) int {
	n := 0
	for _, key := range c.lasted[k] {
		if !key.ended() {
			n++
		}
	}
	return n
}

func ratio(cells [][]*pullCell, f func(*pullCell) (num, den float64)) [][]float64 {
	out := make([][]float64, len(cells))
	for u, row := range cells {
		out[u] = make([]float64, len(row))
		for t, c := range row {
			out[u][t] = math.NaN()
			if c == nil {
				continue
			}
			if num, den := f(c); den > 0 {
				out[u][t] = num / den
			}
		}
	}
	return out
}

// summed keeps what is counted and what it is counted over apart, so that a
// window's value is all of the one over all of the other.
func summed(cells [][]*pullCell, f func(*pullCell) (num, den float64)) *countSeries {
	n := 0
	if len(cells) > 0 {
		n = len(cells[0])
	}
	s := &countSeries{events: blank(len(cells), n), exposure: blank(len(cells), n)}
	for u, row := range cells {
		for t, c := range row {
			if c != nil {
				s.events[u][t], s.exposure[u][t] = f(c)
			}
		}
	}
	return s
}

// known marks the periods that ended long enough before the data's end for
// every revert in them to have been seen.
func (d *pullData) known(f *frame) []bool {
	out := make([]bool, f.n)
	for t := range out {
		out[t] = !f.end(t).Add(RevertWindow).After(d.end)
	}
	return out
}

// sampleOf counts what the metric rests on in the periods used.
func (d *pullData) sampleOf(out *outcomeData, f *frame, cells [][]*pullCell, k int) {
	s := &out.sample
	var negative, unsized, untold, unseen, young, outside, unknown int
	for _, u := range slices.Concat(f.treated, f.comparison) {
		for t, c := range cells[u] {
			if c == nil {
				continue
			}
			if f.out[t] != "" {
				outside += c.opened
				continue
			}
			s.Observations++
			s.PullRequests += c.opened
			s.Censored += c.censored(k)
			negative += c.negative[k]
			unseen += c.unseen[k]
			unsized += c.unsized
			untold += c.untold[k]
			unknown += c.unknown[k]
			if out.usable != nil {
				young += c.young
				if !out.usable[t] {
					young += c.exposed
				}
			}
		}
	}
	s.Authors, _ = d.authors(f, slices.Concat(f.treated, f.comparison))
	leave := func(n int, reason string) {
		if n > 0 {
			s.LeftOut = append(s.LeftOut, LeftOut{Count: n, What: plural(n, "pull request"), Reason: reason})
		}
	}
	d.sayUnknown(out, d.metrics[k], unknown, leave)
	leave(negative, "the end lies before the beginning")
	leave(unseen, "no deployment is known after its merge")
	leave(unsized, "the number of lines is not known")
	leave(untold, "the figure is not known of it")
	leave(young, "the merge is younger than 30 days at the end of the data, so a revert is not yet known")
	leave(outside, fmt.Sprintf("the %s of the opening is in neither window", f.pilot.PeriodNoun))
}

// sayUnknown says what the files did not have: all that a metric needs, so that
// it is not measured, or some of it.
func (d *pullData) sayUnknown(out *outcomeData, m Metric, unknown int, leave func(int, string)) {
	if lacks := m.unknown(d.some); unknown > 0 && unknown == out.sample.PullRequests {
		none := d.all&lacks == lacks
		out.unmeasured = fmt.Sprintf("Not measured: %s %s", importsHave(none), lacks.columnWords())
		if none && lacks.Has(FieldDeployed) {
			out.unmeasured += ", and no deployments are imported (“steelyard import deployments” reads them)"
		}
		out.unmeasured += "."
	} else if unknown > 0 {
		leave(unknown, fmt.Sprintf("their import has no %s", strings.TrimPrefix(strings.TrimPrefix(lacks.columnWords(), "an "), "a ")))
	}
	for _, field := range (d.some & FieldSet(slices.Collect(maps.Keys(m.softly))...)).List() {
		out.caveats = append(out.caveats, Reason{
			Code: "field_missing", Title: fmt.Sprintf("The data has no %s column", field),
			Text: fmt.Sprintf("%s %s, so %s.", upperFirst(importsHave(d.all.Has(field))), FieldSet(field).columnWords(), m.softly[field]),
		})
	}
}

// importsHave begins "no import has a ready column".
func importsHave(none bool) string {
	if none {
		return "no import has"
	}
	return "not every import has"
}

// spanSeries is many durations (or sizes) a unit and period. It remembers its
// medians and is not safe for concurrent use: an outcome is measured by one
// goroutine.
type spanSeries struct {
	keys    [][][]survivalKey // by unit and period, sorted
	least   float64           // what anything less counts as in a mean of logarithms
	medians map[windowKey]median
}

// windowKey names a window: every window is a run of one list of periods, so
// its ends and length tell it apart.
type windowKey struct{ unit, first, last, n int }

type median struct {
	length float64
	ok     bool
}

// window is the Kaplan–Meier median of everything in the window at once, so
// that a busy week weighs more than a quiet one. Without open pull requests it
// is the ordinary median. False where more than half may last longer than was
// seen.
func (s *spanSeries) window(u int, periods []int) (float64, bool) {
	if len(periods) == 0 {
		return 0, false
	}
	key := windowKey{u, periods[0], periods[len(periods)-1], len(periods)}
	m, known := s.medians[key]
	if !known {
		m.length, m.ok = s.median(u, periods)
		if s.medians == nil {
			s.medians = map[windowKey]median{}
		}
		s.medians[key] = m
	}
	return m.length, m.ok
}

func (s *spanSeries) median(u int, periods []int) (float64, bool) {
	runs := make([][]survivalKey, 0, len(periods))
	for _, t := range periods {
		if keys := s.keys[u][t]; len(keys) > 0 {
			runs = append(runs, keys)
		}
	}
	return medianSurvival(merged(runs))
}

// A mean of logarithms has no place for zero: there a duration counts as a
// minute at least, and a size as one line.
const (
	shortest = 1.0 / 60
	smallest = 1.0
)

// logs is the mean over periods of the period's mean logarithm, of what has
// ended: an open pull request has no logarithm yet.
func (s *spanSeries) logs(u int, periods []int) (float64, bool) {
	var sum float64
	n := 0
	for _, t := range periods {
		var inner float64
		k := 0
		for _, key := range s.keys[u][t] {
			if key.ended() {
				inner += math.Log(math.Max(key.length(), s.least))
				k++
			}
		}
		if k > 0 {
			sum += inner / float64(k)
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	return sum / float64(n), true
}

// point is the logarithm of the period's median.
func (s *spanSeries) point(u, t int) (float64, bool) {
	m, ok := s.window(u, []int{t})
	if !ok || m <= 0 {
		return 0, false
	}
	return math.Log(m), true
}
