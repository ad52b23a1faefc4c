package metrics

import "math"

// series gives the values of one outcome for any unit and any set of periods.
// Units and periods are indices into a [frame].
type series interface {
	// window is unit u's value over the periods: a median, a mean, or, on log
	// scales, the exponential of the mean logarithm. False where it does not
	// exist.
	window(u int, periods []int) (float64, bool)
	// logs is the mean over the periods of the period's mean logarithm.
	logs(u int, periods []int) (float64, bool)
	// point is the value of one period as estimators of staggered designs take
	// it.
	point(u, t int) (float64, bool)
}

// outcomeData is one outcome laid out on a frame.
type outcomeData struct {
	outcome Outcome
	measure string
	// geometric: several units are pooled by the geometric mean, because
	// values are exponentials of logarithms.
	geometric bool
	// plusOne: values stand for 1 + x and are shown less one.
	plusOne bool
	// logPoints: point is a logarithm, and an effect b on it reads as
	// 100·(exp(b) − 1) percent.
	logPoints bool
	series    series
	// counts is set for numbers of events, and nil for all else.
	counts *countSeries
	// exposed is what counts are counted over, a plural noun; empty where that is
	// nothing but units and periods.
	exposed string
	// usable[t] is false where the outcome cannot be known yet in period t;
	// nil means it can everywhere.
	usable []bool
	// unmeasured says that nothing is known of the outcome, and why; caveats
	// are what its values are not.
	unmeasured string
	// dropped says which values could not be computed with, to follow the words
	// that there is none; empty where all could.
	dropped string
	caveats []Reason
	sample  Sample
}

// shown is a window's value as a person reads it.
func (d *outcomeData) shown(x float64) float64 {
	if d.plusOne {
		return x - 1
	}
	return x
}

// pool is the unweighted mean of units' window values.
func (d *outcomeData) pool(xs []float64) float64 {
	if !d.geometric {
		return mean(xs)
	}
	var sum float64
	for _, x := range xs {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(xs)))
}

// over is the periods of in that can be known.
func (d *outcomeData) over(in []int) []int {
	if d.usable == nil {
		return in
	}
	var out []int
	for _, t := range in {
		if d.usable[t] {
			out = append(out, t)
		}
	}
	return out
}

func mean(xs []float64) float64 {
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// valueSeries is one value a unit and period, NaN where missing: a panel's
// column, or a rate counted from pull requests.
type valueSeries struct {
	scale  Scale
	values [][]float64 // by unit, then period
}

func (s *valueSeries) window(u int, periods []int) (float64, bool) {
	m, ok := s.mean(u, periods, func(x float64) float64 { return onScale(s.scale, x) })
	if ok && s.scale != ScaleLevel && s.scale != ScaleCount {
		m = math.Exp(m)
	}
	return m, ok
}

func (s *valueSeries) logs(u int, periods []int) (float64, bool) {
	scale := s.scale
	if scale == ScaleLevel || scale == ScaleCount {
		scale = ScaleLog
	}
	return s.mean(u, periods, func(x float64) float64 { return onScale(scale, x) })
}

func (s *valueSeries) point(u, t int) (float64, bool) {
	y := onScale(s.scale, s.values[u][t])
	return y, finite(y)
}

// mean is the mean of f over the periods that have a value; false where none
// has, or where f of a value that is there is not finite.
func (s *valueSeries) mean(u int, periods []int, f func(float64) float64) (float64, bool) {
	var sum float64
	n := 0
	for _, t := range periods {
		x := s.values[u][t]
		if math.IsNaN(x) {
			continue
		}
		y := f(x)
		if !finite(y) {
			return 0, false
		}
		sum += y
		n++
	}
	if n == 0 {
		return 0, false
	}
	return sum / float64(n), true
}

// onScale is x as a scale enters the estimators; not finite where it cannot.
func onScale(s Scale, x float64) float64 {
	switch s {
	case ScaleLog:
		return math.Log(x)
	case ScaleLog1p:
		return math.Log1p(x)
	default:
		return x
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// countSeries is events over an exposure by unit and period. exposure is nil
// where the data has none: every period of every unit then counts the same.
type countSeries struct {
	events   [][]float64 // NaN where missing
	exposure [][]float64
}

// sum adds up a side's events and exposure over the periods. seen counts the
// unit-periods behind it.
func (c *countSeries) sum(units, periods []int) (events, exposure float64, seen int) {
	for _, u := range units {
		for _, t := range periods {
			if math.IsNaN(c.events[u][t]) {
				continue
			}
			e := 1.0
			if c.exposure != nil {
				e = c.exposure[u][t]
				if math.IsNaN(e) {
					continue
				}
			}
			events += c.events[u][t]
			exposure += e
			seen++
		}
	}
	return events, exposure, seen
}

// rateSeries is events per unit of exposure: over a window, all of its events
// over all of its exposure, so that a quiet week weighs little.
type rateSeries struct {
	valueSeries
	counts *countSeries
}

func (s *rateSeries) window(u int, periods []int) (float64, bool) {
	events, exposure, seen := s.counts.sum([]int{u}, periods)
	if seen == 0 || exposure <= 0 {
		return 0, false
	}
	return events / exposure, true
}

// rates are the events per unit of exposure, NaN where there is none.
func (c *countSeries) rates() *rateSeries {
	out := make([][]float64, len(c.events))
	for u := range c.events {
		out[u] = make([]float64, len(c.events[u]))
		for t, x := range c.events[u] {
			if c.exposure != nil {
				x /= c.exposure[u][t]
			}
			if !finite(x) {
				x = math.NaN()
			}
			out[u][t] = x
		}
	}
	return &rateSeries{valueSeries{scale: ScaleLevel, values: out}, c}
}

// finitePtr is a pointer to x, nil where x is not finite.
func finitePtr(x float64) *float64 {
	if !finite(x) {
		return nil
	}
	return &x
}
