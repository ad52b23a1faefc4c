package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"steelyard/internal/config"
)

const pilotText = `id: payments
title: Payments tries the editor
treated:
  - {unit: payments, start: 2026-03-02}
comparison: [search, checkout]
before: {from: 2025-09-01, to: 2026-03-02}
left_out:
  - {from: 2025-12-22, to: 2026-01-05, reason: holidays}
outcomes:
  - {id: open_to_merge}
  - {id: reverts, role: counter}
smallest_effect: 0.2
seed: 7
sources:
  - {title: Ours, made_up: true}
`

func readPilot(text string) (*config.PilotFile, error) {
	return config.ReadPilot("pilot.yaml", strings.NewReader(text))
}

func TestReadPilot(t *testing.T) {
	got, err := readPilot(pilotText)
	if err != nil {
		t.Fatal(err)
	}
	smallest := 0.2
	want := &config.PilotFile{
		ID: "payments", Title: "Payments tries the editor",
		Treated:        []config.PilotAdoption{{Unit: "payments", Start: "2026-03-02"}},
		Comparison:     []string{"search", "checkout"},
		Before:         config.PilotWindow{From: "2025-09-01", To: "2026-03-02"},
		LeftOut:        []config.PilotExclusion{{From: "2025-12-22", To: "2026-01-05", Reason: "holidays"}},
		Outcomes:       []config.PilotOutcome{{ID: "open_to_merge"}, {ID: "reverts", Role: "counter"}},
		SmallestEffect: &smallest, Seed: 7,
		Sources: []config.PilotSource{{Title: "Ours", MadeUp: true}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(config.PilotFile{})); diff != "" {
		t.Errorf("pilot (-want +got):\n%s", diff)
	}
}

// TestPilotRoundTrip holds that what is written is read back as it was.
func TestPilotRoundTrip(t *testing.T) {
	one, err := readPilot(pilotText)
	if err != nil {
		t.Fatal(err)
	}
	text, err := config.PilotYAML(one)
	if err != nil {
		t.Fatal(err)
	}
	two, err := readPilot(string(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if diff := cmp.Diff(one, two, cmpopts.IgnoreUnexported(config.PilotFile{})); diff != "" {
		t.Errorf("second reading (-first +second):\n%s", diff)
	}
}

// TestPilotJSON holds that JSON is read too, indented with tabs and with times
// as JSON writes them.
func TestPilotJSON(t *testing.T) {
	p, err := readPilot("{\n\t\"id\": \"a\",\n\t\"treated\": [{\"unit\": \"x\", \"start\": \"2026-03-02T00:00:00Z\"}]\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	day, err := config.ParseDay(p.Treated[0].Start)
	if err != nil || day.Format("2006-01-02") != "2026-03-02" || p.ID != "a" {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestPilotProblems(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"empty":       {"", `pilot.yaml: the file is empty ("steelyard pilot define --help" shows an example)`},
		"unknown-key": {"id: a\noutcome: x\n", `pilot.yaml:2:1: unknown key "outcome" (did you mean "outcomes"?)`},
		"bad-day":     {"treated:\n  - {unit: a, start: 2026-02-30}\n", `pilot.yaml:2:22: treated[0].start: expected a day such as 2027-01-31, found "2026-02-30"`},
		"no-day":      {"treated:\n  - {unit: a}\n", `pilot.yaml:2:5: treated[0] has no start (its first treated day)`},
		"map-of-days": {"treated: {a: 2026-02-03}\n", `pilot.yaml:1:10: treated is a list, found a mapping (write [a, b], or one "- a" a line)`},
		"big-seed":    {"seed: 18446744073709551615\n", `pilot.yaml:1:7: seed: expected a whole number, found "18446744073709551615"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readPilot(tt.text)
			if diff := cmp.Diff(tt.want, errText(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPilotPlace(t *testing.T) {
	p, err := readPilot(pilotText)
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{
		"outcomes[1].role":     "pilot.yaml:11:25: x",
		"outcomes[1].better":   "pilot.yaml:11:5: x",
		"outcomes[9]":          "pilot.yaml:10:3: x",
		"left_out[0].reason":   "pilot.yaml:8:48: x",
		"comparison[1]":        "pilot.yaml:5:22: x",
		"unit_noun":            "pilot.yaml:1:1: x",
		"no.such[3].field[-1]": "pilot.yaml:1:1: x",
	} {
		if got := p.Place(field, "x", "").Error(); got != want {
			t.Errorf("%s: %s, want %s", field, got, want)
		}
	}
	flags := &config.PilotFile{ID: "a"}
	if got := flags.Place("title", "x", "y").Error(); got != "pilot a: x (y)" {
		t.Errorf("made of flags: %s", got)
	}
}

// FuzzReadPilot holds that no file makes the reader panic, and that what it
// accepts can be written and read again.
func FuzzReadPilot(f *testing.F) {
	for _, seed := range []string{"", pilotText, "{}", "{\"id\": \"a\"}", "id: [", "seed: -1", "treated: [{}]", "before: {from: 2026-01-01T00:00:00+02:00}", "smallest_effect: 1e999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := readPilot(text)
		if err != nil {
			var problems config.Problems
			if !errors.As(err, &problems) {
				t.Errorf("%T: %v", err, err)
			}
			return
		}
		again, err := config.PilotYAML(p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := config.ReadPilot("again", strings.NewReader(string(again))); err != nil {
			t.Errorf("%q is written as %q: %v", text, again, err)
		}
	})
}
