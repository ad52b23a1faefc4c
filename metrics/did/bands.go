package did

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// addBands gives each point of d a band such that all hold at once.
func (g *GroupTime) addBands(d *Dynamic, influences [][]float64) {
	var columns [][]float64
	for i, p := range d.Points {
		if p.Estimate.HasSE {
			studentised := slices.Clone(influences[i])
			scaleBy(studentised, 1/(p.Estimate.SE*float64(g.Units)))
			columns = append(columns, studentised)
		}
	}
	if g.options.Draws == 0 || len(columns) == 0 {
		return
	}
	d.BandCritical = supremum(columns, g.options)
	for i, p := range d.Points {
		if p.Estimate.HasSE {
			half := d.BandCritical * p.Estimate.SE
			d.Points[i].BandLow, d.Points[i].BandHigh = p.Estimate.Value-half, p.Estimate.Value+half
		}
	}
}

// supremum is the quantile of max |Σ ±column| over the columns, for random
// signs by unit, and at least the critical value of one point alone.
func supremum(columns [][]float64, o GroupTimeOptions) float64 {
	n, k := len(columns[0]), len(columns)
	rows := make([]float64, n*k) // by unit, so that a draw reads once through
	var total = make([]float64, k)
	for j, column := range columns {
		for i, x := range column {
			rows[i*k+j] = x
			total[j] += x
		}
	}
	random := rand.New(rand.NewPCG(o.Seed, 0x5851f42d4c957f2d))
	largest := make([]float64, o.Draws)
	sum := make([]float64, k)
	for draw := range largest {
		clear(sum)
		// The sum over units with sign + is enough: the signed sum is twice
		// that less the total. Half of the units need no work.
		for base := 0; base < n; base += 64 {
			signs := random.Uint64()
			if left := n - base; left < 64 {
				signs &= 1<<left - 1
			}
			for ; signs != 0; signs &= signs - 1 {
				i := (base + bits.TrailingZeros64(signs)) * k
				row := rows[i : i+k : i+k]
				for j, x := range row {
					sum[j] += x
				}
			}
		}
		for j, x := range sum {
			largest[draw] = max(largest[draw], math.Abs(2*x-total[j]))
		}
	}
	slices.Sort(largest)
	at := int(math.Ceil(o.Level*float64(o.Draws))) - 1
	return max(largest[max(at, 0)], quantile(1-(1-o.Level)/2, 0))
}

// PreTest is the joint Wald test that every cell before treatment is zero,
// with a chi-squared statistic as in R's did. It is an error where the
// covariance of those cells is singular.
func (g *GroupTime) PreTest() (Wald, error) {
	keep := g.choose(func(c Cell) bool { return c.Time < c.Group && c.Estimate.HasSE })
	q := len(keep)
	if q == 0 {
		return Wald{}, refuse(ErrTooFewPeriods, "no cell before treatment can be tested: a cohort needs 2 periods before its start")
	}
	if q >= g.Units {
		return Wald{}, refuse(ErrNotIdentified, "%d cells before treatment cannot be tested with %d units", q, g.Units)
	}
	rows := mat.NewDense(q, g.Units, nil)
	effects := mat.NewVecDense(q, nil)
	for i, k := range keep {
		// Studentised, so that the scale of the cells does not matter.
		e := g.Cells[k].Estimate
		g.addCell(rows.RawRowView(i), k, 1/(e.SE*float64(g.Units)))
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
