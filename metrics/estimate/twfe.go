package estimate

import "steelyard/metrics/did"

var twfe = method{
	name:  "twfe",
	takes: []string{"covariates", "weights", "cluster", "repeated-cross-sections"},
	run:   runTWFE,
}

// fewClusters is up to how many clusters the bias-reduced errors stand beside
// the plain ones.
const fewClusters = 50

func runTWFE(t *task) error {
	cluster, err := t.d.unitClusters()
	if err != nil {
		return err
	}
	o := did.FixedEffectsOptions{Cluster: cluster, Repeats: t.o.RepeatedCrossSections}
	r, err := did.TwoWayFixedEffects(t.d.panel, o)
	if err != nil {
		return err
	}
	t.add("effect", r.Effect)
	t.refusal("effect", r.Refusal)
	if r.Effect.HasSE && r.Sample.Clusters <= fewClusters {
		o.Covariance = did.CR2
		if reduced, err := did.TwoWayFixedEffects(t.d.panel, o); err == nil {
			t.addSide("effect:cr2", reduced.Effect)
		} else {
			t.warn("effect:cr2: %v", err)
		}
	}
	t.coefficients(r.Covariates)
	if s := r.Staggered; s != nil {
		t.addNumber("negative-weight", s.NegativeWeight)
		if s.Bacon != nil {
			t.addNumber("forbidden-weight", s.Bacon.Forbidden())
		}
	}
	t.sample(r.Sample)
	t.warnAll(r.Warnings)
	return nil
}

// refusal warns that a term has no standard error.
func (t *task) refusal(term, why string) {
	if why != "" {
		t.warn("%s: no standard error: %s", term, why)
	}
}
