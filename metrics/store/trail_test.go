package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/store"
)

func TestTrail(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		p := teamPilot("payments", day(2025, time.March, 3))
		edit := func(e metrics.Edit) (metrics.Definition, error) { return s.EditPilot(t.Context(), p, now, e) }
		if _, err := edit(metrics.Edit{}); err == nil {
			t.Error("nobody may save")
		}
		first, err := edit(metrics.Edit{By: "an admin"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := edit(metrics.Edit{By: "another"}); !errors.Is(err, metrics.ErrChanged) {
			t.Errorf("a new pilot over one that is there: %v", err)
		}
		p.Title = "Another name"
		if _, err := edit(metrics.Edit{By: "another", Based: "0123"}); !errors.Is(err, metrics.ErrChanged) {
			t.Errorf("from a definition that is not there: %v", err)
		}
		second, err := edit(metrics.Edit{By: "another", Based: first.Hash})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := edit(metrics.Edit{By: "a third", Based: second.Hash}); err != nil { // nothing to save
			t.Fatal(err)
		}
		want := []metrics.TrailEntry{
			{Pilot: "payments", At: now, By: "another", Hash: second.Hash, What: []string{"title"}},
			{Pilot: "payments", At: now, By: "an admin", Hash: first.Hash, What: []string{}},
		}
		for _, pilot := range []string{"", "payments"} {
			got, err := s.Trail(t.Context(), pilot, 10)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("trail of %q (-want +got):\n%s", pilot, diff)
			}
		}
		if got, err := s.Trail(t.Context(), "other", 10); err != nil || len(got) != 0 {
			t.Errorf("of another pilot: %v, %v", got, err)
		}
		if got, err := s.Trail(t.Context(), "", 1); err != nil || len(got) != 1 {
			t.Errorf("one: %v, %v", got, err)
		}
	})
}
