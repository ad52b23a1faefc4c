package estimate

import "steelyard/metrics/did"

var imputation = method{
	name:       "imputation",
	takes:      []string{"covariates", "weights", "cluster", "aggregate", "horizons", "repeated-cross-sections"},
	aggregates: []string{"simple", "dynamic"},
	run:        runImputation,
}

// runImputation tests the leads that the horizons name; none otherwise.
func runImputation(t *task) error {
	cluster, err := t.d.unitClusters()
	if err != nil {
		return err
	}
	o := did.ImputationOptions{Cluster: cluster, Repeats: t.o.RepeatedCrossSections}
	how, err := t.aggregate("simple")
	if err != nil {
		return err
	}
	o.Horizons = how == "dynamic"
	if h := t.o.Horizons; h != nil && h.First < 0 {
		if h.First < -maxLeads {
			return refuse(ErrOption, "begin later", "--horizons %s name %d leads: %d are the most", h, -h.First, maxLeads)
		}
		for event := h.First; event <= min(h.Last, -1); event++ {
			o.Leads = append(o.Leads, event)
		}
	}
	r, err := did.Impute(t.d.panel, o)
	if err != nil {
		return err
	}
	t.add("effect", r.Static)
	t.events("event", r.PreTrends, true)
	t.events("event", r.Horizons, true)
	if r.PreTest != nil {
		t.addTest("pre-trend", *r.PreTest)
	}
	t.coefficients(r.Covariates)
	t.a.N.Rows, t.a.N.Units = r.UsedRows, r.UsedUnits
	t.dropped(r.Dropped)
	t.warnAll(r.Warnings)
	return nil
}

// maxLeads bounds the leads that may be named.
const maxLeads = 1000
