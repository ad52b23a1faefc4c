package did

import (
	"gonum.org/v1/gonum/mat"
)

// twoWay solves weighted least squares on unit and period effects over some
// rows of a table, exactly: unit effects are swept out and the normal equations
// of the period effects, one a period, are factorised once.
type twoWay struct {
	t    *table
	used []bool // rows that take part
	// start holds the offsets of blocks of rows that share one effect: the
	// units, or groups of neighbouring units.
	start []int
	// weight is the total weight of used rows by block.
	weight []float64
	// component numbers the connected parts of the design by period; effects
	// can be compared within a part only. −1 where a period has no used row.
	component []int
	free      []int // index into the equations by period; −1: fixed at 0 or unused
	chol      mat.Cholesky
	equations int
}

// maxEquations bounds the matrix of the normal equations.
const maxEquations = 4096

// newTwoWay prepares effects by unit and period.
func newTwoWay(t *table, used []bool) (*twoWay, error) {
	return newBlockedTwoWay(t, used, t.start)
}

// newBlockedTwoWay prepares effects by block and period; start holds the
// offsets of the blocks and ends with the number of rows.
func newBlockedTwoWay(t *table, used []bool, start []int) (*twoWay, error) {
	if len(t.periods) > maxEquations {
		return nil, refuse(ErrShape, "%d periods, over %d: count in longer periods", len(t.periods), maxEquations)
	}
	w := &twoWay{t: t, used: used, start: start, weight: make([]float64, len(start)-1)}
	byPeriod := make([]float64, len(t.periods))
	for b := range w.weight {
		for i := start[b]; i < start[b+1]; i++ {
			if used[i] {
				x := t.weightOf(i)
				w.weight[b] += x
				byPeriod[t.period[i]] += x
			}
		}
	}
	w.connect(byPeriod)
	w.number()
	if w.equations == 0 {
		return w, nil
	}
	if !w.chol.Factorize(w.normal(byPeriod)) {
		return nil, refuse(ErrNotIdentified, "unit and period effects cannot be told apart on the rows they are estimated from")
	}
	return w, nil
}

// connect numbers the connected parts of the graph of blocks and periods.
func (w *twoWay) connect(byPeriod []float64) {
	parent := make([]int, len(byPeriod))
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
	for b := range w.weight {
		before := -1
		for i := w.start[b]; i < w.start[b+1]; i++ {
			if !w.used[i] {
				continue
			}
			p := w.t.period[i]
			if before >= 0 && parent[p] != parent[before] {
				parent[find(p)] = find(before)
			}
			before = p
		}
	}
	w.component = make([]int, len(byPeriod))
	for p := range byPeriod {
		w.component[p] = -1
		if byPeriod[p] > 0 {
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

// normal is diag(weight by period) − Σ over blocks of o·o'/weight, o holding
// the block's weight in each period. Blocks with one row of weight 1 in every
// period are all alike and counted together.
func (w *twoWay) normal(byPeriod []float64) *mat.SymDense {
	n := w.equations
	cells := make([]float64, n*n)
	for p, k := range w.free {
		if k >= 0 {
			cells[k*n+k] = byPeriod[p]
		}
	}
	var seen []int
	var complete, height float64
	o := make([]float64, n)
	for b, total := range w.weight {
		var plain bool
		seen, plain = w.spread(b, o, seen[:0])
		if plain && len(seen) == n && total == float64(n+1) {
			complete++
			height = total
		} else {
			for a, j := range seen {
				share := o[j] / total
				for _, k := range seen[a:] {
					cells[min(j, k)*n+max(j, k)] -= share * o[k]
				}
			}
		}
		for _, k := range seen {
			o[k] = 0
		}
	}
	if complete > 0 {
		for j := range n {
			for k := j; k < n; k++ {
				cells[j*n+k] -= complete / height
			}
		}
	}
	return mat.NewSymDense(n, cells)
}

// spread fills o, which is 0, with the weight of block b by equation and
// appends the equations it fills to seen. plain says that every row counts 1
// and has a period of its own.
func (w *twoWay) spread(b int, o []float64, seen []int) (_ []int, plain bool) {
	plain = w.t.w == nil
	for i := w.start[b]; i < w.start[b+1]; i++ {
		if !w.used[i] {
			continue
		}
		k := w.free[w.t.period[i]]
		if k < 0 {
			continue
		}
		if o[k] == 0 {
			seen = append(seen, k)
		} else {
			plain = false
		}
		o[k] += w.t.weightOf(i)
	}
	return seen, plain && w.equations+1 == len(w.t.periods)
}

// solve returns the effects by block and period for the right-hand sides
// byBlock and byPeriod, the weighted sums of a variable over the rows of a
// block and of a period. Blocks and periods without a used row get 0.
func (w *twoWay) solve(byBlock, byPeriod []float64) (block, period []float64, err error) {
	if period, err = w.solvePeriods(byBlock, byPeriod); err != nil {
		return nil, nil, err
	}
	block = make([]float64, len(w.weight))
	for b, n := range w.weight {
		if n == 0 {
			continue
		}
		sum := byBlock[b]
		for i := w.start[b]; i < w.start[b+1]; i++ {
			if w.used[i] {
				sum -= w.t.weightOf(i) * period[w.t.period[i]]
			}
		}
		block[b] = sum / n
	}
	return block, period, nil
}

// solvePeriods returns the period effects of solve.
func (w *twoWay) solvePeriods(byBlock, byPeriod []float64) ([]float64, error) {
	period := make([]float64, len(w.t.periods))
	if w.equations == 0 {
		return period, nil
	}
	rhs := make([]float64, w.equations)
	for p, k := range w.free {
		if k >= 0 {
			rhs[k] = byPeriod[p]
		}
	}
	for b, n := range w.weight {
		if n == 0 || byBlock[b] == 0 {
			continue
		}
		mean := byBlock[b] / n
		for i := w.start[b]; i < w.start[b+1]; i++ {
			if k := w.free[w.t.period[i]]; w.used[i] && k >= 0 {
				rhs[k] -= w.t.weightOf(i) * mean
			}
		}
	}
	b := mat.NewVecDense(w.equations, rhs)
	if err := w.chol.SolveVecTo(b, b); err != nil {
		return nil, refuse(ErrNotIdentified, "unit and period effects cannot be told apart: %v", err)
	}
	for p, k := range w.free {
		if k >= 0 {
			period[p] = rhs[k]
		}
	}
	return period, nil
}

// residual takes block and period effects out of x: exact least squares on the
// used rows, and the same effects subtracted on every other row. Means of
// blocks go first, so that large unit effects do not cost digits.
func (w *twoWay) residual(x []float64) ([]float64, error) {
	mean := make([]float64, len(w.weight))
	byPeriod := make([]float64, len(w.t.periods))
	for b, total := range w.weight {
		if total == 0 {
			continue
		}
		from, to := w.start[b], w.start[b+1]
		var sum float64
		for i := from; i < to; i++ {
			if w.used[i] {
				sum += w.t.weightOf(i) * x[i]
			}
		}
		mean[b] = sum / total
		for i := from; i < to; i++ {
			if w.used[i] {
				byPeriod[w.t.period[i]] += w.t.weightOf(i) * (x[i] - mean[b])
			}
		}
	}
	block, period, err := w.solve(make([]float64, len(mean)), byPeriod)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(x))
	for b, effect := range block {
		effect += mean[b]
		for i := w.start[b]; i < w.start[b+1]; i++ {
			out[i] = x[i] - effect - period[w.t.period[i]]
		}
	}
	return out, nil
}

// within is residual, but 0 on the rows that are not used.
func (w *twoWay) within(x []float64) ([]float64, error) {
	out, err := w.residual(x)
	if err != nil {
		return nil, err
	}
	for i, used := range w.used {
		if !used {
			out[i] = 0
		}
	}
	return out, nil
}

// parts counts the connected parts, usedPeriods the periods with a used row.
func (w *twoWay) parts() int { return w.usedPeriods() - w.equations }

func (w *twoWay) usedPeriods() int {
	n := 0
	for _, c := range w.component {
		if c >= 0 {
			n++
		}
	}
	return n
}

// usedBlocks counts the blocks with a used row.
func (w *twoWay) usedBlocks() int {
	n := 0
	for _, total := range w.weight {
		if total > 0 {
			n++
		}
	}
	return n
}
