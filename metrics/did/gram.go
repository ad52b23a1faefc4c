package did

import "math"

// collinear is the share of a column's variation that must be left once the
// columns before it are known; below it the column is said to repeat them.
const collinear = 1e-11

// cholesky is a factor of a small symmetric positive definite matrix.
type cholesky struct {
	n int
	l []float64 // row-major; only the lower triangle counts
}

// newGram factors X'WX for the rows of x, width numbers each. It is false
// where a column repeats those before it, or where there are too few rows.
func newGram(x, w []float64, width int) (*cholesky, bool) {
	c := &cholesky{n: width, l: make([]float64, width*width)}
	for i, weight := range w {
		c.add(x[i*width:(i+1)*width], weight)
	}
	return c, c.factor()
}

// add adds weight·row·row' to the matrix.
func (c *cholesky) add(row []float64, weight float64) {
	for j, a := range row {
		a *= weight
		out := c.l[j*c.n : j*c.n+j+1]
		for k := range out {
			out[k] += a * row[k]
		}
	}
}

// factor turns the matrix in c.l into its factor.
func (c *cholesky) factor() bool {
	n, l := c.n, c.l
	for j := range n {
		row := l[j*n : j*n+j+1]
		whole := row[j]
		for k := range j {
			other := l[k*n : k*n+k+1]
			x := row[k]
			for m := range k {
				x -= row[m] * other[m]
			}
			row[k] = x / other[k]
		}
		left := whole
		for _, x := range row[:j] {
			left -= x * x
		}
		if !(left > collinear*whole) {
			return false
		}
		row[j] = math.Sqrt(left)
	}
	return true
}

// solve replaces v by the solution of the equations with right-hand side v.
func (c *cholesky) solve(v []float64) {
	n, l := c.n, c.l
	for j := range n {
		for k := range j {
			v[j] -= l[j*n+k] * v[k]
		}
		v[j] /= l[j*n+j]
	}
	for j := n - 1; j >= 0; j-- {
		for k := j + 1; k < n; k++ {
			v[j] -= l[k*n+j] * v[k]
		}
		v[j] /= l[j*n+j]
	}
}

// smallFit is a weighted least-squares fit on some rows: x'Wx is factored once for
// any number of outcomes.
type smallFit struct {
	x, w  []float64
	width int
	gram  *cholesky
}

func newFit(x, w []float64, width int) (*smallFit, bool) {
	gram, ok := newGram(x, w, width)
	return &smallFit{x: x, w: w, width: width, gram: gram}, ok
}

// coefficients regresses y on x. What the first solution leaves over is
// regressed once more: that gives back the digits which X'WX has lost.
func (f *smallFit) coefficients(y []float64) []float64 {
	beta := make([]float64, f.width)
	moment := make([]float64, f.width)
	for range 2 {
		clear(moment)
		for i, w := range f.w {
			row := f.x[i*f.width : (i+1)*f.width]
			e := w * (y[i] - dot(row, beta))
			for k, v := range row {
				moment[k] += e * v
			}
		}
		f.gram.solve(moment)
		for k, v := range moment {
			beta[k] += v
		}
	}
	return beta
}

// weightedMeans is Σ w·row / Σ w over the rows of x, and Σ w.
func weightedMeans(x, w []float64, width int) (means []float64, total float64) {
	means = make([]float64, width)
	for i, weight := range w {
		total += weight
		for k, v := range x[i*width : (i+1)*width] {
			means[k] += weight * v
		}
	}
	scaleBy(means, 1/total)
	return means, total
}

// weightedMean is Σ w·y / Σ w.
func weightedMean(y, w []float64) float64 {
	var sum, total float64
	for i, weight := range w {
		sum += weight * y[i]
		total += weight
	}
	return sum / total
}

// rectangle is a matrix of zeros as rows of one block.
func rectangle(rows, columns int) [][]float64 {
	cells := make([]float64, rows*columns)
	out := make([][]float64, rows)
	for i := range out {
		out[i] = cells[i*columns : (i+1)*columns : (i+1)*columns]
	}
	return out
}
