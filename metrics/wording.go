package metrics

import (
	"fmt"
	"slices"
)

// outcomeWords is how [Pilot.Diff] names a change of outcomes that leaves what
// is measured as it was: their titles, and units that only name.
const outcomeWords = "outcome_words"

// measured is the pilot without what only names things for people: two pilots
// with the same measured form compare the same units over the same time by the
// same outcomes.
func (p Pilot) measured() Pilot {
	p.Title, p.Subject, p.Description, p.UnitNoun, p.Sources = "", "", "", "", nil
	if p.Level == LevelPanel { // the data says how long a period is
		p.PeriodNoun = ""
	}
	p.Outcomes = slices.Clone(p.Outcomes)
	for i := range p.Outcomes {
		p.Outcomes[i].Title, p.Outcomes[i].Unit = "", ""
	}
	return p
}

// SameMeasurement reports whether q measures what p does: they differ at most
// in words (title, subject, description, nouns, sources, titles of outcomes).
func (p Pilot) SameMeasurement(q Pilot) bool {
	return p.Level == q.Level && len(p.measured().Diff(q.measured())) == 0
}

// Wording reports whether a change of a pilot of that level was of words
// alone, going by the names of what changed.
func (c DefinitionChange) Wording(l Level) bool {
	words := []string{"title", "subject", "description", "unit_noun", "sources", outcomeWords}
	if l == LevelPanel {
		words = append(words, "period_noun")
	}
	return !slices.ContainsFunc(c.What, func(name string) bool { return !slices.Contains(words, name) })
}

// LevelError is the refusal to let a pilot over one kind of data take the place
// of one over the other: saved by mistake under an id in use, it would hide a
// definition and its panel.
type LevelError struct {
	Pilot      string
	Have, Want Level
}

// Error names both kinds.
func (e *LevelError) Error() string {
	return fmt.Sprintf("there is a pilot %q already, over %s, and this one is over %s", e.Pilot, e.Have.words(), e.Want.words())
}

func (l Level) words() string {
	switch l {
	case LevelPanel:
		return "a panel"
	case LevelPullRequests:
		return "pull requests"
	}
	return fmt.Sprintf("level %q", string(l))
}
