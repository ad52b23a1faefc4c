package estimate_test

import (
	"fmt"
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
