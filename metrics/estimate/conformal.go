package estimate

import (
	"cmp"

	"steelyard/metrics/did"
)

var conformal = method{name: "conformal", takes: []string{"draws", "seed"}, run: runConformal}

func runConformal(t *task) error {
	s, err := t.oneStart(true)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		term   string
		scheme did.ConformalScheme
	}{
		{"effect", did.MovingBlocks}, {"effect:all-permutations", did.AllPermutations},
	} {
		r, err := did.Conformal(s.Gap, s.Before, did.ConformalOptions{Scheme: c.scheme, Draws: t.o.draws(), Seed: t.o.seed()})
		if err != nil && c.scheme == did.MovingBlocks {
			return err
		}
		if err != nil {
			t.warn("%s: %v", c.term, err)
			continue
		}
		out := Result{Term: c.term, Estimate: number(r.Value), P: number(r.P), side: c.scheme != did.MovingBlocks}
		if r.NoInterval == "" {
			out.between(interval{r.Low, r.High, r.LowOpen, r.HighOpen})
		} else {
			t.warn("%s: no interval: %s", c.term, r.NoInterval)
		}
		if !r.Exact {
			t.took("draws", cmp.Or(t.o.draws(), r.Arrangements-1)) // the true one counts, too
			t.tookSeed()
		}
		t.a.Results = append(t.a.Results, out)
	}
	return nil
}
