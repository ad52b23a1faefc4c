package did_test

import (
	"path/filepath"
	"testing"

	"steelyard/metrics/did"
)

// countiesWithPopulation is the bundled panel mpdta with the logarithm of the
// county's population.
func countiesWithPopulation(t testing.TB) did.Panel {
	t.Helper()
	p := bundled(t, "mpdta")
	var x []float64
	for _, row := range readCSV(t, filepath.Join("testdata", "mpdta.csv")) {
		x = append(x, number(t, row["lpop"]))
	}
	p.X = [][]float64{x}
	return p
}

// TestCallawayReferences compares effects adjusted for a covariate with what
// R's did gave (testdata/references_callaway.csv).
func TestCallawayReferences(t *testing.T) {
	controls := map[string]did.Control{"never": did.NeverTreated, "not-yet": did.NotYetTreated}
	methods := map[string]did.Adjustment{
		"dr": did.DoublyRobust, "reg": did.OutcomeRegression, "ipw": did.InverseProbability,
	}
	p := countiesWithPopulation(t)
	got := map[string]map[string]did.Estimate{}
	for _, row := range readCSV(t, filepath.Join("testdata", "references_callaway.csv")) {
		run := row["control"] + "/" + row["method"]
		if got[run] == nil {
			got[run] = groupTime(t, p, did.GroupTimeOptions{Control: controls[row["control"]], Method: methods[row["method"]]}, false)
			got[run]["simple:overall"] = got[run]["simple"]
		}
		e, ok := got[run][row["term"]]
		if !ok {
			t.Errorf("%s %s: missing", run, row["term"])
			continue
		}
		near(t, run+" "+row["term"], e.Value, number(t, row["estimate"]), 1e-8)
		near(t, run+" "+row["term"]+" standard error", e.SE, number(t, row["se"]), 1e-6)
	}
}
