package did

import (
	"cmp"
	"slices"
)

// TwoStageOptions are the choices of [TwoStage].
type TwoStageOptions struct {
	// Level of confidence; 0 means 0.95.
	Level float64
	// Cluster[u] is the cluster of unit u, parallel to [Panel.First], any
	// integers; nil means that each unit is its own.
	Cluster []int
	// Groups[u] is a group of units, any integer, whose common effect stands
	// in for the effect of unit u; nil means that each unit has its own.
	Groups []int
	// Events asks for effects by time since the start, before it as well.
	Events bool
	// Reference is the event that has no effect by definition; 0 means −1.
	Reference int
	// Repeats allows a unit several rows in a period.
	Repeats bool
	// FewTreated asks for standard errors even with one treated cluster; see
	// [FixedEffectsOptions].
	FewTreated bool
}

// TwoStageEffects is the answer of [TwoStage].
type TwoStageEffects struct {
	// Static is the mean effect over all treated rows kept.
	Static Estimate
	// Events are ascending, with the reference among them; nil where not asked
	// for. Units counts the rows behind a point.
	Events []EventEstimate
	// Covariates are the coefficients of the first stage, without uncertainty.
	Covariates                       []Coefficient
	TreatedRows, UsedRows, UsedUnits int
	Dropped                          []Drop
	// Refusal says why there are no standard errors where they would mislead;
	// empty where there are some.
	Refusal string
}

// TwoStage is the two-stage estimator of Gardner ("Two-stage differences in
// differences", 2021): unit and period effects and covariates are estimated on
// untreated rows, taken out of all rows, and what is left is averaged over the
// treated ones, or by time since the start. Standard errors are those of both
// stages as one GMM estimator, clustered, without a small-sample factor, as in
// R's did2s. The effect is [Impute]'s, but for units with one untreated row,
// which stay in here; the error takes differences between treated rows' effects
// for noise.
func TwoStage(p Panel, o TwoStageOptions) (*TwoStageEffects, error) {
	level, err := checkLevel(o.Level)
	if err != nil {
		return nil, err
	}
	if o.Reference == 0 {
		o.Reference = -1
	}
	q, cluster, groups, err := byGroup(p, o)
	if err != nil {
		return nil, err
	}
	t, err := readTable(q, o.Repeats)
	if err != nil {
		return nil, err
	}
	m := &imputer{t: t, level: level, keepSingle: true, start: groupStarts(t, q, groups)}
	if m.cluster, err = clusters(q, cluster); err != nil {
		return nil, err
	}
	if err := m.impute(); err != nil {
		return nil, err
	}
	out := &TwoStageEffects{}
	if !o.FewTreated {
		c, used, err := m.clusters(q, cluster)
		if err != nil {
			return nil, err
		}
		out.Refusal = c.fewTreated(t, used)
	}
	if err := m.average(out, o); err != nil {
		return nil, err
	}
	r := m.result
	out.Covariates, out.Dropped = r.Covariates, r.Dropped
	out.TreatedRows, out.UsedRows, out.UsedUnits = r.TreatedRows, r.UsedRows, r.UsedUnits
	return out, nil
}

// byGroup renames units so that those of a group are neighbours.
func byGroup(p Panel, o TwoStageOptions) (q Panel, cluster, groups []int, err error) {
	if o.Groups == nil {
		return p, o.Cluster, nil, nil
	}
	n := len(p.First)
	if len(o.Groups) != n {
		return q, nil, nil, refuse(ErrShape, "%d groups for %d units", len(o.Groups), n)
	}
	if o.Cluster != nil && len(o.Cluster) != n {
		return q, nil, nil, refuse(ErrShape, "%d clusters for %d units", len(o.Cluster), n)
	}
	order := make([]int, n)
	for u := range order {
		order[u] = u
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(o.Groups[a], o.Groups[b]) })
	name := make([]int, n)
	q = p
	q.First = make([]int, n)
	cluster = make([]int, n)
	for at, u := range order {
		name[u] = at
		q.First[at] = p.First[u]
		groups = append(groups, o.Groups[u])
		cluster[at] = u
		if o.Cluster != nil {
			cluster[at] = o.Cluster[u]
		}
	}
	q.Unit = make([]int, len(p.Unit))
	for i, u := range p.Unit {
		if u < 0 || u >= n {
			return q, nil, nil, refuse(ErrShape, "row %d names unit %d of %d", i+1, u, n)
		}
		q.Unit[i] = name[u]
	}
	return q, cluster, groups, nil
}

// groupStarts are the offsets of the groups of t's units, which are neighbours.
func groupStarts(t *table, p Panel, groups []int) []int {
	if groups == nil {
		return t.start
	}
	has := make([]bool, len(p.First))
	for _, u := range p.Unit {
		has[u] = true
	}
	var start []int
	at, before := 0, 0
	for u, ok := range has {
		if !ok {
			continue
		}
		if at == 0 || groups[u] != before {
			start = append(start, t.start[at])
		}
		before = groups[u]
		at++
	}
	return append(start, t.rows())
}

// average averages the residual.
func (m *imputer) average(out *TwoStageEffects, o TwoStageOptions) error {
	own := func(i int, mean float64) float64 { return m.residual[i] - mean }
	estimate := func(member func(u, i int) bool) (Estimate, error) {
		e, err := m.effect(member, own)
		if out.Refusal != "" {
			e = Estimate{Value: e.Value}
		}
		return e, err
	}
	var err error
	if out.Static, err = estimate(func(_, i int) bool { return m.kept[i] }); err != nil || !o.Events {
		return err
	}
	rows := map[int]int{}
	member := func(u, i int) bool { return (m.kept[i] || m.untreated[i]) && m.t.treated(m.t.first[u]) }
	m.eachRow(func(_, u, i int) {
		if member(u, i) {
			rows[m.event(u, i)]++
		}
	})
	for event, n := range rows {
		point := EventEstimate{Event: event, Units: n, Reference: event == o.Reference}
		if !point.Reference {
			point.Estimate, err = estimate(func(u, i int) bool { return member(u, i) && m.event(u, i) == event })
			if err != nil {
				return err
			}
		}
		out.Events = append(out.Events, point)
	}
	slices.SortFunc(out.Events, func(a, b EventEstimate) int { return a.Event - b.Event })
	return nil
}
