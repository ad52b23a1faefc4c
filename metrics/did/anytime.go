package did

import "math"

// AnytimeOptions are the choices of [AnytimeSequence].
type AnytimeOptions struct {
	// Level of confidence over all looks together; 0 means 0.95.
	Level float64
	// Horizon is the number of periods after the start at which the intervals
	// shall be shortest; they hold at any other time, too. 0 means half as many
	// as lie before the start.
	Horizon int
	// Independent takes the periods to be independent. Otherwise a first-order
	// autocorrelation is estimated on the periods before the start and taken
	// out.
	Independent bool
}

// Anytime is the answer of [AnytimeSequence].
type Anytime struct {
	// Looks are after each period from the start on.
	Looks []Look
	// Autocorrelation is what was taken out, 0 where periods count as
	// independent.
	Autocorrelation float64
	Level           float64
}

// Look is what may be said after Period periods from the start on, however
// often one has looked before.
type Look struct {
	Period int
	// Value is the effect so far.
	Value float64
	// Low and High bound it; with Open there is no bound yet.
	Low, High float64
	Open      bool
	// E is the evidence against no effect, as odds; P is the smallest 1/E so
	// far, at most 1. Both may be read at any time.
	E, P float64
}

// minAnytime is the fewest periods before the start.
const minAnytime = 8

// maxOdds keeps E a number.
const maxOdds = 1e300

// AnytimeSequence gives intervals and p-values for one treated unit that may be
// looked at after every period, and acted on at any of them: with probability
// level all intervals hold the effect at once. gap[t] is the treated unit less
// its comparison; the first before values lie before the start.
//
// It is the normal mixture of Robbins for a regression with unknown variance
// (Lindon, Ham, Tingley and Bojinov, "Anytime-valid linear models and
// regression adjusted causal inference", 2022): with z² the information on the
// effect, ν degrees of freedom and φ the mixture's precision,
//
//	E = √(φ/(φ+z²)) · ((1 + t²/ν) / (1 + φ/(φ+z²)·t²/ν))^((ν+1)/2)
//
// It assumes a constant effect and normal noise of constant variance whose only
// dependence is the autocorrelation taken out. That one is estimated on the
// periods before the start alone, corrected for its bias and raised by one
// standard error, so that the guarantee is no longer exact; its size is
// simulated in docs/methods.
func AnytimeSequence(gap []float64, before int, o AnytimeOptions) (*Anytime, error) {
	level, err := checkLevel(o.Level)
	if err != nil {
		return nil, err
	}
	if err := checkAnytime(gap, before, o); err != nil {
		return nil, err
	}
	res := &Anytime{Level: level}
	if !o.Independent {
		res.Autocorrelation = cautiousAutocorrelation(gap[:before])
	}
	horizon := o.Horizon
	if horizon == 0 {
		horizon = max(before/2, 1)
	}
	m := &mixture{gap: gap, before: before, rho: res.Autocorrelation, alpha: 1 - level}
	m.tune(horizon)
	smallest := 1.0
	for after := 1; before+after <= len(gap); after++ {
		look, ok := m.look(after)
		if !ok {
			return nil, refuse(ErrZeroVariance, "the gap does not vary, so nothing shows the uncertainty")
		}
		smallest = min(smallest, 1/look.E)
		look.P = smallest
		res.Looks = append(res.Looks, look)
	}
	return res, nil
}

func checkAnytime(gap []float64, before int, o AnytimeOptions) error {
	switch {
	case o.Horizon < 0 || o.Horizon > 1_000_000:
		return refuse(ErrOption, "horizon of %d periods: give 0 to 1,000,000", o.Horizon)
	case before < 0 || before > len(gap):
		return refuse(ErrShape, "%d periods before the start in a gap of %d periods", before, len(gap))
	case before < minAnytime || before == len(gap):
		return refuse(ErrTooFewPeriods, "anytime-valid sequence on %d periods before and %d after: it needs at least %d before and 1 after",
			before, len(gap)-before, minAnytime)
	}
	if err := checkFinite("gap in period", gap); err != nil {
		return err
	}
	if size(gap...) > 1e150 {
		return refuse(ErrNotFinite, "gap of size %g is too large to be squared: rescale it", size(gap...))
	}
	return nil
}

// cautiousAutocorrelation is the autocorrelation of xs, corrected for the bias
// of a short series (Kendall, 1954) and raised by a standard error: too little
// would call slow movement an effect, too much only costs power.
func cautiousAutocorrelation(xs []float64) float64 {
	e := centred(xs)
	var cross, square float64
	for t, x := range e {
		if t > 0 {
			cross += x * e[t-1]
		}
		square += x * x
	}
	if square <= roundingNoise*roundingNoise*size(xs...)*size(xs...) {
		return 0
	}
	n := float64(len(xs))
	rho := cross / square
	rho += (1 + 3*rho) / n
	rho += math.Sqrt(max(1-rho*rho, 0) / n)
	return min(max(rho, 0), 0.95)
}

// mixture is the regression of the gap on a constant and the periods from the
// start on, with autocorrelation rho taken out.
type mixture struct {
	gap       []float64
	before    int
	rho       float64
	alpha     float64
	precision float64
}

// design is period t's row: the constant and the treatment.
func (m *mixture) design(t int) (constant, treatment float64) {
	d := func(t int) float64 {
		if t >= m.before {
			return 1
		}
		return 0
	}
	if t == 0 {
		// The first period keeps its information, scaled to the others' noise.
		s := math.Sqrt(1 - m.rho*m.rho)
		return s, s * d(0)
	}
	return 1 - m.rho, d(t) - m.rho*d(t-1)
}

func (m *mixture) outcome(t int) float64 {
	if t == 0 {
		return math.Sqrt(1-m.rho*m.rho) * m.gap[0]
	}
	return m.gap[t] - m.rho*m.gap[t-1]
}

// information is z²: the squared length of the treatment less what the constant
// explains.
func (m *mixture) information(after int) float64 {
	var cc, ct, tt float64
	for t := range m.before + after {
		c, x := m.design(t)
		cc += c * c
		ct += c * x
		tt += x * x
	}
	return tt - ct*ct/cc
}

// bound is the largest t²/ν that is not rejected; ok is false where there is
// none.
func (m *mixture) bound(information, precision, nu float64) (x float64, ok bool) {
	r := precision / (precision + information)
	k := math.Exp((-2*math.Log(m.alpha) - math.Log(r)) / (nu + 1))
	if k*r >= 1 {
		return 0, false
	}
	return (k - 1) / (1 - k*r), true
}

// tune picks the precision with the shortest interval at the horizon, before
// any outcome is seen.
func (m *mixture) tune(horizon int) {
	information, nu := m.information(horizon), float64(m.before+horizon-2)
	length := func(log float64) float64 {
		x, ok := m.bound(information, math.Exp(log), nu)
		if !ok {
			return math.MaxFloat64
		}
		return x
	}
	// Along a grid first: where the interval is open there is no slope.
	centre := math.Log(information)
	best := centre
	for step := range 241 {
		if log := centre + float64(step-120)/10; length(log) < length(best) {
			best = log
		}
	}
	m.precision = math.Exp(best)
}

// look is the answer after some periods; ok is false where nothing varies.
func (m *mixture) look(after int) (look Look, ok bool) {
	n := m.before + after
	var cc, ct, tt, cy, ty, yy float64
	// The level of the gap is taken off first, for the digits.
	level := mean(m.gap[:m.before])
	for t := range n {
		c, x := m.design(t)
		y := m.outcome(t) - level*c
		cc += c * c
		ct += c * x
		tt += x * x
		cy += c * y
		ty += x * y
		yy += y * y
	}
	information := tt - ct*ct/cc
	value := (ty - ct*cy/cc) / information
	residual := yy - cy*cy/cc - value*value*information
	nu := float64(n - 2)
	noise := roundingNoise * size(m.gap[:n]...)
	if !(residual > float64(n)*noise*noise) {
		return Look{}, false
	}
	look = Look{Period: after, Value: value}
	r := m.precision / (m.precision + information)
	x := value * value * information / residual // t²/ν
	odds := math.Log(r)/2 + (nu+1)/2*(math.Log1p(x)-math.Log1p(r*x))
	look.E = min(math.Exp(min(odds, 690)), maxOdds)
	if limit, bounded := m.bound(information, m.precision, nu); bounded {
		half := math.Sqrt(limit * residual / information)
		look.Low, look.High = value-half, value+half
	} else {
		look.Open = true
	}
	return look, true
}
