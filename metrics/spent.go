package metrics

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Spent is what one side's assistants cost after the start, per merged pull
// request. It is never part of a verdict: what a pull request is worth is not
// known here.
type Spent struct {
	Label  string  `json:"label"`
	Unit   string  `json:"unit"` // "credits", or a currency's code
	Amount float64 `json:"amount"`
	// From and To bound the days counted, half-open: those of the window after
	// the start for which there are costs.
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	// Merged are the side's pull requests merged on those days, by teams that
	// have costs.
	Merged   int      `json:"merged"`
	PerMerge *float64 `json:"per_merge"` // nil where nothing was merged
	Text     string   `json:"text"`
}

// addSpent reads the costs of the pilot's teams and puts them beside the
// report.
func (r *Reporter) addSpent(ctx context.Context, report *Report, others []string) error {
	store, ok := r.store.(CostStore)
	p := report.Definition.Pilot
	if !ok || p.Level != LevelPullRequests || report.Metrics[0].refused {
		return nil
	}
	treated, _, start := sidesOf(p)
	after := Window{From: later(start, p.After.From), To: p.After.To}
	for _, side := range []struct {
		label string
		teams []string
	}{{sideLabel(p), treated}, {"comparison", others}} {
		if len(side.teams) == 0 {
			continue
		}
		costs, err := store.Costs(ctx, side.teams, after)
		if err != nil {
			return fmt.Errorf("read the costs of %q: %w", p.ID, err)
		}
		for _, unit := range unitsOf(costs) {
			s, err := spent(ctx, store, p, side.label, unit, costs)
			if err != nil {
				return fmt.Errorf("count the merges of %q: %w", p.ID, err)
			}
			report.Spent = append(report.Spent, s)
		}
	}
	return nil
}

func unitsOf(costs []Cost) []string {
	var out []string
	for _, c := range costs {
		if !slices.Contains(out, c.Unit) {
			out = append(out, c.Unit)
		}
	}
	slices.Sort(out)
	return out
}

// spent adds up a side's costs in one unit.
func spent(ctx context.Context, store CostStore, p Pilot, label, unit string, costs []Cost) (Spent, error) {
	s := Spent{Label: label, Unit: unit}
	var teams []string
	for _, c := range costs {
		if c.Unit != unit {
			continue
		}
		s.Amount += c.Amount
		if s.From.IsZero() || c.Day.Before(s.From) {
			s.From = c.Day
		}
		s.To = later(s.To, c.Day.AddDate(0, 0, 1))
		if !slices.Contains(teams, c.Team) {
			teams = append(teams, c.Team)
		}
	}
	var err error
	if s.Merged, err = store.MergesOf(ctx, teams, Window{From: s.From, To: s.To}); err != nil {
		return s, err
	}
	s.Text = fmt.Sprintf("%s %s from %s to %s, and %s by %s", FormatNumber(s.Amount), unit, FormatDate(s.From), FormatDate(s.To.AddDate(0, 0, -1)),
		counted(s.Merged, "merged pull request"), counted(len(teams), p.UnitNoun))
	if s.Merged > 0 {
		s.PerMerge = finitePtr(s.Amount / float64(s.Merged))
		s.Text += fmt.Sprintf(": %s %s each", FormatNumber(*s.PerMerge), unit)
	}
	return s, nil
}

// Section is a part of a report that stands beside its numbers and decides
// nothing.
type Section struct {
	Title string
	Facts []Fact
}

// Beside are the parts of the report that describe and decide nothing: how many
// pull requests carried an assistant's marks, what GitHub says of use, what
// people felt, what was spent.
func (r *Report) Beside() []Section {
	var out []Section
	if r.Exposure != nil {
		out = append(out, Section{"Assistants’ marks", r.Exposure.facts()})
	}
	if r.Use != nil {
		out = append(out, Section{"What GitHub says of use", r.Use.facts()})
	}
	if r.Felt != nil {
		out = append(out, Section{"What people felt", r.Felt.facts()})
	}
	if len(r.Spent) > 0 {
		var lines []Fact
		for _, s := range r.Spent {
			lines = append(lines, Fact{upperFirst(s.Label), s.Text})
		}
		out = append(out, Section{"What it cost", append(lines, Fact{"What it says", "No verdict rests on it: what a pull request is worth is not known here."})})
	}
	return out
}
