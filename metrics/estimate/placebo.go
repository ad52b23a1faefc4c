package estimate

import "steelyard/metrics/did"

var placebo = method{name: "placebo", page: "placebo-rank", run: runPlacebo}

func runPlacebo(t *task) error {
	s, err := t.oneUnit()
	if err != nil {
		return err
	}
	r, err := did.PlaceboRank(s.Changes, 0)
	if err != nil {
		return err
	}
	t.a.Results = append(t.a.Results, Result{Term: "effect", Estimate: number(r.Effects[0]), P: number(r.P)})
	if r.HasLeaveOut {
		t.a.Results = append(t.a.Results, Result{Term: "effect:treated-left-out", Estimate: number(r.Effects[0]), P: number(r.LeaveOutP), side: true})
	}
	t.addNumber("rank", float64(r.Rank))
	t.addNumber("p:floor", r.Floor)
	for i, u := range s.Units[1:] {
		t.addNumber("placebo:"+t.d.units[u], r.Effects[i+1])
	}
	return nil
}
