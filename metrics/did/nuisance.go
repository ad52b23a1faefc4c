package did

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// nuisance is everything in a regression beside unit effects and one
// coefficient: period effects and the other columns, whitened.
type nuisance struct {
	f       *fit
	k       int // the coefficient that is not part of it
	periods int // equations of the period effects
	lower   mat.TriDense
	columns *mat.Dense // whitens the other columns; nil where there are none
}

func (f *fit) newNuisance(k int) (*nuisance, error) {
	n := &nuisance{f: f, k: k, periods: f.effects.equations}
	if n.periods > 0 {
		f.effects.chol.LTo(&n.lower)
	}
	others := len(f.beta) - 1
	if others == 0 {
		return n, nil
	}
	// The normal equations without column k: those of all are the inverse's
	// inverse, taken with ones on its diagonal, so that units of measurement do
	// not matter.
	scale := make([]float64, len(f.beta))
	for j := range scale {
		scale[j] = math.Sqrt(f.inverse.At(j, j))
	}
	even := mat.NewSymDense(len(f.beta), nil)
	for a := range scale {
		for b := a; b < len(scale); b++ {
			even.SetSym(a, b, f.inverse.At(a, b)/(scale[a]*scale[b]))
		}
	}
	var chol mat.Cholesky
	var all mat.SymDense
	if !chol.Factorize(even) {
		return nil, refuse(ErrNotIdentified, "the columns of the regression cannot be told apart")
	}
	if err := chol.InverseTo(&all); err != nil && !finite(all.At(0, 0)) {
		return nil, refuse(ErrNotIdentified, "the columns of the regression cannot be told apart: %v", err)
	}
	part := mat.NewSymDense(others, nil)
	for a := range others {
		for b := a; b < others; b++ {
			part.SetSym(a, b, all.At(n.skip(a), n.skip(b)))
		}
	}
	var lower, inverse mat.TriDense
	if !chol.Factorize(part) {
		return nil, refuse(ErrNotIdentified, "the covariates of the regression cannot be told apart")
	}
	chol.LTo(&lower)
	if err := inverse.InverseTri(&lower); err != nil {
		return nil, refuse(ErrNotIdentified, "the covariates of the regression cannot be told apart: %v", err)
	}
	n.columns = mat.DenseCopyOf(&inverse)
	for a := range others {
		for b := range others {
			n.columns.Set(a, b, n.columns.At(a, b)*scale[n.skip(b)])
		}
	}
	return n, nil
}

// skip is the index of the a-th column that is not k.
func (n *nuisance) skip(a int) int {
	if a >= n.k {
		return a + 1
	}
	return a
}

func (n *nuisance) zeros() []float64 { return make([]float64, n.periods+len(n.f.beta)-1) }

// add adds x times row i, whose columns less effects are row. Means of units
// need not be taken out of periods: x adds up to 0 over a unit.
func (n *nuisance) add(sum []float64, i int, row []float64, x float64) {
	if k := n.f.effects.free[n.f.table().period[i]]; k >= 0 {
		sum[k] += x
	}
	at := n.periods
	for k, v := range row {
		if k != n.k {
			sum[at] += x * v
			at++
		}
	}
}

// white whitens a sum: the product of two is the product by the projection.
func (n *nuisance) white(sum []float64) []float64 {
	if n.periods > 0 {
		b := mat.NewVecDense(n.periods, sum[:n.periods])
		// The factor of a positive definite matrix has no zero to divide by.
		_ = b.SolveVec(&n.lower, mat.VecDenseCopyOf(b))
	}
	if n.columns != nil {
		b := mat.NewVecDense(len(sum)-n.periods, sum[n.periods:])
		b.MulVec(n.columns, mat.VecDenseCopyOf(b))
	}
	return sum
}
