package did

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// plainFit is ordinary least squares without absorbed effects.
type plainFit struct {
	x        *mat.Dense // rows × columns
	beta     []float64
	inverse  *mat.SymDense // (X'X)⁻¹
	residual []float64
	scale    float64 // of the outcome
}

// maxPlainCells bounds the memory of the columns.
const maxPlainCells = 1 << 27

// newPlainFit regresses y on a constant and columns, by QR. A column that the
// others explain is an error.
func newPlainFit(y []float64, columns ...[]float64) (*plainFit, error) {
	n, k := len(y), len(columns)+1
	if n*k > maxPlainCells {
		return nil, refuse(ErrShape, "%d rows by %d columns take too much memory", n, k)
	}
	if n < k {
		return nil, refuse(ErrTooFewUnits, "%d rows for %d coefficients", n, k)
	}
	f := &plainFit{x: mat.NewDense(n, k, nil), beta: make([]float64, k), scale: size(y...)}
	scaled := mat.NewDense(n, k, nil)
	length := make([]float64, k)
	for i := range y {
		f.x.Set(i, 0, 1)
		for j, column := range columns {
			f.x.Set(i, j+1, column[i])
		}
	}
	for j := range k {
		length[j] = mat.Norm(f.x.ColView(j), 2)
		if length[j] == 0 {
			return nil, refuse(ErrNotIdentified, "column %d of the regression is 0 throughout", j)
		}
		for i := range n {
			scaled.Set(i, j, f.x.At(i, j)/length[j])
		}
	}
	var qr mat.QR
	qr.Factorize(scaled)
	var r mat.Dense
	qr.RTo(&r)
	for j := range k {
		if math.Abs(r.At(j, j)) < math.Sqrt(collinearShare)*1e-3 {
			return nil, refuse(ErrNotIdentified, "column %d of the regression is explained by the others", j)
		}
	}
	var beta mat.VecDense
	if err := qr.SolveVecTo(&beta, false, mat.NewVecDense(n, y)); err != nil && beta.Len() == 0 {
		return nil, refuse(ErrNotIdentified, "the columns of the regression cannot be told apart: %v", err)
	}
	upper := mat.NewTriDense(k, mat.Upper, nil)
	for a := range k {
		for b := a; b < k; b++ {
			upper.SetTri(a, b, r.At(a, b)*length[b])
		}
	}
	var root mat.TriDense
	if err := root.InverseTri(upper); err != nil {
		return nil, refuse(ErrNotIdentified, "the columns of the regression cannot be told apart: %v", err)
	}
	f.inverse = mat.NewSymDense(k, nil)
	f.inverse.SymOuterK(1, &root)
	for j := range k {
		f.beta[j] = beta.AtVec(j) / length[j]
	}
	f.residual = make([]float64, n)
	for i := range y {
		f.residual[i] = y[i]
		for j, v := range f.x.RawRowView(i) {
			f.residual[i] -= f.beta[j] * v
		}
	}
	return f, nil
}

func (f *plainFit) rows() int { return len(f.residual) }

// left is N − K.
func (f *plainFit) left() float64 { return float64(f.rows() - len(f.beta)) }

// influence is how row i moves coefficient k, over its residual.
func (f *plainFit) influence(k, i int) float64 {
	var sum float64
	for j, v := range f.x.RawRowView(i) {
		sum += f.inverse.At(k, j) * v
	}
	return sum
}

// leverage is the diagonal of the hat matrix.
func (f *plainFit) leverage(i int) float64 {
	row := f.x.RawRowView(i)
	var sum float64
	for k, v := range row {
		sum += v * f.influence(k, i)
	}
	return sum
}

// homoskedastic, hc3 and cr1 are standard errors of coefficient k, 0 where
// there is none.
func (f *plainFit) homoskedastic(k int) float64 {
	if f.left() < 1 {
		return 0
	}
	return math.Sqrt(dot(f.residual, f.residual) / f.left() * f.inverse.At(k, k))
}

func (f *plainFit) hc3(k int) float64 {
	var sum float64
	for i, e := range f.residual {
		rest := 1 - f.leverage(i)
		if rest < collinearShare {
			continue // the row's own coefficient uses it up
		}
		v := f.influence(k, i) * e / rest
		sum += v * v
	}
	return math.Sqrt(sum)
}

// cr1 has the factor G/(G−1)·(N−1)/(N−K); cluster numbers run from 0.
func (f *plainFit) cr1(k int, cluster []int, clusters int) float64 {
	if clusters < 2 || f.left() < 1 {
		return 0
	}
	sums := make([]float64, clusters)
	for i, e := range f.residual {
		sums[cluster[i]] += f.influence(k, i) * e
	}
	g := float64(clusters)
	return math.Sqrt(dot(sums, sums) * g / (g - 1) * float64(f.rows()-1) / f.left())
}

// estimate is coefficient k with a standard error.
func (f *plainFit) estimate(k int, se, df, level float64) Estimate {
	return newEstimate(f.beta[k], se, df, level, f.scale*math.Sqrt(f.inverse.At(k, k)))
}

// clusterForm gathers what the wild bootstrap needs of coefficient k.
func (f *plainFit) clusterForm(k int, cluster []int, clusters int) (*clusterForm, error) {
	c := &clusterForm{effect: f.beta[k], total: 1 / f.inverse.At(k, k), rows: float64(f.rows()), freedom: f.left()}
	// The other columns' part of the normal equations, to whiten them.
	n := len(f.beta) - 1
	others := make([]int, 0, n)
	for j := range f.beta {
		if j != k {
			others = append(others, j)
		}
	}
	gram := mat.NewSymDense(n, nil)
	scale := make([]float64, n)
	for a, j := range others {
		scale[a] = mat.Norm(f.x.ColView(j), 2)
	}
	for a := range n {
		for b := a; b < n; b++ {
			gram.SetSym(a, b, mat.Dot(f.x.ColView(others[a]), f.x.ColView(others[b]))/(scale[a]*scale[b]))
		}
	}
	var chol mat.Cholesky
	var lower, white mat.TriDense
	if !chol.Factorize(gram) {
		return nil, refuse(ErrNotIdentified, "the covariates of the regression cannot be told apart")
	}
	chol.LTo(&lower)
	if err := white.InverseTri(&lower); err != nil {
		return nil, refuse(ErrNotIdentified, "the covariates of the regression cannot be told apart: %v", err)
	}
	c.own, c.score = make([]float64, clusters), make([]float64, clusters)
	sumD, sumY := rectangle(clusters, n), rectangle(clusters, n)
	for i, e := range f.residual {
		g := cluster[i]
		d := f.influence(k, i) * c.total
		y := e + c.effect*d
		c.own[g] += d * d
		c.score[g] += d * y
		for a, j := range others {
			x := f.x.At(i, j) / scale[a]
			sumD[g][a] += d * x
			sumY[g][a] += y * x
		}
	}
	for g := range clusters {
		var left, right mat.VecDense
		left.MulVec(&white, mat.NewVecDense(n, sumD[g]))
		right.MulVec(&white, mat.NewVecDense(n, sumY[g]))
		c.left = append(c.left, left.RawVector().Data)
		c.right = append(c.right, right.RawVector().Data)
	}
	c.setScale()
	return c, nil
}
