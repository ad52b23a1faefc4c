package web

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"steelyard/metrics"
)

// pilotForm is a definition as a person fills it in: every field is text, as
// it was typed. What the form does not show is taken from base.
type pilotForm struct {
	base metrics.Pilot

	ID, Title, Subject, Description    string
	Period, Smallest                   string
	BeforeFrom, BeforeTo               string
	AfterFrom, AfterTo                 string
	Treated                            []treatedRow
	LeftOut                            []leftOutRow
	Comparison                         []string
	Outcomes                           []outcomeRow
	WorkingHours, CanCountWorkingHours bool
}

type treatedRow struct{ Unit, Start string }

type leftOutRow struct{ From, To, Reason string }

// outcomeRow is something that can be measured, with its role in this pilot;
// an empty role leaves it out.
type outcomeRow struct {
	metrics.Outcome
	Definition string
	Chosen     string
}

// Panel reports whether the pilot is over an imported table, whose units and
// outcomes come with the data.
func (f pilotForm) Panel() bool { return f.base.Level == metrics.LevelPanel }

// Lists of the form show one empty row more than is filled in, so that another
// can be added without a script.
func (f pilotForm) treatedRows() []treatedRow { return append(slices.Clone(f.Treated), treatedRow{}) }

func (f pilotForm) leftOutRows() []leftOutRow { return append(slices.Clone(f.LeftOut), leftOutRow{}) }

// formOf is a definition as a form.
func formOf(p metrics.Pilot) pilotForm {
	f := pilotForm{
		base: p, ID: p.ID, Title: p.Title, Subject: p.Subject, Description: p.Description, Period: p.PeriodNoun,
		BeforeFrom: dayOf(p.Before.From), BeforeTo: dayOf(p.Before.To), AfterFrom: dayOf(p.After.From), AfterTo: dayOf(p.After.To),
		Comparison: p.Comparison, CanCountWorkingHours: p.Hours != nil, WorkingHours: p.Hours != nil,
	}
	if p.SmallestEffect > 0 {
		f.Smallest = strconv.FormatFloat(100*p.SmallestEffect, 'g', 6, 64)
	}
	for _, a := range p.Treated {
		f.Treated = append(f.Treated, treatedRow{a.Unit, dayOf(a.Start)})
	}
	for _, x := range p.LeftOut {
		f.LeftOut = append(f.LeftOut, leftOutRow{dayOf(x.From), dayOf(x.To), x.Reason})
	}
	for _, o := range p.Outcomes {
		f.Outcomes = append(f.Outcomes, outcomeRow{Outcome: o, Chosen: string(o.Role)})
	}
	if p.Level != metrics.LevelPanel {
		f.addCatalogue()
	}
	return f
}

// addCatalogue adds what else pull requests can be measured by.
func (f *pilotForm) addCatalogue() {
	for _, o := range metrics.Catalogue() {
		if !slices.ContainsFunc(f.Outcomes, func(r outcomeRow) bool { return r.ID == o.ID }) {
			f.Outcomes = append(f.Outcomes, outcomeRow{Outcome: o})
		}
	}
	for i := range f.Outcomes {
		if m, ok := metrics.CatalogueMetric(f.Outcomes[i].ID); ok {
			f.Outcomes[i].Definition = m.Definition
		}
	}
}

func dayOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// dayInput is the kind of field for a day: what is none stays as it was typed,
// which a browser's own field for days would drop.
func dayInput(value string) string {
	if _, err := time.Parse(time.DateOnly, value); err != nil && value != "" {
		return "text"
	}
	return "date"
}

// maxRows bounds the lists of a form.
const maxRows = 500

// filled is the form with what was typed. A box that is not ticked is not sent,
// so a whole form says so with the field "sent".
func (f pilotForm) filled(v url.Values) pilotForm {
	whole := v.Has("sent")
	for name, field := range map[string]*string{
		"title": &f.Title, "subject": &f.Subject, "description": &f.Description, "period_noun": &f.Period,
		"smallest_effect": &f.Smallest, "before.from": &f.BeforeFrom, "before.to": &f.BeforeTo, "after.from": &f.AfterFrom, "after.to": &f.AfterTo,
	} {
		if v.Has(name) || whole {
			*field = strings.TrimSpace(v.Get(name))
		}
	}
	if f.base.ID == "" {
		f.ID = strings.TrimSpace(v.Get("id"))
	}
	if f.ID == "" && f.Title != "" {
		f.ID = idOf(f.Title)
	}
	if units := v["treated.unit"]; len(units) > 0 || whole {
		f.Treated = nil
		for i, unit := range units[:min(len(units), maxRows)] {
			if r := (treatedRow{strings.TrimSpace(unit), at2(v["treated.start"], i)}); r != (treatedRow{}) {
				f.Treated = append(f.Treated, r)
			}
		}
	}
	if reasons := v["left_out.reason"]; len(reasons) > 0 || whole {
		f.LeftOut = nil
		for i, reason := range reasons[:min(len(reasons), maxRows)] {
			if r := (leftOutRow{at2(v["left_out.from"], i), at2(v["left_out.to"], i), strings.TrimSpace(reason)}); r != (leftOutRow{}) {
				f.LeftOut = append(f.LeftOut, r)
			}
		}
	}
	if whole || v.Has("comparison") {
		f.Comparison = v["comparison"]
	}
	if whole {
		f.WorkingHours = v.Has("hours")
	}
	f.Outcomes = slices.Clone(f.Outcomes)
	for i := range f.Outcomes {
		if name := "outcome." + f.Outcomes[i].ID; v.Has(name) || whole {
			f.Outcomes[i].Chosen = v.Get(name)
		}
	}
	return f
}

func at2(all []string, i int) string {
	if i >= len(all) {
		return ""
	}
	return strings.TrimSpace(all[i])
}

// idOf makes an id of a name: "Payments tries it" is "payments-tries-it".
func idOf(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	id := strings.Join(words, "-")
	return strings.TrimRight(id[:min(len(id), 64)], "-")
}

// pilot is the definition that the form stands for, or its first mistake.
func (f pilotForm) pilot() (metrics.Pilot, *formFault) {
	p := f.base
	p.ID, p.Title, p.Subject, p.Description = f.ID, f.Title, f.Subject, f.Description
	if f.Title == "" {
		return p, &formFault{Anchor: "title", Text: "The name is missing.", Cure: "Give the one that people read."}
	}
	if p.ID == "new" {
		return p, &formFault{Anchor: "id", Text: "The id “new” is the address of this form.", Cure: "Choose another."}
	}
	days := &dayReader{}
	p.Before = metrics.Window{From: days.read("before", f.BeforeFrom), To: days.read("before", f.BeforeTo)}
	p.After = metrics.Window{From: days.read("after", f.AfterFrom), To: days.read("after", f.AfterTo)}
	p.LeftOut = nil
	for _, x := range f.LeftOut {
		p.LeftOut = append(p.LeftOut, metrics.Exclusion{Window: metrics.Window{From: days.read("left_out", x.From), To: days.read("left_out", x.To)}, Reason: x.Reason})
	}
	if !f.Panel() {
		p.Level, p.UnitNoun = metrics.LevelPullRequests, orElse(p.UnitNoun, "team")
		p.PeriodNoun, p.Comparison, p.Treated = orElse(f.Period, "week"), nil, nil
		for _, r := range f.Treated {
			p.Treated = append(p.Treated, metrics.Adoption{Unit: r.Unit, Start: days.read("treated", r.Start)})
		}
		for _, c := range f.Comparison {
			if !slices.ContainsFunc(p.Treated, func(a metrics.Adoption) bool { return a.Unit == c }) {
				p.Comparison = append(p.Comparison, c)
			}
		}
		if !f.WorkingHours {
			p.Hours = nil
		}
	}
	if days.fault != nil {
		return p, days.fault
	}
	share, fault := f.smallest()
	if fault != nil {
		return p, fault
	}
	p.SmallestEffect = share
	if p.Outcomes, fault = f.outcomes(); fault != nil {
		return p, fault
	}
	var field *metrics.FieldError
	if err := p.Validate(); errors.As(err, &field) {
		return p, faultOfField(field)
	} else if err != nil {
		return p, &formFault{Anchor: "title", Text: err.Error()}
	}
	return p, nil
}

// smallest is the smallest effect worth having as a share.
func (f pilotForm) smallest() (float64, *formFault) {
	if f.Smallest == "" {
		return metrics.DefaultSmallestEffect, nil
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimRight(strings.Replace(f.Smallest, ",", ".", 1), "% ")), 64)
	if err != nil || !(x >= 0 && x <= 100) {
		return 0, &formFault{Anchor: "smallest_effect", Text: "The smallest effect worth having is not a number from 0 to 100.", Cure: "Write 10 for ten percent."}
	}
	if kept := f.base.SmallestEffect; f.Smallest == strconv.FormatFloat(100*kept, 'g', 6, 64) {
		return kept, nil // not rounded on its way through the form
	}
	return x / 100, nil
}

// outcomes are the chosen ones, the primary one first.
func (f pilotForm) outcomes() ([]metrics.Outcome, *formFault) {
	var primary, others []metrics.Outcome
	for _, r := range f.Outcomes {
		o := r.Outcome
		switch o.Role = metrics.Role(r.Chosen); o.Role {
		case "":
		case metrics.RolePrimary:
			primary = append(primary, o)
		default:
			others = append(others, o)
		}
	}
	if len(primary) != 1 {
		return nil, &formFault{Anchor: "outcomes", Text: "Exactly one metric decides: the primary one.", Cure: "Choose it where it says what is measured."}
	}
	return append(primary, others...), nil
}

// dayReader reads days and keeps the first mistake.
type dayReader struct{ fault *formFault }

func (r *dayReader) read(anchor, s string) time.Time {
	if s == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil && r.fault == nil {
		r.fault = &formFault{Anchor: anchor, Text: "“" + clipped(s) + "” is not a day.", Cure: "Write it as 2026-08-03."}
	}
	return t
}

// clipped bounds what is shown of what was typed.
func clipped(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// teamChoice is a team that can be compared with.
type teamChoice struct {
	Name   string
	Chosen bool
}

// teamChoices are the teams there are, with those that were chosen and are not
// stored.
func teamChoices(all, chosen []string) []teamChoice {
	var out []teamChoice
	for _, t := range all {
		out = append(out, teamChoice{t, slices.Contains(chosen, t)})
	}
	for _, t := range chosen {
		if !slices.Contains(all, t) {
			out = append(out, teamChoice{t, true})
		}
	}
	return out
}

type roleChoice struct {
	Role metrics.Role
	Word string
}

// roleChoices are the roles that a metric may have: one without a worse side
// cannot be a counter-metric, and a panel's outcomes cannot be left out.
func roleChoices(o outcomeRow) []roleChoice {
	out := []roleChoice{{"", "not measured"}, {metrics.RolePrimary, "primary: it decides"}, {metrics.RoleSecondary, "secondary"}}
	if o.Better != metrics.BetterNeutral {
		out = append(out, roleChoice{metrics.RoleCounter, "counter-metric"})
	}
	return out
}

// plain writes the names of a definition's fields as words.
func plain(fields []string) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = strings.ReplaceAll(f, "_", " ")
	}
	return out
}
