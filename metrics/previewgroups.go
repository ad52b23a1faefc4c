package metrics

import (
	"context"
	"fmt"
	"slices"
)

// largeAlone leaves the teams with fewer than five authors out of a pilot that
// is looked ahead at, and says how many those are. Anybody may look ahead, with
// any teams and windows: what a comparison with such a team has and the one
// without it has not would be that team's alone. problem is why nothing can be
// said; "" where it can.
func (r *Reporter) largeAlone(ctx context.Context, p Pilot) (_ Pilot, leftOut int, problem string, err error) {
	lister, ok := listerOf(r.store)
	if !ok {
		return p, 0, "", nil
	}
	all, err := r.pullTeams(ctx, p)
	if err != nil {
		return p, 0, "", err
	}
	q := PullQuery{Window: Window{From: p.Before.From, To: p.After.To}, Limit: 1}
	for _, t := range all {
		q.Teams = append(q.Teams, t.Name)
	}
	page, err := lister.ListPulls(ctx, q)
	if err != nil {
		return p, 0, "", err
	}
	if len(page.Small) == 0 {
		return p, 0, "", nil
	}
	p.Comparison = nil
	for _, t := range all {
		switch small := slices.Contains(page.Small, t.Name); {
		case small && t.Side == SidePilot:
			return p, 0, fmt.Sprintf("%s has fewer than five authors in that time; groups under five are not shown on their own, because a number for them is a number for a person.", t.Name), nil
		case small:
			leftOut++
		case t.Side == SideComparison:
			p.Comparison = append(p.Comparison, t.Name)
		}
	}
	if len(p.Comparison) == 0 {
		problem = "No team of the comparison has five authors in that time; groups under five are not shown on their own, because a number for them is a number for a person."
	}
	return p, leftOut, problem, nil
}

// listerOf is what lists the pull requests of a store, also of one that is
// looked at as it was.
func listerOf(s Store) (PullLister, bool) {
	switch was := s.(type) {
	case *past:
		return listerOf(was.Store)
	case *measuredPast:
		return listerOf(was.Store)
	}
	lister, ok := s.(PullLister)
	return lister, ok
}
