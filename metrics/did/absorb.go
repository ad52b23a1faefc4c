package did

import (
	"gonum.org/v1/gonum/mat"
)

// twoWay solves least squares on unit and period effects over some rows of a
// table, exactly: unit effects are swept out and the normal equations of the
// period effects, one a period, are factorised once.
type twoWay struct {
	t    *table
	used []bool // rows that take part
	// units holds the number of used rows by unit.
	units []float64
	// component numbers the connected parts of the design by period; effects
	// can be compared within a part only. −1 where a period has no used row.
	component []int
	free      []int // index into the equations by period; −1: fixed at 0 or unused
	chol      mat.Cholesky
	equations int
}

// maxEquations bounds the matrix of the normal equations.
const maxEquations = 4096

func newTwoWay(t *table, used []bool) (*twoWay, error) {
	if len(t.periods) > maxEquations {
		return nil, refuse(ErrShape, "%d periods, over %d: count in longer periods", len(t.periods), maxEquations)
	}
	w := &twoWay{t: t, used: used, units: make([]float64, t.units())}
	counts := make([]float64, len(t.periods))
	for u := range t.units() {
		for i := t.start[u]; i < t.start[u+1]; i++ {
			if used[i] {
				w.units[u]++
				counts[t.period[i]]++
			}
		}
	}
	w.connect(counts)
	w.number()
	if w.equations == 0 {
		return w, nil
	}
	if !w.chol.Factorize(w.normal(counts)) {
		return nil, refuse(ErrNotIdentified, "unit and period effects cannot be told apart on the untreated rows")
	}
	return w, nil
}

// connect numbers the connected parts of the graph of units and periods.
func (w *twoWay) connect(counts []float64) {
	parent := make([]int, len(counts))
	for p := range parent {
		parent[p] = p
	}
	find := func(p int) int {
		for parent[p] != p {
			parent[p] = parent[parent[p]]
			p = parent[p]
		}
		return p
	}
	for u := range w.t.units() {
		before := -1
		for i := w.t.start[u]; i < w.t.start[u+1]; i++ {
			if !w.used[i] {
				continue
			}
			if before >= 0 {
				parent[find(w.t.period[i])] = find(before)
			}
			before = w.t.period[i]
		}
	}
	w.component = make([]int, len(counts))
	for p := range counts {
		w.component[p] = -1
		if counts[p] > 0 {
			w.component[p] = find(p)
		}
	}
}

// number gives each period an equation, but one in each connected part, whose
// effect is fixed at 0.
func (w *twoWay) number() {
	w.free = make([]int, len(w.component))
	fixed := map[int]bool{}
	for p, c := range w.component {
		w.free[p] = -1
		if c < 0 {
			continue
		}
		if !fixed[c] {
			fixed[c] = true
			continue
		}
		w.free[p] = w.equations
		w.equations++
	}
}

// normal is diag(rows by period) − Σ over units of o·o'/n, o marking the
// periods in which the unit has a used row.
func (w *twoWay) normal(counts []float64) *mat.SymDense {
	n := w.equations
	cells := make([]float64, n*n)
	for p, k := range w.free {
		if k >= 0 {
			cells[k*n+k] = counts[p]
		}
	}
	var seen []int
	for u := range w.t.units() {
		seen = seen[:0]
		for i := w.t.start[u]; i < w.t.start[u+1]; i++ {
			if k := w.free[w.t.period[i]]; w.used[i] && k >= 0 {
				seen = append(seen, k)
			}
		}
		for a, j := range seen {
			row := cells[j*n : (j+1)*n]
			for _, k := range seen[a:] { // periods ascend: the upper triangle
				row[k] -= 1 / w.units[u]
			}
		}
	}
	return mat.NewSymDense(n, cells)
}

// solve returns the unit and period effects for the right-hand sides byUnit
// and byPeriod, the sums of a variable over the rows of a unit and of a
// period. Units and periods without a used row get 0.
func (w *twoWay) solve(byUnit, byPeriod []float64) (unit, period []float64, err error) {
	unit = make([]float64, w.t.units())
	period = make([]float64, len(w.t.periods))
	rhs := make([]float64, max(w.equations, 1))
	for p, k := range w.free {
		if k >= 0 {
			rhs[k] = byPeriod[p]
		}
	}
	for u, n := range w.units {
		if n == 0 || byUnit[u] == 0 {
			continue
		}
		for i := w.t.start[u]; i < w.t.start[u+1]; i++ {
			if k := w.free[w.t.period[i]]; w.used[i] && k >= 0 {
				rhs[k] -= byUnit[u] / n
			}
		}
	}
	if w.equations > 0 {
		b := mat.NewVecDense(w.equations, rhs)
		if err := w.chol.SolveVecTo(b, b); err != nil {
			return nil, nil, refuse(ErrNotIdentified, "unit and period effects cannot be told apart: %v", err)
		}
	}
	for p, k := range w.free {
		if k >= 0 {
			period[p] = rhs[k]
		}
	}
	for u, n := range w.units {
		if n == 0 {
			continue
		}
		sum := byUnit[u]
		for i := w.t.start[u]; i < w.t.start[u+1]; i++ {
			if w.used[i] {
				sum -= period[w.t.period[i]]
			}
		}
		unit[u] = sum / n
	}
	return unit, period, nil
}

// sums adds up x over the rows that mask marks, by unit and by period.
func (t *table) sums(x []float64, mask []bool) (byUnit, byPeriod []float64) {
	byUnit = make([]float64, t.units())
	byPeriod = make([]float64, len(t.periods))
	for u := range byUnit {
		for i := t.start[u]; i < t.start[u+1]; i++ {
			if mask[i] {
				byUnit[u] += x[i]
				byPeriod[t.period[i]] += x[i]
			}
		}
	}
	return byUnit, byPeriod
}

// residual takes unit and period effects out of x: exact least squares on the
// used rows, and the same effects subtracted on every other row.
func (w *twoWay) residual(x []float64) ([]float64, error) {
	unit, period, err := w.solve(w.t.sums(x, w.used))
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(x))
	for u := range unit {
		for i := w.t.start[u]; i < w.t.start[u+1]; i++ {
			out[i] = x[i] - unit[u] - period[w.t.period[i]]
		}
	}
	return out, nil
}
