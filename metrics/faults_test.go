package metrics

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestPanicIsNoBuildError holds that a fault of ours is never taken for one of
// the data: such an error is kept, and shown to people.
func TestPanicIsNoBuildError(t *testing.T) {
	p := Pilot{ID: "p", UnitNoun: "team", PeriodNoun: "week"}
	_, err := measureAll(&frame{pilot: p, before: []int{0}, after: []int{1}, treated: []int{0}}, []*outcomeData{{outcome: Outcome{ID: "a"}}}, nil)
	if err == nil || !strings.Contains(err.Error(), "internal error: ") {
		t.Fatalf("error = %v", err)
	}
	if err := building(fmt.Errorf("measure %q: %w", p.ID, err)); isPermanent(err) || strings.Contains(forPeople(err), "nil pointer") {
		t.Errorf("a panic is taken for an error of the data: %v", err)
	}
	if !isPermanent(building(errors.New("no rows"))) {
		t.Error("an error of the data is not known as one")
	}
}
