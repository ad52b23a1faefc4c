package did_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// TestReferencesOfFewTreated compares the methods for few treated units, the
// bounds on trends and the power of tests with what R gave for the same data.
func TestReferencesOfFewTreated(t *testing.T) {
	for _, row := range readCSV(t, filepath.Join("testdata", "references_few.csv")) {
		name := strings.Join([]string{row["data"], row["method"], row["term"], strings.Fields(row["quantity"])[0]}, "/")
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			tolerance := strings.Fields(row["tolerance"])
			want, got := number(t, row["want"]), fewTreated(t, row)
			allowed := number(t, tolerance[0])
			if len(tolerance) < 2 || tolerance[1] != "absolute" {
				allowed *= math.Abs(want)
			}
			if !(math.Abs(got-want) <= allowed) {
				t.Errorf("got %.15g, want %.15g (off by %.2g)", got, want, got-want)
			}
		})
	}
}

// fewTreated computes what a row asks for.
func fewTreated(t *testing.T, row map[string]string) float64 {
	t.Helper()
	switch row["method"] {
	case "synthetic-did":
		return synthetic(t, did.SyntheticDiD, row["quantity"])
	case "synthetic-control":
		return synthetic(t, did.SyntheticControl, row["quantity"])
	case "equal-weights":
		return synthetic(t, did.EqualWeights, row["quantity"])
	case "conformal":
		gap, before := gapOf(t, bundled(t, row["data"]))
		r, err := did.Conformal(gap, before, did.ConformalOptions{})
		must(t, err)
		return r.P
	case "placebo":
		e := oneTreated(t, bundled(t, row["data"]), "placebo-leave-out")["att"]
		return map[string]float64{"estimate": e.Value, "p": e.P}[row["quantity"]]
	case "randomization":
		changes, treated := tenStates(t, row["term"])
		r, err := did.Randomization(changes, treated, did.RandomizationOptions{Level: 0.9})
		must(t, err)
		return map[string]float64{"estimate": r.Value, "p": r.P}[row["quantity"]]
	case "relative-magnitudes", "smooth-trend", "original":
		return honestEnd(t, row)
	case "power.t.test":
		return powerInR(t, row["quantity"])
	}
	t.Fatalf("unknown method %s", row["method"])
	return 0
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// synthetic is the effect on California, or its placebo error with the 200
// assignments that R draws after set.seed(12345), started as R starts them: with
// one treated unit, each is the effect on one comparison unit.
func synthetic(t *testing.T, method did.SyntheticMethod, quantity string) float64 {
	t.Helper()
	r, err := did.SyntheticControls(bundled(t, "california"), did.SyntheticOptions{Method: method, WarmPlacebos: true})
	must(t, err)
	if quantity == "estimate" {
		return r.Estimate.Value
	}
	random := did.NewRRandom(12345)
	var sum, squares float64
	const draws = 200
	for range draws {
		order := random.Sample(len(r.Placebos))
		x := r.Placebos[order[len(order)-1]]
		sum += x
		squares += x * x
	}
	return math.Sqrt(squares/draws - sum/draws*(sum/draws))
}

// gapOf is the treated unit of p less the mean of the others.
func gapOf(t testing.TB, p did.Panel) (gap []float64, before int) {
	t.Helper()
	values := make([][]float64, len(p.First))
	for i, u := range p.Unit {
		values[u] = append(values[u], p.Y[i])
		if p.First[u] != did.Never && p.Time[i] < p.First[u] {
			before++
		}
	}
	gap = make([]float64, len(values[0]))
	for u, y := range values {
		for k, x := range y {
			if p.First[u] != did.Never {
				gap[k] += x
			} else {
				gap[k] -= x / float64(len(values)-1)
			}
		}
	}
	return gap, before
}

// tenStates are the changes of ten states and which of them one of the two
// designs treats: California alone, or five states.
func tenStates(t *testing.T, design string) (changes []float64, treated []bool) {
	t.Helper()
	p := bundled(t, "fewclusters")
	before := make([][]float64, len(p.First))
	after := make([][]float64, len(p.First))
	for i, u := range p.Unit {
		if p.Time[i] < 1989 {
			before[u] = append(before[u], p.Y[i])
		} else {
			after[u] = append(after[u], p.Y[i])
		}
	}
	names := []string{"Alabama", "Arkansas", "Colorado", "Connecticut", "Delaware", "Georgia", "Idaho", "Illinois", "Indiana", "California"}
	for u := range p.First {
		changes = append(changes, average(after[u])-average(before[u]))
		treated = append(treated, p.First[u] != did.Never)
	}
	if design == "D5" {
		for u := range treated {
			treated[u] = slices.Contains([]string{"Alabama", "Arkansas", "California", "Colorado", "Connecticut"}, names[u])
		}
	}
	return changes, treated
}

// ehecStudy is the event study of insurance by state with its covariance.
func ehecStudy(t testing.TB) did.HonestInput {
	t.Helper()
	in := did.HonestInput{Before: 5}
	for _, row := range readCSV(t, filepath.Join("testdata", "ehec_event_study.csv")) {
		in.Beta = append(in.Beta, number(t, row["beta"]))
		var covariances []float64
		for _, year := range []string{"2008", "2009", "2010", "2011", "2012", "2014", "2015"} {
			covariances = append(covariances, number(t, row["year::"+year+":Dd"]))
		}
		in.Covariance = append(in.Covariance, covariances)
	}
	return in
}

func honestEnd(t *testing.T, row map[string]string) float64 {
	t.Helper()
	in := ehecStudy(t)
	o := did.HonestOptions{Bounds: []float64{0}}
	var r *did.Honest
	var err error
	switch row["method"] {
	case "smooth-trend":
		o.Bounds[0] = number(t, row["term"])
		r, err = did.SmoothTrend(in, o)
	case "relative-magnitudes":
		o.Bounds[0] = number(t, row["term"])
		r, err = did.RelativeMagnitudes(in, o)
	default:
		r, err = did.RelativeMagnitudes(in, did.HonestOptions{})
		must(t, err)
		return map[string]float64{"low": r.Original.Low, "high": r.Original.High}[row["quantity"]]
	}
	must(t, err)
	return map[string]float64{"low": r.Intervals[0].Low, "high": r.Intervals[0].High}[row["quantity"]]
}

// powerInR is what R's power.t.test prints. Its sample size and effect are
// where uniroot stops, a few parts in a million beside the root, so the test
// stops there, too; the product gives the root itself.
func powerInR(t *testing.T, quantity string) float64 {
	t.Helper()
	less := func(power, err float64, e error) float64 {
		must(t, e)
		return power - err
	}
	var got, exact float64
	var err error
	switch quantity {
	case "power":
		got, err = did.TTestPower(20, 1, 0.05)
		must(t, err)
		return got
	case "n":
		exact, err = did.TTestSampleSize(1, 0.05, 0.9)
		got = uniroot(2, 1e7, func(n float64) float64 {
			power, err := did.TTestPower(n, 1, 0.05)
			return less(power, 0.9, err)
		})
	case "delta":
		exact, err = did.TTestDetectable(10, 0.05, 0.8)
		got = uniroot(1e-7, 1e7, func(delta float64) float64 {
			power, err := did.TTestPower(10, delta, 0.05)
			return less(power, 0.8, err)
		})
	}
	must(t, err)
	near(t, "root itself", exact, got, 1e-5)
	return got
}

// uniroot is Brent's search as R's uniroot makes it, with the tolerance of
// power.t.test.
func uniroot(a, b float64, f func(float64) float64) float64 {
	const epsilon = 0x1p-52
	half := math.Sqrt(math.Sqrt(epsilon)) / 2
	fa, fb := f(a), f(b)
	c, fc := a, fa
	for range 1000 {
		last := b - a
		if math.Abs(fc) < math.Abs(fb) {
			a, b, c = b, c, b
			fa, fb, fc = fb, fc, fb
		}
		tolerance := 2*epsilon*math.Abs(b) + half
		step := (c - b) / 2
		if math.Abs(step) <= tolerance || fb == 0 {
			return b
		}
		if math.Abs(last) >= tolerance && math.Abs(fa) > math.Abs(fb) {
			p, q := (c-b)*fb/fa, 1-fb/fa
			if a != c {
				r, s := fa/fc, fb/fc
				p = fb / fa * ((c-b)*r*(r-s) - (b-a)*(s-1))
				q = (r - 1) * (s - 1) * (fb/fa - 1)
			}
			if p > 0 {
				q = -q
			} else {
				p = -p
			}
			if p < 0.75*(c-b)*q-math.Abs(tolerance*q)/2 && p < math.Abs(last*q/2) {
				step = p / q
			}
		}
		if math.Abs(step) < tolerance {
			step = math.Copysign(tolerance, step)
		}
		a, fa = b, fb
		b += step
		fb = f(b)
		if fb > 0 == (fc > 0) {
			c, fc = a, fa
		}
	}
	return b
}
