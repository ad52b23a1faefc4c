package estimate_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"steelyard/metrics/did"
	"steelyard/metrics/estimate"
	"steelyard/metrics/ingest"
)

// panelColumns are those of package did's test data.
func panelColumns() estimate.Columns {
	return estimate.Columns{Unit: "unit", Time: "time", Outcome: "y", FirstTreated: "first"}
}

// bundled opens a data set of package did.
func bundled(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("../did/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// read reads a file that has no faults.
func read(t testing.TB, file string, c estimate.Columns) *estimate.Data {
	t.Helper()
	d, err := estimate.Read(context.Background(), strings.NewReader(file), "panel.csv", c, ingest.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// ask runs a method that answers.
func ask(t testing.TB, d *estimate.Data, method string, o estimate.Options) *estimate.Answer {
	t.Helper()
	a, err := estimate.Run(d, method, o)
	if err != nil {
		t.Fatal(err)
	}
	valid(t, a)
	return a
}

// term finds a term of an answer.
func term(t testing.TB, a *estimate.Answer, name string) estimate.Result {
	t.Helper()
	for _, r := range a.Results {
		if r.Term == name {
			return r
		}
	}
	t.Fatalf("%s has no term %q: %s", a.Method, name, text(t, a))
	return estimate.Result{}
}

func text(t testing.TB, a *estimate.Answer) string {
	t.Helper()
	var b bytes.Buffer
	if err := estimate.WriteText(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// schema is the published one.
func schema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(estimate.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("estimate.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("estimate.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// valid holds an answer to the schema; that it can be written at all says that
// no number is NaN or infinite.
func valid(t testing.TB, a *estimate.Answer) {
	t.Helper()
	var b bytes.Buffer
	if err := estimate.WriteJSON(&b, a); err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema(t).Validate(doc); err != nil {
		t.Errorf("%s: %v", a.Method, err)
	}
}

// TestMethodsAreThere holds the registry to the names of the manual.
func TestMethodsAreThere(t *testing.T) {
	if diff := cmp.Diff(did.MethodNames(), estimate.Names()); diff != "" {
		t.Error(diff)
	}
	for _, name := range estimate.Names() {
		if estimate.Page(name) == "" {
			t.Errorf("there is no method %s", name)
		}
	}
}

// TestSchemaIsPublished holds docs to the schema of the package, and the schema
// to the names of the methods.
func TestSchemaIsPublished(t *testing.T) {
	published, err := os.ReadFile("../../docs/estimate.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("../../docs/estimate.schema.json", estimate.Schema, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(published, estimate.Schema) {
		t.Error("docs/estimate.schema.json is not metrics/estimate/estimate.schema.json; run this test with -update")
	}
	var s struct {
		Defs struct {
			Method struct{ Enum []string }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(estimate.Schema, &s); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append(estimate.Names(), "all"), s.Defs.Method.Enum); diff != "" {
		t.Error(diff)
	}
}

// TestReferences asks for numbers that others computed; package did is held to
// all of them, this to the way there.
func TestReferences(t *testing.T) {
	one := func(c estimate.Columns, drop ...string) estimate.Columns {
		for _, v := range drop {
			c.Drop = append(c.Drop, ingest.Filter{Column: "first", Value: v})
		}
		return c
	}
	covariate := panelColumns()
	covariate.Covariates = []string{"lpop"}
	counts := panelColumns()
	counts.Outcome, counts.Exposure = "homicides:count", "population"
	for _, c := range []struct {
		name, file   string
		columns      estimate.Columns
		method, term string
		o            estimate.Options
		estimate, se float64
		tolerance, p float64
	}{
		{name: "did", file: "mpdta.csv", columns: panelColumns(), method: "callaway-santanna", term: "simple:overall", estimate: -0.0399512751551763, se: 0.0120340127701854},
		{name: "did-covariate", file: "mpdta.csv", columns: covariate, method: "callaway-santanna", o: estimate.Options{Aggregate: "dynamic"}, term: "dynamic:-2", estimate: -0.00361647142433519, se: 0.012928331113004},
		{name: "did-not-yet-ipw", file: "mpdta.csv", columns: covariate, method: "callaway-santanna", o: estimate.Options{Aggregate: "calendar", Control: "not-yet", Estimator: "ipw"}, term: "calendar:2005", estimate: -0.0816069996501085, se: 0.0283367828224562},
		{name: "did-group-reg", file: "mpdta.csv", columns: covariate, method: "callaway-santanna", o: estimate.Options{Aggregate: "group", Estimator: "reg"}, term: "group:2006", estimate: -0.0203850557514647, se: 0.0174025032538199},
		{name: "fixest", file: "mpdta.csv", columns: panelColumns(), method: "twfe", term: "effect", estimate: -0.0365489366740663, se: 0.0132651554293386},
		{name: "fixest-sunab", file: "mpdta.csv", columns: panelColumns(), method: "sun-abraham", term: "event:-3", estimate: 0.0250218295975559, se: 0.0181543444100495},
		{name: "fixest-poisson", file: "castle_counts.csv", columns: counts, method: "poisson", term: "log-ratio", estimate: 0.059666690373324, se: 0.0260291312102739},
		{name: "didimputation", file: "mpdta.csv", columns: panelColumns(), method: "imputation", o: estimate.Options{Horizons: &estimate.Horizons{First: -3, Last: 3}}, term: "event:-2", estimate: 0.0230776250152475, se: 0.0193112558489745},
		{name: "did2s", file: "mpdta.csv", columns: panelColumns(), method: "two-stage", term: "effect", estimate: -0.0477099151094743, se: 0.0134784088236807, tolerance: 1e-7},
		{name: "bacondecomp", file: "castle_controls.csv", columns: estimate.Columns{Unit: "sid", Time: "year", Outcome: "l_homicide", FirstTreated: "effyear"}, method: "goodman-bacon", term: "weight:Earlier vs Later Treated", estimate: 0.0597632516237167},
		{name: "synthdid", file: "california.csv", columns: panelColumns(), method: "synthetic-did", term: "effect", estimate: -15.6038278727338, se: math.NaN(), tolerance: 1e-8},
		{name: "synthetic-control", file: "california.csv", columns: panelColumns(), method: "synthetic-control", term: "effect", estimate: -19.619663470944, se: math.NaN(), tolerance: 1e-6},
		{name: "scinference", file: "california.csv", columns: panelColumns(), method: "cross-fit-t", term: "effect", estimate: -26.389400464693, se: 6.18567464857047},
		{name: "scinference-2-folds", file: "fewclusters.csv", columns: panelColumns(), method: "cross-fit-t", o: estimate.Options{Folds: ref(2)}, term: "effect", estimate: -30.6533946413889, se: 10.6863511165652},
		{name: "donald-lang", file: "california.csv", columns: panelColumns(), method: "donald-lang", term: "effect", estimate: -27.349111083615, se: 17.2808133079565, p: 0.122017670421721},
		{name: "conformal", file: "california.csv", columns: panelColumns(), method: "conformal", term: "effect", estimate: -27.349111083615, se: math.NaN(), p: 0.354838709677419},
		{name: "placebo", file: "california.csv", columns: panelColumns(), method: "placebo", term: "effect:treated-left-out", estimate: -27.349111083615, p: 0.102564102564103},
		{name: "event-study", file: "mpdta.csv", columns: one(panelColumns(), "2004", "2006"), method: "event-study", term: "event:0", estimate: -0.0260544107191966, se: math.NaN()},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := term(t, ask(t, read(t, bundled(t, c.file), c.columns), c.method, c.o), c.term)
			tolerance := max(c.tolerance, 1e-8)
			near(t, "estimate", r.Estimate, c.estimate, tolerance)
			if c.se > 0 {
				near(t, "standard error", r.SE, c.se, 1e-6)
			}
			if c.p > 0 {
				near(t, "p", r.P, c.p, 1e-6)
			}
		})
	}
}

func ref[T any](x T) *T { return &x }

// near holds a number to a value, relative to its size.
func near(t testing.TB, what string, got *float64, want, tolerance float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is missing, want %v", what, want)
		return
	}
	if math.Abs(*got-want) > tolerance*math.Abs(want) {
		t.Errorf("%s %v, want %v", what, *got, want)
	}
}

// TestTasks gives the published effect of AI on tasks assigned by lot.
func TestTasks(t *testing.T) {
	file, err := os.ReadFile("testdata/metr_tasks.csv")
	if err != nil {
		t.Fatal(err)
	}
	d := read(t, string(file), estimate.Columns{
		Outcome: "minutes:log", Treated: "ai_allowed", Covariates: []string{"forecast:log"}, Cluster: "developer",
	})
	a := ask(t, d, "randomized", estimate.Options{})
	for _, c := range []struct {
		term          string
		low, high, se float64
	}{
		{"homoskedastic", 1.25598526968034, 39.4776236086962, 0.0816985334089143},
		{"hc3", 1.30188469163713, 39.4144269335482, 0.081467305630406},
		{"clustered", 1.63163258280015, 38.9620912570314, 0.0798092063494449},
	} {
		r := term(t, a, "percent:"+c.term)
		near(t, c.term, r.Estimate, 18.8399941163418, 1e-8)
		near(t, c.term+" low", r.CI[0], c.low, 1e-5)
		near(t, c.term+" high", r.CI[1], c.high, 1e-5)
		near(t, c.term+" standard error", term(t, a, "effect:"+c.term).SE, c.se, 1e-6)
	}
	near(t, "wild bootstrap", term(t, a, "effect:wild-bootstrap").P, 0.0519409179688, 1e-9)
	near(t, "wild bootstrap by name", term(t, ask(t, d, "wild-bootstrap", estimate.Options{}), "effect").P, 0.0519409179688, 1e-9)
	near(t, "median regression", term(t, ask(t, d, "quantile", estimate.Options{}), "effect").Estimate, 0.130487671403654, 1e-8)
	if a.N != (estimate.Counts{Rows: 246, Units: 246, Periods: 1}) {
		t.Errorf("%+v", a.N)
	}
	all := ask(t, d, "all", estimate.Options{})
	if all.Choice.Headline != "randomized" || len(all.Choice.Methods) != len(estimate.Names()) {
		t.Errorf("%+v", all.Choice)
	}
}

// TestWorkedExample comes out at what was fixed beforehand.
func TestWorkedExample(t *testing.T) {
	reverts, err := os.ReadFile("testdata/worked_reverts.csv")
	if err != nil {
		t.Fatal(err)
	}
	d := read(t, string(reverts), estimate.Columns{
		Unit: "team", Time: "week", Outcome: "reverts:count", Exposure: "merges", FirstTreated: "first",
	})
	a := ask(t, d, "exact-count", estimate.Options{})
	near(t, "ratio as seen", term(t, a, "ratio:as-seen").Estimate, 7.0/3, 1e-12)
	near(t, "upper bound", term(t, a, "ratio").CI[1], 29.5047, 1e-5)
	if a.Choice.Headline != "exact-count" || a.Choice.Role != did.Headline {
		t.Errorf("%+v", a.Choice)
	}
	pulls, err := os.ReadFile("testdata/worked_pulls.csv")
	if err != nil {
		t.Fatal(err)
	}
	d = read(t, string(pulls), estimate.Columns{
		Unit: "team", Time: "week", Outcome: "hours", Censored: "open", FirstTreated: "first",
	})
	a = ask(t, d, "kaplan-meier", estimate.Options{})
	near(t, "before", term(t, a, "median:treated-before").Estimate, 18, 1e-12)
	near(t, "after", term(t, a, "median:treated-after").Estimate, 12, 1e-12)
	near(t, "percent", term(t, a, "percent:treated").Estimate, -100.0/3, 1e-12)
}

// TestNothingDependsOnTheOrder holds every method to the same bytes whatever
// the order of rows, and packed or not.
func TestNothingDependsOnTheOrder(t *testing.T) {
	file := bundled(t, "castle.csv")
	lines := strings.Split(strings.TrimSpace(file), "\n")
	rows := slices.Clone(lines[1:])
	r := rand.New(rand.NewPCG(3, 4))
	r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, lines[0]+"\n"+strings.Join(rows, "\n")+"\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	c := panelColumns()
	for _, v := range []string{"2005", "2006", "2008", "2009"} {
		c.Drop = append(c.Drop, ingest.Filter{Column: "first", Value: v})
	}
	a, b := read(t, file, c), read(t, packed.String(), c)
	for _, name := range append(estimate.Names(), "all") {
		t.Run(name, func(t *testing.T) {
			one, err := estimate.Run(a, name, estimate.Options{})
			other, err2 := estimate.Run(b, name, estimate.Options{})
			if err != nil || err2 != nil {
				if (err == nil) != (err2 == nil) {
					t.Errorf("%v, and %v", err, err2)
				}
				return // errors name the line of each file
			}
			valid(t, one)
			if diff := cmp.Diff(text(t, one), text(t, other)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTreatmentInThreeWays is the same answer from a column of starts, one of
// 0 and 1, and starts by name.
func TestTreatmentInThreeWays(t *testing.T) {
	var b strings.Builder
	b.WriteString("team,week,y,first,on\n")
	starts := map[string]string{"a": "2024-01-22", "b": "2024-02-05"}
	r := rand.New(rand.NewPCG(1, 1))
	for _, team := range []string{"a", "b", "c", "d"} {
		for k, week := range []string{"2024-01-01", "2024-01-08", "2024-01-15", "2024-01-22", "2024-01-29", "2024-02-05", "2024-02-12"} {
			on := 0
			if s := starts[team]; s != "" && week >= s {
				on = 1
			}
			fmt.Fprintf(&b, "%s,%s,%.3f,%s,%d\n", team, week, r.NormFloat64()+float64(k), starts[team], on)
		}
	}
	base := estimate.Columns{Unit: "team", Time: "week", Outcome: "y"}
	var want string
	for name, set := range map[string]func(*estimate.Columns){
		"First":   func(c *estimate.Columns) { c.FirstTreated = "first" },
		"Treated": func(c *estimate.Columns) { c.Treated = "on" },
		"Start":   func(c *estimate.Columns) { c.Starts = starts },
	} {
		t.Run(name, func(t *testing.T) {
			c := base
			set(&c)
			a := ask(t, read(t, b.String(), c), "callaway-santanna", estimate.Options{})
			term(t, a, "ATT(2024-01-22,2024-02-12)")
			got := text(t, a)
			if want == "" {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestMissingValues are left out and counted, by column.
func TestMissingValues(t *testing.T) {
	file := "u,t,y,g,x\n" +
		"a,1,1,3,1\na,2,2,3,NA\na,3,4,3,2\na,4,,3,2\n" +
		"b,1,1,,1\nb,2,1.5,,1\nb,3,2,,0\nb,4,2,,0\n" +
		"c,1,2,,1\nc,2,2.5,,2\nc,3,3,,3\nc,4,3.1,,4\n"
	d := read(t, file, estimate.Columns{Unit: "u", Time: "t", Outcome: "y", FirstTreated: "g", Covariates: []string{"x"}})
	a := ask(t, d, "twfe", estimate.Options{})
	want := []string{"left out 1 row: x is missing", "left out 1 row: y is missing"}
	if got := a.Warnings[:2]; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if a.N.Rows != 10 {
		t.Errorf("%+v", a.N)
	}
}

// TestErrorsAreNamed holds the faults of files and options to their error.
func TestErrorsAreNamed(t *testing.T) {
	const good = "u,t,y,g,on,x\n" +
		"a,1,1,3,0,1\na,2,2,3,0,1\na,3,4,3,1,1\na,4,4,3,1,1\n" +
		"b,1,1,,0,1\nb,2,1.5,,0,1\nb,3,2,,0,0\nb,4,2,,0,0\n" +
		"c,1,2,,0,1\nc,2,2.5,,0,2\nc,3,3,,0,3\nc,4,3.1,,0,4\n"
	base := estimate.Columns{Unit: "u", Time: "t", Outcome: "y", FirstTreated: "g"}
	edit := func(old, by string) string { return strings.Replace(good, old, by, 1) }
	with := func(change func(*estimate.Columns)) estimate.Columns {
		c := base
		change(&c)
		return c
	}
	for _, c := range []struct {
		name, file string
		columns    estimate.Columns
		method     string
		o          estimate.Options
		want, cure string
		code       estimate.ErrorCode
	}{
		{name: "no-column", file: good, columns: with(func(c *estimate.Columns) { c.Outcome = "yy" }), want: `panel.csv:1: column yy: "yy" is no column of the file (wanted as the outcome); it has u, t, y, g, on, x`},
		{name: "no-covariate", file: good, columns: with(func(c *estimate.Columns) { c.Covariates = []string{"x", "z"} }), want: `panel.csv:1: column z: "z" is no column of the file (wanted as a covariate)`},
		{name: "no-scale", file: good, columns: with(func(c *estimate.Columns) { c.Outcome = "y:sqrt" }), want: `the outcome "y:sqrt": there is no scale "sqrt"`, cure: "the scales are level, log", code: estimate.ErrOption},
		{name: "no-outcome", file: good, columns: with(func(c *estimate.Columns) { c.Outcome = "" }), want: "no column is the outcome", code: estimate.ErrColumns},
		{name: "no-treatment", file: good, columns: with(func(c *estimate.Columns) { c.FirstTreated = "" }), want: "nothing says what was treated", code: estimate.ErrColumns},
		{name: "two-treatments", file: good, columns: with(func(c *estimate.Columns) { c.Treated = "on" }), want: "treatment is given in 2 ways", code: estimate.ErrColumns},
		{name: "no-time", file: good, columns: with(func(c *estimate.Columns) { c.Time = "" }), want: "no column is the time", code: estimate.ErrColumns},
		{name: "no-unit", file: good, columns: with(func(c *estimate.Columns) { c.Unit = "" }), want: "periods without units", code: estimate.ErrColumns},
		{name: "only-without-unit", file: good, columns: estimate.Columns{Outcome: "y", Treated: "on", Only: []string{"a"}}, want: "units to read without a column of the unit", cure: "--unit", code: estimate.ErrColumns},
		{name: "number", file: edit("a,2,2,", "a,2,two,"), columns: base, want: `panel.csv:3: column y: "two" is not a number`},
		{name: "infinite", file: edit("a,2,2,", "a,2,Inf,"), columns: base, want: `panel.csv:3: column y: "Inf" is not a finite number`},
		{name: "logarithm", file: edit("a,2,2,", "a,2,0,"), columns: with(func(c *estimate.Columns) { c.Outcome = "y:log" }), want: `panel.csv:3: column y: "0" has no logarithm`},
		{name: "period", file: edit("a,2,", "a,2024-01,"), columns: base, want: `panel.csv:3: column t: "2024-01" is a month, and line 2 has a whole number`},
		{name: "unit", file: edit("a,2,", ",2,"), columns: base, want: `panel.csv:3: column u: "" is missing`},
		{name: "fields", file: edit("a,2,2,3,0,1\n", "a,2,2,3,0\n"), columns: base, want: "panel.csv:3: the line has 5 fields and the header 6"},
		{name: "two-starts", file: edit("a,2,2,3,", "a,2,2,4,"), columns: base, want: `panel.csv:3: column g: "4" differs from line 2, which gives unit "a" another first treated period`},
		{name: "treatment-ends", file: edit("a,4,4,3,1,", "a,4,4,3,0,"), columns: with(func(c *estimate.Columns) { c.FirstTreated, c.Treated = "", "on" }), want: `panel.csv:5: column on: "0" comes after line 4, where unit "a" is treated`},
		{name: "flag", file: edit("a,4,4,3,1,", "a,4,4,3,2,"), columns: with(func(c *estimate.Columns) { c.FirstTreated, c.Treated = "", "on" }), want: `panel.csv:5: column on: "2" is neither 0 nor 1`},
		{name: "weight", file: edit("b,3,2,,0,0", "b,3,2,,0,-1"), columns: with(func(c *estimate.Columns) { c.Weights = "x" }), want: `panel.csv:8: column x: "-1" is not above 0`},
		{name: "exposure", file: good, columns: with(func(c *estimate.Columns) { c.Exposure = "x" }), want: `panel.csv:8: column x: "0" is not above 0`},
		{name: "cluster", file: good, columns: with(func(c *estimate.Columns) { c.Cluster = "x" }), want: `panel.csv:8: column x: "0" is another cluster for unit "b" than "1" on line 6`},
		{name: "duplicate", file: edit("a,2,", "a,1,"), columns: base, want: `panel.csv:3: column t: "1" is the second row of unit "a" in this period, after line 2`},
		{name: "unbalanced", file: edit("b,2,1.5,,0,1\n", ""), columns: base, method: "cross-fit-t", want: `cross-fit-t: every unit needs a row in every period: unit "b" has none in 2`, cure: "--only", code: estimate.ErrUnbalanced},
		{name: "unbalanced-more", file: edit("b,2,1.5,,0,1\nb,3,2,,0,0\n", ""), columns: base, method: "goodman-bacon", want: `unit "b" has none in 2, and 1 more cells have none`, code: estimate.ErrUnbalanced},
		{name: "gap", file: strings.NewReplacer("a,2,2,3,0,1\n", "", "b,2,1.5,,0,1\n", "", "c,2,2.5,,0,2\n", "").Replace(good), columns: base, method: "conformal", want: "conformal: no unit has a row in 2, between 1 and 3", cure: "neighbour", code: estimate.ErrGap},
		{name: "no-rows", file: "u,t,y,g\na,1,,\n", columns: base, want: "panel.csv: no row is left: left out 1 row: y is missing", code: estimate.ErrNoRows},
		{name: "empty", file: "u,t,y,g\n", columns: base, want: "panel.csv:1: the file has a header and no rows"},
		{name: "zeros", file: "u,t,y,g\na,0,1,0\na,1,2,0\n", columns: base, want: `panel.csv:2: column g: "0" would mean never treated, but line 2 has 0 as a period`},
		{name: "only", file: good, columns: with(func(c *estimate.Columns) { c.Only = []string{"aa"} }), want: `panel.csv: "aa" is no unit of the file (named with --only); it has`},
		{name: "start", file: good, columns: with(func(c *estimate.Columns) { c.FirstTreated, c.Starts = "", map[string]string{"z": "3"} }), want: `panel.csv: "z" is no unit of the file (named with --start); it has a, b, c`},
		{name: "from", file: good, columns: with(func(c *estimate.Columns) { c.From = "May" }), want: `panel.csv: "May" is not a whole number (--from)`},
		{name: "no-method", file: good, columns: base, method: "anova", want: `there is no method "anova"`, code: estimate.ErrMethod},
		{name: "not-taken", file: good, columns: base, method: "twfe", o: estimate.Options{Folds: ref(3)}, want: "twfe: does not take --folds", cure: "--folds is taken by cross-fit-t and power", code: estimate.ErrOption},
		{name: "column-not-taken", file: good, columns: with(func(c *estimate.Columns) { c.Covariates = []string{"x"} }), method: "placebo", want: "placebo: does not take --covariates", cure: "twfe", code: estimate.ErrOption},
		{name: "value", file: good, columns: base, o: estimate.Options{Control: "all"}, want: `--control has no value "all"`, cure: "give never or not-yet", code: estimate.ErrOption},
		{name: "few-folds", file: good, columns: base, method: "cross-fit-t", o: estimate.Options{Folds: ref(1)}, want: "--folds 1", code: estimate.ErrOption},
		{name: "no-draws", file: good, columns: base, method: "conformal", o: estimate.Options{Draws: ref(0)}, want: "--draws 0", code: estimate.ErrOption},
		{name: "aggregate", file: good, columns: base, method: "imputation", o: estimate.Options{Aggregate: "calendar"}, want: "imputation: does not aggregate by calendar", cure: "give simple or dynamic", code: estimate.ErrOption},
		{name: "horizons", file: good, columns: base, o: estimate.Options{Aggregate: "group", Horizons: &estimate.Horizons{First: -1, Last: 1}}, want: "callaway-santanna: --horizons bound effects by time", code: estimate.ErrOption},
		{name: "bins", file: good, columns: base, method: "event-study", o: estimate.Options{Horizons: &estimate.Horizons{First: -1, Last: 1}}, want: "event-study: --horizons -1:1 bin", code: estimate.ErrOption},
		{name: "starts-differ", file: strings.ReplaceAll(good, ",,0,1", ",4,0,1"), columns: with(func(c *estimate.Columns) { c.Drop = []ingest.Filter{{Column: "u", Value: "b"}} }), method: "two-by-two", want: `panel.csv:11: column g: "" differs from line 10`},
		{name: "tasks", file: good, columns: estimate.Columns{Outcome: "y", Treated: "on"}, method: "twfe", want: "twfe: the columns of the unit and the period are needed", code: estimate.ErrColumns},
		{name: "count", file: good, columns: base, method: "exact-count", want: `panel.csv:7: column y: "1.5" is no count`},
		{name: "duration", file: edit("a,2,2,", "a,2,-2,"), columns: base, method: "kaplan-meier", want: `panel.csv:3: column y: "-2" is no duration`},
		{name: "lots", file: good, columns: base, method: "randomized", want: "randomized: a column must say which tasks were treated", code: estimate.ErrColumns},
	} {
		t.Run(c.name, func(t *testing.T) {
			method := c.method
			if method == "" {
				method = "callaway-santanna"
			}
			d, err := estimate.Read(context.Background(), strings.NewReader(c.file), "panel.csv", c.columns, ingest.Limits{})
			if err == nil {
				_, err = estimate.Run(d, method, c.o)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %s", err, c.want)
			}
			var own *estimate.Error
			var line *ingest.LineError
			switch {
			case c.code != "":
				if !errors.As(err, &own) || own.Code != c.code || !strings.Contains(own.Cure, c.cure) {
					t.Errorf("got %#v, want the code %s and the cure %s", err, c.code, c.cure)
				}
			case !errors.As(err, &line) || line.Cure == "":
				t.Errorf("got %#v, want a line of the file with a cure", err)
			}
		})
	}
}

// TestRefusals are those of package did, named by the method, with periods as
// the file writes them.
func TestRefusals(t *testing.T) {
	months := func(first map[string]string) string {
		var b strings.Builder
		b.WriteString("u,t,y,g\n")
		for _, u := range []string{"a", "b", "c", "d"} {
			for m := 1; m <= 6; m++ {
				fmt.Fprintf(&b, "%s,2024-%02d,%d,%s\n", u, m, m*m+len(u), first[u])
			}
		}
		return b.String()
	}
	c := estimate.Columns{Unit: "u", Time: "t", Outcome: "y", FirstTreated: "g"}
	for _, k := range []struct {
		name   string
		first  map[string]string
		method string
		code   error
		want   string
	}{
		{"none-treated", nil, "cross-fit-t", &did.Error{Code: did.ErrNoTreated}, "cross-fit-t: no unit starts inside the panel's periods"},
		{"no-comparison", map[string]string{"a": "2024-03", "b": "2024-03", "c": "2024-03", "d": "2024-03"}, "two-by-two", &did.Error{Code: did.ErrNoComparison}, "two-by-two: no unit is left to compare with"},
		{"several-starts", map[string]string{"a": "2024-03", "b": "2024-05"}, "donald-lang", &estimate.Error{Code: estimate.ErrStarts}, "units start in 2024-03 and in 2024-05"},
		{"level", map[string]string{"a": "2024-03"}, "randomization", &did.Error{Code: did.ErrLevel}, "p is never under 0.25"},
		{"one-treated", map[string]string{"a": "2024-03", "b": "2024-03"}, "placebo", &did.Error{Code: did.ErrShape}, "placebo: it is made for one treated unit; there are 2"},
		{"wild", map[string]string{"a": "2024-03"}, "wild-bootstrap", &did.Error{Code: did.ErrTooFewUnits}, "one treated cluster"},
	} {
		t.Run(k.name, func(t *testing.T) {
			_, err := estimate.Run(read(t, months(k.first), c), k.method, estimate.Options{})
			if !errors.Is(err, k.code) || !strings.Contains(err.Error(), k.want) {
				t.Errorf("got %v, want %s", err, k.want)
			}
		})
	}
}

// TestAgainstTheDesign is answered with a warning that comes first, and its
// role.
func TestAgainstTheDesign(t *testing.T) {
	a := ask(t, read(t, bundled(t, "mpdta.csv"), panelColumns()), "twfe", estimate.Options{})
	if a.Choice.Role != did.Refused || a.Choice.Headline != "callaway-santanna" || !strings.HasPrefix(a.Warnings[0], "this design speaks against twfe") {
		t.Errorf("%+v %q", a.Choice, a.Warnings)
	}
	a = ask(t, read(t, bundled(t, "fewclusters.csv"), panelColumns()), "twfe", estimate.Options{})
	if r := term(t, a, "effect"); r.SE != nil || r.P != nil || r.CI[0] != nil || r.Estimate == nil {
		t.Errorf("one treated cluster has an error: %+v", r)
	}
}

// TestAll answers by what the design admits and says why the others are not
// there.
func TestAll(t *testing.T) {
	d := read(t, bundled(t, "fewclusters.csv"), panelColumns())
	a := ask(t, d, "all", estimate.Options{Folds: ref(2)})
	near(t, "cross-fit t with two folds", term(t, a, "cross-fit-t/effect").SE, 10.6863511165652, 1e-6)
	if len(a.Choice.Methods) != len(estimate.Names()) {
		t.Errorf("%d methods of %d", len(a.Choice.Methods), len(estimate.Names()))
	}
	for _, m := range a.Choice.Methods {
		answered := slices.ContainsFunc(a.Results, func(r estimate.Result) bool { return strings.HasPrefix(r.Term, m.Method+"/") })
		if refused := m.Role == did.Refused || m.Refusal != ""; answered == refused || len(m.Reasons) == 0 {
			t.Errorf("%+v, answered %v", m, answered)
		}
	}
	c := panelColumns()
	c.Covariates = []string{"lpop"}
	a = ask(t, read(t, bundled(t, "mpdta.csv"), c), "all", estimate.Options{})
	for _, m := range a.Choice.Methods {
		if m.Method == "goodman-bacon" && m.Refusal != "does not take --covariates" {
			t.Errorf("%+v", m)
		}
	}
}

// TestRepeatedCrossSections reads rows as observations of their own.
func TestRepeatedCrossSections(t *testing.T) {
	file := bundled(t, "durations.csv")
	c := panelColumns()
	c.Outcome = "hours"
	d := read(t, file, c)
	if _, err := estimate.Run(d, "callaway-santanna", estimate.Options{}); err == nil || !strings.Contains(err.Error(), "--repeated-cross-sections") {
		t.Errorf("got %v", err)
	}
	for _, method := range []string{"callaway-santanna", "twfe", "two-by-two", "imputation", "two-stage", "event-study", "sun-abraham", "wild-bootstrap", "poisson"} {
		a := ask(t, d, method, estimate.Options{RepeatedCrossSections: true})
		if method != "imputation" && a.N.Rows != 300 {
			t.Errorf("%s: %+v", method, a.N)
		}
	}
}
