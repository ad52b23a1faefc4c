package estimate

import "steelyard/metrics/did"

var eventStudy = method{
	name:  "event-study",
	takes: []string{"covariates", "weights", "cluster", "horizons", "repeated-cross-sections"},
	run:   runEventStudy,
}

// runEventStudy bins events outside the horizons at their ends.
func runEventStudy(t *task) error {
	cluster, err := t.d.unitClusters()
	if err != nil {
		return err
	}
	o := did.EventStudyOptions{FixedEffectsOptions: did.FixedEffectsOptions{Cluster: cluster, Repeats: t.o.RepeatedCrossSections}}
	if h := t.o.Horizons; h != nil {
		if h.First > -2 || h.Last < 1 {
			return refuse(ErrOption, "give horizons from -2 or before to 1 or after",
				"--horizons %s bin the event study's ends, which must leave its reference, -1, and the start inside", h)
		}
		o.First, o.Last = h.First, h.Last
		t.took("horizons", h.String())
	}
	r, err := did.EventStudy(t.d.panel, o)
	if err != nil {
		return err
	}
	t.events("event", r.Points, false)
	t.refusal("event", r.Refusal)
	if r.PreTest != nil {
		t.addTest("pre-trend", *r.PreTest)
	}
	t.coefficients(r.Covariates)
	t.sample(r.Sample)
	t.warnAll(r.Warnings)
	return nil
}
