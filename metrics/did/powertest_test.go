package did_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"steelyard/metrics/did"
)

// TestProportions compares with R's help page of power.prop.test (n = 50 gives
// power .740; power .9 needs n = 76.7) and with the pull requests needed to see
// a revert rate of .75 % rise by half, to its double and to three times that.
func TestProportions(t *testing.T) {
	power, err := did.ProportionPower(50, 0.5, 0.75, 0.05)
	must(t, err)
	near(t, "power", power, 0.7401659, 1e-6)
	n, err := did.ProportionSampleSize(0.5, 0.75, 0.05, 0.9)
	must(t, err)
	near(t, "n", n, 76.7, 1e-3)
	for ratio, want := range map[float64]float64{1.5: 10366, 2: 3104, 3: 1030} {
		n, err := did.ProportionSampleSize(0.0075, 0.0075*ratio, 0.05, 0.8)
		must(t, err)
		if math.Ceil(n) != want {
			t.Errorf("to see %v times the base rate: %v pull requests, want %v", ratio, math.Ceil(n), want)
		}
		p, err := did.ProportionDetectable(n, 0.0075, 0.05, 0.8)
		must(t, err)
		near(t, "back again", p, 0.0075*ratio, 1e-8)
	}
}

// TestRates compares with a sum over all pairs of counts.
func TestRates(t *testing.T) {
	for _, c := range [][2]float64{{2, 3}, {6, 2}, {10, 0.3}, {4, 1}} {
		base, ratio := c[0], c[1]
		var want float64
		for x := range 90 {
			for y := range 90 {
				n := float64(x + y)
				b := distuv.Binomial{N: n, P: 0.5}
				if x+y == 0 {
					continue
				}
				if 1-b.CDF(float64(x)-1) <= 0.025 || b.CDF(float64(x)) <= 0.025 {
					want += distuv.Poisson{Lambda: base * ratio}.Prob(float64(x)) * distuv.Poisson{Lambda: base}.Prob(float64(y))
				}
			}
		}
		got, err := did.RatePower(base, ratio, 0.05)
		must(t, err)
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("base %v, ratio %v: got %v, want %v", base, ratio, got, want)
		}
	}
	ratio, err := did.RateDetectable(20, 0.05, 0.8)
	must(t, err)
	power, err := did.RatePower(20, ratio, 0.05)
	must(t, err)
	near(t, "power of the detectable ratio", power, 0.8, 1e-6)
}

// TestDetectableBeforeTheStart: what the report will say is known before.
func TestDetectableBeforeTheStart(t *testing.T) {
	gap := noisyGap(6, 26, 13)
	before, err := did.CrossFitDetectable(gap[:26], 13, 3, 0.05, 0.8)
	must(t, err)
	r, err := did.CrossFitGap(gap, 26, 3, 0)
	must(t, err)
	after, err := did.DetectableEffect(r.Estimate.SE, r.Estimate.DF, 0.05, 0.8)
	must(t, err)
	near(t, "detectable effect", before, after, 1e-12)
	changes := []float64{1, 3, -2, 0, 1}
	d, err := did.DonaldLangDetectable(changes, 0.05, 0.8)
	must(t, err)
	e, err := did.DonaldLang(5, changes, 0)
	must(t, err)
	after, err = did.DetectableEffect(e.SE, e.DF, 0.05, 0.8)
	must(t, err)
	near(t, "Donald–Lang", d, after, 1e-12)
}

func TestPowerRefusals(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		f    func() (float64, error)
		code did.ErrorCode
	}{
		"OneObservation":  {func() (float64, error) { return did.TTestPower(1, 1, .05) }, did.ErrTooFewUnits},
		"EffectNaN":       {func() (float64, error) { return did.TTestPower(9, nan, .05) }, did.ErrOption},
		"Alpha":           {func() (float64, error) { return did.TTestPower(9, 1, 1) }, did.ErrOption},
		"NoEffect":        {func() (float64, error) { return did.TTestSampleSize(0, .05, .8) }, did.ErrOption},
		"Power":           {func() (float64, error) { return did.TTestSampleSize(1, .05, 1) }, did.ErrOption},
		"PowerUnderSize":  {func() (float64, error) { return did.TTestDetectable(9, .05, .01) }, did.ErrOption},
		"SizeNaN":         {func() (float64, error) { return did.TTestDetectable(nan, .05, .8) }, did.ErrTooFewUnits},
		"Share":           {func() (float64, error) { return did.ProportionPower(9, 0, .5, .05) }, did.ErrOption},
		"EqualShares":     {func() (float64, error) { return did.ProportionSampleSize(.5, .5, .05, .8) }, did.ErrOption},
		"NothingSeen":     {func() (float64, error) { return did.ProportionDetectable(3, .9, .05, .8) }, did.ErrTooFewUnits},
		"Events":          {func() (float64, error) { return did.RatePower(0, 2, .05) }, did.ErrOption},
		"TooManyEvents":   {func() (float64, error) { return did.RatePower(1e9, 2, .05) }, did.ErrOption},
		"RatioNaN":        {func() (float64, error) { return did.RatePower(5, nan, .05) }, did.ErrOption},
		"RatePower":       {func() (float64, error) { return did.RateDetectable(5, .05, 2) }, did.ErrOption},
		"NoPeriodAfter":   {func() (float64, error) { return did.CrossFitDetectable([]float64{1, 2, 3}, 0, 3, .05, .8) }, did.ErrTooFewPeriods},
		"NoBlocks":        {func() (float64, error) { return did.CrossFitDetectable([]float64{1, 2}, 5, 3, .05, .8) }, did.ErrTooFewPeriods},
		"FlatGap":         {func() (float64, error) { return did.CrossFitDetectable(make([]float64, 9), 5, 3, .05, .8) }, did.ErrZeroVariance},
		"EqualChanges":    {func() (float64, error) { return did.DonaldLangDetectable([]float64{1, 1}, .05, .8) }, did.ErrZeroVariance},
		"OneChange":       {func() (float64, error) { return did.DonaldLangDetectable([]float64{1}, .05, .8) }, did.ErrTooFewUnits},
		"HugeSampleSeen":  {func() (float64, error) { return did.TTestDetectable(1e9, .05, .8) }, ""},
		"TinyAlphaIsFine": {func() (float64, error) { return did.TTestSampleSize(.5, 1e-6, .9) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			x, err := c.f()
			wantCode(t, name, err, c.code)
			checkAnswer(t, name, x, err)
		})
	}
}
