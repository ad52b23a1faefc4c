package estimate_test

import (
	"fmt"
	"strings"
	"testing"

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
