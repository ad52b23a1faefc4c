package did_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"steelyard/metrics/did"
)

// regressionEstimates are all estimates of the regression family.
func regressionEstimates(t *testing.T, p did.Panel, cluster []int) []did.Estimate {
	t.Helper()
	var out []did.Estimate
	events := func(es []did.EventEstimate) {
		for _, e := range es {
			out = append(out, e.Estimate)
		}
	}
	for _, kind := range []did.Covariance{did.CR1, did.CR2, did.Homoskedastic, did.HC1, did.HC2, did.HC3} {
		o := did.FixedEffectsOptions{Covariance: kind, Cluster: cluster}
		out = append(out, fixedEffects(t, p, o).Effect)
		es := eventStudy(t, p, did.EventStudyOptions{FixedEffectsOptions: o, First: -3, Last: 2})
		events(es.Points)
		sa, err := did.SunAbraham(p, did.SunAbrahamOptions{FixedEffectsOptions: o})
		must(t, err)
		out = append(out, sa.ATT)
		events(sa.Events)
	}
	two, err := did.TwoStage(p, did.TwoStageOptions{Cluster: cluster, Events: true})
	must(t, err)
	out = append(out, two.Static)
	events(two.Events)
	im, err := did.Impute(p, did.ImputationOptions{Cluster: cluster, Horizons: true, Leads: []int{-2}})
	must(t, err)
	out = append(out, im.Static)
	events(append(im.Horizons, im.PreTrends...))
	w, err := did.WildBootstrap(p, did.WildOptions{Cluster: cluster, Ties: true})
	must(t, err)
	out = append(out, did.Estimate{Value: w.Value, SE: w.SE, P: w.P}, did.Estimate{Value: w.Low, SE: w.High})
	return out
}

// TestRegressionInvariance changes panels in ways that must not change an
// answer, or must scale it.
func TestRegressionInvariance(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		p, cluster := rich(31, weighted)
		want := regressionEstimates(t, p, cluster)
		check := func(what string, q did.Panel, cluster []int, factor float64) {
			t.Helper()
			same(t, what, regressionEstimates(t, q, cluster), want, factor)
		}
		check("constant", changed(p, func(i int) float64 { return p.Y[i] + 1000 }), cluster, 1)
		check("period effects", changed(p, func(i int) float64 { return p.Y[i] + float64(p.Time[i]*p.Time[i]) }), cluster, 1)
		check("unit effects", changed(p, func(i int) float64 { return p.Y[i] + 1000*float64(p.Unit[i]%7) }), cluster, 1)
		check("covariate", changed(p, func(i int) float64 { return p.Y[i] + 5*p.X[0][i] }), cluster, 1)
		check("scale", changed(p, func(i int) float64 { return p.Y[i] * 1e12 }), cluster, 1e12)
		check("small scale", changed(p, func(i int) float64 { return p.Y[i] * 1e-9 }), cluster, 1e-9)

		other := p
		other.X = [][]float64{scaled(p.X[0], 1e9, 7), scaled(p.X[1], 1e-9, 0)}
		check("covariates on other scales", other, cluster, 1)

		if weighted {
			heavy := p
			heavy.Weight = scaled(p.Weight, 1000, 0)
			check("weights on another scale", heavy, cluster, 1)
		}

		order := rand.New(rand.NewPCG(5, 6)).Perm(len(p.Y))
		name := rand.New(rand.NewPCG(7, 8)).Perm(len(p.First))
		q := did.Panel{First: make([]int, len(p.First)), X: make([][]float64, len(p.X))}
		renamed := make([]int, len(cluster))
		for u, first := range p.First {
			q.First[name[u]] = first
			renamed[name[u]] = -cluster[u]
		}
		for _, i := range order {
			q.Unit = append(q.Unit, name[p.Unit[i]])
			q.Time = append(q.Time, p.Time[i])
			q.Y = append(q.Y, p.Y[i])
			for k := range p.X {
				q.X[k] = append(q.X[k], p.X[k][i])
			}
			if weighted {
				q.Weight = append(q.Weight, p.Weight[i])
			}
		}
		check("other order and names", q, renamed, 1)

		later := p
		later.Time, later.First = slices.Clone(p.Time), slices.Clone(p.First)
		for i := range later.Time {
			later.Time[i] += 24000
		}
		for u, first := range p.First {
			if first != did.Never {
				later.First[u] += 24000
			}
		}
		check("later calendar", later, cluster, 1)

		more := p
		more.X = append(slices.Clone(p.X), unitColumn(p), scaled(p.X[0], 2, 1))
		got := fixedEffects(t, more, did.FixedEffectsOptions{Cluster: cluster})
		near(t, "collinear covariates", got.Effect.Value, want[0].Value, 1e-10)
		near(t, "collinear covariates, standard error", got.Effect.SE, want[0].SE, 1e-10)
		for k, c := range got.Covariates {
			if (c.Missing != "") != (k >= 2) {
				t.Errorf("covariate %d: missing %q", k, c.Missing)
			}
		}
	}
}

func scaled(xs []float64, factor, shift float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = factor*x + shift
	}
	return out
}

// unitColumn is a covariate that unit effects explain.
func unitColumn(p did.Panel) []float64 {
	out := make([]float64, len(p.Y))
	for i, u := range p.Unit {
		out[i] = float64(u * u)
	}
	return out
}

// TestWeightsAreCopies: a weight of two is a row that is there twice, where rows
// may be, for values and for errors that do not count rows.
func TestWeightsAreCopies(t *testing.T) {
	p, cluster := rich(41, false)
	double, weighted := p, p
	weighted.Weight = make([]float64, len(p.Y))
	double.X = [][]float64{slices.Clone(p.X[0]), slices.Clone(p.X[1])}
	double.Unit, double.Time, double.Y = slices.Clone(p.Unit), slices.Clone(p.Time), slices.Clone(p.Y)
	for i := range p.Y {
		weighted.Weight[i] = 1
		if i%3 == 0 {
			weighted.Weight[i] = 2
			double.Unit = append(double.Unit, p.Unit[i])
			double.Time = append(double.Time, p.Time[i])
			double.Y = append(double.Y, p.Y[i])
			for k := range p.X {
				double.X[k] = append(double.X[k], p.X[k][i])
			}
		}
	}
	a := fixedEffects(t, weighted, did.FixedEffectsOptions{Cluster: cluster})
	b := fixedEffects(t, double, did.FixedEffectsOptions{Cluster: cluster, Repeats: true})
	near(t, "fixed effects", a.Effect.Value, b.Effect.Value, 1e-11)
	n, m := float64(len(p.Y)), float64(len(double.Y))
	factor := math.Sqrt((m - 1) / (m - 10) * (n - 10) / (n - 1)) // 3 coefficients and 7 periods
	near(t, "clustered error", a.Effect.SE*factor, b.Effect.SE, 1e-10)
	x, err := did.TwoStage(weighted, did.TwoStageOptions{Cluster: cluster})
	must(t, err)
	y, err := did.TwoStage(double, did.TwoStageOptions{Cluster: cluster, Repeats: true})
	must(t, err)
	near(t, "two stages", x.Static.Value, y.Static.Value, 1e-11)
	near(t, "two stages, standard error", x.Static.SE, y.Static.SE, 1e-11)
	v, err := did.WildBootstrap(weighted, did.WildOptions{Cluster: cluster})
	must(t, err)
	w, err := did.WildBootstrap(double, did.WildOptions{Cluster: cluster, Repeats: true})
	must(t, err)
	near(t, "wild bootstrap", v.P, w.P, 1e-11)
	near(t, "wild bootstrap interval", v.Low, w.Low, 1e-9)
}

// TestRegressionRefusals names what is refused and how.
func TestRegressionRefusals(t *testing.T) {
	never := did.Never
	good := []int{2, 2, 2, never, never, never}
	for _, c := range []struct {
		name                    string
		panel                   did.Panel
		twfe, study, sa, square did.ErrorCode
		stage, bacon, wild      did.ErrorCode
	}{
		{"Good", grid(good, 5), "", "", "", "", "", "", ""},
		{"NoRows", did.Panel{First: good}, did.ErrTooFewUnits, did.ErrTooFewUnits, did.ErrTooFewUnits, did.ErrTooFewUnits, did.ErrTooFewUnits, did.ErrTooFewUnits, did.ErrTooFewUnits},
		{"OneUnit", grid([]int{2}, 5), did.ErrNoComparison, did.ErrNoComparison, did.ErrNoComparison, did.ErrNoComparison, did.ErrNotIdentified, did.ErrNotIdentified, did.ErrNoComparison},
		{"OnePeriod", grid(good, 1), did.ErrTooFewPeriods, did.ErrTooFewPeriods, did.ErrTooFewPeriods, did.ErrTooFewPeriods, did.ErrTooFewPeriods, did.ErrTooFewPeriods, did.ErrTooFewPeriods},
		{"NoneTreated", grid([]int{never, never, 9}, 5), did.ErrNoTreated, did.ErrNoTreated, did.ErrNoTreated, did.ErrNoTreated, did.ErrNoTreated, did.ErrNoTreated, did.ErrNoTreated},
		{"AllTreatedAtOnce", grid([]int{2, 2, 2}, 5), did.ErrNotIdentified, did.ErrNotIdentified, did.ErrNoComparison, did.ErrNoComparison, did.ErrNotIdentified, did.ErrNotIdentified, did.ErrNotIdentified},
		{"TreatedFromTheStart", grid([]int{0, -3, never}, 5), did.ErrNotIdentified, did.ErrNoTreated, did.ErrNoTreated, did.ErrTooFewPeriods, did.ErrNotIdentified, did.ErrNotIdentified, did.ErrNotIdentified},
		{"OneTreated", grid([]int{2, never, never, never}, 5), "", "", "", "", "", "", did.ErrTooFewUnits},
		{"Staggered", grid([]int{2, 2, 3, 3, never, never}, 5), "", "", "", did.ErrNotIdentified, "", "", ""},
		{"Duplicate", duplicated(grid(good, 5)), did.ErrDuplicate, did.ErrDuplicate, did.ErrDuplicate, did.ErrDuplicate, did.ErrDuplicate, did.ErrDuplicate, did.ErrDuplicate},
		{"NaN", with(grid(good, 5), math.NaN()), did.ErrNotFinite, did.ErrNotFinite, did.ErrNotFinite, did.ErrNotFinite, did.ErrNotFinite, did.ErrNotFinite, did.ErrNotFinite},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := did.TwoWayFixedEffects(c.panel, did.FixedEffectsOptions{})
			wantCode(t, "TwoWayFixedEffects", err, c.twfe)
			_, err = did.EventStudy(c.panel, did.EventStudyOptions{})
			wantCode(t, "EventStudy", err, c.study)
			_, err = did.SunAbraham(c.panel, did.SunAbrahamOptions{})
			wantCode(t, "SunAbraham", err, c.sa)
			_, err = did.TwoByTwo(c.panel, did.TwoByTwoOptions{})
			wantCode(t, "TwoByTwo", err, c.square)
			_, err = did.TwoStage(c.panel, did.TwoStageOptions{Events: true})
			wantCode(t, "TwoStage", err, c.stage)
			_, err = did.GoodmanBacon(c.panel)
			wantCode(t, "GoodmanBacon", err, c.bacon)
			_, err = did.WildBootstrap(c.panel, did.WildOptions{})
			wantCode(t, "WildBootstrap", err, c.wild)
			tryRegressions(t, c.panel)
		})
	}
}

// TestRegressionOptionsAreChecked refuses options outside their range.
func TestRegressionOptionsAreChecked(t *testing.T) {
	p := grid([]int{2, 2, 2, did.Never, did.Never, did.Never}, 5)
	for _, o := range []did.FixedEffectsOptions{{Level: 1}, {Level: math.NaN()}, {Covariance: 9}, {Covariance: -1}} {
		_, err := did.TwoWayFixedEffects(p, o)
		wantCode(t, "TwoWayFixedEffects", err, did.ErrOption)
		_, err = did.SunAbraham(p, did.SunAbrahamOptions{FixedEffectsOptions: o})
		wantCode(t, "SunAbraham", err, did.ErrOption)
	}
	for _, o := range []did.EventStudyOptions{{First: 2}, {Last: -2}, {First: -2, Reference: -3}, {Last: 1, Reference: 2}} {
		_, err := did.EventStudy(p, o)
		wantCode(t, "EventStudy", err, did.ErrOption)
	}
	for _, o := range []did.WildOptions{{Level: 2}, {Weights: 7}, {Draws: -1}, {Draws: 1 << 30}, {Null: math.Inf(1)}, {Enumerate: 1 << 40}, {Enumerate: -1, Draws: 9_000_000}} {
		_, err := did.WildBootstrap(p, o)
		wantCode(t, "WildBootstrap", err, did.ErrOption)
	}
	for _, o := range []did.ImputationOptions{{Leads: []int{1}}, {Leads: []int{-1, -1}}, {Leads: []int{-1}, PreTrends: 2}} {
		_, err := did.Impute(p, o)
		wantCode(t, "Impute", err, did.ErrOption)
	}
	_, err := did.TwoStage(p, did.TwoStageOptions{Groups: []int{1}})
	wantCode(t, "TwoStage groups", err, did.ErrShape)
	_, err = did.TwoStage(p, did.TwoStageOptions{Groups: make([]int, 6), Cluster: []int{1}})
	wantCode(t, "TwoStage clusters", err, did.ErrShape)
	_, err = did.TwoWayFixedEffects(p, did.FixedEffectsOptions{Cluster: []int{1}})
	wantCode(t, "TwoWayFixedEffects clusters", err, did.ErrShape)
	for _, q := range []float64{0, 1, math.NaN()} {
		_, err := did.QuantileRegression([]float64{1, 2}, nil, q)
		wantCode(t, "QuantileRegression", err, did.ErrOption)
	}
}

// TestOneTreatedClusterHasNoClusteredError: the effect is there, its error is
// refused with a reason, unless asked for.
func TestOneTreatedClusterHasNoClusteredError(t *testing.T) {
	p := random(5, 1)
	for u, first := range p.First {
		if first != did.Never && u != 2 {
			p.First[u] = did.Never
		}
	}
	for _, kind := range []did.Covariance{did.CR1, did.CR2} {
		r := fixedEffects(t, p, did.FixedEffectsOptions{Covariance: kind})
		if r.Effect.HasSE || r.Refusal == "" {
			t.Errorf("effect %+v, refusal %q", r.Effect, r.Refusal)
		}
		r = fixedEffects(t, p, did.FixedEffectsOptions{Covariance: kind, FewTreated: true})
		if kind == did.CR1 && !r.Effect.HasSE || r.Refusal != "" {
			t.Errorf("asked for: effect %+v, refusal %q", r.Effect, r.Refusal)
		}
	}
	es := eventStudy(t, p, did.EventStudyOptions{})
	if es.Refusal == "" || es.PreTest != nil || es.Points[0].Estimate.HasSE {
		t.Errorf("event study %+v", es)
	}
	if _, _, covariance := es.Vector(); covariance != nil {
		t.Error("refused, but with a covariance")
	}
	square, err := did.TwoByTwo(p, did.TwoByTwoOptions{})
	must(t, err)
	if square.Clustered.HasSE || square.Refusal == "" || !square.HC1.HasSE {
		t.Errorf("2×2 %+v", square)
	}
	im, err := did.Impute(p, did.ImputationOptions{})
	must(t, err)
	if len(im.Warnings) != 1 {
		t.Errorf("imputation warns %q", im.Warnings)
	}
	two, err := did.TwoStage(p, did.TwoStageOptions{Events: true})
	must(t, err)
	if two.Static.HasSE || two.Refusal == "" {
		t.Errorf("two stages %+v", two)
	}
	// One comparison unit alone is the same in a mirror.
	q := p
	q.First = slices.Repeat([]int{4}, len(p.First))
	q.First[0] = did.Never
	if r := fixedEffects(t, q, did.FixedEffectsOptions{}); r.Effect.HasSE || r.Refusal == "" {
		t.Errorf("one comparison unit: effect %+v, refusal %q", r.Effect, r.Refusal)
	}
}

// TestStaggeredStartsWarn: the value stands there with its decomposition.
func TestStaggeredStartsWarn(t *testing.T) {
	p := random(6, 1)
	r := fixedEffects(t, p, did.FixedEffectsOptions{})
	if r.Staggered == nil || r.Staggered.Bacon == nil || len(r.Warnings) != 1 {
		t.Fatalf("got %+v", r)
	}
	near(t, "decomposition", r.Staggered.Bacon.Effect, r.Effect.Value, 1e-10)
	var weight float64
	for _, part := range r.Staggered.Bacon.Parts {
		weight += part.Weight
		if part.Weight < 0 {
			t.Errorf("negative weight: %+v", part)
		}
	}
	near(t, "weights", weight, 1, 1e-12)
	if r = fixedEffects(t, random(6, 0.8), did.FixedEffectsOptions{}); r.Staggered == nil || r.Staggered.Bacon != nil {
		t.Errorf("a panel with gaps has no decomposition: %+v", r.Staggered)
	}
	one := random(6, 1)
	for u, first := range one.First {
		if first != did.Never {
			one.First[u] = 4
		}
	}
	if r = fixedEffects(t, one, did.FixedEffectsOptions{}); r.Staggered != nil || len(r.Warnings) != 0 {
		t.Errorf("one start is not staggered: %+v", r)
	}
}

// TestDecompositionAddsUp where units are treated throughout, too, and where
// none is never treated.
func TestDecompositionAddsUp(t *testing.T) {
	for _, starts := range [][]int{{-1, 0, 3, 3, 5, did.Never, did.Never}, {2, 2, 3, 5, 5}, {0, 2, 4}} {
		r := rand.New(rand.NewPCG(3, 3))
		p := changed(grid(starts, 8), func(int) float64 { return r.NormFloat64() })
		b, err := did.GoodmanBacon(p)
		must(t, err)
		near(t, "effect", b.Effect, fixedEffects(t, p, did.FixedEffectsOptions{FewTreated: true}).Effect.Value, 1e-11)
		_, always := b.Kind(did.LaterVsAlways)
		_, never := b.Kind(did.TreatedVsUntreated)
		if (always > 0) != (starts[0] <= 0) || (never > 0) != (starts[len(starts)-1] == did.Never) {
			t.Errorf("starts %v: weight %v on units treated throughout, %v on units never treated", starts, always, never)
		}
	}
}

// TestPerfectFit: nothing is left to show the uncertainty.
func TestPerfectFit(t *testing.T) {
	p := grid([]int{2, 2, 3, 3, did.Never, did.Never}, 6)
	exact := changed(p, func(i int) float64 {
		y := float64(5*p.Unit[i] + p.Time[i]*p.Time[i])
		if p.Time[i] >= p.First[p.Unit[i]] {
			y += 2
		}
		return y
	})
	r := fixedEffects(t, exact, did.FixedEffectsOptions{})
	near(t, "effect", r.Effect.Value, 2, 1e-12)
	if r.Effect.HasSE || r.Refusal == "" {
		t.Errorf("a perfect fit has a standard error: %+v", r)
	}
	_, err := did.WildBootstrap(exact, did.WildOptions{})
	if !errors.Is(err, &did.Error{Code: did.ErrZeroVariance}) {
		t.Errorf("wild bootstrap: %v", err)
	}
	two, err := did.TwoStage(exact, did.TwoStageOptions{})
	must(t, err)
	near(t, "two stages", two.Static.Value, 2, 1e-12)
	if two.Static.HasSE {
		t.Errorf("a perfect fit has a standard error: %+v", two.Static)
	}
}

// tryRegressions runs the regression family on any panel.
func tryRegressions(t *testing.T, p did.Panel) {
	t.Helper()
	for _, kind := range []did.Covariance{did.CR1, did.CR2, did.Homoskedastic, did.HC1, did.HC2, did.HC3} {
		for _, bold := range []bool{false, true} {
			o := did.FixedEffectsOptions{Covariance: kind, FewTreated: bold, Repeats: bold, ByPeriod: bold}
			r, err := did.TwoWayFixedEffects(p, o)
			checkAnswer(t, "fixed effects", r, err)
			es, err := did.EventStudy(p, did.EventStudyOptions{FixedEffectsOptions: o, First: -2, Last: 3})
			checkAnswer(t, "event study", es, err)
			sa, err := did.SunAbraham(p, did.SunAbrahamOptions{FixedEffectsOptions: o})
			checkAnswer(t, "Sun–Abraham", sa, err)
		}
	}
	square, err := did.TwoByTwo(p, did.TwoByTwoOptions{FewTreated: true})
	checkAnswer(t, "2×2", square, err)
	two, err := did.TwoStage(p, did.TwoStageOptions{Events: true, FewTreated: true, Repeats: true})
	checkAnswer(t, "two stages", two, err)
	im, err := did.Impute(p, did.ImputationOptions{Horizons: true, Leads: []int{-1, -3}, Repeats: true})
	checkAnswer(t, "imputation", im, err)
	bacon, err := did.GoodmanBacon(p)
	checkAnswer(t, "decomposition", bacon, err)
	for _, o := range []did.WildOptions{
		{FewTreated: true, Ties: true, Enumerate: 1 << 8, Draws: 50},
		{FewTreated: true, Weights: did.Webb, Enumerate: 1 << 8, Draws: 50, Unrestricted: true},
		{Weights: did.Mammen, Enumerate: 1 << 8, Draws: 50, Repeats: true},
	} {
		w, err := did.WildBootstrap(p, o)
		checkAnswer(t, "wild bootstrap", w, err)
		if err == nil && (w.P < 0 || w.P > 1+1e-9 || w.TiesP < w.StrictP) {
			t.Errorf("wild bootstrap: p %v, %v to %v", w.P, w.StrictP, w.TiesP)
		}
	}
}

// FuzzRegressions feeds panels of every shape with a covariate and weights made
// from their bytes.
func FuzzRegressions(f *testing.F) {
	f.Add([]byte{3, 2, 9, 9, 0, 0, 10, 0, 1, 12, 0, 2, 14, 1, 0, 9, 1, 1, 9, 1, 2, 8, 2, 0, 1, 2, 1, 2, 2, 2, 4}, false)
	f.Add([]byte{2, 1, 1, 0, 0, 5, 0, 1, 5, 1, 0, 5, 1, 1, 5}, true)
	f.Add([]byte{3, 1, 2, 9, 0, 0, 1, 0, 200, 1, 1, 0, 1, 2, 100, 253}, true)
	f.Add([]byte{4, 0, 1, 2, 9, 0, 0, 1, 0, 1, 2, 1, 0, 1, 1, 1, 7, 2, 0, 3, 2, 1, 3, 2, 2, 9, 3, 0, 1, 3, 1, 1, 3, 2, 6}, false)
	f.Add([]byte{4, 2, 2, 9, 9, 0, 0, 1, 0, 1, 2, 0, 2, 8, 1, 0, 1, 1, 1, 7, 1, 2, 9, 2, 0, 3, 2, 1, 3, 2, 2, 9, 3, 0, 1, 3, 1, 1, 3, 2, 252}, true)
	f.Fuzz(func(t *testing.T, data []byte, rich bool) {
		if len(data) == 0 || len(data) > 300 {
			return
		}
		p := panelOf(data)
		if rich {
			p.X = [][]float64{make([]float64, len(p.Y))}
			p.Weight = make([]float64, len(p.Y))
			for i := range p.Y {
				p.X[0][i] = float64(data[i%len(data)]) * math.Pow(10, float64(int(data[0])-20))
				p.Weight[i] = 1 + float64(data[(7*i)%len(data)])
			}
		}
		tryRegressions(t, p)
	})
}

// FuzzRandomized feeds tasks made from bytes: outcome, covariate, cluster and
// lot each.
func FuzzRandomized(f *testing.F) {
	f.Add([]byte{1, 2, 0, 9, 3, 1, 4, 4, 1, 7, 2, 0, 3, 3, 1, 8, 1, 0})
	f.Add([]byte{1, 2, 0, 1, 2, 1, 1, 2, 0, 1, 2, 1})
	f.Add([]byte{255, 2, 0, 254, 3, 1, 0, 4, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 240 {
			return
		}
		tasks := did.Tasks{X: make([][]float64, 1)}
		var sides [2][]float64
		for ; len(data) >= 3; data = data[3:] {
			y := float64(data[0]) / 16
			switch data[0] {
			case 255:
				y = math.NaN()
			case 254:
				y = 1e200
			case 253:
				y = 1e100
			}
			tasks.Y = append(tasks.Y, y)
			tasks.X[0] = append(tasks.X[0], float64(data[1]))
			tasks.Treated = append(tasks.Treated, data[2]%2 == 1)
			tasks.Cluster = append(tasks.Cluster, int(data[2]/2%8))
			sides[data[2]%2] = append(sides[data[2]%2], y)
		}
		r, err := did.Randomized(tasks, did.RandomizedOptions{MedianDraws: 5, Wild: did.WildOptions{Enumerate: 1 << 8, Draws: 50}})
		checkAnswer(t, "randomized", r, err)
		s, err := did.HodgesLehmann(sides[1], sides[0], 0)
		checkAnswer(t, "shift", s, err)
	})
}
