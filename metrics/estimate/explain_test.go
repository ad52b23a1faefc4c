package estimate_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"steelyard/metrics/estimate"
)

// square is a panel of units in periods from 1 on, the first of which start.
func square(units, periods, treated, start int, y func(unit, period int, on float64) float64) string {
	var b strings.Builder
	b.WriteString("unit,time,first,y,all\n")
	for u := range units {
		first := ""
		if u < treated {
			first = fmt.Sprint(start)
		}
		for t := 1; t <= periods; t++ {
			on := 0.0
			if u < treated && t >= start {
				on = 1
			}
			fmt.Fprintf(&b, "u%02d,%d,%s,%v,1\n", u, t, first, y(u, t, on))
		}
	}
	return b.String()
}

func warned(a *estimate.Answer, start string) bool {
	return slices.ContainsFunc(a.Warnings, func(w string) bool { return strings.HasPrefix(w, start) })
}

// TestNoStandardError holds that an effect without a standard error comes with
// a reason, whatever the method: of data without noise, and of one cluster.
func TestNoStandardError(t *testing.T) {
	exact := func(u, p int, on float64) float64 { return float64(u) + float64(p)/2 + 2*on }
	r := rand.New(rand.NewPCG(4, 4))
	noisy := func(_, _ int, on float64) float64 { return 2*on + r.NormFloat64() }
	for _, c := range []struct {
		name, file, cluster, why string
	}{
		{"exact", square(12, 16, 4, 9, exact), "", "nothing varies that would show the uncertainty"},
		{"exact-one-treated", square(12, 16, 1, 9, exact), "", "nothing varies that would show the uncertainty"},
		{"one-cluster", square(12, 16, 4, 9, noisy), "all", "all rows lie in one cluster"},
	} {
		columns := panelColumns()
		columns.Cluster = c.cluster
		d := read(t, c.file, columns)
		for method, main := range map[string]string{
			"two-by-two": "effect", "twfe": "effect", "sun-abraham": "effect", "two-stage": "effect", "imputation": "effect",
			"callaway-santanna": "simple:overall", "synthetic-did": "effect", "cross-fit-t": "effect", "donald-lang": "effect",
		} {
			a, err := estimate.Run(d, method, estimate.Options{})
			if err != nil {
				continue // not a method for this design, or for clusters
			}
			t.Run(c.name+"/"+method, func(t *testing.T) {
				if got := term(t, a, main); got.SE != nil {
					t.Fatalf("standard error %v", *got.SE)
				}
				if !slices.ContainsFunc(a.Warnings, func(w string) bool {
					return strings.HasPrefix(w, main) && strings.Contains(w, "no standard error: ")
				}) {
					t.Errorf("no warning says why: %q", a.Warnings)
				}
				if method == "callaway-santanna" && !strings.Contains(strings.Join(a.Warnings, "\n"), c.why) {
					t.Errorf("got %q, want %q", a.Warnings, c.why)
				}
			})
		}
	}
}

// TestOpenInterval holds that an interval without ends is told from none.
func TestOpenInterval(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	d := read(t, square(14, 10, 6, 6, func(int, int, float64) float64 { return r.NormFloat64() }), panelColumns())
	a := ask(t, d, "honest-did", estimate.Options{})
	if got := term(t, a, "average:M=2"); got.CI != [2]*float64{} {
		t.Fatalf("interval %v", got.CI)
	}
	const want = ": the interval is open on both sides: no value that was tried is rejected"
	if !slices.ContainsFunc(a.Warnings, func(w string) bool { return strings.HasPrefix(w, "average:M=") && strings.HasSuffix(w, want) }) {
		t.Errorf("got %q", a.Warnings)
	}
	if !warned(ask(t, d, "all", estimate.Options{}), "honest-did: average:M=") {
		t.Error("all does not pass the warning on")
	}
}

// TestOneReason holds that the reason for the main term is not contradicted by
// another one for the terms beside it.
func TestOneReason(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	d := read(t, square(12, 10, 1, 6, func(int, int, float64) float64 { return r.NormFloat64() }), panelColumns())
	a := ask(t, d, "sun-abraham", estimate.Options{})
	if !warned(a, "effect: no standard error: one treated cluster alone") || warned(a, "event:") {
		t.Errorf("got %q", a.Warnings)
	}
}

// TestNamedInReasons holds that reasons name columns as the file does, and that
// an average which has no cell says why its cells are missing.
func TestNamedInReasons(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	file := "unit,time,first,y,size,twice,same\n"
	for u := range 12 {
		size, first := math.Round(100*r.NormFloat64()), ""
		if u < 4 {
			first = "4"
		}
		for p := 1; p <= 6; p++ {
			file += fmt.Sprintf("u%02d,%d,%s,%v,%v,%v,7\n", u, p, first, r.NormFloat64(), size, 2*size)
		}
	}
	for _, c := range []struct {
		method, covariates, refusal, warning string
	}{
		{
			"callaway-santanna", "size,twice",
			"callaway-santanna: no cell from treatment on has an estimate: the covariates repeat each other among the comparison units, or there are too few of them", "",
		},
		{
			"honest-did", "size,twice",
			"honest-did: no effect from the start on has an estimate: the covariates repeat each other among the comparison units, or there are too few of them", "",
		},
		{"callaway-santanna", "size,same", "", "Covariate same is the same in all rows and was left out."},
		{"quantile", "size,twice", "quantile: covariate twice is explained by the others", ""},
	} {
		t.Run(c.method+"/"+c.covariates, func(t *testing.T) {
			columns := panelColumns()
			columns.Covariates = strings.Split(c.covariates, ",")
			a, err := estimate.Run(read(t, file, columns), c.method, estimate.Options{})
			switch {
			case c.refusal == "" && err != nil:
				t.Fatal(err)
			case c.refusal == "":
				if !slices.Contains(a.Warnings, c.warning) {
					t.Errorf("got %q", a.Warnings)
				}
			case err == nil || err.Error() != c.refusal:
				t.Errorf("got %v\nwant %s", err, c.refusal)
			}
		})
	}
}

// TestMissingCells counts group-time effects without an estimate by the reason
// of each.
func TestMissingCells(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	var file strings.Builder
	for line := range strings.Lines(square(8, 6, 3, 4, func(int, int, float64) float64 { return r.NormFloat64() })) {
		if u := line[:3]; u < "u03" || u == "uni" || !strings.HasPrefix(line[4:], "6,") { // no comparison in 6
			file.WriteString(line)
		}
	}
	a := ask(t, read(t, file.String(), panelColumns()), "callaway-santanna", estimate.Options{})
	if !slices.Contains(a.Warnings, "1 group-time effect has no estimate: no comparison unit was seen in this period or in the one it is compared with") {
		t.Errorf("got %q", a.Warnings)
	}
}

// TestManyEvents refuses bounds over so many events that nobody would wait.
func TestManyEvents(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	d := read(t, square(12, 60, 4, 31, func(int, int, float64) float64 { return r.NormFloat64() }), panelColumns())
	_, err := estimate.Run(d, "honest-did", estimate.Options{})
	var refusal *estimate.Error
	if !errors.As(err, &refusal) || refusal.Code != estimate.ErrOption || !strings.Contains(refusal.Cure, "--horizons") {
		t.Errorf("got %v", err)
	}
	ask(t, d, "honest-did", estimate.Options{Horizons: &estimate.Horizons{First: -4, Last: 2}})
}

// TestNothingCensored says when the value of a column that marks running
// durations never occurs.
func TestNothingCensored(t *testing.T) {
	file := strings.ReplaceAll(square(6, 4, 2, 3, func(u, p int, _ float64) float64 { return float64(u + p) }), ",1\n", ",open\n")
	for value, want := range map[string]bool{"open": false, "opne": true} {
		columns := panelColumns()
		columns.Censored = "all=" + value
		a := ask(t, read(t, file, columns), "kaplan-meier", estimate.Options{})
		if got := warned(a, "no row has all="+value+": every duration counts as ended"); got != want {
			t.Errorf("%s: %q", value, a.Warnings)
		}
	}
}
