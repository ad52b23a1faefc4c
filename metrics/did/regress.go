package did

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// regression is weighted least squares on the rows that effects uses, with its
// unit and period effects absorbed: covariates first, then dummies of classes
// of rows that exclude each other. Dummies are never written out, so that many
// of them on many rows cost little.
type regression struct {
	effects *twoWay
	x       [][]float64 // covariates by row
	class   []int       // by row, −1 for none
	classes int
}

// fit is the answer of a regression. Its coefficients are numbered along the
// columns that could be estimated: covariates, then classes.
type fit struct {
	regression
	// column holds the coefficient of each covariate, then of each class; −1
	// where effects and earlier columns explain it.
	column []int
	// covariates is how many coefficients belong to covariates; the others
	// belong to classes.
	covariates int
	beta       []float64
	inverse    *mat.SymDense // (X̃'WX̃)⁻¹, X̃ being the columns less their effects
	tilde      [][]float64   // covariates less their effects, by coefficient
	// period[p*dummies+k] is the effect of period p on dummy k.
	period   []float64
	residual []float64 // by row, 0 where not used
	rows     int
	// weight is the total weight of the rows.
	weight float64
}

// A column is lost where what effects leave of its squared length, or what
// effects and earlier columns leave of that, is under these shares. Dummies
// have a share of their own because theirs is a difference of sums.
const (
	absorbedShare      = 1e-18
	absorbedDummyShare = 1e-10
	collinearShare     = 1e-10
)

// maxColumns bounds the matrix of coefficients.
const maxColumns = 2048

func (f *fit) table() *table { return f.effects.t }
func (f *fit) dummies() int  { return len(f.beta) - f.covariates }

// coefficient returns the coefficient of a class.
func (f *fit) coefficient(class int) (k int, ok bool) {
	k = f.column[len(f.x)+class]
	return k, k >= 0
}

// run solves the regression.
func (r regression) run() (*fit, error) {
	if n := len(r.x) + r.classes; n > maxColumns {
		return nil, refuse(ErrShape, "%d coefficients, over %d: use fewer covariates, or periods that are longer", n, maxColumns)
	}
	f := &fit{regression: r}
	f.count()
	y, err := r.effects.within(f.table().y)
	if err != nil {
		return nil, err
	}
	g, err := f.gram(y)
	if err != nil {
		return nil, err
	}
	if err := f.choose(g); err != nil {
		return nil, err
	}
	return f, f.solve(y)
}

func (f *fit) count() {
	for i, used := range f.effects.used {
		if used {
			f.rows++
			f.weight += f.table().weightOf(i)
		}
	}
}

// normal equations of all columns, the lost ones among them.
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
	inBlock := make([]float64, k)
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
			row := r.RawRowView(at)
			w := t.weightOf(i) / total
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
	return nil
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

// solve fills the residual and refines the coefficients once: what the columns
// still explain of the residual is rounding of the normal equations.
func (f *fit) solve(y []float64) error {
	if err := f.setResidual(y); err != nil {
		return err
	}
	left := make([]float64, len(f.beta))
	for k, tilde := range f.tilde {
		left[k] = f.product(tilde, f.residual)
	}
	for i, c := range f.class {
		if c >= 0 && f.effects.used[i] {
			if k, ok := f.coefficient(c); ok {
				left[k] += f.table().weightOf(i) * f.residual[i]
			}
		}
	}
	moved := false
	for a := range f.beta {
		var step float64
		for b := range left {
			step += f.inverse.At(a, b) * left[b]
		}
		f.beta[a] += step
		moved = moved || math.Abs(step) > 1e-15*math.Abs(f.beta[a])
	}
	if !moved {
		return nil
	}
	return f.setResidual(y)
}

func (f *fit) setResidual(y []float64) error {
	e := make([]float64, len(y))
	for i, c := range f.class {
		if c >= 0 {
			if k, ok := f.coefficient(c); ok {
				e[i] = f.beta[k]
			}
		}
	}
	if f.dummies() > 0 {
		var err error
		if e, err = f.effects.within(e); err != nil {
			return err
		}
	}
	for i := range e {
		e[i] = y[i] - e[i]
	}
	for k, tilde := range f.tilde {
		for i, x := range tilde {
			e[i] -= f.beta[k] * x
		}
	}
	f.residual = e
	return nil
}

// rowBuffer is what [fit.eachRow] writes to.
func (f *fit) rowBuffer() []float64 { return make([]float64, len(f.beta)+f.dummies()) }

// eachRow calls visit with the columns, less their effects, of every used row
// of block b. The row lies in buffer and is overwritten by the next one.
func (f *fit) eachRow(b int, buffer []float64, visit func(i int, row []float64)) {
	e, t, d := f.effects, f.table(), f.dummies()
	row, mean := buffer[:len(f.beta)], buffer[len(f.beta):]
	clear(mean)
	for i := e.start[b]; i < e.start[b+1]; i++ {
		if !e.used[i] {
			continue
		}
		w := t.weightOf(i) / e.weight[b]
		for k, x := range f.period[t.period[i]*d : (t.period[i]+1)*d] {
			mean[k] -= w * x
		}
		if k, ok := f.dummyOf(i); ok {
			mean[k] += w
		}
	}
	for i := e.start[b]; i < e.start[b+1]; i++ {
		if !e.used[i] {
			continue
		}
		for k, tilde := range f.tilde {
			row[k] = tilde[i]
		}
		for k, x := range f.period[t.period[i]*d : (t.period[i]+1)*d] {
			row[f.covariates+k] = -mean[k] - x
		}
		if k, ok := f.dummyOf(i); ok {
			row[f.covariates+k]++
		}
		visit(i, row)
	}
}

// dummyOf is the number of row i's dummy among the dummies kept.
func (f *fit) dummyOf(i int) (k int, ok bool) {
	if f.class == nil || f.class[i] < 0 {
		return 0, false
	}
	k, ok = f.coefficient(f.class[i])
	return k - f.covariates, ok
}

// whitener is L with L·L' = (X̃'WX̃)⁻¹: the rows of X̃L have the hat matrix as
// their products.
func (f *fit) whitener() (*mat.TriDense, error) {
	var chol mat.Cholesky
	if !chol.Factorize(f.inverse) {
		return nil, refuse(ErrNotIdentified, "the columns of the regression cannot be told apart")
	}
	lower := mat.NewTriDense(len(f.beta), mat.Lower, nil)
	chol.LTo(lower)
	return lower, nil
}
