package estimate

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"steelyard/metrics/did"
)

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
		return t.d.namedColumn(err, 4) // a constant, the group, the time, both
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

// regressionColumn is how package did names a column of a regression.
var regressionColumn = regexp.MustCompile(`^column (\d+) of the regression`)

// namedColumn names the covariate in a refusal of a regression, in which they
// come after so many other columns.
func (d *Data) namedColumn(err error, others int) error {
	var refusal *did.Error
	if !errors.As(err, &refusal) {
		return err
	}
	part := regressionColumn.FindStringSubmatch(refusal.Detail)
	if part == nil {
		return err
	}
	n, wrong := strconv.Atoi(part[1])
	if n -= others; wrong != nil || n < 0 || n >= len(d.covariates) {
		return err
	}
	return &did.Error{Code: refusal.Code, Detail: "covariate " + d.covariates[n] + strings.TrimPrefix(refusal.Detail, part[0])}
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
		return t.d.namedColumn(err, 2) // a constant, the treatment
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
