package did

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// QuantileDiDOptions are the choices of [QuantileDiD].
type QuantileDiDOptions struct {
	// Quantile is the share of rows below; 0 means 0.5, the median.
	Quantile float64
	// Level of confidence; 0 means 0.95.
	Level float64
	// Cluster[u] is the cluster of unit u, parallel to [Panel.First], any
	// integers; nil means that each unit is its own.
	Cluster []int
	// FewTreated asks for a clustered error even with one cluster on a side;
	// see [FixedEffectsOptions].
	FewTreated bool
}

// CellQuantile is the quantile of the rows of one side before or after the
// start.
type CellQuantile struct {
	Value float64
	Rows  int
}

// QuantileEffect is the answer of [QuantileDiD].
type QuantileEffect struct {
	TreatedBefore, TreatedAfter, ComparisonBefore, ComparisonAfter CellQuantile
	// Independent and Clustered are the same effect with two standard errors:
	// rows that know nothing of each other, and rows of a cluster that may.
	Independent, Clustered Estimate
	// Covariates are the coefficients of the covariates, rows independent; nil
	// without covariates.
	Covariates []Estimate
	// Refusal says why neither has a standard error, or why Clustered has none
	// where one would mislead; empty where both have one.
	Refusal string
}

// QuantileDiD is the difference in differences of quantiles: of the rows of
// units that start and of units that do not, before and after the one start. A
// unit may have many rows a period, such as its pull requests. Where a share of
// exactly q of the rows lies below two values, their middle is taken, as in the
// ordinary median.
//
// With covariates it is the coefficient of treated·after in the quantile
// regression ([QuantileRegression]) beside treated and after. Errors are those
// of Hendricks and Koenker (1992) with the bandwidth of Hall and Sheather
// (1988), R's quantreg with se = "nid", and N − K degrees of freedom; clustered
// ones put sums over clusters into the same sandwich (Parente and Santos Silva
// 2016), with G/(G − 1) and G − 1 degrees of freedom.
//
// It compares quantiles of single rows. What it says of the units is only as
// sure as they are many.
func QuantileDiD(p Panel, o QuantileDiDOptions) (*QuantileEffect, error) {
	m, err := newQuantileDiD(p, o)
	if err != nil {
		return nil, err
	}
	beta, err := m.coefficients(m.q)
	if err != nil {
		return nil, err
	}
	out := m.cells()
	out.Independent = Estimate{Value: beta[interaction]}
	for _, b := range beta[interaction+1:] {
		out.Covariates = append(out.Covariates, Estimate{Value: b})
	}
	out.Clustered = out.Independent
	bread, reason := m.bread()
	if reason != "" {
		out.Refusal = reason
		return out, nil
	}
	m.independent(out, bread)
	m.clustered(out, bread, beta, o.FewTreated)
	return out, nil
}

// interaction is the index of treated·after among the coefficients; the
// constant, treated and after come before it, covariates after.
const interaction = 3

// quantileDiD holds one run.
type quantileDiD struct {
	twoByTwo
	q       float64
	columns [][]float64 // by coefficient but the constant
	byCell  [4][]float64
}

func newQuantileDiD(p Panel, o QuantileDiDOptions) (*quantileDiD, error) {
	m := &quantileDiD{q: o.Quantile}
	if m.q == 0 {
		m.q = 0.5
	}
	if !(m.q > 0 && m.q < 1) {
		return nil, refuse(ErrOption, "quantile %v: give a number between 0 and 1, such as 0.5", o.Quantile)
	}
	var err error
	if m.level, err = checkLevel(o.Level); err != nil {
		return nil, err
	}
	if p.Weight != nil {
		return nil, refuse(ErrOption, "this method takes no weights")
	}
	if m.t, err = readTable(p, true); err != nil {
		return nil, err
	}
	if m.cluster, err = clusters(p, o.Cluster); err != nil {
		return nil, err
	}
	if m.start, err = m.t.oneStart(); err != nil {
		return nil, err
	}
	m.columns = rectangle(interaction, m.t.rows())
	m.each(func(_, i, cell int) {
		m.byCell[cell] = append(m.byCell[cell], m.t.y[i])
		treated, after := float64(cell/2), float64(cell%2)
		m.columns[0][i], m.columns[1][i], m.columns[2][i] = treated, after, treated*after
	})
	m.columns = append(m.columns, m.t.x...)
	if err := checkCells(m.byCell, m.start); err != nil {
		return nil, err
	}
	for c := range m.byCell {
		slices.Sort(m.byCell[c])
	}
	return m, nil
}

// checkCells refuses a design in which one of the four cells has no row; they
// are numbered as in twoByTwo.
func checkCells(cells [4][]float64, start int) error {
	for c, name := range [4]string{"comparison rows before", "comparison rows after", "treated rows before", "treated rows after"} {
		if len(cells[c]) > 0 {
			continue
		}
		code := ErrTooFewPeriods
		if len(cells[0])+len(cells[1]) == 0 {
			code = ErrNoComparison
		}
		return refuse(code, "no %s the start in period %d", name, start)
	}
	return nil
}

func (m *quantileDiD) cells() *QuantileEffect {
	cell := func(c int) CellQuantile {
		return CellQuantile{Value: middleQuantile(m.byCell[c], m.q), Rows: len(m.byCell[c])}
	}
	return &QuantileEffect{
		ComparisonBefore: cell(0), ComparisonAfter: cell(1), TreatedBefore: cell(2), TreatedAfter: cell(3),
	}
}

// middleQuantile is the value below which a share q of sorted lies, or the
// middle of the two such values.
func middleQuantile(sorted []float64, q float64) float64 {
	n := float64(len(sorted))
	at := q * n
	if whole := math.Round(at); math.Abs(at-whole) < 1e-9*n && whole >= 1 && whole < n {
		k := int(whole)
		return sorted[k-1]/2 + sorted[k]/2
	}
	return sorted[min(max(int(math.Ceil(at-1e-9*n)), 1), len(sorted))-1]
}

// coefficients are those of the quantile regression; without covariates they
// follow from the four cells.
func (m *quantileDiD) coefficients(q float64) ([]float64, error) {
	if len(m.t.x) > 0 {
		return QuantileRegression(m.t.y, m.columns, q)
	}
	var v [4]float64
	for c := range v {
		v[c] = middleQuantile(m.byCell[c], q)
	}
	return []float64{v[0], v[2] - v[0], v[1] - v[0], v[3] - v[2] - (v[1] - v[0])}, nil
}

// row writes the columns of row i, the constant first.
func (m *quantileDiD) row(i int, out []float64) {
	out[0] = 1
	for k, column := range m.columns {
		out[k+1] = column[i]
	}
}

// bread is the inverse of Σ f·x·x', f being the density of each row at the
// quantile: how far the fitted quantiles a bandwidth above and below are apart.
func (m *quantileDiD) bread() (inverse *mat.SymDense, reason string) {
	rows := m.t.rows()
	k := len(m.columns) + 1
	if rows <= k {
		return nil, fmt.Sprintf("%d rows are too few for a standard error", rows)
	}
	h := hallSheather(m.q, rows)
	high, err := m.coefficients(m.q + h)
	if err != nil {
		return nil, err.Error()
	}
	low, err := m.coefficients(m.q - h)
	if err != nil {
		return nil, err.Error()
	}
	apart := less(high, low)
	sum := mat.NewSymDense(k, nil)
	x := mat.NewVecDense(k, nil)
	for i := range rows {
		m.row(i, x.RawVector().Data)
		// R's quantreg subtracts this epsilon, so that a row whose quantiles
		// touch or cross counts as none.
		if d := dot(x.RawVector().Data, apart) - densityEpsilon*m.t.scale; d > 0 {
			sum.SymRankOne(sum, 2*h/d, x)
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(sum) || chol.Cond() > 1e14 {
		return nil, "values repeat so often near the quantile that how densely they lie cannot be told, so there is no standard error"
	}
	inverse = mat.NewSymDense(k, nil)
	if err := chol.InverseTo(inverse); err != nil {
		return nil, "the covariates are too alike for a standard error"
	}
	return inverse, ""
}

// densityEpsilon is R's .Machine$double.eps^(2/3), here relative to the outcomes.
const densityEpsilon = 3.666852862501036e-11

// hallSheather is the bandwidth of Hall and Sheather (1988) for intervals of
// 95 %, halved until it stays between 0 and 1.
func hallSheather(q float64, rows int) float64 {
	x := distuv.UnitNormal.Quantile(q)
	f := distuv.UnitNormal.Prob(x)
	z := distuv.UnitNormal.Quantile(0.975)
	h := math.Pow(float64(rows), -1.0/3) * math.Pow(z, 2.0/3) * math.Cbrt(1.5*f*f/(2*x*x+1))
	for q-h < 0 || q+h > 1 {
		h /= 2
	}
	return h
}

// independent fills the errors of independent rows.
func (m *quantileDiD) independent(out *QuantileEffect, bread *mat.SymDense) {
	k := len(m.columns) + 1
	meat := mat.NewSymDense(k, nil)
	x := mat.NewVecDense(k, nil)
	for i := range m.t.rows() {
		m.row(i, x.RawVector().Data)
		meat.SymRankOne(meat, m.q*(1-m.q), x)
	}
	v := sandwiched(bread, meat)
	df := float64(m.t.rows() - k)
	estimate := func(j int, value float64) Estimate {
		return newEstimate(value, math.Sqrt(v.At(j, j)), df, m.level, m.t.scale)
	}
	out.Independent = estimate(interaction, out.Independent.Value)
	for j := range out.Covariates {
		// A coefficient has the unit of its covariate: no scale to compare with.
		out.Covariates[j] = newEstimate(out.Covariates[j].Value, math.Sqrt(v.At(interaction+1+j, interaction+1+j)), df, m.level, 0)
	}
}

// clustered fills the error of clusters.
func (m *quantileDiD) clustered(out *QuantileEffect, bread *mat.SymDense, beta []float64, fewTreated bool) {
	if sides := m.clusterSides(); min(sides[0], sides[1]) < 2 && !fewTreated {
		out.Refusal = "one cluster alone on a side: its own noise does not show in a cluster-robust error, which is then far too small"
		return
	}
	k := len(m.columns) + 1
	sums := map[int][]float64{}
	x := make([]float64, k)
	m.each(func(u, i, _ int) {
		m.row(i, x)
		sum := sums[m.cluster[u]]
		if sum == nil {
			sum = make([]float64, k)
			sums[m.cluster[u]] = sum
		}
		psi := m.q
		if m.t.y[i]-dot(x, beta) <= 1e-12*m.t.scale {
			psi--
		}
		for j, v := range x {
			sum[j] += psi * v
		}
	})
	meat := mat.NewSymDense(k, nil)
	groups := 0.0
	for g := range m.t.units() { // in order, so that sums are the same each time
		if sum := sums[g]; sum != nil {
			meat.SymRankOne(meat, 1, mat.NewVecDense(k, sum))
			groups++
		}
	}
	if groups < 2 {
		out.Refusal = "one cluster alone has no error between clusters"
		return
	}
	v := sandwiched(bread, meat)
	out.Clustered = newEstimate(out.Clustered.Value, math.Sqrt(v.At(interaction, interaction)*groups/(groups-1)), groups-1, m.level, m.t.scale)
}

// sandwiched is bread·meat·bread.
func sandwiched(bread, meat *mat.SymDense) *mat.Dense {
	var left, out mat.Dense
	left.Mul(bread, meat)
	out.Mul(&left, bread)
	return &out
}
