package did_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"steelyard/metrics/did"
)

// TestRRandom: the first numbers of R after set.seed, as its users know them.
func TestRRandom(t *testing.T) {
	near(t, "rnorm after set.seed(42)", did.NewRRandom(42).Normal(), 1.37095844714667, 1e-13)
	near(t, "rnorm after set.seed(0)", did.NewRRandom(0).Normal(), 1.26295428488079, 1e-13)
	near(t, "runif after set.seed(12345)", did.NewRRandom(12345).Uniform(), 0.720903896261007, 1e-14)
	if got := did.NewRRandom(42).Sample(10); !slices.Equal(got, []int{0, 4, 9, 7, 1, 3, 5, 8, 6, 2}) {
		t.Errorf("sample(1:10) after set.seed(42): got %v, each one less", got)
	}
}

// TestSyntheticWeights compares the weights of California's comparison.
func TestSyntheticWeights(t *testing.T) {
	r, err := did.SyntheticControls(bundled(t, "california"), did.SyntheticOptions{})
	must(t, err)
	var got []float64
	for _, w := range r.Cohorts[0].UnitWeights {
		got = append(got, w.Weight)
	}
	for _, w := range r.Cohorts[0].PeriodWeights {
		got = append(got, w.Weight)
	}
	for i, row := range readCSV(t, filepath.Join("testdata", "california_weights.csv")) {
		if want := number(t, row["w"]); math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("%s %s: got %v, want %v", row["kind"], row["name"], got[i], want)
		}
	}
	var sum float64
	for _, p := range r.Cohorts[0].Curve[19:] {
		sum += p.Value / 12
	}
	near(t, "mean of the curve from the start on", sum, r.Estimate.Value, 1e-12)
}

// TestSyntheticPlacebos: random placebos with a seed of our own and R's lie
// around the spread over each unit once, inside what 200 draws can give.
func TestSyntheticPlacebos(t *testing.T) {
	p := bundled(t, "california")
	for method, inR := range map[did.SyntheticMethod]float64{
		did.SyntheticDiD: 8.36799308138054, did.SyntheticControl: 9.917425548873, did.EqualWeights: 17.7402669743148,
	} {
		once, err := did.SyntheticControls(p, did.SyntheticOptions{Method: method})
		must(t, err)
		random := func(seed uint64) float64 {
			r, err := did.SyntheticControls(p, did.SyntheticOptions{Method: method, Placebos: 200, Seed: seed})
			must(t, err)
			return r.Estimate.SE
		}
		if random(3) != random(3) {
			t.Error("the same seed gave another standard error")
		}
		// The error of a standard deviation of 200 draws, from their kurtosis.
		var second, fourth float64
		m := average(once.Placebos)
		for _, x := range once.Placebos {
			second += (x - m) * (x - m) / 38
			fourth += math.Pow(x-m, 4) / 38
		}
		allowed := 3 * math.Sqrt(second) * math.Sqrt((fourth/second/second-1)/(4*200))
		for _, se := range []float64{random(1), random(2), inR} {
			if math.Abs(se-once.Estimate.SE) > allowed {
				t.Errorf("method %d: standard error %v, each unit once %v, allowed ± %v", method, se, once.Estimate.SE, allowed)
			}
		}
		if !once.EveryUnitOnce || once.P <= 0 || len(once.Placebos) != 38 {
			t.Errorf("got %+v", once)
		}
	}
}

// TestWarmPlacebos: with fewer units than periods before, weights that start
// from the treated unit's fit the placebo unit already.
func TestWarmPlacebos(t *testing.T) {
	p := setting{comparisons: 8, before: 26, after: 13, sd: 1}.study(rand.New(rand.NewPCG(2, 3))).panel
	cold, err := did.SyntheticControls(p, did.SyntheticOptions{})
	must(t, err)
	warm, err := did.SyntheticControls(p, did.SyntheticOptions{WarmPlacebos: true})
	must(t, err)
	if cold.Estimate.Value != warm.Estimate.Value || warm.Estimate.SE > 0.7*cold.Estimate.SE {
		t.Errorf("started warm %+v, anew %+v", warm.Estimate, cold.Estimate)
	}
	if cold.Estimate.DF != 7 {
		t.Errorf("%v degrees of freedom, want 7", cold.Estimate.DF)
	}
}

// factors is a panel of units that share two factors, n of them never treated,
// the others from period first[i] on by an effect of 2.
func factors(n, periods int, first ...int) did.Panel {
	r := rand.New(rand.NewPCG(8, 8))
	var b builder
	wave := make([]float64, periods)
	for t := range wave {
		wave[t] = 3*math.Sin(float64(t)/2) + r.NormFloat64()
	}
	for u := range n + len(first) {
		start := did.Never
		if u >= n {
			start = first[u-n]
		}
		loading, trend := r.Float64(), r.Float64()
		for t := range periods {
			y := float64(u) + 4*loading*wave[t] + trend*float64(t) + 0.3*r.NormFloat64()
			if t >= start {
				y += 2
			}
			b.add(string(rune('A'+u)), t, start, y)
		}
	}
	return b.panel
}

// TestSyntheticInvariance changes panels in ways that must not change the
// answer, or must scale it.
func TestSyntheticInvariance(t *testing.T) {
	p := factors(12, 20, 13, 13, 16)
	for _, method := range []did.SyntheticMethod{did.SyntheticDiD, did.SyntheticControl, did.EqualWeights} {
		answer := func(q did.Panel) did.Estimate {
			r, err := did.SyntheticControls(q, did.SyntheticOptions{Method: method})
			must(t, err)
			return r.Estimate
		}
		want := answer(p)
		check := func(what string, q did.Panel, factor float64) {
			t.Helper()
			got := answer(q)
			near(t, what, got.Value, factor*want.Value, 1e-7)
			near(t, what+" standard error", got.SE, factor*want.SE, 1e-6)
		}
		check("constant", changed(p, func(i int) float64 { return p.Y[i] + 100 }), 1)
		if method == did.EqualWeights { // the noise level holds the period effects
			check("period effects", changed(p, func(i int) float64 { return p.Y[i] + float64(p.Time[i]*p.Time[i]) }), 1)
		}
		check("scale", changed(p, func(i int) float64 { return p.Y[i] * 1e-6 }), 1e-6)
		check("large scale", changed(p, func(i int) float64 { return p.Y[i] * 1e12 }), 1e12)
		if method != did.SyntheticControl { // which matches levels
			check("unit effects", changed(p, func(i int) float64 { return p.Y[i] + 10*float64(p.Unit[i]%7) }), 1)
		}
		got := answer(shuffled(p)) // random placebos fall on other units
		near(t, "other order and names", got.Value, want.Value, 1e-7)
	}
}

// TestSyntheticStaggered: cohorts are weighed by their treated unit-periods,
// and each is what it is alone.
func TestSyntheticStaggered(t *testing.T) {
	p := factors(12, 20, 13, 13, 16)
	r, err := did.SyntheticControls(p, did.SyntheticOptions{})
	must(t, err)
	if len(r.Cohorts) != 2 || r.Cohorts[0].Units != 2 || r.Cohorts[0].After != 7 || r.Cohorts[1].After != 4 {
		t.Fatalf("cohorts %+v", r.Cohorts)
	}
	near(t, "mean", r.Estimate.Value, (14*r.Cohorts[0].Effect+4*r.Cohorts[1].Effect)/18, 1e-12)
	if len(r.Placebos) != 200 || r.EveryUnitOnce || r.P != 0 || !r.Estimate.HasSE {
		t.Errorf("%d placebos, %+v", len(r.Placebos), r.Estimate)
	}
	for i, keep := range [][]int{{13}, {16}} {
		var b builder
		for row, u := range p.Unit {
			if p.First[u] == did.Never || slices.Contains(keep, p.First[u]) {
				b.add(string(rune('A'+u)), p.Time[row], p.First[u], p.Y[row])
			}
		}
		alone, err := did.SyntheticControls(b.panel, did.SyntheticOptions{})
		must(t, err)
		near(t, "cohort alone", alone.Estimate.Value, r.Cohorts[i].Effect, 1e-12)
	}
}

// TestSyntheticControlFindsTheMix: a treated unit that is a mix of two others,
// as near as the reference's last step comes.
func TestSyntheticControlFindsTheMix(t *testing.T) {
	p := factors(8, 20, 15)
	y := changed(p, func(i int) float64 { return p.Y[i] })
	at := func(unit, time int) float64 { return p.Y[unit*20+time] }
	for i, u := range p.Unit {
		if u == 8 {
			y.Y[i] = 0.7*at(2, p.Time[i]) + 0.3*at(5, p.Time[i])
			if p.Time[i] >= 15 {
				y.Y[i] += 3
			}
		}
	}
	r, err := did.SyntheticControls(y, did.SyntheticOptions{Method: did.SyntheticControl})
	must(t, err)
	near(t, "effect", r.Estimate.Value, 3, 2e-2)
	near(t, "weight", r.Cohorts[0].UnitWeights[2].Weight, 0.7, 5e-2)
}

func TestSyntheticRefusals(t *testing.T) {
	never := did.Never
	good := grid([]int{never, never, never, never, 5}, 9)
	for _, c := range []struct {
		name  string
		panel did.Panel
		o     did.SyntheticOptions
		code  did.ErrorCode
	}{
		{"Good", good, did.SyntheticOptions{}, ""},
		{"Gap", did.Panel{Unit: good.Unit[1:], Time: good.Time[1:], Y: good.Y[1:], First: good.First}, did.SyntheticOptions{}, did.ErrShape},
		{"NoneTreated", grid([]int{never, never, never}, 9), did.SyntheticOptions{}, did.ErrNoTreated},
		{"TreatedFromTheStart", grid([]int{never, never, 0}, 9), did.SyntheticOptions{}, did.ErrNoTreated},
		{"OneComparison", grid([]int{never, 5}, 9), did.SyntheticOptions{}, did.ErrNoComparison},
		{"AllTreated", grid([]int{5, 5, 5}, 9), did.SyntheticOptions{}, did.ErrNoComparison},
		{"OnePeriodBefore", grid([]int{never, never, never, 1}, 9), did.SyntheticOptions{}, did.ErrTooFewPeriods},
		{"Covariates", did.Panel{Unit: good.Unit, Time: good.Time, Y: good.Y, First: good.First, X: [][]float64{good.Y}}, did.SyntheticOptions{}, did.ErrOption},
		{"Method", good, did.SyntheticOptions{Method: 9}, did.ErrOption},
		{"Placebos", good, did.SyntheticOptions{Placebos: -1}, did.ErrOption},
		{"Level", good, did.SyntheticOptions{Level: 2}, did.ErrOption},
		{"NaN", with(grid([]int{never, never, never, 5}, 9), math.NaN()), did.SyntheticOptions{}, did.ErrNotFinite},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := did.SyntheticControls(c.panel, c.o)
			wantCode(t, "SyntheticControls", err, c.code)
			checkAnswer(t, "SyntheticControls", r, err)
		})
	}
	r, err := did.SyntheticControls(grid([]int{never, never, 5, 5, 0}, 9), did.SyntheticOptions{})
	must(t, err)
	if r.Estimate.HasSE || len(r.Warnings) != 1 || len(r.Dropped) != 1 {
		t.Errorf("too few for placebos: %+v", r)
	}
	flat := changed(good, func(i int) float64 { return 7 })
	r, err = did.SyntheticControls(flat, did.SyntheticOptions{})
	checkAnswer(t, "nothing varies", r, err)
	if err != nil || r.Estimate.Value != 0 || r.Estimate.HasSE {
		t.Errorf("nothing varies: %+v, error %v", r, err)
	}
}

// FuzzDesign feeds panels of every shape to the synthetic methods and to the
// choice of a method.
func FuzzDesign(f *testing.F) {
	f.Add([]byte{3, 2, 9, 9, 0, 0, 10, 0, 1, 12, 0, 2, 14, 1, 0, 9, 1, 1, 9, 1, 2, 8, 2, 0, 1, 2, 1, 2, 2, 2, 4})
	f.Add([]byte{4, 2, 9, 9, 9, 0, 0, 5, 0, 1, 5, 0, 2, 5, 1, 0, 5, 1, 1, 5, 1, 2, 5, 2, 0, 5, 2, 1, 5, 2, 2, 5, 3, 0, 5, 3, 1, 5, 3, 2, 5})
	f.Add([]byte{2, 9, 9, 0, 0, 5, 0, 1, 5, 1, 0, 5, 1, 1, 5})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 600 {
			return
		}
		p := panelOf(data)
		for _, method := range []did.SyntheticMethod{did.SyntheticDiD, did.SyntheticControl, did.EqualWeights} {
			r, err := did.SyntheticControls(p, did.SyntheticOptions{Method: method, Placebos: 3 * int(method)})
			checkAnswer(t, "SyntheticControls", r, err)
		}
		d, err := did.DesignOf(p)
		checkAnswer(t, "DesignOf", d, err)
		if err != nil {
			return
		}
		choices, err := did.Choose(d)
		checkAnswer(t, "Choose", choices, err)
	})
}

// TestExtremeOutcomes: as large and as small as numbers come.
func TestExtremeOutcomes(t *testing.T) {
	p := factors(6, 14, 9, 11)
	one := factors(6, 14, 9)
	for _, factor := range []float64{1e147, 1e12, 1e-12, 1e-150, 1e-305} {
		for _, q := range []did.Panel{p, one} {
			q = changed(q, func(i int) float64 { return factor * q.Y[i] })
			for _, method := range []did.SyntheticMethod{did.SyntheticDiD, did.SyntheticControl, did.EqualWeights} {
				r, err := did.SyntheticControls(q, did.SyntheticOptions{Method: method})
				checkAnswer(t, "SyntheticControls", r, err)
				must(t, err)
			}
			d, err := did.DesignOf(q)
			checkAnswer(t, "DesignOf", d, err)
		}
		gap := noisyGap(2, 26, 13)
		for i := range gap {
			gap[i] *= factor
		}
		a, err := did.AnytimeSequence(gap, 26, did.AnytimeOptions{})
		checkAnswer(t, "AnytimeSequence", a, err)
		c, err := did.Conformal(gap, 26, did.ConformalOptions{})
		checkAnswer(t, "Conformal", c, err)
		for _, statistic := range []did.RandomizationStatistic{did.MeanDifference, did.StudentisedDifference} {
			marks := make([]bool, len(gap))
			marks[3], marks[9], marks[20] = true, true, true
			r, err := did.Randomization(gap, marks, did.RandomizationOptions{Statistic: statistic})
			checkAnswer(t, "Randomization", r, err)
		}
	}
}
