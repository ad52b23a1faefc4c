package did_test

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"steelyard/metrics/did"
)

// csdidFolder holds what R's did 2.5.0 gave for the panels beside it: the
// reference tables of the Python package csdid (d2cml-ai/csdid, MIT licence).
const csdidFolder = "csdid_r_refs"

// csdidScenarioOf names the run that a row is a result of.
func csdidScenarioOf(table string, row map[string]string) string {
	switch table {
	case "ref_sim.csv":
		return row["dataset"] + "/" + row["control"] + "/" + row["est"]
	case "ref_fixweights.csv":
		return "fix_weights/" + row["fix_weights"]
	case "ref_factor.csv":
		return "factor"
	default:
		return row["scenario"]
	}
}

// csdidRun is one run of the estimator with its aggregations.
type csdidRun struct {
	g                   *did.GroupTime
	simple              did.Aggregate
	dynamic             did.Dynamic
	byGroup, byCalendar did.Grouped
}

func newCsdidRun(t *testing.T, scenario string) csdidRun {
	t.Helper()
	p, o := csdidInput(t, scenario)
	g, err := did.CallawaySantAnna(p, o)
	if err != nil {
		t.Fatalf("%s: %v", scenario, err)
	}
	r := csdidRun{g: g}
	if r.simple, err = g.Simple(); err != nil {
		t.Fatalf("%s: %v", scenario, err)
	}
	if r.dynamic, err = g.Dynamic(-100, 100); err != nil {
		t.Fatalf("%s: %v", scenario, err)
	}
	if r.byGroup, err = g.Group(); err != nil {
		t.Fatalf("%s: %v", scenario, err)
	}
	if r.byCalendar, err = g.Calendar(); err != nil {
		t.Fatalf("%s: %v", scenario, err)
	}
	return r
}

// csdidInput is the panel and the options of a scenario.
func csdidInput(t *testing.T, scenario string) (did.Panel, did.GroupTimeOptions) {
	t.Helper()
	counties := csdidPanel{file: "mpdta_extra", unit: "countyreal", time: "year", y: "lemp", first: "first.treat"}
	switch scenario {
	case "mpdta_nev_dr":
		return counties.read(t), did.GroupTimeOptions{}
	case "mpdta_nyt_dr":
		return counties.read(t), did.GroupTimeOptions{Control: did.NotYetTreated}
	case "mpdta_nev_reg_cov":
		counties.covariate = "lpop"
		return counties.read(t), did.GroupTimeOptions{Method: did.OutcomeRegression}
	case "mpdta_nev_ipw":
		return counties.read(t), did.GroupTimeOptions{Method: did.InverseProbability}
	case "sim_nev_dr":
		return simulated("sim_data").read(t), did.GroupTimeOptions{}
	case "rc":
		return counties.read(t), did.GroupTimeOptions{CrossSections: true, Method: did.OutcomeRegression}
	case "universal":
		return counties.read(t), did.GroupTimeOptions{Base: did.Universal, Method: did.OutcomeRegression}
	case "anticipation1":
		return counties.read(t), did.GroupTimeOptions{Anticipation: 1, Method: did.OutcomeRegression}
	case "weighted":
		counties.weight = "wt"
		return counties.read(t), did.GroupTimeOptions{Method: did.OutcomeRegression}
	case "clustered":
		p := counties.read(t)
		return p, did.GroupTimeOptions{Method: did.OutcomeRegression, Cluster: counties.byUnit(t, "clust", len(p.First))}
	case "factor":
		return csdidFactor(t), did.GroupTimeOptions{Method: did.OutcomeRegression}
	}
	for name, weights := range map[string]did.WeightPeriod{
		"none": did.EarlierPeriodWeights, "base_period": did.BasePeriodWeights,
		"first_period": did.FirstPeriodWeights, "varying": did.OwnPeriodWeights,
	} {
		if scenario == "fix_weights/"+name {
			counties.file, counties.weight = "mpdta_tvw", "wt"
			return counties.read(t), did.GroupTimeOptions{Weights: weights, Method: did.OutcomeRegression}
		}
	}
	name, rest, _ := cut(scenario)
	control, method, ok := cut(rest)
	if !ok {
		t.Fatalf("unknown scenario %q", scenario)
	}
	o := did.GroupTimeOptions{}
	if control == "notyettreated" {
		o.Control = did.NotYetTreated
	}
	if method == "reg" {
		o.Method = did.OutcomeRegression
	}
	return simulated(name).read(t), o
}

func cut(s string) (before, after string, ok bool) {
	for i := range s {
		if s[i] == '/' {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// csdidPanel names the columns of one of the panels.
type csdidPanel struct{ file, unit, time, y, first, covariate, weight string }

func simulated(name string) csdidPanel {
	return csdidPanel{file: name, unit: "id", time: "period", y: "Y", first: "G", covariate: "X"}
}

func (c csdidPanel) rows(t testing.TB) []map[string]string {
	t.Helper()
	return readCSV(t, shared(t, filepath.Join(csdidFolder, c.file+".csv.gz")))
}

func (c csdidPanel) read(t testing.TB) did.Panel {
	t.Helper()
	var b builder
	var x, w []float64
	for _, row := range c.rows(t) {
		b.add(row[c.unit], whole(t, row[c.time]), start(t, row[c.first]), number(t, row[c.y]))
		if c.covariate != "" {
			x = append(x, number(t, row[c.covariate]))
		}
		if c.weight != "" {
			w = append(w, number(t, row[c.weight]))
		}
	}
	if x != nil {
		b.panel.X = [][]float64{x}
	}
	b.panel.Weight = w
	return b.panel
}

// byUnit reads a whole number of each unit, in the order of their first rows.
func (c csdidPanel) byUnit(t testing.TB, column string, units int) []int {
	t.Helper()
	var out []int
	seen := map[string]bool{}
	for _, row := range c.rows(t) {
		if !seen[row[c.unit]] {
			seen[row[c.unit]] = true
			out = append(out, int(number(t, row[column])))
		}
	}
	if len(out) != units {
		t.Fatalf("%d units have a %s, want %d", len(out), column, units)
	}
	return out
}

// csdidFactor is the panel whose covariate is a name.
func csdidFactor(t testing.TB) did.Panel {
	t.Helper()
	panel := simulated("factor_cov")
	panel.covariate = ""
	p := panel.read(t)
	var names []string
	for _, row := range panel.rows(t) {
		names = append(names, row["cat"])
	}
	p.X, _ = did.Dummies(names)
	return p
}

// compare says how a row differs from this run; empty where it does not.
func (r csdidRun) compare(t *testing.T, table string, row map[string]string) string {
	t.Helper()
	switch table {
	case "ref_pretest.csv":
		w, err := r.g.PreTest()
		if err != nil {
			return err.Error()
		}
		if math.Abs(w.P-number(t, row["Wpval"])) > 0.5e-5 {
			return "p is " + strconv.FormatFloat(w.P, 'g', -1, 64)
		}
		return apart("statistic", w.Statistic, number(t, row["W"]), 1e-8)
	case "ref_aggte.csv":
		point, overall, ok := r.aggregate(t, row["type"], row["egt"])
		if !ok {
			return "missing"
		}
		if row["egt"] != "NA" {
			if problem := differs(t, point, row["att_egt"], row["se_egt"]); problem != "" {
				return problem
			}
		}
		if problem := differs(t, overall, row["overall_att"], row["overall_se"]); problem != "" {
			return "overall " + problem
		}
		return ""
	}
	group, time := whole(t, row["group"]), whole(t, row["t"])
	k := slices.IndexFunc(r.g.Cells, func(c did.Cell) bool { return c.Group == group && c.Time == time })
	if k < 0 {
		return "missing"
	}
	return differs(t, r.g.Cells[k].Estimate, row["att"], row["se"])
}

func (r csdidRun) aggregate(t *testing.T, kind, label string) (point, overall did.Estimate, ok bool) {
	t.Helper()
	grouped := func(g did.Grouped) (did.Estimate, did.Estimate, bool) {
		at := whole(t, label)
		k, ok := slices.BinarySearchFunc(g.Points, at, func(e did.GroupEffect, at int) int { return cmp.Compare(e.Label, at) })
		if !ok {
			return did.Estimate{}, did.Estimate{}, false
		}
		return g.Points[k].Estimate, g.Overall, true
	}
	switch kind {
	case "simple":
		return did.Estimate{}, r.simple.Estimate, true
	case "group":
		return grouped(r.byGroup)
	case "calendar":
		return grouped(r.byCalendar)
	}
	for _, e := range r.dynamic.Points {
		if strconv.Itoa(e.Event) == label {
			return e.Estimate, r.dynamic.Overall, true
		}
	}
	return point, overall, false
}

// differs says how an estimate differs from a reference; NA is no standard
// error.
func differs(t *testing.T, e did.Estimate, value, se string) string {
	t.Helper()
	if problem := apart("estimate", e.Value, number(t, value), 1e-8); problem != "" {
		return problem
	}
	if se == "NA" {
		if e.HasSE {
			return "has a standard error"
		}
		return ""
	}
	return apart("standard error", e.SE, number(t, se), 1e-6)
}

// apart says by how much a number is off; the tolerance is relative or, below
// 1e-4, to 1e-4.
func apart(what string, got, want, tolerance float64) string {
	if math.Abs(got-want) <= tolerance*max(math.Abs(want), 1e-4) {
		return ""
	}
	return what + " " + strconv.FormatFloat(got, 'g', -1, 64) + ", want " + strconv.FormatFloat(want, 'g', -1, 64)
}
