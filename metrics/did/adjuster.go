package did

// adjuster estimates the cells of a panel with weights or covariates.
type adjuster struct {
	c       *cohorts
	method  Adjustment
	weights WeightPeriod
	width   int

	// The last comparison of changes: cells that differ in the outcome alone
	// share it.
	last    changesKey
	changes *changes
	missing string

	// fixed holds the weights of one period by unit, 0 where it was not seen.
	fixed       []float64
	fixedPeriod int
	// lost says that rows went because their unit was not seen in that period.
	lost bool
}

// changesKey names what a comparison of changes depends on.
type changesKey struct {
	cohort     int
	comparison [2]span
	covariates int // the period they are of
	weights    int
}

// newAdjuster is nil where there is nothing to adjust.
func newAdjuster(c *cohorts, o GroupTimeOptions) *adjuster {
	if c.width == 0 && c.weight == nil {
		return nil
	}
	a := &adjuster{c: c, method: o.Method, weights: o.Weights, width: c.width, fixedPeriod: -1}
	if c.width == 0 {
		a.method, a.width = OutcomeRegression, 1 // on the constant alone: weighted means
	}
	return a
}

// cell estimates one cell, whose cohort is treated after period index start,
// and keeps its influence function in p.
func (a *adjuster) cell(p *part, start int) (treated, comparison float64, missing string) {
	var r adjusted
	if a.c.balanced() && (a.c.weight == nil || a.weights != OwnPeriodWeights) {
		r = a.fromChanges(p, start)
	} else {
		r = a.fromLevels(p, start)
	}
	if r.missing != "" {
		return 0, 0, r.missing
	}
	if !finite(r.treated) || !finite(r.comparison) || checkFinite("", p.influence) != nil {
		return 0, 0, "its numbers are too large or too unlike to calculate with"
	}
	return r.treated, r.comparison, ""
}

// fromChanges compares changes of units that are seen in both periods.
func (a *adjuster) fromChanges(p *part, start int) adjusted {
	key := changesKey{cohort: p.cohort, comparison: p.comparison, covariates: min(p.at, p.base)}
	switch a.weights {
	case BasePeriodWeights:
		key.weights = start
	case EarlierPeriodWeights:
		key.weights = min(p.at, p.base)
	}
	if a.c.steadyX || a.c.width == 0 {
		key.covariates = 0
	}
	if a.c.steadyW || a.c.weight == nil {
		key.weights = 0
	}
	if a.changes == nil || key != a.last {
		a.last, a.changes = key, a.gather(p, key)
		a.missing = a.changes.prepare()
	}
	if a.missing != "" {
		return adjusted{missing: a.missing}
	}
	y := make([]float64, 0, len(a.changes.w))
	now, before := a.c.rows[p.at].y, a.c.rows[p.base].y
	for _, s := range p.spans() {
		for i := a.c.from[s.from]; i < a.c.from[s.to]; i++ {
			y = append(y, now[i]-before[i])
		}
	}
	r := a.changes.estimate(y)
	p.influence = r.influence
	return r
}

// gather copies the covariates and weights of a comparison.
func (a *adjuster) gather(p *part, key changesKey) *changes {
	s := &changes{method: a.method, width: a.width, treated: a.c.size(p.cohort)}
	x, w := a.c.rows[key.covariates].x, a.c.rows[key.weights].w
	for _, span := range p.spans() {
		from, to := a.c.from[span.from], a.c.from[span.to]
		s.x = appendRows(s.x, x, a.width, from, to)
		s.w = appendOnes(s.w, w, from, to)
	}
	return s
}

// appendRows appends rows from to to of x, or as many constants where x is nil.
func appendRows(dst, x []float64, width, from, to int) []float64 {
	if x == nil {
		return appendOnes(dst, nil, from, to)
	}
	return append(dst, x[from*width:to*width]...)
}

// appendOnes appends w[from:to], or as many ones where w is nil.
func appendOnes(dst, w []float64, from, to int) []float64 {
	if w != nil {
		return append(dst, w[from:to]...)
	}
	for range to - from {
		dst = append(dst, 1)
	}
	return dst
}

// fromLevels compares outcomes of rows that are not paired.
func (a *adjuster) fromLevels(p *part, start int) adjusted {
	s := &levels{method: a.method, width: a.width}
	var units []int
	spans := p.spans()
	for k, spans := range [4][]span{treatedTime: spans[:1], treatedBase: spans[:1], comparisonTime: spans[1:], comparisonBase: spans[1:]} {
		period := [2]int{p.at, p.base}[k%2]
		for _, span := range spans {
			units = a.appendLevels(s, units, period, p, span, start)
		}
		s.cut[k+1] = len(s.y)
		if s.cut[k+1] == s.cut[k] {
			return adjusted{missing: "no unit of one side was seen in the period its weight is taken from"}
		}
	}
	r := s.estimate()
	if r.missing != "" {
		return r
	}
	p.influence = a.byUnit(p, units, r.influence)
	return r
}

// appendLevels appends the rows of one span in one period.
func (a *adjuster) appendLevels(s *levels, units []int, period int, p *part, span span, start int) []int {
	c := a.c
	rows := &c.rows[period]
	for r := rows.from[span.from]; r < rows.from[span.to]; r++ {
		unit := r
		if rows.unit != nil {
			unit = rows.unit[r]
		}
		w := 1.0
		if rows.w != nil {
			w = rows.w[r]
		}
		if !c.balanced() && c.weight != nil && (a.weights == BasePeriodWeights || a.weights == FirstPeriodWeights) {
			if w = a.weightIn(start)[unit]; w == 0 {
				a.lost = true
				continue
			}
		}
		x := rows.x
		if c.balanced() { // covariates are those of the earlier period
			x = c.rows[min(p.at, p.base)].x
		}
		s.y = append(s.y, rows.y[r])
		s.w = append(s.w, w)
		s.x = appendRows(s.x, x, a.width, r, r+1)
		units = append(units, unit)
	}
	return units
}

// weightIn is the weight of each unit in the last period before treatment or
// in the first, 0 where it was not seen then.
func (a *adjuster) weightIn(start int) []float64 {
	period := start
	if a.weights == FirstPeriodWeights {
		period = 0
	}
	if period != a.fixedPeriod {
		a.fixedPeriod, a.fixed = period, make([]float64, a.c.units())
		rows := &a.c.rows[period]
		for r, unit := range rows.unit {
			a.fixed[unit] = rows.w[r]
		}
	}
	return a.fixed
}

// byUnit adds up the influence of rows by unit of the part.
func (a *adjuster) byUnit(p *part, units []int, influence []float64) []float64 {
	n := 0
	spans := p.spans()
	var offset [3]int
	for k, s := range spans {
		offset[k] = n - a.c.from[s.from]
		n += a.c.from[s.to] - a.c.from[s.from]
	}
	out := make([]float64, n)
	for i, unit := range units {
		k := 0
		for unit < a.c.from[spans[k].from] || unit >= a.c.from[spans[k].to] {
			k++
		}
		out[offset[k]+unit] += influence[i]
	}
	return out
}
