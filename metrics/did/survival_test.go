package did_test

import (
	"math"
	"testing"

	"steelyard/metrics/did"
)

// aml is the leukaemia trial of Miller (1997) that comes with R's package
// survival, as data set aml: weeks, and whether the relapse was seen.
var (
	maintained    = []float64{9, 13, 13, 18, 23, 28, 31, 34, 45, 48, 161}
	maintainedHas = []bool{true, true, false, true, true, false, true, true, false, true, false}
	other         = []float64{5, 5, 8, 8, 12, 16, 23, 27, 30, 33, 43, 45}
	otherHas      = []bool{true, true, true, true, true, false, true, true, true, true, true, true}
)

// TestKaplanMeier: survfit(Surv(time, status) ~ x, aml) prints medians 31
// (18, NA) and 23 (8, NA).
func TestKaplanMeier(t *testing.T) {
	for _, c := range []struct {
		name           string
		durations      []float64
		observed       []bool
		median, low    float64
		last, atMedian float64
	}{
		{"Maintained", maintained, maintainedHas, 31, 18, 0.1840909, 0.4909091},
		{"Nonmaintained", other, otherHas, 23, 8, 0, 0.4861111},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := did.KaplanMeier(c.durations, c.observed)
			checkAnswer(t, "KaplanMeier", s, err)
			median, ok := s.Median()
			if !ok || median != c.median {
				t.Errorf("median %v %v, want %v", median, ok, c.median)
			}
			i, err := s.QuantileInterval(0.5, 0)
			if err != nil || i.Low != c.low || i.LowOpen || !i.HighOpen {
				t.Errorf("interval %+v, error %v", i, err)
			}
			near(t, "last probability", s.Probability[len(s.Probability)-1], c.last, 1e-6)
			for k, time := range s.Time {
				if time == c.median {
					near(t, "probability at the median", s.Probability[k], c.atMedian, 1e-6)
				}
			}
		})
	}
}

// TestQuantileSteps: a curve that is level at one half gives the middle.
func TestQuantileSteps(t *testing.T) {
	all := []bool{true, true, true, true}
	for _, c := range []struct {
		name      string
		durations []float64
		observed  []bool
		q, want   float64
		ok        bool
	}{
		{"EvenNumber", []float64{1, 2, 4, 9}, all, 0.5, 3, true},
		{"Quarter", []float64{1, 2, 4, 9}, all, 0.25, 1.5, true},
		{"OddNumber", []float64{5, 1, 3}, all[:3], 0.5, 3, true},
		{"CensoredAtTheEvent", []float64{2, 2, 5}, []bool{true, false, true}, 0.5, 5, true},
		{"LevelToTheEnd", []float64{1, 2, 9, 9}, []bool{true, true, false, false}, 0.5, 2, true},
		{"NeverThatFar", []float64{1, 2, 3}, []bool{true, false, false}, 0.5, 0, false},
		{"NothingHappened", []float64{1, 2}, []bool{false, false}, 0.5, 0, false},
		{"OutOfRange", []float64{1, 2}, []bool{true, true}, 1.5, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := did.KaplanMeier(c.durations, c.observed)
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := s.Quantile(c.q); got != c.want || ok != c.ok {
				t.Errorf("got %v %v, want %v %v", got, ok, c.want, c.ok)
			}
		})
	}
}

func TestSurvivalCounts(t *testing.T) {
	s, err := did.KaplanMeier([]float64{2, 1, 2, 2, 3}, []bool{true, false, true, false, false})
	if err != nil {
		t.Fatal(err)
	}
	events, censored := 0, 0
	for k := range s.Time {
		events += s.Events[k]
		censored += s.Censored[k]
	}
	if events != 2 || censored != 3 || s.N != 5 || s.AtRisk[1] != 4 || s.Censored[1] != 1 {
		t.Errorf("got %+v", s)
	}
}

func TestKaplanMeierRefusals(t *testing.T) {
	_, err := did.KaplanMeier(nil, nil)
	wantCode(t, "nothing", err, did.ErrTooFewUnits)
	_, err = did.KaplanMeier([]float64{1}, nil)
	wantCode(t, "lengths", err, did.ErrShape)
	_, err = did.KaplanMeier([]float64{-1}, []bool{true})
	wantCode(t, "negative", err, did.ErrShape)
	_, err = did.KaplanMeier([]float64{math.NaN()}, []bool{true})
	wantCode(t, "NaN", err, did.ErrNotFinite)
}
