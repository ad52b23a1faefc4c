package estimate

import (
	"steelyard/metrics"
	"steelyard/metrics/did"
)

var randomized = method{
	name:  "randomized",
	takes: []string{"covariates", "cluster", "draws", "seed"},
	run:   runRandomized,
	tasks: runRandomized,
}

func runRandomized(t *task) error {
	d := t.d
	if d.treated == nil {
		return refuse(ErrColumns, "name the column with --treated COL", "a column must say which tasks were treated (1) and which not (0)")
	}
	if !d.tasks() {
		d.sortRows() // whatever order they stand in
	}
	r, err := did.Randomized(d.lots(), did.RandomizedOptions{Wild: did.WildOptions{Draws: t.o.draws(), Seed: t.o.seed()}})
	if err != nil {
		return err
	}
	if s := d.outcome.scale; s != metrics.ScaleLog && s != metrics.ScaleLogged {
		t.warn("the outcome is taken for a logarithm: give it the scale log where it is a time (--outcome %s:log), or logged where it is a logarithm", d.outcome.name)
	}
	if r.Clustered != nil {
		t.percentEffect("clustered", *r.Clustered, false)
	}
	t.refusal("clustered", r.Refusal)
	if r.Wild != nil {
		t.wild("effect:wild-bootstrap", r.Wild, false)
	}
	t.percentEffect("hc3", r.HC3, r.Clustered != nil)
	t.percentEffect("homoskedastic", r.Homoskedastic, true)
	t.addNumber("tasks:treated", float64(r.Treated))
	t.addNumber("tasks:others", float64(r.Tasks-r.Treated))
	return nil
}

// percentEffect appends a difference of logarithms and what it comes to in
// percent.
func (t *task) percentEffect(kind string, e did.LogEffect, side bool) {
	t.result("effect:"+kind, e.Log, side)
	percent := Result{Term: "percent:" + kind, Estimate: number(e.Percent), side: side}
	if e.Log.HasSE {
		percent.CI, percent.P = interval{low: e.PercentLow, high: e.PercentHigh}.ends(), number(e.Log.P)
	}
	t.a.Results = append(t.a.Results, percent)
}

// lots are the rows as tasks that were assigned by lot.
func (d *Data) lots() did.Tasks {
	return did.Tasks{Y: d.panel.Y, Treated: d.treated, X: d.panel.X, Cluster: d.cluster}
}
