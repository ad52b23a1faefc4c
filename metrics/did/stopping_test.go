package did_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"steelyard/metrics/did"
)

// iteratedEffects is the imputation by iteration: unit and period effects of
// the untreated rows by alternating projections with Irons and Tuck's (1969)
// acceleration, stopped once no unit effect moves by more than 1e-6. That is
// what fixest 0.14 does by default, under didimputation and did2s. It returns
// the sum of effects and the number of rows by event; single says whether units
// with one untreated row stay in.
func iteratedEffects(p did.Panel, single bool, tolerance float64) (sums, rows map[int]float64) {
	untreated := make([]int, len(p.First))
	for i, u := range p.Unit {
		if p.Time[i] < p.First[u] {
			untreated[u]++
		}
	}
	fewest := 2
	if single {
		fewest = 1
	}
	first := slices.Min(p.Time)
	periods := slices.Max(p.Time) - first + 1
	var sample []int
	for i, u := range p.Unit {
		if p.Time[i] < p.First[u] && untreated[u] >= fewest {
			sample = append(sample, i)
		}
	}
	n := len(p.First)
	sumU, countU := make([]float64, n), make([]float64, n)
	sumT, countT := make([]float64, periods), make([]float64, periods)
	for _, i := range sample {
		u, t := p.Unit[i], p.Time[i]-first
		sumU[u] += p.Y[i]
		countU[u]++
		sumT[t] += p.Y[i]
		countT[t]++
	}
	b := make([]float64, periods)
	project := func(a []float64) []float64 {
		copy(b, sumT)
		for _, i := range sample {
			b[p.Time[i]-first] -= a[p.Unit[i]]
		}
		for t := range b {
			b[t] /= countT[t]
		}
		out := slices.Clone(sumU)
		for _, i := range sample {
			out[p.Unit[i]] -= b[p.Time[i]-first]
		}
		for u := range out {
			if countU[u] > 0 {
				out[u] /= countU[u]
			}
		}
		return out
	}
	moves := func(x, y []float64) bool {
		for u := range x {
			if d := math.Abs(x[u] - y[u]); d > tolerance && d/(0.1+math.Abs(x[u])) > tolerance {
				return true
			}
		}
		return false
	}
	// accelerate is the point that three in a row head for.
	accelerate := func(x, gx, ggx []float64) ([]float64, bool) {
		var product, squares float64
		for u := range x {
			d := ggx[u] - gx[u]
			dd := d - gx[u] + x[u]
			product += d * dd
			squares += dd * dd
		}
		if squares == 0 {
			return x, true
		}
		out := make([]float64, len(x))
		for u := range x {
			out[u] = ggx[u] - product/squares*(ggx[u]-gx[u])
		}
		return out, false
	}
	x := make([]float64, n)
	gx := project(x)
	var trail [][]float64
	for iteration := 1; moves(x, gx) && iteration < 10_000; iteration++ {
		ggx := project(gx)
		var done bool
		if x, done = accelerate(x, gx, ggx); done {
			break
		}
		if iteration >= 40 {
			x = project(x)
		}
		gx = project(x)
		if iteration%4 == 0 {
			if trail = append(trail, gx); len(trail) == 3 {
				far, done := accelerate(trail[0], trail[1], trail[2])
				if done {
					break
				}
				gx, trail = project(far), nil
			}
		}
	}
	a := project(gx)
	sums, rows = map[int]float64{}, map[int]float64{}
	for i, u := range p.Unit {
		if p.Time[i] >= p.First[u] && countU[u] > 0 && countT[p.Time[i]-first] > 0 {
			event := p.Time[i] - p.First[u]
			sums[event] += p.Y[i] - a[u] - b[p.Time[i]-first]
			rows[event]++
		}
	}
	return sums, rows
}

// TestReferencesThatStoppedEarly shows that the rows held to less than 1e-8 in
// TestRegressionReferences differ because their reference stopped iterating:
// stopped where it stopped, the same iteration gives the reference's number to
// 1e-8, and run on it gives this package's to 1e-12.
func TestReferencesThatStoppedEarly(t *testing.T) {
	het, _ := states(t, "df_het")
	hom, _ := states(t, "df_hom")
	for _, c := range []struct {
		name    string
		panel   did.Panel
		gardner bool
		event   int // −1: all treated rows
		want    float64
	}{
		{"mpdta/imputation", bundled(t, "mpdta"), false, -1, -0.0337158527719911},
		{"mpdta/imputation/0", bundled(t, "mpdta"), false, 0, -0.0324347110128843},
		{"mpdta/imputation/1", bundled(t, "mpdta"), false, 1, -0.0391927337921727},
		{"mpdta/Gardner", bundled(t, "mpdta"), true, -1, -0.0477099151094743},
		{"df_het/imputation", het, false, -1, 2.2304815624105},
		{"df_het/Gardner", het, true, -1, 2.2304815624105},
		{"df_hom/imputation", hom, false, -1, 2.00465345872082},
		{"df_hom/Gardner", hom, true, -1, 2.00465345872082},
		{"castle/imputation", bundled(t, "castle"), false, -1, 0.0746777500463332},
	} {
		t.Run(c.name, func(t *testing.T) {
			mean := func(tolerance float64) float64 {
				sums, rows := iteratedEffects(c.panel, c.gardner, tolerance)
				var sum, n float64
				for event := range sums {
					if c.event < 0 || event == c.event {
						sum += sums[event]
						n += rows[event]
					}
				}
				return sum / n
			}
			near(t, "stopped", mean(1e-6), c.want, 1e-8)
			exact := onPanel(t, c.panel, "Imputation event study", "%d", did.FixedEffectsOptions{}, nil)
			ours := exact["treat"].Value
			if c.event >= 0 {
				ours = exact[fmt.Sprint(c.event)].Value
			}
			if c.gardner {
				ours = onPanel(t, c.panel, "Gardner", "", did.FixedEffectsOptions{}, nil)["treat"].Value
			}
			near(t, "run on", mean(1e-13), ours, 1e-11)
		})
	}
}

// root looks for a zero of f between low and high by Brent's (1973) method as
// R's uniroot does, which stops once it is within tolerance/2.
func root(f func(float64) float64, low, high, tolerance float64) float64 {
	a, b, c := low, high, low
	fa, fb, fc := f(low), f(high), f(low)
	for range 1000 {
		before := b - a
		if math.Abs(fc) < math.Abs(fb) {
			a, b, c = b, c, b
			fa, fb, fc = fb, fc, fb
		}
		enough := 2*2.220446049250313e-16*math.Abs(b) + tolerance/2
		step := (c - b) / 2
		if math.Abs(step) <= enough || fb == 0 {
			return b
		}
		if math.Abs(before) >= enough && math.Abs(fa) > math.Abs(fb) {
			// A secant through two points, a parabola through three.
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
			if p < 0.75*(c-b)*q-math.Abs(enough*q)/2 && p < math.Abs(before*q/2) {
				step = p / q
			}
		}
		if math.Abs(step) < enough {
			step = math.Copysign(enough, step)
		}
		a, fa = b, fb
		b += step
		if fb = f(b); fb > 0 == (fc > 0) {
			c, fc = a, fa
		}
	}
	return b
}

// TestShiftAsInR looks for the shift and its interval as wilcox.test does: a
// zero, to 1e-4, of the rank sum of shifted values, which jumps from one
// difference to the next. The differences themselves are this package's answer.
func TestShiftAsInR(t *testing.T) {
	_, ratios, _ := metrTasks(t)
	x, y := ratios[1], ratios[0]
	n, m := float64(len(x)), float64(len(y))
	w := func(z, correction float64) func(d float64) float64 {
		return func(d float64) float64 {
			all := slices.Clone(y)
			for _, v := range x {
				all = append(all, v-d)
			}
			slices.Sort(all)
			var ties, run float64
			for i := range all {
				if run++; i+1 == len(all) || all[i+1] != all[i] {
					ties += run*run*run - run
					run = 0
				}
			}
			total := n + m
			sigma := math.Sqrt(n * m / 12 * (total + 1 - ties/(total*(total-1))))
			var over float64
			for _, v := range x {
				for _, u := range y {
					switch {
					case v-d > u:
						over++
					case v-d == u:
						over += 0.5
					}
				}
			}
			s := over - n*m/2
			if s != 0 {
				s -= math.Copysign(correction, s)
			}
			return s/sigma - z
		}
	}
	low, high := slices.Min(x)-slices.Max(y), slices.Max(x)-slices.Min(y)
	s, err := did.HodgesLehmann(x, y, 0)
	must(t, err)
	const z = 1.959963984540054
	for _, c := range []struct {
		name          string
		z, correction float64
		want, got     float64
	}{
		{"shift", 0, 0, 0.172717697582134, s.Value},
		{"low", z, 0.5, 0.0101902886662065, s.Low},
		{"high", -z, 0.5, 0.336436902824231, s.High},
	} {
		stopped := root(w(c.z, c.correction), low, high, 1e-4)
		near(t, c.name+" as in R", stopped, c.want, 1e-8)
		if math.Abs(stopped-c.got) > 1e-4 {
			t.Errorf("%s: got %v, R stopped at %v", c.name, c.got, stopped)
		}
	}
}
