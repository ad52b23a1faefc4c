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
	r, err := did.SyntheticControls(panel, did.SyntheticOptions{Level: level, Seed: c.f.pilot.Seed})
	if err != nil {
		return missing(methodSynthetic, titleSynthetic, unit, err.Error())
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

// weights say what the mix is made of, without naming anyone.
func (c *comparison) weights(r *did.Synthetic) string {
	used, most := 0, 0.0
	for _, w := range r.Cohorts[0].UnitWeights {
		if w.Weight > 0.01 {
			used++
		}
		most = max(most, w.Weight)
	}
	return fmt.Sprintf("The comparison is a mix of %s of %s, the largest share %s; the interval comes from taking each of them as if it had been treated.",
		FormatCount(used), counted(len(c.others), c.f.pilot.UnitNoun), FormatPercent(100 * most)[1:])
}
