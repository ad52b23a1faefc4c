package estimate

import (
	"cmp"

	"steelyard/metrics/did"
)

var wildBootstrap = method{
	name:  "wild-bootstrap",
	takes: []string{"covariates", "weights", "cluster", "draws", "seed", "repeated-cross-sections"},
	run:   runWildBootstrap,
	tasks: runWildTasks,
}

// webbClusters is under how many clusters signs alone give few different draws.
const webbClusters = 12

// runWildBootstrap imposes the null and flips signs, all ways where they can be
// enumerated; with few clusters Webb's six weights stand beside, and the
// unrestricted bootstrap always.
func runWildBootstrap(t *task) error {
	cluster, err := t.d.unitClusters()
	if err != nil {
		return err
	}
	o := did.WildOptions{Cluster: cluster, Draws: t.o.draws(), Seed: t.o.seed(), Repeats: t.o.RepeatedCrossSections}
	r, err := did.WildBootstrap(t.d.panel, o)
	if err != nil {
		return err
	}
	t.wild("effect", r, false)
	t.addNumber("t", r.T)
	if r.Clusters < webbClusters {
		o.Weights = did.Webb
		if err := t.alsoWild("effect:webb", o); err != nil {
			return err
		}
	}
	o.Weights, o.Unrestricted = did.Rademacher, true
	o.NoInterval = true
	return t.alsoWild("effect:unrestricted", o)
}

func (t *task) alsoWild(term string, o did.WildOptions) error {
	r, err := did.WildBootstrap(t.d.panel, o)
	if err != nil {
		return err
	}
	t.wild(term, r, true)
	return nil
}

// wild appends what a wild bootstrap says of an effect.
func (t *task) wild(term string, r *did.Wild, side bool) {
	out := Result{Term: term, Estimate: number(r.Value), P: number(r.P), side: side, step: 1 / float64(r.Draws)}
	if r.HasInterval {
		out.between(interval{r.Low, r.High, r.LowOpen, r.HighOpen})
	}
	t.a.Results = append(t.a.Results, out)
	if !r.Enumerated {
		t.took("draws", cmp.Or(t.o.draws(), r.Draws))
		t.tookSeed()
	}
}

// runWildTasks is the bootstrap over the people who did tasks that were
// assigned by lot.
func runWildTasks(t *task) error {
	if t.d.cluster == nil {
		return refuse(ErrColumns, "name the column with --cluster COL", "a column must say who did each task")
	}
	if t.d.panel.Weight != nil {
		return refuse(ErrOption, "leave it out", "does not take --weights for tasks assigned by lot")
	}
	r, err := did.Randomized(t.d.lots(), did.RandomizedOptions{Wild: did.WildOptions{Draws: t.o.draws(), Seed: t.o.seed()}})
	if err != nil {
		return err
	}
	if r.Wild == nil {
		return &did.Error{Code: did.ErrTooFewUnits, Detail: cmp.Or(r.Refusal, "there are too many clusters")}
	}
	t.wild("effect", r.Wild, false)
	return nil
}
