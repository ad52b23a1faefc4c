package did_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"steelyard/metrics/did"
)

// TestImputeAgainstDummies compares the imputation with the same estimator
// written out plainly: a dummy for each unit and period, least squares by QR,
// weights as a matrix product.
func TestImputeAgainstDummies(t *testing.T) {
	for seed := range uint64(4) {
		p := random(seed, 0.93)
		r, err := did.Impute(p, did.ImputationOptions{})
		if err != nil {
			t.Fatal(err)
		}
		value, se := dummies(t, p)
		near(t, "effect", r.Static.Value, value, 1e-10)
		near(t, "standard error", r.Static.SE, se, 1e-10)
	}
}

func dummies(t *testing.T, p did.Panel) (value, se float64) {
	t.Helper()
	untreated := make([]int, len(p.First))
	for i, u := range p.Unit {
		if p.Time[i] < p.First[u] {
			untreated[u]++
		}
	}
	const periods = 9
	columns := len(p.First) + periods - 1
	dummy := func(i int) []float64 {
		row := make([]float64, columns)
		row[p.Unit[i]] = 1
		if p.Time[i] > 0 {
			row[len(p.First)+p.Time[i]-1] = 1
		}
		return row
	}
	var first, second []int // rows
	for i, u := range p.Unit {
		switch {
		case untreated[u] < 2:
			t.Fatalf("unit %d has too few untreated rows for this comparison", u)
		case p.Time[i] < p.First[u]:
			first = append(first, i)
		default:
			second = append(second, i)
		}
	}
	x := mat.NewDense(len(first), columns, nil)
	y := mat.NewVecDense(len(first), nil)
	for k, i := range first {
		x.SetRow(k, dummy(i))
		y.SetVec(k, p.Y[i])
	}
	var qr mat.QR
	qr.Factorize(x)
	var beta, weights mat.VecDense
	if err := qr.SolveVecTo(&beta, false, y); err != nil {
		t.Fatal(err)
	}
	target := mat.NewVecDense(columns, nil) // Z₁'w
	effects := make([]float64, len(second))
	type cell struct{ cohort, time int }
	mean, count := map[cell]float64{}, map[cell]float64{}
	n := float64(len(second))
	for k, i := range second {
		z := mat.NewVecDense(columns, dummy(i))
		effects[k] = p.Y[i] - mat.Dot(z, &beta)
		value += effects[k] / n
		target.AddScaledVec(target, 1/n, z)
		c := cell{p.First[p.Unit[i]], p.Time[i]}
		mean[c] += effects[k]
		count[c]++
	}
	// Z₀(Z₀'Z₀)⁻¹Z₁'w is the least-norm solution of Z₀'v = Z₁'w.
	if err := qr.SolveVecTo(&weights, true, target); err != nil {
		t.Fatal(err)
	}
	sums := make([]float64, len(p.First))
	for k, i := range first {
		e := p.Y[i] - mat.Dot(x.RowView(k), &beta)
		sums[p.Unit[i]] -= weights.AtVec(k) * e
	}
	for k, i := range second {
		c := cell{p.First[p.Unit[i]], p.Time[i]}
		sums[p.Unit[i]] += (effects[k] - mean[c]/count[c]) / n
	}
	for _, s := range sums {
		se += s * s
	}
	return value, math.Sqrt(se)
}

// TestLeftOutRowsOfTheEditorPanel: 1,080 and 374 of 4,409 treated rows have no
// or exactly one untreated row beside them.
func TestLeftOutRowsOfTheEditorPanel(t *testing.T) {
	r, err := did.Impute(editor(t, "commits"), did.ImputationOptions{})
	if err != nil {
		t.Fatal(err)
	}
	treated := r.TreatedRows
	for _, d := range r.Dropped {
		treated += d.TreatedRows
		want := 0
		switch {
		case strings.Contains(d.Reason, "no untreated row"):
			want = 1080
		case strings.Contains(d.Reason, "exactly one untreated row"):
			want = 374
		}
		if d.TreatedRows != want {
			t.Errorf("%d treated rows left out because %s, want %d", d.TreatedRows, d.Reason, want)
		}
	}
	if treated != 4409 || len(r.Dropped) != 3 {
		t.Errorf("%d treated rows in all, dropped %+v", treated, r.Dropped)
	}
}

// TestSingletonsFollow: leaving out one row can leave another alone.
func TestSingletonsFollow(t *testing.T) {
	var b builder
	for time := range 6 {
		b.add("kept", time, 4, float64(time*time))
		b.add("comparison", time, did.Never, float64(time%3))
		b.add("other", time, did.Never, float64(time%4))
	}
	b.add("late", 6, did.Never, 3) // alone in period 6
	b.add("late", 5, did.Never, 2) // and then alone of its unit
	r, err := did.Impute(b.panel, did.ImputationOptions{Horizons: true})
	checkAnswer(t, "Impute", r, err)
	var rows int
	for _, d := range r.Dropped {
		rows += d.Rows
	}
	if rows != 2 || r.UsedUnits != 3 || r.TreatedRows != 2 || r.UsedRows != 18 {
		t.Errorf("got %+v", r)
	}
}

// TestUnconnectedPeriods: a treated row is imputed only where comparisons
// connect its period with its unit's own untreated rows.
func TestUnconnectedPeriods(t *testing.T) {
	var b builder
	for time := range 3 {
		b.add("treated", time, 2, float64(time*time))
		b.add("early", time, did.Never, float64(time%2))
		b.add("earlier", time, did.Never, float64(time%3))
	}
	b.add("treated", 6, 2, 9)
	for time := 5; time < 9; time++ { // seen later only: never beside the early ones
		b.add("late", time, did.Never, float64(time%3))
		b.add("later", time, did.Never, float64(time%2))
	}
	r, err := did.Impute(b.panel, did.ImputationOptions{Horizons: true})
	checkAnswer(t, "Impute", r, err)
	if r.TreatedRows != 1 || r.Horizons[len(r.Horizons)-1].Missing == "" {
		t.Errorf("got %+v", r)
	}
	for _, d := range r.Dropped {
		if strings.Contains(d.Reason, "connects") && d.TreatedRows == 1 {
			return
		}
	}
	t.Errorf("the row is not counted: %+v", r.Dropped)
}
