package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/config"
	"steelyard/metrics"
)

// TestPilotFileIsComplete holds that a pilot's file has every key that its
// JSON has, so that showing, editing and reading one back loses nothing.
func TestPilotFileIsComplete(t *testing.T) {
	// A file alone can ask for the calendars of the settings; a pilot has them.
	want := append(keys(reflect.TypeFor[metrics.Pilot](), "json", ""), "hours.count")
	slices.Sort(want)
	got := keys(reflect.TypeFor[config.PilotFile](), "yaml", "")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys (-JSON +file):\n%s", diff)
	}
}

// keys lists the keys of a struct and of the structs in it, sorted.
func keys(t reflect.Type, tag, prefix string) []string {
	var all []string
	for i := range t.NumField() {
		f := t.Field(i)
		inner := f.Type
		for inner.Kind() == reflect.Slice || inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if f.Anonymous {
			all = append(all, keys(inner, tag, prefix)...)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get(tag), ",")
		if name == "" {
			continue
		}
		all = append(all, prefix+name)
		if inner.Kind() == reflect.Struct && inner != reflect.TypeFor[time.Time]() {
			all = append(all, keys(inner, tag, prefix+name+".")...)
		}
	}
	slices.Sort(all)
	return all
}

// TestPilotRoundTrip holds that a definition survives being written and read.
func TestPilotRoundTrip(t *testing.T) {
	day := func(s string) time.Time {
		d, err := config.ParseDay(s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	want := metrics.Pilot{
		ID: "payments", Title: "Payments: \"yes\"", Subject: "Payments", Description: "# not a comment",
		Level: metrics.LevelPanel, UnitNoun: "team", PeriodNoun: "week",
		Treated:    []metrics.Adoption{{Unit: "no", Start: day("2026-03-02")}},
		Comparison: []string{"search", "42", "null"},
		Before:     metrics.Window{From: day("2025-09-01"), To: day("2026-03-02T12:30:00+02:00")},
		After:      metrics.Window{From: day("2026-03-09")},
		LeftOut: []metrics.Exclusion{{
			Window: metrics.Window{From: day("2025-12-22"), To: day("2026-01-05")}, Reason: "holidays: all of them",
		}},
		Outcomes: []metrics.Outcome{
			{ID: "hours", Title: "Hours", Unit: "h", Better: metrics.BetterLower, Scale: metrics.ScaleLog, Role: metrics.RolePrimary},
			{ID: "faults", Title: "Faults", Better: metrics.BetterLower, Scale: metrics.ScaleCount, Role: metrics.RoleCounter},
		},
		Hours: &metrics.WorkingHours{
			Calendar: metrics.Calendar{Zone: "Europe/Berlin", Weekdays: []string{"monday"}, From: "09:00", Until: "17:00", Holidays: []string{"2026-12-25"}},
			Teams:    []metrics.TeamCalendar{{Team: "no", Calendar: metrics.Calendar{Zone: "UTC", Weekdays: []string{"sunday"}, From: "00:00", Until: "24:00"}}},
		},
		SmallestEffect: 0.05, Seed: 7,
		Sources: []metrics.Source{{Title: "Ours", URL: "https://example.com/data", Licence: "CC0-1.0", MadeUp: true, Note: "1 of 2"}},
	}
	text, err := config.PilotYAML(pilotFile(want))
	if err != nil {
		t.Fatal(err)
	}
	file, err := config.ReadPilot("pilot.yaml", strings.NewReader(string(text)))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	got, err := toPilot(file, 0.1)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pilot (-written +read):\n%s\n%s", diff, text)
	}
}
