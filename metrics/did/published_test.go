package did_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// published runs the method of a row and names its results as the tables do.
func published(t *testing.T, row map[string]string) map[string]did.Estimate {
	t.Helper()
	method := row["method"]
	has := func(word string) bool { return strings.Contains(method, word) }
	if strings.HasPrefix(method, "Poisson") {
		return publishedPoisson(t, row["dataset"], has("all rows"))
	}
	var p did.Panel
	unbalanced := false
	switch row["dataset"] {
	case "mpdta":
		p = bundled(t, "mpdta")
		if has("~lpop") {
			p = countiesWithPopulation(t)
		}
	case "castle":
		p = bundled(t, "castle")
	case "ehec_medicaid":
		p = bundled(t, "ehec")
	case "he2025_cursor_panel_monthly":
		p, unbalanced = editor(t, row["outcome"]), true
	default:
		p, _ = states(t, strings.TrimPrefix(row["dataset"], "did2s_"))
	}
	var o did.GroupTimeOptions
	if has("notyettreated") || has("dynamic overall") { // of the same run
		o.Control = did.NotYetTreated
	}
	if has("universal") {
		o.Base = did.Universal
	}
	switch {
	case has("/reg"):
		o.Method = did.OutcomeRegression
	case has("/ipw"):
		o.Method = did.InverseProbability
	}
	out := groupTime(t, p, o, unbalanced)
	out["simple:overall"], out["W"], out["0..5"] = out["simple"], out["pretest:W"], out["dynamic:overall"]
	for _, term := range slices.Collect(maps.Keys(out)) {
		if event, ok := strings.CutPrefix(term, "dynamic:"); ok {
			out[event], out["dyn:"+event] = out[term], out[term]
		}
	}
	return out
}

func publishedPoisson(t *testing.T, dataset string, repeats bool) map[string]did.Estimate {
	t.Helper()
	var r *did.Poisson
	var err error
	if dataset == "castle" {
		p, exposure := castleCounts(t)
		r, err = did.PoissonRatio(p, did.PoissonOptions{Exposure: exposure})
	} else {
		r, err = did.PoissonRatio(editorCommits(t, repeats), did.PoissonOptions{Repeats: repeats})
	}
	if err != nil {
		t.Fatal(err)
	}
	return map[string]did.Estimate{"post": r.Effect}
}
