package did_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"steelyard/metrics/did"
)

func drawn(seed uint64, n int, mean float64) []float64 {
	r := rand.New(rand.NewPCG(seed, 3))
	out := make([]float64, n)
	for i := range out {
		out[i] = mean + r.NormFloat64()
	}
	return out
}

// TestCompareChanges: order, shifts and scale change nothing they should not,
// and the interval is where p crosses the level.
func TestCompareChanges(t *testing.T) {
	for _, units := range [][2]int{{2, 4}, {3, 3}, {5, 9}, {6, 14}} {
		own, others := drawn(1, units[0], 1.5), drawn(2, units[1], 0)
		want, err := did.CompareChanges(own, others, did.ChangesOptions{Seed: 4})
		must(t, err)
		w := want.Bootstrap
		if math.Abs(w.Value-(average(own)-average(others))) > 1e-12 || math.Abs(want.Welch.Value-w.Value) > 1e-12 {
			t.Errorf("%v: the effect is %v and %v", units, w.Value, want.Welch.Value)
		}
		if w.Enumerated != (units[0]+units[1] <= 14) {
			t.Errorf("%v: enumerated %t, %d draws", units, w.Enumerated, w.Draws)
		}
		if !w.LowOpen && !w.HighOpen && (w.P < 0.05) != (w.Low > 0 || w.High < 0) {
			t.Errorf("%v: p %v and interval %v to %v do not agree", units, w.P, w.Low, w.High)
		}
		same := func(name string, own, others []float64, scale, shift float64) {
			got, err := did.CompareChanges(own, others, did.ChangesOptions{Seed: 4})
			must(t, err)
			g := got.Bootstrap
			for _, x := range [][2]float64{{g.P, w.P}, {g.Value, scale*w.Value + shift}, {g.Low, scale*w.Low + shift}, {g.High, scale*w.High + shift}} {
				if math.Abs(x[0]-x[1]) > 1e-9*max(1, math.Abs(scale)) {
					t.Errorf("%v, %s: %+v, was %+v", units, name, g, w)
					break
				}
			}
		}
		mapped := func(xs []float64, f func(float64) float64) []float64 {
			out := slices.Clone(xs)
			for i, x := range xs {
				out[i] = f(x)
			}
			return out
		}
		backwards := slices.Clone(own)
		slices.Reverse(backwards)
		same("another order", backwards, append(slices.Clone(others[1:]), others[0]), 1, 0)
		up := func(x float64) float64 { return x + 7 }
		same("everything shifted", mapped(own, up), mapped(others, up), 1, 0)
		large := func(x float64) float64 { return 1e6 * x }
		same("everything scaled", mapped(own, large), mapped(others, large), 1e6, 0)
	}
	_, err := did.CompareChanges([]float64{1}, []float64{1, 2, 3, 4, 5}, did.ChangesOptions{})
	wantCode(t, "one treated", err, did.ErrTooFewUnits)
	_, err = did.CompareChanges([]float64{3, 3}, []float64{1, 1, 1, 1}, did.ChangesOptions{})
	wantCode(t, "no variation", err, did.ErrZeroVariance)
	_, err = did.CompareChanges([]float64{3, math.NaN()}, []float64{1, 1, 1, 1}, did.ChangesOptions{})
	wantCode(t, "not a number", err, did.ErrNotFinite)
}

// TestMeanStudy: its average effect and variance are those of the changes, and
// what it refuses.
func TestMeanStudy(t *testing.T) {
	rows := func(seed uint64, n int) (out [][]float64) {
		for u := range n {
			out = append(out, drawn(seed+uint64(u), 5, 0))
		}
		return out
	}
	own, others := rows(10, 3), rows(30, 7)
	in, err := did.MeanStudy(own, others, 3)
	must(t, err)
	if in.Before != 2 || len(in.Beta) != 4 {
		t.Fatalf("%+v", in)
	}
	change := func(rows [][]float64) (out []float64) {
		for _, y := range rows {
			out = append(out, y[3]-y[2])
		}
		return out
	}
	r, err := did.CompareChanges(change(own), change(others), did.ChangesOptions{})
	must(t, err)
	if math.Abs(in.Beta[2]-r.Welch.Value) > 1e-12 || math.Abs(math.Sqrt(in.Covariance[2][2])-r.Welch.SE) > 1e-12 {
		t.Errorf("coefficient %v with error %v, want %v with %v", in.Beta[2], math.Sqrt(in.Covariance[2][2]), r.Welch.Value, r.Welch.SE)
	}
	_, err = did.MeanStudy(own[:2], others[:3], 3)
	wantCode(t, "as many changes as units allow", err, did.ErrTooFewUnits)
	_, err = did.MeanStudy(own[:1], others, 3)
	wantCode(t, "one treated", err, did.ErrTooFewUnits)
	_, err = did.MeanStudy(nil, others, 3)
	wantCode(t, "none treated", err, did.ErrNoTreated)
	_, err = did.MeanStudy(own, [][]float64{{1, 2}}, 3)
	wantCode(t, "another length", err, did.ErrShape)
}

// TestWidened: under parallel trends the bounds are Donald and Lang's interval.
func TestWidened(t *testing.T) {
	rows := func(seed uint64, n int) (out [][]float64) {
		for u := range n {
			out = append(out, drawn(seed+uint64(u), 3, 0))
		}
		return out
	}
	own, others := drawn(5, 3, 1), rows(50, 6)
	in, err := did.UnitStudy(own, others, 2)
	must(t, err)
	in, err = in.Widened(5, 0)
	must(t, err)
	r, err := did.RelativeMagnitudes(in, did.HonestOptions{})
	must(t, err)
	var changes []float64
	for _, y := range others {
		changes = append(changes, y[2]-y[1])
	}
	want, err := did.DonaldLang(own[2]-own[1], changes, 0)
	must(t, err)
	if got := r.Original; math.Abs(got.Low-want.Low) > 1e-9 || math.Abs(got.High-want.High) > 1e-9 {
		t.Errorf("from %v to %v, want %v to %v", got.Low, got.High, want.Low, want.High)
	}
	_, err = in.Widened(0, 0)
	wantCode(t, "no freedom", err, did.ErrOption)
}
