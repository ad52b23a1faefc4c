package estimate

import "steelyard/metrics/did"

var sunAbraham = method{
	name:       "sun-abraham",
	takes:      []string{"covariates", "weights", "cluster", "aggregate", "horizons", "repeated-cross-sections"},
	aggregates: []string{"simple", "group", "dynamic"},
	run:        runSunAbraham,
}

func runSunAbraham(t *task) error {
	how, err := t.aggregate("dynamic")
	if err != nil {
		return err
	}
	cluster, err := t.d.unitClusters()
	if err != nil {
		return err
	}
	r, err := did.SunAbraham(t.d.panel, did.SunAbrahamOptions{
		FixedEffectsOptions: did.FixedEffectsOptions{Cluster: cluster, Repeats: t.o.RepeatedCrossSections},
	})
	if err != nil {
		return err
	}
	t.add("effect", r.ATT)
	t.refusal("effect", r.Refusal)
	switch how {
	case "dynamic":
		t.events("event", r.Events, true)
	case "group":
		t.groups("group", r.Cohorts)
	}
	t.coefficients(r.Covariates)
	t.sample(r.Sample)
	t.warnAll(r.Warnings)
	return nil
}

// aggregate is how effects are averaged, and notes it: by time since the start
// where horizons bound that and nothing else was asked for.
func (t *task) aggregate(otherwise string) (string, error) {
	how := t.o.Aggregate
	if t.o.Horizons != nil {
		t.took("horizons", t.o.Horizons.String())
		otherwise = "dynamic"
	}
	if how == "" {
		how = otherwise
	}
	if t.o.Horizons != nil && how != "dynamic" {
		return "", refuse(ErrOption, "say --aggregate dynamic, or leave --horizons out",
			"--horizons bound effects by time since the start, and --aggregate %s asks for others", how)
	}
	t.took("aggregate", how)
	return how, nil
}

// groups appends effects by first treated or calendar period, on the side.
func (t *task) groups(prefix string, all []did.GroupEffect) {
	for _, g := range all {
		term := prefix + ":" + t.d.label(g.Label)
		t.addSide(term, g.Estimate)
		t.band(term, g.Estimate, g.BandLow, g.BandHigh)
	}
}

// band appends the simultaneous band of a term, where there is one.
func (t *task) band(term string, e did.Estimate, low, high float64) {
	if low == 0 && high == 0 {
		return
	}
	t.a.Results = append(t.a.Results, Result{
		Term: "band:" + term, Estimate: number(e.Value), CI: [2]*float64{number(low), number(high)}, side: true,
	})
}
