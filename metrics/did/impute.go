package did

import (
	"math"
	"slices"
)

// ImputationOptions are the choices of [Impute].
type ImputationOptions struct {
	// Level of confidence; 0 means 0.95.
	Level float64
	// Horizons asks for effects by time since treatment.
	Horizons bool
	// PreTrends is the number of leads to test, from −1 backwards; 0 means
	// none. Leads names them instead: events before the start, each negative.
	PreTrends int
	Leads     []int
	// Cluster[u] is the cluster of unit u, parallel to [Panel.First], any
	// integers; nil means that each unit is its own.
	Cluster []int
	// Repeats allows a unit several rows in a period.
	Repeats bool
}

// Imputation is the answer of [Impute].
type Imputation struct {
	// Static is the mean effect over all treated rows kept.
	Static Estimate
	// Horizons and PreTrends are by event, ascending; nil where not asked for.
	// Units counts the treated rows behind a point.
	Horizons, PreTrends []EventEstimate
	// PreTest is the joint test of the pre-trend leads, an F with one less
	// than the number of clusters as its second degrees of freedom; nil where
	// there is none.
	PreTest *Wald
	// Covariates are the coefficients of the first stage, without uncertainty.
	Covariates []Coefficient
	// TreatedRows counts the treated rows the effect is the mean of; UsedRows
	// and UsedUnits count all that were kept.
	TreatedRows, UsedRows, UsedUnits int
	Dropped                          []Drop
	// Warnings say why standard errors should not be relied on.
	Warnings []string
}

// Impute is the imputation estimator of Borusyak, Jaravel and Spiess
// ("Revisiting event-study designs", 2024): unit and period effects are
// estimated on the untreated rows alone, exactly, and what a treated row has
// above its imputed value is its effect. Standard errors are the paper's
// conservative ones with effects averaged by cohort and event, clustered by
// unit, without a small-sample factor, as in the R package didimputation.
// Covariates join the unit and period effects; weights weigh the first stage
// and the mean of effects.
//
// A unit needs two untreated rows: with none its effect cannot be told from
// the unit, with exactly one the row carries no information (the reference
// leaves such singletons out, too). Treated rows in a period without untreated
// rows, or one not connected with the unit's own, are left out as well.
func Impute(p Panel, o ImputationOptions) (*Imputation, error) {
	level, err := checkLevel(o.Level)
	if err != nil {
		return nil, err
	}
	o.Level = level
	if err := o.checkLeads(); err != nil {
		return nil, err
	}
	t, err := readTable(p, o.Repeats)
	if err != nil {
		return nil, err
	}
	m := &imputer{t: t, start: t.start, level: level}
	if m.cluster, err = clusters(p, o.Cluster); err != nil {
		return nil, err
	}
	if err := m.impute(); err != nil {
		return nil, err
	}
	if err := m.warn(p, o.Cluster); err != nil {
		return nil, err
	}
	return m.run(p, o)
}

// warn warns of one treated cluster alone.
func (m *imputer) warn(p Panel, cluster []int) error {
	c, used, err := m.clusters(p, cluster)
	if err != nil {
		return err
	}
	if why := c.fewTreated(m.t, used); why != "" {
		m.result.Warnings = append(m.result.Warnings, "The standard error is not to be relied on: "+why+".")
	}
	return nil
}

// clusters are those of all rows that take part.
func (m *imputer) clusters(p Panel, cluster []int) (c *clustering, used []bool, err error) {
	used = make([]bool, m.t.rows())
	for i := range used {
		used[i] = m.kept[i] || m.untreated[i]
	}
	c, err = newClustering(p, cluster, m.t, used)
	return c, used, err
}

// checkLeads turns a number of leads into a list.
func (o *ImputationOptions) checkLeads() error {
	if o.PreTrends < 0 || o.PreTrends > maxLeads || len(o.Leads) > maxLeads {
		return refuse(ErrOption, "%d pre-trend leads: give 0 to %d", max(o.PreTrends, len(o.Leads)), maxLeads)
	}
	if o.PreTrends > 0 && len(o.Leads) > 0 {
		return refuse(ErrOption, "pre-trend leads by number and by name: give one of them")
	}
	for k := range o.PreTrends {
		o.Leads = append(o.Leads, -1-k)
	}
	slices.Sort(o.Leads)
	slices.Reverse(o.Leads)
	for k, event := range o.Leads {
		if event >= 0 || k > 0 && event == o.Leads[k-1] {
			return refuse(ErrOption, "pre-trend lead %d: give each event before the start once, as a negative number", event)
		}
	}
	return nil
}

// maxLeads bounds the pre-trend regression.
const maxLeads = 1000

// clusters numbers the clusters of units that have rows from 0.
func clusters(p Panel, given []int) ([]int, error) {
	if given != nil && len(given) != len(p.First) {
		return nil, refuse(ErrShape, "%d clusters for %d units", len(given), len(p.First))
	}
	has := make([]bool, len(p.First))
	for _, u := range p.Unit {
		has[u] = true
	}
	number := map[int]int{}
	out := make([]int, 0, len(has))
	for u, ok := range has {
		if !ok {
			continue
		}
		if given == nil {
			out = append(out, len(out))
			continue
		}
		if _, ok := number[given[u]]; !ok {
			number[given[u]] = len(number)
		}
		out = append(out, number[given[u]])
	}
	return out, nil
}

// imputer takes the effects that untreated rows show out of all rows. All row
// slices are parallel to t.y.
type imputer struct {
	t       *table
	cluster []int
	// start holds the offsets of blocks of rows that share an effect: the
	// units, or groups of them.
	start []int
	level float64
	// keepSingle keeps blocks with one untreated row.
	keepSingle bool

	untreated []bool // rows of the first stage
	kept      []bool // treated rows with an imputed value
	first     *twoWay
	second    *fit        // covariates of the first stage, nil for none
	tilde     [][]float64 // covariates less their effects, on all rows
	residual  []float64   // y less unit and period effects and covariates
	noise     []float64   // residual less the effect averaged by cohort and event
	result    Imputation
}

// impute fills the residual.
func (m *imputer) impute() error {
	if err := m.split(); err != nil {
		return err
	}
	var err error
	if m.first, err = newBlockedTwoWay(m.t, m.untreated, m.start); err != nil {
		return err
	}
	m.keepConnected()
	if err := m.count(); err != nil {
		return err
	}
	if m.residual, err = m.first.residual(m.t.y); err != nil {
		return err
	}
	if len(m.t.x) > 0 {
		return m.addCovariates()
	}
	return nil
}

// addCovariates takes covariates out of the residual, too.
func (m *imputer) addCovariates() error {
	var err error
	if m.second, err = (regression{effects: m.first, x: m.t.x}).run(); err != nil {
		return err
	}
	for k, column := range m.t.x {
		c := Coefficient{Covariate: k}
		at := m.second.column[k]
		if at < 0 {
			c.Missing = "unit and period effects and earlier covariates explain it on the untreated rows"
			m.result.Covariates = append(m.result.Covariates, c)
			continue
		}
		c.Estimate.Value = m.second.beta[at]
		m.result.Covariates = append(m.result.Covariates, c)
		tilde, err := m.first.residual(column)
		if err != nil {
			return err
		}
		m.tilde = append(m.tilde, tilde)
		for i, x := range tilde {
			m.residual[i] -= c.Estimate.Value * x
		}
	}
	return nil
}

func (m *imputer) run(p Panel, o ImputationOptions) (*Imputation, error) {
	m.averageEffects()
	own := func(i int, _ float64) float64 { return m.noise[i] }
	var err error
	if m.result.Static, err = m.effect(func(u, i int) bool { return m.kept[i] }, own); err != nil {
		return nil, err
	}
	if o.Horizons {
		if err := m.horizons(own); err != nil {
			return nil, err
		}
	}
	if len(o.Leads) > 0 {
		if err := m.preTrends(p, o); err != nil {
			return nil, err
		}
	}
	return &m.result, nil
}

// count fills the counts of the result.
func (m *imputer) count() error {
	t, r := m.t, &m.result
	for u := range t.units() {
		any := false
		for i := t.start[u]; i < t.start[u+1]; i++ {
			if m.kept[i] {
				r.TreatedRows++
			}
			if m.kept[i] || m.untreated[i] {
				r.UsedRows++
				any = true
			}
		}
		if any {
			r.UsedUnits++
		}
	}
	if r.TreatedRows == 0 {
		return refuse(ErrNotIdentified, "no treated row has an untreated counterpart: %s", m.reasons())
	}
	return nil
}

func (m *imputer) reasons() string {
	var s string
	for i, d := range m.result.Dropped {
		if i > 0 {
			s += "; "
		}
		s += d.Reason
	}
	return s
}

// event is how long after its unit's start row i is.
func (m *imputer) event(u, i int) int { return m.t.periods[m.t.period[i]] - m.t.first[u] }

// averageEffects takes the mean effect of each cohort and event out of the
// treated rows, weighted by squared weights as in the paper; what is left
// counts as noise.
func (m *imputer) averageEffects() {
	type cell struct{ cohort, period int }
	type sum struct{ effect, weight float64 }
	sums := map[cell]sum{}
	m.noise = slices.Clone(m.residual)
	m.eachTreated(func(u, i int) {
		c := cell{m.t.first[u], m.t.period[i]}
		w := m.t.weightOf(i)
		s := sums[c]
		sums[c] = sum{s.effect + w*w*m.residual[i], s.weight + w*w}
	})
	m.eachTreated(func(u, i int) {
		s := sums[cell{m.t.first[u], m.t.period[i]}]
		m.noise[i] -= s.effect / s.weight
	})
}

func (m *imputer) eachTreated(do func(u, i int)) {
	m.eachRow(func(_, u, i int) {
		if m.kept[i] {
			do(u, i)
		}
	})
}

// eachRow calls do with every row, its block and its unit.
func (m *imputer) eachRow(do func(b, u, i int)) {
	b := 0
	for u := range m.t.units() {
		for m.t.start[u] >= m.start[b+1] {
			b++
		}
		for i := m.t.start[u]; i < m.t.start[u+1]; i++ {
			do(b, u, i)
		}
	}
}

// effect is the weighted mean residual of the rows that member accepts.
// Untreated rows enter it through the imputed values with weights
// −Z₀(Z₀'Z₀)⁻¹Z₁'w, which is again a least-squares fit on unit and period
// effects and covariates; the variance is that of weights times noise, summed
// by cluster. own is the noise of a member, given the mean.
func (m *imputer) effect(member func(u, i int) bool, own func(i int, mean float64) float64) (Estimate, error) {
	t := m.t
	var weight, sum float64
	byBlock := make([]float64, len(m.start)-1)
	byPeriod := make([]float64, len(t.periods))
	pull := make([]float64, len(m.tilde)) // X̃₁'w
	m.eachRow(func(b, u, i int) {
		if !member(u, i) {
			return
		}
		w := t.weightOf(i)
		weight += w
		sum += w * m.residual[i]
		byBlock[b] += w
		byPeriod[t.period[i]] += w
		for k, tilde := range m.tilde {
			pull[k] += w * tilde[i]
		}
	})
	block, period, err := m.first.solve(byBlock, byPeriod)
	if err != nil {
		return Estimate{}, err
	}
	c := m.covariateWeights(pull)
	value := sum / weight
	clusters := make([]float64, t.units())
	m.eachRow(func(b, u, i int) {
		var total float64
		if member(u, i) {
			total = own(i, value)
		}
		if m.untreated[i] {
			v := block[b] + period[t.period[i]]
			for k, tilde := range m.tilde {
				v += c[k] * tilde[i]
			}
			total -= v * m.residual[i]
		}
		clusters[m.cluster[u]] += t.weightOf(i) * total
	})
	var squares float64
	for _, x := range clusters {
		squares += x * x
	}
	return newEstimate(value, math.Sqrt(squares)/weight, 0, m.level, t.scale), nil
}

// covariateWeights is (X̃₀'X̃₀)⁻¹ times pull.
func (m *imputer) covariateWeights(pull []float64) []float64 {
	out := make([]float64, len(pull))
	for a := range pull {
		for b, x := range pull {
			out[a] += m.second.inverse.At(a, b) * x
		}
	}
	return out
}

// horizons fills the effects by event, with those that were lost listed.
func (m *imputer) horizons(own func(i int, mean float64) float64) error {
	kept := map[int]int{}
	for u, g := range m.t.first {
		for i := m.t.start[u]; i < m.t.start[u+1]; i++ {
			if m.t.periods[m.t.period[i]] >= g {
				n := 0
				if m.kept[i] {
					n = 1
				}
				kept[m.event(u, i)] += n
			}
		}
	}
	for event, rows := range kept {
		point := EventEstimate{Event: event, Units: rows}
		if rows == 0 {
			point.Missing = "no treated row this long after the start has an untreated counterpart"
		} else {
			var err error
			point.Estimate, err = m.effect(func(u, i int) bool { return m.kept[i] && m.event(u, i) == event }, own)
			if err != nil {
				return err
			}
		}
		m.result.Horizons = append(m.result.Horizons, point)
	}
	slices.SortFunc(m.result.Horizons, func(a, b EventEstimate) int { return a.Event - b.Event })
	return nil
}
