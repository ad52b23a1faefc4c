package did

import (
	"math"
	"slices"
)

// RandomizationStatistic is what [Randomization] compares.
type RandomizationStatistic int

const (
	// MeanDifference is the difference of mean changes.
	MeanDifference RandomizationStatistic = iota
	// StudentisedDifference is that divided by Welch's standard error. It
	// keeps its size better where treated and other units differ in spread, at
	// some cost in power (MacKinnon and Webb, 2020).
	StudentisedDifference
)

// RandomizationOptions are the choices of [Randomization].
type RandomizationOptions struct {
	Statistic RandomizationStatistic
	// Level of confidence; 0 means 0.95.
	Level float64
	// Draws is the number of random assignments where there are more than
	// 20,000 to enumerate; 0 means 4,999. Seed makes them repeatable.
	Draws int
	Seed  uint64
}

// RandomizationResult is the answer of [Randomization].
type RandomizationResult struct {
	// Value is the difference of mean changes, Statistic what was compared.
	Value, Statistic float64
	// P is the share of assignments with a statistic at least as large, in
	// absolute value, Floor the smallest it can be.
	P, Floor    float64
	Assignments int
	// Exact says that all assignments were compared, not a random part.
	Exact bool
	// Low and High bound the constant effects that are not rejected, for
	// [MeanDifference] only, as HasInterval says.
	Low, High, Level float64
	HasInterval      bool
}

// Randomization compares the difference between treated and other units with
// what every other assignment of as many units would have given (Fisher's
// exact test; for difference in differences MacKinnon and Webb, "Randomization
// inference for difference-in-differences with few treated clusters", 2020).
// changes are by unit, after less before.
//
// It is refused where even the smallest possible P is above 1 − level: with one
// treated unit a level of 95 % needs 20 units.
func Randomization(changes []float64, treated []bool, o RandomizationOptions) (RandomizationResult, error) {
	level, err := checkLevel(o.Level)
	if err != nil {
		return RandomizationResult{}, err
	}
	places, err := checkRandomization(changes, treated, o)
	if err != nil {
		return RandomizationResult{}, err
	}
	n, k := len(changes), len(places)
	sets, exact := arrangementsOf(places, n, maxEnumerated, o.Draws, o.Seed)
	res := RandomizationResult{Level: level, Assignments: len(sets), Exact: exact, Floor: 1 / float64(len(sets))}
	if exact && 2*k == n {
		res.Floor *= 2 // an assignment and its opposite differ by sign alone
	}
	if res.Floor > (1-level)*(1+roundingNoise) {
		return RandomizationResult{}, refuse(ErrLevel,
			"randomisation of %d treated among %d units: p is never under %.3f, so it cannot fall under %.4g", k, n, res.Floor, 1-level)
	}
	r := newRandomizer(changes, k)
	res.Value = r.difference(sets[0])
	res.Statistic = r.statistic(sets[0], o.Statistic)
	if !finite(res.Statistic) {
		return RandomizationResult{}, refuse(ErrZeroVariance, "the changes do not vary inside either group, so t is not defined")
	}
	slack := tieSlack * max(r.scale, math.Abs(res.Statistic))
	if o.Statistic == StudentisedDifference {
		slack = tieSlack * max(1, math.Abs(res.Statistic))
	}
	atLeast := 0
	for _, set := range sets {
		if math.Abs(r.statistic(set, o.Statistic)) >= math.Abs(res.Statistic)-slack {
			atLeast++
		}
	}
	res.P = float64(atLeast) / float64(len(sets))
	if o.Statistic == MeanDifference {
		r.interval(&res, sets)
	}
	return res, nil
}

func checkRandomization(changes []float64, treated []bool, o RandomizationOptions) (places []int, err error) {
	if len(treated) != len(changes) {
		return nil, refuse(ErrShape, "%d changes and %d treated marks: one of each a unit is needed", len(changes), len(treated))
	}
	if o.Statistic != MeanDifference && o.Statistic != StudentisedDifference {
		return nil, refuse(ErrOption, "unknown statistic %d", o.Statistic)
	}
	if o.Draws < 0 || o.Draws > maxArrangements {
		return nil, refuse(ErrOption, "%d draws: give 0 to %d", o.Draws, maxArrangements)
	}
	if err := checkFinite("change of unit", changes); err != nil {
		return nil, err
	}
	if size(changes...) > 1e150 {
		return nil, refuse(ErrNotFinite, "change of size %g is too large to be squared: rescale it", size(changes...))
	}
	for u, is := range treated {
		if is {
			places = append(places, u)
		}
	}
	others := len(changes) - len(places)
	switch {
	case len(places) == 0:
		return nil, refuse(ErrNoTreated, "no unit is treated")
	case others == 0:
		return nil, refuse(ErrNoComparison, "every unit is treated")
	case o.Statistic == StudentisedDifference && (len(places) < 2 || others < 2):
		return nil, refuse(ErrTooFewUnits, "randomisation of t with %d treated and %d other units: it needs 2 of each", len(places), others)
	}
	return places, nil
}

// randomizer works out statistics of assignments of k units.
type randomizer struct {
	y            []float64 // changes less their mean
	sum, squares float64
	k            int
	scale        float64
}

func newRandomizer(changes []float64, k int) *randomizer {
	r := &randomizer{y: centred(changes), k: k, scale: size(changes...)}
	for _, y := range r.y {
		r.sum += y
		r.squares += y * y
	}
	return r
}

func (r *randomizer) difference(set []int32) float64 {
	var in float64
	for _, u := range set {
		in += r.y[u]
	}
	return in/float64(r.k) - (r.sum-in)/float64(len(r.y)-r.k)
}

func (r *randomizer) statistic(set []int32, kind RandomizationStatistic) float64 {
	if kind == MeanDifference {
		return r.difference(set)
	}
	var in, inSquares float64
	for _, u := range set {
		in += r.y[u]
		inSquares += r.y[u] * r.y[u]
	}
	variance := func(sum, squares, n float64) float64 { return max(squares-sum*sum/n, 0) / (n - 1) / n }
	a, b := float64(r.k), float64(len(r.y)-r.k)
	v := variance(in, inSquares, a) + variance(r.sum-in, r.squares-inSquares, b)
	if v <= roundingNoise*roundingNoise*r.scale*r.scale {
		v = 0
	}
	difference := in/a - (r.sum-in)/b
	if v == 0 && math.Abs(difference) <= roundingNoise*r.scale {
		return 0
	}
	return difference / math.Sqrt(v)
}

// interval inverts the test. With the effect theta taken off the treated units,
// an assignment that shares some of them has the difference d − θ·a, the true
// one D − θ; it is at least as large between (D − d)/(1 − a) and (D + d)/(1 + a),
// which always holds D itself.
func (r *randomizer) interval(res *RandomizationResult, sets [][]int32) {
	treated := make([]bool, len(r.y))
	for _, u := range sets[0] {
		treated[u] = true
	}
	k, others := float64(r.k), float64(len(r.y)-r.k)
	lows := make([]float64, 0, len(sets))
	highs := make([]float64, 0, len(sets))
	for _, set := range sets {
		shared := 0.0
		for _, u := range set {
			if treated[u] {
				shared++
			}
		}
		a := shared/k - (k-shared)/others
		d := r.difference(set)
		if math.Abs(a) > 1-1e-9 { // the true assignment, or its opposite
			lows, highs = append(lows, math.Inf(-1)), append(highs, math.Inf(-1))
			continue
		}
		x, y := (res.Value-d)/(1-a), (res.Value+d)/(1+a)
		lows, highs = append(lows, min(x, y)), append(highs, -max(x, y))
	}
	slices.Sort(lows)
	slices.Sort(highs)
	m := int((1-res.Level)*float64(len(sets))*(1+roundingNoise) + 1e-9)
	if m >= len(sets) || math.IsInf(lows[m], 0) || math.IsInf(highs[m], 0) {
		return
	}
	res.Low, res.High = lows[m], -highs[m]
	if res.HasInterval = res.High-res.Low > 1e-10*r.scale; !res.HasInterval {
		res.Low, res.High = 0, 0
	}
}
