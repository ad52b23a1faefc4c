package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/store"
)

func importMonths(t *testing.T, s *store.Store, p metrics.Pilot) error {
	t.Helper()
	rows := func(yield func(metrics.PanelRow, error) bool) {
		for period := range 4 {
			if !yield(metrics.PanelRow{Unit: "a", Period: 24290 + period, FirstTreated: 24292, Values: []float64{1, 2}}, nil) {
				return
			}
		}
	}
	_, err := s.ImportPanel(t.Context(), p, metrics.PeriodMonth, rows, func() (metrics.Import, error) {
		return metrics.Import{File: "panel.csv", Exposure: "commits"}, nil
	})
	return err
}

// A definition over pull requests must not take the place of a panel, nor the
// reverse, unless that is what was asked for.
func TestALevelDoesNotTakeTheOthersPlace(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		if err := importMonths(t, s, panelPilot("one")); err != nil {
			t.Fatal(err)
		}
		var refused *metrics.LevelError
		if _, err := s.SavePilot(t.Context(), teamPilot("one", day(2026, time.January, 5)), now); !errors.As(err, &refused) || refused.Have != metrics.LevelPanel {
			t.Fatalf("define over a panel: %v; want a LevelError", err)
		}
		if _, err := s.Panel(t.Context(), "one"); err != nil {
			t.Errorf("the panel is gone: %v", err)
		}
		def, err := s.Replacing().SavePilot(t.Context(), teamPilot("one", day(2026, time.January, 5)), now)
		if err != nil {
			t.Fatal(err)
		}
		if len(def.Changes) != 1 || !slices.Contains(def.Changes[0].What, "level") {
			t.Errorf("changes %+v; want one of the level", def.Changes)
		}
		if _, err := s.Panel(t.Context(), "one"); !errors.Is(err, metrics.ErrNotFound) {
			t.Errorf("the replaced pilot's panel: %v; want ErrNotFound", err)
		}
		if err := importMonths(t, s, panelPilot("one")); !errors.As(err, &refused) || refused.Have != metrics.LevelPullRequests {
			t.Errorf("import over pull requests: %v; want a LevelError", err)
		}
		if err := importMonths(t, s.Replacing(), panelPilot("one")); err != nil {
			t.Error(err)
		}
	})
}

// New words for the same comparison are kept and accuse nobody.
func TestRewordingIsNoChangeAfterTheStart(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		p := panelPilot("one")
		if err := importMonths(t, s, p); err != nil {
			t.Fatal(err)
		}
		p.Title, p.UnitNoun, p.PeriodNoun, p.Sources = "Better words", "service", "sprint", nil
		p.Outcomes = slices.Clone(p.Outcomes)
		p.Outcomes[0].Title = "Commits on main"
		if err := importMonths(t, s, p); err != nil {
			t.Fatal(err)
		}
		p.Seed++
		if err := importMonths(t, s, p); err != nil {
			t.Fatal(err)
		}
		def, err := s.Pilot(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		var after []bool
		for _, c := range def.Changes {
			after = append(after, c.AfterStart)
		}
		if diff := cmp.Diff([]bool{false, true}, after); diff != "" {
			t.Errorf("after the start (-want +got):\n%s", diff)
		}
		want := []string{"outcome_words", "period_noun", "sources", "title", "unit_noun"}
		if diff := cmp.Diff(want, def.Changes[0].What); diff != "" {
			t.Errorf("what changed (-want +got):\n%s", diff)
		}
	})
}

func TestDeletePilot(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		for _, id := range []string{"gone", "kept"} {
			if err := importMonths(t, s, panelPilot(id)); err != nil {
				t.Fatal(err)
			}
		}
		changed := panelPilot("gone")
		changed.Seed++
		if err := importMonths(t, s, changed); err != nil {
			t.Fatal(err)
		}
		if err := s.DeletePilot(t.Context(), "gone"); err != nil {
			t.Fatal(err)
		}
		for name, err := range map[string]error{
			"pilot": second(s.Pilot(t.Context(), "gone")), "panel": second(s.Panel(t.Context(), "gone")),
			"again": s.DeletePilot(t.Context(), "gone"),
		} {
			if !errors.Is(err, metrics.ErrNotFound) {
				t.Errorf("%s: %v; want ErrNotFound", name, err)
			}
		}
		panel, err := s.Panel(t.Context(), "kept")
		if err != nil {
			t.Fatalf("the other pilot: %v", err)
		}
		if panel.Import.Exposure != "commits" {
			t.Errorf("exposure %q is remembered; want commits", panel.Import.Exposure)
		}
		if err := importMonths(t, s, panelPilot("gone")); err != nil {
			t.Fatal(err)
		}
		def, err := s.Pilot(t.Context(), "gone")
		if err != nil || len(def.Changes) != 2 {
			t.Fatalf("made anew: %v, changes %v; want those from before the deletion, and it", err, def.Changes)
		}
		if last := def.Changes[1]; !slices.Equal(last.What, []string{metrics.ChangeDeleted}) || !last.AfterStart {
			t.Errorf("the deletion is kept as %+v", last)
		}
		if err := s.DeletePilot(t.Context(), "gone"); err != nil {
			t.Errorf("deleted twice: %v", err)
		}
	})
}

func second[T any](_ T, err error) error { return err }

// What the file of a pull request did not have is known of each of them.
func TestPullRequestsKnowWhatTheirFileLacked(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		var whole []string
		for _, f := range (^metrics.Fields(0)).List() {
			whole = append(whole, string(f))
		}
		for id, fields := range map[string][]string{
			"whole": whole,
			"poor":  slices.DeleteFunc(slices.Clone(whole), func(f string) bool { return f == "reverted_at" }),
			"old":   nil,
		} {
			rows := func(yield func(metrics.PullRequest, error) bool) {
				yield(metrics.PullRequest{ID: id, Team: "a", Opened: now}, nil)
			}
			if _, err := s.ImportPullRequests(t.Context(), rows, func() (metrics.Import, error) {
				return metrics.Import{File: id, Fields: fields, Notes: []string{"A note."}}, nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		got := map[string]metrics.Fields{}
		for p, err := range s.PullRequests(t.Context(), nil, metrics.Window{}) {
			if err != nil {
				t.Fatal(err)
			}
			got[p.ID] = p.Lacks
		}
		want := map[string]metrics.Fields{"whole": 0, "poor": metrics.FieldSet(metrics.FieldRevertedAt), "old": 0}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("lacks (-want +got):\n%s", diff)
		}
		sum, err := s.PullRequestSummary(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(sum.Imports) != 3 || len(sum.Imports[0].Notes) != 1 {
			t.Errorf("imports %+v; want three with their notes", sum.Imports)
		}
	})
}
