package did

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// HonestInput are the coefficients of an event study with their covariance, in
// order of time, without the reference period just before the start, whose
// coefficient is 0.
type HonestInput struct {
	Beta []float64
	// Covariance[i][j] is that of Beta[i] and Beta[j].
	Covariance [][]float64
	// Before is the number of coefficients before the start; the others are
	// from the start on.
	Before int
}

// HonestOptions are the choices of [RelativeMagnitudes] and [SmoothTrend].
type HonestOptions struct {
	// Level of confidence; 0 means 0.95.
	Level float64
	// Weights are those of the effect asked for, one a coefficient from the
	// start on; nil means the first alone. With weights 1/n it is their mean.
	Weights []float64
	// Bounds are the values M̄ (relative magnitudes) or M (smoothness) to try.
	Bounds []float64
}

// HonestInterval is what can be said where trends may differ by Bound.
type HonestInterval struct {
	Bound     float64
	Low, High float64
	// LowOpen and HighOpen say that the interval goes on beyond the values
	// tried, 20 standard errors to each side of 0; Low or High is then the last
	// of these.
	LowOpen, HighOpen bool
	// Empty says that every value was rejected: the data contradict the bound.
	Empty bool
}

// Honest is the answer of [RelativeMagnitudes] or [SmoothTrend].
type Honest struct {
	// Original is the estimate that takes trends to be parallel.
	Original  Estimate
	Intervals []HonestInterval
}

// honestGrid is the number of values tried, as in R's HonestDiD.
const honestGrid = 1000

// RelativeMagnitudes gives intervals that hold where trends after the start
// part from parallel by at most M̄ times as much, from one period to the next,
// as they did at most before it (Rambachan and Roth, "A more credible approach
// to parallel trends", 2023, ΔRM). It is the conditional test of Andrews, Roth
// and Pakes with a least-favourable first stage of size α/10 ("C-LF"), inverted
// over 1,000 values from −20 to 20 standard errors, with the conventions, the
// grid and the simulated critical values of the R package HonestDiD.
func RelativeMagnitudes(in HonestInput, o HonestOptions) (*Honest, error) {
	h, err := newHonest(in, o)
	if err != nil {
		return nil, err
	}
	for _, bound := range o.Bounds {
		r, err := h.relative(bound)
		if err != nil {
			return nil, err
		}
		h.result.Intervals = append(h.result.Intervals, r)
	}
	return &h.result, nil
}

// HonestBreakdown is how far trends may bend before the conclusion goes.
type HonestBreakdown struct {
	// Bound is the largest M̄, to 0.001, at which the interval excludes 0: 0
	// where it does not even with parallel trends, as Significant tells.
	Bound       float64
	Significant bool
	// Beyond says that the conclusion stands at the largest value tried.
	Beyond bool
}

// maxBreakdown is the largest M̄ that a search for the breakdown value tries.
const maxBreakdown = 100

// BreakdownMagnitude finds the breakdown value of [RelativeMagnitudes]; the
// options' bounds are not used.
func BreakdownMagnitude(in HonestInput, o HonestOptions) (HonestBreakdown, error) {
	o.Bounds = nil
	h, err := newHonest(in, o)
	if err != nil {
		return HonestBreakdown{}, err
	}
	excludes := func(bound float64) (bool, error) {
		sets, err := h.restrictions(bound)
		return err == nil && !anyAccepts(sets, 0), err
	}
	significant, err := excludes(0)
	if err != nil || !significant {
		return HonestBreakdown{}, err
	}
	low, high := 0.0, 0.5
	for {
		ok, err := excludes(high)
		if err != nil {
			return HonestBreakdown{}, err
		}
		if !ok {
			break
		}
		if high >= maxBreakdown {
			return HonestBreakdown{Bound: maxBreakdown, Significant: true, Beyond: true}, nil
		}
		low, high = high, min(2*high, maxBreakdown)
	}
	for high-low > 0.001 {
		middle := (low + high) / 2
		ok, err := excludes(middle)
		if err != nil {
			return HonestBreakdown{}, err
		}
		if ok {
			low = middle
		} else {
			high = middle
		}
	}
	return HonestBreakdown{Bound: low, Significant: true}, nil
}

// honest holds one run.
type honest struct {
	beta          []float64
	covariance    *mat.SymDense
	before, after int
	weights       []float64
	alpha         float64
	se            float64
	draws         map[int][]float64 // standard normal draws by number of moments
	result        Honest
}

func newHonest(in HonestInput, o HonestOptions) (*honest, error) {
	level, err := checkLevel(o.Level)
	if err != nil {
		return nil, err
	}
	n := len(in.Beta)
	if in.Before < 1 || in.Before >= n {
		return nil, refuse(ErrTooFewPeriods, "%d coefficients, %d of them before the start: at least 1 on each side is needed", n, in.Before)
	}
	if err := checkFinite("coefficient", in.Beta); err != nil {
		return nil, err
	}
	h := &honest{beta: in.Beta, before: in.Before, after: n - in.Before, alpha: 1 - level, draws: map[int][]float64{}}
	if h.weights, err = honestWeights(o.Weights, h.after); err != nil {
		return nil, err
	}
	if h.covariance, err = symmetric(in.Covariance, n); err != nil {
		return nil, err
	}
	for _, bound := range o.Bounds {
		if !finite(bound) || bound < 0 {
			return nil, refuse(ErrOption, "bound %v: give a number of at least 0", bound)
		}
	}
	w := append(make([]float64, in.Before), h.weights...)
	value := dot(w, in.Beta)
	variance := quadratic(h.covariance, w)
	h.se = math.Sqrt(variance)
	if h.result.Original = newEstimate(value, h.se, 0, level, size(in.Beta...)); !h.result.Original.HasSE {
		return nil, refuse(ErrZeroVariance, "the effect has no standard error, so nothing can be said about trends that bend")
	}
	return h, nil
}

func honestWeights(given []float64, after int) ([]float64, error) {
	if given == nil {
		first := make([]float64, after)
		first[0] = 1
		return first, nil
	}
	if len(given) != after {
		return nil, refuse(ErrShape, "%d weights for %d coefficients from the start on", len(given), after)
	}
	if err := checkFinite("weight", given); err != nil {
		return nil, err
	}
	if size(given...) == 0 {
		return nil, refuse(ErrOption, "all weights are 0")
	}
	return given, nil
}

// symmetric checks a covariance matrix.
func symmetric(rows [][]float64, n int) (*mat.SymDense, error) {
	if len(rows) != n {
		return nil, refuse(ErrShape, "covariance has %d rows for %d coefficients", len(rows), n)
	}
	s := mat.NewSymDense(n, nil)
	for i, row := range rows {
		if len(row) != n {
			return nil, refuse(ErrShape, "row %d of the covariance has %d entries for %d coefficients", i+1, len(row), n)
		}
		if err := checkFinite("entry of the covariance", row); err != nil {
			return nil, err
		}
		if row[i] <= 0 {
			return nil, refuse(ErrZeroVariance, "coefficient %d has variance %v: leave it out or give its variance", i+1, row[i])
		}
		for j := range i {
			if math.Abs(row[j]-rows[j][i]) > 1e-8*math.Sqrt(row[i]*rows[j][j]) {
				return nil, refuse(ErrShape, "covariance of coefficients %d and %d is %v one way and %v the other", i+1, j+1, row[j], rows[j][i])
			}
		}
		for j := i; j < n; j++ {
			s.SetSym(i, j, row[j])
		}
	}
	return s, nil
}

// quadratic is w'Sw.
func quadratic(s mat.Symmetric, w []float64) float64 {
	v := mat.NewVecDense(len(w), w)
	return mat.Inner(v, s, v)
}

// relative inverts the test at one bound.
func (h *honest) relative(bound float64) (HonestInterval, error) {
	sets, err := h.restrictions(bound)
	if err != nil {
		return HonestInterval{}, err
	}
	at := func(k int) float64 {
		return -20*h.se + float64(k)*(40*h.se/(honestGrid-1))
	}
	out := HonestInterval{Bound: bound}
	low := 0
	for low < honestGrid && !anyAccepts(sets, at(low)) {
		low++
	}
	if low == honestGrid {
		out.Empty = true
		return out, nil
	}
	high := honestGrid - 1
	for high > low && !anyAccepts(sets, at(high)) {
		high--
	}
	out.Low, out.High = at(low), at(high)
	out.LowOpen, out.HighOpen = low == 0, high == honestGrid-1
	return out, nil
}

// anyAccepts says whether theta passes the test of one of the restrictions
// whose union is the set of trends allowed.
func anyAccepts(sets []*conditionalTest, theta float64) bool {
	for _, s := range sets {
		if s.accepts(theta) {
			return true
		}
	}
	return false
}

// restrictions are ΔRM as a union: trends whose largest step before the start
// was that into period s, upwards or downwards.
func (h *honest) restrictions(bound float64) ([]*conditionalTest, error) {
	var sets []*conditionalTest
	for s := range h.before {
		for _, sign := range []float64{1, -1} {
			test, err := h.conditional(h.relativeMoments(s, sign*bound))
			if err != nil {
				return nil, err
			}
			sets = append(sets, test)
		}
	}
	return sets, nil
}

// relativeMoments are the rows of A with A·δ ≤ 0: no step from the start on is
// larger, either way, than factor times the step into the coefficient after s
// (the reference where s is the last).
func (h *honest) relativeMoments(s int, factor float64) [][]float64 {
	n := len(h.beta)
	var rows [][]float64
	for _, direction := range []float64{1, -1} {
		for j := range h.after {
			row := make([]float64, n)
			row[h.before+j] = direction
			if j > 0 {
				row[h.before+j-1] = -direction
			}
			row[s] += factor
			if s+1 < h.before {
				row[s+1] -= factor
			}
			rows = append(rows, row)
		}
	}
	return rows
}
