package did

// simplexFit finds weights on the simplex — none negative, together 1 — that
// minimise |A·w − b|² + penalty·|w|² by Frank–Wolfe steps with exact line
// search. It keeps H·w with H = A'A + penalty·I, so that a step costs one pass
// over the weights; columns of H are worked out when they are first needed.
type simplexFit struct {
	columns [][]float64 // of A
	target  []float64   // b
	penalty float64
	linear  []float64   // A'b
	gram    [][]float64 // columns of H, nil until needed
}

// newSimplexFit takes the columns of A, which it keeps. With an intercept, each
// column and the target count less their own mean.
func newSimplexFit(columns [][]float64, target []float64, intercept bool, penalty float64) *simplexFit {
	f := &simplexFit{columns: columns, target: target, penalty: penalty}
	if intercept {
		f.target = centred(target)
		f.columns = make([][]float64, len(columns))
		for i, c := range columns {
			f.columns[i] = centred(c)
		}
	}
	f.linear = make([]float64, len(columns))
	for i, c := range f.columns {
		f.linear[i] = dot(c, f.target)
	}
	f.gram = make([][]float64, len(columns))
	return f
}

func centred(xs []float64) []float64 {
	m := mean(xs)
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = x - m
	}
	return out
}

// column is column i of H.
func (f *simplexFit) column(i int) []float64 {
	if f.gram[i] == nil {
		h := make([]float64, len(f.columns))
		for j, c := range f.columns {
			h[j] = dot(c, f.columns[i])
		}
		h[i] += f.penalty
		f.gram[i] = h
	}
	return f.gram[i]
}

// improve takes steps from w, which it changes, until one of them lowers the
// objective by no more than least, and at most limit steps.
func (f *simplexFit) improve(w []float64, least float64, limit int) {
	hw := make([]float64, len(w))
	for i, x := range w {
		if x == 0 {
			continue
		}
		for j, h := range f.column(i) {
			hw[j] += x * h
		}
	}
	square, linear := dot(w, hw), dot(w, f.linear)
	best := steepest(hw, f.linear)
	for step := 1; step <= limit; step++ {
		h := f.column(best)
		// Towards vertex e: slope and curvature of half the objective.
		slope := hw[best] - f.linear[best] - (square - linear)
		curvature := h[best] - 2*hw[best] + square
		if !(slope < 0) || !(curvature > 0) {
			return
		}
		size := min(1, -slope/curvature)
		square = (1-size)*(1-size)*square + 2*size*(1-size)*hw[best] + size*size*h[best]
		linear = (1-size)*linear + size*f.linear[best]
		best = move(w, hw, h, f.linear, best, size)
		gain := -size * (2*slope + size*curvature)
		if step >= 2 && gain <= least {
			return
		}
	}
}

// steepest is the vertex along which the objective falls fastest, the first of
// equal ones.
func steepest(hw, linear []float64) int {
	best, low := 0, hw[0]-linear[0]
	for i := range hw {
		if g := hw[i] - linear[i]; g < low {
			best, low = i, g
		}
	}
	return best
}

// move goes size of the way from w to vertex e, keeps hw = H·w, and returns
// the next steepest vertex.
func move(w, hw, h, linear []float64, e int, size float64) int {
	keep := 1 - size
	n := len(w)
	hw, h, linear = hw[:n], h[:n], linear[:n]
	best := 0
	var low float64
	for i := range n {
		w[i] *= keep
		x := keep*hw[i] + size*h[i]
		hw[i] = x
		if g := x - linear[i]; g < low || i == 0 {
			best, low = i, g
		}
	}
	w[e] += size
	return best
}

// sparse drops the weights up to a quarter of the largest and makes the others
// add up to 1 again.
func sparse(w []float64) {
	least := size(w...) / 4
	var sum float64
	for i, x := range w {
		if x <= least {
			w[i] = 0
		}
		sum += w[i]
	}
	scaleBy(w, 1/sum)
}

// normalised makes w add up to 1; where all are 0 they become equal.
func normalised(w []float64) []float64 {
	out := make([]float64, len(w))
	var sum float64
	for _, x := range w {
		sum += x
	}
	for i, x := range w {
		if out[i] = x / sum; sum == 0 {
			out[i] = 1 / float64(len(w))
		}
	}
	return out
}
