package did

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// quantileFit is a quantile regression on its way to the optimum, which lies at
// a vertex: a plane through as many rows as there are coefficients, the basis.
// Each step leaves one of them along an edge and goes down to the lowest point
// on it (Barrodale and Roberts 1973).
type quantileFit struct {
	x     *mat.Dense
	y     []float64
	q     float64
	basis []int
	in    []bool
	inv   mat.Dense // of the basis' rows
	beta  mat.VecDense
	cross []crossing // scratch
}

// crossing is where along an edge the residual of row is 0, and how much
// steeper the objective is behind.
type crossing struct {
	row       int
	at, steep float64
}

// QuantileRegression regresses y on a constant and columns so that a share q
// of residuals is negative (Koenker and Bassett 1978), exactly: 0.5 is the
// median regression, whose squares are replaced by absolute values. The
// constant's coefficient comes first. Where the optimum is not unique it is the
// corner whose plane lies lowest, as the lower of two middle values is the
// median that leaves no more than half below.
func QuantileRegression(y []float64, columns [][]float64, q float64) ([]float64, error) {
	if !(q > 0 && q < 1) {
		return nil, refuse(ErrOption, "quantile %v: give a number between 0 and 1, such as 0.5", q)
	}
	t := Tasks{Y: y, X: columns, Treated: make([]bool, len(y))}
	if err := t.check(); err != nil {
		return nil, err
	}
	// Least squares says whether the columns can be told apart, and where to
	// start.
	start, err := newPlainFit(y, columns...)
	if err != nil {
		return nil, err
	}
	f := &quantileFit{x: start.x, q: q, in: make([]bool, len(y))}
	f.disturb(y)
	if !f.chooseBasis(start.residual) {
		return nil, refuse(ErrNotIdentified, "no rows tell the coefficients apart")
	}
	for range 100 * (len(y) + 10) {
		if !f.step(false) && !f.step(true) {
			f.y = y
			f.solve()
			return f.beta.RawVector().Data, nil
		}
	}
	return nil, refuse(ErrNotIdentified, "quantile regression did not find its optimum")
}

// flatSlope is the largest slope that counts as none.
const flatSlope = 1e-9

// disturb moves outcomes by next to nothing, so that no more rows than
// coefficients lie on one plane and no step is of length 0. The basis found
// that way is the answer's for the outcomes as they were.
func (f *quantileFit) disturb(y []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	scale := 1e-11 * size(y...)
	f.y = make([]float64, len(y))
	for i, v := range y {
		f.y[i] = v + scale*(r.Float64()-0.5)
	}
}

// chooseBasis takes the rows nearest to a first plane that are independent.
func (f *quantileFit) chooseBasis(residual []float64) bool {
	order := make([]int, len(residual))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(residual[a]), math.Abs(residual[b])) })
	_, k := f.x.Dims()
	var orthogonal [][]float64
	for _, i := range order {
		row := slices.Clone(f.x.RawRowView(i))
		length := dot(row, row)
		for range 2 {
			for _, o := range orthogonal {
				c := dot(o, row)
				for j := range row {
					row[j] -= c * o[j]
				}
			}
		}
		left := dot(row, row)
		if left <= 1e-14*length {
			continue
		}
		scaleBy(row, 1/math.Sqrt(left))
		orthogonal = append(orthogonal, row)
		f.basis = append(f.basis, i)
		f.in[i] = true
		if len(f.basis) == k {
			f.solve()
			return true
		}
	}
	return false
}

// solve puts the plane through the basis.
func (f *quantileFit) solve() {
	k := len(f.basis)
	rows := mat.NewDense(k, k, nil)
	values := mat.NewVecDense(k, nil)
	for a, i := range f.basis {
		rows.SetRow(a, f.x.RawRowView(i))
		values.SetVec(a, f.y[i])
	}
	f.inv.Reset()
	// Rows of a basis are independent; a warning about their condition is none.
	_ = f.inv.Inverse(rows)
	f.beta.Reset()
	f.beta.MulVec(&f.inv, values)
}

// step goes down along the steepest edge, or, flat, along one on which the
// objective stays the same and the plane goes down; false where there is none.
func (f *quantileFit) step(flat bool) bool {
	k := len(f.basis)
	residual := make([]float64, len(f.y))
	pull := make([]float64, k)  // Σ ψ(residual)·x
	total := make([]float64, k) // Σ x
	for i := range residual {
		row := f.x.RawRowView(i)
		residual[i] = f.y[i] - dot(row, f.beta.RawVector().Data)
		psi := f.q
		if residual[i] < 0 {
			psi--
		}
		for j, v := range row {
			total[j] += v
			if !f.in[i] {
				pull[j] += psi * v
			}
		}
	}
	leave, sign, slope := -1, 0.0, -flatSlope
	for a := range k {
		var c, rise float64
		for j := range k {
			c += pull[j] * f.inv.At(j, a)
			rise += total[j] * f.inv.At(j, a)
		}
		// Going along column a makes the basis row's residual negative, at a
		// cost of 1 − q; against it positive, at a cost of q.
		for _, edge := range [2]struct{ sign, slope float64 }{{1, 1 - f.q - c}, {-1, f.q + c}} {
			switch {
			case !flat && edge.slope < slope:
				leave, sign, slope = a, edge.sign, edge.slope
			case flat && leave < 0 && math.Abs(edge.slope) <= flatSlope && edge.sign*rise < -flatSlope:
				leave, sign, slope = a, edge.sign, 0
			}
		}
	}
	if leave < 0 {
		return false
	}
	enter := f.lowest(leave, sign, residual, slope)
	if enter < 0 {
		return false
	}
	f.in[f.basis[leave]], f.in[enter] = false, true
	f.basis[leave] = enter
	f.solve()
	return true
}

// lowest is the row whose residual is 0 at the lowest point of an edge, along
// which the objective falls with slope at first.
func (f *quantileFit) lowest(leave int, sign float64, residual []float64, slope float64) int {
	k := len(f.basis)
	edge := make([]float64, k)
	for j := range k {
		edge[j] = sign * f.inv.At(j, leave)
	}
	f.cross = f.cross[:0]
	for i, r := range residual {
		if f.in[i] {
			continue
		}
		if v := dot(f.x.RawRowView(i), edge); v != 0 && (r < 0) == (v < 0) {
			f.cross = append(f.cross, crossing{row: i, at: r / v, steep: math.Abs(v)})
		}
	}
	slices.SortFunc(f.cross, func(a, b crossing) int { return cmp.Compare(a.at, b.at) })
	for _, c := range f.cross {
		if slope += c.steep; slope >= 0 {
			return c.row
		}
	}
	return -1
}
