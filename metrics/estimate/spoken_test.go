package estimate_test

import (
	"fmt"
	"strings"
	"testing"

	"steelyard/metrics/did"
	"steelyard/metrics/estimate"
)

// weeksOf writes a panel of ten units by eight periods in five clusters, of
// which the first, of two units, starts in period 5; where staggered, its
// second unit starts in period 6.
func weeksOf(staggered bool) string {
	var b strings.Builder
	b.WriteString("unit,cluster,time,y,first\n")
	for u := range 10 {
		first := 0
		switch {
		case u == 0, u == 1 && !staggered:
			first = 5
		case u == 1:
			first = 6
		}
		for time := 1; time <= 8; time++ {
			fmt.Fprintf(&b, "%d,%d,%d,%d,%d\n", u, u/2, time, 3+(u*7+time*5+u*time)%11, first)
		}
	}
	return b.String()
}

// TestImputationSaysWhatItsErrorMisses: package did's warnings are passed on.
func TestImputationSaysWhatItsErrorMisses(t *testing.T) {
	c := panelColumns()
	c.Cluster = "cluster"
	a := ask(t, read(t, weeksOf(false), c), "imputation", estimate.Options{})
	if got := text(t, a); !strings.Contains(got, "one treated cluster alone") {
		t.Errorf("nothing is said of the one treated cluster:\n%s", got)
	}
}

// TestNoHeadlineIsSaid: counts whose starts differ have none where too few
// clusters are treated to cluster by.
func TestNoHeadlineIsSaid(t *testing.T) {
	c := panelColumns()
	c.Outcome, c.Cluster = "y:count", "cluster"
	got := text(t, ask(t, read(t, weeksOf(true), c), "all", estimate.Options{}))
	first, _, _ := strings.Cut(got, "\n")
	if !strings.HasSuffix(first, "none of them can be the headline") {
		t.Errorf("first line %q does not say that there is no headline", first)
	}
}

// TestZeroIsNoPValue: a p-value of 0 is smaller than what the draws could have
// given, and JSON keeps the number.
func TestZeroIsNoPValue(t *testing.T) {
	file := square(12, 6, 6, 4, func(unit, period int, on float64) float64 { return 40*on + float64((unit*7+period*5+unit*period)%11) })
	d := read(t, file, panelColumns())
	a := ask(t, d, "wild-bootstrap", estimate.Options{})
	effect := term(t, a, "effect")
	if effect.P == nil || *effect.P != 0 {
		t.Fatalf("p %v", effect.P)
	}
	if got := text(t, a); !strings.Contains(got, "< 0.00024") { // 1/2^12
		t.Errorf("the text does not say how small p is:\n%s", got)
	}
}

// TestDrawsThatWereNotNeeded: all assignments were taken.
func TestDrawsThatWereNotNeeded(t *testing.T) {
	file := square(9, 6, 3, 4, func(unit, period int, _ float64) float64 { return float64((unit*7 + period*5) % 11) })
	draws := 500
	a := ask(t, read(t, file, panelColumns()), "randomization", estimate.Options{Draws: &draws})
	if !warned(a, "--draws 500 was not needed") {
		t.Errorf("warnings %q", a.Warnings)
	}
}

// TestCountsAreAskedAbout: whole numbers, 0 among them, may be events.
func TestCountsAreAskedAbout(t *testing.T) {
	file := square(9, 6, 3, 4, func(unit, period int, _ float64) float64 { return float64((unit*7 + period*5) % 4) })
	c := panelColumns()
	if a := ask(t, read(t, file, c), "two-by-two", estimate.Options{}); !warned(a, "y holds whole numbers") {
		t.Errorf("warnings %q", a.Warnings)
	}
	for _, scale := range []string{":level", ":count", ":log1p"} {
		c.Outcome = "y" + scale
		if a := ask(t, read(t, file, c), "two-by-two", estimate.Options{}); warned(a, "y holds whole numbers") {
			t.Errorf("%s: warnings %q", scale, a.Warnings)
		}
	}
}

// TestNoLottery: a panel whose units stay treated once they are was not
// assigned by lot, whatever the method is called.
func TestNoLottery(t *testing.T) {
	var b strings.Builder
	b.WriteString("unit,time,y,on\n")
	for u := range 8 {
		for time := range 6 {
			on := 0
			if u < 4 && time >= 3 {
				on = 1
			}
			fmt.Fprintf(&b, "%d,%d,%d,%d\n", u, time, 3+(u*7+time*5)%11, on)
		}
	}
	c := panelColumns()
	c.FirstTreated, c.Treated, c.Outcome = "", "on", "y:log"
	a := ask(t, read(t, b.String(), c), "randomized", estimate.Options{})
	if a.Choice.Role != did.Refused || a.Choice.Headline != "two-by-two" || !warned(a, "this design speaks against randomized") {
		t.Errorf("role %s, headline %s, warnings %q", a.Choice.Role, a.Choice.Headline, a.Warnings)
	}
}

// With one treated unit the bounds rest on the changes of a few others; under
// parallel trends their interval is that of Donald and Lang on the same
// changes.
func TestBoundsOfOneUnitKnowThatOthersAreFew(t *testing.T) {
	values := [][3]float64{{10, 11, 19}, {8, 8, 9}, {12, 11, 13}, {9, 10, 10}, {7, 9, 8}, {11, 12, 14}, {10, 9, 12}}
	var b strings.Builder
	b.WriteString("unit,time,y,first\n")
	var changes []float64
	for u, row := range values {
		first := ""
		if u == 0 {
			first = "3"
		} else {
			changes = append(changes, row[2]-row[1])
		}
		for k, y := range row {
			fmt.Fprintf(&b, "u%d,%d,%g,%s\n", u, k+1, y, first)
		}
	}
	want, err := did.DonaldLang(values[0][2]-values[0][1], changes, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	d := read(t, b.String(), panelColumns())
	got := term(t, ask(t, d, "honest-did", estimate.Options{}), "average:parallel")
	near(t, "low", got.CI[0], want.Low, 1e-9)
	near(t, "high", got.CI[1], want.High, 1e-9)
}
