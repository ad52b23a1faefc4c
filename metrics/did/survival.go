package did

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
}

// KaplanMeier estimates how long things last where some are still going on:
// durations[i] is how long i lasted, or how long it has been watched where
// observed[i] is false.
func KaplanMeier(durations []float64, observed []bool) (*Survival, error) {
	return nil, refuse(ErrOption, "being written")
}

// Quantile is the time by which a share q has ended; false where the curve
// does not come down that far.
func (s *Survival) Quantile(q float64) (float64, bool) { return 0, false }

// Median is Quantile(0.5).
func (s *Survival) Median() (float64, bool) { return s.Quantile(0.5) }

// SurvivalInterval bounds a quantile; a side that is open is 0.
type SurvivalInterval struct {
	Low, High         float64
	LowOpen, HighOpen bool
}

// QuantileInterval is the interval of a quantile by inverting pointwise
// log-type limits of the curve, as R's survfit does.
func (s *Survival) QuantileInterval(q, level float64) (SurvivalInterval, error) {
	return SurvivalInterval{}, refuse(ErrOption, "being written")
}
