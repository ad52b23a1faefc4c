package did

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// preTrends regresses the untreated rows on the last leads before the start
// beside unit and period effects; earlier untreated rows are the reference.
// Standard errors are clustered with fixest's small-sample factor
// G/(G−1) · (N−1)/(N−K), K counting leads and period effects.
func (m *imputer) preTrends() error {
	n := m.options.PreTrends
	points := make([]EventEstimate, n) // points[k] is event −1−k
	var leads []int
	var columns [][]float64
	for k := range n {
		points[k] = EventEstimate{Event: -1 - k}
		column, rows, err := m.lead(-1 - k)
		if err != nil {
			return err
		}
		points[k].Units = rows
		switch {
		case rows == 0:
			points[k].Missing = "no row this long before the start takes part"
		case !independent(columns, column, rows):
			points[k].Missing = "the effect cannot be told from unit and period effects and nearer leads: it is their reference"
		default:
			leads = append(leads, k)
			columns = append(columns, column)
		}
	}
	if len(leads) > 0 {
		if err := m.regressLeads(points, leads, columns); err != nil {
			return err
		}
	}
	for k := range n {
		m.result.PreTrends = append(m.result.PreTrends, points[n-1-k])
	}
	return nil
}

// lead is the dummy of one event before the start, with unit and period
// effects taken out, 0 off the untreated rows.
func (m *imputer) lead(event int) (column []float64, rows int, err error) {
	t := m.t
	column = make([]float64, t.rows())
	for u, g := range t.first {
		if !t.treated(g) {
			continue
		}
		for i := t.start[u]; i < t.start[u+1]; i++ {
			if m.untreated[i] && m.event(u, i) == event {
				column[i] = 1
				rows++
			}
		}
	}
	if rows == 0 {
		return column, 0, nil
	}
	if column, err = m.first.residual(column); err != nil {
		return nil, 0, err
	}
	for i := range column {
		if !m.untreated[i] {
			column[i] = 0
		}
	}
	return column, rows, nil
}

// independent reports whether column has something left when the others are
// taken out; rows is its squared length before anything was.
func independent(columns [][]float64, column []float64, rows int) bool {
	k := len(columns)
	gram := mat.NewSymDense(k+1, nil)
	all := append(columns[:k:k], column)
	for a := range all {
		for b := a; b <= k; b++ {
			gram.SetSym(a, b, dot(all[a], all[b]))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(gram) {
		return false
	}
	var upper mat.TriDense
	chol.UTo(&upper)
	left := upper.At(k, k)
	return left*left > 1e-9*float64(rows)
}

// regressLeads fills the estimates of points[leads] and the joint test.
func (m *imputer) regressLeads(points []EventEstimate, leads []int, columns [][]float64) error {
	k := len(leads)
	gram := mat.NewSymDense(k, nil)
	rhs := mat.NewVecDense(k, nil)
	for a := range columns {
		rhs.SetVec(a, dot(columns[a], m.residual))
		for b := a; b < k; b++ {
			gram.SetSym(a, b, dot(columns[a], columns[b]))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(gram) {
		return refuse(ErrNotIdentified, "the pre-trend leads cannot be told apart")
	}
	var beta mat.VecDense
	if err := chol.SolveVecTo(&beta, rhs); err != nil {
		return refuse(ErrNotIdentified, "the pre-trend leads cannot be told apart: %v", err)
	}
	clusters, covariance := m.leadCovariance(columns, &beta, &chol)
	if clusters < 2 || covariance == nil {
		for a, p := range leads {
			points[p].Estimate = Estimate{Value: beta.AtVec(a)}
		}
		return nil
	}
	df := float64(clusters - 1)
	for a, p := range leads {
		points[p].Estimate = newEstimate(beta.AtVec(a), math.Sqrt(covariance.At(a, a)), df, m.options.Level, m.t.scale)
	}
	m.result.PreTest = wald(&beta, covariance, df)
	return nil
}

// leadCovariance is the cluster sandwich of the leads; nil where too few rows
// are left for the small-sample factor.
func (m *imputer) leadCovariance(columns [][]float64, beta *mat.VecDense, chol *mat.Cholesky) (clusters int, v *mat.SymDense) {
	t, k := m.t, len(columns)
	scores := mat.NewDense(t.units(), k, nil)
	seen := make([]bool, t.units())
	rows := 0
	for u := range t.units() {
		score := scores.RawRowView(m.cluster[u])
		for i := t.start[u]; i < t.start[u+1]; i++ {
			if !m.untreated[i] {
				continue
			}
			rows++
			seen[m.cluster[u]] = true
			e := m.residual[i]
			for a := range columns {
				e -= columns[a][i] * beta.AtVec(a)
			}
			for a := range columns {
				score[a] += columns[a][i] * e
			}
		}
	}
	for _, s := range seen {
		if s {
			clusters++
		}
	}
	periods := 0
	for _, c := range m.first.component {
		if c >= 0 {
			periods++
		}
	}
	left := rows - k - periods
	if clusters < 2 || left < 1 {
		return clusters, nil
	}
	var half mat.Dense // (X'X)⁻¹ times the scores
	if err := chol.SolveTo(&half, scores.T()); err != nil {
		return clusters, nil
	}
	g := float64(clusters)
	v = mat.NewSymDense(k, nil)
	v.SymOuterK(g/(g-1)*float64(rows-1)/float64(left), &half)
	return clusters, v
}

// wald is the joint F test that beta is 0, or nil where it cannot be made.
func wald(beta *mat.VecDense, covariance *mat.SymDense, df float64) *Wald {
	k := beta.Len()
	var chol mat.Cholesky
	if float64(k) > df || !chol.Factorize(covariance) || chol.Cond() > 1e13 {
		return nil
	}
	var solved mat.VecDense
	if err := chol.SolveVecTo(&solved, beta); err != nil {
		return nil
	}
	w := Wald{Statistic: mat.Dot(beta, &solved) / float64(k), DF: float64(k), DF2: df}
	w.P = distuv.F{D1: w.DF, D2: w.DF2}.Survival(w.Statistic)
	return &w
}

func dot(a, b []float64) float64 {
	var sum float64
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
