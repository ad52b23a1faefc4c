package did

import (
	"cmp"
	"math"
	"slices"
)

// Survival is a Kaplan–Meier curve. The slices run over the distinct
// durations, ascending.
type Survival struct {
	Time []float64
	// AtRisk are still under observation just before Time; Events ended at
	// it, Censored were last seen at it. An event at the same time as a
	// censoring comes first.
	AtRisk, Events, Censored []int
	// Probability is of lasting longer than Time.
	Probability []float64
	// N is the number of durations.
	N int

	// greenwood sums events / (at risk · survivors), the variance of the
	// logarithm of Probability; infinite once nobody is left.
	greenwood []float64
}

// KaplanMeier estimates how long things last where some are still going on:
// durations[i] is how long i lasted, or how long it has been watched where
// observed[i] is false (Kaplan and Meier, 1958).
func KaplanMeier(durations []float64, observed []bool) (*Survival, error) {
	if len(durations) != len(observed) {
		return nil, refuse(ErrShape, "%d durations and %d marks of what was observed", len(durations), len(observed))
	}
	if len(durations) == 0 {
		return nil, refuse(ErrTooFewUnits, "no durations")
	}
	if err := checkFinite("duration", durations); err != nil {
		return nil, err
	}
	order := make([]int, len(durations))
	for i, d := range durations {
		if d < 0 {
			return nil, refuse(ErrShape, "duration %d is %v: it ends before it starts", i+1, d)
		}
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(durations[a], durations[b]) })
	s := &Survival{N: len(durations)}
	alive, log := 1.0, 0.0
	for i := 0; i < len(order); {
		time, atRisk, events := durations[order[i]], len(order)-i, 0
		for ; i < len(order) && durations[order[i]] == time; i++ {
			if observed[order[i]] {
				events++
			}
		}
		left := atRisk - events
		alive *= float64(left) / float64(atRisk)
		if events > 0 {
			log += float64(events) / (float64(atRisk) * float64(left))
		}
		s.Time = append(s.Time, time)
		s.AtRisk = append(s.AtRisk, atRisk)
		s.Events = append(s.Events, events)
		s.Censored = append(s.Censored, len(order)-i)
		s.Probability = append(s.Probability, alive)
		s.greenwood = append(s.greenwood, log)
	}
	for k := range s.Censored { // what left at Time without an event
		next := 0
		if k+1 < len(s.AtRisk) {
			next = s.AtRisk[k+1]
		}
		s.Censored[k] = s.AtRisk[k] - s.Events[k] - next
	}
	return s, nil
}

// Quantile is the time by which a share q has ended; false where the curve
// does not come down that far. As in R's survfit, a curve that runs level at
// exactly 1 − q gives the middle of that step.
func (s *Survival) Quantile(q float64) (float64, bool) {
	return s.crossing(q, func(k int) float64 { return s.Probability[k] })
}

// Median is the time by which half has ended; false where less than half has.
func (s *Survival) Median() (float64, bool) { return s.Quantile(0.5) }

// SurvivalInterval bounds a quantile; an open side is 0.
type SurvivalInterval struct {
	Low, High         float64
	LowOpen, HighOpen bool
}

// QuantileInterval is the interval of a quantile: where the pointwise limits
// of the curve, taken on its logarithm with Greenwood's variance, come down to
// 1 − q (R's survfit with conf.type "log"). Level 0 means 0.95.
func (s *Survival) QuantileInterval(q, level float64) (SurvivalInterval, error) {
	level, err := checkLevel(level)
	if err != nil {
		return SurvivalInterval{}, err
	}
	z := quantile(1-(1-level)/2, 0)
	limit := func(sign float64) func(int) float64 {
		return func(k int) float64 {
			if s.Probability[k] == 0 {
				return math.NaN() // the curve has no limits here
			}
			return s.Probability[k] * math.Exp(sign*z*math.Sqrt(s.greenwood[k]))
		}
	}
	var r SurvivalInterval
	low, ok := s.crossing(q, limit(-1))
	r.Low, r.LowOpen = low, !ok
	high, ok := s.crossing(q, limit(1))
	r.High, r.HighOpen = high, !ok
	return r, nil
}

// levelSlack is survfit's slack for a curve that is level at the quantile.
const levelSlack = 1.4901161193847656e-8

// crossing is the first time at which curve is at most 1 − q.
func (s *Survival) crossing(q float64, curve func(int) float64) (float64, bool) {
	if !(q > 0 && q < 1) {
		return 0, false
	}
	target := 1 - q
	for k := range s.Time {
		y := curve(k)
		if !(y < target+levelSlack) {
			continue
		}
		if math.Abs(y-target) < levelSlack {
			for later := k + 1; later < len(s.Time); later++ {
				if curve(later) < y {
					return (s.Time[k] + s.Time[later]) / 2, true
				}
			}
		}
		return s.Time[k], true
	}
	return 0, false
}
