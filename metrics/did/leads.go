package did

import (
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// preTrends regresses the untreated rows on the leads asked for beside unit and
// period effects and covariates; other untreated rows are the reference.
// Standard errors are those of [CR1].
func (m *imputer) preTrends(p Panel, o ImputationOptions) error {
	class, rows := m.leads(o.Leads)
	f, err := regression{effects: m.first, x: m.t.x, class: class, classes: len(o.Leads)}.run()
	if err != nil {
		return err
	}
	clusters, err := newClustering(p, o.Cluster, m.t, m.untreated)
	if err != nil {
		return err
	}
	u, err := f.covariance(CR1, clusters, nil)
	if err != nil {
		return err
	}
	var kept []int // coefficients
	for k := len(o.Leads) - 1; k >= 0; k-- {
		point := EventEstimate{Event: o.Leads[k], Units: rows[k]}
		at, ok := f.coefficient(k)
		switch {
		case rows[k] == 0:
			point.Missing = "no row this long before the start takes part"
		case !ok:
			point.Missing = "the effect cannot be told from unit and period effects and nearer leads: it is their reference"
		default:
			point.Estimate = f.estimate(at, u, m.level)
			kept = append(kept, at)
		}
		m.result.PreTrends = append(m.result.PreTrends, point)
	}
	if u.v != nil {
		m.result.PreTest = f.joint(kept, u)
	}
	return nil
}

// leads marks the untreated rows of treated units by lead and counts them.
func (m *imputer) leads(events []int) (class, rows []int) {
	t := m.t
	number := map[int]int{}
	for k, event := range events {
		number[event] = k
	}
	class = make([]int, t.rows())
	rows = make([]int, len(events))
	for u, g := range t.first {
		for i := t.start[u]; i < t.start[u+1]; i++ {
			class[i] = -1
			if !m.untreated[i] || !t.treated(g) {
				continue
			}
			if k, ok := number[m.event(u, i)]; ok {
				class[i] = k
				rows[k]++
			}
		}
	}
	return class, rows
}

// joint is the F test that all of some coefficients are 0, or nil where it
// cannot be made.
func (f *fit) joint(coefficients []int, u uncertainty) *Wald {
	n := len(coefficients)
	if n == 0 {
		return nil
	}
	beta := mat.NewVecDense(n, nil)
	v := mat.NewSymDense(n, nil)
	for a, k := range coefficients {
		beta.SetVec(a, f.beta[k])
		for b := a; b < n; b++ {
			v.SetSym(a, b, u.v.At(k, coefficients[b]))
		}
	}
	return wald(beta, v, u.joint)
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
