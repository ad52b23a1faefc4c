package did

import (
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// PreTest is the joint Wald test that every cell before treatment is zero,
// with a chi-squared statistic as in R's did. Cells in which units may react
// already ([GroupTimeOptions] Anticipation) are no test and stay out of it. It
// is an error where the covariance of those cells is singular.
func (g *GroupTime) PreTest() (Wald, error) {
	keep := g.choose(func(c Cell) bool { return c.Time < c.Group-g.options.Anticipation && c.Estimate.HasSE })
	q := len(keep)
	if q == 0 {
		return Wald{}, refuse(ErrTooFewPeriods, "no cell before treatment can be tested: a cohort needs 2 periods before its start")
	}
	n := g.data.independent()
	if q >= n {
		noun := "units"
		if g.data.cluster != nil {
			noun = "clusters"
		}
		return Wald{}, refuse(ErrNotIdentified, "%d cells before treatment cannot be tested with %d %s", q, n, noun)
	}
	if q > maxInfluences/n {
		return Wald{}, refuse(ErrShape, "%d cells before treatment of %d units are too many for a joint test: merge cohorts or periods", q, n)
	}
	rows := mat.NewDense(q, n, nil)
	effects := mat.NewVecDense(q, nil)
	for i, k := range keep {
		// Studentised, so that the scale of the cells does not matter.
		e := g.Cells[k].Estimate
		influence := make([]float64, g.Units)
		g.addCell(influence, k, 1/(e.SE*float64(g.Units)))
		rows.SetRow(i, g.data.byCluster(influence))
		effects.SetVec(i, e.Value/e.SE)
	}
	var covariance mat.SymDense
	covariance.SymOuterK(1, rows)
	var chol mat.Cholesky
	if !chol.Factorize(&covariance) || chol.Cond() > 1e13 {
		return Wald{}, refuse(ErrNotIdentified, "the covariance of the %d cells before treatment is singular: too few units for so many cells", q)
	}
	var solved mat.VecDense
	if err := chol.SolveVecTo(&solved, effects); err != nil {
		return Wald{}, refuse(ErrNotIdentified, "the covariance of the %d cells before treatment is singular: %v", q, err)
	}
	w := Wald{Statistic: mat.Dot(effects, &solved), DF: float64(q), Warning: g.preTestWarning(keep)}
	w.P = distuv.ChiSquared{K: w.DF}.Survival(w.Statistic)
	return w, nil
}

// preTestWarning says where a cohort is too small for the test.
func (g *GroupTime) preTestWarning(keep []int) string {
	cells := map[int]int{}
	for _, k := range keep {
		cells[g.parts[k].cohort]++
	}
	for h := range g.data.first {
		switch size := g.data.size(h); {
		case cells[h] > 0 && size == 1:
			return "A cohort of one unit has no variance of its own, which inflates this statistic: do not rely on it."
		case cells[h] >= size:
			return "A cohort has no more units than cells before treatment, which inflates this statistic: do not rely on it."
		}
	}
	return ""
}
