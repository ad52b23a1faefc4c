package did_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"steelyard/metrics/did"
)

// castleCounts are the homicides of 50 American states with their population.
func castleCounts(t testing.TB) (did.Panel, []float64) {
	t.Helper()
	var b builder
	var exposure []float64
	for _, row := range readCSV(t, filepath.Join("testdata", "castle_counts.csv")) {
		b.add(row["unit"], whole(t, row["time"]), start(t, row["first"]), number(t, row["homicides"]))
		exposure = append(exposure, number(t, row["population"]))
	}
	return b.panel, exposure
}

// editorCommits are the raw counts of commits of the panel of editor.
func editorCommits(t testing.TB, repeats bool) did.Panel {
	t.Helper()
	var b builder
	for _, row := range readCSV(t, shared(t, "he2025_cursor_panel_monthly.csv.gz")) {
		if row["commits"] == "" || row["commits"] == "NA" || !repeats && row["dup"] == "1" {
			continue
		}
		first := did.Never
		if row["g"] != "" {
			first = whole(t, row["g"])
		}
		b.add(row["repo_name"], whole(t, row["t"]), first, number(t, row["commits"]))
	}
	return b.panel
}

// TestPoissonReferences compares with R's fixest 0.14.2 (fepois).
func TestPoissonReferences(t *testing.T) {
	check := func(name string, run func(t *testing.T) (did.Panel, did.PoissonOptions), value, se float64) {
		t.Run(name, func(t *testing.T) {
			p, o := run(t)
			r, err := did.PoissonRatio(p, o)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "effect", r.Effect.Value, value, 1e-8)
			near(t, "standard error", r.Effect.SE, se, 1e-6)
			near(t, "ratio", r.Ratio.Value, math.Exp(value), 1e-8)
		})
	}
	check("castle", func(t *testing.T) (did.Panel, did.PoissonOptions) {
		p, exposure := castleCounts(t)
		return p, did.PoissonOptions{Exposure: exposure}
	}, 0.059666690373324, 0.0260291312102739)
	check("editor-all-rows", func(t *testing.T) (did.Panel, did.PoissonOptions) {
		return editorCommits(t, true), did.PoissonOptions{Repeats: true}
	}, 0.267813405923096, 0.0564878919184991)
	check("editor", func(t *testing.T) (did.Panel, did.PoissonOptions) {
		return editorCommits(t, false), did.PoissonOptions{}
	}, 0.267923229543023, 0.0565664368131744)
}

// eventful is a panel of counts with exposure, a covariate and weights; units
// and periods have rates of their own, and treatment multiplies them by 1.5.
func eventful(seed uint64, share float64) (did.Panel, []float64) {
	p := covered(seed, share)
	r := rand.New(rand.NewPCG(seed, 21))
	rate := make([]float64, len(p.First))
	for u := range rate {
		rate[u] = math.Exp(0.5 * r.NormFloat64())
	}
	p.X = p.X[:1]
	exposure := make([]float64, len(p.Y))
	for i, u := range p.Unit {
		exposure[i] = 1 + 30*r.Float64()
		mean := exposure[i] * rate[u] * math.Exp(0.05*float64(p.Time[i])+0.2*p.X[0][i])
		if p.Time[i] >= p.First[u] {
			mean *= 1.5
		}
		p.Y[i] = math.Floor(mean * 2 * r.Float64())
	}
	return p, exposure
}

// TestPoissonAgainstDummies compares with Newton's steps on all dummies
// written out, and the sandwich of their scores.
func TestPoissonAgainstDummies(t *testing.T) {
	for _, share := range []float64{1, 0.8} {
		p, exposure := eventful(3, share)
		cluster := make([]int, len(p.First))
		for u := range cluster {
			cluster[u] = u / 2
		}
		r, err := did.PoissonRatio(p, did.PoissonOptions{Exposure: exposure, Cluster: cluster})
		if err != nil {
			t.Fatal(err)
		}
		// Columns: units, periods 1 to 8, treated, covariate.
		units := len(p.First)
		n := units + 8 + 2
		design := mat.NewDense(len(p.Y), n, nil)
		for i, u := range p.Unit {
			design.Set(i, u, 1)
			if p.Time[i] > 0 {
				design.Set(i, units+p.Time[i]-1, 1)
			}
			if p.Time[i] >= p.First[u] {
				design.Set(i, n-2, 1)
			}
			design.Set(i, n-1, p.X[0][i])
		}
		theta := mat.NewVecDense(n, nil)
		scores := mat.NewDense(len(p.Y), n, nil)
		var inverse mat.Dense
		for range 40 {
			hess := mat.NewDense(n, n, nil)
			gradient := mat.NewVecDense(n, nil)
			for i := range p.Y {
				row := mat.NewVecDense(n, mat.Row(nil, i, design))
				mean := exposure[i] * math.Exp(mat.Dot(row, theta))
				hess.RankOne(hess, p.Weight[i]*mean, row, row)
				row.ScaleVec(p.Weight[i]*(p.Y[i]-mean), row)
				gradient.AddVec(gradient, row)
				scores.SetRow(i, row.RawVector().Data)
			}
			if err := inverse.Inverse(hess); err != nil {
				t.Fatal(err)
			}
			var step mat.VecDense
			step.MulVec(&inverse, gradient)
			theta.AddVec(theta, &step)
		}
		near(t, "effect", r.Effect.Value, theta.AtVec(n-2), 1e-9)
		near(t, "covariate", r.Covariates[0].Estimate.Value, theta.AtVec(n-1), 1e-9)
		sums := mat.NewDense(units/2, n, nil)
		for i, u := range p.Unit {
			row := sums.RawRowView(u / 2)
			for k, x := range scores.RawRowView(i) {
				row[k] += x
			}
		}
		var pull mat.Dense
		pull.Mul(sums, &inverse)
		factor := 20.0 / 19 * float64(len(p.Y)-1) / float64(len(p.Y)-2-9)
		for k, e := range []did.Estimate{r.Effect, r.Covariates[0].Estimate} {
			column := mat.Col(nil, n-2+k, &pull)
			var squares float64
			for _, x := range column {
				squares += x * x
			}
			near(t, "standard error", e.SE, math.Sqrt(factor*squares), 1e-9)
		}
	}
}

// TestPoissonInvariance changes counts and exposures in ways that must not
// change the ratio.
func TestPoissonInvariance(t *testing.T) {
	p, exposure := eventful(4, 0.85)
	answer := func(q did.Panel, exposure []float64) []did.Estimate {
		t.Helper()
		r, err := did.PoissonRatio(q, did.PoissonOptions{Exposure: exposure})
		if err != nil {
			t.Fatal(err)
		}
		return []did.Estimate{r.Effect, r.Covariates[0].Estimate}
	}
	want := answer(p, exposure)
	for _, factor := range []float64{1e-9, 1e12} {
		q := changed(p, func(i int) float64 { return factor * p.Y[i] })
		same(t, "other units of counts", answer(q, exposure), want, 1)
	}
	byUnit, byPeriod := make([]float64, len(exposure)), make([]float64, len(exposure))
	for i, e := range exposure {
		byUnit[i] = e * math.Pow(10, float64(p.Unit[i]%5))
		byPeriod[i] = e * math.Exp(float64(p.Time[i]))
	}
	same(t, "exposure by unit", answer(p, byUnit), want, 1)
	same(t, "exposure by period", answer(p, byPeriod), want, 1)
	wide := p
	wide.X = [][]float64{p.X[0], exposure}
	q := shuffledWide(wide)
	shuffled := q.X[1]
	q.X = q.X[:1]
	same(t, "other order and names", answer(q, shuffled), want, 1)
	moved := p
	moved.X = [][]float64{apply(p.X[0], func(x float64) float64 { return 1e5 - x })}
	got := answer(moved, exposure)
	same(t, "covariate turned round", got[:1], want[:1], 1)
	near(t, "covariate turned round", got[1].Value, -want[1].Value, 1e-8)
}

// TestPoissonRefusals names what is refused, and what has no error.
func TestPoissonRefusals(t *testing.T) {
	good := grid([]int{2, 2, 3, did.Never, did.Never}, 5)
	none := grid([]int{2, 2, 3, did.Never, did.Never}, 5)
	for i := range none.Y {
		none.Y[i] = 0
	}
	after := grid([]int{2, 2, did.Never, did.Never}, 5)
	before := grid([]int{2, 2, did.Never, did.Never}, 5)
	for i, u := range after.Unit {
		after.Y[i], before.Y[i] = float64(1+i%3), float64(1+i%3)
		if u < 2 {
			if after.Time[i] >= 2 {
				before.Y[i] = 0
			} else {
				after.Y[i] = 0
			}
		}
	}
	negative := grid([]int{2, 2, 3, did.Never, did.Never}, 5)
	negative.Y[3] = -1
	for _, c := range []struct {
		name  string
		panel did.Panel
		o     did.PoissonOptions
		code  did.ErrorCode
	}{
		{"Good", good, did.PoissonOptions{}, ""},
		{"NoRows", did.Panel{}, did.PoissonOptions{}, did.ErrTooFewUnits},
		{"NoEvents", none, did.PoissonOptions{}, did.ErrZeroVariance},
		{"NoneTreated", grid([]int{did.Never, did.Never}, 5), did.PoissonOptions{}, did.ErrNoTreated},
		{"AllTreatedAtOnce", grid([]int{2, 2, 2}, 5), did.PoissonOptions{}, did.ErrNotIdentified},
		{"EventsAfterOnly", after, did.PoissonOptions{}, did.ErrNotIdentified},
		{"EventsBeforeOnly", before, did.PoissonOptions{}, did.ErrNotIdentified},
		{"Negative", negative, did.PoissonOptions{}, did.ErrOption},
		{"Exposure", good, did.PoissonOptions{Exposure: make([]float64, len(good.Y))}, did.ErrOption},
		{"ShortExposure", good, did.PoissonOptions{Exposure: []float64{1}}, did.ErrShape},
		{"Clusters", good, did.PoissonOptions{Cluster: []int{1}}, did.ErrShape},
		{"Level", good, did.PoissonOptions{Level: 2}, did.ErrOption},
		{"Duplicate", duplicated(grid([]int{2, 2, 3, did.Never}, 5)), did.PoissonOptions{}, did.ErrDuplicate},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := did.PoissonRatio(c.panel, c.o)
			wantCode(t, "PoissonRatio", err, c.code)
			checkAnswer(t, "PoissonRatio", r, err)
		})
	}
	one, err := did.PoissonRatio(grid([]int{2, did.Never, did.Never}, 5), did.PoissonOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if one.Refusal == "" || one.Effect.HasSE || one.Ratio.Low != 0 {
		t.Errorf("one treated unit has an error: %+v", one)
	}
	exact := changed(good, func(i int) float64 {
		y := float64(1+good.Unit[i]) * float64(1+good.Time[i])
		if good.Time[i] >= good.First[good.Unit[i]] {
			y *= 3
		}
		return y
	})
	r, err := did.PoissonRatio(exact, did.PoissonOptions{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "ratio without noise", r.Ratio.Value, 3, 1e-9)
	if r.Effect.HasSE || r.Refusal == "" {
		t.Errorf("a ratio without noise has an error: %+v", r.Effect)
	}
}

// FuzzPoisson feeds counts, exposures and covariates of every shape.
func FuzzPoisson(f *testing.F) {
	f.Add([]byte{3, 2, 9, 9, 0, 0, 10, 0, 1, 12, 0, 2, 14, 1, 0, 9, 1, 1, 9, 1, 2, 8, 2, 0, 1, 2, 1, 2, 2, 2, 4}, uint8(0))
	f.Add([]byte{2, 1, 9, 0, 0, 0, 0, 1, 5, 1, 0, 5, 1, 1, 5}, uint8(1))
	f.Add([]byte{4, 1, 1, 9, 9, 0, 0, 3, 0, 1, 0, 1, 0, 3, 1, 1, 0, 2, 0, 9, 2, 1, 3, 3, 0, 252, 3, 1, 2}, uint8(14))
	f.Fuzz(func(t *testing.T, data []byte, options uint8) {
		if len(data) == 0 || len(data) > 400 {
			return
		}
		p := panelOf(data)
		r := rand.New(rand.NewPCG(uint64(len(data)), uint64(options)))
		o := did.PoissonOptions{FewTreated: options&1 == 1, Repeats: options&16 == 16}
		for range p.Y {
			if options&2 == 2 {
				o.Exposure = append(o.Exposure, math.Exp(10*r.NormFloat64()))
			}
			if options&4 == 4 {
				p.Weight = append(p.Weight, math.Exp(5*r.NormFloat64()))
			}
		}
		if options&8 == 8 {
			p.X = [][]float64{make([]float64, len(p.Y))}
			for i := range p.Y {
				p.X[0][i] = 1e6 * math.Floor(3*r.NormFloat64())
			}
		}
		result, err := did.PoissonRatio(p, o)
		checkAnswer(t, "PoissonRatio", result, err)
	})
}
