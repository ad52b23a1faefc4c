package did_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// allAdjustments are the ways in which covariates can be used.
var allAdjustments = map[string]did.Adjustment{
	"doubly-robust": did.DoublyRobust, "regression": did.OutcomeRegression, "weighting": did.InverseProbability,
}

// covered is the panel of random with two covariates and weights: the first
// covariate changes over time, the second tells the cohorts apart a little.
func covered(seed uint64, share float64) did.Panel {
	p := random(seed, share)
	r := rand.New(rand.NewPCG(seed, 77))
	level := make([]float64, len(p.First))
	weight := make([]float64, len(p.First))
	for u := range level {
		level[u], weight[u] = r.NormFloat64(), 0.5+r.Float64()
	}
	p.X = [][]float64{make([]float64, len(p.Y)), make([]float64, len(p.Y))}
	p.Weight = make([]float64, len(p.Y))
	p.Y = slices.Clone(p.Y)
	for i, u := range p.Unit {
		p.X[0][i] = r.NormFloat64()
		p.X[1][i] = level[u]
		p.Y[i] += 0.3 * level[u] * float64(p.Time[i])
		p.Weight[i] = weight[u]
	}
	return p
}

// adjustedAnswers are all estimates of p with an adjustment.
func adjustedAnswers(t *testing.T, p did.Panel, o did.GroupTimeOptions) []did.Estimate {
	t.Helper()
	g, err := did.CallawaySantAnna(p, o)
	if err != nil {
		t.Fatal(err)
	}
	var out []did.Estimate
	for _, c := range g.Cells {
		if c.Missing != "" {
			t.Fatalf("cell (%d, %d) is missing: %s", c.Group, c.Time, c.Missing)
		}
		out = append(out, c.Estimate)
	}
	simple, err := g.Simple()
	if err != nil {
		t.Fatal(err)
	}
	if simple.Estimate.Value != simple.TreatedChange-simple.ComparisonChange {
		t.Error("the simple effect is not the difference of its sides")
	}
	dynamic, err := g.Dynamic(-3, 5)
	if err != nil {
		t.Fatal(err)
	}
	return append(out, simple.Estimate, dynamic.Overall)
}

// TestAdjustedInvariance changes panels in ways that must not change an
// adjusted answer, or must scale it.
func TestAdjustedInvariance(t *testing.T) {
	for name, method := range allAdjustments {
		for _, gaps := range []bool{false, true} {
			share := 1.0
			if gaps {
				share, name = 0.9, name+"-gaps"
			}
			t.Run(name, func(t *testing.T) {
				o := did.GroupTimeOptions{Control: did.NotYetTreated, Method: method}
				p := covered(1, share)
				want := adjustedAnswers(t, p, o)
				check := func(what string, q did.Panel, factor float64) {
					t.Helper()
					same(t, what, adjustedAnswers(t, q, o), want, factor)
				}
				check("constant", changed(p, func(i int) float64 { return p.Y[i] + 1000 }), 1)
				check("period effects", changed(p, func(i int) float64 { return p.Y[i] + float64(p.Time[i]*p.Time[i]) }), 1)
				check("scale", changed(p, func(i int) float64 { return p.Y[i] * 1e-6 }), 1e-6)
				check("large scale", changed(p, func(i int) float64 { return p.Y[i] * 1e12 }), 1e12)
				if !gaps {
					check("unit effects", changed(p, func(i int) float64 { return p.Y[i] + 1000*float64(p.Unit[i]%7) }), 1)
				}
				check("other order and names", shuffledWide(p), 1)

				other := p
				other.X = [][]float64{apply(p.X[1], func(x float64) float64 { return 1e6 - 3*x }), apply(p.X[0], func(x float64) float64 { return 1e-9 * x })}
				check("other units of covariates", other, 1)
				other.X = [][]float64{p.X[0], make([]float64, len(p.Y)), p.X[1]}
				for i := range p.Y {
					other.X[1][i] = p.X[0][i] + 2*p.X[1][i]
				}
				other.X = [][]float64{other.X[1], p.X[1]}
				check("turned covariates", other, 1)
				weighed := p
				weighed.Weight = apply(p.Weight, func(w float64) float64 { return 1e-8 * w })
				check("other units of weights", weighed, 1)
			})
		}
	}
}

func apply(xs []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}

// shuffledWide renames the units of p and puts its rows in another order.
func shuffledWide(p did.Panel) did.Panel {
	r := rand.New(rand.NewPCG(5, 6))
	name := r.Perm(len(p.First))
	q := did.Panel{First: make([]int, len(p.First)), X: make([][]float64, len(p.X))}
	for u, first := range p.First {
		q.First[name[u]] = first
	}
	for _, i := range r.Perm(len(p.Y)) {
		q.Unit = append(q.Unit, name[p.Unit[i]])
		q.Time = append(q.Time, p.Time[i])
		q.Y = append(q.Y, p.Y[i])
		q.Weight = append(q.Weight, p.Weight[i])
		for k := range p.X {
			q.X[k] = append(q.X[k], p.X[k][i])
		}
	}
	return q
}

// TestAdjustedKnownEffect gives trends that depend on a covariate and an effect
// without noise, which every adjustment with a regression must find.
func TestAdjustedKnownEffect(t *testing.T) {
	p := covered(2, 1)
	p.Weight = nil
	p.Y = make([]float64, len(p.Y))
	for i, u := range p.Unit {
		p.Y[i] = float64(u) + p.X[1][i]*float64(p.Time[i]*p.Time[i])
		if p.Time[i] >= p.First[u] {
			p.Y[i] += 2
		}
	}
	for _, method := range []did.Adjustment{did.DoublyRobust, did.OutcomeRegression} {
		g, err := did.CallawaySantAnna(p, did.GroupTimeOptions{Method: method})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range g.Cells {
			want := 0.0
			if c.Time >= c.Group {
				want = 2
			}
			near(t, "effect", c.Estimate.Value, want, 1e-10)
			if c.Estimate.HasSE && c.Estimate.SE > 1e-10 {
				t.Errorf("cell (%d, %d): an effect without noise has a standard error %v", c.Group, c.Time, c.Estimate.SE)
			}
		}
	}
}

// TestCovariatesThatCannotBeUsed: one that never changes is left out with a
// warning; those that repeat each other, or tell the cohorts apart, leave cells
// without an estimate, with the reason.
func TestCovariatesThatCannotBeUsed(t *testing.T) {
	p := covered(3, 1)
	p.Weight = nil
	want := adjustedAnswers(t, p, did.GroupTimeOptions{})
	constant := p
	constant.X = [][]float64{p.X[0], apply(p.Y, func(float64) float64 { return 7 }), p.X[1]}
	same(t, "a covariate that never changes", adjustedAnswers(t, constant, did.GroupTimeOptions{}), want, 1)
	g, err := did.CallawaySantAnna(constant, did.GroupTimeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Warnings) != 1 || !strings.Contains(g.Warnings[0], "Covariate 2 is the same in all rows") {
		t.Errorf("warnings %q", g.Warnings)
	}

	twice := p
	twice.X = [][]float64{p.X[0], p.X[1], apply(p.X[1], func(x float64) float64 { return 3*x - 1 })}
	wantMissing(t, twice, did.DoublyRobust, "repeat each other")
	wantMissing(t, twice, did.OutcomeRegression, "repeat each other")
	wantMissing(t, twice, did.InverseProbability, "repeat each other")

	apart := p
	apart.X = [][]float64{make([]float64, len(p.Y))}
	for i, u := range p.Unit {
		if p.First[u] != did.Never {
			apart.X[0][i] = 1
		}
	}
	wantMissing(t, apart, did.InverseProbability, "tell the cohort from its comparison")
}

func wantMissing(t *testing.T, p did.Panel, method did.Adjustment, reason string) {
	t.Helper()
	g, err := did.CallawaySantAnna(p, did.GroupTimeOptions{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range g.Cells {
		if !strings.Contains(c.Missing, reason) || (c.Estimate != did.Estimate{}) {
			t.Errorf("cell (%d, %d): missing because %q, estimate %v", c.Group, c.Time, c.Missing, c.Estimate)
		}
	}
	_, err = g.Simple()
	wantCode(t, "Simple", err, did.ErrNotIdentified)
	_, err = g.PreTest()
	wantCode(t, "PreTest", err, did.ErrTooFewPeriods)
	_, bands, err := g.CellBands()
	wantCode(t, "CellBands", err, did.ErrOption)
	if bands != nil {
		t.Error("bands without draws")
	}
}

// TestWeightsCountAsCopies: a weight of 2 is as good as two such units, but for
// the number of units, which is known to be half as large.
func TestWeightsCountAsCopies(t *testing.T) {
	p := covered(4, 1)
	double := p
	double.Weight = make([]float64, len(p.Y))
	copies := p
	copies.Weight = nil
	copies.First = slices.Clone(p.First)
	copies.X = [][]float64{slices.Clone(p.X[0]), slices.Clone(p.X[1])}
	for i, u := range p.Unit {
		double.Weight[i] = 1
		if u%3 != 0 {
			continue
		}
		double.Weight[i] = 2
		copies.Unit = append(copies.Unit, len(p.First)+u)
		copies.Time = append(copies.Time, p.Time[i])
		copies.Y = append(copies.Y, p.Y[i])
		copies.X[0] = append(copies.X[0], p.X[0][i])
		copies.X[1] = append(copies.X[1], p.X[1][i])
	}
	copies.First = append(copies.First, p.First...)
	for name, method := range allAdjustments {
		weighted := adjustedAnswers(t, double, did.GroupTimeOptions{Method: method})
		for i, e := range adjustedAnswers(t, copies, did.GroupTimeOptions{Method: method}) {
			near(t, name, weighted[i].Value, e.Value, 1e-7)
		}
	}
}

// TestClustersOfOneUnit changes nothing, and clusters of several units count as
// one in the pre-test.
func TestClustersOfOneUnit(t *testing.T) {
	p := covered(5, 0.95)
	own := make([]int, len(p.First))
	for u := range own {
		own[u] = -3 * u
	}
	want := adjustedAnswers(t, p, did.GroupTimeOptions{})
	same(t, "clusters of one unit", adjustedAnswers(t, p, did.GroupTimeOptions{Cluster: own}), want, 1)
	g, err := did.CallawaySantAnna(p, did.GroupTimeOptions{Cluster: grouped(own, 5)})
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.PreTest()
	wantCode(t, "PreTest with fewer clusters than cells", err, did.ErrNotIdentified)
	_, err = did.CallawaySantAnna(p, did.GroupTimeOptions{Cluster: own[1:]})
	wantCode(t, "clusters of other length", err, did.ErrShape)
}

func grouped(own []int, clusters int) []int {
	out := make([]int, len(own))
	for u := range own {
		out[u] = u % clusters
	}
	return out
}

// TestBootstrapErrors: they are near the analytic ones, repeatable, and the
// bands of all kinds of effects hold at once.
func TestBootstrapErrors(t *testing.T) {
	p := covered(6, 1)
	analytic, err := did.CallawaySantAnna(p, did.GroupTimeOptions{Draws: 4000, Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := did.CallawaySantAnna(p, did.GroupTimeOptions{Draws: 4000, Seed: 9, BootstrapErrors: true})
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range drawn.Cells {
		if ratio := c.Estimate.SE / analytic.Cells[k].Estimate.SE; math.Abs(ratio-1) > 0.3 { // a few units carry a cell
			t.Errorf("cell (%d, %d): standard error is %v times the analytic one", c.Group, c.Time, ratio)
		}
	}
	critical, bands, err := drawn.CellBands()
	if err != nil {
		t.Fatal(err)
	}
	if again, _, err := drawn.CellBands(); err != nil || again != critical {
		t.Errorf("the same draws gave %v, then %v, error %v", critical, again, err)
	}
	if other, _, err := analytic.CellBands(); err != nil || math.Abs(other-critical) > 0.2 || critical < 2.5 {
		t.Errorf("critical values %v and %v, error %v", critical, other, err)
	}
	for k, c := range drawn.Cells {
		if e := c.Estimate; bands[k].Low >= e.Low || bands[k].High <= e.High {
			t.Errorf("cell (%d, %d): band %v does not hold the interval %v to %v", c.Group, c.Time, bands[k], e.Low, e.High)
		}
	}
	for name, get := range map[string]func() (did.Grouped, error){"group": drawn.Group, "calendar": drawn.Calendar} {
		r, err := get()
		if err != nil {
			t.Fatal(err)
		}
		if r.BandCritical < 1.96 || !r.Overall.HasSE {
			t.Errorf("%s: critical value %v, overall %v", name, r.BandCritical, r.Overall)
		}
		for _, e := range r.Points {
			if e.BandLow > e.Estimate.Low || e.BandHigh < e.Estimate.High {
				t.Errorf("%s %d: band %v to %v does not hold the interval", name, e.Label, e.BandLow, e.BandHigh)
			}
		}
	}
}

// TestDynamicBalanced: the same cohorts stand behind every point from the start
// on.
func TestDynamicBalanced(t *testing.T) {
	g, err := did.CallawaySantAnna(random(7, 1), did.GroupTimeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// Starts are 4, 5 and 7 in periods 0 to 8.
	d, err := g.DynamicBalanced(-100, 100, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range d.Points {
		if e.Event > 3 || e.Event < -5 {
			t.Errorf("event %d", e.Event)
		}
		if e.Event >= 0 && e.Units != d.Points[len(d.Points)-1].Units {
			t.Errorf("event %d: %d units", e.Event, e.Units)
		}
	}
	_, err = g.DynamicBalanced(-1, 1, -1)
	wantCode(t, "negative exposure", err, did.ErrOption)
	_, err = g.DynamicBalanced(-100, 100, 8)
	wantCode(t, "exposure nobody has", err, did.ErrNotIdentified)
}

// TestGroupTimeOptionsOfCrossSections refuses what has no meaning there.
func TestGroupTimeOptionsOfCrossSections(t *testing.T) {
	p := covered(8, 1)
	for _, o := range []did.GroupTimeOptions{
		{Method: 3},
		{Method: -1},
		{Weights: 4},
		{Weights: -1},
		{Anticipation: -1},
		{BootstrapErrors: true},
		{CrossSections: true, Balance: true},
		{CrossSections: true, Weights: did.BasePeriodWeights},
		{CrossSections: true, Weights: did.FirstPeriodWeights},
	} {
		_, err := did.CallawaySantAnna(p, o)
		wantCode(t, "CallawaySantAnna", err, did.ErrOption)
	}
	_, err := did.CallawaySantAnna(did.Panel{First: []int{1}}, did.GroupTimeOptions{CrossSections: true})
	wantCode(t, "no rows", err, did.ErrTooFewUnits)
	thin := covered(9, 0.2)
	_, err = did.CallawaySantAnna(thin, did.GroupTimeOptions{Balance: true})
	wantCode(t, "nobody seen throughout", err, did.ErrTooFewUnits)
}

// FuzzAdjusted feeds panels of every shape with covariates, weights and options
// made from the same bytes.
func FuzzAdjusted(f *testing.F) {
	f.Add([]byte{3, 2, 9, 9, 0, 0, 10, 0, 1, 12, 0, 2, 14, 1, 0, 9, 1, 1, 9, 1, 2, 8, 2, 0, 1, 2, 1, 2, 2, 2, 4}, uint16(0))
	f.Add([]byte{4, 1, 9, 9, 9, 0, 0, 1, 0, 1, 9, 1, 0, 1, 1, 1, 7, 2, 0, 3, 2, 1, 3, 3, 0, 3, 3, 1, 8}, uint16(37))
	f.Add([]byte{4, 0, 1, 2, 9, 0, 0, 1, 0, 1, 2, 1, 0, 1, 1, 1, 7, 2, 0, 3, 2, 1, 3, 2, 2, 9, 3, 0, 1, 3, 1, 1, 3, 2, 6}, uint16(999))
	f.Fuzz(func(t *testing.T, data []byte, options uint16) {
		if len(data) == 0 || len(data) > 400 {
			return
		}
		p := panelOf(data)
		r := rand.New(rand.NewPCG(uint64(len(data)), uint64(options)))
		for range int(options>>9) % 4 {
			column := make([]float64, len(p.Y))
			for i := range column {
				column[i] = math.Floor(4*r.NormFloat64()) * math.Pow(10, float64(int(options>>11)%5)*7-14)
			}
			p.X = append(p.X, column)
		}
		if options&256 != 0 {
			for range p.Y {
				p.Weight = append(p.Weight, math.Exp(20*r.NormFloat64()))
			}
		}
		o := did.GroupTimeOptions{
			Control: did.Control(options & 1), Base: did.BasePeriod(options >> 1 & 1), Method: did.Adjustment(options >> 2 & 3),
			Weights: did.WeightPeriod(options >> 4 & 3), Anticipation: int(options >> 6 & 1), CrossSections: options>>7&1 == 1,
			Draws: 100, BootstrapErrors: options>>13&1 == 1,
		}
		tryGroupTime(t, p, o)
	})
}

// tryGroupTime asks that every answer is finite or a typed error.
func tryGroupTime(t *testing.T, p did.Panel, o did.GroupTimeOptions) {
	t.Helper()
	g, err := did.CallawaySantAnna(p, o)
	checkAnswer(t, "group-time", g, err)
	if err != nil {
		return
	}
	simple, err := g.Simple()
	checkAnswer(t, "simple", simple, err)
	dynamic, err := g.Dynamic(-1000, 1000)
	checkAnswer(t, "dynamic", dynamic, err)
	group, err := g.Group()
	checkAnswer(t, "group", group, err)
	calendar, err := g.Calendar()
	checkAnswer(t, "calendar", calendar, err)
	test, err := g.PreTest()
	checkAnswer(t, "pre-test", test, err)
	_, bands, err := g.CellBands()
	checkAnswer(t, "bands", bands, err)
}
