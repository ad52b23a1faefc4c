package did

import (
	"math"
	"slices"
)

// RestrictedMean is the mean of durations of which no more than until is
// counted: the area under the curve up to there, with Greenwood's error (R's
// survfit, rmean). It is refused where the curve ends above 0 before until,
// because what comes after was never seen. Level 0 means 0.95.
func (s *Survival) RestrictedMean(until, level float64) (Estimate, error) {
	level, err := checkLevel(level)
	if err != nil {
		return Estimate{}, err
	}
	areas, mean, err := s.areas(until)
	if err != nil {
		return Estimate{}, err
	}
	var variance float64
	for k, area := range areas {
		if left := s.AtRisk[k] - s.Events[k]; left > 0 {
			variance += area * area * float64(s.Events[k]) / (float64(s.AtRisk[k]) * float64(left))
		}
	}
	return newEstimate(mean, math.Sqrt(variance), 0, level, until), nil
}

// areas holds the area under the curve from each time before until up to it,
// and mean the area from 0.
func (s *Survival) areas(until float64) (areas []float64, mean float64, err error) {
	if !(until > 0) || !finite(until) {
		return nil, 0, refuse(ErrOption, "restricted to %v: give a duration above 0", until)
	}
	last := len(s.Time) - 1
	if until > s.Time[last] && s.Probability[last] > 0 {
		return nil, 0, refuse(ErrNotIdentified, "nothing was watched for longer than %v, when a share of %.3g had not ended: restrict the mean to that", s.Time[last], s.Probability[last])
	}
	n := 0
	for n < len(s.Time) && s.Time[n] < until {
		n++
	}
	areas = make([]float64, n)
	end, area := until, 0.0
	for k := n - 1; k >= 0; k-- {
		area += (end - s.Time[k]) * s.Probability[k]
		areas[k], end = area, s.Time[k]
	}
	return areas, area + end, nil
}

// pulls tells how far each duration moves a restricted mean.
type pulls struct {
	s     *Survival
	areas []float64
	sum   []float64 // Σ area·events/at risk² over the times so far
}

func (s *Survival) pulls(until float64) (*pulls, error) {
	areas, _, err := s.areas(until)
	if err != nil {
		return nil, err
	}
	p := &pulls{s: s, areas: areas, sum: make([]float64, len(areas)+1)}
	for k, area := range areas {
		n := float64(s.AtRisk[k])
		p.sum[k+1] = p.sum[k] + area*float64(s.Events[k])/(n*n)
	}
	return p, nil
}

// of is how far one duration, by being there, moves the restricted mean:
// squares of these add up to a variance, as Greenwood's does, and sums over
// clusters to one that lets their members be alike.
func (p *pulls) of(duration float64, observed bool) float64 {
	k, found := slices.BinarySearch(p.s.Time[:len(p.areas)], duration)
	if !found {
		return p.sum[k]
	}
	if observed {
		return p.sum[k+1] - p.areas[k]/float64(p.s.AtRisk[k])
	}
	return p.sum[k+1]
}

// RestrictedMeanOptions are the choices of [RestrictedMeanDiD].
type RestrictedMeanOptions struct {
	// Until is how much of a duration counts at most; 0 means as long as all
	// four groups were watched.
	Until float64
	// Level of confidence; 0 means 0.95.
	Level float64
	// Cluster[u] is the cluster of unit u, parallel to [Panel.First], any
	// integers; nil means that each unit is its own.
	Cluster []int
	// FewTreated asks for a clustered error even with one cluster on a side;
	// see [FixedEffectsOptions].
	FewTreated bool
}

// CellSurvival is how long the rows of one side lasted before or after the
// start.
type CellSurvival struct {
	Mean Estimate
	// Median is the time by which half has ended; HasMedian is false where less
	// than half has.
	Median    float64
	HasMedian bool
	Rows      int
	// Running counts the rows that had not ended.
	Running int
}

// TwoErrors is one effect with two standard errors: of rows that know nothing
// of each other, and of rows of a cluster that may.
type TwoErrors struct{ Independent, Clustered Estimate }

// RestrictedMeanEffect is the answer of [RestrictedMeanDiD].
type RestrictedMeanEffect struct {
	Until                                                          float64
	TreatedBefore, TreatedAfter, ComparisonBefore, ComparisonAfter CellSurvival
	// Difference is the treated side's change less the comparison's. LogRatio
	// is the logarithm of the ratio of their relative changes; it is zero, and
	// HasRatio false, where a mean is 0.
	Difference, LogRatio TwoErrors
	HasRatio             bool
	// Refusal says why Clustered has no standard error where one would
	// mislead; empty where it has one.
	Refusal string
}

// RestrictedMeanDiD is the difference in differences of restricted mean
// durations: of the rows of units that start and of units that do not, before
// and after the one start (Royston and Parmar 2013 for the measure). The
// outcomes of p are durations, ended[i] says that row i had ended when it was
// last seen; a unit may have many rows a period, such as its pull requests.
// What is still running counts for as long as it was watched, in place of being
// left out.
//
// Independent errors are Greenwood's. Clustered ones add up, over the rows of a
// cluster in all four groups, how far each moves the effect, with G/(G − 1) and
// G − 1 degrees of freedom.
func RestrictedMeanDiD(p Panel, ended []bool, o RestrictedMeanOptions) (*RestrictedMeanEffect, error) {
	m, err := newRestricted(p, ended, o)
	if err != nil {
		return nil, err
	}
	if err := m.curves(o.Until); err != nil {
		return nil, err
	}
	out := &RestrictedMeanEffect{Until: m.until}
	cells := [4]*CellSurvival{&out.ComparisonBefore, &out.ComparisonAfter, &out.TreatedBefore, &out.TreatedAfter}
	out.HasRatio = true
	for c, cell := range cells {
		if *cell, err = m.cellSurvival(c); err != nil {
			return nil, err
		}
		out.HasRatio = out.HasRatio && cell.Mean.Value > 0
	}
	if sides := m.clusterSides(); min(sides[0], sides[1]) < 2 && !o.FewTreated {
		out.Refusal = "one cluster alone on a side: its own noise does not show in a cluster-robust error, which is then far too small"
	}
	var weights [4]float64
	for c := range weights {
		weights[c] = m.sign(c)
	}
	out.Difference = m.effect(cells, weights, func(x float64) float64 { return x }, out.Refusal)
	if out.HasRatio {
		for c, cell := range cells {
			weights[c] = m.sign(c) / cell.Mean.Value
		}
		out.LogRatio = m.effect(cells, weights, math.Log, out.Refusal)
	}
	return out, nil
}

// restricted holds one run.
type restricted struct {
	twoByTwo
	ended []bool // by row of the table
	until float64
	curve [4]*Survival
	pulls [4]*pulls
}

func newRestricted(p Panel, ended []bool, o RestrictedMeanOptions) (*restricted, error) {
	m := &restricted{}
	var err error
	if m.level, err = checkLevel(o.Level); err != nil {
		return nil, err
	}
	switch {
	case len(p.X) > 0:
		return nil, refuse(ErrOption, "this method takes no covariates")
	case p.Weight != nil:
		return nil, refuse(ErrOption, "this method takes no weights")
	case len(ended) != len(p.Y):
		return nil, refuse(ErrShape, "%d marks of what has ended for %d rows", len(ended), len(p.Y))
	case !finite(o.Until) || o.Until < 0:
		return nil, refuse(ErrOption, "restricted to %v: give a duration above 0, or 0 for as long as all were watched", o.Until)
	}
	for i, y := range p.Y {
		if y < 0 {
			return nil, refuse(ErrShape, "duration of row %d is %v: it ends before it starts", i+1, y)
		}
	}
	// The marks go through the table as a covariate.
	marks := make([]float64, len(ended))
	for i, e := range ended {
		if e {
			marks[i] = 1
		}
	}
	p.X = [][]float64{marks}
	if m.t, err = readTable(p, true); err != nil {
		return nil, err
	}
	m.ended = make([]bool, m.t.rows())
	for i, x := range m.t.x[0] {
		m.ended[i] = x == 1
	}
	if m.cluster, err = clusters(p, o.Cluster); err != nil {
		return nil, err
	}
	m.start, err = m.t.oneStart()
	return m, err
}

// curves draws the four curves and chooses how far they are followed.
func (m *restricted) curves(until float64) error {
	var durations [4][]float64
	var ended [4][]bool
	m.each(func(_, i, c int) {
		durations[c] = append(durations[c], m.t.y[i])
		ended[c] = append(ended[c], m.ended[i])
	})
	if err := checkCells(durations, m.start); err != nil {
		return err
	}
	m.until = until
	longest, shortest := 0.0, math.Inf(1)
	for c := range durations {
		s, err := KaplanMeier(durations[c], ended[c])
		if err != nil {
			return err
		}
		m.curve[c] = s
		last := len(s.Time) - 1
		longest = max(longest, s.Time[last])
		if s.Probability[last] > 0 {
			shortest = min(shortest, s.Time[last])
		}
	}
	if until == 0 {
		m.until = min(longest, shortest)
	}
	if m.until == 0 {
		return refuse(ErrZeroVariance, "a group was not watched for any time, so there is no mean to restrict")
	}
	for c, s := range m.curve {
		var err error
		if m.pulls[c], err = s.pulls(m.until); err != nil {
			return err
		}
	}
	return nil
}

func (m *restricted) cellSurvival(c int) (CellSurvival, error) {
	s := m.curve[c]
	mean, err := s.RestrictedMean(m.until, m.level)
	if err != nil {
		return CellSurvival{}, err
	}
	out := CellSurvival{Mean: mean, Rows: s.N}
	out.Median, out.HasMedian = s.Median()
	for _, n := range s.Censored {
		out.Running += n
	}
	return out, nil
}

// sign is how a cell's mean enters the effect.
func (m *restricted) sign(c int) float64 { return [4]float64{1, -1, -1, 1}[c] }

// effect is Σ ±of(mean) over the cells, weights being how far it moves with
// each mean.
func (m *restricted) effect(cells [4]*CellSurvival, weights [4]float64, of func(float64) float64, refusal string) TwoErrors {
	var value, variance, scale float64
	for c, cell := range cells {
		value += m.sign(c) * of(cell.Mean.Value)
		variance += weights[c] * weights[c] * cell.Mean.SE * cell.Mean.SE
		scale = max(scale, math.Abs(weights[c])*cell.Mean.Value)
	}
	out := TwoErrors{Independent: newEstimate(value, math.Sqrt(variance), 0, m.level, scale), Clustered: Estimate{Value: value}}
	if refusal != "" {
		return out
	}
	sums := make([]float64, m.t.units())
	seen := make([]bool, m.t.units())
	m.each(func(u, i, c int) {
		sums[m.cluster[u]] += weights[c] * m.pulls[c].of(m.t.y[i], m.ended[i])
		seen[m.cluster[u]] = true
	})
	groups := 0.0
	for _, s := range seen {
		if s {
			groups++
		}
	}
	if groups > 1 {
		out.Clustered = newEstimate(value, rootSquares(sums)*math.Sqrt(groups/(groups-1)), groups-1, m.level, scale)
	}
	return out
}
