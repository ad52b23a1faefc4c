package did

// levels estimates the effect from outcomes in two periods whose rows are not
// paired: repeated cross-sections, or a panel with gaps (R's DRDID drdid_rc,
// reg_did_rc, std_ipw_did_rc). Rows are sorted into four groups: treated at the
// time, treated at the base, comparison at the time, comparison at the base.
type levels struct {
	method  Adjustment
	width   int
	cut     [5]int // offsets of the groups, 0 first and the number of rows last
	x, w, y []float64
}

// The groups of levels.
const (
	treatedTime = iota
	treatedBase
	comparisonTime
	comparisonBase
)

// group is some of the rows.
type group struct {
	x, w, y []float64
	from    int
}

func (s *levels) group(from, to int) group {
	from, to = s.cut[from], s.cut[to]
	return group{x: s.x[from*s.width : to*s.width], w: s.w[from:to], y: s.y[from:to], from: from}
}

// side is what is known of one group.
type side struct {
	group
	regression *smallFit
	beta       []float64 // of the regression of y on x
	meanX      []float64 // mean covariates, with weights w
	total      float64   // sum of w
}

// estimate gives the effect.
func (s *levels) estimate() adjusted {
	out := adjusted{influence: make([]float64, len(s.y))}
	var sides [4]side
	for k := range sides {
		sides[k].group = s.group(k, k+1)
		sides[k].meanX, sides[k].total = weightedMeans(sides[k].x, sides[k].w, s.width)
	}
	out.treated = weightedMean(sides[treatedTime].y, sides[treatedTime].w) - weightedMean(sides[treatedBase].y, sides[treatedBase].w)
	if s.method != InverseProbability {
		if out.missing = s.regress(sides[comparisonTime:], collinearComparison); out.missing != "" {
			return out
		}
	}
	var effect float64
	switch s.method {
	case OutcomeRegression:
		effect = s.regressionEffect(&sides, out.influence)
	default:
		p, missing := newPropensity(s.x, s.w, s.width, s.cut[comparisonTime])
		if missing != "" {
			out.missing = missing
			return out
		}
		if s.method == DoublyRobust {
			if out.missing = s.regress(sides[:comparisonTime], collinearTreated); out.missing != "" {
				return out
			}
		}
		effect, out.missing = s.weightedEffect(&sides, p, out.influence)
		if s.method == DoublyRobust && out.missing == "" {
			effect += s.efficiency(&sides, out.influence)
		}
	}
	out.comparison = out.treated - effect
	return out
}

// regress fits the outcome of each side on its covariates.
func (s *levels) regress(sides []side, missing string) string {
	for k := range sides {
		f, ok := newFit(sides[k].x, sides[k].w, s.width)
		if !ok {
			return missing
		}
		sides[k].regression, sides[k].beta = f, f.coefficients(sides[k].y)
	}
	return ""
}

// addResiduals adds sign·w·residual·x'(X'WX)⁻¹direction of the rows of one
// side: what its regression's coefficients add to an influence function.
func (s *levels) addResiduals(influence []float64, k *side, direction []float64) {
	lever := append([]float64(nil), direction...)
	k.regression.gram.solve(lever)
	for i, w := range k.w {
		row := k.x[i*s.width : (i+1)*s.width]
		influence[k.from+i] += w * (k.y[i] - dot(row, k.beta)) * dot(row, lever)
	}
}

// regressionEffect imputes the treated units' change from the comparison's
// regressions.
func (s *levels) regressionEffect(sides *[4]side, influence []float64) float64 {
	effect := 0.0
	for k, sign := range [2]float64{1, -1} {
		t := &sides[k]
		mean := weightedMean(t.y, t.w)
		effect += sign * mean
		for i, w := range t.w {
			influence[t.from+i] += sign * w * (t.y[i] - mean) / t.total
		}
	}
	treated := s.group(treatedTime, comparisonTime)
	meanX, total := weightedMeans(treated.x, treated.w, s.width)
	slope := less(sides[comparisonTime].beta, sides[comparisonBase].beta)
	change := dot(meanX, slope)
	for i, w := range treated.w {
		influence[i] -= w * (dot(treated.x[i*s.width:(i+1)*s.width], slope) - change) / total
	}
	s.addResiduals(influence, &sides[comparisonBase], meanX)
	s.addResiduals(influence, &sides[comparisonTime], scaled(meanX, -1))
	return effect - change
}

// weightedEffect compares weighted means of what the comparison's regressions,
// where there are any, leave over.
func (s *levels) weightedEffect(sides *[4]side, p *propensity, influence []float64) (effect float64, missing string) {
	drift := make([]float64, s.width)
	for k := range sides {
		g := &sides[k]
		weights, total, meanX := g.w, g.total, g.meanX
		sign := [4]float64{1, -1, -1, 1}[k]
		other := &sides[comparisonTime+k%2]
		if k >= comparisonTime {
			weights = p.odds[g.from-p.treated:][:len(g.w)]
			if meanX, total = weightedMeans(g.x, weights, s.width); total == 0 {
				return 0, "the covariates tell the cohort from its comparison: nobody comparable is left"
			}
		}
		rest := make([]float64, len(g.y))
		for i := range rest {
			rest[i] = g.y[i]
			if other.beta != nil {
				rest[i] -= dot(g.x[i*s.width:(i+1)*s.width], other.beta)
			}
		}
		mean := weightedMean(rest, weights)
		effect += sign * mean
		for i, w := range weights {
			e := w * (rest[i] - mean) / total
			influence[g.from+i] += sign * e
			if k >= comparisonTime {
				for j, v := range g.x[i*s.width : (i+1)*s.width] {
					drift[j] -= sign * e * v
				}
			}
		}
		if other.regression != nil {
			// R's DRDID adds the two periods' terms where they should be
			// subtracted; the difference is of smaller order than the error.
			direction := scaled(meanX, 1)
			if k < comparisonTime {
				direction = scaled(meanX, -1)
			}
			s.addResiduals(influence, other, direction)
		}
	}
	p.addScore(influence, drift)
	return effect, ""
}

// efficiency is what the doubly robust effect gains from the treated units'
// own regressions: the difference between the covariates of all treated rows
// and those of one period, times the difference of slopes.
func (s *levels) efficiency(sides *[4]side, influence []float64) (effect float64) {
	treated := s.group(treatedTime, comparisonTime)
	meanX, total := weightedMeans(treated.x, treated.w, s.width)
	for k, sign := range [2]float64{1, -1} {
		own, other := &sides[k], &sides[comparisonTime+k]
		slope := less(own.beta, other.beta)
		all, one := dot(meanX, slope), dot(own.meanX, slope)
		effect += sign * (all - one)
		for i, w := range treated.w {
			influence[i] += sign * w * (dot(treated.x[i*s.width:(i+1)*s.width], slope) - all) / total
		}
		for i, w := range own.w {
			influence[own.from+i] -= sign * w * (dot(own.x[i*s.width:(i+1)*s.width], slope) - one) / own.total
		}
		gap := scaled(less(meanX, own.meanX), sign)
		s.addResiduals(influence, own, gap)
		s.addResiduals(influence, other, scaled(gap, -1))
	}
	return effect
}

func less(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i, v := range a {
		out[i] = v - b[i]
	}
	return out
}

func scaled(a []float64, factor float64) []float64 {
	out := make([]float64, len(a))
	for i, v := range a {
		out[i] = factor * v
	}
	return out
}
