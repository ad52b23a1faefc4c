package main

import (
	"errors"
	"fmt"
	"time"

	"steelyard/internal/config"
	"steelyard/metrics"
)

// toPilot turns a definition as it was written into the domain's value, fills
// in what the catalogue knows, and checks it. A mistake is a problem at its
// place in the file.
func toPilot(f *config.PilotFile, smallest float64) (metrics.Pilot, error) {
	p := metrics.Pilot{
		ID: f.ID, Title: f.Title, Subject: f.Subject, Description: f.Description,
		Level: metrics.Level(f.Level), UnitNoun: f.UnitNoun, PeriodNoun: f.PeriodNoun,
		Comparison: f.Comparison, SmallestEffect: smallest, Seed: f.Seed,
	}
	if f.SmallestEffect != nil {
		p.SmallestEffect = *f.SmallestEffect
	}
	if err := addDays(&p, f); err != nil {
		return p, err
	}
	for _, s := range f.Sources {
		p.Sources = append(p.Sources, metrics.Source(s))
	}
	p.Hours = toHours(f.Hours)
	for i, o := range f.Outcomes {
		p.Outcomes = append(p.Outcomes, metrics.Outcome{
			ID: o.ID, Title: o.Title, Unit: o.Unit, Better: metrics.Better(o.Better),
			Scale: metrics.Scale(o.Scale), Role: metrics.Role(o.Role),
		})
		if i == 0 && o.Role == "" {
			p.Outcomes[0].Role = metrics.RolePrimary
		}
	}
	complete(&p)
	err := p.Validate()
	var field *metrics.FieldError
	if errors.As(err, &field) {
		return p, config.Problems{f.Place(field.Field, fmt.Sprintf("%s: %q %s", field.Field, field.Value, field.Problem), field.Cure)}
	}
	return p, err
}

// toHours turns hours as they were written into the domain's; nil where
// elapsed time counts.
func toHours(h *config.PilotHours) *metrics.WorkingHours {
	if h == nil || h.Count == config.Elapsed {
		return nil
	}
	out := &metrics.WorkingHours{Calendar: metrics.Calendar(h.PilotWeek)}
	for _, t := range h.Teams {
		out.Teams = append(out.Teams, metrics.TeamCalendar{Team: t.Team, Calendar: metrics.Calendar(t.PilotWeek)})
	}
	return out
}

// hoursFile is the reverse of [toHours].
func hoursFile(h *metrics.WorkingHours) *config.PilotHours {
	if h == nil {
		return nil
	}
	out := &config.PilotHours{Count: config.Working, PilotWeek: config.PilotWeek(h.Calendar)}
	for _, t := range h.Teams {
		out.Teams = append(out.Teams, config.PilotTeamHours{Team: t.Team, PilotWeek: config.PilotWeek(t.Calendar)})
	}
	return out
}

// addDays reads every day of the definition.
func addDays(p *metrics.Pilot, f *config.PilotFile) error {
	var problems config.Problems
	day := func(field, text string) time.Time {
		if text == "" {
			return time.Time{}
		}
		t, err := config.ParseDay(text)
		if err != nil {
			problems = append(problems, f.Place(field, field+": "+err.Error(), ""))
		}
		return t
	}
	window := func(field, from, to string) metrics.Window {
		return metrics.Window{From: day(field+".from", from), To: day(field+".to", to)}
	}
	for i, t := range f.Treated {
		p.Treated = append(p.Treated, metrics.Adoption{Unit: t.Unit, Start: day(fmt.Sprintf("treated[%d].start", i), t.Start)})
	}
	p.Before = window("before", f.Before.From, f.Before.To)
	p.After = window("after", f.After.From, f.After.To)
	for i, x := range f.LeftOut {
		p.LeftOut = append(p.LeftOut, metrics.Exclusion{
			Window: window(fmt.Sprintf("left_out[%d]", i), x.From, x.To), Reason: x.Reason,
		})
	}
	if problems != nil {
		return problems
	}
	return nil
}

// complete fills in what a definition over pull requests may leave out.
func complete(p *metrics.Pilot) {
	if p.Level == "" {
		p.Level = metrics.LevelPullRequests
	}
	if p.Title == "" {
		p.Title = p.ID
	}
	if p.Level != metrics.LevelPullRequests {
		completeRoles(p)
		return
	}
	if p.UnitNoun == "" {
		p.UnitNoun = "team"
	}
	if p.PeriodNoun == "" {
		p.PeriodNoun = "week"
	}
	for i, o := range p.Outcomes {
		known, ok := metrics.CatalogueOutcome(o.ID)
		if !ok { // the check says so, with what there is
			known.Better, known.Role = metrics.BetterNeutral, metrics.RoleSecondary
		}
		if o.Title == "" {
			o.Title = known.Title
		}
		if o.Unit == "" {
			o.Unit = known.Unit
		}
		if o.Better == "" {
			o.Better = known.Better
		}
		if o.Role == "" {
			o.Role = known.Role
		}
		p.Outcomes[i] = o
	}
}

func completeRoles(p *metrics.Pilot) {
	for i := range p.Outcomes {
		if p.Outcomes[i].Role == "" {
			p.Outcomes[i].Role = metrics.RoleSecondary
		}
	}
}

// pilotFile is a definition as a file has it.
func pilotFile(p metrics.Pilot) *config.PilotFile {
	smallest := p.SmallestEffect
	f := &config.PilotFile{
		ID: p.ID, Title: p.Title, Subject: p.Subject, Description: p.Description,
		Level: string(p.Level), UnitNoun: p.UnitNoun, PeriodNoun: p.PeriodNoun,
		Comparison: p.Comparison, SmallestEffect: &smallest, Seed: p.Seed,
		Before: config.PilotWindow{From: dayText(p.Before.From), To: dayText(p.Before.To)},
		After:  config.PilotWindow{From: dayText(p.After.From), To: dayText(p.After.To)},
	}
	f.Hours = hoursFile(p.Hours)
	for _, t := range p.Treated {
		f.Treated = append(f.Treated, config.PilotAdoption{Unit: t.Unit, Start: dayText(t.Start)})
	}
	for _, x := range p.LeftOut {
		f.LeftOut = append(f.LeftOut, config.PilotExclusion{From: dayText(x.From), To: dayText(x.To), Reason: x.Reason})
	}
	for _, o := range p.Outcomes {
		f.Outcomes = append(f.Outcomes, config.PilotOutcome{
			ID: o.ID, Title: o.Title, Unit: o.Unit, Better: string(o.Better), Scale: string(o.Scale), Role: string(o.Role),
		})
	}
	for _, s := range p.Sources {
		f.Sources = append(f.Sources, config.PilotSource(s))
	}
	return f
}

// dayText is a day as it is written, with its time where it is not midnight.
func dayText(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case t.UTC().Truncate(24 * time.Hour).Equal(t):
		return t.UTC().Format(time.DateOnly)
	}
	return t.UTC().Format(time.RFC3339)
}
