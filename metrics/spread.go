package metrics

import (
	"fmt"
	"math"
)

// Spread is how the pull requests of each side were distributed before and
// after the start: a median can stand still while the slow tail grows. It
// exists for durations and sizes with one start.
type Spread struct {
	Finding string       `json:"finding"`
	Caption string       `json:"caption"`
	Unit    string       `json:"unit"`
	Sides   []SpreadSide `json:"sides"` // the pilot first
}

// SpreadSide is one side; nil where a window has no pull request.
type SpreadSide struct {
	Label  string    `json:"label"`
	Before *Quantile `json:"before"`
	After  *Quantile `json:"after"`
}

// Quantile holds what a tenth, a quarter, half, three quarters and nine tenths
// of a side's pull requests in a window lie at or below, all of its teams
// together. By Kaplan–Meier, what has not ended yet counts as lasting at least
// until it was last seen; a quantile that lies beyond what was seen is nil.
type Quantile struct {
	PullRequests int      `json:"pull_requests"`
	NotEnded     int      `json:"not_ended"`
	P10          *float64 `json:"p10"`
	P25          *float64 `json:"p25"`
	P50          *float64 `json:"p50"`
	P75          *float64 `json:"p75"`
	P90          *float64 `json:"p90"`
}

// values are the quantiles in order.
func (q *Quantile) values() []*float64 {
	if q == nil {
		return make([]*float64, 5)
	}
	return []*float64{q.P10, q.P25, q.P50, q.P75, q.P90}
}

// spread is nil where an outcome has no pull requests behind it one by one, or
// no single before and after.
func (f *frame) spread(d *outcomeData) *Spread {
	s, ok := d.series.(*spanSeries)
	if !ok || f.problem != nil || f.start < 0 || d.unmeasured != "" {
		return nil
	}
	out := &Spread{
		Unit: d.outcome.Unit,
		Caption: "All pull requests of a side together: the line holds the middle eight tenths, the bar the middle half, the dot is the median. " +
			"A line that ends in an arrow goes on beyond what was seen.",
	}
	for _, side := range []struct {
		label string
		units []int
	}{{f.side(), f.treated}, {"comparison", f.comparison}} {
		out.Sides = append(out.Sides, SpreadSide{
			Label: side.label, Before: s.quantiles(side.units, f.before), After: s.quantiles(side.units, f.after),
		})
	}
	out.Finding = out.finding(d.outcome)
	return out
}

// quantiles are those of every pull request of some units in some periods.
func (s *spanSeries) quantiles(units, periods []int) *Quantile {
	var runs [][]survivalKey
	for _, u := range units {
		for _, t := range periods {
			if keys := s.keys[u][t]; len(keys) > 0 {
				runs = append(runs, keys)
			}
		}
	}
	keys := merged(runs)
	if len(keys) == 0 {
		return nil
	}
	q := &Quantile{PullRequests: len(keys)}
	for _, k := range keys {
		if !k.ended() {
			q.NotEnded++
		}
	}
	for i, p := range []**float64{&q.P10, &q.P25, &q.P50, &q.P75, &q.P90} {
		if x, ok := quantileSurvival(keys, [...]float64{.10, .25, .50, .75, .90}[i]); ok {
			*p = finitePtr(x)
		}
	}
	return q
}

// finding says what became of the slowest tenth, which a median does not show.
func (s *Spread) finding(o Outcome) string {
	title := o.Title
	if len(s.Sides) == 0 || s.Sides[0].Before == nil || s.Sides[0].After == nil {
		return title + ": one side has no pull request in one of the windows"
	}
	before, after := s.Sides[0].Before, s.Sides[0].After
	middle := moved(before.P50, after.P50, o.Unit)
	tail := moved(before.P90, after.P90, o.Unit)
	switch {
	case middle == "" && tail == "":
		return title + ": too much has not ended yet to say how it is spread"
	case tail == "":
		return fmt.Sprintf("%s: the median went %s; a tenth or more has not ended yet", title, middle)
	case middle == "":
		return fmt.Sprintf("%s: nine tenths lie within %s", title, tail)
	}
	return fmt.Sprintf("%s: the median went %s, the slowest tenth begins at %s", title, middle, tail)
}

// moved is "18 h → 12 h"; empty where an end is missing.
func moved(before, after *float64, unit string) string {
	if before == nil || after == nil || math.IsNaN(*before) || math.IsNaN(*after) {
		return ""
	}
	return FormatChange(*before, *after, unit)
}

// spreadTable is a row for each side and window.
func (m MetricReport) spreadTable() Table {
	t := Table{
		ID: "spread/" + m.Outcome.ID, Title: upperFirst(m.Outcome.Title) + " before and after, all pull requests", Caption: m.Spread.Caption,
		Columns: []Column{
			word("side", "Side"), word("window", "Window"), number("pull_requests", "Pull requests"), number("not_ended", "Not ended"),
			number("p10", "A tenth by"), number("p25", "A quarter"), number("p50", "Half"), number("p75", "Three quarters"), number("p90", "Nine tenths"),
		},
	}
	inUnit := func(x float64) string { return FormatValue(x, m.Spread.Unit) }
	for _, s := range m.Spread.Sides {
		for _, w := range []struct {
			name string
			q    *Quantile
		}{{"before", s.Before}, {"after", s.After}} {
			row := []Cell{text(s.Label), text(w.name), {Text: dash}, {Text: dash}}
			if w.q != nil {
				row[2], row[3] = whole(w.q.PullRequests), whole(w.q.NotEnded)
			}
			for _, p := range w.q.values() {
				row = append(row, value(p, inUnit))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
