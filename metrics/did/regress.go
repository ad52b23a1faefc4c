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
	// tied marks coefficients that are told from others only because a dummy
	// was lost to earlier columns: they are relative to that dummy's rows.
	tied    []bool
	inverse *mat.SymDense // (X̃'WX̃)⁻¹, X̃ being the columns less their effects
	tilde   [][]float64   // covariates less their effects, by coefficient
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

// anchored is coefficient for a class whose rows are compared with those
// outside all classes, as those of a reference are.
func (f *fit) anchored(class int) (k int, ok bool) {
	k, ok = f.coefficient(class)
	return k, ok && !f.tied[k]
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
