package did_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"steelyard/metrics/did"
)

// TestAnytimeEnds: at either end of an interval the evidence against that
// effect is exactly 1/(1 − level), and inside less.
func TestAnytimeEnds(t *testing.T) {
	gap := noisyGap(3, 26, 20)
	for _, independent := range []bool{true, false} {
		o := did.AnytimeOptions{Independent: independent, Horizon: 13}
		r, err := did.AnytimeSequence(gap, 26, o)
		must(t, err)
		checkAnswer(t, "AnytimeSequence", r, err)
		if len(r.Looks) != 20 || independent != (r.Autocorrelation == 0) {
			t.Fatalf("got %+v", r)
		}
		smallest := 1.0
		for i, look := range r.Looks {
			smallest = min(smallest, 1/look.E)
			near(t, "p", look.P, smallest, 1e-12)
			if look.Open {
				continue
			}
			for _, end := range []float64{look.Low, look.High} {
				near(t, "evidence at an end", evidence(t, gap, end, i, o), 20, 1e-8)
			}
			if e := evidence(t, gap, look.Value, i, o); e > 1 {
				t.Errorf("evidence against the estimate itself: %v", e)
			}
		}
		if last := r.Looks[19]; last.Open || last.High-last.Low > r.Looks[5].High-r.Looks[5].Low && !r.Looks[5].Open {
			t.Errorf("intervals do not get shorter: %+v", r.Looks)
		}
	}
	r, err := did.AnytimeSequence(gap, 26, did.AnytimeOptions{Independent: true})
	must(t, err)
	near(t, "value with independent periods", r.Looks[19].Value, average(gap[26:])-average(gap[:26]), 1e-12)
}

// evidence is that against an effect of theta at one look.
func evidence(t *testing.T, gap []float64, theta float64, look int, o did.AnytimeOptions) float64 {
	t.Helper()
	y := append([]float64{}, gap...)
	for i := 26; i < len(y); i++ {
		y[i] -= theta
	}
	r, err := did.AnytimeSequence(y, 26, o)
	must(t, err)
	return r.Looks[look].E
}

// TestAnytimeSize: 26 looks and still no more than 5 % wrong alarms, with
// independent periods and with autocorrelation taken out; without taking it out
// there are more.
func TestAnytimeSize(t *testing.T) {
	const draws = 1500
	alarms := func(rho float64, independent bool) float64 {
		w := world{random: rand.New(rand.NewPCG(3, 3)), rho: rho}
		count := 0.0
		for range draws {
			r, err := did.AnytimeSequence(w.series(52, 1), 26, did.AnytimeOptions{Independent: independent})
			must(t, err)
			if r.Looks[25].P < 0.05 {
				count++
			}
		}
		return count / draws
	}
	if a := alarms(0, true); a > 0.05 {
		t.Errorf("independent periods: %v wrong alarms", a)
	}
	if a := alarms(0.4, false); a > 0.05 {
		t.Errorf("autocorrelation taken out: %v wrong alarms", a)
	}
	if a := alarms(0.4, true); a < 0.06 {
		t.Errorf("autocorrelation left in: only %v wrong alarms, so why take it out", a)
	}
}

func TestAnytimeScale(t *testing.T) {
	gap := noisyGap(4, 20, 10)
	want, err := did.AnytimeSequence(gap, 20, did.AnytimeOptions{})
	must(t, err)
	moved := make([]float64, len(gap))
	for i, g := range gap {
		moved[i] = 1e12*g + 7e13
	}
	got, err := did.AnytimeSequence(moved, 20, did.AnytimeOptions{})
	must(t, err)
	for i := range got.Looks {
		near(t, "low", got.Looks[i].Low, 1e12*want.Looks[i].Low, 1e-6)
		near(t, "evidence", got.Looks[i].E, want.Looks[i].E, 1e-6)
	}
}

func TestAnytimeRefusals(t *testing.T) {
	gap := noisyGap(4, 20, 10)
	for _, c := range []struct {
		name   string
		gap    []float64
		before int
		o      did.AnytimeOptions
		code   did.ErrorCode
	}{
		{"Good", gap, 20, did.AnytimeOptions{}, ""},
		{"FewBefore", gap, 7, did.AnytimeOptions{}, did.ErrTooFewPeriods},
		{"NoneAfter", gap, 30, did.AnytimeOptions{}, did.ErrTooFewPeriods},
		{"Before", gap, 31, did.AnytimeOptions{}, did.ErrShape},
		{"Flat", make([]float64, 30), 20, did.AnytimeOptions{}, did.ErrZeroVariance},
		{"NaN", append([]float64{math.NaN()}, gap...), 20, did.AnytimeOptions{}, did.ErrNotFinite},
		{"Huge", append([]float64{1e200}, gap...), 20, did.AnytimeOptions{}, did.ErrNotFinite},
		{"Horizon", gap, 20, did.AnytimeOptions{Horizon: -1}, did.ErrOption},
		{"Level", gap, 20, did.AnytimeOptions{Level: 3}, did.ErrOption},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := did.AnytimeSequence(c.gap, c.before, c.o)
			wantCode(t, "AnytimeSequence", err, c.code)
		})
	}
	strong := append([]float64{}, gap...)
	for i := 20; i < 30; i++ {
		strong[i] += 1e9
	}
	r, err := did.AnytimeSequence(strong, 20, did.AnytimeOptions{})
	checkAnswer(t, "a huge effect", r, err)
}
