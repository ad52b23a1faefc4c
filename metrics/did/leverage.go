package did

import "gonum.org/v1/gonum/mat"

// leverage gives the diagonal of the hat matrix of a fit, effects and columns.
// Rows are whitened: h(i, j) is the product of two rows, plus √(w·w)/weight for
// rows of one block.
type leverage struct {
	f      *fit
	root   []float64     // periods × equations: row p is L⁻¹e(p), S = L·L'
	lower  *mat.TriDense // of the columns
	center []float64     // mean of the block's root rows
	block  int
}

func (f *fit) newLeverage() (*leverage, error) {
	e := f.effects
	h := &leverage{f: f, center: make([]float64, e.equations)}
	var err error
	if h.lower, err = f.whitener(); err != nil {
		return nil, err
	}
	h.root = make([]float64, len(e.free)*e.equations)
	if e.equations == 0 {
		return h, nil
	}
	var lower, inverse mat.TriDense
	e.chol.LTo(&lower)
	if err := inverse.InverseTri(&lower); err != nil {
		return nil, refuse(ErrNotIdentified, "unit and period effects cannot be told apart: %v", err)
	}
	for p, k := range e.free {
		if k < 0 {
			continue
		}
		for j := k; j < e.equations; j++ {
			h.root[p*e.equations+j] = inverse.At(j, k)
		}
	}
	return h, nil
}

func (h *leverage) rootOf(i int) []float64 {
	n := len(h.center)
	p := h.f.table().period[i]
	return h.root[p*n : (p+1)*n]
}

// setBlock readies h for the rows of block b.
func (h *leverage) setBlock(b int) {
	e, t := h.f.effects, h.f.table()
	h.block = b
	clear(h.center)
	for i := e.start[b]; i < e.start[b+1]; i++ {
		if !e.used[i] {
			continue
		}
		w := t.weightOf(i) / e.weight[b]
		for k, x := range h.rootOf(i) {
			h.center[k] += w * x
		}
	}
}

// row is the leverage of row i of the block, whose columns are x.
func (h *leverage) row(i int, x []float64) float64 {
	sum := 1 / h.f.effects.weight[h.block]
	for k, v := range h.rootOf(i) {
		d := v - h.center[k]
		sum += d * d
	}
	for k := range x {
		d := h.column(k, x)
		sum += d * d
	}
	return h.f.table().weightOf(i) * sum
}

// column is column k of x·L.
func (h *leverage) column(k int, x []float64) float64 {
	var d float64
	for j := k; j < len(x); j++ {
		d += x[j] * h.lower.At(j, k)
	}
	return d
}

// white writes the whitened row i of the block, without the block's own part.
func (h *leverage) white(dst []float64, i int, x []float64, root float64) {
	n := len(h.center)
	for k, v := range h.rootOf(i) {
		dst[k] = root * (v - h.center[k])
	}
	for k := range x {
		dst[n+k] = root * h.column(k, x)
	}
}

// width is the length of a whitened row.
func (h *leverage) width() int { return len(h.center) + len(h.f.beta) }
