package estimate

import (
	"fmt"

	"steelyard/metrics/did"
)

var crossFitT = method{name: "cross-fit-t", takes: []string{"folds"}, run: runCrossFitT}

// defaultFolds is the K of the cross-fit t-test that reports use.
const defaultFolds = 3

func runCrossFitT(t *task) error {
	s, err := t.oneStart(true)
	if err != nil {
		return err
	}
	folds := deref(t.o.Folds, defaultFolds)
	t.took("folds", folds)
	r, err := did.CrossFitGap(s.Gap, s.Before, folds, 0)
	if err != nil {
		return err
	}
	t.add("effect", r.Estimate)
	t.addNumber("difference", change(s.Gap, s.Before))
	for k, effect := range r.Folds {
		t.addNumber(fmt.Sprintf("fold:%d", k+1), effect)
	}
	return nil
}
