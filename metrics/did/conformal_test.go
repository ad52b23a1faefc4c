package did_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"steelyard/metrics/did"
)

// noisyGap is a gap with an effect of 1 from period before on.
func noisyGap(seed uint64, before, after int) []float64 {
	r := rand.New(rand.NewPCG(seed, 77))
	gap := make([]float64, before+after)
	for t := range gap {
		gap[t] = 5 + r.NormFloat64()
		if t >= before {
			gap[t]++
		}
	}
	return gap
}

// slowConformal is the p-value over moving blocks, written as the definition
// reads.
func slowConformal(gap []float64, before int, theta float64) float64 {
	n := len(gap)
	u := make([]float64, n)
	for t, g := range gap {
		u[t] = g
		if t >= before {
			u[t] -= theta
		}
	}
	m := average(u)
	sum := func(shift int) float64 {
		var s float64
		for k := range n - before {
			s += math.Abs(u[(before+shift+k)%n] - m)
		}
		return s
	}
	count := 0.0
	for shift := range n {
		if sum(shift) >= sum(0)-1e-12 {
			count++
		}
	}
	return count / float64(n)
}

// TestConformalInterval: p is that of the definition, and the interval ends
// exactly where p crosses 1 − level.
func TestConformalInterval(t *testing.T) {
	for seed := range uint64(30) {
		gap := noisyGap(seed, 26, 13)
		for _, level := range []float64{0, 0.9, 0.8} {
			r, err := did.Conformal(gap, 26, did.ConformalOptions{Level: level})
			must(t, err)
			near(t, "p", r.P, slowConformal(gap, 26, 0), 1e-12)
			checkAnswer(t, "Conformal", r, err)
			if r.NoInterval != "" {
				continue
			}
			alpha := 1 - r.Level
			for _, c := range []struct{ at, outward float64 }{{r.Low, -1}, {r.High, 1}} {
				if p := slowConformal(gap, 26, c.at-1e-6*c.outward); p <= alpha {
					t.Errorf("seed %d: %v lies inside and is rejected with p %v", seed, c.at, p)
				}
				if p := slowConformal(gap, 26, c.at+1e-6*c.outward); p > alpha {
					t.Errorf("seed %d: %v lies outside and has p %v", seed, c.at, p)
				}
			}
			for k := range 100 { // nothing further out is accepted
				if p := slowConformal(gap, 26, r.High+0.1*float64(k+1)); p > alpha {
					t.Errorf("seed %d: %v beyond the interval has p %v", seed, r.High+0.1*float64(k+1), p)
				}
			}
		}
	}
}

// TestConformalPermutations: all sets are enumerated where they are few.
func TestConformalPermutations(t *testing.T) {
	gap := []float64{0, 1, -1, 0.5, -0.5, 0.2, 9, 8}
	r, err := did.Conformal(gap, 6, did.ConformalOptions{Scheme: did.AllPermutations})
	must(t, err)
	if !r.Exact || r.Arrangements != 28 || r.P != 1.0/28 {
		t.Errorf("got %+v", r)
	}
	long := noisyGap(3, 20, 10)
	draw := func(seed uint64) did.ConformalResult {
		r, err := did.Conformal(long, 20, did.ConformalOptions{Scheme: did.AllPermutations, Draws: 2000, Seed: seed})
		must(t, err)
		return r
	}
	a, b := draw(1), draw(2)
	if a.Exact || a.Arrangements != 2001 || a != draw(1) {
		t.Errorf("got %+v", a)
	}
	if a.P == b.P || math.Abs(a.P-b.P) > 0.05 {
		t.Errorf("two seeds gave p %v and %v", a.P, b.P)
	}
	if a.NoInterval != "" || math.Abs(a.Low-b.Low) > 0.3 || math.Abs(a.High-b.High) > 0.3 {
		t.Errorf("intervals %+v and %+v", a, b)
	}
}

// TestConformalInvariance: levels change nothing, an effect and a scale move
// the interval along.
func TestConformalInvariance(t *testing.T) {
	gap := noisyGap(5, 26, 13)
	want, err := did.Conformal(gap, 26, did.ConformalOptions{})
	must(t, err)
	moved := make([]float64, len(gap))
	for i, g := range gap {
		moved[i] = 1e6 * (g + 40)
		if i >= 26 {
			moved[i] += 3e6
		}
	}
	got, err := did.Conformal(moved, 26, did.ConformalOptions{Null: 3e6})
	must(t, err)
	near(t, "p", got.P, want.P, 1e-12)
	near(t, "value", got.Value, 1e6*(want.Value+3), 1e-9)
	near(t, "low", got.Low, 1e6*(want.Low+3), 1e-9)
	near(t, "high", got.High, 1e6*(want.High+3), 1e-9)
}

// TestConformalWithoutInterval: too much after the start leaves no bound, noise
// after it no effect, no noise nothing to go by.
func TestConformalWithoutInterval(t *testing.T) {
	r, err := did.Conformal(noisyGap(1, 8, 24), 8, did.ConformalOptions{})
	must(t, err)
	if !r.LowOpen || !r.HighOpen || r.Low != 0 || r.High != 0 {
		t.Errorf("more periods after than before: %+v", r)
	}
	wild := make([]float64, 30)
	for i := 20; i < 30; i++ {
		wild[i] = (100 + float64(i*i%7)) * float64(1-2*(i%2))
	}
	if r, err = did.Conformal(wild, 20, did.ConformalOptions{Level: 0.9}); err != nil || r.NoInterval == "" {
		t.Errorf("noise after the start alone: %+v, error %v", r, err)
	}
	step := make([]float64, 30)
	for i := 20; i < 30; i++ {
		step[i] = 2
	}
	if r, err = did.Conformal(step, 20, did.ConformalOptions{}); err != nil || r.NoInterval == "" || r.Value != 2 {
		t.Errorf("a step without noise: %+v, error %v", r, err)
	}
	if r, err = did.Conformal(make([]float64, 30), 20, did.ConformalOptions{}); err != nil || r.P != 1 || r.NoInterval == "" {
		t.Errorf("nothing at all: %+v, error %v", r, err)
	}
}

func TestConformalRefusals(t *testing.T) {
	gap := noisyGap(1, 26, 13)
	for _, c := range []struct {
		name   string
		gap    []float64
		before int
		o      did.ConformalOptions
		code   did.ErrorCode
	}{
		{"LevelOutOfReach", gap[:12], 8, did.ConformalOptions{}, did.ErrLevel},
		{"LevelInReach", gap[:12], 8, did.ConformalOptions{Level: 0.9}, ""},
		{"TwentyPeriods", gap[:20], 12, did.ConformalOptions{}, ""},
		{"PermutationsInReach", gap[:8], 5, did.ConformalOptions{Scheme: did.AllPermutations}, ""},
		{"NoneBefore", gap, 0, did.ConformalOptions{}, did.ErrTooFewPeriods},
		{"NoneAfter", gap, len(gap), did.ConformalOptions{}, did.ErrTooFewPeriods},
		{"Before", gap, 99, did.ConformalOptions{}, did.ErrShape},
		{"NaN", []float64{1, math.NaN(), 2}, 2, did.ConformalOptions{}, did.ErrNotFinite},
		{"Huge", []float64{1, 1e200, 2}, 2, did.ConformalOptions{}, did.ErrNotFinite},
		{"Long", make([]float64, 5000), 2000, did.ConformalOptions{}, did.ErrShape},
		{"Scheme", gap, 26, did.ConformalOptions{Scheme: 7}, did.ErrOption},
		{"Draws", gap, 26, did.ConformalOptions{Draws: -1}, did.ErrOption},
		{"Null", gap, 26, did.ConformalOptions{Null: math.Inf(1)}, did.ErrOption},
		{"Level", gap, 26, did.ConformalOptions{Level: 1.5}, did.ErrOption},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := did.Conformal(c.gap, c.before, c.o)
			wantCode(t, "Conformal", err, c.code)
			checkAnswer(t, "Conformal", r, err)
		})
	}
}

// TestRandomizationInterval: the interval ends where the p-value of the test of
// that effect crosses 1 − level.
func TestRandomizationInterval(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 20 {
		changes := make([]float64, 9)
		treated := make([]bool, 9)
		for u := range changes {
			treated[u] = u%3 == 0
			changes[u] = r.NormFloat64()
		}
		res, err := did.Randomization(changes, treated, did.RandomizationOptions{Level: 0.9})
		must(t, err)
		if !res.HasInterval || !res.Exact || res.Assignments != 84 || res.Low >= res.Value || res.High <= res.Value {
			t.Fatalf("got %+v", res)
		}
		p := func(theta float64) float64 {
			y := append([]float64{}, changes...)
			for u := range y {
				if treated[u] {
					y[u] -= theta
				}
			}
			q, err := did.Randomization(y, treated, did.RandomizationOptions{Level: 0.9})
			must(t, err)
			return q.P
		}
		if p(res.Low+1e-6) <= 0.1 || p(res.High-1e-6) <= 0.1 || p(res.Low-1e-6) > 0.1 || p(res.High+1e-6) > 0.1 {
			t.Errorf("%+v: p is %v %v | %v %v around the ends", res, p(res.Low-1e-6), p(res.Low+1e-6), p(res.High-1e-6), p(res.High+1e-6))
		}
	}
}

// TestRandomizationOfT compares with Welch's t over all assignments.
func TestRandomizationOfT(t *testing.T) {
	changes := []float64{1, 2, 4, 7, -3, 0.5, 2.5}
	treated := []bool{true, false, true, true, false, false, false}
	res, err := did.Randomization(changes, treated, did.RandomizationOptions{Statistic: did.StudentisedDifference})
	must(t, err)
	welch := func(mask int) float64 {
		var groups [2][]float64
		for u, c := range changes {
			groups[mask>>u&1] = append(groups[mask>>u&1], c)
		}
		variance := func(xs []float64) float64 {
			m, sum := average(xs), 0.0
			for _, x := range xs {
				sum += (x - m) * (x - m)
			}
			return sum / float64(len(xs)-1) / float64(len(xs))
		}
		return (average(groups[1]) - average(groups[0])) / math.Sqrt(variance(groups[0])+variance(groups[1]))
	}
	truth := math.Abs(welch(0b0001101))
	count, all := 0.0, 0.0
	for mask := range 1 << 7 {
		bits := 0
		for u := range 7 {
			bits += mask >> u & 1
		}
		if bits == 3 {
			all++
			if math.Abs(welch(mask)) >= truth-1e-12 {
				count++
			}
		}
	}
	near(t, "t", math.Abs(res.Statistic), truth, 1e-12)
	near(t, "p", res.P, count/all, 1e-12)
	if res.HasInterval {
		t.Error("t has no interval")
	}
}

func TestRandomizationRefusals(t *testing.T) {
	ten := make([]float64, 10)
	for i := range ten {
		ten[i] = float64(i * i % 7)
	}
	mark := func(n int, which ...int) []bool {
		out := make([]bool, n)
		for _, u := range which {
			out[u] = true
		}
		return out
	}
	twenty := append(append([]float64{}, ten...), 3, 1, 4, 1, 5, 9, 2, 6, 5, 3)
	for _, c := range []struct {
		name    string
		changes []float64
		treated []bool
		o       did.RandomizationOptions
		code    did.ErrorCode
	}{
		{"OneOfTen", ten, mark(10, 3), did.RandomizationOptions{}, did.ErrLevel},
		{"OneOfTwenty", twenty, mark(20, 3), did.RandomizationOptions{}, ""},
		{"HalfOfSix", ten[:6], mark(6, 0, 1, 2), did.RandomizationOptions{}, did.ErrLevel}, // 2 of 20, signs apart
		{"NoneTreated", ten, mark(10), did.RandomizationOptions{}, did.ErrNoTreated},
		{"AllTreated", ten[:2], mark(2, 0, 1), did.RandomizationOptions{}, did.ErrNoComparison},
		{"Shape", ten, mark(9, 1), did.RandomizationOptions{}, did.ErrShape},
		{"NaN", []float64{1, math.NaN()}, mark(2, 1), did.RandomizationOptions{}, did.ErrNotFinite},
		{"Huge", []float64{1, 1e200}, mark(2, 1), did.RandomizationOptions{}, did.ErrNotFinite},
		{"TOfOne", twenty, mark(20, 3), did.RandomizationOptions{Statistic: did.StudentisedDifference}, did.ErrTooFewUnits},
		{"TOfNothing", []float64{1, 1, 0, 0, 0, 0, 0, 0}, mark(8, 0, 1), did.RandomizationOptions{Statistic: did.StudentisedDifference}, did.ErrZeroVariance},
		{"Statistic", ten, mark(10, 3), did.RandomizationOptions{Statistic: 5}, did.ErrOption},
		{"Draws", ten, mark(10, 3), did.RandomizationOptions{Draws: -2}, did.ErrOption},
		{"Level", ten, mark(10, 3), did.RandomizationOptions{Level: -1}, did.ErrOption},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := did.Randomization(c.changes, c.treated, c.o)
			wantCode(t, "Randomization", err, c.code)
			checkAnswer(t, "Randomization", r, err)
		})
	}
	many := make([]float64, 60)
	for i := range many {
		many[i] = math.Sin(float64(i))
	}
	r, err := did.Randomization(many, mark(60, 1, 5, 9, 20, 33, 41), did.RandomizationOptions{Seed: 4})
	if err != nil || r.Exact || r.Assignments != 5000 || !r.HasInterval {
		t.Errorf("random assignments: %+v, error %v", r, err)
	}
	flat, err := did.Randomization(make([]float64, 20), mark(20, 3), did.RandomizationOptions{})
	if err != nil || flat.P != 1 || flat.HasInterval {
		t.Errorf("nothing varies: %+v, error %v", flat, err)
	}
}

// FuzzArrangements feeds gaps and changes of every shape.
func FuzzArrangements(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 1}, 12, 0.9, 0.5)
	f.Add([]byte{5, 5, 5, 5, 5, 9, 9}, 5, 0.8, 0.0)
	f.Add([]byte{0, 255, 254, 3}, 2, 0.6, -1.0)
	f.Fuzz(func(t *testing.T, data []byte, before int, level, null float64) {
		if len(data) > 80 {
			return
		}
		gap := make([]float64, len(data))
		treated := make([]bool, len(data))
		for i, b := range data {
			gap[i] = float64(b)
			switch b {
			case 255:
				gap[i] = math.NaN()
			case 254:
				gap[i] = 1e149
			case 253:
				gap[i] = 1e-300
			}
			treated[i] = i >= before
		}
		for _, scheme := range []did.ConformalScheme{did.MovingBlocks, did.AllPermutations} {
			r, err := did.Conformal(gap, before, did.ConformalOptions{Scheme: scheme, Level: level, Null: null, Draws: 100})
			checkAnswer(t, "Conformal", r, err)
		}
		for _, s := range []did.RandomizationStatistic{did.MeanDifference, did.StudentisedDifference} {
			r, err := did.Randomization(gap, treated, did.RandomizationOptions{Statistic: s, Level: level, Draws: 100})
			checkAnswer(t, "Randomization", r, err)
		}
		a, err := did.AnytimeSequence(gap, before, did.AnytimeOptions{Level: level})
		checkAnswer(t, "AnytimeSequence", a, err)
	})
}
