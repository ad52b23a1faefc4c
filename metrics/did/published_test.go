package did_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// publishedRows are how many rows of the two published tables this file's
// methods answer; a row more or less is a row that nobody checked.
const publishedRows = 137 + 2 + 1 + 12 + 70 + 3

// TestPublishedGroupTimeRows reads every Callaway–Sant'Anna and Poisson row of
// reference_values.csv and reference_he2025.csv, compares estimates to 1e-8 and
// standard errors to 1e-6, and counts them.
func TestPublishedGroupTimeRows(t *testing.T) {
	rows := append(readCSV(t, shared(t, "reference_values.csv")), readCSV(t, shared(t, "reference_he2025.csv"))...)
	got := map[string]map[string]did.Estimate{}
	count := 0
	for _, row := range rows {
		method := row["method"]
		if !strings.HasPrefix(method, "Callaway") && !strings.HasPrefix(method, "Poisson") {
			continue
		}
		count++
		run := row["dataset"] + "|" + method + "|" + row["outcome"]
		if got[run] == nil {
			got[run] = published(t, row)
		}
		term := row["term"]
		e, ok := got[run][term]
		if !ok {
			t.Errorf("%s %s: missing", run, term)
			continue
		}
		near(t, run+" "+term, e.Value, number(t, row["estimate"]), 1e-8)
		switch {
		case row["se"] != "":
			near(t, run+" "+term+" standard error", e.SE, number(t, row["se"]), 1e-6)
		case strings.HasPrefix(row["note"], "p="):
			if got := strconv.FormatFloat(e.P, 'f', 5, 64); got != row["note"][2:] {
				t.Errorf("%s: p is %s, want %s", run, got, row["note"][2:])
			}
		case e.HasSE:
			t.Errorf("%s %s has a standard error", run, term)
		}
	}
	if count != publishedRows {
		t.Errorf("%d rows, want %d", count, publishedRows)
	}
}

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
