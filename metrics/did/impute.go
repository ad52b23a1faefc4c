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
	// PreTrends is the number of leads to test; 0 means none.
	PreTrends int
	// Cluster[u] is the cluster of unit u, parallel to [Panel.First], any
	// integers; nil means that each unit is its own.
	Cluster []int
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
	// TreatedRows counts the treated rows the effect is the mean of; UsedRows
	// and UsedUnits count all that were kept.
	TreatedRows, UsedRows, UsedUnits int
	Dropped                          []Drop
}

// Impute is the imputation estimator of Borusyak, Jaravel and Spiess
// ("Revisiting event-study designs", 2024): unit and period effects are
// estimated on the untreated rows alone, exactly, and what a treated row has
// above its imputed value is its effect. Standard errors are the paper's
// conservative ones with effects averaged by cohort and event, clustered by
// unit, without a small-sample factor, as in the R package didimputation.
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
	if o.PreTrends < 0 || o.PreTrends > 1000 {
		return nil, refuse(ErrOption, "%d pre-trend leads: give 0 to 1,000", o.PreTrends)
	}
	t, err := newTable(p)
	if err != nil {
		return nil, err
	}
	cluster, err := clusters(p, o.Cluster)
	if err != nil {
		return nil, err
	}
	m := &imputer{t: t, cluster: cluster, options: o}
	return m.run()
}

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

// imputer holds one run of Impute. All row slices are parallel to t.y.
type imputer struct {
	t       *table
	cluster []int
	options ImputationOptions

	untreated []bool // rows of the first stage
	kept      []bool // treated rows with an imputed value
	first     *twoWay
	residual  []float64 // y less unit and period effects
	noise     []float64 // residual less the effect averaged by cohort and event
	result    Imputation
}

func (m *imputer) run() (*Imputation, error) {
	if err := m.split(); err != nil {
		return nil, err
	}
	var err error
	if m.first, err = newTwoWay(m.t, m.untreated); err != nil {
		return nil, err
	}
	m.keepConnected()
	if err := m.count(); err != nil {
		return nil, err
	}
	if m.residual, err = m.first.residual(m.t.y); err != nil {
		return nil, err
	}
	m.averageEffects()
	if m.result.Static, err = m.effect(func(int) bool { return true }); err != nil {
		return nil, err
	}
	if m.options.Horizons {
		if err := m.horizons(); err != nil {
			return nil, err
		}
	}
	if m.options.PreTrends > 0 {
		if err := m.preTrends(); err != nil {
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
// treated rows; what is left counts as noise. Every target weighs the rows of
// a cohort and event alike, so that the plain mean is the paper's average
// weighted by squared weights.
func (m *imputer) averageEffects() {
	type cell struct{ cohort, period int }
	type sum struct{ effect, rows float64 }
	sums := map[cell]sum{}
	m.noise = slices.Clone(m.residual)
	m.eachTreated(func(u, i int) {
		c := cell{m.t.first[u], m.t.period[i]}
		s := sums[c]
		sums[c] = sum{s.effect + m.residual[i], s.rows + 1}
	})
	m.eachTreated(func(u, i int) {
		s := sums[cell{m.t.first[u], m.t.period[i]}]
		m.noise[i] -= s.effect / s.rows
	})
}

func (m *imputer) eachTreated(do func(u, i int)) {
	for u := range m.t.units() {
		for i := m.t.start[u]; i < m.t.start[u+1]; i++ {
			if m.kept[i] {
				do(u, i)
			}
		}
	}
}

// effect is the mean effect over the kept treated rows whose event want
// accepts. Untreated rows enter it through the imputed values with weights
// −Z₀(Z₀'Z₀)⁻¹Z₁'w, which is again a least-squares fit on unit and period
// effects; the variance is that of weights times noise, summed by cluster.
func (m *imputer) effect(want func(event int) bool) (Estimate, error) {
	t := m.t
	rows, sum := 0.0, 0.0
	byUnit := make([]float64, t.units())
	byPeriod := make([]float64, len(t.periods))
	own := make([]float64, t.units()) // noise of the treated rows
	m.eachTreated(func(u, i int) {
		if !want(m.event(u, i)) {
			return
		}
		rows++
		sum += m.residual[i]
		own[u] += m.noise[i]
		byUnit[u]++
		byPeriod[t.period[i]]++
	})
	unit, period, err := m.first.solve(byUnit, byPeriod)
	if err != nil {
		return Estimate{}, err
	}
	clusters := make([]float64, t.units())
	for u := range t.units() {
		total := own[u]
		for i := t.start[u]; i < t.start[u+1]; i++ {
			if m.untreated[i] {
				total -= (unit[u] + period[t.period[i]]) * m.noise[i]
			}
		}
		clusters[m.cluster[u]] += total
	}
	var squares float64
	for _, x := range clusters {
		squares += x * x
	}
	return newEstimate(sum/rows, math.Sqrt(squares)/rows, 0, m.options.Level, t.scale), nil
}

// horizons fills the effects by event, with those that were lost listed.
func (m *imputer) horizons() error {
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
			if point.Estimate, err = m.effect(func(e int) bool { return e == event }); err != nil {
				return err
			}
		}
		m.result.Horizons = append(m.result.Horizons, point)
	}
	slices.SortFunc(m.result.Horizons, func(a, b EventEstimate) int { return a.Event - b.Event })
	return nil
}
