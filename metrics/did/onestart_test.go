package did_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// TestOneStart reads California and gives its references again.
func TestOneStart(t *testing.T) {
	p := bundled(t, "california")
	o, err := did.NewOneStart(p)
	must(t, err)
	checkAnswer(t, "NewOneStart", o, err)
	if o.Before != 19 || len(o.Gap) != 31 || len(o.Comparisons) != 38 || len(o.Units) != 39 || !o.Marks[0] || o.Marks[1] {
		t.Errorf("got %+v", o)
	}
	gap, _ := gapOf(t, p)
	for i := range gap {
		near(t, "gap", o.Gap[i], gap[i], 1e-12)
	}
	e, err := did.DonaldLang(o.Changes[0], o.Changes[1:], 0)
	must(t, err)
	near(t, "Donald–Lang", e.Value, -27.349111083615, 1e-12)
	near(t, "its standard error", e.SE, 17.2808133079565, 1e-12)
	other, err := did.NewOneStart(shuffled(p))
	must(t, err)
	for i := range gap {
		near(t, "gap in another order", other.Gap[i], gap[i], 1e-12)
	}
}

func TestOneStartRefusals(t *testing.T) {
	never := did.Never
	good := grid([]int{never, 3, 3, never, 0}, 6)
	o, err := did.NewOneStart(good)
	must(t, err)
	if !slices.Equal(o.Units, []int{1, 2, 0, 3}) || len(o.Dropped) != 1 || o.Dropped[0].Units != 1 {
		t.Errorf("got %+v", o)
	}
	gap := did.Panel{Unit: slices.Delete(slices.Clone(good.Unit), 8, 9), Time: slices.Delete(slices.Clone(good.Time), 8, 9), Y: slices.Delete(slices.Clone(good.Y), 8, 9), First: good.First}
	_, err = did.NewOneStart(gap)
	wantCode(t, "gap", err, did.ErrShape)
	if err == nil || !strings.Contains(err.Error(), "unit 1 has no row in period 2") {
		t.Errorf("the error does not name the gap: %v", err)
	}
	for name, c := range map[string]struct {
		panel did.Panel
		code  did.ErrorCode
	}{
		"TwoStarts":    {grid([]int{never, 2, 3}, 6), did.ErrShape},
		"NoneTreated":  {grid([]int{never, never}, 6), did.ErrNoTreated},
		"NoComparison": {grid([]int{3, 3}, 6), did.ErrNoComparison},
		"NaN":          {with(grid([]int{never, 3}, 6), math.NaN()), did.ErrNotFinite},
		"Nothing":      {did.Panel{}, did.ErrTooFewUnits},
	} {
		_, err := did.NewOneStart(c.panel)
		wantCode(t, name, err, c.code)
	}
}
