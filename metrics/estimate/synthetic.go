package estimate

import "steelyard/metrics/did"

var syntheticControl = method{
	name: "synthetic-control", page: "synthetic-did",
	takes: []string{"draws", "seed"},
	run:   func(t *task) error { return t.synthetic(did.SyntheticControl) },
}

var syntheticDiD = method{
	name:  "synthetic-did",
	takes: []string{"draws", "seed"},
	run:   func(t *task) error { return t.synthetic(did.SyntheticDiD) },
}

// shownWeight is the smallest weight of a unit or period that is listed.
const shownWeight = 0.01

func (t *task) synthetic(how did.SyntheticMethod) error {
	if err := t.d.checkGrid(true); err != nil {
		return err
	}
	r, err := did.SyntheticControls(t.d.panel, did.SyntheticOptions{Method: how, Placebos: t.o.draws(), Seed: t.o.seed()})
	if err != nil {
		return err
	}
	t.add("effect", r.Estimate)
	if r.EveryUnitOnce {
		t.a.Results = append(t.a.Results, Result{Term: "placebo-rank", Estimate: number(r.Estimate.Value), P: number(r.P), side: true})
	} else if len(r.Placebos) > 0 {
		t.took("draws", len(r.Placebos))
		t.tookSeed()
	}
	for _, c := range r.Cohorts {
		suffix := ""
		if len(r.Cohorts) > 1 {
			suffix = " in " + t.d.label(c.First)
			t.addNumber("effect:"+t.d.label(c.First), c.Effect)
		}
		for _, w := range c.UnitWeights {
			if w.Weight >= shownWeight {
				t.addNumber("weight:"+t.d.units[w.Unit]+suffix, w.Weight)
			}
		}
		for _, w := range c.PeriodWeights {
			if w.Weight >= shownWeight {
				t.addNumber("weight:"+t.d.label(w.Period)+suffix, w.Weight)
			}
		}
	}
	t.dropped(r.Dropped)
	t.warnAll(r.Warnings)
	return nil
}
