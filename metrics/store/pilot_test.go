package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/store"
)

func TestPilotRoundTrip(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		p := teamPilot("payments", day(2025, time.March, 3))
		p.LeftOut = []metrics.Exclusion{{
			Window: metrics.Window{From: day(2025, time.January, 1), To: day(2025, time.January, 4)}, Reason: "freeze",
		}}
		saved, err := s.SavePilot(t.Context(), p, now)
		if err != nil {
			t.Fatal(err)
		}
		hash, err := p.Hash()
		if err != nil {
			t.Fatal(err)
		}
		want := metrics.Definition{Pilot: p, Hash: hash, SavedAt: now}
		if diff := cmp.Diff(want, saved); diff != "" {
			t.Errorf("saved (-want +got):\n%s", diff)
		}
		got, err := s.Pilot(t.Context(), "payments")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("read (-want +got):\n%s", diff)
		}
	})
}

func TestPilotNotFound(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		if _, err := s.Pilot(t.Context(), "nobody"); !errors.Is(err, metrics.ErrNotFound) {
			t.Errorf("pilot: %v; want ErrNotFound", err)
		}
		if _, err := s.Panel(t.Context(), "nobody"); !errors.Is(err, metrics.ErrNotFound) {
			t.Errorf("panel: %v; want ErrNotFound", err)
		}
	})
}

func TestPilotsAreByID(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		none, err := s.Pilots(t.Context())
		if err != nil || len(none) != 0 {
			t.Fatalf("empty store: %v, %v", none, err)
		}
		for _, id := range []string{"b", "a-2", "c", "a", "a1"} {
			if _, err := s.SavePilot(t.Context(), panelPilot(id), now); err != nil {
				t.Fatal(err)
			}
		}
		all, err := s.Pilots(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, d := range all {
			ids = append(ids, d.Pilot.ID)
		}
		if diff := cmp.Diff([]string{"a", "a-2", "a1", "b", "c"}, ids); diff != "" {
			t.Errorf("ids (-want +got):\n%s", diff)
		}
	})
}

func TestInvalidPilotIsRefused(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		p := panelPilot("editor")
		p.Outcomes = nil
		_, err := s.SavePilot(t.Context(), p, now)
		var field *metrics.FieldError
		if !errors.As(err, &field) || field.Field != "outcomes" {
			t.Errorf("got %v; want a FieldError of outcomes", err)
		}
	})
}

func TestChangesAreKept(t *testing.T) {
	start := day(2025, time.March, 3)
	each(t, func(t *testing.T, s *store.Store) {
		p := teamPilot("payments", start)
		before, after := start.Add(-time.Hour), start.Add(time.Hour)
		save := func(at time.Time) metrics.Definition {
			t.Helper()
			d, err := s.SavePilot(t.Context(), p, at)
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		first := save(before.Add(-time.Hour))
		save(before.Add(-time.Minute)) // the same again
		p.SmallestEffect = 0.2
		second := save(before)
		p.Comparison = []string{"Checkout"}
		p.Title = "Payments, again"
		third := save(after)

		want := []metrics.DefinitionChange{
			{Hash: first.Hash, SavedAt: first.SavedAt, ReplacedAt: before, What: []string{"smallest_effect"}},
			{Hash: second.Hash, SavedAt: before, ReplacedAt: after, AfterStart: true, What: []string{"comparison", "title"}},
		}
		if diff := cmp.Diff(want, third.Changes); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
		all, err := s.Pilots(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]metrics.Definition{third}, all); diff != "" {
			t.Errorf("pilots (-want +got):\n%s", diff)
		}
	})
}

// A start that is moved into the future does not hide that the pilot had
// started.
func TestMovedStartIsAChangeAfterTheStart(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		for _, start := range []time.Time{now.AddDate(0, 0, -1), now.AddDate(0, 0, 1)} {
			if _, err := s.SavePilot(t.Context(), teamPilot("payments", start), now); err != nil {
				t.Fatal(err)
			}
		}
		d, err := s.Pilot(t.Context(), "payments")
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Changes) != 1 || !d.Changes[0].AfterStart {
			t.Errorf("changes %+v; want one after the start", d.Changes)
		}
	})
}

// A panel that carries its starts has started where it holds a row of a unit
// at or after the unit's start.
func TestPanelSaysWhetherThePilotHadStarted(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		for _, id := range []string{"with-results", "before-results"} {
			rows := panelRows()
			if id == "before-results" {
				for i := range rows {
					rows[i].FirstTreated = metrics.Never
				}
			}
			p := panelPilot(id)
			if _, err := importPanel(t.Context(), s, p, rows, nil); err != nil {
				t.Fatal(err)
			}
			p.Outcomes[0].Scale = metrics.ScaleLevel
			d, err := importPanel(t.Context(), s, p, rows, nil)
			if err != nil {
				t.Fatal(err)
			}
			if want := id == "with-results"; len(d.Changes) != 1 || d.Changes[0].AfterStart != want {
				t.Errorf("%s: changes %+v; want one, after the start: %v", id, d.Changes, want)
			}
		}
	})
}
