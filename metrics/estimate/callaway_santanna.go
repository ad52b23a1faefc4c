package estimate

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"steelyard/metrics/did"
)

var callawaySantAnna = method{
	name: "callaway-santanna",
	takes: []string{
		"covariates", "weights", "cluster", "control", "estimator", "base-period", "aggregate", "horizons", "draws", "seed",
		"anticipation", "repeated-cross-sections",
	},
	aggregates: aggregates,
	run:        runCallawaySantAnna,
}

func runCallawaySantAnna(t *task) error {
	g, err := t.groupTime(t.o.base())
	if err != nil {
		return err
	}
	if err := t.averaged(g); err != nil {
		return whyNone(g, err)
	}
	switch w, err := g.PreTest(); {
	case err != nil:
		t.warn("pre-trend: no joint test: %v", err)
	default:
		t.addTest("pre-trend", w)
	}
	t.dropped(g.Dropped)
	t.warnAll(g.Warnings)
	return nil
}

// groupTime estimates the group-time effects as the options say.
func (t *task) groupTime(base did.BasePeriod) (*did.GroupTime, error) {
	p, o := t.d.panel, did.GroupTimeOptions{
		Control: t.o.control(), Base: base, Method: t.o.adjustment(),
		Draws: t.o.draws(), Seed: t.o.seed(), Anticipation: deref(t.o.Anticipation, 0),
	}
	var err error
	if t.o.RepeatedCrossSections {
		var units []int
		p, units = t.d.byRow()
		o.CrossSections = true
		if t.d.cluster != nil {
			o.Cluster = units
		}
	} else if o.Cluster, err = t.d.unitClusters(); err != nil {
		return nil, err
	}
	g, err := did.CallawaySantAnna(p, o)
	if err != nil {
		return nil, err
	}
	t.took("control", map[did.Control]string{did.NeverTreated: "never", did.NotYetTreated: "not-yet"}[o.Control])
	t.took("base-period", map[did.BasePeriod]string{did.Varying: "varying", did.Universal: "universal"}[base])
	if len(t.d.covariates) > 0 {
		t.took("estimator", map[did.Adjustment]string{
			did.DoublyRobust: "dr", did.OutcomeRegression: "reg", did.InverseProbability: "ipw",
		}[o.Method])
	}
	if o.Anticipation > 0 {
		t.took("anticipation", o.Anticipation)
	}
	if o.Draws > 0 {
		t.took("draws", o.Draws)
		t.tookSeed()
	}
	return g, nil
}

// averaged appends the average asked for and what it is made of.
func (t *task) averaged(g *did.GroupTime) error {
	how, err := t.aggregate("simple")
	if err != nil {
		return err
	}
	switch how {
	case "group", "calendar":
		average := g.Group
		if how == "calendar" {
			average = g.Calendar
		}
		r, err := average()
		if err != nil {
			return err
		}
		t.add(how+":overall", r.Overall)
		t.groups(how, r.Points)
	case "dynamic":
		r, err := dynamic(g, t.o.Horizons)
		if err != nil {
			return err
		}
		t.add("dynamic:overall", r.Overall)
		for _, p := range r.Points {
			t.events("dynamic", []did.EventEstimate{p}, true)
			t.band(fmt.Sprintf("dynamic:%d", p.Event), p.Estimate, p.BandLow, p.BandHigh)
		}
	default:
		r, err := g.Simple()
		if err != nil {
			return err
		}
		t.add("simple:overall", r.Estimate)
		t.cells(g)
	}
	return nil
}

// cells appends the group-time effects, with their bands where draws were
// asked for.
func (t *task) cells(g *did.GroupTime) {
	var bands []did.CellBand
	if t.o.Draws != nil {
		if _, b, err := g.CellBands(); err == nil {
			bands = b
		} else {
			t.warn("no bands: %v", err)
		}
	}
	missing := map[string]int{}
	for k, c := range g.Cells {
		term := fmt.Sprintf("ATT(%s,%s)", t.d.label(c.Group), t.d.label(c.Time))
		if c.Missing != "" {
			t.a.Results = append(t.a.Results, Result{Term: term, side: true})
			missing[c.Missing]++
			continue
		}
		t.result(term, c.Estimate, true)
		if c.Reference { // 0 by definition
			t.a.Results[len(t.a.Results)-1].bare = false
		}
		if bands != nil {
			t.band(term, c.Estimate, bands[k].Low, bands[k].High)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(missing)) {
		t.warn("%s no estimate: %s", counted(missing[why], "group-time effect has", "group-time effects have"), why)
	}
}

// dynamic are the effects by time since the start, inside the horizons where
// some were asked for.
func dynamic(g *did.GroupTime, asked *Horizons) (did.Dynamic, error) {
	if asked != nil {
		return g.Dynamic(asked.First, asked.Last)
	}
	r, err := g.Dynamic(-most, most)
	var refusal *did.Error
	if errors.As(err, &refusal) && refusal.Code == did.ErrNotIdentified {
		return r, &did.Error{Code: refusal.Code, Detail: "no effect from the start on has an estimate"}
	}
	return r, err
}

// whyNone adds to the refusal of an average why most of its cells have no
// estimate.
func whyNone(g *did.GroupTime, err error) error {
	var refusal *did.Error
	if !errors.As(err, &refusal) || refusal.Code != did.ErrNotIdentified {
		return err
	}
	reasons := map[string]int{}
	for _, c := range g.Cells {
		if c.Missing != "" && c.Time >= c.Group {
			reasons[c.Missing]++
		}
	}
	most := ""
	for why, n := range reasons {
		if n > reasons[most] || n == reasons[most] && why < most {
			most = why
		}
	}
	if most == "" {
		return err
	}
	return &did.Error{Code: refusal.Code, Detail: refusal.Detail + ": " + most}
}
