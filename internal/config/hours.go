package config

import (
	"errors"
	"fmt"
	"time"
	_ "time/tzdata" // time zones by name, also where the system has none

	"go.yaml.in/yaml/v3"
)

// The ways in which the hours between two moments are counted.
const (
	Elapsed = "elapsed"
	Working = "working"
)

// Hours says how long something took: the time on the clock, or the part of it
// in which people work.
type Hours struct {
	Count string // [Elapsed] or [Working]
	// Week is everybody's; Teams have their own.
	Week
	Teams []TeamHours
}

// Week is when people work.
type Week struct {
	// Zone is the name of a time zone.
	Zone string
	// Weekdays are the days on which work is done.
	Weekdays []time.Weekday
	// From and Until are the beginning and the end of a working day, as the
	// time since midnight on the clock of the zone.
	From, Until time.Duration
	// Holidays are days without work, at midnight UTC.
	Holidays []time.Time
	Line     int
}

// TeamHours is the week of one team. What it does not say is everybody's.
type TeamHours struct {
	Team string
	Week
}

var dayNames = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

const clockPattern = `^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$`

func hoursKeys() []key {
	keys := []key{{
		name:     "count",
		doc:      "How the time between two moments is counted: elapsed is the time on the clock, working the part of it within working hours.",
		fallback: Elapsed,
		set:      func(c *Config, v string) { c.Hours.Count = v },
		shape:    shape{choices: []string{Elapsed, Working}},
	}}
	for _, k := range weekKeys() {
		switch k.name {
		case "zone":
			k.fallback, k.set = "UTC", func(c *Config, v string) { c.Hours.Zone = v }
		case "from":
			k.fallback, k.set = "09:00", func(c *Config, v string) { c.Hours.From = clock(v) }
		case "until":
			k.fallback, k.set = "17:00", func(c *Config, v string) { c.Hours.Until = clock(v) }
		case "weekdays":
			k.take = func(c *Config, n *yaml.Node) { c.Hours.Weekdays = weekdays(n) }
		case "holidays":
			k.take = func(c *Config, n *yaml.Node) { c.Hours.Holidays = days(n) }
		}
		keys = append(keys, k)
	}
	return append(keys, key{
		name:    "teams",
		doc:     "The weeks of teams that work at other times. What one does not say is everybody's.",
		example: "- team: payments\n  zone: America/New_York\n  holidays: [2026-11-26]",
		take: func(c *Config, n *yaml.Node) {
			for _, e := range n.Content {
				c.Hours.Teams = append(c.Hours.Teams, teamHours(e))
			}
		},
		shape: shape{kind: list, element: &shape{
			kind: table,
			keys: append([]key{{name: "team", doc: "The team's name.", required: true, shape: teamName}}, weekKeys()...),
		}},
	})
}

// weekKeys are the keys of a week, everybody's and a team's.
func weekKeys() []key {
	return []key{
		{name: "zone", doc: "The time zone, by its name.", shape: shape{valid: validZone, want: "a time zone such as Europe/Berlin"}},
		{
			name: "weekdays", doc: "The days on which work is done; Monday to Friday where they are not named.",
			example: "- monday\n- tuesday\n- wednesday\n- thursday\n- friday",
			shape:   shape{kind: list, element: &shape{choices: append(dayNames[1:7:7], dayNames[0])}},
		},
		{name: "from", doc: "When a working day begins.", shape: shape{pattern: clockPattern, want: `a time of day in quotes, such as "09:00"`}},
		{name: "until", doc: "When a working day ends.", shape: shape{pattern: clockPattern, want: `a time of day in quotes, such as "17:00"`}},
		{
			name: "holidays", doc: "Days without work.",
			example: "- 2026-12-25\n- 2027-01-01",
			shape:   shape{kind: list, element: &day},
		},
	}
}

func teamHours(n *yaml.Node) TeamHours {
	t := TeamHours{Team: scalarAt(n, "team"), Week: Week{Line: n.Line, Zone: scalarAt(n, "zone"), From: clockAt(n, "from"), Until: clockAt(n, "until")}}
	if all := at(n, "weekdays"); all != nil {
		t.Weekdays = weekdays(all)
	}
	if all := at(n, "holidays"); all != nil {
		t.Holidays = days(all)
	}
	return t
}

// settle fills in what is left open: everybody's defaults, then each team's
// from everybody's. Holidays add up.
func (h *Hours) settle() {
	if len(h.Weekdays) == 0 {
		h.Weekdays = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday}
	}
	for i := range h.Teams {
		t := &h.Teams[i]
		if t.Zone == "" {
			t.Zone = h.Zone
		}
		if len(t.Weekdays) == 0 {
			t.Weekdays = h.Weekdays
		}
		if t.From == unsaid {
			t.From = h.From
		}
		if t.Until == unsaid {
			t.Until = h.Until
		}
		t.Holidays = append(append([]time.Time{}, h.Holidays...), t.Holidays...)
	}
}

func (h Hours) contradictions(file string) (problems Problems) {
	add := func(line int, format string, args ...any) {
		problems = append(problems, Problem{File: file, Line: line, Text: fmt.Sprintf(format, args...)})
	}
	if h.Until <= h.From {
		add(h.Line, "hours: a working day from %s to %s has no length", clockText(h.From), clockText(h.Until))
	}
	first := map[string]int{}
	for _, t := range h.Teams {
		if t.Until <= t.From {
			add(t.Line, "hours of team %q: a working day from %s to %s has no length", t.Team, clockText(t.From), clockText(t.Until))
		}
		if line, twice := first[t.Team]; twice {
			add(t.Line, "team %q has its hours twice, first in line %d", t.Team, line)
		}
		first[t.Team] = t.Line
	}
	return problems
}

func validZone(s string) error {
	if s == "" || s == "Local" {
		return errors.New("it is not the name of a time zone")
	}
	if _, err := time.LoadLocation(s); err != nil {
		return errors.New("there is no such time zone")
	}
	return nil
}

// clock reads 09:30 that was checked before; zero where there is none.
func clock(s string) time.Duration {
	var h, m int
	if n, err := fmt.Sscanf(s, "%d:%d", &h, &m); n != 2 || err != nil {
		return 0
	}
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
}

// unsaid is a time of day that a team leaves to everybody's.
const unsaid = time.Duration(-1)

func clockAt(n *yaml.Node, path string) time.Duration {
	if at(n, path) == nil {
		return unsaid
	}
	return clock(scalarAt(n, path))
}

func clockText(d time.Duration) string {
	return fmt.Sprintf("%02d:%02d", int(d.Hours()), int(d.Minutes())%60)
}

func weekdays(n *yaml.Node) []time.Weekday {
	var all []time.Weekday
	for _, e := range n.Content {
		for d, name := range dayNames {
			if e.Value == name {
				all = append(all, time.Weekday(d))
			}
		}
	}
	return all
}

func days(n *yaml.Node) []time.Time {
	var all []time.Time
	for _, e := range n.Content {
		if t, err := time.Parse(time.DateOnly, e.Value); err == nil {
			all = append(all, t)
		}
	}
	return all
}
