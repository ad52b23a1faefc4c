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

// looser holds the rows of references_regression.csv whose reference stopped
// iterating before 1e-8, with the relative tolerance they are held to here;
// [TestReferencesThatStoppedEarly] and [TestShiftAsInR] find the same digits by
// stopping where R did.
var looser = map[string]float64{
	"mpdta/Imputation (BJS)":                             1e-7,
	"mpdta/Imputation event study":                       1e-7,
	"mpdta/Gardner 2-stage":                              1e-7,
	"did2s_df_het/Gardner 2-stage (FE unit+year)":        1e-7,
	"did2s_df_hom/Gardner 2-stage (FE unit+year)":        1e-7,
	"did2s_df_het/Imputation (BJS)":                      1e-7,
	"did2s_df_het/Imputation (BJS) cluster state":        1e-7,
	"did2s_df_hom/Imputation (BJS)":                      1e-7,
	"did2s_df_hom/Imputation (BJS) cluster state":        1e-7,
	"metr/Hodges-Lehmann shift of log(actual/predicted)": 1e-3,
}

// TestRegressionReferences compares the regression family with the numbers of
// R and the published ones: points to 1e-8 relative, standard errors to 1e-6.
func TestRegressionReferences(t *testing.T) {
	answers := map[string]map[string]did.Estimate{}
	for _, row := range readCSV(t, filepath.Join("testdata", "references_regression.csv")) {
		key := row["data"] + "/" + row["method"]
		t.Run(strings.ReplaceAll(key+"/"+row["term"], " ", "-"), func(t *testing.T) {
			got, ok := answers[key+row["note"]]
			if !ok {
				got = regressionAnswers(t, row["data"], row["method"], row["note"])
				answers[key+row["note"]] = got
			}
			e, ok := got[row["term"]]
			if row["estimate"] == "" {
				if ok {
					t.Errorf("got %v, the reference has none", e)
				}
				return
			}
			if !ok {
				t.Fatalf("missing among %v", got)
			}
			tolerance := 1e-8
			if x, ok := looser[key]; ok {
				tolerance = x
			}
			near(t, "estimate", e.Value, number(t, row["estimate"]), tolerance)
			if row["se"] != "" {
				near(t, "standard error", e.SE, number(t, row["se"]), 1e-6)
			}
			if _, p, ok := strings.Cut(strings.ReplaceAll(row["note"], "p(df=9)=", "p="), "p="); ok {
				near(t, "p", e.P, number(t, strings.Trim(strings.Fields(p)[0], ",;")), 1e-8)
			}
		})
	}
}

// regressionAnswers computes one method on one data set, named as in R.
func regressionAnswers(t *testing.T, data, method, note string) map[string]did.Estimate {
	t.Helper()
	switch data {
	case "mpdta":
		return onPanel(t, bundled(t, "mpdta"), method, "year::%d", did.FixedEffectsOptions{}, nil)
	case "fixest_base_stagg":
		o := did.FixedEffectsOptions{}
		if strings.HasPrefix(note, "iid") {
			o.Covariance = did.Homoskedastic
		}
		name := "year::%d"
		if method == "TWFE event study" {
			name = "time_to_treatment::%d:treated"
		}
		return onPanel(t, baseStagg(t), method, name, o, nil)
	case "fixest_base_did":
		return onBaseDid(t, method)
	case "did2s_df_het", "did2s_df_hom":
		p, cluster := states(t, strings.TrimPrefix(data, "did2s_"))
		return onPanel(t, p, method, "", did.FixedEffectsOptions{Cluster: cluster}, cluster)
	case "castle":
		return onCastle(t, method)
	case "card_krueger":
		return onRestaurants(t, method)
	case "fewclusters_prop99_10states":
		return onTenStates(t, method)
	case "ehec_medicaid":
		out := map[string]did.Estimate{}
		for _, e := range eventStudy(t, medicaid(t), did.EventStudyOptions{}).Points {
			out[fmt.Sprintf("year::%d:Dd", 2014+e.Event)] = e.Estimate
		}
		return out
	case "metr":
		return onTasks(t, method)
	}
	t.Fatalf("unknown data %s", data)
	return nil
}

func eventStudy(t *testing.T, p did.Panel, o did.EventStudyOptions) *did.EventEffects {
	t.Helper()
	r, err := did.EventStudy(p, o)
	must(t, err)
	return r
}

func fixedEffects(t *testing.T, p did.Panel, o did.FixedEffectsOptions) *did.FixedEffects {
	t.Helper()
	r, err := did.TwoWayFixedEffects(p, o)
	must(t, err)
	return r
}

// onPanel runs the methods of staggered panels; event names a point.
func onPanel(t *testing.T, p did.Panel, method, event string, o did.FixedEffectsOptions, cluster []int) map[string]did.Estimate {
	t.Helper()
	out := map[string]did.Estimate{}
	points := func(es []did.EventEstimate, name string) {
		for _, e := range es {
			if e.Missing == "" && !e.Reference {
				out[fmt.Sprintf(name, e.Event)] = e.Estimate
			}
		}
	}
	covariates := func(cs []did.Coefficient) {
		for k, c := range cs {
			out[fmt.Sprintf("x%d", k+1)] = c.Estimate
		}
	}
	switch {
	case method == "TWFE":
		e := fixedEffects(t, p, o).Effect
		out["post"], out["treat"] = e, e
	case method == "TWFE event study":
		r := eventStudy(t, p, did.EventStudyOptions{FixedEffectsOptions: o})
		points(r.Points, event)
		covariates(r.Covariates)
	case strings.HasPrefix(method, "Sun-Abraham"):
		r, err := did.SunAbraham(p, did.SunAbrahamOptions{FixedEffectsOptions: o})
		must(t, err)
		out["ATT"] = r.ATT
		if event != "" {
			points(r.Events, event)
		}
		covariates(r.Covariates)
		for _, g := range r.Cohorts {
			out[fmt.Sprintf("cohort::%d", g.Label)] = g.Estimate
		}
	case strings.HasPrefix(method, "Gardner"):
		two := did.TwoStageOptions{Cluster: cluster}
		if strings.Contains(method, "state+year") {
			two.Groups = cluster
		}
		r, err := did.TwoStage(p, two)
		must(t, err)
		out["post"], out["treat"] = r.Static, r.Static
	case strings.HasPrefix(method, "Imputation"):
		im := did.ImputationOptions{Horizons: true}
		if method == "Imputation event study" {
			im.PreTrends = 3
		}
		if strings.Contains(method, "cluster") {
			im.Cluster = cluster
		}
		r, err := did.Impute(p, im)
		must(t, err)
		out["treat"] = r.Static
		points(append(r.Horizons, r.PreTrends...), "%d")
	default:
		t.Fatalf("unknown method %s", method)
	}
	return out
}

func onBaseDid(t *testing.T, method string) map[string]did.Estimate {
	t.Helper()
	p := baseDid(t)
	if method == "2x2 DiD TWFE" {
		return map[string]did.Estimate{"treat:post": fixedEffects(t, p, did.FixedEffectsOptions{}).Effect}
	}
	r := eventStudy(t, p, did.EventStudyOptions{})
	out := map[string]did.Estimate{"x1": r.Covariates[0].Estimate, "F": {Value: r.PreTest.Statistic, P: r.PreTest.P}}
	for _, e := range r.Points {
		out[fmt.Sprintf("period::%d:treat", 6+e.Event)] = e.Estimate
	}
	return out
}

func onCastle(t *testing.T, method string) map[string]did.Estimate {
	t.Helper()
	effect := func(p did.Panel) map[string]did.Estimate {
		return map[string]did.Estimate{"post": fixedEffects(t, p, did.FixedEffectsOptions{}).Effect}
	}
	switch method {
	case "TWFE unweighted":
		return effect(homicides(t, ""))
	case "TWFE popwt":
		return effect(homicides(t, "popwt"))
	case "TWFE with controls":
		return effect(homicides(t, "", "l_income", "l_pop"))
	case "Imputation (BJS)":
		return onPanel(t, bundled(t, "castle"), method, "", did.FixedEffectsOptions{}, nil)
	}
	b, err := did.GoodmanBacon(homicides(t, ""))
	must(t, err)
	out := map[string]did.Estimate{}
	for _, kind := range []did.ComparisonKind{did.EarlierVsLater, did.LaterVsEarlier, did.TreatedVsUntreated} {
		effect, _ := b.Kind(kind)
		out[kind.String()] = did.Estimate{Value: effect}
	}
	return out
}

// onRestaurants computes one of the 2×2 methods.
func onRestaurants(t *testing.T, method string) map[string]did.Estimate {
	t.Helper()
	r, err := did.TwoByTwo(restaurants(t), did.TwoByTwoOptions{})
	must(t, err)
	switch {
	case strings.HasPrefix(method, "cell mean"):
		out := map[string]did.Estimate{}
		for name, c := range map[string]did.CellMean{
			"nj=0,after=0": r.ComparisonBefore, "nj=0,after=1": r.ComparisonAfter,
			"nj=1,after=0": r.TreatedBefore, "nj=1,after=1": r.TreatedAfter,
		} {
			out[name] = did.Estimate{Value: c.Mean, SE: c.SE}
		}
		return out
	case strings.HasPrefix(method, "2x2 DiD all"):
		return map[string]did.Estimate{"NJ-PA change": r.Homoskedastic, "nj": r.Homoskedastic}
	case method == "2x2 OLS":
		return map[string]did.Estimate{"nj:d": r.Homoskedastic}
	case method == "2x2 OLS HC1":
		return map[string]did.Estimate{"nj:d": r.HC1}
	case strings.HasPrefix(method, "2x2 OLS CRV1"):
		return map[string]did.Estimate{"nj:d": r.Clustered}
	case strings.HasSuffix(method, "Welch SE"):
		return map[string]did.Estimate{"nj": r.Balanced.Welch}
	}
	return map[string]did.Estimate{"nj": r.Balanced.Pooled}
}

func onTenStates(t *testing.T, method string) map[string]did.Estimate {
	t.Helper()
	design := method[strings.LastIndex(method, "(")+1 : len(method)-1]
	w, err := did.WildBootstrap(tenStatePanel(t, design), did.WildOptions{FewTreated: true, Unrestricted: strings.Contains(method, "WCU")})
	must(t, err)
	e := did.Estimate{Value: w.Value, SE: w.SE, P: w.P}
	if strings.HasPrefix(method, "OLS") {
		e.P = did.TwoSided(w.T, 9)
	}
	return map[string]did.Estimate{design: e}
}

func onTasks(t *testing.T, method string) map[string]did.Estimate {
	t.Helper()
	tasks, ratios, forecast := metrTasks(t)
	if strings.HasPrefix(method, "Hodges") {
		s, err := did.HodgesLehmann(ratios[1], ratios[0], 0)
		must(t, err)
		return map[string]did.Estimate{"ai_treatment": {Value: s.Value, P: s.P}}
	}
	if strings.HasPrefix(method, "Developers") {
		return map[string]did.Estimate{"forecast": {Value: average(forecast)}}
	}
	r, err := did.Randomized(tasks, did.RandomizedOptions{})
	must(t, err)
	e := r.Homoskedastic.Log
	switch {
	case method == "OLS HC3":
		e = r.HC3.Log
	case strings.HasPrefix(method, "OLS CRV1"):
		e = r.Clustered.Log
	case strings.HasPrefix(method, "WCR"):
		e = did.Estimate{Value: r.Wild.Value, P: r.Wild.P}
	case strings.HasPrefix(method, "Median"):
		e = r.Median.Log
	}
	return map[string]did.Estimate{"ai_treatment": e}
}

// TestWildIntervals compares intervals with fwildclusterboot's, which stops
// after ten steps of its search: to a ten-thousandth of their length.
func TestWildIntervals(t *testing.T) {
	tasks, _, _ := metrTasks(t)
	r, err := did.Randomized(tasks, did.RandomizedOptions{})
	must(t, err)
	states := func(design string) *did.Wild {
		w, err := did.WildBootstrap(tenStatePanel(t, design), did.WildOptions{FewTreated: true})
		must(t, err)
		return w
	}
	for _, c := range []struct {
		name      string
		got       *did.Wild
		low, high float64
	}{
		{"D1", states("D1"), -114.439882, 49.673925},
		{"D5", states("D5"), -26.225573, 21.268026},
		{"metr", r.Wild, -0.00172171741, 0.35433797192},
	} {
		if allowed := 1e-4 * (c.high - c.low); math.Abs(c.got.Low-c.low) > allowed || math.Abs(c.got.High-c.high) > allowed {
			t.Errorf("%s: from %v to %v, want %v to %v", c.name, c.got.Low, c.got.High, c.low, c.high)
		}
	}
}

// TestBaconOfCastle compares every comparison with bacondecomp's.
func TestBaconOfCastle(t *testing.T) {
	p := homicides(t, "")
	b, err := did.GoodmanBacon(p)
	must(t, err)
	near(t, "effect", b.Effect, fixedEffects(t, p, did.FixedEffectsOptions{}).Effect.Value, 1e-12)
	rows := readCSV(t, filepath.Join("testdata", "castle_bacon.csv"))
	if len(rows) != len(b.Parts) {
		t.Fatalf("%d comparisons, want %d", len(b.Parts), len(rows))
	}
	for _, row := range rows {
		comparison := did.Never
		if row["untreated"] != "Inf" {
			comparison = whole(t, row["untreated"])
		}
		found := false
		for _, part := range b.Parts {
			if part.Treated != whole(t, row["treated"]) || part.Comparison != comparison {
				continue
			}
			found = true
			near(t, "effect", part.Effect, number(t, row["estimate"]), 1e-8)
			near(t, "weight", part.Weight, number(t, row["weight"]), 1e-8)
			if part.Kind.String() != row["type"] {
				t.Errorf("%+v is %s, want %s", part, part.Kind, row["type"])
			}
		}
		if !found {
			t.Errorf("no comparison of %s with %s", row["treated"], row["untreated"])
		}
	}
}

// editorImputation is what imputation says of the panel of editors, by term.
func editorImputation(t *testing.T, p did.Panel, dynamic bool) map[string]did.Estimate {
	t.Helper()
	o := did.ImputationOptions{Repeats: true}
	if dynamic {
		o.Horizons = true
		o.Leads = []int{-6, -5, -4, -3, -2}
	}
	r, err := did.Impute(p, o)
	must(t, err)
	out := map[string]did.Estimate{"treat": r.Static}
	for _, e := range append(r.Horizons, r.PreTrends...) {
		out[strconv.Itoa(e.Event)] = e.Estimate
	}
	return out
}
