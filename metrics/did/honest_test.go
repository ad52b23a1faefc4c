package did_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"steelyard/metrics/did"
)

// TestBreakdown: the breakdown value parts the bounds at which the interval
// excludes 0 from those at which it does not.
func TestBreakdown(t *testing.T) {
	in := ehecStudy(t)
	b, err := did.BreakdownMagnitude(in, did.HonestOptions{})
	must(t, err)
	if !b.Significant || b.Beyond || math.Abs(b.Bound-1.94) > 0.03 {
		t.Errorf("breakdown value %+v, want about 1.94 (the reference finds 2 among 0.5, 1, 1.5, 2)", b)
	}
	r, err := did.RelativeMagnitudes(in, did.HonestOptions{Bounds: []float64{b.Bound - 0.05, b.Bound + 0.05}})
	must(t, err)
	if r.Intervals[0].Low <= 0 || r.Intervals[1].Low > 0 {
		t.Errorf("intervals around the breakdown value: %+v", r.Intervals)
	}
	weak := in
	weak.Beta = append([]float64{}, in.Beta...)
	weak.Beta[5] = 0.001
	if b, err = did.BreakdownMagnitude(weak, did.HonestOptions{}); err != nil || b.Significant || b.Bound != 0 {
		t.Errorf("an effect of nothing: %+v, error %v", b, err)
	}
	strong := in
	strong.Beta = []float64{0, 0, 0, 0, 0, 100, 100}
	if b, err = did.BreakdownMagnitude(strong, did.HonestOptions{}); err != nil || !b.Beyond {
		t.Errorf("a huge effect: %+v, error %v", b, err)
	}
}

// TestHonestScale: another unit of measurement scales the intervals, a larger
// bound or level widens them, the other sign turns them.
func TestHonestScale(t *testing.T) {
	in := ehecStudy(t)
	bounds := []float64{0, 0.5, 1, 2, 4}
	for name, method := range map[string]func(did.HonestInput, did.HonestOptions) (*did.Honest, error){
		"RelativeMagnitudes": did.RelativeMagnitudes, "SmoothTrend": did.SmoothTrend,
	} {
		for _, weights := range [][]float64{nil, {0.5, 0.5}, {0, 1}, {-1, 1}} {
			r, err := method(in, did.HonestOptions{Bounds: bounds, Weights: weights})
			must(t, err)
			checkAnswer(t, name, r, err)
			step := 41 * r.Original.SE / 999
			for i := 1; i < len(bounds); i++ {
				if r.Intervals[i].Low > r.Intervals[i-1].Low+step || r.Intervals[i].High < r.Intervals[i-1].High-step {
					t.Errorf("%s: a larger bound gives a shorter interval: %+v", name, r.Intervals)
				}
			}
			scaled, turned := rescaled(in, 1e6), rescaled(in, -1)
			big, err := method(scaled, did.HonestOptions{Bounds: []float64{0.5 * scaleOf(name, 1e6)}, Weights: weights})
			must(t, err)
			near(t, name+" scaled", big.Intervals[0].Low, 1e6*r.Intervals[1].Low, 1e-8)
			near(t, name+" scaled", big.Intervals[0].High, 1e6*r.Intervals[1].High, 1e-8)
			other, err := method(turned, did.HonestOptions{Bounds: []float64{0.5}, Weights: weights})
			must(t, err)
			// The simulated critical value takes other draws.
			if math.Abs(other.Intervals[0].Low+r.Intervals[1].High) > 3*step || math.Abs(other.Intervals[0].High+r.Intervals[1].Low) > 3*step {
				t.Errorf("%s turned: %+v, want the mirror image of %+v", name, other.Intervals[0], r.Intervals[1])
			}
		}
	}
}

// scaleOf is how a bound grows with the scale: M is in the unit of the outcome.
func scaleOf(method string, scale float64) float64 {
	if method == "SmoothTrend" {
		return scale
	}
	return 1
}

func rescaled(in did.HonestInput, factor float64) did.HonestInput {
	out := did.HonestInput{Before: in.Before}
	for i, x := range in.Beta {
		out.Beta = append(out.Beta, factor*x)
		var row []float64
		for _, c := range in.Covariance[i] {
			row = append(row, factor*factor*c)
		}
		out.Covariance = append(out.Covariance, row)
	}
	return out
}

// TestHonestSize: the intervals hold the effect as often as they say where the
// trend steps as far as the bound allows.
func TestHonestSize(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	in := did.HonestInput{Beta: make([]float64, 5), Before: 3}
	for i := range 5 {
		row := make([]float64, 5)
		for j := range row {
			row[j] = 0.5
		}
		row[i] = 1
		in.Covariance = append(in.Covariance, row)
	}
	const draws = 200
	missed := 0
	for range draws {
		common := r.NormFloat64() * math.Sqrt(0.5)
		trend := []float64{-3, -2, -1, 1, 2} // a straight line: every step is 1
		for i := range in.Beta {
			in.Beta[i] = trend[i] + common + r.NormFloat64()*math.Sqrt(0.5)
		}
		h, err := did.RelativeMagnitudes(in, did.HonestOptions{Bounds: []float64{1}})
		must(t, err)
		if i := h.Intervals[0]; i.Low > 0 || i.High < 0 {
			missed++
		}
	}
	if missed > draws*10/100 {
		t.Errorf("the 95 %% interval missed an effect of 0 in %d of %d draws", missed, draws)
	}
}

// TestHonestOneAfter: with one period after there is no other effect to let go.
func TestHonestOneAfter(t *testing.T) {
	in := did.HonestInput{Beta: []float64{0.1, -0.2, 3}, Before: 2, Covariance: [][]float64{{1, .5, .4}, {.5, 1, .5}, {.4, .5, 1}}}
	r, err := did.RelativeMagnitudes(in, did.HonestOptions{Bounds: []float64{0, 1, 5}})
	must(t, err)
	i := r.Intervals[0]
	if math.Abs(i.Low-1.04) > 0.1 || math.Abs(i.High-4.96) > 0.1 {
		t.Errorf("parallel trends: %+v, want about 3 ± 1.96", i)
	}
	if w := r.Intervals[1]; w.Low >= i.Low || w.High <= i.High {
		t.Errorf("intervals %+v", r.Intervals)
	}
}

// TestSmoothTrendIsShortest compares with other linear estimators: a linear
// difference needs least squares, and no random weights do better.
func TestSmoothTrendIsShortest(t *testing.T) {
	in := ehecStudy(t)
	r, err := did.SmoothTrend(in, did.HonestOptions{Bounds: []float64{0, 0.002, 0.01}})
	must(t, err)
	random := rand.New(rand.NewPCG(2, 2))
	for range 20000 {
		// Weights before the start that cancel a straight line through 0.
		w := []float64{0, 0, 0, 0, 1, 1, 0}
		for k := range 4 {
			w[k] = random.NormFloat64() * math.Pow(10, -2*random.Float64())
			w[4] -= float64(5-k) * w[k]
		}
		// Their largest bias at M = 1 is Σ|v|, their second sums.
		bias, v, sum := 0.0, 0.0, 0.0
		for k := range 5 {
			sum += w[k]
			v += sum
			bias += math.Abs(v)
		}
		var variance float64
		for a := range 7 {
			for b := range 7 {
				variance += w[a] * w[b] * in.Covariance[a][b]
			}
		}
		sd := math.Sqrt(variance)
		for _, i := range r.Intervals {
			half := sd * did.FoldedQuantile(0.95, i.Bound*bias/sd)
			if best := (i.High - i.Low) / 2; half < best-1e-9 {
				t.Fatalf("weights %v give half a length of %v at M = %v, less than %v", w, half, i.Bound, best)
			}
		}
	}
	near(t, "folded quantile at 0", did.FoldedQuantile(0.95, 0), 1.959963984540054, 1e-12)
	near(t, "folded quantile far out", did.FoldedQuantile(0.95, 9), 9+1.6448536269514722, 1e-12)
}

func TestTruncatedQuantile(t *testing.T) {
	n := distuv.UnitNormal
	for _, c := range [][2]float64{{-1, 2}, {math.Inf(-1), math.Inf(1)}, {1, math.Inf(1)}, {math.Inf(-1), -2}, {4, 5}, {-5, -4}, {7.5, 8}} {
		for _, p := range []float64{0.01, 0.5, 0.95} {
			q := did.TruncatedQuantile(p, c[0], c[1])
			tail := func(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }
			got := (tail(c[0]) - tail(q)) / (tail(c[0]) - tail(c[1]))
			if c[1] <= 0 {
				got = (n.CDF(q) - n.CDF(c[0])) / (n.CDF(c[1]) - n.CDF(c[0]))
			}
			near(t, "probability", got, p, 1e-9)
		}
	}
	if q := did.TruncatedQuantile(0.95, 40, 41); q < 40 || q > 40.2 {
		t.Errorf("far tail: %v", q)
	}
	if q := did.TruncatedQuantile(0.95, -41, -40); q < -40.1 || q > -40 {
		t.Errorf("far lower tail: %v", q)
	}
}

// TestProgram compares the simplex method with all vertices, one by one.
func TestProgram(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for range 200 {
		const columns = 7
		a := [][]float64{make([]float64, columns), make([]float64, columns)}
		for j := range columns {
			a[0][j] = 1
			a[1][j] = math.Round(4 * random.NormFloat64())
		}
		b := []float64{1, 0}
		objectives := make([][]float64, 80)
		for k := range objectives {
			for range columns {
				objectives[k] = append(objectives[k], math.Round(3*random.NormFloat64()))
			}
		}
		got, ok := did.Maximise(a, b, objectives)
		for k, c := range objectives {
			best := math.Inf(-1)
			for i := range columns { // x = 1 where the constraint is 0 already, or a mix of two
				if a[1][i] == 0 {
					best = max(best, c[i])
				}
				for j := range columns {
					if a[1][i] > 0 && a[1][j] < 0 {
						share := -a[1][j] / (a[1][i] - a[1][j])
						best = max(best, share*c[i]+(1-share)*c[j])
					}
				}
			}
			if ok != !math.IsInf(best, -1) {
				t.Fatalf("feasible %v, best %v", ok, best)
			}
			if ok && math.Abs(got[k]-best) > 1e-9 {
				t.Fatalf("objective %v on %v: got %v, want %v", c, a, got[k], best)
			}
		}
	}
}

// TestHonestInputs: from group-time effects and from one treated unit.
func TestHonestInputs(t *testing.T) {
	g, err := did.CallawaySantAnna(bundled(t, "mpdta"), did.GroupTimeOptions{Base: did.Universal})
	must(t, err)
	in, err := g.HonestInput(-3, 3)
	must(t, err)
	d, err := g.Dynamic(-3, 3)
	must(t, err)
	k := 0
	for _, p := range d.Points {
		if p.Reference {
			continue
		}
		near(t, "coefficient", in.Beta[k], p.Estimate.Value, 1e-12)
		near(t, "standard error", math.Sqrt(in.Covariance[k][k]), p.Estimate.SE, 1e-12)
		k++
	}
	if in.Before != 2 || k != len(in.Beta) {
		t.Errorf("%d coefficients before of %d, want 2 of %d", in.Before, len(in.Beta), k)
	}
	r, err := did.RelativeMagnitudes(in, did.HonestOptions{Bounds: []float64{0.5, 1}, Weights: []float64{.25, .25, .25, .25}})
	checkAnswer(t, "RelativeMagnitudes", r, err)
	must(t, err)
	varying, err := did.CallawaySantAnna(bundled(t, "mpdta"), did.GroupTimeOptions{})
	must(t, err)
	_, err = varying.HonestInput(-3, 3)
	wantCode(t, "varying base", err, did.ErrOption)

	comparisons := [][]float64{{1, 2, 4}, {2, 2, 3}, {0, 1, 5}, {3, 1, 1}}
	study, err := did.UnitStudy([]float64{1, 2, 9}, comparisons, 2)
	must(t, err)
	e, err := did.DonaldLang(7, []float64{2, 1, 4, 0}, 0)
	must(t, err)
	near(t, "effect", study.Beta[1], e.Value, 1e-12)
	near(t, "its standard error", math.Sqrt(study.Covariance[1][1]), e.SE, 1e-12)
	_, err = did.UnitStudy([]float64{1, 2, 9}, comparisons[:2], 2)
	wantCode(t, "too few comparison units", err, did.ErrTooFewUnits)
	_, err = did.UnitStudy([]float64{1, 2, 9}, comparisons, 1)
	wantCode(t, "one period before", err, did.ErrTooFewPeriods)
	_, err = did.UnitStudy([]float64{1, 2, math.NaN()}, comparisons, 2)
	wantCode(t, "NaN", err, did.ErrNotFinite)
}

func TestHonestRefusals(t *testing.T) {
	good := func() did.HonestInput { return ehecStudy(t) }
	change := func(f func(*did.HonestInput)) did.HonestInput { in := good(); f(&in); return in }
	for _, c := range []struct {
		name string
		in   did.HonestInput
		o    did.HonestOptions
		code did.ErrorCode
	}{
		{"NoneBefore", change(func(in *did.HonestInput) { in.Before = 0 }), did.HonestOptions{}, did.ErrTooFewPeriods},
		{"NoneAfter", change(func(in *did.HonestInput) { in.Before = 7 }), did.HonestOptions{}, did.ErrTooFewPeriods},
		{"NaN", change(func(in *did.HonestInput) { in.Beta[2] = math.NaN() }), did.HonestOptions{}, did.ErrNotFinite},
		{"CovarianceNaN", change(func(in *did.HonestInput) { in.Covariance[2][3] = math.NaN() }), did.HonestOptions{}, did.ErrNotFinite},
		{"Shape", change(func(in *did.HonestInput) { in.Covariance = in.Covariance[1:] }), did.HonestOptions{}, did.ErrShape},
		{"Ragged", change(func(in *did.HonestInput) { in.Covariance[3] = in.Covariance[3][:2] }), did.HonestOptions{}, did.ErrShape},
		{"Asymmetric", change(func(in *did.HonestInput) { in.Covariance[3][1] *= 2 }), did.HonestOptions{}, did.ErrShape},
		{"NoVariance", change(func(in *did.HonestInput) { in.Covariance[3][3] = 0 }), did.HonestOptions{}, did.ErrZeroVariance},
		{"Bound", good(), did.HonestOptions{Bounds: []float64{-1}}, did.ErrOption},
		{"BoundNaN", good(), did.HonestOptions{Bounds: []float64{math.NaN()}}, did.ErrOption},
		{"Weights", good(), did.HonestOptions{Weights: []float64{1}}, did.ErrShape},
		{"ZeroWeights", good(), did.HonestOptions{Weights: []float64{0, 0}}, did.ErrOption},
		{"Level", good(), did.HonestOptions{Level: 1}, did.ErrOption},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := did.RelativeMagnitudes(c.in, c.o)
			wantCode(t, "RelativeMagnitudes", err, c.code)
			_, err = did.SmoothTrend(c.in, c.o)
			wantCode(t, "SmoothTrend", err, c.code)
			if len(c.o.Bounds) == 0 {
				_, err = did.BreakdownMagnitude(c.in, c.o)
				wantCode(t, "BreakdownMagnitude", err, c.code)
			}
		})
	}
}

// FuzzHonest feeds event studies of every shape.
func FuzzHonest(f *testing.F) {
	f.Add(uint64(1), 3, 2, 1.0, 0.5)
	f.Add(uint64(2), 1, 1, 1e-9, 0.0)
	f.Add(uint64(3), 6, 8, 1e9, 2.0)
	f.Fuzz(func(t *testing.T, seed uint64, before, after int, scale, bound float64) {
		if before < 0 || before > 8 || after < 0 || after > 8 || math.Abs(scale) > 1e60 {
			return
		}
		r := rand.New(rand.NewPCG(seed, 1))
		n := before + after
		in := did.HonestInput{Before: before}
		loads := make([][]float64, n)
		for i := range loads {
			in.Beta = append(in.Beta, scale*r.NormFloat64())
			for range 1 + int(seed%uint64(n+1)) { // often singular
				loads[i] = append(loads[i], scale*r.NormFloat64())
			}
		}
		for i := range n {
			row := make([]float64, n)
			for j := range n {
				for k := range loads[i] {
					row[j] += loads[i][k] * loads[j][k]
				}
			}
			in.Covariance = append(in.Covariance, row)
		}
		o := did.HonestOptions{Bounds: []float64{bound}}
		h, err := did.RelativeMagnitudes(in, o)
		checkAnswer(t, "RelativeMagnitudes", h, err)
		h, err = did.SmoothTrend(in, o)
		checkAnswer(t, "SmoothTrend", h, err)
	})
}

// TestHonestFromEventStudy goes the whole way from the panel: states that
// expanded Medicaid in 2014 against those that had not by 2015.
func TestHonestFromEventStudy(t *testing.T) {
	p := bundled(t, "ehec")
	var q did.Panel
	q.First = append(q.First, p.First...)
	for i, u := range p.Unit {
		if p.Time[i] > 2015 || p.First[u] == 2015 {
			continue
		}
		q.Unit = append(q.Unit, u)
		q.Time = append(q.Time, p.Time[i])
		q.Y = append(q.Y, p.Y[i])
	}
	e, err := did.EventStudy(q, did.EventStudyOptions{})
	must(t, err)
	got, want := e.HonestInput(), ehecStudy(t)
	if got.Before != want.Before || len(got.Beta) != len(want.Beta) {
		t.Fatalf("%d coefficients before of %d, want %d of %d", got.Before, len(got.Beta), want.Before, len(want.Beta))
	}
	for i, beta := range want.Beta {
		near(t, "coefficient", got.Beta[i], beta, 1e-9)
		for j, c := range want.Covariance[i] {
			if math.Abs(got.Covariance[i][j]-c) > 1e-12 {
				t.Errorf("covariance %d, %d: got %v, want %v", i, j, got.Covariance[i][j], c)
			}
		}
	}
	r, err := did.RelativeMagnitudes(got, did.HonestOptions{Bounds: []float64{1}})
	must(t, err)
	near(t, "low", r.Intervals[0].Low, 0.0170395193237046, 1e-8)
	near(t, "high", r.Intervals[0].High, 0.0720057106904936, 1e-8)
}
