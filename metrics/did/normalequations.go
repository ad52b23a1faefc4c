package did

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// gram is the normal equations of all columns, the lost ones among them.
type gram struct {
	n     int
	cells []float64 // n·n, X̃'WX̃
	rhs   []float64 // X̃'Wy
	raw   []float64 // squared lengths of the columns before effects were taken out
	tilde [][]float64
	// period effects of the dummies, by period, then class
	period []float64
}

func (f *fit) gram(y []float64) (*gram, error) {
	p := len(f.x)
	g := &gram{n: p + f.classes}
	g.cells = make([]float64, g.n*g.n)
	g.rhs = make([]float64, g.n)
	g.raw = make([]float64, g.n)
	for k, column := range f.x {
		tilde, err := f.effects.within(column)
		if err != nil {
			return nil, err
		}
		g.tilde = append(g.tilde, tilde)
		g.raw[k] = f.spread(column)
	}
	for a := range p {
		for b := a; b < p; b++ {
			g.set(a, b, f.product(g.tilde[a], g.tilde[b]))
		}
		g.rhs[a] = f.product(g.tilde[a], y)
	}
	if f.classes == 0 {
		return g, nil
	}
	if err := f.dummyGram(g); err != nil {
		return nil, err
	}
	for i, c := range f.class {
		if c < 0 || !f.effects.used[i] {
			continue
		}
		w := f.table().weightOf(i)
		g.rhs[p+c] += w * y[i]
		for k := range p {
			g.cells[k*g.n+p+c] += w * g.tilde[k][i]
		}
	}
	for k := range p {
		for c := range f.classes {
			g.set(k, p+c, g.cells[k*g.n+p+c])
		}
	}
	return g, nil
}

func (g *gram) set(a, b int, v float64) {
	g.cells[a*g.n+b], g.cells[b*g.n+a] = v, v
}

// spread is the squared length of a column about its mean.
func (f *fit) spread(column []float64) float64 {
	var sum, squares float64
	for i, used := range f.effects.used {
		if used {
			sum += f.table().weightOf(i) * column[i]
		}
	}
	m := sum / f.weight
	for i, used := range f.effects.used {
		if used {
			squares += f.table().weightOf(i) * (column[i] - m) * (column[i] - m)
		}
	}
	return squares
}

// product is Σ weight·a·b; both are 0 where not used.
func (f *fit) product(a, b []float64) float64 {
	w := f.table().w
	if w == nil {
		return dot(a, b)
	}
	var sum float64
	for i, x := range a {
		sum += w[i] * x * b[i]
	}
	return sum
}

// dummyGram fills the block of the dummies: with n the weight of a class and
// R = its weight by period less what units explain, diag(n) − Σ over units of
// shares − R'S⁻¹R, S being the normal equations of the periods.
func (f *fit) dummyGram(g *gram) error {
	e, t, p := f.effects, f.table(), len(f.x)
	k, q := f.classes, e.equations
	r := mat.NewDense(max(q, 1), k, nil)
	f.sweepBlocks(g, r)
	for c := range k {
		g.cells[(p+c)*g.n+p+c] += g.raw[p+c]
	}
	g.period = make([]float64, len(t.periods)*k)
	if q == 0 {
		return nil
	}
	var solved, explained mat.Dense
	if err := e.chol.SolveTo(&solved, r); err != nil {
		return refuse(ErrNotIdentified, "unit and period effects cannot be told apart: %v", err)
	}
	explained.Mul(r.T(), &solved)
	for a := range k {
		for c := range k {
			g.cells[(p+a)*g.n+p+c] -= explained.At(a, c)
		}
	}
	for at, row := range e.free {
		if row >= 0 {
			copy(g.period[at*k:(at+1)*k], solved.RawRowView(row))
		}
	}
	return nil
}

// sweepBlocks goes through the blocks that hold a dummy's row: it adds up each
// dummy's weight, fills R, and takes out what the blocks' effects explain.
func (f *fit) sweepBlocks(g *gram, r *mat.Dense) {
	e, t, p := f.effects, f.table(), len(f.x)
	inBlock := make([]float64, f.classes)
	var seen []int
	for b, total := range e.weight {
		seen = seen[:0]
		for i := e.start[b]; i < e.start[b+1]; i++ {
			c := f.class[i]
			if !e.used[i] || c < 0 {
				continue
			}
			w := t.weightOf(i)
			if inBlock[c] == 0 {
				seen = append(seen, c)
			}
			inBlock[c] += w
			g.raw[p+c] += w
			if at := e.free[t.period[i]]; at >= 0 {
				r.RawRowView(at)[c] += w
			}
		}
		if len(seen) == 0 {
			continue
		}
		for i := e.start[b]; i < e.start[b+1]; i++ {
			at := e.free[t.period[i]]
			if !e.used[i] || at < 0 {
				continue
			}
			row, w := r.RawRowView(at), t.weightOf(i)/total
			for _, c := range seen {
				row[c] -= w * inBlock[c]
			}
		}
		for _, a := range seen {
			for _, c := range seen {
				g.cells[(p+a)*g.n+p+c] -= inBlock[a] * inBlock[c] / total
			}
		}
		for _, c := range seen {
			inBlock[c] = 0
		}
	}
}

// choose keeps the columns that effects and earlier columns do not explain,
// and inverts their normal equations, scaled to a diagonal of ones.
func (f *fit) choose(g *gram) error {
	keep := make([]int, 0, g.n)
	for k := range g.n {
		share := absorbedShare
		if k >= len(f.x) {
			share = absorbedDummyShare
		}
		if d := g.cells[k*g.n+k]; d > share*g.raw[k] {
			keep = append(keep, k)
		}
	}
	scaled, scale := g.scaled(keep)
	var chol mat.Cholesky
	if len(keep) > 0 && (!chol.Factorize(scaled) || leastPivot(&chol) < collinearShare) {
		keep = g.independent(keep)
		scaled, scale = g.scaled(keep)
		if len(keep) > 0 && !chol.Factorize(scaled) {
			return refuse(ErrNotIdentified, "the columns of the regression cannot be told apart")
		}
	}
	f.column = make([]int, g.n)
	for k := range f.column {
		f.column[k] = -1
	}
	for j, k := range keep {
		f.column[k] = j
		if k < len(f.x) {
			f.covariates++
			f.tilde = append(f.tilde, g.tilde[k])
		}
	}
	f.beta = make([]float64, len(keep))
	f.keepPeriods(g, keep)
	if len(keep) == 0 {
		return nil
	}
	f.inverse = mat.NewSymDense(len(keep), nil)
	if err := chol.InverseTo(f.inverse); err != nil && !finite(f.inverse.At(0, 0)) {
		return refuse(ErrNotIdentified, "the columns of the regression cannot be told apart: %v", err)
	}
	for a := range keep {
		for b := a; b < len(keep); b++ {
			f.inverse.SetSym(a, b, f.inverse.At(a, b)/(scale[a]*scale[b]))
		}
	}
	for a := range keep {
		for b, k := range keep {
			f.beta[a] += f.inverse.At(a, b) * g.rhs[k]
		}
	}
	f.tie(g, keep)
	return nil
}

// tieShare is how much of a lost dummy a column must explain to count as tied
// to it; dummies are made of ones, so that shares are, too.
const tieShare = 1e-6

// tie marks the kept columns that explain a lost dummy, but for dummies that
// effects alone explain.
func (f *fit) tie(g *gram, keep []int) {
	f.tied = make([]bool, len(keep))
	for lost := len(f.x); lost < g.n; lost++ {
		if f.column[lost] >= 0 || g.cells[lost*g.n+lost] <= absorbedDummyShare*g.raw[lost] {
			continue
		}
		for a := range keep {
			var share float64
			for b, k := range keep {
				share += f.inverse.At(a, b) * g.cells[k*g.n+lost]
			}
			f.tied[a] = f.tied[a] || math.Abs(share) > tieShare
		}
	}
}

// keepPeriods copies the period effects of the dummies that were kept.
func (f *fit) keepPeriods(g *gram, keep []int) {
	d := f.dummies()
	f.period = make([]float64, len(f.table().periods)*d)
	for at := range f.table().periods {
		for j, k := range keep[f.covariates:] {
			f.period[at*d+j] = g.period[at*f.classes+k-len(f.x)]
		}
	}
}

// scaled is the part of the normal equations that belongs to keep, with ones
// on its diagonal.
func (g *gram) scaled(keep []int) (*mat.SymDense, []float64) {
	if len(keep) == 0 {
		return nil, nil
	}
	scale := make([]float64, len(keep))
	for j, k := range keep {
		scale[j] = math.Sqrt(g.cells[k*g.n+k])
	}
	s := mat.NewSymDense(len(keep), nil)
	for a, k := range keep {
		for b := a; b < len(keep); b++ {
			s.SetSym(a, b, g.cells[k*g.n+keep[b]]/(scale[a]*scale[b]))
		}
	}
	return s, scale
}

// leastPivot is the smallest squared diagonal element of a factor.
func leastPivot(chol *mat.Cholesky) float64 {
	var u mat.TriDense
	chol.UTo(&u)
	n, _ := u.Dims()
	least := math.Inf(1)
	for i := range n {
		least = min(least, u.At(i, i)*u.At(i, i))
	}
	return least
}

// independent returns the columns of keep that earlier ones do not explain:
// Cholesky's algorithm, passing over what it cannot divide by.
func (g *gram) independent(keep []int) []int {
	var out []int
	var factor [][]float64
	for _, k := range keep {
		row := make([]float64, len(out)+1)
		left := 1.0
		for j, kept := range out {
			x := g.cells[k*g.n+kept] / math.Sqrt(g.cells[k*g.n+k]*g.cells[kept*g.n+kept])
			for l := range j {
				x -= row[l] * factor[j][l]
			}
			row[j] = x / factor[j][j]
			left -= row[j] * row[j]
		}
		if left < collinearShare {
			continue
		}
		row[len(out)] = math.Sqrt(left)
		out = append(out, k)
		factor = append(factor, row)
	}
	return out
}
