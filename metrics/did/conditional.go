package did

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// conditionalTest tests whether an effect theta, with the other effects as
// they please, puts trends inside A·δ ≤ 0: the least of the largest studentised
// violations, given where it is attained (Andrews, Roth and Pakes, "Inference
// for linear conditional moment inequalities", 2023). Everything is divided by
// the moments' standard deviations.
type conditionalTest struct {
	y, one      []float64     // moments at theta = 0, and what theta takes off
	correlation *mat.SymDense // of the moments
	dual        *program      // max γ'y, γ ≥ 0, Σγ = 1, γ'X = 0
	free        bool          // dual has no solution: any theta is allowed
	nuisance    bool          // there are other effects
	critical    float64       // least-favourable critical value
	size        float64       // of the second stage
}

// hybridShare is the first stage's part of the size.
const hybridShare = 0.1

// conditional sets the test up for moments a·δ ≤ 0.
func (h *honest) conditional(a [][]float64) (*conditionalTest, error) {
	m, n := len(a), len(h.beta)
	flat := mat.NewDense(m, n, nil)
	for i, row := range a {
		flat.SetRow(i, row)
	}
	var half mat.Dense
	half.Mul(flat, h.covariance)
	covariance := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			covariance.SetSym(i, j, mat.Dot(half.RowView(i), flat.RowView(j)))
		}
	}
	kappa := hybridShare * h.alpha
	t := &conditionalTest{
		y: make([]float64, m), one: make([]float64, m), correlation: mat.NewSymDense(m, nil),
		nuisance: h.after > 1, size: (h.alpha - kappa) / (1 - kappa),
	}
	sd := make([]float64, m)
	for i := range m {
		sd[i] = math.Sqrt(covariance.At(i, i))
		if !(sd[i] > roundingNoise*h.se) {
			return nil, refuse(ErrZeroVariance, "a step between two coefficients has no variance, so the test of trends is not defined")
		}
	}
	for i := range m {
		for j := i; j < m; j++ {
			t.correlation.SetSym(i, j, covariance.At(i, j)/(sd[i]*sd[j]))
		}
	}
	// theta moves the effect of largest weight; the others move it against
	// themselves, so that the weighted effect stays theta.
	lead := 0
	for k, w := range h.weights {
		if math.Abs(w) > math.Abs(h.weights[lead]) {
			lead = k
		}
	}
	constraints := [][]float64{make([]float64, m)}
	for i, row := range a {
		constraints[0][i] = 1
		t.y[i] = dot(row, h.beta) / sd[i]
		t.one[i] = row[h.before+lead] / h.weights[lead] / sd[i]
	}
	for k, w := range h.weights {
		if k == lead {
			continue
		}
		x := make([]float64, m)
		for i, row := range a {
			x[i] = (row[h.before+k] - row[h.before+lead]*w/h.weights[lead]) / sd[i]
		}
		if s := size(x...); s > 0 {
			scaleBy(x, 1/s)
		}
		constraints = append(constraints, x)
	}
	right := make([]float64, len(constraints))
	right[0] = 1
	var ok bool
	if t.dual, ok = newProgram(constraints, right); !ok {
		t.free = true
		return t, nil
	}
	return t, t.leastFavourable(h, covariance, sd, kappa)
}

// referenceDraws is how many draws the reference package takes for a
// least-favourable critical value, with seed 0.
const referenceDraws = 1000

// leastFavourable is the critical value were all moments to bind: the quantile
// of the statistic over draws of the moments' noise, the same draws that R's
// HonestDiD takes.
func (t *conditionalTest) leastFavourable(h *honest, covariance *mat.SymDense, sd []float64, kappa float64) error {
	m := len(sd)
	root, err := squareRoot(covariance)
	if err != nil {
		return err
	}
	z := h.draws[m]
	if z == nil {
		r := newRRandom(0)
		z = make([]float64, referenceDraws*m)
		for i := range z {
			z[i] = r.normal()
		}
		h.draws[m] = z
	}
	statistics := make([]float64, referenceDraws)
	noise := mat.NewVecDense(m, nil)
	for k := range statistics {
		noise.MulVec(root, mat.NewVecDense(m, z[k*m:(k+1)*m]))
		v := noise.RawVector().Data
		for i := range v {
			v[i] /= sd[i]
		}
		statistics[k] = t.dual.maximise(v)
	}
	t.critical = sampleQuantile(statistics, 1-kappa)
	return nil
}

// squareRoot is the symmetric root of a covariance matrix that may be
// singular.
func squareRoot(s *mat.SymDense) (*mat.Dense, error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(s, true) {
		return nil, refuse(ErrNotIdentified, "the covariance of the steps between coefficients cannot be decomposed")
	}
	n := s.SymmetricDim()
	var v, scaled, root mat.Dense
	eigen.VectorsTo(&v)
	scaled.CloneFrom(&v)
	for j, x := range eigen.Values(nil) {
		for i := range n {
			scaled.Set(i, j, v.At(i, j)*math.Sqrt(max(x, 0)))
		}
	}
	root.Mul(&scaled, v.T())
	return &root, nil
}

// sampleQuantile interpolates between order statistics, R's default. It sorts
// xs.
func sampleQuantile(xs []float64, p float64) float64 {
	slices.Sort(xs)
	at := p * float64(len(xs)-1)
	k := min(int(at), len(xs)-2)
	if k < 0 {
		return xs[0]
	}
	return xs[k] + (at-float64(k))*(xs[k+1]-xs[k])
}

// accepts is the test of theta.
func (t *conditionalTest) accepts(theta float64) bool {
	if t.free {
		return true
	}
	y := make([]float64, len(t.y))
	for i := range y {
		y[i] = t.y[i] - t.one[i]*theta
	}
	eta := t.dual.maximise(y)
	if eta > t.critical {
		return false
	}
	gamma := make([]float64, len(y))
	for i, j := range t.dual.basis {
		gamma[j] = max(t.dual.value[i], 0)
	}
	variance := quadratic(t.correlation, gamma)
	if variance < 1e-14 {
		return !(eta > roundingNoise*size(y...))
	}
	direction := mat.NewVecDense(len(y), nil)
	direction.MulVec(t.correlation, mat.NewVecDense(len(y), gamma))
	slope := direction.RawVector().Data
	scaleBy(slope, 1/variance)
	rest := make([]float64, len(y))
	for i := range rest {
		rest[i] = y[i] - slope[i]*eta
	}
	low, high := t.between(rest, slope, eta)
	if t.nuisance {
		high = min(high, t.critical)
	}
	sd := math.Sqrt(variance)
	z := eta / sd
	if !(low/sd <= z && z <= high/sd) {
		return true
	}
	return z <= max(0, truncatedQuantile(1-t.size, low/sd, high/sd))
}

// between is where the statistic may lie as long as the same vertex attains it
// on rest + c·slope.
func (t *conditionalTest) between(rest, slope []float64, eta float64) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	for _, x := range t.dual.value {
		if x < 1e-9 {
			// Several bases share the vertex: ask the program itself.
			return t.edge(rest, slope, eta, -1), t.edge(rest, slope, eta, 1)
		}
	}
	t.dual.reduced(rest)
	atRest := slices.Clone(t.dual.cost)
	t.dual.reduced(slope)
	for j, s := range t.dual.cost {
		switch {
		case s > 1e-12:
			high = min(high, -atRest[j]/s)
		case s < -1e-12:
			low = max(low, -atRest[j]/s)
		}
	}
	return low, high
}

// edge is the end of that range on one side, by Newton steps: c is inside as
// long as the maximum of γ'(rest + c·slope) is c itself.
func (t *conditionalTest) edge(rest, slope []float64, eta, side float64) float64 {
	p := t.dual.clone()
	c := side * max(100, math.Abs(eta)+20)
	y := make([]float64, len(rest))
	for range 100 {
		for i := range y {
			y[i] = rest[i] + c*slope[i]
		}
		value := p.maximise(y)
		if value-c <= 1e-9*(1+math.Abs(c)) {
			if math.Abs(c) >= 100 {
				return math.Inf(int(side))
			}
			return c
		}
		var atRest, atSlope float64
		for i, j := range p.basis {
			atRest += p.value[i] * rest[j]
			atSlope += p.value[i] * slope[j]
		}
		next := atRest / (1 - atSlope)
		if !finite(next) || side*(c-next) <= 0 {
			return c
		}
		c = next
	}
	return c
}

// truncatedQuantile is the quantile of a standard normal variable that is
// known to lie between low and high.
func truncatedQuantile(p, low, high float64) float64 {
	if low < 0 && high <= 0 || high < -low {
		// Work in the upper tail, where small probabilities are exact.
		return -truncatedQuantile(1-p, -high, -low)
	}
	if low > 35 {
		// The tail is exponential there.
		width := (high - low) * (high + low) / 2
		return math.Sqrt(low*low - 2*math.Log1p(p*math.Expm1(-width)))
	}
	tail := upper(low) - p*(upper(low)-upper(high))
	q := -distuv.UnitNormal.Quantile(tail)
	return min(max(q, low), high)
}
