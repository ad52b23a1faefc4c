package metrics

import (
	"math"
	"time"
)

// CycleTimes are the parts of a merged pull request's way, in whole minutes,
// rounded up. A part is nil where it is not known or would be negative: the
// definitions are those of Apache DevLake (change_lead_time_calculator.go).
type CycleTimes struct {
	Coding *int // first commit authored → opened
	Pickup *int // opened → first review
	Review *int // first review → merged
	Deploy *int // merged → end of the first deployment that holds it
	// Cycle is coding + (opened → merged) + deploy; a part that is nil counts
	// as none.
	Cycle *int
}

// CycleTimes takes a pull request's way apart; all of it is nil before the
// merge.
func (p PullRequest) CycleTimes() CycleTimes {
	if p.Merged.IsZero() {
		return CycleTimes{}
	}
	c := CycleTimes{
		Coding: minutesBetween(p.FirstCommit, p.Opened),
		Pickup: minutesBetween(p.Opened, p.FirstReview),
		Review: minutesBetween(p.FirstReview, p.Merged),
		Deploy: minutesBetween(p.Merged, p.Deployed),
	}
	cycle := 0
	for _, part := range []*int{c.Coding, minutesBetween(p.Opened, p.Merged), c.Deploy} {
		if part != nil {
			cycle += *part
		}
	}
	c.Cycle = &cycle
	return c
}

// minutesBetween is nil where an end is not known or lies before the begin.
func minutesBetween(from, to time.Time) *int {
	if from.IsZero() || to.IsZero() || to.Before(from) {
		return nil
	}
	n := int(math.Ceil(to.Sub(from).Minutes()))
	return &n
}

// cycle is the two ends of the whole way. Where no deployments are known, it
// ends at the merge.
func (p *PullRequest) cycle() (begin, end time.Time) {
	begin, end = p.Opened, p.Merged
	if !p.FirstCommit.IsZero() && p.FirstCommit.Before(p.Opened) {
		begin = p.FirstCommit
	}
	if !p.Merged.IsZero() && p.Lacks&bitDeployed == 0 && !p.Deployed.Before(p.Merged) {
		end = p.Deployed
	} else if !p.Merged.IsZero() && p.Lacks&bitDeployed == 0 && p.Deployed.IsZero() {
		end = time.Time{}
	}
	return begin, end
}
