package did_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// everyDesign are panels of positive outcomes: one treated unit, several with
// one start, several starts.
func everyDesign() map[string]did.Panel {
	never := did.Never
	out := map[string]did.Panel{}
	for name, first := range map[string][]int{
		"one treated":   {10, never, never, never, never, never, never, never, never, never},
		"one start":     {10, 10, 10, 10, never, never, never, never, never, never, never, never},
		"several":       {10, 10, 7, 7, 7, 11, 11, never, never, never, never, never, never},
		"all in theend": {10, 10, 7, 7, 7, 11, 11, 13, 13, 13},
	} {
		r := rand.New(rand.NewPCG(9, uint64(len(first))))
		p := grid(first, 16)
		level := make([]float64, len(first))
		for u := range level {
			level[u] = 20 + 3*r.NormFloat64()
		}
		p = changed(p, func(i int) float64 {
			y := level[p.Unit[i]] + 0.2*float64(p.Time[i]) + r.NormFloat64()
			if p.Time[i] >= p.First[p.Unit[i]] {
				y++
			}
			return y
		})
		out[name] = p
	}
	return out
}

// TestEveryMethodIgnoresWhatItShould changes panels in ways that no answer may
// notice, or that it must follow in scale, and asks every public estimator.
func TestEveryMethodIgnoresWhatItShould(t *testing.T) {
	answered := map[string]int{}
	for design, p := range everyDesign() {
		changedBy := [changes]did.Panel{
			constant:     changed(p, func(i int) float64 { return p.Y[i] + 7.5 }),
			unitEffect:   changed(p, func(i int) float64 { return p.Y[i] + 2*float64(p.Unit[i]%5) }),
			periodEffect: changed(p, func(i int) float64 { return p.Y[i] + 0.05*float64(p.Time[i]*p.Time[i]) }),
			order:        shuffled(p),
		}
		for _, m := range everyMethod() {
			t.Run(strings.ReplaceAll(design+"/"+m.name, " ", "-"), func(t *testing.T) {
				want, err := m.read(p)
				checkAnswer(t, m.name, want.result, err)
				if err == nil {
					answered[m.name]++
				}
				for c := range changes {
					if slices.Contains(m.notices, c) {
						continue
					}
					factors := []float64{1}
					if c == scale {
						factors = []float64{1e12, 1e-9}
					}
					for _, factor := range factors {
						q := changedBy[c]
						if c == scale {
							q = changed(p, func(i int) float64 { return factor * p.Y[i] })
						}
						got, gotErr := m.read(q)
						if codeOf(gotErr) != codeOf(err) {
							t.Errorf("%v: error %v, was %v", c, gotErr, err)
							continue
						}
						if err != nil {
							continue
						}
						sameReading(t, c.String(), got, want, factor, !slices.Contains(m.spreadsToo, c))
					}
				}
			})
		}
	}
	for _, m := range everyMethod() {
		if answered[m.name] == 0 {
			t.Errorf("%s refused every design", m.name)
		}
	}
	t.Logf("%d methods, %d designs", len(answered), len(everyDesign()))
}

func codeOf(err error) did.ErrorCode {
	var e *did.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func sameReading(t *testing.T, what string, got, want reading, factor float64, spreads bool) {
	t.Helper()
	compare := func(kind string, got, want []float64, factor float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Errorf("%s: %d %s, were %d", what, len(got), kind, len(want))
			return
		}
		for i := range got {
			w := factor * want[i]
			if !(math.Abs(got[i]-w) <= 1e-7*max(math.Abs(w), 0.1*factor)) {
				t.Errorf("%s: %s %d is %v, want %v", what, kind, i, got[i], w)
			}
		}
	}
	compare("points", got.points, want.points, factor)
	if spreads {
		compare("spreads", got.spreads, want.spreads, factor)
		compare("free numbers", got.free, want.free, 1)
	}
}

// TestEveryMethodOnOddPanels gives every public estimator what no estimate can
// be made of, or hardly: a typed error or finite numbers come back, and an error
// where it must.
func TestEveryMethodOnOddPanels(t *testing.T) {
	never := did.Never
	good := everyDesign()["one start"]
	alter := func(first []int, y func(i int) float64) did.Panel {
		p := grid(first, 16)
		if y == nil {
			y = func(i int) float64 { return good.Y[i] }
		}
		return changed(p, y)
	}
	with := func(x float64) did.Panel {
		return changed(good, func(i int) float64 {
			if i == 7 {
				return x
			}
			return good.Y[i]
		})
	}
	single := good
	single.Unit, single.Time, single.Y, single.First = good.Unit[:16], good.Time[:16], good.Y[:16], good.First[:1]
	var moment did.Panel
	moment.First = good.First
	for i := range good.Y {
		if good.Time[i] == 12 {
			moment.Unit, moment.Time, moment.Y = append(moment.Unit, good.Unit[i]), append(moment.Time, 12), append(moment.Y, good.Y[i])
		}
	}
	whole := slices.Repeat([]int{10}, 12)
	odd := []struct {
		name  string
		panel did.Panel
		// must be refused, but by those methods that do not look at it
		refused bool
		but     []string
	}{
		{"NaN", with(math.NaN()), true, nil},
		{"infinite", with(math.Inf(1)), true, nil},
		{"minus infinite", with(math.Inf(-1)), true, []string{"poisson"}}, // e to that power is 0
		{"no rows", did.Panel{First: good.First}, true, []string{"exact-count"}},
		{"one unit", single, true, []string{"randomized", "kaplan-meier", "exact-count"}},
		{"one period", moment, true, []string{"randomized", "kaplan-meier", "exact-count"}},
		{"none treated", alter(slices.Repeat([]int{never}, 12), nil), true, []string{"kaplan-meier", "exact-count"}},
		{"all treated at once", alter(whole, nil), true, []string{"randomized", "kaplan-meier", "exact-count"}},
		{"all treated throughout", alter(slices.Repeat([]int{0}, 12), nil), true, []string{"kaplan-meier", "exact-count"}},
		{"unit out of range", did.Panel{Unit: []int{0, 5}, Time: []int{0, 1}, Y: []float64{1, 2}, First: []int{0}}, true, []string{"kaplan-meier"}},
		{"constant", changed(good, func(int) float64 { return 3 }), false, nil},
		{"nothing", changed(good, func(int) float64 { return 0 }), false, nil},
		{"huge", changed(good, func(i int) float64 { return 1e12 * good.Y[i] }), false, nil},
		{"enormous", changed(good, func(i int) float64 { return 1e140 * good.Y[i] }), false, nil},
		{"beyond", changed(good, func(i int) float64 { return 1e300 * good.Y[i] }), false, nil},
		{"tiny", changed(good, func(i int) float64 { return 1e-300 * good.Y[i] }), false, nil},
		{"two rows", did.Panel{Unit: good.Unit[15:17], Time: good.Time[15:17], Y: good.Y[15:17], First: good.First}, false, nil},
		{"late", alter(slices.Repeat([]int{15, never}, 6), nil), false, nil},
		{"early", alter(slices.Repeat([]int{1, never}, 6), nil), false, nil},
	}
	for _, c := range odd {
		for _, m := range everyMethod() {
			t.Run(strings.ReplaceAll(c.name+"/"+m.name, " ", "-"), func(t *testing.T) {
				r, err := m.read(c.panel)
				checkAnswer(t, m.name, r.result, err)
				if err == nil && c.refused && !slices.Contains(c.but, m.name) {
					t.Errorf("answered: %+v", r.points)
				}
			})
		}
	}
}

// TestEveryMethodOnAPerfectFit: unit and period effects and an effect of 2,
// without noise: where there is an answer it is 2, with no error to speak of.
func TestEveryMethodOnAPerfectFit(t *testing.T) {
	for design, p := range everyDesign() {
		exact := changed(p, func(i int) float64 {
			y := float64(5*p.Unit[i] + p.Time[i]*p.Time[i])
			if p.Time[i] >= p.First[p.Unit[i]] {
				y += 2
			}
			return y
		})
		for _, m := range everyMethod() {
			t.Run(strings.ReplaceAll(design+"/"+m.name, " ", "-"), func(t *testing.T) {
				r, err := m.read(exact)
				checkAnswer(t, m.name, r.result, err)
				if err == nil && m.effect {
					near(t, "effect", r.points[0], 2, 1e-9)
				}
			})
		}
	}
}

// TestEveryMethodOnCollinearCovariates: a covariate that says what another says
// already, or nothing, is refused or changes no answer.
func TestEveryMethodOnCollinearCovariates(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for design, p := range everyDesign() {
		if design == "one treated" {
			continue // too few to tell a covariate from the treatment
		}
		x, again, level := make([]float64, len(p.Y)), make([]float64, len(p.Y)), make([]float64, len(p.Y))
		trait := make([]float64, len(p.First))
		for u := range trait {
			trait[u] = r.NormFloat64()
		}
		for i, u := range p.Unit {
			x[i] = trait[u] + 0.01*float64(p.Time[i])*trait[u]
			again[i], level[i] = 3*x[i]-1, 4
		}
		one, more := p, p
		one.X, more.X = [][]float64{x}, [][]float64{x, again, level}
		for _, m := range everyMethod() {
			t.Run(strings.ReplaceAll(design+"/"+m.name, " ", "-"), func(t *testing.T) {
				want, err := m.read(one)
				checkAnswer(t, m.name, want.result, err)
				got, gotErr := m.read(more)
				checkAnswer(t, m.name, got.result, gotErr)
				if err != nil && gotErr == nil {
					t.Fatalf("answered, with one covariate refused: %v", err)
				}
				if gotErr == nil {
					sameReading(t, "collinear", got, want, 1, true)
				}
			})
		}
	}
}

// TestEveryNumberIsChecked puts odd numbers into each argument of the functions
// that take numbers alone.
func TestEveryNumberIsChecked(t *testing.T) {
	gap := []float64{1, 3, 2, 5, 4, 4, 6, 3, 5}
	exact := func(r did.ExactResult, err error) (float64, error) {
		checkAnswer(t, "exact result", r, err)
		return r.Low, err
	}
	for _, f := range []struct {
		name string
		args []float64
		call func(a []float64) (float64, error)
	}{
		{"DetectableEffect", []float64{2, 5, 0.05, 0.8}, func(a []float64) (float64, error) { return did.DetectableEffect(a[0], a[1], a[2], a[3]) }},
		{"CrossFitDetectable", []float64{0.05, 0.8}, func(a []float64) (float64, error) { return did.CrossFitDetectable(gap, 3, 3, a[0], a[1]) }},
		{"DonaldLangDetectable", []float64{1, 0.05, 0.8}, func(a []float64) (float64, error) {
			return did.DonaldLangDetectable(append([]float64{a[0]}, gap...), a[1], a[2])
		}},
		{"ProportionPower", []float64{50, 0.2, 0.3, 0.05}, func(a []float64) (float64, error) { return did.ProportionPower(a[0], a[1], a[2], a[3]) }},
		{"ProportionSampleSize", []float64{0.2, 0.3, 0.05, 0.8}, func(a []float64) (float64, error) { return did.ProportionSampleSize(a[0], a[1], a[2], a[3]) }},
		{"ProportionDetectable", []float64{50, 0.2, 0.05, 0.8}, func(a []float64) (float64, error) { return did.ProportionDetectable(a[0], a[1], a[2], a[3]) }},
		{"RatePower", []float64{20, 2, 0.05}, func(a []float64) (float64, error) { return did.RatePower(a[0], a[1], a[2]) }},
		{"RateDetectable", []float64{20, 0.05, 0.8}, func(a []float64) (float64, error) { return did.RateDetectable(a[0], a[1], a[2]) }},
		{"TTestPower", []float64{20, 1, 0.05}, func(a []float64) (float64, error) { return did.TTestPower(a[0], a[1], a[2]) }},
		{"TTestSampleSize", []float64{1, 0.05, 0.8}, func(a []float64) (float64, error) { return did.TTestSampleSize(a[0], a[1], a[2]) }},
		{"TTestDetectable", []float64{20, 0.05, 0.8}, func(a []float64) (float64, error) { return did.TTestDetectable(a[0], a[1], a[2]) }},
		{"ExactRate", []float64{1, 1, 0.95}, func(a []float64) (float64, error) { return exact(did.ExactRate(3, 5, a[0], a[1], a[2])) }},
		{"ExactRatio", []float64{1, 1, 0.95}, func(a []float64) (float64, error) {
			return exact(did.ExactRatio(did.CountTable{TreatedAfter: 3, TreatedBefore: 5, ComparisonAfter: 7, ComparisonBefore: 2, Exposure: [4]float64{a[0], a[1], 1, 1}}, a[2]))
		}},
		{"SpreadRatio", []float64{1}, func(a []float64) (float64, error) {
			return did.SpreadRatio(gap, [][]float64{append([]float64{a[0]}, gap...)})
		}},
		{"DonaldLang", []float64{1, 2, 0.95}, func(a []float64) (float64, error) {
			e, err := did.DonaldLang(a[0], append([]float64{a[1]}, gap...), a[2])
			checkAnswer(t, "estimate", e, err)
			return e.Value, err
		}},
		{"Holm", []float64{0.1}, func(a []float64) (float64, error) { return did.Holm([]float64{a[0], 0.2})[0], nil }},
	} {
		t.Run(f.name, func(t *testing.T) {
			for k := range f.args {
				for _, odd := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1e-308, 1e-9, 1e9, 1e300, math.MaxFloat64} {
					args := slices.Clone(f.args)
					args[k] = odd
					got, err := f.call(args)
					checkAnswer(t, fmt.Sprintf("%s%v", f.name, args), got, err)
					if err == nil && math.IsNaN(odd) && f.name != "Holm" { // where it counts as 1
						t.Errorf("%v was accepted", args)
					}
				}
			}
		})
	}
}
