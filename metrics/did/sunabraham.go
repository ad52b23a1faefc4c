package did

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// SunAbrahamOptions are the choices of [SunAbraham].
type SunAbrahamOptions struct {
	FixedEffectsOptions
	// Reference is the event that others are compared with; 0 means −1.
	Reference int
}

// CohortEffects is the answer of [SunAbraham].
type CohortEffects struct {
	// ATT is the mean effect over all treated rows.
	ATT Estimate
	// Events are by time since the start, ascending, with the reference among
	// them; Cohorts are the mean effects from the start on by cohort. Units
	// counts the treated units behind each.
	Events     []EventEstimate
	Cohorts    []GroupEffect
	Covariates []Coefficient
	Sample     Sample
	Refusal    string
	Warnings   []string
}

// cohortCell is the rows of one cohort at one event.
type cohortCell struct{ first, event int }

// SunAbraham is the interaction-weighted estimator of Sun and Abraham
// ("Estimating dynamic treatment effects in event studies with heterogeneous
// treatment effects", 2021): a two-way fixed effects regression with a dummy
// for each cohort at each time since its start, so that no cohort is compared
// with units treated already, averaged by event, cohort, or over all treated
// rows. Averages weigh cohorts by their rows (weights) at an event, which are
// taken as fixed, as in R's fixest.
//
// Units never treated, or treated after the last period, are the comparison.
// Where there are none it is the last cohort, and rows from its start on are
// left out. Units treated in or before the first period are left out.
func SunAbraham(p Panel, o SunAbrahamOptions) (*CohortEffects, error) {
	if o.Reference == 0 {
		o.Reference = -1
	}
	control := Never
	r, err := newPanelRegression(p, o.FixedEffectsOptions, func(t *table, used []bool) ([]Drop, error) {
		var drops []Drop
		var err error
		drops, control, err = leaveOutLastCohort(t, used)
		return drops, err
	})
	if err != nil {
		return nil, err
	}
	class, cells := r.cohortClasses(control, o.Reference)
	f, err := r.run(class, len(cells))
	if err != nil {
		return nil, err
	}
	out := &CohortEffects{Sample: r.sample(), Refusal: r.refusal(), Warnings: r.warnings()}
	if control != Never {
		out.Warnings = append(out.Warnings, "No unit is never treated: the last cohort serves as the comparison until it starts.")
	}
	return out, out.aggregate(r, f, class, cells, o.Reference)
}

// leaveOutLastCohort leaves out units treated early and, where no unit is
// never treated, rows from the last cohort's start on.
func leaveOutLastCohort(t *table, used []bool) (drops []Drop, control int, err error) {
	drops, err = leaveOutEarly(t, used)
	if err != nil {
		return nil, 0, err
	}
	earliest, latest, never := Never, math.MinInt, false
	for u, g := range t.first {
		switch {
		case !used[t.start[u]]:
		case !t.treated(g):
			never = true
		default:
			latest = max(latest, g)
			earliest = min(earliest, g)
		}
	}
	switch {
	case never:
		return drops, Never, nil
	case earliest == latest:
		return nil, 0, refuse(ErrNoComparison, "all units start in the same period %d: nobody is left to compare with", latest)
	}
	d := Drop{Reason: "every unit is treated by then, so nobody is left to compare with"}
	for u, g := range t.first {
		for i := t.start[u]; i < t.start[u+1]; i++ {
			if used[i] && t.periods[t.period[i]] >= latest {
				used[i] = false
				d.Rows++
				if t.periods[t.period[i]] >= g {
					d.TreatedRows++
				}
			}
		}
	}
	return append(drops, d), latest, nil
}

// cohortClasses numbers the cells of cohorts and events, the reference and the
// control cohort left out, by cohort and event.
func (r *panelRegression) cohortClasses(control, reference int) (class []int, cells []cohortCell) {
	t := r.t
	class = make([]int, t.rows())
	number := map[cohortCell]int{}
	each := func(do func(i int, c cohortCell)) {
		for u, g := range t.first {
			for i := t.start[u]; i < t.start[u+1]; i++ {
				if c := (cohortCell{g, t.periods[t.period[i]] - g}); r.used[i] && t.treated(g) && g != control && c.event != reference {
					do(i, c)
				}
			}
		}
	}
	each(func(_ int, c cohortCell) { number[c] = 0 })
	for c := range number {
		cells = append(cells, c)
	}
	slices.SortFunc(cells, func(a, b cohortCell) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.event, b.event))
	})
	for k, c := range cells {
		number[c] = k
	}
	for i := range class {
		class[i] = -1
	}
	each(func(i int, c cohortCell) { class[i] = number[c] })
	return class, cells
}

// aggregate fills all averages.
func (e *CohortEffects) aggregate(r *panelRegression, f *fit, class []int, cells []cohortCell, reference int) error {
	rows := make([]float64, len(cells)) // weight by cell
	for i, c := range class {
		if c >= 0 {
			rows[c] += r.t.weightOf(i)
		}
	}
	kept := func(want func(c cohortCell) bool) (out []int) {
		for c := range cells {
			if _, ok := f.coefficient(c); ok && want(cells[c]) {
				out = append(out, c)
			}
		}
		return out
	}
	post := kept(func(c cohortCell) bool { return c.event >= 0 })
	if len(post) == 0 {
		return refuse(ErrNotIdentified, "no effect from the start on can be told from unit and period effects")
	}
	targets := [][]int{post}
	var events, cohorts []int
	for _, c := range cells {
		events = append(events, c.event)
		cohorts = append(cohorts, c.first)
	}
	slices.Sort(events)
	events = slices.Compact(events)
	cohorts = slices.Compact(cohorts)
	for _, event := range events {
		targets = append(targets, kept(func(c cohortCell) bool { return c.event == event }))
	}
	for _, first := range cohorts {
		targets = append(targets, kept(func(c cohortCell) bool { return c.first == first && c.event >= 0 }))
	}
	weights := mat.NewDense(len(f.beta), len(targets), nil)
	for k, target := range targets {
		var total float64
		for _, c := range target {
			total += rows[c]
		}
		for _, c := range target {
			at, _ := f.coefficient(c)
			weights.Set(at, k, rows[c]/total)
		}
	}
	var u uncertainty
	if e.Refusal == "" {
		var err error
		if u, err = f.covariance(r.options.Covariance, r.clusters, weights); err != nil {
			return err
		}
		e.Refusal = u.refusal
	}
	units := r.unitsByClass(class, len(cells))
	level := r.options.Level
	e.ATT = f.target(weights, 0, u, level)
	for k, event := range events {
		point := EventEstimate{Event: event}
		for _, c := range targets[1+k] {
			point.Units += units[c]
		}
		if len(targets[1+k]) == 0 {
			point.Missing = explained("other cohorts and events")
		} else {
			point.Estimate = f.target(weights, 1+k, u, level)
		}
		e.Events = append(e.Events, point)
	}
	e.Events = append(e.Events, EventEstimate{Event: reference, Reference: true})
	slices.SortFunc(e.Events, func(a, b EventEstimate) int { return a.Event - b.Event })
	for k, first := range cohorts {
		target := targets[1+len(events)+k]
		if len(target) == 0 {
			continue
		}
		most := 0
		for _, c := range target {
			most = max(most, units[c])
		}
		e.Cohorts = append(e.Cohorts, GroupEffect{Label: first, Estimate: f.target(weights, 1+len(events)+k, u, level), Units: most})
	}
	if r.options.Covariance == CR2 {
		u.df = constant(len(f.beta), 0) // the targets' are not the covariates'
	}
	e.Covariates = r.coefficients(f, u)
	return nil
}
