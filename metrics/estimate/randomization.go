package estimate

import (
	"cmp"

	"steelyard/metrics/did"
)

var randomization = method{name: "randomization", takes: []string{"draws", "seed"}, run: runRandomization}

func runRandomization(t *task) error {
	s, err := t.oneStart(false)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		term      string
		statistic did.RandomizationStatistic
	}{
		{"effect", did.MeanDifference}, {"effect:studentised", did.StudentisedDifference},
	} {
		r, err := did.Randomization(s.Changes, s.Marks, did.RandomizationOptions{Statistic: c.statistic, Draws: t.o.draws(), Seed: t.o.seed()})
		if err != nil && c.statistic == did.MeanDifference {
			return err
		}
		if err != nil {
			t.warn("%s: %v", c.term, err)
			continue
		}
		out := Result{Term: c.term, Estimate: number(r.Value), P: number(r.P)}
		if r.HasInterval {
			out.CI = interval{low: r.Low, high: r.High}.ends()
		}
		t.a.Results = append(t.a.Results, out)
		if !r.Exact {
			t.took("draws", cmp.Or(t.o.draws(), r.Assignments-1)) // the true one counts, too
			t.tookSeed()
		}
		if c.statistic == did.MeanDifference {
			t.addNumber("p:floor", r.Floor)
		}
	}
	return nil
}
