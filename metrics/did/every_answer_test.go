package did_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"steelyard/metrics/did"
)

// referenceAnswer is what a method gives for a row of a reference table: an
// estimate, and what notes of the tables may say beside it, by the names of
// noteNumbers.
type referenceAnswer struct {
	did.Estimate
	facts map[string]float64
	// loose are facts that the reference found by a search, with the relative
	// tolerance they are held to.
	loose map[string]float64
}

// fact says how a number of a note differs from the answer's. What the note
// gives to five decimals is compared to those.
func (a *referenceAnswer) fact(name, want string) string {
	got, ok := a.facts[name]
	if !ok && a.HasSE {
		got, ok = map[string]float64{"p": a.P, "low": a.Low, "high": a.High, "t": a.Value / a.SE}[name]
	}
	if !ok && name == "p" {
		got, ok = a.P, true
	}
	if !ok {
		return name + " is missing"
	}
	x, err := strconv.ParseFloat(want, 64)
	if err != nil {
		return err.Error()
	}
	if _, decimals, _ := strings.Cut(want, "."); len(decimals) == 5 {
		if math.Abs(got-x) > 0.5*math.Pow(10, -float64(len(decimals)))*(1+1e-9) {
			return fmt.Sprintf("%s %v, want %s", name, got, want)
		}
		return ""
	}
	tolerance := 1e-8
	if loose, ok := a.loose[name]; ok {
		tolerance = loose
	}
	return apart(name, got, x, tolerance)
}

// only is the answer of a call that has one.
func only(term string, e did.Estimate, facts map[string]float64) map[string]*referenceAnswer {
	return map[string]*referenceAnswer{term: {Estimate: e, facts: facts}}
}

// allOf makes answers of estimates by term.
func allOf(estimates map[string]did.Estimate) map[string]*referenceAnswer {
	out := map[string]*referenceAnswer{}
	for term, e := range estimates {
		out[term] = &referenceAnswer{Estimate: e}
	}
	return out
}

// referenceAnswers makes the call that a row of reference_values.csv or
// reference_he2025.csv names, and names its results as the table does.
func referenceAnswers(t *testing.T, row map[string]string) map[string]*referenceAnswer {
	t.Helper()
	method, dataset := row["method"], row["dataset"]
	if strings.HasPrefix(method, "Callaway") || strings.HasPrefix(method, "Poisson") {
		out := allOf(published(t, row))
		if row["n"] != "" { // Poisson on the panel of repositories
			for _, a := range out {
				a.facts = map[string]float64{"n": float64(publishedPoissonRows(t, method))}
			}
		}
		return out
	}
	switch dataset {
	case "he2025_cursor_panel_monthly":
		return editorAnswers(t, row)
	case "did2s_df_het", "did2s_df_hom", "fixest_base_stagg":
		if method == "truth" {
			return only(row["term"], did.Estimate{Value: truth(t, dataset)}, nil)
		}
	case "castle":
		if method == "Goodman-Bacon" {
			return baconAnswers(t)
		}
	case "fixest_base_did":
		if method == "pre-trend joint Wald F" {
			w := eventStudy(t, baseDid(t), did.EventStudyOptions{}).PreTest
			return only("F", did.Estimate{Value: w.Statistic, P: w.P}, map[string]float64{"df1": w.DF, "df2": w.DF2})
		}
	case "card_krueger":
		return restaurantAnswers(t, method)
	case "california_prop99", "fewclusters_prop99_10states":
		return fewAnswers(t, dataset, method, row["term"])
	case "ehec_medicaid":
		if strings.HasPrefix(method, "HonestDiD") {
			return honestAnswers(t, method)
		}
	case "metr":
		return taskAnswers(t, method)
	case "none":
		return powerAnswers(t)
	}
	return allOf(regressionAnswers(t, dataset, method, row["note"]))
}

// truth is the mean effect that a simulation put into its treated rows. The
// panel of fixest has it as a column. Those of did2s have lost theirs; its
// generator gives df_hom 2 throughout, and the two cohorts of df_het 2 and 1 at
// the start and .05 and .15 more each year.
func truth(t *testing.T, dataset string) float64 {
	t.Helper()
	var sum, n float64
	if dataset == "fixest_base_stagg" {
		for _, row := range readCSV(t, shared(t, dataset+".csv")) {
			if whole(t, row["time_to_treatment"]) >= 0 {
				sum += number(t, row["treatment_effect_true"])
				n++
			}
		}
		return sum / n
	}
	p, _ := states(t, strings.TrimPrefix(dataset, "did2s_"))
	for i, u := range p.Unit {
		if p.Time[i] < p.First[u] {
			continue
		}
		effect, since := 2.0, float64(p.Time[i]-p.First[u])
		if dataset == "did2s_df_het" {
			effect += 0.05 * since
			if p.First[u] == 2010 {
				effect = 1 + 0.15*since
			}
		}
		sum += effect
		n++
	}
	return sum / n
}

// publishedPoissonRows counts the rows that the Poisson regression keeps.
func publishedPoissonRows(t *testing.T, method string) int {
	t.Helper()
	repeats := strings.Contains(method, "all rows")
	r, err := did.PoissonRatio(editorCommits(t, repeats), did.PoissonOptions{Repeats: repeats})
	must(t, err)
	return r.Sample.Rows
}

// editorAnswers are fixed effects and imputation on the panel of repositories.
func editorAnswers(t *testing.T, row map[string]string) map[string]*referenceAnswer {
	t.Helper()
	method, which, _ := strings.Cut(row["method"], ", ")
	p := cursor(t, cursorRows(t), row["outcome"], !strings.Contains(method, "no covs"), which == "dedup", strings.Contains(method, "YYYYMM"))
	if strings.HasPrefix(method, "TWFE") {
		r := fixedEffects(t, p, did.FixedEffectsOptions{Repeats: true})
		return only("post", r.Effect, map[string]float64{"n": float64(r.Sample.Rows)})
	}
	return allOf(editorImputation(t, p, strings.Contains(method, "dynamic")))
}

var cursorPanel []map[string]string

// cursorRows reads the panel of repositories once.
func cursorRows(t *testing.T) []map[string]string {
	t.Helper()
	if cursorPanel == nil {
		cursorPanel = readCSV(t, shared(t, "he2025_cursor_panel_monthly.csv.gz"))
	}
	return cursorPanel
}

func baconAnswers(t *testing.T) map[string]*referenceAnswer {
	t.Helper()
	b, err := did.GoodmanBacon(homicides(t, ""))
	must(t, err)
	out := map[string]*referenceAnswer{}
	for _, kind := range []did.ComparisonKind{did.EarlierVsLater, did.LaterVsEarlier, did.TreatedVsUntreated} {
		effect, weight := b.Kind(kind)
		out[kind.String()] = &referenceAnswer{Estimate: did.Estimate{Value: effect}, facts: map[string]float64{"weight": weight}}
	}
	return out
}

func restaurantAnswers(t *testing.T, method string) map[string]*referenceAnswer {
	t.Helper()
	r, err := did.TwoByTwo(restaurants(t), did.TwoByTwoOptions{})
	must(t, err)
	switch {
	case strings.HasPrefix(method, "cell mean"):
		out := map[string]*referenceAnswer{}
		for name, c := range map[string]did.CellMean{
			"nj=0,after=0": r.ComparisonBefore, "nj=0,after=1": r.ComparisonAfter,
			"nj=1,after=0": r.TreatedBefore, "nj=1,after=1": r.TreatedAfter,
		} {
			out[name] = &referenceAnswer{Estimate: did.Estimate{Value: c.Mean, SE: c.SE}, facts: map[string]float64{"n": float64(c.Rows)}}
		}
		return out
	case method == "2x2 OLS":
		return only("nj:d", r.Homoskedastic, nil)
	case method == "2x2 OLS HC1":
		return only("nj:d", r.HC1, nil)
	case method == "2x2 OLS CRV1 store":
		return only("nj:d", r.Clustered, nil)
	case method == "2x2 DiD all observations":
		return only("NJ-PA change", did.Estimate{Value: r.Homoskedastic.Value}, nil)
	case strings.HasPrefix(method, "2x2 DiD all obs"):
		return only("nj", did.Estimate{Value: r.Homoskedastic.Value}, nil)
	}
	n := map[string]float64{"n": float64(r.Balanced.Treated + r.Balanced.Comparison)}
	if strings.HasSuffix(method, "Welch SE") {
		return only("nj", r.Balanced.Welch, n)
	}
	return only("nj", r.Balanced.Pooled, n)
}

// fewAnswers are the methods for one treated state, and for five of ten.
func fewAnswers(t *testing.T, dataset, method, term string) map[string]*referenceAnswer {
	t.Helper()
	name := "california"
	if dataset != "california_prop99" {
		name = "fewclusters"
	}
	p := bundled(t, name)
	if kind, ok := map[string]did.SyntheticMethod{
		"Synthetic DiD": did.SyntheticDiD, "Synthetic control": did.SyntheticControl, "DiD": did.EqualWeights,
	}[method]; ok {
		return only(term, did.Estimate{Value: synthetic(t, kind, "estimate"), SE: synthetic(t, kind, "se")}, nil)
	}
	switch {
	case strings.HasPrefix(method, "Randomisation inference"):
		return only(term, oneTreated(t, p, "placebo-leave-out")["att"], nil)
	case strings.HasPrefix(method, "Donald-Lang"):
		return only(term, oneTreated(t, p, "donald-lang")["att"], nil)
	case strings.HasPrefix(method, "CWZ t-test"):
		return only(term, oneTreated(t, p, "cross-fit-"+method[len(method)-3:])["att"], nil)
	case strings.HasPrefix(method, "Conformal"):
		gap, before := gapOf(t, p)
		r, err := did.Conformal(gap, before, did.ConformalOptions{})
		must(t, err)
		return only(term, did.Estimate{P: r.P}, nil)
	case strings.HasPrefix(method, "Exact randomisation"):
		changes, treated := tenStates(t, term)
		r, err := did.Randomization(changes, treated, did.RandomizationOptions{Level: 0.9})
		must(t, err)
		return only(term, did.Estimate{Value: r.Value, P: r.P}, nil)
	case strings.HasPrefix(method, "OLS TWFE"):
		// All effects count as coefficients, as in the bootstrap's statistic.
		w, err := did.WildBootstrap(tenStatePanel(t, term), did.WildOptions{FewTreated: true, NoInterval: true})
		must(t, err)
		e := did.Estimate{Value: w.Value, SE: w.SE, P: did.TwoSided(w.T, 9)}
		return only(term, e, map[string]float64{"t": w.T})
	}
	w, err := did.WildBootstrap(tenStatePanel(t, term), did.WildOptions{FewTreated: true, Unrestricted: strings.Contains(method, "WCU")})
	must(t, err)
	return wildAnswer(term, w, 2e-4)
}

// wildAnswer holds the interval to where boottest's search for its ends stops:
// p jumps from 52 to 50 of 1,024 draws at ours.
func wildAnswer(term string, w *did.Wild, tolerance float64) map[string]*referenceAnswer {
	out := only(term, did.Estimate{Value: w.Value, P: w.P}, map[string]float64{"t": w.T, "low": w.Low, "high": w.High})
	out[term].loose = map[string]float64{"low": tolerance, "high": tolerance}
	return out
}

// shiftAsInR searches the product's rank test for the shift and its interval as
// wilcox.test does, which stops within 1e-4 of the differences that the product
// returns: TestShiftAsInR holds these to that.
func shiftAsInR(t *testing.T, x, y []float64) did.Estimate {
	t.Helper()
	n, m := float64(len(x)), float64(len(y))
	ties := 0.0
	for _, side := range [][]float64{x, y} {
		count := map[float64]float64{}
		for _, v := range side {
			count[v]++
		}
		for _, c := range count {
			ties += c*c*c - c
		}
	}
	sigma := math.Sqrt(n * m / 12 * (n + m + 1 - ties/((n+m)*(n+m-1))))
	// z is the standardised rank sum of x less d, from its two-sided p, with
	// what a correction for continuity takes off put back.
	z := func(d, correction float64) float64 {
		shifted := make([]float64, len(x))
		for i, v := range x {
			shifted[i] = v - d
		}
		s, err := did.HodgesLehmann(shifted, y, 0)
		must(t, err)
		if s.P >= 1 {
			return 0
		}
		return math.Copysign(correction/sigma-distuv.UnitNormal.Quantile(s.P/2), s.Value)
	}
	from, to := slices.Min(x)-slices.Max(y), slices.Max(x)-slices.Min(y)
	end := func(at, correction float64) float64 {
		return root(func(d float64) float64 { return z(d, correction) - at }, from, to, 1e-4)
	}
	const quantile = 1.959963984540054
	s, err := did.HodgesLehmann(x, y, 0)
	must(t, err)
	return did.Estimate{Value: end(0, 0.5), Low: end(quantile, 0), High: end(-quantile, 0), P: s.P, SE: 1, HasSE: true}
}

func honestAnswers(t *testing.T, method string) map[string]*referenceAnswer {
	t.Helper()
	in := ehecStudy(t)
	ends := func(low, high float64) *referenceAnswer {
		return &referenceAnswer{facts: map[string]float64{"low": low, "high": high}}
	}
	if strings.Contains(method, "FLCI") {
		return smoothAnswers(t, in)
	}
	r, err := did.RelativeMagnitudes(in, did.HonestOptions{Bounds: []float64{0.5, 1, 1.5, 2}})
	must(t, err)
	out := map[string]*referenceAnswer{"2014": ends(r.Original.Low, r.Original.High)}
	for _, x := range r.Intervals {
		out[fmt.Sprintf("Mbar=%v", x.Bound)] = ends(x.Low, x.High)
	}
	return out
}

// smoothAnswers compares the list of six intervals that one row gives: to its
// digits, and 3e-5 for the quantile that its reference simulated.
func smoothAnswers(t *testing.T, in did.HonestInput) map[string]*referenceAnswer {
	t.Helper()
	const term = "M=0/.01/.02/.03/.04/.05"
	r, err := did.SmoothTrend(in, did.HonestOptions{Bounds: []float64{0, .01, .02, .03, .04, .05}})
	must(t, err)
	for i, want := range [][2]string{{".0259", ".0607"}, {".0132", ".0787"}, {".00286", ".0907"}, {"-.00714", ".101"}, {"-.0171", ".111"}, {"-.0271", ".121"}} {
		for k, got := range []float64{r.Intervals[i].Low, r.Intervals[i].High} {
			digit := math.Pow(10, -float64(len(want[k])-1-strings.Index(want[k], ".")))
			if x := number(t, want[k]); math.Abs(got-x) > digit/2+3e-5 {
				t.Logf("M = %v: %v, want %v", r.Intervals[i].Bound, got, x)
				return nil
			}
		}
	}
	return only(term, did.Estimate{}, nil)
}

func taskAnswers(t *testing.T, method string) map[string]*referenceAnswer {
	t.Helper()
	tasks, ratios, forecast := metrTasks(t)
	const term = "ai_treatment"
	switch {
	case strings.HasPrefix(method, "Hodges"):
		return only(term, shiftAsInR(t, ratios[1], ratios[0]), nil)
	case strings.HasPrefix(method, "Developers"):
		var with, without, logs float64
		for _, row := range readCSV(t, shared(t, "metr_data_complete.csv")) {
			a, b := number(t, row["predicted_time_ai_allowed"]), number(t, row["predicted_time_no_ai"])
			with, without, logs = with+a, without+b, logs+math.Log(a/b)
		}
		return only("forecast", did.Estimate{Value: average(forecast)}, map[string]float64{
			"sum": with/without - 1, "geometric": math.Expm1(logs / float64(len(forecast))),
		})
	}
	r, err := did.Randomized(tasks, did.RandomizedOptions{})
	must(t, err)
	if strings.HasPrefix(method, "WCR") {
		return wildAnswer(term, r.Wild, 2e-6)
	}
	e := r.Homoskedastic
	switch {
	case method == "OLS HC3":
		e = r.HC3
	case strings.HasPrefix(method, "OLS CRV1"):
		e = *r.Clustered
	case strings.HasPrefix(method, "Median"):
		e = r.Median
	}
	return only(term, e.Log, map[string]float64{
		"n": float64(r.Tasks), "percent": e.Percent / 100, "low": e.PercentLow / 100, "high": e.PercentHigh / 100,
	})
}

// powerAnswers searches the product's power as R does; see powerInR.
func powerAnswers(t *testing.T) map[string]*referenceAnswer {
	t.Helper()
	return allOf(map[string]did.Estimate{
		"power": {Value: powerInR(t, "power")}, "n per group": {Value: powerInR(t, "n")}, "MDE delta": {Value: powerInR(t, "delta")},
	})
}
