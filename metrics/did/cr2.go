package did

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// maxClusterRows bounds the matrices that CR2 takes roots of.
const maxClusterRows = 1500

// cr2 is the bias-reduced cluster sandwich of Bell and McCaffrey ("Bias
// reduction in standard errors for linear regression with multi-stage
// samples", 2002) in the form of Pustejovsky and Tipton (2018): with H the hat
// matrix of columns and effects, each cluster's residuals are multiplied by
// the symmetric root of the pseudo-inverse of (I − H) of the cluster, which
// makes the sandwich unbiased where rows are independent and equally noisy.
// Each target's degrees of freedom match the first two moments of its variance
// under the same assumption.
func (f *fit) cr2(c *clustering, targets *mat.Dense) (uncertainty, error) {
	if c.used < 2 {
		return uncertainty{refusal: "there is one cluster alone"}, nil
	}
	h, err := f.newLeverage()
	if err != nil {
		return uncertainty{}, err
	}
	n := len(f.beta)
	meat := mat.NewSymDense(n, nil)
	weights := mat.DenseCopyOf(f.inverse) // how targets weigh X̃'We
	if targets != nil {
		weights = new(mat.Dense)
		weights.Mul(f.inverse, targets)
	}
	_, width := weights.Dims()
	df := make([]moments, width)
	for k := range df {
		df[k].cross = mat.NewSymDense(h.width(), nil)
	}
	for g := range c.count() {
		part, err := f.clusterPart(h, c.members(g))
		if err != nil {
			return uncertainty{}, err
		}
		if part.rows == 0 {
			continue
		}
		if err := part.correct(); err != nil {
			return uncertainty{}, err
		}
		meat.SymRankOne(meat, 1, part.score())
		part.addMoments(df, weights)
	}
	u := uncertainty{v: f.sandwich(1, meat), joint: float64(c.used - 1)}
	for k := range df {
		u.df = append(u.df, df[k].degrees())
	}
	return u, nil
}

// clusterPart is one cluster's rows, all times the root of their weights.
type clusterPart struct {
	rows     int
	columns  *mat.Dense // X̃
	white    *mat.Dense // W with W·W' = H, but for the units' own part
	residual *mat.VecDense
	block    []int     // by row
	own      []float64 // √(weight/weight of block), by row
	root     *mat.SymDense
}

func (f *fit) clusterPart(h *leverage, blocks []int) (*clusterPart, error) {
	e, t := f.effects, f.table()
	p := &clusterPart{}
	for _, b := range blocks {
		for i := e.start[b]; i < e.start[b+1]; i++ {
			if e.used[i] {
				p.rows++
			}
		}
	}
	if p.rows > maxClusterRows {
		return nil, refuse(ErrShape, "a cluster of %d rows, over %d, is too large for CR2: use CR1", p.rows, maxClusterRows)
	}
	if p.rows == 0 {
		return p, nil
	}
	p.columns = mat.NewDense(p.rows, len(f.beta), nil)
	p.white = mat.NewDense(p.rows, h.width(), nil)
	p.residual = mat.NewVecDense(p.rows, nil)
	buffer := f.rowBuffer()
	at := 0
	for _, b := range blocks {
		h.setBlock(b)
		f.eachRow(b, buffer, func(i int, row []float64) {
			root := math.Sqrt(t.weightOf(i))
			for k, x := range row {
				p.columns.Set(at, k, root*x)
			}
			h.white(p.white.RawRowView(at), i, row, root)
			p.residual.SetVec(at, root*f.residual[i])
			p.block = append(p.block, b)
			p.own = append(p.own, root/math.Sqrt(e.weight[b]))
			at++
		})
	}
	return p, nil
}

// correct fills root with the symmetric root of the pseudo-inverse of I − H.
func (p *clusterPart) correct() error {
	var hat mat.SymDense
	hat.SymOuterK(-1, p.white)
	for i := range p.rows {
		for j := i; j < p.rows; j++ {
			if p.block[i] == p.block[j] {
				hat.SetSym(i, j, hat.At(i, j)-p.own[i]*p.own[j])
			}
		}
		hat.SetSym(i, i, 1+hat.At(i, i))
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(&hat, true) {
		return refuse(ErrNotIdentified, "a cluster's matrix I − H has no root: use CR1")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for k, v := range eigen.Values(nil) {
		// A value of 0 is a direction that effects or columns use up.
		scale := 0.0
		if v > collinearShare {
			scale = math.Pow(v, -0.25)
		}
		for i := range p.rows {
			vectors.Set(i, k, scale*vectors.At(i, k))
		}
	}
	p.root = mat.NewSymDense(p.rows, nil)
	p.root.SymOuterK(1, &vectors)
	return nil
}

// score is X̃'A·e.
func (p *clusterPart) score() *mat.VecDense {
	var corrected, score mat.VecDense
	corrected.MulVec(p.root, p.residual)
	score.MulVec(p.columns.T(), &corrected)
	return &score
}

// moments gathers, over clusters g, p(g)'p(g) and the squares of p(g)'p(h),
// where p(g) = (I − H)·v and v is the cluster's part of the target. For
// two clusters p(g)'p(h) is −a(g)'a(h), a being v in the whitened rows, so that
// a matrix of squares as wide as these is enough.
type moments struct {
	cross          *mat.SymDense // Σ a·a'
	trace, squares float64       // Σ p'p, Σ (p'p)² − (a'a)²
}

func (p *clusterPart) addMoments(df []moments, weights *mat.Dense) {
	var scaled, v, a mat.Dense
	scaled.Mul(p.columns, weights)
	v.Mul(p.root, &scaled)
	a.Mul(p.white.T(), &v)
	for k := range df {
		var own, total, aa float64
		sum, block := 0.0, p.block[0]
		for i := range p.rows {
			if p.block[i] != block {
				own += sum * sum
				sum, block = 0, p.block[i]
			}
			x := v.At(i, k)
			sum += p.own[i] * x
			total += x * x
		}
		own += sum * sum
		column := a.ColView(k)
		aa = mat.Dot(column, column)
		pp := total - own - aa
		df[k].trace += pp
		df[k].squares += pp*pp - aa*aa
		df[k].cross.SymRankOne(df[k].cross, 1, column)
	}
}

// degrees are Satterthwaite's degrees of freedom, which are 1 at least; 0 where
// nothing but rounding is left of the cluster's part.
func (m moments) degrees() float64 {
	total := m.squares
	n := m.cross.SymmetricDim()
	for i := range n {
		for j := range n {
			total += m.cross.At(i, j) * m.cross.At(i, j)
		}
	}
	if !(total > 0) || !(m.trace > 0) {
		return 0
	}
	if df := m.trace * m.trace / total; df > 0.999 {
		return df
	}
	return 0
}
