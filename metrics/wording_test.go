package metrics_test

import (
	"strings"
	"testing"

	"steelyard/metrics"
)

// New words are kept and accuse nobody, also where they were stored as a change
// after the start; what is measured is another matter.
func TestHealthTellsChangesOfWhatIsMeasured(t *testing.T) {
	p, panel := onePanel(3, 12, 6, 0)
	def := metrics.Definition{Pilot: p, SavedAt: day("2026-06-03"), Changes: []metrics.DefinitionChange{
		{SavedAt: day("2026-06-01"), ReplacedAt: day("2026-06-01"), AfterStart: true, What: []string{"outcome_words", "period_noun", "title"}},
		{SavedAt: day("2026-06-01"), ReplacedAt: day("2026-06-01"), AfterStart: true, What: []string{"seed", "title"}},
		{SavedAt: day("2026-06-01"), ReplacedAt: day("2026-06-03"), AfterStart: true, What: []string{"outcomes"}},
	}}
	r, err := metrics.Build(def, metrics.Data{Panel: panel})
	if err != nil {
		t.Fatal(err)
	}
	want := "The definition was changed on 1 Jun 2026, after the start and on the day it was first saved: seed and title." +
		"The definition was changed on 3 Jun 2026, after the start (first saved on 1 Jun 2026): outcomes."
	if got := strings.Join(r.Health, ""); got != want {
		t.Errorf("health %q\nwant   %q", got, want)
	}
}

func TestSameMeasurement(t *testing.T) {
	p, _ := onePanel(3, 12, 6, 0)
	for name, c := range map[string]struct {
		change func(*metrics.Pilot)
		same   bool
	}{
		"title":           {func(p *metrics.Pilot) { p.Title = "x" }, true},
		"sources":         {func(p *metrics.Pilot) { p.Sources = nil }, true},
		"nouns":           {func(p *metrics.Pilot) { p.UnitNoun, p.PeriodNoun = "team", "sprint" }, true},
		"outcome-title":   {func(p *metrics.Pilot) { p.Outcomes[0].Title = "x" }, true},
		"outcome-side":    {func(p *metrics.Pilot) { p.Outcomes[0].Better = metrics.BetterLower }, false},
		"fewer-outcomes":  {func(p *metrics.Pilot) { p.Outcomes = p.Outcomes[:1] }, false},
		"smallest-effect": {func(p *metrics.Pilot) { p.SmallestEffect = .2 }, false},
	} {
		q := p
		q.Outcomes = append([]metrics.Outcome(nil), p.Outcomes...)
		c.change(&q)
		if got := p.SameMeasurement(q); got != c.same {
			t.Errorf("%s: same measurement %v; want %v", name, got, c.same)
		}
	}
	w := workedPilot()
	q := w
	q.PeriodNoun = "month"
	if w.SameMeasurement(q) {
		t.Error("pull requests counted by month are not those counted by week")
	}
}
