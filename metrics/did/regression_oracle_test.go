package did_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"steelyard/metrics/did"
)

// rich is a random panel with gaps, two covariates, weights and clusters of
// two units.
func rich(seed uint64, weighted bool) (p did.Panel, cluster []int) {
	r := rand.New(rand.NewPCG(seed, 21))
	starts := []int{did.Never, 3, did.Never, 3, 4, did.Never, 5}
	const units = 14
	p.X = make([][]float64, 2)
	for u := range units {
		p.First = append(p.First, starts[u%len(starts)])
		cluster = append(cluster, 100-u/2)
		level := 3 * r.NormFloat64()
		for time := range 7 {
			x, z := r.NormFloat64()+0.3*float64(time), r.Float64()*float64(u)
			y := level + 0.2*float64(time*time) + 0.7*x - 0.4*z + r.NormFloat64()
			if time >= p.First[u] {
				y += 1
			}
			if r.Float64() > 0.85 && time > 1 { // two rows before every start
				continue
			}
			p.Unit = append(p.Unit, u)
			p.Time = append(p.Time, time)
			p.Y = append(p.Y, y)
			p.X[0] = append(p.X[0], x)
			p.X[1] = append(p.X[1], z)
			if weighted {
				p.Weight = append(p.Weight, 0.5+r.Float64())
			}
		}
	}
	return p, cluster
}

// dense is a weighted regression written out: all dummies, every matrix.
type dense struct {
	x        *mat.Dense // times the root of the weights
	y        *mat.VecDense
	inverse  *mat.Dense
	beta     *mat.VecDense
	residual *mat.VecDense
}

// newDense regresses y on columns; rows are scaled by the root of weight.
func newDense(t testing.TB, rows [][]float64, y, weight []float64) *dense {
	t.Helper()
	n, k := len(rows), len(rows[0])
	d := &dense{x: mat.NewDense(n, k, nil), y: mat.NewVecDense(n, nil)}
	for i, row := range rows {
		root := 1.0
		if weight != nil {
			root = math.Sqrt(weight[i])
		}
		for j, x := range row {
			d.x.Set(i, j, root*x)
		}
		d.y.SetVec(i, root*y[i])
	}
	var gram, inverse mat.Dense
	gram.Mul(d.x.T(), d.x)
	if err := inverse.Inverse(&gram); err != nil {
		t.Fatal(err)
	}
	d.inverse = &inverse
	d.fit()
	return d
}

func (d *dense) fit() {
	var right, beta, residual mat.VecDense
	right.MulVec(d.x.T(), d.y)
	beta.MulVec(d.inverse, &right)
	residual.MulVec(d.x, &beta)
	residual.SubVec(d.y, &residual)
	d.beta, d.residual = &beta, &residual
}

// influence is row i's on coefficient k.
func (d *dense) influence(k, i int) float64 {
	return mat.Dot(d.inverse.RowView(k), d.x.RowView(i))
}

// dummyRows writes out treatment, covariates, and unit and period dummies.
func dummyRows(p did.Panel) [][]float64 {
	const periods = 7
	units := len(p.First)
	var rows [][]float64
	for i, u := range p.Unit {
		row := make([]float64, 1+len(p.X)+units+periods-1)
		if p.Time[i] >= p.First[u] {
			row[0] = 1
		}
		for k := range p.X {
			row[1+k] = p.X[k][i]
		}
		row[1+len(p.X)+u] = 1
		if p.Time[i] > 0 {
			row[len(p.X)+units+p.Time[i]] = 1
		}
		rows = append(rows, row)
	}
	return rows
}

// clusterRows are the rows of each cluster.
func clusterRows(p did.Panel, cluster []int) [][]int {
	number := map[int]int{}
	var out [][]int
	for i, u := range p.Unit {
		g, ok := number[cluster[u]]
		if !ok {
			g = len(out)
			number[cluster[u]] = g
			out = append(out, nil)
		}
		out[g] = append(out[g], i)
	}
	return out
}

// bellMcCaffrey is CR2 of coefficient k with its degrees of freedom, by the
// formulas as they stand.
func (d *dense) bellMcCaffrey(k int, groups [][]int) (se, df float64) {
	n, _ := d.x.Dims()
	var hat mat.Dense
	hat.Product(d.x, d.inverse, d.x.T())
	left := mat.NewDense(n, n, nil) // I − H
	for i := range n {
		for j := range n {
			left.Set(i, j, -hat.At(i, j))
		}
		left.Set(i, i, 1-hat.At(i, i))
	}
	directions := mat.NewDense(n, len(groups), nil)
	var variance float64
	for g, rows := range groups {
		m := len(rows)
		part := mat.NewSymDense(m, nil)
		for a, i := range rows {
			for b := a; b < m; b++ {
				part.SetSym(a, b, left.At(i, rows[b]))
			}
		}
		var eigen mat.EigenSym
		eigen.Factorize(part, true)
		var vectors mat.Dense
		eigen.VectorsTo(&vectors)
		root := mat.NewDense(m, m, nil)
		for c, v := range eigen.Values(nil) {
			if v < 1e-10 {
				continue
			}
			for a := range m {
				for b := range m {
					root.Set(a, b, root.At(a, b)+vectors.At(a, c)*vectors.At(b, c)/math.Sqrt(v))
				}
			}
		}
		var score float64
		for a, i := range rows {
			var v float64 // A·X(X'X)⁻¹ of row i
			for b, j := range rows {
				v += root.At(a, b) * d.influence(k, j)
			}
			score += v * d.residual.AtVec(i)
			for j := range n {
				directions.Set(j, g, directions.At(j, g)+left.At(j, i)*v)
			}
		}
		variance += score * score
	}
	var omega mat.Dense
	omega.Mul(directions.T(), directions)
	var trace, squares float64
	for a := range groups {
		trace += omega.At(a, a)
		for b := range groups {
			squares += omega.At(a, b) * omega.At(a, b)
		}
	}
	return math.Sqrt(variance), trace * trace / squares
}

// TestFixedEffectsAgainstDummies compares every covariance with the regression
// written out with all dummies.
func TestFixedEffectsAgainstDummies(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		p, cluster := rich(3, weighted)
		d := newDense(t, dummyRows(p), p.Y, p.Weight)
		groups := clusterRows(p, cluster)
		n := float64(len(p.Y))
		_, columns := d.x.Dims()
		left := n - float64(columns)
		robust := func(power float64) float64 {
			var sum float64
			for i := range p.Y {
				leverage := mat.Inner(d.x.RowView(i), d.inverse, d.x.RowView(i))
				v := d.influence(0, i) * d.residual.AtVec(i)
				sum += v * v / math.Pow(1-leverage, power)
			}
			return sum
		}
		var clustered float64
		for _, rows := range groups {
			var score float64
			for _, i := range rows {
				score += d.influence(0, i) * d.residual.AtVec(i)
			}
			clustered += score * score
		}
		g := float64(len(groups))
		nested := float64(3 + 7) // coefficients and periods
		sigma := mat.Dot(d.residual, d.residual) / left
		cr2, df := d.bellMcCaffrey(0, groups)
		for _, c := range []struct {
			name string
			kind did.Covariance
			se   float64
			df   float64
		}{
			{"homoskedastic", did.Homoskedastic, math.Sqrt(sigma * d.inverse.At(0, 0)), left},
			{"HC1", did.HC1, math.Sqrt(robust(0) * n / left), left},
			{"HC2", did.HC2, math.Sqrt(robust(1)), left},
			{"HC3", did.HC3, math.Sqrt(robust(2)), left},
			{"CR1", did.CR1, math.Sqrt(clustered * g / (g - 1) * (n - 1) / (n - nested)), g - 1},
			{"CR2", did.CR2, cr2, df},
		} {
			r := fixedEffects(t, p, did.FixedEffectsOptions{Covariance: c.kind, Cluster: cluster})
			near(t, "effect", r.Effect.Value, d.beta.AtVec(0), 1e-10)
			near(t, "covariate", r.Covariates[1].Estimate.Value, d.beta.AtVec(2), 1e-10)
			near(t, c.name, r.Effect.SE, c.se, 1e-9)
			near(t, c.name+" degrees of freedom", r.Effect.DF, c.df, 1e-8)
		}
	}
}

// TestEventStudyAgainstDummies writes out the dummies of an event study with
// both ends binned.
func TestEventStudyAgainstDummies(t *testing.T) {
	p, cluster := rich(23, true)
	events := []int{-3, -2, 0, 1}
	rows := dummyRows(p)
	for i, row := range rows {
		dummies := make([]float64, len(events))
		if first := p.First[p.Unit[i]]; first != did.Never {
			if k := slices.Index(events, min(1, max(-3, p.Time[i]-first))); k >= 0 {
				dummies[k] = 1
			}
		}
		rows[i] = append(dummies, row[1:]...)
	}
	d := newDense(t, rows, p.Y, p.Weight)
	groups := clusterRows(p, cluster)
	n, g := float64(len(p.Y)), float64(len(groups))
	covariance := mat.NewDense(len(events), len(events), nil)
	for _, rows := range groups {
		scores := make([]float64, len(events))
		for k := range scores {
			for _, i := range rows {
				scores[k] += d.influence(k, i) * d.residual.AtVec(i)
			}
		}
		for a := range scores {
			for b := range scores {
				covariance.Set(a, b, covariance.At(a, b)+scores[a]*scores[b])
			}
		}
	}
	covariance.Scale(g/(g-1)*(n-1)/(n-float64(len(events)+2+7)), covariance)
	r := eventStudy(t, p, did.EventStudyOptions{FixedEffectsOptions: did.FixedEffectsOptions{Cluster: cluster}, First: -3, Last: 1})
	got, beta, v := r.Vector()
	if !slices.Equal(got, events) {
		t.Fatalf("events %v, want %v", got, events)
	}
	for a := range events {
		near(t, "point", beta[a], d.beta.AtVec(a), 1e-10)
		for b := range events {
			near(t, "covariance", v[a][b], covariance.At(a, b), 1e-9)
		}
	}
	// F = b'V⁻¹b/2 of the two points before the start.
	v00, v01, v11 := covariance.At(0, 0), covariance.At(0, 1), covariance.At(1, 1)
	b0, b1 := d.beta.AtVec(0), d.beta.AtVec(1)
	near(t, "F", r.PreTest.Statistic, (b0*b0*v11-2*b0*b1*v01+b1*b1*v00)/(v00*v11-v01*v01)/2, 1e-9)
	if r.PreTest.DF != 2 || r.PreTest.DF2 != g-1 {
		t.Errorf("F(%v, %v), want F(2, %v)", r.PreTest.DF, r.PreTest.DF2, g-1)
	}
}

// TestCR2IsUnbiased: where rows are independent and equally noisy, its mean over
// many draws is the variance; CR1's is too small.
func TestCR2IsUnbiased(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	p := grid([]int{3, 3, 3, did.Never, did.Never, did.Never, did.Never, did.Never}, 6)
	const draws = 1500
	var variance, cr1, cr2 float64
	for range draws {
		q := changed(p, func(int) float64 { return r.NormFloat64() })
		e := fixedEffects(t, q, did.FixedEffectsOptions{Covariance: did.CR2}).Effect
		variance += e.Value * e.Value / draws
		cr2 += e.SE * e.SE / draws
		e = fixedEffects(t, q, did.FixedEffectsOptions{}).Effect
		cr1 += e.SE * e.SE / draws
	}
	if math.Abs(cr2/variance-1) > 0.1 {
		t.Errorf("mean of CR2 %v, variance %v", cr2, variance)
	}
	if cr1 > 0.95*cr2 {
		t.Errorf("mean of CR1 %v is not under CR2's %v", cr1, cr2)
	}
}

// TestWildAgainstRegressions runs every draw as a regression with all dummies.
func TestWildAgainstRegressions(t *testing.T) {
	for _, c := range []struct {
		name         string
		weighted     bool
		unrestricted bool
		null         float64
		weights      did.WildWeights
	}{
		{"restricted", false, false, 0, did.Rademacher},
		{"weights", true, false, 0, did.Rademacher},
		{"null", true, false, 0.8, did.Rademacher},
		{"unrestricted", true, true, 0.4, did.Rademacher},
		{"mammen", false, false, 0.2, did.Mammen},
		{"webb", true, false, 0, did.Webb},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, cluster := rich(5, c.weighted)
			if c.weights == did.Webb { // fewer clusters, more draws
				for u := range cluster {
					cluster[u] = u % 4
				}
			}
			groups := clusterRows(p, cluster)
			full := newDense(t, dummyRows(p), p.Y, p.Weight)
			statistic := func(d *dense, null float64) float64 {
				var squares float64
				for _, rows := range groups {
					var score float64
					for _, i := range rows {
						score += d.influence(0, i) * d.residual.AtVec(i)
					}
					squares += score * score
				}
				return (d.beta.AtVec(0) - null) / math.Sqrt(squares)
			}
			observed := math.Abs(statistic(full, c.null))
			// The regression that draws start from, in rows times the root of
			// their weights.
			base := *full
			centre := c.null
			if c.unrestricted {
				centre = base.beta.AtVec(0)
			} else {
				rest := make([][]float64, len(p.Y))
				y := make([]float64, len(p.Y))
				for i, row := range dummyRows(p) {
					rest[i] = row[1:]
					y[i] = p.Y[i] - c.null*row[0]
				}
				base.residual = newDense(t, rest, y, p.Weight).residual
			}
			var values, chances []float64
			switch c.weights {
			default:
				values, chances = []float64{-1, 1}, []float64{0.5, 0.5}
			case did.Mammen:
				root := math.Sqrt(5)
				values = []float64{(1 - root) / 2, (1 + root) / 2}
				chances = []float64{(root + 1) / (2 * root), (root - 1) / (2 * root)}
			case did.Webb:
				values = []float64{-math.Sqrt(1.5), -1, -math.Sqrt(0.5), math.Sqrt(0.5), 1, math.Sqrt(1.5)}
				chances = slices.Repeat([]float64{1. / 6}, 6)
			}
			draws := 1
			for range groups {
				draws *= len(values)
			}
			var strict, ties float64
			y := mat.NewVecDense(len(p.Y), nil)
			for draw := range draws {
				weight, rest := 1.0, draw
				for _, rows := range groups {
					k := rest % len(values)
					rest /= len(values)
					weight *= chances[k]
					for _, i := range rows {
						y.SetVec(i, full.y.AtVec(i)+(values[k]-1)*base.residual.AtVec(i))
					}
				}
				d := &dense{x: full.x, inverse: full.inverse, y: y}
				d.fit()
				s := math.Abs(statistic(d, centre))
				if s > observed*(1+1e-9) {
					strict += weight
				}
				if s > observed*(1-1e-9) {
					ties += weight
				}
			}
			w, err := did.WildBootstrap(p, did.WildOptions{Cluster: cluster, Unrestricted: c.unrestricted, Null: c.null, Weights: c.weights})
			must(t, err)
			if !w.Enumerated || w.Draws != draws {
				t.Errorf("%d draws, enumerated %v; there are %d", w.Draws, w.Enumerated, draws)
			}
			near(t, "strict p", w.StrictP, strict, 1e-10)
			near(t, "p with ties", w.TiesP, ties, 1e-10)
			inside, err := did.WildBootstrap(p, did.WildOptions{Cluster: cluster, Unrestricted: c.unrestricted, Null: w.Low + 1e-6, Weights: c.weights})
			must(t, err)
			outside, err := did.WildBootstrap(p, did.WildOptions{Cluster: cluster, Unrestricted: c.unrestricted, Null: w.Low - 1e-6, Weights: c.weights})
			must(t, err)
			if inside.P < 0.05 || outside.P >= 0.05 {
				t.Errorf("p is %v just inside the interval's low end, %v just outside", inside.P, outside.P)
			}
		})
	}
}

// TestImputeWithCovariatesAgainstDummies writes out weighted imputation with
// covariates: all dummies, weights as a matrix product.
func TestImputeWithCovariatesAgainstDummies(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		p, cluster := rich(11, weighted)
		weight := func(i int) float64 {
			if weighted {
				return p.Weight[i]
			}
			return 1
		}
		var rows, treated [][]float64
		var y, w []float64
		var untreatedRows, treatedRows []int
		for i, row := range dummyRows(p) {
			if row[0] == 1 {
				treated, treatedRows = append(treated, row[1:]), append(treatedRows, i)
				continue
			}
			rows, y, w = append(rows, row[1:]), append(y, p.Y[i]), append(w, weight(i))
			untreatedRows = append(untreatedRows, i)
		}
		d := newDense(t, rows, y, w)
		k := len(rows[0])
		target := mat.NewVecDense(k, nil)
		effects := make([]float64, len(treated))
		type cell struct{ cohort, time int }
		sum, count := map[cell]float64{}, map[cell]float64{}
		var total, value float64
		for _, i := range treatedRows {
			total += weight(i)
		}
		for a, i := range treatedRows {
			z := mat.NewVecDense(k, treated[a])
			effects[a] = p.Y[i] - mat.Dot(z, d.beta)
			value += weight(i) / total * effects[a]
			target.AddScaledVec(target, weight(i)/total, z)
			c := cell{p.First[p.Unit[i]], p.Time[i]}
			sum[c] += weight(i) * weight(i) * effects[a]
			count[c] += weight(i) * weight(i)
		}
		var solved mat.VecDense
		solved.MulVec(d.inverse, target)
		scores := map[int]float64{}
		for a, i := range untreatedRows {
			v := mat.Dot(mat.NewVecDense(k, rows[a]), &solved) * w[a]
			scores[cluster[p.Unit[i]]] -= v * d.residual.AtVec(a) / math.Sqrt(w[a])
		}
		for a, i := range treatedRows {
			c := cell{p.First[p.Unit[i]], p.Time[i]}
			scores[cluster[p.Unit[i]]] += weight(i) / total * (effects[a] - sum[c]/count[c])
		}
		var squares float64
		for _, s := range scores {
			squares += s * s
		}
		r, err := did.Impute(p, did.ImputationOptions{Cluster: cluster})
		must(t, err)
		near(t, "effect", r.Static.Value, value, 1e-9)
		near(t, "standard error", r.Static.SE, math.Sqrt(squares), 1e-9)
	}
}

// TestSunAbrahamIsGroupTime: without gaps, covariates and weights, cohorts and
// events are group-time effects against the period before the start.
func TestSunAbrahamIsGroupTime(t *testing.T) {
	p := random(9, 1)
	r, err := did.SunAbraham(p, did.SunAbrahamOptions{})
	must(t, err)
	g, err := did.CallawaySantAnna(p, did.GroupTimeOptions{Base: did.Universal})
	must(t, err)
	simple, err := g.Simple()
	must(t, err)
	near(t, "ATT", r.ATT.Value, simple.Estimate.Value, 1e-11)
	d, err := g.Dynamic(-100, 100)
	must(t, err)
	if len(d.Points) != len(r.Events) {
		t.Fatalf("%d events, want %d", len(r.Events), len(d.Points))
	}
	for i, e := range r.Events {
		near(t, "event", e.Estimate.Value, d.Points[i].Estimate.Value, 1e-11)
		if e.Units != d.Points[i].Units && !e.Reference {
			t.Errorf("event %d: %d units, want %d", e.Event, e.Units, d.Points[i].Units)
		}
	}
	group, err := g.Group()
	must(t, err)
	for i, e := range r.Cohorts {
		near(t, "cohort", e.Estimate.Value, group.Points[i].Estimate.Value, 1e-11)
	}
}

// TestTwoStageIsImputation where no unit has a single untreated row.
func TestTwoStageIsImputation(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		p, cluster := rich(13, weighted)
		r, err := did.TwoStage(p, did.TwoStageOptions{Cluster: cluster})
		must(t, err)
		im, err := did.Impute(p, did.ImputationOptions{Cluster: cluster})
		must(t, err)
		near(t, "effect", r.Static.Value, im.Static.Value, 1e-12)
		if r.Static.SE <= im.Static.SE {
			t.Errorf("its standard error %v takes effects for noise, and is not over imputation's %v", r.Static.SE, im.Static.SE)
		}
	}
}

// TestByPeriodIsInteraction compares covariates by period with the columns
// written out.
func TestByPeriodIsInteraction(t *testing.T) {
	p, cluster := rich(17, true)
	p.X = p.X[:1]
	got := fixedEffects(t, p, did.FixedEffectsOptions{Cluster: cluster, ByPeriod: true})
	q := p
	q.X = nil
	for period := 1; period < 7; period++ {
		column := make([]float64, len(p.Y))
		for i, x := range p.X[0] {
			if p.Time[i] == period {
				column[i] = x
			}
		}
		q.X = append(q.X, column)
	}
	want := fixedEffects(t, q, did.FixedEffectsOptions{Cluster: cluster})
	if got.Effect != want.Effect {
		t.Errorf("got %+v, want %+v", got.Effect, want.Effect)
	}
	for k, c := range got.Covariates {
		if !c.HasPeriod || c.Period != k+1 || c.Estimate != want.Covariates[k].Estimate {
			t.Errorf("coefficient %d: %+v", k, c)
		}
	}
}

// TestMedianRegression compares with all planes through as many rows as there
// are coefficients.
func TestMedianRegression(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, q := range []float64{0.25, 0.5, 0.9} {
		const n = 25
		y, x := make([]float64, n), make([]float64, n)
		for i := range y {
			x[i] = float64(r.IntN(6))
			y[i] = 1 + 2*x[i] + float64(r.IntN(9)) // many ties
		}
		loss := func(a, b float64) float64 {
			var sum float64
			for i := range y {
				e := y[i] - a - b*x[i]
				sum += max(q*e, (q-1)*e)
			}
			return sum
		}
		best := math.Inf(1)
		for i := range n {
			for j := range i {
				if x[i] != x[j] {
					b := (y[i] - y[j]) / (x[i] - x[j])
					best = min(best, loss(y[i]-b*x[i], b))
				}
			}
		}
		beta, err := did.QuantileRegression(y, [][]float64{x}, q)
		must(t, err)
		near(t, "loss", loss(beta[0], beta[1]), best, 1e-12)
	}
}
