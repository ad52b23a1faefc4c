package metrics_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"steelyard/metrics"
)

// useStore is a store with GitHub's figures, too.
type useStore struct {
	*fakeStore
	figures metrics.UseFigures
	windows []metrics.Window
}

func (s *useStore) UseSources(context.Context) ([]metrics.UseSource, error) {
	return s.figures.Sources, nil
}

func (s *useStore) Use(_ context.Context, windows ...metrics.Window) (metrics.UseFigures, error) {
	s.windows = windows
	return s.figures, nil
}

// figured is a store in which GitHub says that active of the comparison's
// people, size a team, used a seat after the start.
func figured(size, active int) *useStore {
	s := &useStore{fakeStore: workedStore()}
	p := s.defs["worked"].Pilot
	people, seats, used := map[string]int{}, map[string]int{}, map[string]int{}
	for _, t := range p.Comparison {
		people[t], seats[t] = size, size
	}
	used[p.Comparison[0]] = active
	people["payments"], seats["payments"], used["payments"] = 9, 8, 7
	day := day(workedStart).AddDate(0, 0, 20)
	s.figures = metrics.UseFigures{
		Read: true, People: people,
		Sources: []metrics.UseSource{{Organisation: "acme", SeatsOn: day, ReportedUntil: day}},
		Windows: []metrics.UseWindow{{}, {Day: day, Seats: seats, Active: used, Reported: 4, Used: map[string]int{"payments": 10}}},
	}
	return s
}

func useReport(t *testing.T, s metrics.Store) *metrics.Report {
	t.Helper()
	r, err := metrics.NewReporter(s).Report(t.Context(), "worked")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What GitHub says of use stands in every form of the report and moves no
// verdict.
func TestUseIsDescribed(t *testing.T) {
	before := useReport(t, workedStore())
	s := figured(12, 1)
	r := useReport(t, s)
	if r.Use == nil || len(r.Use.Sides) != 2 || before.Use != nil {
		t.Fatalf("use %+v", r.Use)
	}
	treated := r.Use.Sides[0]
	if a := treated.After; treated.Before != nil || a == nil || *a.Seats != 8 || *a.Active != 7 || *a.Daily != 2.5 || a.Days != 4 || *treated.People != 9 {
		t.Errorf("the treated side is %+v", treated)
	}
	if s.windows[0].To.After(s.windows[1].From) || s.windows[1].From.Before(day(workedStart)) {
		t.Errorf("asked of %v", s.windows)
	}
	if r.Verdict.Value != before.Verdict.Value || len(r.Verdict.Reasons) != len(before.Verdict.Reasons) {
		t.Error("use moved the verdict")
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text":     func(b *bytes.Buffer) error { return metrics.WriteText(b, r) },
		"markdown": func(b *bytes.Buffer) error { return metrics.WriteMarkdown(b, r) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(out.String()), " ")
		for _, part := range []string{"What GitHub says of use", "8 seats on", "7 of them used", "2.5 people a day", "not how they were before"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s does not say %q:\n%s", name, part, text)
			}
		}
	}
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"use":{"sides":[`) {
		t.Errorf("JSON without it: %v", err)
	}
	health, err := metrics.NewReporter(s).Data(t.Context())
	if err != nil || len(health.Use) != 1 {
		t.Errorf("data health %+v, %v", health, err)
	}
}

// A comparison of which over a tenth used seats did not go without.
func TestUseInTheComparison(t *testing.T) {
	teams := len(workedStore().defs["worked"].Pilot.Comparison)
	for _, c := range []struct {
		active int
		said   bool
	}{{teams, false}, {teams + 1, true}} {
		r := useReport(t, figured(10, c.active))
		i := slices.IndexFunc(r.Verdict.Reasons, func(x metrics.Reason) bool { return x.Code == "comparison_assisted" })
		if (i >= 0) != c.said {
			t.Errorf("%d of %d people: reasons %+v", c.active, 10*teams, r.Verdict.Reasons)
		}
		if i >= 0 && !strings.Contains(r.Verdict.Reasons[i].Text, "GitHub says that") {
			t.Errorf("reason %+v", r.Verdict.Reasons[i])
		}
	}
}

// Four people are not shown, and neither do they make a reason.
func TestUseOfFewIsHidden(t *testing.T) {
	s := figured(10, 0)
	s.figures.People["payments"] = 4
	s.figures.Windows[1].Seats["payments"] = 4
	r := useReport(t, s)
	if side := r.Use.Sides[0]; side.People != nil || side.After != nil || !strings.Contains(side.Text, "fewer than 5 people") {
		t.Errorf("shown: %+v", side)
	}
}

// What is not known is said, with why.
func TestUseNotKnown(t *testing.T) {
	none := []metrics.UseWindow{{}, {}}
	for name, c := range map[string]struct {
		figures metrics.UseFigures
		want    string // empty: no section
	}{
		"nothing read":  {metrics.UseFigures{Windows: none}, ""},
		"not asked":     {metrics.UseFigures{Read: true, Windows: none}, "was not asked"},
		"not allowed":   {metrics.UseFigures{Read: true, Windows: none, Sources: []metrics.UseSource{{Organisation: "acme", NoSeats: "no", NoReports: "no"}}}, "neither seats nor reports of use of acme"},
		"no seats":      {metrics.UseFigures{Read: true, Windows: none, Sources: []metrics.UseSource{{Organisation: "acme", NoSeats: "no"}}}, "no seats of acme"},
		"no reports":    {metrics.UseFigures{Read: true, Windows: none, Sources: []metrics.UseSource{{Organisation: "acme", NoReports: "no"}}}, "no reports of use of acme"},
		"not of people": {metrics.UseFigures{Read: true, Windows: []metrics.UseWindow{{}, {Day: day(workedStart)}}, Sources: []metrics.UseSource{{Organisation: "acme", SeatsOn: day(workedStart)}}}, "made of people"},
	} {
		t.Run(name, func(t *testing.T) {
			r := useReport(t, &useStore{fakeStore: workedStore(), figures: c.figures})
			switch {
			case c.want == "":
				if r.Use != nil {
					t.Errorf("use %+v", r.Use)
				}
			case r.Use == nil || !strings.Contains(strings.Join(r.Use.Unknown, " "), c.want) || r.Use.Sides[0].Text != "not known":
				t.Errorf("use %+v", r.Use)
			}
		})
	}
}
