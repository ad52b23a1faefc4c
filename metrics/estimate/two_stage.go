package estimate

import "steelyard/metrics/did"

var twoStage = method{
	name:       "two-stage",
	takes:      []string{"covariates", "weights", "cluster", "aggregate", "horizons", "repeated-cross-sections"},
	aggregates: []string{"simple", "dynamic"},
	run:        runTwoStage,
}

func runTwoStage(t *task) error {
	cluster, err := t.d.unitClusters()
	if err != nil {
		return err
	}
	o := did.TwoStageOptions{Cluster: cluster, Repeats: t.o.RepeatedCrossSections}
	how, err := t.aggregate("simple")
	if err != nil {
		return err
	}
	o.Events = how == "dynamic"
	r, err := did.TwoStage(t.d.panel, o)
	if err != nil {
		return err
	}
	t.add("effect", r.Static)
	t.refusal("effect", r.Refusal)
	t.events("event", r.Events, true)
	t.coefficients(r.Covariates)
	t.a.N.Rows, t.a.N.Units = r.UsedRows, r.UsedUnits
	t.dropped(r.Dropped)
	return nil
}
