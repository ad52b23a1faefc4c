package did

import (
	"fmt"
	"math"
	"slices"
)

// SyntheticMethod says which weights [SyntheticControls] uses.
type SyntheticMethod int

const (
	// SyntheticDiD weighs comparison units and periods before the start, with
	// intercepts: the weighted comparison need only run parallel.
	SyntheticDiD SyntheticMethod = iota
	// SyntheticControl weighs comparison units alone, without an intercept:
	// the weighted comparison must lie on the treated units before the start.
	SyntheticControl
	// EqualWeights is plain difference in differences.
	EqualWeights
)

// SyntheticOptions are the choices of [SyntheticControls].
type SyntheticOptions struct {
	Method SyntheticMethod
	// Level of confidence; 0 means 0.95.
	Level float64
	// Placebos is the number of random placebo assignments behind the standard
	// error. 0 means each comparison unit once where one unit is treated, and
	// 200 otherwise. Seed makes random ones repeatable.
	Placebos int
	Seed     uint64
	// WarmPlacebos starts the weights of placebos from those of the treated
	// units, as the package synthdid does. Where there are fewer comparison
	// units than periods before, these fit the placebo unit already and the
	// standard error comes out far too small; it is there to reproduce numbers
	// that others published.
	WarmPlacebos bool
}

// Synthetic is the answer of [SyntheticControls].
type Synthetic struct {
	// Estimate is the mean effect over treated units and periods from their
	// start on. Its standard error is the spread of the placebo effects; HasSE
	// is false where no placebo is possible. The distribution is normal, or t
	// with one less degree of freedom than there are comparison units where
	// each of them was the placebo once.
	Estimate Estimate
	// Cohorts are the effects by first treated period, ascending.
	Cohorts []SyntheticCohort
	// Placebos are the effects found where comparison units were taken as if
	// they had been treated.
	Placebos []float64
	// EveryUnitOnce says that each comparison unit was the placebo once, rather
	// than at random. P is then (1 + number of placebo effects at least as
	// large) / (1 + their number), else 0.
	EveryUnitOnce bool
	P             float64
	Dropped       []Drop
	Warnings      []string
}

// SyntheticCohort is the effect on the units first treated in period First.
type SyntheticCohort struct {
	First  int
	Effect float64
	// Units and After count its treated units and its periods from First on.
	Units, After int
	// Curve is the gap between treated units and weighted comparison in each
	// period of the panel, less the weighted gap before the start; its mean
	// from First on is Effect.
	Curve []PeriodEffect
	// UnitWeights are by comparison unit, PeriodWeights by period before the
	// start; each adds up to 1 (the latter are all 0 for synthetic control).
	UnitWeights   []UnitWeight
	PeriodWeights []PeriodWeight
}

// PeriodEffect is a value in one period.
type PeriodEffect struct {
	Period int
	Value  float64
}

// UnitWeight is the weight of a unit, an index into Panel.First.
type UnitWeight struct {
	Unit   int
	Weight float64
}

// PeriodWeight is the weight of a period.
type PeriodWeight struct {
	Period int
	Weight float64
}

// SyntheticControls is synthetic difference in differences (Arkhangelsky,
// Athey, Hirshberg, Imbens and Wager, 2021), with synthetic control and plain
// difference in differences in the same frame, on a balanced panel.
//
// Conventions are those of the authors' package synthdid: the unit weights are
// held together by ζ = (treated units · treated periods)^¼ times the standard
// deviation of the comparison's first differences before the start, other
// weights by 10⁻⁶ times it; Frank–Wolfe steps from equal weights, 100 of them,
// then from the weights over a quarter of the largest until a step gains no
// more than (10⁻⁵ · noise)², at most 10,000. Placebo standard errors are its
// algorithm 4, √((R − 1)/R) times the placebo effects' standard deviation, with
// weights found anew for each placebo.
//
// With staggered starts each cohort is compared with the never-treated units,
// and cohorts are weighed by their treated unit-periods, as in Clarke,
// Pailañir, Athey and Imbens ("Synthetic difference-in-differences
// estimation", 2023).
func SyntheticControls(p Panel, o SyntheticOptions) (*Synthetic, error) {
	level, err := checkLevel(o.Level)
	if err != nil {
		return nil, err
	}
	if o.Method < SyntheticDiD || o.Method > EqualWeights {
		return nil, refuse(ErrOption, "unknown synthetic method %d", o.Method)
	}
	if o.Placebos < 0 || o.Placebos > maxPlacebos {
		return nil, refuse(ErrOption, "%d placebos: give 0 to %d", o.Placebos, maxPlacebos)
	}
	o.Level = level
	t, err := newTable(p)
	if err != nil {
		return nil, err
	}
	b, res, err := newBlocks(p, t, o.Method)
	if err != nil {
		return nil, err
	}
	for i := range b.cohorts {
		res.Cohorts = append(res.Cohorts, b.result(&b.cohorts[i]))
	}
	value := b.average()
	se := b.placebos(res, o, value)
	df := 0.0
	if res.EveryUnitOnce {
		df = float64(len(b.pool) - 1)
	}
	res.Estimate = newEstimate(value, se, df, level, t.scale)
	return res, nil
}

const maxPlacebos = 1_000_000

// blocks is a balanced panel as the synthetic methods read it.
type blocks struct {
	method  SyntheticMethod
	periods []int
	pool    [][]float64 // comparison units by period
	units   []int       // their indices in the panel
	cohorts []block
}

// block is one cohort with its weights.
type block struct {
	first, before int // first treated period, and its index
	size          int
	treated       []float64 // mean of its units by period
	noise         float64
	omega, lambda []float64
	effect        float64
}

// newBlocks sorts the units into cohorts and comparison and weighs each cohort.
func newBlocks(p Panel, t *table, method SyntheticMethod) (*blocks, *Synthetic, error) {
	b := &blocks{method: method, periods: t.periods}
	res := &Synthetic{}
	if err := t.checkComplete(p); err != nil {
		return nil, nil, err
	}
	early := Drop{Reason: "the unit is treated in or before the first period, so it has no period before treatment"}
	index := unitsWithRows(p)
	members := map[int][][]float64{}
	for u, first := range t.first {
		y := t.y[t.start[u]:t.start[u+1]]
		switch {
		case first <= t.periods[0]:
			early.Units++
			early.Rows += len(y)
			early.TreatedRows += len(y)
		case t.treated(first):
			members[first] = append(members[first], y)
		default:
			b.pool = append(b.pool, y)
			b.units = append(b.units, index[u])
		}
	}
	if early.Units > 0 {
		res.Dropped = append(res.Dropped, early)
	}
	if len(members) == 0 {
		return nil, nil, refuse(ErrNoTreated, "no unit is first treated after the first period (%d) and by the last (%d)", t.periods[0], t.lastPeriod())
	}
	if len(b.pool) < 2 {
		return nil, nil, refuse(ErrNoComparison, "synthetic weights need at least 2 never-treated units, found %d", len(b.pool))
	}
	for first, rows := range members {
		before, _ := slices.BinarySearch(t.periods, first)
		if before < 2 {
			return nil, nil, refuse(ErrTooFewPeriods, "units start in period %d with %d period before: synthetic weights need at least 2", first, before)
		}
		b.cohorts = append(b.cohorts, block{first: first, before: before, size: len(rows), treated: meanSeries(rows)})
	}
	slices.SortFunc(b.cohorts, func(x, y block) int { return x.first - y.first })
	for i := range b.cohorts {
		c := &b.cohorts[i]
		c.noise = b.noise(c.before)
		c.omega, c.lambda = b.weigh(c, b.pool, c.treated, nil, nil)
		c.effect = b.effect(c, b.pool, c.treated, c.omega, c.lambda)
	}
	return b, res, nil
}

// unitsWithRows lists the units that have rows, ascending.
func unitsWithRows(p Panel) []int {
	has := make([]bool, len(p.First))
	for _, u := range p.Unit {
		has[u] = true
	}
	var out []int
	for u, ok := range has {
		if ok {
			out = append(out, u)
		}
	}
	return out
}

func meanSeries(rows [][]float64) []float64 {
	out := make([]float64, len(rows[0]))
	for _, row := range rows {
		addTo(out, row)
	}
	scaleBy(out, 1/float64(len(rows)))
	return out
}

// noise is the standard deviation of the comparison's first differences over
// the first before periods.
func (b *blocks) noise(before int) float64 {
	var differences []float64
	for _, y := range b.pool {
		for t := 1; t < before; t++ {
			differences = append(differences, y[t]-y[t-1])
		}
	}
	return sampleSD(differences)
}

const (
	// The regularisation of weights that need none but a unique solution.
	hairPenalty = 1e-6
	// The steps before and after small weights are dropped, and the gain in
	// noise at which they end.
	firstSteps, allSteps = 100, 10_000
	leastGain            = 1e-5
)

// weigh finds the weights of pool and of the periods before c for a treated
// series, starting from the weights given (nil: equal ones).
func (b *blocks) weigh(c *block, pool [][]float64, treated, omega, lambda []float64) (units, periods []float64) {
	before, after := c.before, len(b.periods)-c.before
	if b.method == EqualWeights {
		return equalWeights(len(pool)), equalWeights(before)
	}
	columns := make([][]float64, len(pool))
	for i, y := range pool {
		columns[i] = y[:before]
	}
	zeta := hairPenalty
	if b.method == SyntheticDiD {
		zeta = math.Sqrt(math.Sqrt(float64(c.size * after)))
	}
	units = c.solve(columns, treated[:before], b.method == SyntheticDiD, zeta, omega)
	if b.method == SyntheticControl {
		return units, make([]float64, before)
	}
	columns = make([][]float64, before)
	for t := range columns {
		columns[t] = make([]float64, len(pool))
		for i, y := range pool {
			columns[t][i] = y[t]
		}
	}
	target := make([]float64, len(pool))
	for i, y := range pool {
		target[i] = mean(y[before:])
	}
	return units, c.solve(columns, target, true, hairPenalty, lambda)
}

// solve fits weights in two rounds of steps, dropping small weights between.
func (c *block) solve(columns [][]float64, target []float64, intercept bool, zeta float64, start []float64) []float64 {
	rows := float64(len(target))
	fit := newSimplexFit(columns, target, intercept, rows*zeta*zeta*c.noise*c.noise)
	least := rows * leastGain * leastGain * c.noise * c.noise
	w := slices.Clone(start)
	if w == nil {
		w = equalWeights(len(columns))
	}
	fit.improve(w, least, firstSteps)
	sparse(w)
	fit.improve(w, least, allSteps)
	return w
}

func equalWeights(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1 / float64(n)
	}
	return out
}

// effect is the weighted difference in differences.
func (b *blocks) effect(c *block, pool [][]float64, treated, omega, lambda []float64) float64 {
	change := func(y []float64) float64 { return mean(y[c.before:]) - dot(lambda, y[:c.before]) }
	value := change(treated)
	for i, y := range pool {
		if omega[i] != 0 {
			value -= omega[i] * change(y)
		}
	}
	return value
}

// average weighs cohorts by treated unit-periods.
func (b *blocks) average() float64 {
	effects := make([]float64, len(b.cohorts))
	for i, c := range b.cohorts {
		effects[i] = c.effect
	}
	return b.mean(effects)
}

func (b *blocks) mean(effects []float64) float64 {
	var sum, total float64
	for i, c := range b.cohorts {
		cells := float64(c.size * (len(b.periods) - c.before))
		sum += cells * effects[i]
		total += cells
	}
	return sum / total
}

// result is what is published of a cohort.
func (b *blocks) result(c *block) SyntheticCohort {
	out := SyntheticCohort{First: c.first, Effect: c.effect, Units: c.size, After: len(b.periods) - c.before}
	gap := slices.Clone(c.treated)
	for i, y := range b.pool {
		out.UnitWeights = append(out.UnitWeights, UnitWeight{Unit: b.units[i], Weight: c.omega[i]})
		for t := range gap {
			gap[t] -= c.omega[i] * y[t]
		}
	}
	base := dot(c.lambda, gap[:c.before])
	for t, g := range gap {
		out.Curve = append(out.Curve, PeriodEffect{Period: b.periods[t], Value: g - base})
		if t < c.before {
			out.PeriodWeights = append(out.PeriodWeights, PeriodWeight{Period: b.periods[t], Weight: c.lambda[t]})
		}
	}
	return out
}

// tooFewForPlacebos explains a missing standard error.
func tooFewForPlacebos(treated, pool int) string {
	return fmt.Sprintf("No standard error: placebos need more comparison units (%d) than treated ones (%d), and at least 3.", pool, treated)
}
