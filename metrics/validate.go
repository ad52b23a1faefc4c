package metrics

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Bounds of a definition, so that a hostile or mistaken file cannot grow one
// without end.
const (
	maxName     = 200
	maxText     = 2000
	maxNoun     = 40
	maxOutcomes = 50
	maxUnits    = 20_000
	maxLeftOut  = 100
	maxSources  = 20
)

// DefaultSmallestEffect is the smallest relative effect worth having where a
// pilot names none.
const DefaultSmallestEffect = 0.10

var (
	pilotID   = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)
	outcomeID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
)

// FieldError says which field of a definition is wrong and how to mend it.
type FieldError struct {
	Field   string // "outcomes[1].scale"
	Value   string
	Problem string
	Cure    string
}

// Error is one line: field, value, problem and cure.
func (e *FieldError) Error() string {
	return fmt.Sprintf("pilot field %s: %q %s; %s", e.Field, clip(e.Value, 80), e.Problem, e.Cure)
}

func invalid(field, value, problem, cure string) error {
	return &FieldError{Field: field, Value: value, Problem: problem, Cure: cure}
}

// Validate reports the first thing that is wrong with a definition as a
// [*FieldError].
func (p Pilot) Validate() error {
	for _, check := range []func() error{
		p.checkNames, p.checkUnits, p.checkWindows, p.checkOutcomes, p.checkSources, p.Hours.check,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (p Pilot) checkNames() error {
	if !pilotID.MatchString(p.ID) {
		return invalid("id", p.ID, "is not a pilot id",
			"use lower-case letters, digits and '-', at most 64, starting with a letter or digit")
	}
	if strings.TrimSpace(p.Title) == "" {
		return invalid("title", p.Title, "is empty", "give the name that people read")
	}
	texts := []struct {
		field, value string
		limit        int
	}{
		{"title", p.Title, maxName},
		{"subject", p.Subject, maxName},
		{"description", p.Description, maxText},
		{"unit_noun", p.UnitNoun, maxNoun},
		{"period_noun", p.PeriodNoun, maxNoun},
	}
	for _, t := range texts {
		if err := checkText(t.field, t.value, t.limit); err != nil {
			return err
		}
	}
	if p.UnitNoun == "" {
		return invalid("unit_noun", "", "is empty", `name one unit in the singular, such as "team"`)
	}
	switch p.Level {
	case LevelPanel:
		if p.PeriodNoun == "" {
			return invalid("period_noun", "", "is empty", `name one period in the singular, such as "month"`)
		}
	case LevelPullRequests:
		if _, ok := stepOf(p.PeriodNoun); !ok {
			return invalid("period_noun", p.PeriodNoun, "is not a period that pull requests can be counted by",
				`use "day", "week" or "month"`)
		}
	default:
		return invalid("level", string(p.Level), "is not a level", `use "panel" or "pull_requests"`)
	}
	return nil
}

// checkText refuses what would break a line, a terminal or a page, or reads as
// what it is not: control and invisible characters, broken UTF-8, and length.
func checkText(field, value string, limit int) error {
	if len(value) > limit {
		return invalid(field, value, fmt.Sprintf("is %d bytes long", len(value)), fmt.Sprintf("use at most %d", limit))
	}
	if !utf8.ValidString(value) {
		return invalid(field, value, "is not valid UTF-8", "save the definition as UTF-8")
	}
	if strings.IndexFunc(value, unicode.IsControl) >= 0 {
		return invalid(field, value, "holds a control character", "write it on one line, in plain text")
	}
	if r, ok := Invisible(value); ok {
		return invalid(field, value, nameInvisible(r), "take it out: what it hides or turns round cannot be seen")
	}
	return nil
}

func (p Pilot) checkUnits() error {
	if p.Level == LevelPullRequests && len(p.Treated) == 0 {
		return invalid("treated", "", "is empty", "name at least one team and the day it started")
	}
	if len(p.Treated) > maxUnits || len(p.Comparison) > maxUnits {
		return invalid("treated", fmt.Sprint(len(p.Treated)+len(p.Comparison)), "is too many units",
			fmt.Sprintf("name at most %d on each side, or leave the comparison empty to take every other unit", maxUnits))
	}
	treated := make(map[string]bool, len(p.Treated))
	for i, a := range p.Treated {
		field := fmt.Sprintf("treated[%d]", i)
		if err := checkUnitName(field+".unit", a.Unit); err != nil {
			return err
		}
		if treated[a.Unit] {
			return invalid(field+".unit", a.Unit, "is named twice", "name each treated unit once, with its first day")
		}
		treated[a.Unit] = true
		if a.Start.IsZero() {
			return invalid(field+".start", "", "is empty", "give the first treated day, such as 2026-08-03")
		}
		if err := checkYear(field+".start", a.Start); err != nil {
			return err
		}
	}
	seen := make(map[string]bool, len(p.Comparison))
	for i, u := range p.Comparison {
		field := fmt.Sprintf("comparison[%d]", i)
		if err := checkUnitName(field, u); err != nil {
			return err
		}
		if treated[u] {
			return invalid(field, u, "is treated too", "a unit is on one side only; remove it from one list")
		}
		if seen[u] {
			return invalid(field, u, "is named twice", "name each comparison unit once")
		}
		seen[u] = true
	}
	return nil
}

func checkUnitName(field, name string) error {
	if strings.TrimSpace(name) == "" {
		return invalid(field, name, "is empty", "name the unit as the data does")
	}
	return checkText(field, name, maxName)
}

// checkYear keeps dates where period arithmetic is safe and a slip of the pen
// ("0206-08-03") is seen.
func checkYear(field string, t time.Time) error {
	if t.IsZero() || t.Year() >= 1900 && t.Year() < 2200 {
		return nil
	}
	return invalid(field, t.Format(time.DateOnly), "lies outside the years 1900 to 2199", "write dates as 2026-08-03")
}

func (p Pilot) checkWindows() error {
	spans := []struct {
		field string
		w     Window
	}{{"before", p.Before}, {"after", p.After}}
	if len(p.LeftOut) > maxLeftOut {
		return invalid("left_out", fmt.Sprint(len(p.LeftOut)), "is too many spans", fmt.Sprintf("name at most %d", maxLeftOut))
	}
	for i, x := range p.LeftOut {
		field := fmt.Sprintf("left_out[%d]", i)
		if strings.TrimSpace(x.Reason) == "" {
			return invalid(field+".reason", "", "is empty", `say why the span is left out, such as "freeze"`)
		}
		if err := checkText(field+".reason", x.Reason, maxName); err != nil {
			return err
		}
		if x.From.IsZero() || x.To.IsZero() {
			return invalid(field, spanText(x.Window), "is open", "give both the first day and the day after the last")
		}
		spans = append(spans, struct {
			field string
			w     Window
		}{field, x.Window})
	}
	for _, s := range spans {
		if !s.w.From.IsZero() && !s.w.To.IsZero() && !s.w.From.Before(s.w.To) {
			return invalid(s.field, spanText(s.w), "ends before it begins", "give the first day, then the day after the last")
		}
		for _, t := range []time.Time{s.w.From, s.w.To} {
			if err := checkYear(s.field, t); err != nil {
				return err
			}
		}
	}
	if !p.Before.To.IsZero() && !p.After.From.IsZero() && p.After.From.Before(p.Before.To) {
		return invalid("after", spanText(p.After), "begins before the window before has ended",
			"let the two windows not overlap")
	}
	if len(p.Treated) == 0 {
		return nil
	}
	first := slices.MinFunc(p.Treated, func(a, b Adoption) int { return a.Start.Compare(b.Start) })
	if !p.Before.From.IsZero() && !p.Before.From.Before(first.Start) {
		return invalid("before", spanText(p.Before), "begins after the first start", "let it begin before "+first.Start.Format(time.DateOnly))
	}
	if !p.After.To.IsZero() && !p.After.To.After(first.Start) {
		return invalid("after", spanText(p.After), "ends before the first start", "let it end after "+first.Start.Format(time.DateOnly))
	}
	return nil
}

func spanText(w Window) string {
	end := func(t time.Time) string {
		if t.IsZero() {
			return "…"
		}
		return t.UTC().Format(time.DateOnly)
	}
	return end(w.From) + " to " + end(w.To)
}

func (p Pilot) checkOutcomes() error {
	if len(p.Outcomes) == 0 {
		return invalid("outcomes", "", "is empty", "name at least one outcome; the first is the primary one")
	}
	if len(p.Outcomes) > maxOutcomes {
		return invalid("outcomes", fmt.Sprint(len(p.Outcomes)), "is too many", fmt.Sprintf("name at most %d", maxOutcomes))
	}
	if !(p.SmallestEffect >= 0 && p.SmallestEffect <= 1) {
		return invalid("smallest_effect", fmt.Sprint(p.SmallestEffect), "is not between 0 and 1",
			"give a share: 0.10 is 10 %; 0 means the default, 0.10")
	}
	seen := make(map[string]bool, len(p.Outcomes))
	for i, o := range p.Outcomes {
		if err := p.checkOutcome(fmt.Sprintf("outcomes[%d]", i), o, i == 0); err != nil {
			return err
		}
		if seen[o.ID] {
			return invalid(fmt.Sprintf("outcomes[%d].id", i), o.ID, "is named twice", "name each outcome once")
		}
		seen[o.ID] = true
	}
	return nil
}

func (p Pilot) checkOutcome(field string, o Outcome, first bool) error {
	if !outcomeID.MatchString(o.ID) {
		return invalid(field+".id", o.ID, "is not an outcome id", "use letters, digits, '_' and '-', at most 64")
	}
	if err := checkText(field+".title", o.Title, maxName); err != nil {
		return err
	}
	if err := checkText(field+".unit", o.Unit, maxNoun); err != nil {
		return err
	}
	if !slices.Contains([]Better{BetterLower, BetterHigher, BetterNeutral}, o.Better) {
		return invalid(field+".better", string(o.Better), "is not a side", `use "lower", "higher" or "neutral"`)
	}
	if !slices.Contains([]Role{RolePrimary, RoleSecondary, RoleCounter}, o.Role) {
		return invalid(field+".role", string(o.Role), "is not a role", `use "primary", "secondary" or "counter"`)
	}
	if first != (o.Role == RolePrimary) {
		return invalid(field+".role", string(o.Role), "is out of place", "the first outcome is the primary one, and the only one")
	}
	if o.Role == RoleCounter && o.Better == BetterNeutral {
		return invalid(field+".better", string(o.Better), "leaves a counter-metric without a worse side", `say "lower" or "higher"`)
	}
	if p.Level == LevelPullRequests {
		if _, ok := CatalogueOutcome(o.ID); !ok {
			return invalid(field+".id", o.ID, "is not in the catalogue of pull-request metrics", "use one of "+catalogueIDs())
		}
		if o.ID == rateID && p.PeriodNoun != rateNoun {
			return invalid(field+".id", o.ID, fmt.Sprintf("counts by the week, and the pilot's period is the %s", p.PeriodNoun),
				`use the period noun "week", or leave this metric out`)
		}
		return nil
	}
	if !slices.Contains([]Scale{ScaleLevel, ScaleLog, ScaleLog1p, ScaleLogged, ScaleCount}, o.Scale) {
		return invalid(field+".scale", string(o.Scale), "is not a scale", `use "level", "log", "log1p", "logged" or "count"`)
	}
	return nil
}

func (p Pilot) checkSources() error {
	if len(p.Sources) > maxSources {
		return invalid("sources", fmt.Sprint(len(p.Sources)), "is too many", fmt.Sprintf("name at most %d", maxSources))
	}
	for i, s := range p.Sources {
		field := fmt.Sprintf("sources[%d]", i)
		if strings.TrimSpace(s.Title) == "" {
			return invalid(field+".title", "", "is empty", "say where the data comes from")
		}
		for _, t := range []struct{ name, value string }{
			{"title", s.Title}, {"licence", s.Licence}, {"note", s.Note}, {"url", s.URL},
		} {
			if err := checkText(field+"."+t.name, t.value, maxText); err != nil {
				return err
			}
		}
		if s.URL == "" {
			continue
		}
		u, err := url.Parse(s.URL)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			return invalid(field+".url", s.URL, "is not a web address", "give one that starts with https://, or none")
		}
	}
	return nil
}

// clip shortens s to at most n bytes at a rune's edge, for messages.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
