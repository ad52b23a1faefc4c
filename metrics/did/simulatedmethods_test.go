package did_test

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"steelyard/metrics/did"
)

// simulatedMethod is a method of the simulation: its p-value on a draw, and its name
// in the file of the first simulation ("" where that one had none).
type simulatedMethod struct {
	name, reference string
	fewest          int // comparison teams
	p               func(study) (float64, error)
}

func simulatedMethods() []simulatedMethod {
	regression := func(c did.Covariance) func(study) (float64, error) {
		return func(d study) (float64, error) {
			r, err := did.TwoWayFixedEffects(d.panel, did.FixedEffectsOptions{Covariance: c, FewTreated: true})
			if err != nil {
				return 0, err
			}
			return r.Effect.P, nil
		}
	}
	synthetic := func(warm bool) func(study) (float64, error) {
		return func(d study) (float64, error) {
			r, err := did.SyntheticControls(d.panel, did.SyntheticOptions{WarmPlacebos: warm})
			if err != nil {
				return 0, err
			}
			return r.Estimate.P, nil
		}
	}
	return []simulatedMethod{
		{"ordinary least squares", "naive OLS iid", 1, regression(did.Homoskedastic)},
		{"cluster-robust, t(G − 1)", "CRV1 team t(G-1)", 3, regression(did.CR1)},
		{"Newey–West on the gap", "HAC NW gap series t(T-2)", 1, func(d study) (float64, error) { return neweyWest(d.gap, d.before), nil }},
		{"wild bootstrap, restricted", "WCR Rademacher", 3, func(d study) (float64, error) {
			r, err := did.WildBootstrap(d.panel, did.WildOptions{FewTreated: true, NoInterval: true, Ties: true})
			if err != nil {
				return 0, err
			}
			return r.P, nil
		}},
		{"placebo rank", "RI teams (coef)", 3, func(d study) (float64, error) {
			r, err := did.PlaceboRank(d.changes, 0)
			return r.P, err
		}},
		{"Donald–Lang", "Donald-Lang t(N0-1)", 3, func(d study) (float64, error) {
			e, err := did.DonaldLang(d.changes[0], d.changes[1:], 0)
			return e.P, err
		}},
		{"synthetic DiD, placebo error", "", 5, synthetic(false)},
		{"the same, placebos started warm", "", 5, synthetic(true)},
		{"conformal, moving blocks", "Conformal DiD moving block", 1, func(d study) (float64, error) {
			r, err := did.Conformal(d.gap, d.before, did.ConformalOptions{})
			return r.P, err
		}},
		{"anytime sequence, looked at every week", "", 1, func(d study) (float64, error) {
			r, err := did.AnytimeSequence(d.gap, d.before, did.AnytimeOptions{})
			if err != nil {
				return 0, err
			}
			return r.Looks[len(r.Looks)-1].P, nil
		}},
		{headlineName, "CWZ t-test K=3", 1, func(d study) (float64, error) {
			r, err := did.CrossFitGap(d.gap, d.before, 3, 0)
			return r.Estimate.P, err
		}},
	}
}

const headlineName = "**cross-fit t, K = 3**"

// neweyWest is the p-value of the step in a gap with a Bartlett kernel of
// ⌊1.3·√n⌋ lags (Lazarus, Lewis, Stock and Watson 2018).
func neweyWest(gap []float64, before int) float64 {
	n := float64(len(gap))
	share := float64(len(gap)-before) / n
	m0, m1 := average(gap[:before]), average(gap[before:])
	score := make([]float64, len(gap))
	var information float64
	for t, g := range gap {
		d, e := -share, g-m0
		if t >= before {
			d, e = 1-share, g-m1
		}
		score[t] = d * e
		information += d * d
	}
	lags := int(1.3 * math.Sqrt(n))
	var long float64
	for lag := range lags + 1 {
		weight := 1.0
		if lag > 0 {
			weight = 2 * (1 - float64(lag)/float64(lags+1))
		}
		for t := lag; t < len(gap); t++ {
			long += weight * score[t] * score[t-lag]
		}
	}
	t := math.Abs(m1-m0) * information / math.Sqrt(long)
	return 2 * distuv.StudentsT{Sigma: 1, Nu: n - 2}.Survival(t)
}
