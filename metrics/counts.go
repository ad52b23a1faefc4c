package metrics

import (
	"fmt"
	"math"

	"steelyard/metrics/did"
)

const (
	methodExact = "exact-conditional"
	titleExact  = "Exact conditional interval"
	methodMLE   = "conditional-mle"
	titleMLE    = "Conditional maximum likelihood"
)

// countComparison is the events of both sides before and after, summed over
// the units and the windows.
type countComparison struct {
	f     *frame
	d     *outcomeData
	table did.CountTable
	// exposed is false where everything is counted over unit-periods.
	exposed bool
	// problem says why there is nothing to compare, "" where there is.
	problem string
}

func newCountComparison(f *frame, d *outcomeData) *countComparison {
	c := &countComparison{f: f, d: d, exposed: d.counts.exposure != nil}
	before, after := d.over(f.before), d.over(f.after)
	if len(before) == 0 || len(after) == 0 {
		c.problem = f.nothingKnown()
		return c
	}
	for i, cell := range []struct {
		units, periods []int
		n              *int
	}{
		{f.treated, after, &c.table.TreatedAfter},
		{f.treated, before, &c.table.TreatedBefore},
		{f.comparison, after, &c.table.ComparisonAfter},
		{f.comparison, before, &c.table.ComparisonBefore},
	} {
		events, exposure, seen := d.counts.sum(cell.units, cell.periods)
		*cell.n = int(events)
		c.table.Exposure[i] = exposure
		if seen == 0 || exposure <= 0 {
			c.problem = "there is nothing to count over in one of the windows" + d.dropped
		}
	}
	return c
}

// rate is the after-to-before ratio of rates, NaN where the window before had
// no event.
func rateRatio(after, before int, exposureAfter, exposureBefore float64) float64 {
	if before == 0 {
		return math.NaN()
	}
	return float64(after) / float64(before) * exposureBefore / exposureAfter
}

// sides are the first two numbers: counts before and after, and the ratio of
// their rates.
func (c *countComparison) sides() (pilot, other Change) {
	e := c.table.Exposure
	side := func(label string, after, before int, ea, eb float64) Change {
		out := Change{
			Label: label, Before: finitePtr(float64(before)), After: finitePtr(float64(after)),
			Text: FormatCount(before) + arrow + FormatCount(after),
		}
		if c.unequal() {
			out.Text = FormatCount(before) + " in " + FormatNumber(eb) + " " + c.over() + arrow + FormatCount(after) + " in " + FormatNumber(ea)
		}
		r := rateRatio(after, before, ea, eb)
		out.Value = finitePtr(r)
		if out.Value == nil {
			out.Missing = "there was none before, so there is no ratio"
			out.ValueText = dash
			return out
		}
		out.ValueText = FormatRatio(r)
		return out
	}
	return side(c.f.side(), c.table.TreatedAfter, c.table.TreatedBefore, e[0], e[1]),
		side("comparison", c.table.ComparisonAfter, c.table.ComparisonBefore, e[2], e[3])
}

// over is what is counted over, as a plural noun: "commits", "team-weeks".
func (c *countComparison) over() string {
	if c.exposed {
		return c.d.exposed
	}
	return c.f.pilot.UnitNoun + "-" + plural(2, c.f.pilot.PeriodNoun)
}

// unequal reports whether a side is counted over more in one window than in
// the other, so that its counts cannot be compared as they stand.
func (c *countComparison) unequal() bool {
	e := c.table.Exposure
	return math.Abs(e[0]-e[1]) > 0.005*e[1] || math.Abs(e[2]-e[3]) > 0.005*e[3]
}

// words compare the directions of the two sides' rates.
func (c *countComparison) words() string {
	e := c.table.Exposure
	pilot := direction(c.table.TreatedAfter, c.table.TreatedBefore, e[0], e[1])
	other := direction(c.table.ComparisonAfter, c.table.ComparisonBefore, e[2], e[3])
	verb := map[int]string{-1: "fell", 0: "did not move", 1: "rose"}
	switch {
	case pilot == other:
		if pilot == 0 {
			return verb[pilot] + " for either"
		}
		return verb[pilot] + " for both"
	case other == 0:
		return verb[pilot] + " for the pilot only"
	case pilot == 0:
		return verb[other] + " for the comparison only"
	}
	return verb[pilot] + " for the pilot and " + verb[other] + " for the comparison"
}

// direction compares two rates without dividing by zero. A ratio that rounds
// to 1.00 has not moved.
func direction(after, before int, exposureAfter, exposureBefore float64) int {
	a, b := float64(after)*exposureBefore, float64(before)*exposureAfter
	switch {
	case math.Abs(a-b) <= 0.005*math.Max(a, b):
		return 0
	case a > b:
		return 1
	}
	return -1
}

// effects are the headline, whose estimate is the sample's ratio of ratios,
// and the conditional maximum-likelihood estimate beside it.
func (c *countComparison) effects() (headline, mle Effect) {
	res, err := did.ExactRatio(c.table, level)
	if err != nil {
		why := err.Error()
		return missing(methodExact, titleExact, UnitRatio, why), missing(methodMLE, titleMLE, UnitRatio, why)
	}
	effect := func(method, title string, estimate *float64) Effect {
		e := Effect{Method: method, Title: title, Unit: UnitRatio, Level: level, Estimate: estimate, Raw: estimate, P: finitePtr(res.P)}
		if !res.LowOpen {
			e.Low = finitePtr(res.Low)
		}
		if !res.HighOpen {
			e.High = finitePtr(res.High)
		}
		switch {
		case res.LowOpen && res.HighOpen:
			e.Missing = "too few events for a bound on either side"
		case res.LowOpen:
			e.Open = "low"
		case res.HighOpen:
			e.Open = "high"
		}
		if estimate == nil {
			e.Missing = "a window had no event, so there is no ratio"
		}
		return e
	}
	headline = effect(methodExact, titleExact, res.SampleRatio)
	headline.Admissible = headline.Low != nil || headline.High != nil
	headline.Notes = append(headline.Notes, "The interval and p-value (Fisher) are exact, given the totals.")
	e := c.table.Exposure
	headline.Notes = append(headline.Notes, fmt.Sprintf("Counted over %s %s for %s and %s for the comparison.",
		FormatChange(e[1], e[0], ""), c.over(), inSentence(c.f.side()), FormatChange(e[3], e[2], "")))
	mle = effect(methodMLE, titleMLE, res.MLE)
	return headline.say(""), mle.say("")
}

// detectable is, roughly, the smallest ratio of ratios that would have been
// seen: by the normal approximation on the logarithm, with half an event added
// to each cell. It is not defined where there is no event at all.
func (c *countComparison) detectable() (float64, bool) {
	var v float64
	total := 0
	for _, n := range []int{c.table.TreatedAfter, c.table.TreatedBefore, c.table.ComparisonAfter, c.table.ComparisonBefore} {
		v += 1 / (float64(n) + 0.5)
		total += n
	}
	if total == 0 {
		return 0, false
	}
	se := math.Sqrt(v)
	x, ok := detectable(&se, nil)
	return math.Exp(x), ok && finite(math.Exp(x))
}
