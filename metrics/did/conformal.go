package did

import (
	"math"
	"slices"
)

// ConformalScheme says which rearrangements of time [Conformal] compares with.
type ConformalScheme int

const (
	// MovingBlocks takes every run of neighbouring periods, around the end to
	// the beginning: it keeps the dependence between neighbours.
	MovingBlocks ConformalScheme = iota
	// AllPermutations takes every set of periods; it holds where periods are
	// independent.
	AllPermutations
)

// ConformalOptions are the choices of [Conformal].
type ConformalOptions struct {
	Scheme ConformalScheme
	// Level of confidence; 0 means 0.95.
	Level float64
	// Null is the constant effect that P tests.
	Null float64
	// Draws is the number of random sets of periods where there are more than
	// 20,000 to enumerate; 0 means 4,999. Seed makes them repeatable.
	Draws int
	Seed  uint64
}

// ConformalResult is the answer of [Conformal].
type ConformalResult struct {
	// Value is the difference in differences: mean after less mean before.
	Value float64
	// P is the p-value of the null effect, Floor the smallest it can be with
	// this many arrangements.
	P, Floor     float64
	Arrangements int
	// Exact says that all arrangements were compared, not a random part.
	Exact bool
	// Low and High bound the constant effects that are not rejected; LowOpen
	// and HighOpen say that there is no bound on that side, which is then 0.
	Low, High, Level  float64
	LowOpen, HighOpen bool
	// NoInterval says why there is no interval; empty where there is one.
	NoInterval string
}

const (
	// maxEnumerated bounds how many arrangements are all compared.
	maxEnumerated = 20_000
	// defaultArrangements are drawn where there are more.
	defaultArrangements = 4_999
	// maxArrangements bounds the draws, maxConformal the sums over them.
	maxArrangements = 100_000
	maxConformal    = 2_000
)

// Conformal is the permutation test over time of Chernozhukov, Wüthrich and Zhu
// ("An exact and robust conformal inference method for counterfactual and
// synthetic controls", 2021) for one treated unit: gap[t] is the treated unit
// less its comparison, of which the first before values lie before the start.
//
// Under a constant effect θ the gap less θ from the start on, less its own mean
// over all periods, should be no larger after the start than elsewhere. The
// statistic is the sum of absolute values over as many periods as lie after
// the start; P is the share of arrangements with at least that of the true one
// (random sets count the true one, too). The interval holds every θ that is not
// rejected, from the first to the last; its ends are exact, not from a grid.
//
// It is refused where even the smallest possible P is above 1 − level.
func Conformal(gap []float64, before int, o ConformalOptions) (ConformalResult, error) {
	level, err := checkLevel(o.Level)
	if err != nil {
		return ConformalResult{}, err
	}
	if err := checkConformal(gap, before, o); err != nil {
		return ConformalResult{}, err
	}
	c := newConformal(gap, before)
	sets, exact := c.arrangements(o)
	res := ConformalResult{
		Value: mean(gap[before:]) - mean(gap[:before]), Level: level,
		Arrangements: len(sets), Exact: exact, Floor: 1 / float64(len(sets)),
	}
	if res.Floor > (1-level)*(1+roundingNoise) {
		return ConformalResult{}, refuse(ErrLevel,
			"conformal test with %d arrangements of time: p is never under %.3f, so it cannot fall under %.4g", len(sets), res.Floor, 1-level)
	}
	atLeast := 0
	truth := c.sum(sets[0], o.Null)
	for _, set := range sets {
		if c.sum(set, o.Null) >= truth-c.slack {
			atLeast++
		}
	}
	res.P = float64(atLeast) / float64(len(sets))
	c.interval(&res, sets)
	return res, nil
}

func checkConformal(gap []float64, before int, o ConformalOptions) error {
	switch {
	case o.Scheme != MovingBlocks && o.Scheme != AllPermutations:
		return refuse(ErrOption, "unknown scheme %d", o.Scheme)
	case o.Draws < 0 || o.Draws > maxArrangements:
		return refuse(ErrOption, "%d draws: give 0 to %d", o.Draws, maxArrangements)
	case !finite(o.Null) || math.Abs(o.Null) > 1e150:
		return refuse(ErrOption, "null effect %v: give a finite number", o.Null)
	case before < 0 || before > len(gap):
		return refuse(ErrShape, "%d periods before the start in a gap of %d periods", before, len(gap))
	case before < 1 || before == len(gap):
		return refuse(ErrTooFewPeriods, "conformal test on %d periods before and %d after: it needs at least 1 on each side", before, len(gap)-before)
	case len(gap) > maxConformal:
		return refuse(ErrShape, "conformal test on %d periods, over %d: count in longer periods", len(gap), maxConformal)
	}
	if err := checkFinite("gap in period", gap); err != nil {
		return err
	}
	if size(gap...) > 1e150 {
		return refuse(ErrNotFinite, "gap of size %g is too large: rescale it", size(gap...))
	}
	return nil
}

// conformal holds the residuals at −θ·c.
type conformal struct {
	before int
	a, c   []float64
	scale  float64
	slack  float64
}

func newConformal(gap []float64, before int) *conformal {
	share := float64(len(gap)-before) / float64(len(gap))
	c := &conformal{before: before, a: centred(gap), c: make([]float64, len(gap)), scale: size(gap...)}
	for t := range c.c {
		c.c[t] = -share
		if t >= before {
			c.c[t] = 1 - share
		}
	}
	c.slack = tieSlack * c.scale * float64(len(gap))
	return c
}

// sum is the statistic of a set of periods at theta.
func (c *conformal) sum(set []int32, theta float64) float64 {
	var sum float64
	for _, t := range set {
		sum += math.Abs(c.a[t] - theta*c.c[t])
	}
	return sum
}

// arrangements are sets of periods, the true one first.
func (c *conformal) arrangements(o ConformalOptions) (sets [][]int32, exact bool) {
	n, after := len(c.a), len(c.a)-c.before
	if o.Scheme == MovingBlocks {
		for shift := range n {
			set := make([]int32, after)
			for k := range set {
				set[k] = int32((c.before + shift + k) % n)
			}
			sets = append(sets, set)
		}
		return sets, true
	}
	truth := make([]int, after)
	for k := range truth {
		truth[k] = c.before + k
	}
	return arrangementsOf(truth, n, maxEnumerated, o.Draws, o.Seed)
}

// interval fills the ends of the accepted effects. A set's statistic less the
// true one is linear in θ between the values at which some residual is 0, so
// where it is at least 0 is a union of intervals with known ends; the ends of
// all sets, in order, tell where more than α of them count.
func (c *conformal) interval(res *ConformalResult, sets [][]int32) {
	knots := make([]float64, len(c.a))
	for t := range knots {
		knots[t] = c.a[t] / c.c[t]
	}
	slices.Sort(knots)
	knots = slices.Compact(knots)
	absolute := make([][]float64, len(knots))
	for k, theta := range knots {
		absolute[k] = make([]float64, len(c.a))
		for t := range c.a {
			absolute[k][t] = math.Abs(c.a[t] - theta*c.c[t])
		}
	}
	var s sweep
	excess := make([]float64, len(knots))
	for _, set := range sets {
		var slope float64
		for k := range knots {
			var sum float64
			for i, t := range set {
				sum += absolute[k][t] - absolute[k][sets[0][i]]
			}
			excess[k] = sum
		}
		for i, t := range set {
			slope += math.Abs(c.c[t]) - math.Abs(c.c[sets[0][i]])
		}
		s.add(knots, excess, slope, c.slack)
	}
	low, high, ok := s.hull((1 - res.Level) * float64(len(sets)) * (1 + roundingNoise))
	switch {
	case !ok:
		res.NoInterval = "every constant effect is rejected: the periods after the start vary more than those before"
	case high-low <= 1e-10*c.scale:
		res.NoInterval = "the gap does not vary, so nothing shows the uncertainty"
	default:
		res.LowOpen, res.HighOpen = math.IsInf(low, -1), math.IsInf(high, 1)
		if !res.LowOpen {
			res.Low = low
		}
		if !res.HighOpen {
			res.High = high
		}
	}
}
