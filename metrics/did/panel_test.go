package did_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// grid is units 0 … by periods 0 …, in order.
func grid(first []int, periods int) did.Panel {
	p := did.Panel{First: first}
	for u := range first {
		for time := range periods {
			p.Unit = append(p.Unit, u)
			p.Time = append(p.Time, time)
			p.Y = append(p.Y, float64((u*7+time*3)%5))
		}
	}
	return p
}

// TestRefusals names what each method refuses and how.
func TestRefusals(t *testing.T) {
	never := did.Never
	good := []int{2, 2, 3, never, never}
	for _, c := range []struct {
		name                  string
		panel                 did.Panel
		groupTime, imputation did.ErrorCode // "" = answers
	}{
		{"Good", grid(good, 5), "", ""},
		{"NoRows", did.Panel{First: good}, did.ErrTooFewUnits, did.ErrTooFewUnits},
		{"OneUnit", grid([]int{2}, 5), did.ErrNoComparison, did.ErrNotIdentified},
		{"OnePeriod", grid(good, 1), did.ErrTooFewPeriods, did.ErrTooFewPeriods},
		{"NoneTreated", grid([]int{never, never, 9}, 5), did.ErrNoTreated, did.ErrNoTreated},
		{"AllTreatedAtOnce", grid([]int{2, 2, 2}, 5), did.ErrNoComparison, did.ErrNotIdentified},
		{"AllTreatedInTheEnd", grid([]int{2, 2, 3, 4}, 5), did.ErrNoComparison, ""},
		{"TreatedFromTheStart", grid([]int{0, -3, never}, 5), did.ErrNoTreated, did.ErrNotIdentified},
		{"Duplicate", duplicated(grid(good, 5)), did.ErrDuplicate, did.ErrDuplicate},
		{"NaN", with(grid(good, 5), math.NaN()), did.ErrNotFinite, did.ErrNotFinite},
		{"Infinite", with(grid(good, 5), math.Inf(1)), did.ErrNotFinite, did.ErrNotFinite},
		{"TooLargeToSquare", with(grid(good, 5), 1e160), did.ErrNotFinite, did.ErrNotFinite},
		{"UnitOutOfRange", did.Panel{Unit: []int{0, 5}, Time: []int{0, 1}, Y: []float64{1, 2}, First: good}, did.ErrShape, did.ErrShape},
		{"NegativeUnit", did.Panel{Unit: []int{0, -1}, Time: []int{0, 1}, Y: []float64{1, 2}, First: good}, did.ErrShape, did.ErrShape},
		{"Lengths", did.Panel{Unit: []int{0}, Time: []int{0, 1}, Y: []float64{1, 2}, First: good}, did.ErrShape, did.ErrShape},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := did.CallawaySantAnna(c.panel, did.GroupTimeOptions{})
			wantCode(t, "CallawaySantAnna", err, c.groupTime)
			_, err = did.Impute(c.panel, did.ImputationOptions{Horizons: true})
			wantCode(t, "Impute", err, c.imputation)
			tryAll(t, c.panel)
		})
	}
}

func duplicated(p did.Panel) did.Panel {
	p.Unit, p.Time, p.Y = append(p.Unit, 1), append(p.Time, 3), append(p.Y, 8)
	return p
}

func with(p did.Panel, y float64) did.Panel {
	p.Y[7] = y
	return p
}

func wantCode(t *testing.T, what string, err error, code did.ErrorCode) {
	t.Helper()
	switch {
	case code == "" && err != nil:
		t.Errorf("%s refused: %v", what, err)
	case code != "" && !errors.Is(err, &did.Error{Code: code}):
		t.Errorf("%s: got error %v, want code %s", what, err, code)
	}
}

// TestOptionsAreChecked refuses options outside their range.
func TestOptionsAreChecked(t *testing.T) {
	p := grid([]int{2, 2, did.Never, did.Never}, 5)
	for _, o := range []did.GroupTimeOptions{
		{Level: 1}, {Level: -0.1}, {Level: math.NaN()}, {Draws: -1}, {Draws: 1 << 30}, {Control: 7}, {Base: 7},
	} {
		_, err := did.CallawaySantAnna(p, o)
		wantCode(t, "CallawaySantAnna", err, did.ErrOption)
	}
	for _, o := range []did.ImputationOptions{{Level: 2}, {PreTrends: -1}} {
		_, err := did.Impute(p, o)
		wantCode(t, "Impute", err, did.ErrOption)
	}
	_, err := did.Impute(p, did.ImputationOptions{Cluster: []int{1}})
	wantCode(t, "Impute", err, did.ErrShape)
}

// TestAlwaysTreatedUnitsAreCounted: units treated in or before the first
// period go, and the answer is that without them.
func TestAlwaysTreatedUnitsAreCounted(t *testing.T) {
	first := []int{2, 2, 3, did.Never, did.Never, 0, -4}
	g, err := did.CallawaySantAnna(grid(first, 5), did.GroupTimeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Dropped) != 1 || g.Dropped[0].Units != 2 || g.Dropped[0].Rows != 10 || g.Units != 5 {
		t.Errorf("dropped %+v, kept %d units", g.Dropped, g.Units)
	}
	without, err := did.CallawaySantAnna(grid(first[:5], 5), did.GroupTimeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range g.Cells {
		if g.Cells[k] != without.Cells[k] {
			t.Errorf("cell %+v, want %+v", g.Cells[k], without.Cells[k])
		}
	}
	r, err := did.Impute(grid(first, 5), did.ImputationOptions{Horizons: true})
	if err != nil {
		t.Fatal(err)
	}
	if d := r.Dropped[0]; d.Units != 2 || d.TreatedRows != 10 {
		t.Errorf("dropped %+v", r.Dropped)
	}
	for _, h := range r.Horizons {
		if reached := h.Event <= 2; reached != (h.Missing == "") {
			t.Errorf("horizon %d: missing %q", h.Event, h.Missing)
		}
	}
}

// TestWarnings: a cohort of one unit and a missing never-treated group.
func TestWarnings(t *testing.T) {
	g, err := did.CallawaySantAnna(grid([]int{2, 3, 3, did.Never, did.Never}, 5), did.GroupTimeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Warnings) != 1 || !strings.Contains(g.Warnings[0], "One unit alone starts in period 2") {
		t.Errorf("warnings %q", g.Warnings)
	}
	g, err = did.CallawaySantAnna(grid([]int{2, 2, 4, 4}, 6), did.GroupTimeOptions{Control: did.NotYetTreated})
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Warnings) != 1 || !strings.Contains(g.Warnings[0], "No unit is never treated") {
		t.Errorf("warnings %q", g.Warnings)
	}
	if len(g.Dropped) != 1 || g.Dropped[0].Rows != 8 || g.Dropped[0].Units != 0 {
		t.Errorf("dropped %+v", g.Dropped)
	}
	for _, c := range g.Cells {
		if c.Group != 2 || c.Time > 3 {
			t.Errorf("cell of group %d in period %d has no comparison", c.Group, c.Time)
		}
	}
}

// TestUniversalBase marks the reference and gives it no uncertainty.
func TestUniversalBase(t *testing.T) {
	g, err := did.CallawaySantAnna(random(4, 1), did.GroupTimeOptions{Base: did.Universal, Draws: 100})
	if err != nil {
		t.Fatal(err)
	}
	d, err := g.Dynamic(-3, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range d.Points {
		if e.Reference != (e.Event == -1) {
			t.Errorf("event %d: reference %v", e.Event, e.Reference)
		}
		if e.Reference && (e.Estimate != did.Estimate{}) {
			t.Errorf("the reference has an estimate: %+v", e.Estimate)
		}
	}
}
