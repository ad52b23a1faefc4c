package metrics

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"steelyard/metrics/did"
)

const (
	methodTwoByTwo    = "two-by-two"
	titleTwoByTwo     = "2×2, restricted wild cluster bootstrap"
	methodTwoLogs     = "two-by-two-logs"
	titleTwoLogs      = "2×2 on mean logs, restricted wild cluster bootstrap"
	methodAssignments = "randomization"
	titleAssignments  = "Randomisation on t"
)

// settled is x, or 0 where it is nothing but the rounding of numbers of a size:
// what never changes shows no noise.
func settled(x, size float64) float64 {
	if math.Abs(x) <= 1e-12*size {
		return 0
	}
	return x
}

// contributions are numbers, one a unit, whose mean is exactly a side's change
// as it is shown. Where the change is a percentage of the side's value before,
// a unit's number is the side's change plus that unit's influence on it: how
// far its value after lies from its value before, moved as the whole side did.
// False where a unit has no value.
func (c *comparison) contributions(units, before, after []int) ([]float64, bool) {
	b, a := c.value(units, before), c.value(units, after)
	side := c.change(b, a)
	out := make([]float64, len(units))
	for i, u := range units {
		x, okX := c.d.series.window(u, before)
		y, okY := c.d.series.window(u, after)
		switch {
		case !okX || !okY:
			return nil, false
		case !c.relative:
			out[i] = settled(y-x, max(math.Abs(x), math.Abs(y)))
		case c.d.geometric:
			out[i] = side + 100*a/b*settled(math.Log(y/x)-math.Log(a/b), 1)
		default:
			out[i] = side + 100/b*settled(y-a/b*x, y)
		}
		if !finite(out[i]) {
			return nil, false
		}
	}
	return out, true
}

// both are the contributions of both sides.
func (c *comparison) both(before, after []int) (own, others []float64, ok bool) {
	own, okOwn := c.contributions(c.treated, before, after)
	others, okOthers := c.contributions(c.others, before, after)
	return own, others, okOwn && okOthers
}

// severalHeadline is the plain difference with the interval of the wild cluster
// bootstrap, for several treated units.
func (c *comparison) severalHeadline() Effect {
	unit, _ := c.units()
	own, others, ok := c.both(c.before, c.after)
	if !ok {
		return missing(methodTwoByTwo, titleTwoByTwo, unit, fmt.Sprintf("a %s has no value in one of the windows", c.f.pilot.UnitNoun))
	}
	return c.bootstrapped(methodTwoByTwo, titleTwoByTwo, unit, c.difference(c.before), own, others).say(c.d.outcome.Unit)
}

// bootstrapped is the difference of two groups of changes, whose mean is point.
func (c *comparison) bootstrapped(method, title string, unit EffectUnit, point float64, own, others []float64) Effect {
	noun := c.f.pilot.UnitNoun
	e := Effect{Method: method, Title: title, Unit: unit, Level: level, Estimate: finitePtr(point), Raw: finitePtr(point)}
	test, err := did.CompareChanges(own, others, did.ChangesOptions{Level: level, Seed: c.f.pilot.Seed})
	switch {
	case errors.Is(err, &did.Error{Code: did.ErrZeroVariance}):
		e.Missing = fmt.Sprintf("no interval: the %s on each side all changed alike, so they say nothing of the noise", plural(2, noun))
		return e
	case err != nil:
		e.Missing = "no interval: " + inWords(err.Error(), c.f.pilot)
		return e
	}
	if test.Welch.HasSE {
		e.SE, e.DF = finitePtr(test.Welch.SE), finitePtr(test.Welch.DF)
	}
	b := test.Bootstrap
	e.P = finitePtr(b.P)
	if !b.LowOpen {
		e.Low = finitePtr(b.Low)
	}
	if !b.HighOpen {
		e.High = finitePtr(b.High)
	}
	switch {
	case b.LowOpen && b.HighOpen:
		e.Missing = fmt.Sprintf("no interval: with %s against %d the bootstrap rules nothing out", counted(len(own), noun), len(others))
	case b.LowOpen:
		e.Open = "low"
	case b.HighOpen:
		e.Open = "high"
	}
	e.Admissible = e.Low != nil || e.High != nil
	draws := fmt.Sprintf("%s draws of signs", FormatCount(b.Draws))
	if b.Enumerated {
		draws = fmt.Sprintf("all %s ways to choose signs", FormatCount(b.Draws))
	}
	e.Notes = append(e.Notes, fmt.Sprintf("The interval and p-value come from %s for the changes of %s; the standard error is Welch’s.", draws, counted(b.Clusters, noun)))
	return e
}

// severalRatio is the ratio of ratios by the units' own mean logarithms; nil
// where a value has none.
func (c *comparison) severalRatio() *Effect {
	var changes [2][]float64
	for side, units := range [][]int{c.treated, c.others} {
		for _, u := range units {
			a, okA := c.d.series.logs(u, c.after)
			b, okB := c.d.series.logs(u, c.before)
			if !okA || !okB {
				return nil
			}
			changes[side] = append(changes[side], settled(a-b, max(math.Abs(a), math.Abs(b))))
		}
	}
	e := c.bootstrapped(methodTwoLogs, titleTwoLogs, UnitRatio, mean(changes[0])-mean(changes[1]), changes[0], changes[1]).asRatio()
	e.Admissible = false
	e = c.noteCensored(e).say("")
	return &e
}

// severalDetectable is the effect seen in 8 cases of 10, on the scale of the
// standard error: half the interval, which is seen in 5 cases of 10, and what
// leads from there to 8. nil where the interval is open, since nothing says how
// wide it is.
func severalDetectable(h Effect) *float64 {
	if h.SE == nil || h.DF == nil || h.Low == nil || h.High == nil || h.Estimate == nil {
		return nil
	}
	scale := func(x float64) float64 {
		if h.Unit == UnitRatio {
			return math.Log(x)
		}
		return x
	}
	whole, err := did.DetectableEffect(*h.SE, *h.DF, 1-level, 0.8)
	if err != nil {
		return nil
	}
	half, err := did.DetectableEffect(*h.SE, *h.DF, 1-level, 0.5)
	if err != nil {
		return nil
	}
	at := scale(*h.Estimate)
	return finitePtr(max(scale(*h.High)-at, at-scale(*h.Low)) + whole - half)
}

// assignments compares t with what other choices of as many units would have
// given.
func (c *comparison) assignments() Effect {
	unit, _ := c.units()
	own, others, ok := c.both(c.before, c.after)
	if !ok {
		return missing(methodAssignments, titleAssignments, unit, fmt.Sprintf("a %s has no value in one of the windows", c.f.pilot.UnitNoun))
	}
	slices.Sort(own)
	slices.Sort(others)
	marks := make([]bool, len(own)+len(others))
	for i := range own {
		marks[i] = true
	}
	r, err := did.Randomization(append(own, others...), marks, did.RandomizationOptions{
		Statistic: did.StudentisedDifference, Level: level, Seed: c.f.pilot.Seed,
	})
	if err != nil {
		return missing(methodAssignments, titleAssignments, unit, inWords(err.Error(), c.f.pilot))
	}
	point := finitePtr(c.difference(c.before))
	e := Effect{
		Method: methodAssignments, Title: titleAssignments, Unit: unit, Level: level, Estimate: point, Raw: point, P: finitePtr(r.P),
		Notes: []string{fmt.Sprintf("t compared with %s choices of %d of %s; the smallest p-value it can give is %s.",
			FormatCount(r.Assignments), len(c.treated), counted(len(marks), c.f.pilot.UnitNoun), FormatNumber(r.Floor))},
	}
	return e.say(c.d.outcome.Unit)
}

// cohorts is the one start as Callaway and Sant'Anna would estimate it.
func (c *comparison) cohorts() Effect {
	s := newStaggered(c.f, c.d)
	gt, err := did.CallawaySantAnna(s.panel, did.GroupTimeOptions{Control: did.NeverTreated, Base: did.Universal, Level: level})
	if err != nil {
		return missing(methodNever, titleNever, s.unit(), s.words(err.Error()))
	}
	e, _, _ := s.simple(gt, methodNever, titleNever)
	e.Notes = append(e.Notes, fmt.Sprintf("It compares with the last %s before the start alone.", c.f.pilot.PeriodNoun))
	return e
}

// severalTrend tests whether the slopes of both sides' units differ before the
// start, on the periods in which every unit kept has a value.
func (c *comparison) severalTrend() Test {
	out := Test{Title: "Pre-trend (slopes of the units, wild cluster bootstrap)"}
	kept := func(units []int) (out []int) {
		for _, u := range units {
			n := 0
			for _, t := range c.before {
				if _, ok := c.sideAt([]int{u}, t); ok {
					n++
				}
			}
			if 10*n >= 9*len(c.before) {
				out = append(out, u)
			}
		}
		return out
	}
	own, others := kept(c.treated), kept(c.others)
	var at []float64
	for _, t := range c.before {
		if _, ok := c.sideAt(slices.Concat(own, others), t); ok {
			at = append(at, float64(t))
		}
	}
	if len(own) < 2 || len(others) < 2 || len(at) < 3 {
		out.Title, out.Missing = "Pre-trend", fmt.Sprintf("it takes two %s on each side with values in at least three %s before the start",
			plural(2, c.f.pilot.UnitNoun), plural(3, c.f.pilot.PeriodNoun))
		return out.say()
	}
	middle := mean(at)
	slopes := func(units []int) []float64 {
		out := make([]float64, len(units))
		for i, u := range units {
			var xy, xx, size float64
			for _, t := range at {
				y, _ := c.sideAt([]int{u}, int(t))
				xy += (t - middle) * y
				xx += (t - middle) * (t - middle)
				size += math.Abs((t - middle) * y)
			}
			out[i] = settled(xy, size) / xx
		}
		return out
	}
	test, err := did.CompareChanges(slopes(own), slopes(others), did.ChangesOptions{Level: level, Seed: c.f.pilot.Seed, NoInterval: true})
	switch {
	case errors.Is(err, &did.Error{Code: did.ErrZeroVariance}):
		out.Title, out.Missing = "Pre-trend", fmt.Sprintf("the %s on each side all moved alike before the start, so there is no noise to test against", plural(2, c.f.pilot.UnitNoun))
		return out.say()
	case err != nil:
		out.Title, out.Missing = "Pre-trend", inWords(err.Error(), c.f.pilot)
		return out.say()
	}
	out.Statistic, out.P = finitePtr(test.Bootstrap.T), finitePtr(test.Bootstrap.P)
	if n := len(c.before) - len(at); n > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%s of %s before the start left out of the test, for a missing value.", FormatCount(n), counted(len(c.before), c.f.pilot.PeriodNoun)))
		out.limited = 10*n > len(c.before)
	}
	return out.say()
}
