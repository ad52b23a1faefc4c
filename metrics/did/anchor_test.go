package did_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// gapped is a panel of ten periods with an effect of 3 from the start on, where
// rows that missing accepts were never seen.
func gapped(starts []int, missing func(first, time int) bool) did.Panel {
	r := rand.New(rand.NewPCG(7, 7))
	p := did.Panel{First: starts}
	for u, first := range starts {
		level := r.NormFloat64()
		for time := 1; time <= 10; time++ {
			if missing(first, time) {
				continue
			}
			y := level + 0.1*float64(time) + 0.05*r.NormFloat64()
			if time >= first {
				y += 3
			}
			p.Unit, p.Time, p.Y = append(p.Unit, u), append(p.Time, time), append(p.Y, y)
		}
	}
	return p
}

// TestEventsNeedTheirReference: where nobody was seen at the reference, effects
// are not taken relative to some other event in its place.
func TestEventsNeedTheirReference(t *testing.T) {
	never := did.Never
	starts := []int{6, 6, 6, 6, never, never, never, never, never}
	for _, c := range []struct {
		name    string
		missing func(first, time int) bool
	}{
		{"NoRowInThePeriod", func(_, time int) bool { return time == 5 }},
		{"NoTreatedRow", func(first, time int) bool { return time == 5 && first == 6 }},
		{"NoComparisonRow", func(first, time int) bool { return time == 5 && first == never }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := gapped(starts, c.missing)
			_, err := did.EventStudy(p, did.EventStudyOptions{})
			wantCode(t, "event study", err, did.ErrNotIdentified)
			_, err = did.SunAbraham(p, did.SunAbrahamOptions{})
			wantCode(t, "Sun–Abraham", err, did.ErrNotIdentified)
			e, err := did.EventStudy(p, did.EventStudyOptions{Reference: -2})
			if err != nil {
				t.Fatal(err)
			}
			for _, point := range e.Points {
				if point.Event >= 0 && math.Abs(point.Estimate.Value-3) > 0.2 {
					t.Errorf("event %d is %.3f, want about 3", point.Event, point.Estimate.Value)
				}
			}
		})
	}
}

// TestCohortWithoutItsReference: a cohort that was not seen at the reference
// stays out of the averages of the others, and is spoken of.
func TestCohortWithoutItsReference(t *testing.T) {
	never := did.Never
	p := gapped([]int{4, 4, 4, 4, 7, 7, 7, 7, never, never, never, never, never},
		func(first, time int) bool { return first == 7 && time == 6 })
	r, err := did.SunAbraham(p, did.SunAbrahamOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.ATT.Value-3) > 0.1 {
		t.Errorf("effect %.3f, want about 3", r.ATT.Value)
	}
	if len(r.Cohorts) != 1 || r.Cohorts[0].Label != 4 {
		t.Errorf("cohorts %+v, want that of period 4 alone", r.Cohorts)
	}
	if !strings.Contains(strings.Join(r.Warnings, " "), "Left out of all averages: 9 of 18") {
		t.Errorf("warnings %q do not say that a cohort was left out", r.Warnings)
	}
}

// TestTrendThatNothingTells: with staggered starts and nobody never treated, a
// trend in time since the start fits as well as none, and no event is told.
func TestTrendThatNothingTells(t *testing.T) {
	p := gapped([]int{4, 4, 4, 4, 7, 7, 7, 7}, func(int, int) bool { return false })
	_, err := did.EventStudy(p, did.EventStudyOptions{})
	wantCode(t, "event study without a unit never treated", err, did.ErrNotIdentified)
}

// TestOneComparisonUnitWarns: group-time errors hold nothing of its noise.
func TestOneComparisonUnitWarns(t *testing.T) {
	g, err := did.CallawaySantAnna(gapped([]int{6, 6, 6, 6, did.Never}, func(int, int) bool { return false }), did.GroupTimeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(g.Warnings, " "), "the comparison that stays untreated") {
		t.Errorf("warnings %q say nothing of the one comparison unit", g.Warnings)
	}
}
