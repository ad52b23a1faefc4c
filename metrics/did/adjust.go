package did

// adjusted is the effect on the treated in one cell, made comparable by
// weights and covariates.
type adjusted struct {
	// treated is the mean change of the treated, comparison that of their
	// counterparts.
	treated, comparison float64
	// influence is how far each row moves the effect by being there: the
	// variance is the sum of squares of what a unit's rows add up to.
	influence []float64
	missing   string
}

const (
	collinearComparison = "the covariates repeat each other among the comparison units, or there are too few of them"
	collinearTreated    = "the covariates repeat each other among the treated units, or there are too few of them"
)

// changes estimates the effect from changes between two periods: Sant'Anna and
// Zhao, "Doubly robust difference-in-differences estimators" (2020), with the
// formulas of R's DRDID (drdid_panel, reg_did_panel, std_ipw_did_panel). All
// that does not depend on the outcome is worked out once.
type changes struct {
	method  Adjustment
	width   int
	treated int       // the first rows are the treated ones
	x, w    []float64 // rows of x start with 1

	regression *smallFit // of the comparison
	propensity *propensity
	// meanX and total are the treated units' mean covariates and weight.
	meanX []float64
	total float64
}

// prepare fits what does not depend on the outcome.
func (s *changes) prepare() (missing string) {
	if s.method != InverseProbability {
		var ok bool
		if s.regression, ok = newFit(s.x[s.treated*s.width:], s.w[s.treated:], s.width); !ok {
			return collinearComparison
		}
	}
	if s.method != OutcomeRegression {
		if s.propensity, missing = newPropensity(s.x, s.w, s.width, s.treated); missing != "" {
			return missing
		}
	}
	s.meanX, s.total = weightedMeans(s.x[:s.treated*s.width], s.w[:s.treated], s.width)
	return ""
}

func (s *changes) row(i int) []float64 { return s.x[i*s.width : (i+1)*s.width] }

// estimate gives the effect on changes y, which is overwritten.
func (s *changes) estimate(y []float64) adjusted {
	n, t := len(y), s.treated
	out := adjusted{influence: make([]float64, n)}
	out.treated = weightedMean(y[:t], s.w[:t])
	if s.regression != nil {
		beta := s.regression.coefficients(y[t:])
		for i := range y {
			y[i] -= dot(s.row(i), beta)
		}
	}
	// y now is what the regression leaves over. lever is what a comparison
	// row's residual weighs in the effect through the regression.
	lever := make([]float64, s.width)
	for k, m := range s.meanX {
		lever[k] = -m
	}
	mean := weightedMean(y[:t], s.w[:t])
	effect := mean
	for i, w := range s.w[:t] {
		out.influence[i] = w * (y[i] - mean) / s.total
	}
	if s.propensity != nil {
		odds := s.propensity.odds
		meanX, total := weightedMeans(s.x[t*s.width:], odds, s.width)
		rest := weightedMean(y[t:], odds)
		effect -= rest
		drift := make([]float64, s.width)
		for i, r := range odds {
			e := r * (y[t+i] - rest) / total
			out.influence[t+i] -= e
			for k, v := range s.row(t + i) {
				drift[k] += e * v
			}
		}
		s.propensity.addScore(out.influence, drift)
		for k, m := range meanX {
			lever[k] += m
		}
	}
	if s.regression != nil {
		s.regression.gram.solve(lever)
		for i, w := range s.w[t:] {
			out.influence[t+i] += w * y[t+i] * dot(s.row(t+i), lever)
		}
	}
	out.comparison = out.treated - effect
	return out
}

// addScore takes from an influence function what the fitted probabilities add
// to it, where drift is the effect's derivative by their coefficients.
func (f *propensity) addScore(influence, drift []float64) {
	f.hess.solve(drift)
	for i, w := range f.w {
		score := -w * f.p[i]
		if i < f.treated {
			score = w * (1 - f.p[i])
		}
		influence[i] -= score * dot(f.x[i*f.width:(i+1)*f.width], drift)
	}
}
