package metrics_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"steelyard/metrics"
)

// TestNothingBecauseOfBots holds that the advice fits the cause.
func TestNothingBecauseOfBots(t *testing.T) {
	s := workedStore()
	for i := range s.pulls {
		s.pulls[i].AuthorBot = true
	}
	_, err := metrics.NewReporter(s).Report(t.Context(), "worked")
	var build *metrics.BuildError
	if !errors.As(err, &build) || !strings.Contains(err.Error(), "are by bots, which are set apart") || strings.Contains(err.Error(), "team names") {
		t.Errorf("error = %v", err)
	}
}

// TestUnplacedOfTheWindows holds that the pull requests without a team that a
// report counts are those of its time.
func TestUnplacedOfTheWindows(t *testing.T) {
	s := workedStore()
	p := workedPilot()
	pull := s.pulls[0]
	add := func(id string, opened time.Time) {
		pull.ID, pull.Team, pull.Opened = id, "", opened
		pull.Ready, pull.FirstReview, pull.Merged, pull.Closed, pull.RevertedAt = time.Time{}, time.Time{}, opened, opened, time.Time{}
		s.pulls = append(s.pulls, pull)
	}
	add("in", p.Before.From.AddDate(0, 0, 1))
	for i := range 30 {
		add("early"+string(rune('a'+i)), p.Before.From.AddDate(0, 0, -30))
	}
	r := reportOf(t, s, "worked")
	for _, l := range r.LeftOut {
		if l.Reason == "the author could not be placed in a team" && l.Count == 1 {
			return
		}
	}
	t.Errorf("left out %v, want the one of the windows", r.LeftOut)
}

// TestNoEventStudySaysWhy holds that a figure which is not there is missed.
func TestNoEventStudySaysWhy(t *testing.T) {
	p, panel := onePanel(4, 60, 2, 3)
	r := build(t, p, panel)
	m := r.Metrics[0]
	if m.EventStudy != nil {
		t.Fatal("there is an event study")
	}
	for _, a := range m.Against {
		if a.Code == "no_event_study" {
			if want := "one dot for every 4 weeks, since it has no room for more than 20 dots, and the window after the start holds only 2 weeks."; !strings.Contains(a.Text, want) {
				t.Errorf("text %q, want %q", a.Text, want)
			}
			return
		}
	}
	t.Errorf("against = %v", m.Against)
}

// TestDefinedAfterStart holds that a comparison chosen in hindsight says so,
// without a verdict being stopped by it.
func TestDefinedAfterStart(t *testing.T) {
	p, panel := onePanel(6, 30, 15, 60)
	made := func(saved string, madeUp bool) *metrics.Report {
		p.Sources[0].MadeUp = madeUp
		def := metrics.Definition{Pilot: p, Hash: "x", SavedAt: day(saved)}
		r, err := metrics.Build(def, metrics.Data{Panel: panel})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	says := func(r *metrics.Report) (reason, fact bool) {
		for _, x := range r.Verdict.Reasons {
			reason = reason || x.Code == "defined_after_start"
		}
		for _, f := range r.Facts {
			fact = fact || f.Title == "Definition" && strings.HasSuffix(f.Text, ", chosen after the start")
		}
		return reason, fact
	}
	before, after, madeUp := made("2026-01-05", false), made("2026-06-01", false), made("2026-06-01", true)
	if reason, fact := says(after); !reason || !fact {
		t.Errorf("nothing says that it was chosen after the start: %v, %v", after.Verdict.Reasons, after.Facts)
	}
	if after.Verdict.Value != before.Verdict.Value {
		t.Errorf("verdict %s, want %s", after.Verdict.Value, before.Verdict.Value)
	}
	for _, r := range []*metrics.Report{before, madeUp} {
		if reason, fact := says(r); reason || fact {
			t.Errorf("says that it was chosen after the start: %v", r.Facts)
		}
	}
}

// TestRateIsWeekly refuses the rate under another period's name.
func TestRateIsWeekly(t *testing.T) {
	p := workedPilot()
	p.PeriodNoun = "month"
	err := p.Validate()
	var field *metrics.FieldError
	if !errors.As(err, &field) || !strings.Contains(err.Error(), "counts by the week, and the pilot's period is the month") {
		t.Errorf("error = %v", err)
	}
}

// TestDeletedAndMadeAnew holds that deleting a pilot is no way out of its
// history.
func TestDeletedAndMadeAnew(t *testing.T) {
	p, panel := onePanel(6, 30, 15, 6)
	def := metrics.Definition{Pilot: p, Hash: "x", SavedAt: day("2026-06-02"), Changes: []metrics.DefinitionChange{{
		Hash: "y", SavedAt: day("2025-12-01"), ReplacedAt: day("2026-06-01"), AfterStart: true, What: []string{metrics.ChangeDeleted},
	}}}
	r, err := metrics.Build(def, metrics.Data{Panel: panel})
	if err != nil {
		t.Fatal(err)
	}
	if want := "The definition was deleted on 1 Jun 2026, after the start (first saved on 1 Dec 2025), and made anew."; len(r.Health) == 0 || r.Health[0] != want {
		t.Errorf("health = %q, want %q", r.Health, want)
	}
}

// TestBotsAreNoSlipOfThePen holds that a team whose pull requests are all by
// bots is not said to be missing from the data.
func TestBotsAreNoSlipOfThePen(t *testing.T) {
	for team, want := range map[string]string{
		"payments": "no pull request of that name that is measured: what is by bots, set apart or outside the windows does not count",
		"paymints": "no pull request of that name: correct the definition, or import what is missing",
	} {
		t.Run(team, func(t *testing.T) {
			s := workedStore()
			for i := range s.pulls {
				s.pulls[i].AuthorBot = s.pulls[i].AuthorBot || s.pulls[i].Team == "payments"
			}
			p := workedPilot()
			p.Treated[0].Unit = team
			s.put(p, nil)
			r, err := metrics.NewReporter(s).Report(t.Context(), p.ID)
			if err != nil {
				t.Fatal(err)
			}
			if text := r.Verdict.Reasons[0].Text; !strings.Contains(text, "The definition names “"+team+"”") || !strings.Contains(text, want) {
				t.Errorf("%q does not say %q", text, want)
			}
		})
	}
}
