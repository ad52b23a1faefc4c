package metrics

import (
	"fmt"
	"slices"
	"strings"
)

// trendOf is both groups over time, in values as they are shown.
func trendOf(f *frame, d *outcomeData, treated, others []int) *Trend {
	tr := &Trend{StartIndex: -1, AxisTitle: axisTitle(f, d)}
	if f.start >= 0 {
		tr.StartIndex = f.start
	}
	for t := range f.n {
		p := TrendPoint{Label: f.label(t), Start: f.grid.start(t), LeftOut: f.out[t], Adopted: f.adopted(t)}
		if p.LeftOut == "" && d.usable != nil && !d.usable[t] {
			p.LeftOut = "not yet known"
		}
		at := []int{t}
		p.Pilot = d.sideValue(treated, at)
		p.Comparison = d.sideValue(others, at)
		if f.kind != DesignStaggered {
			p.ComparisonLow, p.ComparisonHigh = d.middleHalf(others, at)
		}
		tr.Points = append(tr.Points, p)
	}
	tr.Caption = trendCaption(f, d)
	return tr
}

// course tells a trend without a single start by its two ends: what is drawn,
// not the effect, which is an average over many starts.
func (tr *Trend) course(f *frame, o Outcome) string {
	title := upperFirst(o.Title)
	i := slices.IndexFunc(tr.Points, func(p TrendPoint) bool { return p.Pilot != nil && p.Comparison != nil })
	if i < 0 {
		return title + " over time"
	}
	from, to := tr.Points[i], tr.Points[i]
	for _, p := range tr.Points[i:] {
		if p.Pilot != nil && p.Comparison != nil {
			to = p
		}
	}
	return fmt.Sprintf("%s from %s to %s: %s for %s, %s in the comparison", title, from.Label, to.Label,
		FormatChange(*from.Pilot, *to.Pilot, o.Unit), inSentence(f.side()), FormatChange(*from.Comparison, *to.Comparison, o.Unit))
}

// windowMeans are the values drawn as thick lines.
func (tr *Trend) windowMeans(f *frame, d *outcomeData, treated, others []int) {
	before, after := d.over(f.before), d.over(f.after)
	tr.PilotBefore = d.sideValue(treated, before)
	tr.PilotAfter = d.sideValue(treated, after)
	tr.ComparisonBefore = d.sideValue(others, before)
	tr.ComparisonAfter = d.sideValue(others, after)
}

// sideValue is a side's value over the periods as it is shown: the mean of the
// units that have one. Counts are events per unit of exposure.
func (d *outcomeData) sideValue(units, periods []int) *float64 {
	if d.counts != nil {
		events, exposure, seen := d.counts.sum(units, periods)
		if seen == 0 || exposure <= 0 {
			return nil
		}
		return finitePtr(events / exposure)
	}
	xs := make([]float64, 0, len(units))
	for _, u := range units {
		if x, ok := d.series.window(u, periods); ok {
			xs = append(xs, x)
		}
	}
	if len(xs) == 0 {
		return nil
	}
	return finitePtr(d.shown(d.pool(xs)))
}

// middleHalf is the lower and upper quartile of the units' values, nil under
// four of them.
func (d *outcomeData) middleHalf(units, periods []int) (low, high *float64) {
	if d.counts != nil {
		return nil, nil
	}
	var xs []float64
	for _, u := range units {
		if x, ok := d.series.window(u, periods); ok {
			xs = append(xs, d.shown(x))
		}
	}
	if len(xs) < 4 {
		return nil, nil
	}
	slices.Sort(xs)
	return finitePtr(quantile(xs, 0.25)), finitePtr(quantile(xs, 0.75))
}

// quantile is the linear interpolation of sorted values (Hyndman and Fan's
// type 7).
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

func axisTitle(f *frame, d *outcomeData) string {
	unit := d.outcome.Unit
	switch {
	case d.counts != nil && d.counts.exposure != nil:
		return "share of " + d.exposed
	case d.counts != nil:
		return "events per " + f.pilot.UnitNoun + " and " + f.pilot.PeriodNoun
	case unit == "share":
		return "share"
	case unit == "hours":
		return "hours, median of the " + f.pilot.PeriodNoun
	}
	if d.measure == unit || strings.HasPrefix(d.measure, unit+" ") || strings.HasPrefix(d.measure, unit+",") {
		return d.measure
	}
	return join(", ", unit, d.measure)
}

func trendCaption(f *frame, d *outcomeData) string {
	noun := f.pilot.PeriodNoun
	s := fmt.Sprintf("%s by %s; the comparison is the mean of its %s.", upperFirst(d.outcome.Title), noun, plural(2, f.pilot.UnitNoun))
	if d.geometric {
		s = fmt.Sprintf("%s by %s; each group is the geometric mean of its %s.", upperFirst(d.outcome.Title), noun, plural(2, f.pilot.UnitNoun))
	}
	if d.counts != nil {
		s = fmt.Sprintf("%s by %s, summed over each group.", upperFirst(d.outcome.Title), noun)
	}
	if f.kind == DesignStaggered {
		return s + " Starts are staggered, so no single line separates before from after."
	}
	return s + " Thick lines are the values of the two windows."
}

// leftOutWords lists the reasons for which periods are left out, in order of
// time: "2 weeks (freeze)".
func (f *frame) leftOutWords() []string {
	var reasons []string
	n := map[string]int{}
	for _, r := range f.out {
		if r == "" {
			continue
		}
		if n[r] == 0 {
			reasons = append(reasons, r)
		}
		n[r]++
	}
	var out []string
	for _, r := range reasons {
		out = append(out, fmt.Sprintf("%s (%s)", counted(n[r], f.pilot.PeriodNoun), r))
	}
	return out
}
