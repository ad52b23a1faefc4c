package metrics

import (
	"context"
	"fmt"
	"iter"
	"math"
	"time"
)

// AsOf is a store as it would have been at a moment in the past: what happened
// later had not happened yet. Definitions are today's. It holds what is needed
// for reports; what people felt, and what was spent, is not in it.
//
// Two things are asked of it: what a report said a week ago, and what a design
// could have seen before its start where the data already goes on after it.
func AsOf(s Store, at time.Time) Store {
	past := &past{Store: s, at: at.UTC()}
	if fast, ok := s.(MeasuredPullRequestStore); ok {
		return &measuredPast{past, fast}
	}
	return past
}

type past struct {
	Store
	at time.Time
}

// measuredPast is a past whose store reads pull requests fast.
type measuredPast struct {
	*past
	fast MeasuredPullRequestStore
}

// Revision adds the moment, so that reports of two moments are not taken for
// each other.
func (s *past) Revision(ctx context.Context) (string, error) {
	r, err := s.Store.Revision(ctx)
	return fmt.Sprintf("%s as of %d", r, s.at.UnixMilli()), err
}

// PullRequests yields those that had been opened, as they stood.
func (s *past) PullRequests(ctx context.Context, teams []string, w Window) iter.Seq2[PullRequest, error] {
	return s.cut(s.Store.PullRequests(ctx, teams, w))
}

// MeasuredPullRequests does the same.
func (s *measuredPast) MeasuredPullRequests(ctx context.Context, teams []string, w Window) iter.Seq2[PullRequest, error] {
	return s.cut(s.fast.MeasuredPullRequests(ctx, teams, w))
}

func (s *past) cut(all iter.Seq2[PullRequest, error]) iter.Seq2[PullRequest, error] {
	return func(yield func(PullRequest, error) bool) {
		for p, err := range all {
			if err == nil && !p.Opened.Before(s.at) {
				continue
			}
			if !yield(p.asOf(s.at), err) {
				return
			}
		}
	}
}

// asOf takes back what happened at t or later.
func (p PullRequest) asOf(t time.Time) PullRequest {
	for _, when := range []*time.Time{&p.Ready, &p.FirstReview, &p.Merged, &p.Closed, &p.RevertedAt, &p.Deployed} {
		if !when.Before(t) {
			*when = time.Time{}
		}
	}
	if p.Seen.After(t) {
		p.Seen = t
	}
	return p
}

// PullRequestSummary is that of the data as it was, but for its counts, which
// are today's.
func (s *past) PullRequestSummary(ctx context.Context) (PullRequestSummary, error) {
	sum, err := s.Store.PullRequestSummary(ctx)
	if sum.Last.After(s.at) {
		sum.Last = s.at.Add(-time.Millisecond)
	}
	for i := range sum.Imports {
		sum.Imports[i] = sum.Imports[i].asOf(s.at)
	}
	return sum, err
}

func (i Import) asOf(t time.Time) Import {
	if i.At.After(t) {
		i.At = t
	}
	if i.Until.After(t) {
		i.Until = t
	}
	return i
}

// Panel holds the periods that were over. Numbered periods have no date, so
// that a panel of them is refused.
func (s *past) Panel(ctx context.Context, pilot string) (*Panel, error) {
	p, err := s.Store.Panel(ctx, pilot)
	if err != nil {
		return nil, err
	}
	if p.Kind == PeriodInteger {
		return nil, fmt.Errorf("look at the panel of %q as it was: its periods are numbers and have no dates: %w", pilot, ErrNotFound)
	}
	return p.asOf(s.at), nil
}

// asOf is the panel without the periods that had not ended at t.
func (p *Panel) asOf(t time.Time) *Panel {
	last := p.Kind.At(t) // the period that holds t is not over
	if p.Kind == PeriodDay {
		last -= p.Step() - 1
	}
	out := &Panel{Kind: p.Kind, Units: p.Units, Outcomes: p.Outcomes, Import: p.Import.asOf(t), Values: make([][]float64, len(p.Values))}
	for i, period := range p.Period {
		if period >= last {
			continue
		}
		out.Unit, out.Period = append(out.Unit, p.Unit[i]), append(out.Period, period)
		if p.Exposure != nil {
			out.Exposure = append(out.Exposure, p.Exposure[i])
		}
		for k := range p.Values {
			out.Values[k] = append(out.Values[k], p.Values[k][i])
		}
	}
	out.Units = started(p.Units, last)
	return out
}

// started makes units that had not started yet into ones that never did: who
// would start later was not known.
func started(units []PanelUnit, last int) []PanelUnit {
	out := make([]PanelUnit, len(units))
	for i, u := range units {
		out[i] = u
		if u.FirstTreated >= last && u.FirstTreated < math.MaxInt32 {
			out[i].FirstTreated = Never
		}
	}
	return out
}
