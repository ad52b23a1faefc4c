package did

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// EventStudyOptions are the choices of [EventStudy].
type EventStudyOptions struct {
	FixedEffectsOptions
	// Reference is the event that others are compared with; 0 means −1.
	Reference int
	// First and Last bin the ends: events before First count as First, events
	// after Last as Last. 0 means no bin on that side; First is negative.
	First, Last int
}

// EventEffects is the answer of [EventStudy].
type EventEffects struct {
	// Points are by event, ascending, with the reference among them. Units
	// counts the treated units behind a point.
	Points     []EventEstimate
	Covariates []Coefficient
	// PreTest is the joint test that all points before the start are 0, an F;
	// nil where it cannot be made.
	PreTest  *Wald
	Sample   Sample
	Refusal  string
	Warnings []string

	estimated  []int // indices into Points
	covariance *mat.SymDense
}

// Vector returns the estimated points, the reference left out, as events,
// coefficients and their covariance; covariance is nil where there is none.
func (e *EventEffects) Vector() (events []int, beta []float64, covariance [][]float64) {
	for _, at := range e.estimated {
		events = append(events, e.Points[at].Event)
		beta = append(beta, e.Points[at].Estimate.Value)
	}
	if e.covariance == nil {
		return events, beta, nil
	}
	for a := range beta {
		row := make([]float64, len(beta))
		for b := range row {
			row[b] = e.covariance.At(a, b)
		}
		covariance = append(covariance, row)
	}
	return events, beta, covariance
}

// EventStudy regresses the outcome on dummies for the time since the start,
// beside unit and period effects, covariates and weights as in
// [TwoWayFixedEffects]. Units treated in or before the first period are left
// out; units that start after the last period count as never treated and have
// no dummy. An event that no row ties to the reference, such as all events where
// no treated unit was seen at it, has no estimate. With several starts a dummy mixes effects of other events
// ([SunAbraham] does not), which a warning says.
func EventStudy(p Panel, o EventStudyOptions) (*EventEffects, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r, err := newPanelRegression(p, o.FixedEffectsOptions, leaveOutEarly)
	if err != nil {
		return nil, err
	}
	class, events := r.eventClasses(o)
	f, err := r.run(class, len(events))
	if err != nil {
		return nil, err
	}
	out := &EventEffects{Sample: r.sample(), Refusal: r.refusal(), Warnings: r.warnings()}
	var u uncertainty
	if out.Refusal == "" {
		if u, err = f.covariance(r.options.Covariance, r.clusters, nil); err != nil {
			return nil, err
		}
		out.Refusal = u.refusal
	}
	out.Covariates = r.coefficients(f, u)
	units := r.unitsByClass(class, len(events))
	columns := out.addPoints(f, u, events, units, o)
	if len(columns) == 0 {
		return nil, refuse(ErrNotIdentified, "no event can be told from unit and period effects and the reference, event %d: treated units seen at that event are needed, and a comparison that is never treated", o.Reference)
	}
	if u.v != nil {
		out.covariance = mat.NewSymDense(len(columns), nil)
		for a, k := range columns {
			for b := a; b < len(columns); b++ {
				out.covariance.SetSym(a, b, u.v.At(k, columns[b]))
			}
		}
		out.PreTest = f.joint(out.leads(columns), u)
	}
	if _, _, starts := r.clusters.sides(r.t, r.used); starts > 1 {
		out.Warnings = append(out.Warnings,
			"Units start in different periods: a point mixes effects at other times since the start where effects differ between cohorts. Sun–Abraham does not.")
	}
	return out, nil
}

// check completes the options.
func (o *EventStudyOptions) check() error {
	if o.Reference == 0 {
		o.Reference = -1
	}
	switch {
	case o.First > 0 || o.Last < 0:
		return refuse(ErrOption, "bins at events %d and %d: give the first as a negative number and the last as a positive one", o.First, o.Last)
	case o.First != 0 && o.Reference < o.First || o.Last != 0 && o.Reference > o.Last:
		return refuse(ErrOption, "reference event %d lies outside the bins at %d and %d", o.Reference, o.First, o.Last)
	}
	return nil
}

// bin puts an event in its bin.
func (o *EventStudyOptions) bin(event int) int {
	if o.First != 0 {
		event = max(event, o.First)
	}
	if o.Last != 0 {
		event = min(event, o.Last)
	}
	return event
}

// eventClasses numbers the binned events of rows of treated units, the
// reference left out, ascending.
func (r *panelRegression) eventClasses(o EventStudyOptions) (class, events []int) {
	t := r.t
	class = make([]int, t.rows())
	seen := map[int]int{}
	each := func(do func(i, event int)) {
		for u, g := range t.first {
			for i := t.start[u]; i < t.start[u+1]; i++ {
				if r.used[i] && t.treated(g) {
					do(i, o.bin(t.periods[t.period[i]]-g))
				}
			}
		}
	}
	each(func(_, event int) { seen[event] = 0 })
	delete(seen, o.Reference)
	for event := range seen {
		events = append(events, event)
	}
	slices.Sort(events)
	for k, event := range events {
		seen[event] = k
	}
	for i := range class {
		class[i] = -1
	}
	each(func(i, event int) {
		if k, ok := seen[event]; ok {
			class[i] = k
		}
	})
	return class, events
}

// unitsByClass counts the units with a row in each class.
func (r *panelRegression) unitsByClass(class []int, classes int) []int {
	units := make([]int, classes)
	last := make([]int, classes) // the unit counted last, plus 1
	for u := range r.t.first {
		for i := r.t.start[u]; i < r.t.start[u+1]; i++ {
			if c := class[i]; c >= 0 && last[c] != u+1 {
				last[c] = u + 1
				units[c]++
			}
		}
	}
	return units
}

// addPoints fills the points and returns the coefficients of those that have
// an estimate.
func (e *EventEffects) addPoints(f *fit, u uncertainty, events, units []int, o EventStudyOptions) (columns []int) {
	for c, event := range events {
		point := EventEstimate{Event: event, Units: units[c]}
		k, ok := f.anchored(c)
		switch _, kept := f.coefficient(c); {
		case ok:
			point.Estimate = f.estimate(k, u, o.level())
			columns = append(columns, k)
		case kept:
			point.Missing = "no row ties it to the reference"
		default:
			point.Missing = explained("earlier events")
		}
		e.Points = append(e.Points, point)
	}
	e.Points = append(e.Points, EventEstimate{Event: o.Reference, Reference: true})
	slices.SortFunc(e.Points, func(a, b EventEstimate) int { return a.Event - b.Event })
	for at, p := range e.Points {
		if p.Missing == "" && !p.Reference {
			e.estimated = append(e.estimated, at)
		}
	}
	return columns
}

// level is the level of confidence, which was checked before.
func (o FixedEffectsOptions) level() float64 {
	if o.Level == 0 {
		return defaultLevel
	}
	return o.Level
}

// leads are the coefficients of points before the start.
func (e *EventEffects) leads(columns []int) (leads []int) {
	for k, at := range e.estimated {
		if e.Points[at].Event < 0 {
			leads = append(leads, columns[k])
		}
	}
	return leads
}
