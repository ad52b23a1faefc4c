package metrics

import (
	"context"
	"fmt"
	"slices"
)

// Data says what all numbers rest on: every pilot's data set with its sources
// and what was left out of it, and the pull requests that are stored.
func (r *Reporter) Data(ctx context.Context) (*DataHealth, error) {
	defs, err := r.store.Pilots(ctx)
	if err != nil {
		return nil, fmt.Errorf("list pilots: %w", err)
	}
	summary, err := r.store.PullRequestSummary(ctx)
	if err != nil {
		return nil, fmt.Errorf("count pull requests: %w", err)
	}
	out := &DataHealth{DataSets: []DataSet{}, PullRequests: hideSmallTeams(summary)}
	if s, ok := r.store.(IngestStore); ok {
		ingest, err := s.Ingest(ctx)
		if err != nil {
			return nil, fmt.Errorf("look how far GitHub is known: %w", err)
		}
		if len(ingest.Repositories) > 0 {
			out.Ingest = &ingest
		}
	}
	if s, ok := r.store.(UseStore); ok {
		if out.Use, err = s.UseSources(ctx); err != nil {
			return nil, fmt.Errorf("look how far GitHub's figures on use are known: %w", err)
		}
	}
	for _, def := range defs {
		p := def.Pilot
		set := DataSet{Pilot: p.ID, Title: p.Title, Level: p.Level, Sources: p.Sources, LeftOut: []LeftOut{}}
		report, err := r.Report(ctx, p.ID)
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("look over data: %w", ctx.Err())
		case err != nil:
			set.Error = forPeople(err)
		default:
			set.fill(report)
		}
		out.DataSets = append(out.DataSets, set)
	}
	return out, nil
}

func (s *DataSet) fill(r *Report) {
	d := r.Design
	s.Import = r.Import
	p := r.Definition.Pilot
	s.Units, s.Periods, s.Used = d.TreatedUnits+d.ComparisonUnits, d.Span, d.Periods
	s.First, s.Last = d.FirstPeriod, d.Through
	s.UnitNoun, s.PeriodNoun = p.UnitNoun, p.PeriodNoun
	all := slices.Clone(r.LeftOut)
	for _, m := range r.Metrics {
		for _, l := range m.Sample.LeftOut {
			l.What += " of " + m.Outcome.Title
			all = append(all, l)
		}
	}
	s.LeftOut = mergeLeftOut(all)
}

// hideSmallTeams adds teams under five authors up into one line, and those
// whose authors are not known into another, because a number for them is, or
// may be, a number for a person. The lists are never nil, so that they are
// lists in JSON, too.
func hideSmallTeams(s PullRequestSummary) PullRequestSummary {
	var small, unknown TeamSize
	var nSmall, nUnknown int
	teams := make([]TeamSize, 0, len(s.Teams))
	for _, t := range s.Teams {
		switch {
		case t.Authors >= smallGroup:
			teams = append(teams, t)
		case t.Authors == 0:
			nUnknown++
			unknown.PullRequests += t.PullRequests
		default:
			nSmall++
			small.PullRequests += t.PullRequests
			small.Authors += t.Authors
		}
	}
	if nSmall > 0 {
		small.Team = fmt.Sprintf("%s under %d authors", counted(nSmall, "team"), smallGroup)
		teams = append(teams, small)
	}
	if nUnknown > 0 {
		unknown.Team = counted(nUnknown, "team") + " without a known author"
		teams = append(teams, unknown)
	}
	s.Teams = teams
	if s.Imports == nil {
		s.Imports = []Import{}
	}
	return s
}
