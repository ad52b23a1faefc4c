package did_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// staggered is a simulated panel whose periods have a hole (there is no 4),
// with two covariates, one of them changing over time, weights and clusters.
// scenario says in words which of its rows are taken and how: "gaps" and "rows"
// take those marked as seen.
func staggered(t testing.TB, scenario []string) (did.Panel, did.GroupTimeOptions) {
	t.Helper()
	has := func(word string) bool { return slices.Contains(scenario, word) }
	var o did.GroupTimeOptions
	switch {
	case has("reg"):
		o.Method = did.OutcomeRegression
	case has("ipw"):
		o.Method = did.InverseProbability
	}
	if has("notyettreated") || has("treated") {
		o.Control = did.NotYetTreated
	}
	if has("universal") {
		o.Base = did.Universal
	}
	if has("anticipation") {
		o.Anticipation = 1
		if len(scenario) == 4 && scenario[0] == "whole" {
			o.Anticipation = 2
		}
	}
	o.Balance = has("balance")
	o.CrossSections = has("rows")
	o.Weights = map[string]did.WeightPeriod{
		"base_period": did.BasePeriodWeights, "first_period": did.FirstPeriodWeights, "varying": did.OwnPeriodWeights,
	}[scenario[len(scenario)-1]]
	seen := has("gaps") || has("rows") || has("balance")
	var b builder
	var x1, x2, w []float64
	for _, row := range readCSV(t, filepath.Join("testdata", "staggered.csv")) {
		if seen && row["seen"] == "0" || has("all") && row["first"] == "0" {
			continue
		}
		units := len(b.panel.First)
		b.add(row["unit"], whole(t, row["time"]), start(t, row["first"]), number(t, row["y"]))
		x1 = append(x1, number(t, row["x1"]))
		x2 = append(x2, number(t, row["x2"]))
		w = append(w, number(t, row["w"]))
		if has("cluster") && len(b.panel.First) > units {
			o.Cluster = append(o.Cluster, whole(t, row["cluster"]))
		}
	}
	switch {
	case has("plain"):
	case has("all") && (has("gaps") || has("anticipation")):
		b.panel.X = [][]float64{x1}
	default:
		b.panel.X = [][]float64{x1, x2}
	}
	if has("weights") {
		b.panel.Weight = w
	}
	return b.panel, o
}

// TestStaggeredReferences compares what no published table covers (gaps with
// covariates, weights of other periods, anticipation, clusters) with the code of
// R's did 2.5.1 and DRDID 1.2.3 run on testdata/staggered.csv.
func TestStaggeredReferences(t *testing.T) {
	got := map[string]map[string]did.Estimate{}
	for _, row := range readCSV(t, filepath.Join("testdata", "references_staggered.csv")) {
		scenario := row["scenario"]
		if got[scenario] == nil {
			p, o := staggered(t, strings.Fields(scenario))
			got[scenario] = groupTime(t, p, o, false)
		}
		e, ok := got[scenario][row["term"]]
		if !ok {
			t.Errorf("%s %s: missing", scenario, row["term"])
			continue
		}
		if row["term"] == "pretest:W" && strings.Contains(scenario, "anticipation") {
			// did also tests cells in which units may react already; see
			// docs/methods/deviations.md.
			if !(e.Value < number(t, row["estimate"])) {
				t.Errorf("%s: the pre-test counts cells of anticipation", scenario)
			}
			continue
		}
		if row["estimate"] == "" {
			if e != (did.Estimate{}) {
				t.Errorf("%s %s: got %v, the reference has none", scenario, row["term"], e)
			}
			continue
		}
		near(t, scenario+" "+row["term"], e.Value, number(t, row["estimate"]), 1e-9)
		if row["se"] != "" {
			near(t, scenario+" "+row["term"]+" standard error", e.SE, number(t, row["se"]), 1e-9)
		}
	}
	if len(got) < 30 {
		t.Errorf("only %d scenarios", len(got))
	}
}
