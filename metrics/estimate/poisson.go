package estimate

import "steelyard/metrics/did"

var poisson = method{
	name:  "poisson",
	takes: []string{"covariates", "weights", "exposure", "cluster", "repeated-cross-sections"},
	run:   runPoisson,
}

func runPoisson(t *task) error {
	cluster, err := t.d.unitClusters()
	if err != nil {
		return err
	}
	r, err := did.PoissonRatio(t.d.panel, did.PoissonOptions{
		Exposure: t.d.exposure, Cluster: cluster, Repeats: t.o.RepeatedCrossSections,
	})
	if err != nil {
		return err
	}
	ratio := Result{Term: "ratio", Estimate: number(r.Ratio.Value)}
	if r.Effect.HasSE {
		ratio.CI = interval{low: r.Ratio.Low, high: r.Ratio.High, highOpen: r.Ratio.HighOpen}.ends()
		ratio.P = number(r.Effect.P)
	}
	t.a.Results = append(t.a.Results, ratio)
	t.addSide("log-ratio", r.Effect)
	t.refusal("ratio", r.Refusal)
	t.coefficients(r.Covariates)
	t.sample(r.Sample)
	t.warnAll(r.Warnings)
	return nil
}
