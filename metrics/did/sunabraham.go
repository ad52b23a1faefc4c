package did

import (
	"cmp"
	"fmt"
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
// A cohort that was not seen at the reference cannot be compared with it and is
// left out of the averages, with a warning.
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
	a, err := newAverages(f, class, cells)
	if err != nil {
		return nil, err
	}
	if n := a.lost(); n > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf(
			"Left out of all averages: %d of %d pairs of a cohort and an event, which no row ties to the reference, event %d, or that no other unit can be compared with.",
			n, len(cells), o.Reference))
	}
	var u uncertainty
	if out.Refusal == "" {
		if u, err = f.covariance(r.options.Covariance, r.clusters, a.weights); err != nil {
			return nil, err
		}
		out.Refusal = u.refusal
	}
	out.fill(a, u, r.unitsByClass(class, len(cells)), o)
	if r.options.Covariance == CR2 {
		u.df = constant(len(f.beta), 0) // the averages' are not the covariates'
	}
	out.Covariates = r.coefficients(f, u)
	return out, nil
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

// averages are the means of cells that are reported: of all from the start on,
// then by event, then by cohort from the start on.
type averages struct {
	f               *fit
	cells           []cohortCell
	rows            []float64 // weight by cell
	events, cohorts []int
	members         [][]int    // cells by average
	weights         *mat.Dense // of coefficients, one column an average
}

func newAverages(f *fit, class []int, cells []cohortCell) (*averages, error) {
	a := &averages{f: f, cells: cells, rows: make([]float64, len(cells))}
	for i, c := range class {
		if c >= 0 {
			a.rows[c] += f.table().weightOf(i)
		}
	}
	for _, c := range cells {
		a.events = append(a.events, c.event)
		a.cohorts = append(a.cohorts, c.first)
	}
	slices.Sort(a.events)
	a.events = slices.Compact(a.events)
	a.cohorts = slices.Compact(a.cohorts)
	if !a.add(func(c cohortCell) bool { return c.event >= 0 }) {
		return nil, refuse(ErrNotIdentified, "no effect from the start on can be told from unit and period effects and the reference: a cohort seen at the reference is needed")
	}
	for _, event := range a.events {
		a.add(func(c cohortCell) bool { return c.event == event })
	}
	for _, first := range a.cohorts {
		a.add(func(c cohortCell) bool { return c.first == first && c.event >= 0 })
	}
	a.weigh()
	return a, nil
}

// add adds the mean of the cells that have an estimate and that want accepts;
// false where there are none.
func (a *averages) add(want func(c cohortCell) bool) bool {
	var members []int
	for c := range a.cells {
		if _, ok := a.f.anchored(c); ok && want(a.cells[c]) {
			members = append(members, c)
		}
	}
	a.members = append(a.members, members)
	return len(members) > 0
}

// lost counts the cells that have no estimate.
func (a *averages) lost() int {
	n := 0
	for c := range a.cells {
		if _, ok := a.f.anchored(c); !ok {
			n++
		}
	}
	return n
}

func (a *averages) weigh() {
	a.weights = mat.NewDense(len(a.f.beta), len(a.members), nil)
	for k, members := range a.members {
		var total float64
		for _, c := range members {
			total += a.rows[c]
		}
		for _, c := range members {
			at, _ := a.f.coefficient(c)
			a.weights.Set(at, k, a.rows[c]/total)
		}
	}
}

// fill fills the result's averages; units are counted by cell.
func (e *CohortEffects) fill(a *averages, u uncertainty, units []int, o SunAbrahamOptions) {
	level := o.level()
	e.ATT = a.f.target(a.weights, 0, u, level)
	for k, event := range a.events {
		point := EventEstimate{Event: event}
		for _, c := range a.members[1+k] {
			point.Units += units[c]
		}
		if point.Units == 0 {
			point.Missing = "no row ties it to the reference, or " + explained("other cohorts and events")
		} else {
			point.Estimate = a.f.target(a.weights, 1+k, u, level)
		}
		e.Events = append(e.Events, point)
	}
	e.Events = append(e.Events, EventEstimate{Event: o.Reference, Reference: true})
	slices.SortFunc(e.Events, func(a, b EventEstimate) int { return a.Event - b.Event })
	for k, first := range a.cohorts {
		at := 1 + len(a.events) + k
		most := 0
		for _, c := range a.members[at] {
			most = max(most, units[c])
		}
		if most > 0 {
			e.Cohorts = append(e.Cohorts, GroupEffect{Label: first, Estimate: a.f.target(a.weights, at, u, level), Units: most})
		}
	}
}
