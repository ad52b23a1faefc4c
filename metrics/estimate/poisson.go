package estimate

import (
	"fmt"

	"steelyard/metrics/did"
	"steelyard/metrics/ingest"
)

var poisson = method{
	name:  "poisson",
	takes: []string{"covariates", "weights", "exposure", "cluster", "repeated-cross-sections"},
	run:   runPoisson,
}

func runPoisson(t *task) error {
	if err := t.d.neverNegative("is no rate of events", "counts and rates are 0 or more, and not logarithms"); err != nil {
		return err
	}
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

// neverNegative names the first row whose outcome is negative.
func (d *Data) neverNegative(problem, cure string) error {
	for i, y := range d.panel.Y {
		if y < 0 {
			return &ingest.LineError{
				File: d.file, Line: int(d.line[i]), Column: d.outcome.name, Value: fmt.Sprintf("%g", y), Problem: problem, Cure: cure,
			}
		}
	}
	return nil
}
