package metrics_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"steelyard/metrics"
)

// TestCountsByDesign: what speaks for counts, by the units there are and how
// their starts lie.
func TestCountsByDesign(t *testing.T) {
	several := func(treated, others int) *metrics.Report {
		return build(t, first(severalPanel(treated, others, 26, 13, 0)), second(severalPanel(treated, others, 26, 13, 0)))
	}
	staggered := func(treated, never, scale int) *metrics.Report {
		p, panel := staggeredPanel(treated, never, .2)
		for i, x := range panel.Values[0] {
			panel.Values[0][i] = math.Floor(x / float64(scale))
		}
		p.Outcomes = p.Outcomes[:1]
		p.Outcomes[0].Scale = metrics.ScaleCount
		return build(t, p, panel)
	}
	method := func(r *metrics.Report) metrics.Effect { return r.Metrics[len(r.Metrics)-1].Headline }
	for _, c := range []struct {
		name   string
		effect metrics.Effect
		method string
		bounds bool
	}{
		{"one treated", method(several(1, 8)), "exact-conditional", true},
		{"three treated of nine", method(several(3, 6)), "poisson", true},
		{"three treated of five", method(several(3, 2)), "exact-conditional", true},
		{"many starts", method(staggered(15, 12, 1)), "poisson", true},
		{"many starts, hardly an event", method(staggered(15, 12, 1000)), "poisson", false},
		{"many starts of few", method(staggered(3, 2, 1)), "poisson", false},
		{"nobody is never treated", method(staggered(24, 0, 1)), "poisson", false},
	} {
		e := c.effect
		if e.Method != c.method || (e.Low != nil) != c.bounds || (e.Missing == "") != c.bounds || e.Admissible != c.bounds {
			t.Errorf("%s: %s, %q, %q", c.name, e.Method, e.Text, e.Missing)
		}
	}
	r := staggered(15, 12, 1)
	m := r.Metrics[0]
	if m.Headline.Unit != metrics.UnitRatio || m.Others[0].Method != "callaway-santanna-never-treated" || m.Pilot.Missing == "" {
		t.Errorf("counts with several starts: %s, beside it %s, pilot %+v", m.Headline.Text, m.Others[0].Method, m.Pilot)
	}
	if !slices.ContainsFunc(r.Design.Why, func(s string) bool { return strings.Contains(s, "mixes early and late") }) {
		t.Errorf("reasons %q", r.Design.Why)
	}
	checkWhole(t, "counts with several starts", r)
	checkWhole(t, "hardly an event", staggered(15, 12, 1000))
	checkWhole(t, "nobody is never treated", staggered(24, 0, 1))
}

// TestPoissonIsTheSampleRatio: with one start the ratio is that of the two
// sides' ratios of rates, whatever the exposure.
func TestPoissonIsTheSampleRatio(t *testing.T) {
	r := build(t, first(severalPanel(4, 6, 26, 13, 0)), second(severalPanel(4, 6, 26, 13, 0)))
	m := r.Metrics[1]
	if m.Headline.Method != "poisson" || !near(m.Headline.Estimate, *m.Pilot.Value / *m.Comparison.Value, 1e-12) {
		t.Errorf("%s: %v of %v and %v", m.Headline.Method, *m.Headline.Estimate, *m.Pilot.Value, *m.Comparison.Value)
	}
	if exact := m.Others[0]; exact.Method != "exact-conditional" || exact.Admissible || !near(exact.Estimate, *m.Headline.Estimate, 1e-12) {
		t.Errorf("beside it %+v", exact)
	}
}

// TestNotUsedSaysWhy: every method is either shown or listed once a metric.
func TestNotUsedSaysWhy(t *testing.T) {
	for name, r := range reports(t) {
		seen := map[string]bool{}
		for _, n := range r.Design.NotUsed {
			if n.Title == "" || !strings.HasSuffix(n.Why, ".") || strings.Contains(n.Why, "unit") {
				t.Errorf("%s: %+v", name, n)
			}
			for _, method := range n.Methods {
				key := method + "/" + strings.Join(n.Metrics, " ")
				if seen[key] {
					t.Errorf("%s: %s is listed twice", name, key)
				}
				seen[key] = true
			}
		}
		if table, ok := r.Table("methods-not-used"); ok != (len(r.Design.NotUsed) > 0) || len(table.Rows) != len(r.Design.NotUsed) {
			t.Errorf("%s: table %v of %d rows", name, ok, len(table.Rows))
		}
		for _, kept := range []string{r.Design.Method} {
			if seen[kept+"/"] {
				t.Errorf("%s: the headline %s is listed as not used", name, kept)
			}
		}
	}
}
