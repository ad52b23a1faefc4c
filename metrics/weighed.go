package metrics

import (
	"fmt"
	"slices"

	"steelyard/metrics/did"
)

const (
	methodSynthetic = "synthetic-did"
	titleSynthetic  = "Synthetic DiD, placebo errors"
)

// synthetic is synthetic difference in differences of one treated unit: the mix
// of the others that comes nearest to it before the start. It works on
// logarithms where changes read in percent.
func (c *comparison) synthetic() Effect {
	unit := UnitLevel
	if c.relative {
		unit = UnitPercent
	}
	panel, _ := c.f.panelOf(slices.Concat(c.treated, c.others), slices.Concat(c.before, c.after), func(u, t int) (float64, bool) { return c.sideAt([]int{u}, t) })
	r, err := did.SyntheticControls(panel, did.SyntheticOptions{Level: level, Seed: c.f.pilot.Seed, Placebos: placebos(len(c.others))})
	if err != nil {
		return missing(methodSynthetic, titleSynthetic, unit, inWords(err.Error(), c.f.pilot))
	}
	e := newEffect(methodSynthetic, titleSynthetic, UnitLevel, r.Estimate.Value, r.Estimate)
	if c.relative {
		e = e.asPercent()
	}
	e.Admissible = r.Estimate.HasSE
	if !r.Estimate.HasSE {
		e.Missing = fmt.Sprintf("no interval: it comes from comparison %s taken as if they had been treated, and these show no spread", plural(2, c.f.pilot.UnitNoun))
	}
	e.Notes = append(e.Notes, c.weights(r))
	if s := c.choice.design.SpreadRatio; s > spreadBound {
		e.Admissible = false
		e.Notes = append(e.Notes, fmt.Sprintf("Before the start the treated side varied %s times as much as the comparison; over %s times placebos of the others are too quiet to rest on.",
			FormatNumber(s), FormatNumber(spreadBound)))
	}
	return e.say(c.d.outcome.Unit)
}

// placebos is how many of n comparison units are taken as if they had been
// treated: 0, each of them, as long as that takes about a second.
func placebos(n int) int {
	const work, fewest = 30_000, 30
	if n*n <= work {
		return 0
	}
	return max(work/n, fewest)
}

// weights say what the mix is made of, without naming anyone.
func (c *comparison) weights(r *did.Synthetic) string {
	used, most := 0, 0.0
	for _, w := range r.Cohorts[0].UnitWeights {
		if w.Weight > 0.1/float64(len(c.others)) { // a tenth of an equal share
			used++
		}
		most = max(most, w.Weight)
	}
	taken := "each of them as if it had"
	if !r.EveryUnitOnce {
		taken = fmt.Sprintf("%s of them, drawn by lot, as if they had", FormatCount(len(r.Placebos)))
	}
	return fmt.Sprintf("The comparison is a mix of %s of %s, the largest share %s; the interval comes from taking %s been treated.",
		FormatCount(used), counted(len(c.others), c.f.pilot.UnitNoun), FormatPercent(100 * most)[1:], taken)
}
