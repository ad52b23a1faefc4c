package did_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// TestReferences compares every method with the numbers that the R packages
// named in testdata/references.csv gave for the same data: point estimates to
// 1e-8 relative, standard errors to 1e-6. The imputation reference stopped
// iterating before that, so it is held to 1e-6.
func TestReferences(t *testing.T) {
	type key struct{ data, method string }
	want := map[key][]map[string]string{}
	var order []key
	for _, row := range readCSV(t, filepath.Join("testdata", "references.csv")) {
		k := key{row["data"], row["method"]}
		if want[k] == nil {
			order = append(order, k)
		}
		want[k] = append(want[k], row)
	}
	for _, k := range order {
		t.Run(k.data+"/"+k.method, func(t *testing.T) {
			got := compute(t, k.data, k.method)
			for _, row := range want[k] {
				e, ok := got[row["term"]]
				if row["estimate"] == "" {
					if ok {
						t.Errorf("%s: got %v, the reference has none", row["term"], e)
					}
					continue
				}
				if !ok {
					t.Errorf("%s: missing", row["term"])
					continue
				}
				tolerance := 1e-8
				if strings.HasPrefix(k.method, "imputation") {
					tolerance = 1e-6
				}
				near(t, row["term"], e.Value, number(t, row["estimate"]), tolerance)
				if row["se"] == "" {
					continue
				}
				near(t, row["term"]+" standard error", e.SE, number(t, row["se"]), 1e-6)
			}
		})
	}
}

// near fails where got is not within tolerance of want, relative to want or,
// for effects that are nearly nothing, to 0.1.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(math.Abs(want), 0.1)) {
		t.Errorf("%s: got %.15g, want %.15g (off by %.2g)", what, got, want, got-want)
	}
}

// compute runs one method on one data set and names its results as the
// references do.
func compute(t *testing.T, data, method string) map[string]did.Estimate {
	t.Helper()
	var p did.Panel
	var cluster []int
	name, outcome, _ := strings.Cut(data, ":")
	switch name {
	case "he2025":
		p = editor(t, outcome)
	case "df_het", "df_hom":
		p, cluster = states(t, name)
	default:
		p = bundled(t, name)
	}
	switch method {
	case "cs-never-varying":
		return groupTime(t, p, did.GroupTimeOptions{}, name == "he2025")
	case "cs-never-universal":
		return groupTime(t, p, did.GroupTimeOptions{Base: did.Universal}, false)
	case "cs-notyet-varying":
		return groupTime(t, p, did.GroupTimeOptions{Control: did.NotYetTreated}, false)
	case "cs-rows-as-units":
		return groupTime(t, rowsAsUnits(p), did.GroupTimeOptions{}, true)
	case "imputation":
		return imputed(t, p, did.ImputationOptions{Horizons: true, PreTrends: 3})
	case "imputation-cluster-state":
		return imputed(t, p, did.ImputationOptions{Cluster: cluster})
	default:
		return oneTreated(t, p, method)
	}
}

// rowsAsUnits makes repeated cross-sections of p: nobody is seen twice.
func rowsAsUnits(p did.Panel) did.Panel {
	q := did.Panel{Time: p.Time, Y: p.Y}
	for i, u := range p.Unit {
		q.Unit = append(q.Unit, i)
		q.First = append(q.First, p.First[u])
	}
	return q
}

func groupTime(t *testing.T, p did.Panel, o did.GroupTimeOptions, skipPreTest bool) map[string]did.Estimate {
	t.Helper()
	g, err := did.CallawaySantAnna(p, o)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]did.Estimate{}
	for _, c := range g.Cells {
		out[fmt.Sprintf("ATT(%d,%d)", c.Group, c.Time)] = c.Estimate
	}
	simple, err := g.Simple()
	if err != nil {
		t.Fatal(err)
	}
	out["simple"] = simple.Estimate
	if simple.Estimate.Value != simple.TreatedChange-simple.ComparisonChange {
		t.Errorf("simple effect %v is not exactly %v − %v", simple.Estimate.Value, simple.TreatedChange, simple.ComparisonChange)
	}
	from, to := -100, 100
	if skipPreTest { // the rows of the unbalanced panel
		from, to = -6, 6
	}
	dynamic, err := g.Dynamic(from, to)
	if err != nil {
		t.Fatal(err)
	}
	out["dynamic:overall"] = dynamic.Overall
	for _, e := range dynamic.Points {
		out["dynamic:"+strconv.Itoa(e.Event)] = e.Estimate
	}
	add := func(kind string, get func() (did.Grouped, error)) {
		r, err := get()
		if err != nil {
			t.Fatal(err)
		}
		out[kind+":overall"] = r.Overall
		for _, e := range r.Points {
			out[kind+":"+strconv.Itoa(e.Label)] = e.Estimate
		}
	}
	add("group", g.Group)
	add("calendar", g.Calendar)
	if !skipPreTest {
		if w, err := g.PreTest(); err == nil {
			out["pretest:W"] = did.Estimate{Value: w.Statistic, P: w.P}
		}
	}
	return out
}

func imputed(t *testing.T, p did.Panel, o did.ImputationOptions) map[string]did.Estimate {
	t.Helper()
	r, err := did.Impute(p, o)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]did.Estimate{"static": r.Static}
	for _, e := range append(r.Horizons, r.PreTrends...) {
		if e.Missing == "" {
			out["event:"+strconv.Itoa(e.Event)] = e.Estimate
		}
	}
	return out
}

// series splits a panel with one treated unit into rows of values by period.
func series(t *testing.T, p did.Panel) (treated []float64, comparisons [][]float64, before int) {
	t.Helper()
	values := make([][]float64, len(p.First))
	for i, u := range p.Unit { // the bundled panels are sorted by period
		values[u] = append(values[u], p.Y[i])
		if p.First[u] != did.Never && p.Time[i] < p.First[u] {
			before++
		}
	}
	for u, v := range values {
		if p.First[u] != did.Never {
			treated = v
		} else {
			comparisons = append(comparisons, v)
		}
	}
	return treated, comparisons, before
}

func average(xs []float64) float64 {
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

func oneTreated(t *testing.T, p did.Panel, method string) map[string]did.Estimate {
	t.Helper()
	treated, comparisons, before := series(t, p)
	change := func(v []float64) float64 { return average(v[before:]) - average(v[:before]) }
	var others []float64
	gap := append([]float64{}, treated...)
	for _, c := range comparisons {
		others = append(others, change(c))
		for i := range gap {
			gap[i] -= c[i] / float64(len(comparisons))
		}
	}
	var e did.Estimate
	var err error
	switch method {
	case "cross-fit-K=2", "cross-fit-K=3":
		var r did.CrossFitResult
		r, err = did.CrossFitGap(gap, before, whole(t, method[len(method)-1:]), 0.9)
		e = r.Estimate
	case "donald-lang":
		e, err = did.DonaldLang(change(treated), others, 0)
	case "placebo", "placebo-leave-out":
		var r did.PlaceboResult
		r, err = did.PlaceboRank(append(others, change(treated)), len(others))
		e = did.Estimate{Value: r.Effects[len(others)], P: r.P}
		if method == "placebo-leave-out" {
			e.P = r.LeaveOutP
		}
	default:
		t.Fatalf("unknown method %s", method)
	}
	if err != nil {
		t.Fatal(err)
	}
	return map[string]did.Estimate{"att": e}
}
