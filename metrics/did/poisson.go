package did

import (
	"math"
	"slices"
)

// PoissonOptions are the choices of [PoissonRatio].
type PoissonOptions struct {
	// Level of confidence; 0 means 0.95.
	Level float64
	// Exposure is what a row's count is out of, parallel to [Panel.Y]: people,
	// hours or merged pull requests; nil means the same for all rows.
	Exposure []float64
	// Cluster[u] is the cluster of unit u, parallel to [Panel.First], any
	// integers; nil means that each unit is its own.
	Cluster []int
	// Repeats allows a unit several rows in a period.
	Repeats bool
	// FewTreated asks for an error even where one cluster alone is treated, or
	// alone is not. It is far too small then; it is there to reproduce numbers
	// that others published.
	FewTreated bool
}

// Poisson is the answer of [PoissonRatio].
type Poisson struct {
	// Effect is the logarithm of the ratio by which treatment multiplied the
	// rate.
	Effect Estimate
	// Ratio is e to the power of Effect, and so are its Low and High, which are
	// 0 where Effect has no standard error.
	Ratio Ratio
	// Covariates are on the scale of Effect.
	Covariates []Coefficient
	// TreatedRows counts the rows from their unit's start on.
	TreatedRows int
	Sample      Sample
	// Refusal says why the effect has no standard error where one would
	// mislead; empty where it has one.
	Refusal  string
	Warnings []string
}

// Ratio is a ratio of rates with its interval. HighOpen says that the interval
// goes on beyond all numbers; High is 0 then.
type Ratio struct {
	Value, Low, High float64
	HighOpen         bool
}

// newRatio reads an estimate on the scale of logarithms.
func newRatio(e Estimate) Ratio {
	r := Ratio{Value: math.Exp(e.Value)}
	if !e.HasSE {
		return r
	}
	r.Low, r.High = math.Exp(e.Low), math.Exp(e.High)
	if !finite(r.High) {
		r.High, r.HighOpen = 0, true
	}
	return r
}

// PoissonRatio estimates by what factor treatment changed the rate of events:
// the Poisson pseudo-maximum likelihood of counts on being treated, with unit
// and period effects, an exposure, covariates and weights (Gourieroux, Monfort
// and Trognon 1984; Wooldridge 1999). Only the mean has to be right: counts may
// vary more than a Poisson variable, or not be whole numbers.
//
// Unit effects are worked out in closed form, so that the likelihood is
// maximised exactly, by Newton's steps on the other coefficients. Units and
// periods without any event say nothing about a ratio and are left out. Errors
// are clustered, with fixest's factor G/(G−1)·(N−1)/(N−K), K counting
// coefficients and period effects, and normal intervals. With several starts
// the ratio mixes comparisons with units treated already, as
// [TwoWayFixedEffects] does.
func PoissonRatio(p Panel, o PoissonOptions) (*Poisson, error) {
	q, err := withExposure(p, o.Exposure)
	if err != nil {
		return nil, err
	}
	r, err := newPanelRegression(q, FixedEffectsOptions{
		Level: o.Level, Cluster: o.Cluster, Repeats: o.Repeats, FewTreated: o.FewTreated,
	}, leaveOutEventless)
	if err != nil {
		return nil, err
	}
	last := len(r.x) - 1
	m := &poisson{r: r, offset: r.x[last]}
	r.x, r.covariates = r.x[:last], r.covariates[:last]
	class, treated := r.t.treatedClass(r.used)
	if treated == 0 {
		return nil, refuse(ErrNoTreated, "no row with an event in its unit and period is treated")
	}
	if err := m.choose(class); err != nil {
		return nil, err
	}
	if err := m.maximise(); err != nil {
		return nil, err
	}
	if !m.identified() {
		return nil, noFiniteRatio()
	}
	return m.answer(treated), nil
}

// withExposure adds the logarithm of the exposure as the last covariate.
func withExposure(p Panel, exposure []float64) (Panel, error) {
	offset := make([]float64, len(p.Y))
	if exposure != nil && len(exposure) != len(p.Y) {
		return p, refuse(ErrShape, "%d exposures for %d rows", len(exposure), len(p.Y))
	}
	for i, e := range exposure {
		if !finite(e) || e <= 0 {
			return p, refuse(ErrOption, "exposure of row %d is %v: exposures are positive numbers", i+1, e)
		}
		offset[i] = math.Log(e)
	}
	for i, y := range p.Y {
		if y < 0 {
			return p, refuse(ErrOption, "outcome of row %d is %v: a rate of events is never negative", i+1, y)
		}
	}
	p.X = append(slices.Clip(p.X), offset)
	return p, nil
}

// leaveOutEventless unmarks units and periods without any event: their effect
// is minus infinity.
func leaveOutEventless(t *table, used []bool) ([]Drop, error) {
	byPeriod := make([]float64, len(t.periods))
	for i, y := range t.y {
		byPeriod[t.period[i]] += y
	}
	unit := Drop{Reason: "the unit has no event in any period, so it has no rate to change"}
	period := Drop{Reason: "no unit has an event in the row's period"}
	for u, g := range t.first {
		rows := t.y[t.start[u]:t.start[u+1]]
		without := size(rows...) == 0
		if without {
			unit.Units++
		}
		for i := t.start[u]; i < t.start[u+1]; i++ {
			d := &unit
			switch {
			case without:
			case byPeriod[t.period[i]] == 0:
				d = &period
			default:
				continue
			}
			used[i] = false
			d.Rows++
			if t.periods[t.period[i]] >= g {
				d.TreatedRows++
			}
		}
	}
	if period.Rows+unit.Rows == t.rows() {
		return nil, refuse(ErrZeroVariance, "no row has an event")
	}
	var drops []Drop
	for _, d := range []Drop{unit, period} {
		if d.Rows > 0 {
			drops = append(drops, d)
		}
	}
	return drops, nil
}

// answer puts the result together.
func (m *poisson) answer(treated int) *Poisson {
	r := m.r
	out := &Poisson{TreatedRows: treated, Sample: r.sample(), Refusal: r.refusal()}
	errors := make([]float64, len(m.column))
	switch {
	case out.Refusal != "":
	case m.perfect():
		out.Refusal = "the model leaves nothing unexplained, so nothing shows its uncertainty"
	default:
		errors = m.errors(out.Sample)
	}
	estimate := func(j int) Estimate {
		return newEstimate(m.theta[m.periods()+j]/m.unit[j], errors[j]/m.unit[j], 0, r.options.Level, 0)
	}
	out.Effect = estimate(0)
	out.Ratio = newRatio(out.Effect)
	out.Covariates = slices.Clone(r.covariates)
	for k, j := range m.of {
		if j < 0 {
			out.Covariates[k].Missing = "unit and period effects and earlier covariates explain it"
		} else {
			out.Covariates[k].Estimate = estimate(j)
		}
	}
	if _, _, starts := r.clusters.sides(r.t, r.used); starts > 1 {
		out.Warnings = append(out.Warnings, "Units start in different periods: the ratio compares some of them with units treated already.")
	}
	return out
}

// perfect says that the fitted means are the counts, up to rounding.
func (m *poisson) perfect() bool {
	for i, used := range m.r.used {
		if used && math.Abs(m.r.t.weightOf(i)*m.r.t.y[i]-m.mean[i]) > 1e-9*m.mean[i] {
			return false
		}
	}
	return true
}

// errors are the clustered standard errors of the columns.
func (m *poisson) errors(s Sample) []float64 {
	t, periods := m.r.t, m.periods()
	out := make([]float64, len(m.column))
	groups := float64(s.Clusters)
	rest := float64(s.Rows - len(m.column) - s.Periods)
	if groups < 2 || rest <= 0 {
		return out
	}
	factor := groups / (groups - 1) * float64(s.Rows-1) / rest
	for j := range out {
		direction := m.direction(j)
		byCluster := make([]float64, m.r.clusters.count())
		for u := range t.units() {
			for i := t.start[u]; i < t.start[u+1]; i++ {
				if !m.r.used[i] {
					continue
				}
				var pull float64
				if k := m.r.effects.free[t.period[i]]; k >= 0 {
					pull = direction[k]
				}
				for a, column := range m.column {
					pull += direction[periods+a] * column[i]
				}
				byCluster[m.r.clusters.of[u]] += pull * (t.weightOf(i)*t.y[i] - m.mean[i])
			}
		}
		out[j] = rootSquares(byCluster) * math.Sqrt(factor)
	}
	return out
}
