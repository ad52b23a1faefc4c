package estimate

import (
	"steelyard/metrics"
	"steelyard/metrics/did"
)

var power = method{
	name:    "power",
	takes:   []string{"covariates", "exposure", "cluster", "folds"},
	repeats: true,
	run:     runPower,
	tasks:   runPowerTasks,
}

// The size and the power that a detectable effect is of.
const (
	size      = 0.05
	wantPower = 0.8
)

// runPower gives the smallest effect that each fitting test of the design sees
// with 80 % power.
func runPower(t *task) error {
	d := t.d
	if d.outcome.scale == metrics.ScaleCount || d.exposure != nil {
		return t.powerOfCounts()
	}
	if len(d.covariates) > 0 {
		return refuse(ErrOption, "leave them out", "takes --covariates for tasks assigned by lot alone")
	}
	treated, err := d.treatedUnits()
	if err != nil {
		return err
	}
	if _, err := d.oneStart(); err != nil {
		return t.powerOfCohorts()
	}
	if err := t.powerOfOne(); err != nil {
		return err
	}
	if treated == 1 {
		return nil
	}
	cluster, err := d.unitClusters()
	if err != nil {
		return err
	}
	r, err := did.TwoByTwo(d.panel, did.TwoByTwoOptions{Cluster: cluster})
	if err != nil {
		return err
	}
	return t.detectable("detectable:two-by-two", r.Clustered)
}

// powerOfOne is about the tests for one treated unit.
func (t *task) powerOfOne() error {
	s, err := t.oneStart(true)
	if err != nil {
		return err
	}
	after := len(s.Periods) - s.Before
	folds := deref(t.o.Folds, defaultFolds)
	effect, err := did.CrossFitDetectable(s.Gap[:s.Before], after, folds, size, wantPower)
	t.took("folds", folds)
	t.addDetectable("detectable:cross-fit-t", effect, err)
	if len(s.Units)-len(s.Comparisons) > 1 {
		return nil
	}
	effect, err = did.DonaldLangDetectable(s.Changes[1:], size, wantPower)
	t.addDetectable("detectable:donald-lang", effect, err)
	return nil
}

// powerOfCohorts is about the headline of starts that differ.
func (t *task) powerOfCohorts() error {
	if t.o.Folds != nil {
		return refuse(ErrOption, "leave it out", "takes --folds where all units start at once")
	}
	g, err := t.groupTime(did.Varying)
	if err != nil {
		return err
	}
	simple, err := g.Simple()
	if err != nil {
		return err
	}
	t.dropped(g.Dropped)
	return t.detectable("detectable:callaway-santanna", simple.Estimate)
}

// powerOfCounts is about two windows of one side.
func (t *task) powerOfCounts() error {
	if t.o.Folds != nil {
		return refuse(ErrOption, "leave it out", "does not take --folds for counts")
	}
	d, start, err := t.twoWindows()
	if err != nil {
		return err
	}
	c, err := d.countCells(start)
	if err != nil {
		return err
	}
	for k, name := range cellNames {
		if k == treatedAfter {
			continue // the effect is in it
		}
		ratio, err := did.RateDetectable(c.events[k], size, wantPower)
		t.addDetectable("detectable-ratio:"+name, ratio, err)
	}
	t.warn("detectable-ratio: the smallest ratio to as many events as were counted there that the exact test of two groups of equal exposure sees; a ratio of ratios sees less")
	return nil
}

// runPowerTasks is about tasks assigned by lot.
func runPowerTasks(t *task) error {
	if t.o.Folds != nil {
		return refuse(ErrOption, "leave it out", "does not take --folds for tasks assigned by lot")
	}
	r, err := did.Randomized(t.d.lots(), did.RandomizedOptions{StudentT: true, Wild: did.WildOptions{NoInterval: true, Draws: 1, Enumerate: -1}})
	if err != nil {
		return err
	}
	e := r.HC3.Log
	if r.Clustered != nil {
		e = r.Clustered.Log
	}
	return t.detectable("detectable:randomized", e)
}

// detectable is the effect that a test with an estimate's error sees.
func (t *task) detectable(term string, e did.Estimate) error {
	if !e.HasSE {
		t.addMissing(term, "there is no standard error to judge by", false)
		return nil
	}
	effect, err := did.DetectableEffect(e.SE, e.DF, size, wantPower)
	if err != nil {
		return err
	}
	t.addPlain(term, effect)
	return nil
}

// addDetectable appends a detectable effect, or why there is none.
func (t *task) addDetectable(term string, effect float64, err error) {
	if err != nil {
		t.addMissing(term, err.Error(), false)
		return
	}
	t.addPlain(term, effect)
}
