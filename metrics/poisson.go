package metrics

import (
	"fmt"
	"math"
	"slices"

	"steelyard/metrics/did"
)

const (
	methodPoisson = "poisson"
	titlePoisson  = "Poisson ratio of ratios, restricted wild cluster bootstrap"
	titleRates    = "Poisson ratio of rates, cluster-robust"
)

// poisson is the ratio of ratios of the rates, with an interval that lets units
// differ: the wild bootstrap of the units' influence on it. It is the Poisson
// pseudo-likelihood of both sides and both windows, whose estimate is the
// sample's ratio.
func (c *countComparison) poisson() Effect {
	before, after := c.d.over(c.f.before), c.d.over(c.f.after)
	var shares [2][]float64
	for side, units := range [][]int{c.f.treated, c.f.comparison} {
		eventsBefore, exposureBefore, _ := c.d.counts.sum(units, before)
		eventsAfter, exposureAfter, _ := c.d.counts.sum(units, after)
		if eventsBefore == 0 || eventsAfter == 0 {
			return missing(methodPoisson, titlePoisson, UnitRatio, "a window had no event, so there is no ratio")
		}
		rateBefore, rateAfter := eventsBefore/exposureBefore, eventsAfter/exposureAfter
		for _, u := range units {
			b, eb, _ := c.d.counts.sum([]int{u}, before)
			a, ea, _ := c.d.counts.sum([]int{u}, after)
			influence := (a-rateAfter*ea)/eventsAfter - (b-rateBefore*eb)/eventsBefore
			shares[side] = append(shares[side], math.Log(rateAfter/rateBefore)+float64(len(units))*influence)
		}
	}
	point := mean(shares[0]) - mean(shares[1])
	cc := &comparison{f: c.f, d: c.d}
	e := cc.bootstrapped(methodPoisson, titlePoisson, UnitRatio, point, shares[0], shares[1]).asRatio()
	return e.say("")
}

// noSay is the exact interval beside one that lets units differ.
func (c *countComparison) noSay(exact Effect) Effect {
	exact.Admissible = false
	exact.Notes = append(exact.Notes, fmt.Sprintf("It takes events to be independent, and does not let %s differ, so the verdict does not rest on it.", plural(2, c.f.pilot.UnitNoun)))
	return exact
}

// poisson is the ratio of rates of a design with several starts, with unit and
// period effects; a reason where the choice refuses it.
func (s *staggered) poisson(c choice) Effect {
	if c.headline() != methodPoisson {
		return missing(methodPoisson, titleRates, UnitRatio, inWords(trimStop(c.of(methodPoisson).Reasons[0]), s.f.pilot))
	}
	counts := s.d.counts
	exposed := func(u, t int) (float64, bool) {
		_, e, seen := counts.sum([]int{u}, []int{t})
		return e, seen > 0 && e > 0
	}
	units, kept := slices.Concat(s.f.treated, s.f.comparison), s.d.over(s.f.kept)
	panel, _ := s.f.panelOf(units, kept, func(u, t int) (float64, bool) {
		_, ok := exposed(u, t)
		return counts.events[u][t], ok
	})
	exposure, _ := s.f.panelOf(units, kept, exposed)
	r, err := did.PoissonRatio(panel, did.PoissonOptions{Level: level, Exposure: exposure.Y})
	if err != nil {
		return missing(methodPoisson, titleRates, UnitRatio, s.words(err.Error()))
	}
	e := newEffect(methodPoisson, titleRates, UnitRatio, r.Effect.Value, r.Effect).asRatio()
	e.Admissible = r.Effect.HasSE
	if !r.Effect.HasSE {
		e.Missing = "no interval: " + trimStop(s.words(r.Refusal))
	}
	if why := s.trusted(); why != "" {
		e.Admissible = false
		e.Notes = append(e.Notes, why)
	}
	e.Notes = append(e.Notes, s.inPilotWords(r.Warnings)...)
	return e.say("")
}
