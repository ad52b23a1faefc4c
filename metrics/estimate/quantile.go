package estimate

import "steelyard/metrics/did"

var quantile = method{
	name:    "quantile",
	takes:   []string{"covariates", "cluster"},
	repeats: true,
	run:     runQuantile,
	tasks:   runQuantileTasks,
}

func runQuantile(t *task) error {
	d, _, err := t.twoWindows()
	if err != nil {
		return err
	}
	cluster, err := d.unitClusters()
	if err != nil {
		return err
	}
	r, err := did.QuantileDiD(d.panel, did.QuantileDiDOptions{Cluster: cluster})
	if err != nil {
		return err
	}
	t.add("effect", r.Clustered)
	t.refusal("effect", r.Refusal)
	t.addSide("effect:independent-rows", r.Independent)
	for _, c := range []struct {
		term string
		cell did.CellQuantile
	}{
		{"median:treated-before", r.TreatedBefore},
		{"median:treated-after", r.TreatedAfter},
		{"median:comparison-before", r.ComparisonBefore},
		{"median:comparison-after", r.ComparisonAfter},
	} {
		t.addNumber(c.term, c.cell.Value)
	}
	for k, e := range r.Covariates {
		t.addSide("covariate:"+t.d.covariates[k], e)
	}
	if r.Refusal != "" && r.Independent.HasSE {
		t.warn("effect:independent-rows: the interval takes rows to know nothing of each other: it describes rows, not units")
	}
	return nil
}

// runQuantileTasks is the median regression on having been treated by lot, and
// the shift between the two groups that ranks show.
func runQuantileTasks(t *task) error {
	treated := make([]float64, t.d.rows())
	var with, without []float64
	for i, on := range t.d.treated {
		if on {
			treated[i] = 1
			with = append(with, t.d.panel.Y[i])
		} else {
			without = append(without, t.d.panel.Y[i])
		}
	}
	beta, err := did.QuantileRegression(t.d.panel.Y, append([][]float64{treated}, t.d.panel.X...), 0.5)
	if err != nil {
		return err
	}
	t.addPlain("effect", beta[1])
	for k, name := range t.d.covariates {
		t.addNumber("covariate:"+name, beta[2+k])
	}
	if len(t.d.covariates) > 0 {
		return nil
	}
	shift, err := did.HodgesLehmann(with, without, 0)
	if err != nil {
		t.warn("shift: %v", err)
		return nil
	}
	t.shift(shift)
	return nil
}

// shift appends a Hodges–Lehmann shift.
func (t *task) shift(s did.Shift) {
	out := Result{Term: "shift", Estimate: number(s.Value), P: number(s.P), side: true}
	out.between(interval{s.Low, s.High, s.LowOpen, s.HighOpen})
	t.a.Results = append(t.a.Results, out)
}
