package did

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// SmoothTrend gives the shortest fixed-length intervals that hold where the
// slope of the difference in trends changes by at most M from one period to the
// next (Rambachan and Roth, 2023, ΔSD; M = 0 means a linear difference). The
// estimator is linear in the coefficients, its length the quantile of a folded
// normal variable with the largest bias it can have; unlike the reference
// package, which simulates that quantile and searches a grid, both the quantile
// and the search are exact.
func SmoothTrend(in HonestInput, o HonestOptions) (*Honest, error) {
	h, err := newHonest(in, o)
	if err != nil {
		return nil, err
	}
	path, err := h.trade()
	if err != nil {
		return nil, err
	}
	for _, bound := range o.Bounds {
		h.result.Intervals = append(h.result.Intervals, h.shortest(path, bound))
	}
	return &h.result, nil
}

// The weights on the coefficients before the start are second differences of
// v₁ … v_K: weight i is v_i − 2·v_{i−1} + v_{i−2}. The largest bias at M = 1 is
// a constant plus Σ|v_i|, and v_K is fixed so that a linear difference in
// trends cancels. Trading variance for bias is therefore a lasso in v₁ …
// v_{K−1}, whose solutions lie on a path of straight segments.

// corner is a vertex of that path.
type corner struct{ v []float64 }

// smoothBias is the part of the largest bias that comes from the periods from
// the start on, and the value of v_K.
func smoothBias(weights []float64) (constant, fixed float64) {
	n := len(weights)
	for j, w := range weights {
		fixed += float64(j+1) * w
	}
	for s := 1; s <= n; s++ {
		var sum float64
		for j := 1; j <= s; j++ {
			sum += float64(j) * weights[n-s+j-1]
		}
		constant += math.Abs(sum)
	}
	return constant - fixed, fixed
}

// trade finds the path from least bias to least variance.
func (h *honest) trade() ([]corner, error) {
	k := h.before
	_, fixed := smoothBias(h.weights)
	// variance(v) = v'Pv + 2·q'v + constant over all K entries.
	d := mat.NewDense(len(h.beta), k, nil)
	for i := range k {
		d.Set(i, i, 1)
		if i >= 1 {
			d.Set(i, i-1, -2)
		}
		if i >= 2 {
			d.Set(i, i-2, 1)
		}
	}
	post := mat.NewVecDense(len(h.beta), append(make([]float64, k), h.weights...))
	var half, p mat.Dense
	half.Mul(h.covariance, d)
	p.Mul(d.T(), &half)
	var q mat.VecDense
	q.MulVec(half.T(), post)
	l := &lassoPath{n: k - 1, p: &p, linear: make([]float64, k-1), scale: h.se * h.se}
	for i := range l.n {
		l.linear[i] = q.AtVec(i) + p.At(i, k-1)*fixed
	}
	path, err := l.corners()
	if err != nil {
		return nil, err
	}
	out := make([]corner, len(path))
	for i, v := range path {
		out[i].v = slices.Concat(v, []float64{fixed})
	}
	return out, nil
}

// estimator is the weights on all coefficients.
func (h *honest) estimator(v []float64) []float64 {
	w := append(make([]float64, h.before), h.weights...)
	for i, x := range v {
		w[i] += x
		if i+1 < len(v) {
			w[i+1] -= 2 * x
		}
		if i+2 < len(v) {
			w[i+2] += x
		}
	}
	return w
}

// shortest searches the path for the shortest interval; half its length is
// convex along it.
func (h *honest) shortest(path []corner, bound float64) HonestInterval {
	constant, _ := smoothBias(h.weights)
	half := func(w []float64, v []float64) float64 {
		bias := constant
		for _, x := range v {
			bias += math.Abs(x)
		}
		sd := math.Sqrt(max(quadratic(h.covariance, w), 0))
		if sd <= 1e-9*h.se {
			return bound * bias // nothing but the bias is left
		}
		return sd * foldedQuantile(1-h.alpha, bound*bias/sd)
	}
	at := func(position float64) ([]float64, float64) {
		k := min(int(position), len(path)-1)
		v := append([]float64{}, path[k].v...)
		if k+1 < len(path) {
			for i := range v {
				v[i] += (position - float64(k)) * (path[k+1].v[i] - v[i])
			}
		}
		w := h.estimator(v)
		return w, half(w, v)
	}
	low, high := 0.0, float64(len(path)-1)
	golden := (math.Sqrt(5) - 1) / 2
	for range 120 {
		a, b := high-golden*(high-low), low+golden*(high-low)
		_, fa := at(a)
		_, fb := at(b)
		if fa <= fb {
			high = b
		} else {
			low = a
		}
	}
	w, length := at((low + high) / 2)
	centre := dot(w, h.beta)
	return HonestInterval{Bound: bound, Low: centre - length, High: centre + length}
}

// foldedQuantile is the quantile of |N(mu, 1)|.
func foldedQuantile(p, mu float64) float64 {
	mu = math.Abs(mu)
	low, high := 0.0, mu+quantile(1-(1-p)/2, 0)+1
	for range 200 {
		x := (low + high) / 2
		if x <= low || x >= high {
			break
		}
		if upper(x-mu)+upper(x+mu) > 1-p {
			low = x
		} else {
			high = x
		}
	}
	return (low + high) / 2
}

// lassoPath is min ½v'Pv + linear'v + λ·Σ|v_i| for all λ, on the first n
// entries of P.
type lassoPath struct {
	n      int
	p      *mat.Dense
	linear []float64
	scale  float64 // of P's entries, for rounding
}

// corners are the solutions where the path turns, from v = 0 to λ = 0.
func (l *lassoPath) corners() ([][]float64, error) {
	v := make([]float64, l.n)
	path := [][]float64{append([]float64{}, v...)}
	signs := make([]float64, l.n) // 0 = not in the model
	lambda := size(l.linear...)
	first := 0
	for i, g := range l.linear {
		if math.Abs(g) > math.Abs(l.linear[first]) {
			first = i
		}
	}
	if l.n == 0 || lambda <= 1e-14*l.scale {
		return path, nil
	}
	signs[first] = -sign(l.linear[first])
	for range 100 * (l.n + 1) {
		from, per, err := l.segment(signs)
		if err != nil {
			return nil, err
		}
		next, change := l.event(signs, from, per, lambda)
		for i := range v {
			v[i] = from[i] + next*per[i]
		}
		path = append(path, append([]float64{}, v...))
		if change < 0 {
			return path, nil
		}
		lambda = next
		if signs[change] != 0 {
			signs[change] = 0
			continue
		}
		g := l.linear[change] + dot(l.p.RawRowView(change)[:l.n], v)
		signs[change] = -sign(g)
	}
	return nil, refuse(ErrNotIdentified, "the trade between bias and variance does not end: the covariance is nearly singular")
}

func sign(x float64) float64 { return math.Copysign(1, x) }

// segment is the solution as from + λ·per while the signs stay.
func (l *lassoPath) segment(signs []float64) (from, per []float64, err error) {
	var in []int
	for i, s := range signs {
		if s != 0 {
			in = append(in, i)
		}
	}
	from, per = make([]float64, l.n), make([]float64, l.n)
	if len(in) == 0 {
		return from, per, nil
	}
	a := mat.NewSymDense(len(in), nil)
	right := mat.NewDense(len(in), 2, nil)
	for r, i := range in {
		for c := r; c < len(in); c++ {
			a.SetSym(r, c, l.p.At(i, in[c]))
		}
		right.Set(r, 0, -l.linear[i])
		right.Set(r, 1, -signs[i])
	}
	var chol mat.Cholesky
	var solved mat.Dense
	if !chol.Factorize(a) || chol.SolveTo(&solved, right) != nil {
		return nil, nil, refuse(ErrNotIdentified, "the covariance of the coefficients before the start is singular")
	}
	for r, i := range in {
		from[i], per[i] = solved.At(r, 0), solved.At(r, 1)
	}
	return from, per, nil
}

// event is the next smaller λ at which an entry joins or leaves the model, and
// which; −1 where there is none above 0.
func (l *lassoPath) event(signs, from, per []float64, lambda float64) (next float64, change int) {
	change = -1
	slack := 1e-10 * lambda
	consider := func(at float64, i int) {
		if at > next && at < lambda-slack {
			next, change = at, i
		}
	}
	for i, s := range signs {
		if s != 0 {
			// Leaves where it crosses 0.
			if per[i] != 0 && s*per[i] > 0 {
				consider(-from[i]/per[i], i)
			}
			continue
		}
		// Joins where its gradient reaches ±λ.
		row := l.p.RawRowView(i)[:l.n]
		a, b := l.linear[i]+dot(row, from), dot(row, per)
		consider(a/(1-b), i)
		consider(-a/(1+b), i)
	}
	return next, change
}
