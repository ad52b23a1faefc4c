package web

import (
	"strings"
	"testing"

	"steelyard/metrics"
)

func TestPlainWords(t *testing.T) {
	m := &metrics.MetricReport{Headline: effect("x", "X", metrics.UnitPoints, -17, -41, 9, .11)}
	got := strings.Join(plainWords(m), " ")
	for _, want := range []string{"Anything from −41 points to +9 points would fit this data; no change at all is among it.", "by chance in a share of 0.11 of all such comparisons."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing: %s", want, got)
		}
	}
	m.Headline = effect("x", "X", metrics.UnitPoints, -32, -55, -10, .0004)
	if got := strings.Join(plainWords(m), " "); !strings.Contains(got, "is not among it") || !strings.Contains(got, "a share of less than 0.001 of") {
		t.Error(got)
	}
	// A number that is not the answer, or not yet, is not explained as one.
	m.Disagree = true
	if got := plainWords(m); got != nil {
		t.Errorf("methods disagree: %q", got)
	}
	m.Disagree, m.Looks = false, &metrics.Looks{}
	if got := plainWords(m); got != nil {
		t.Errorf("while the window runs: %q", got)
	}
	for p, want := range map[float64]string{.0004: "less than 0.001", .008: "0.008", .5: "0.50"} {
		if got := oftenWords(p); got != want {
			t.Errorf("%g is %q, not %q", p, got, want)
		}
	}
}

// The page names who is compared with whom, and no team that is too small.
func TestSidesAreNamed(t *testing.T) {
	o := fullOptions()
	d := &dashboard{Options: o}
	for name, c := range map[string]struct {
		treated, comparison []string
		with, against       string
	}{
		"named":     {[]string{"payments"}, []string{"search", "ledger"}, "payments", "ledger and search"},
		"every":     {[]string{"payments"}, nil, "payments", "every other team: checkout, ledger and search"},
		"small":     {[]string{"payments", "tiny"}, []string{"search", "tiny2", "tiny3"}, "payments and 1 other", "search and 2 others"},
		"all-small": {[]string{"tiny"}, []string{"tiny2", "tiny3"}, "1 team", "2 teams"},
	} {
		p := metrics.Pilot{Level: metrics.LevelPullRequests, Comparison: c.comparison}
		for _, u := range c.treated {
			p.Treated = append(p.Treated, metrics.Adoption{Unit: u})
		}
		facts, err := d.sideFacts(t.Context(), p)
		if err != nil || len(facts) != 2 || facts[0].Texts[0] != c.with || facts[1].Texts[0] != c.against {
			t.Errorf("%s: %+v, %v", name, facts, err)
		}
	}
	if facts, err := d.sideFacts(t.Context(), metrics.Pilot{Level: metrics.LevelPanel}); err != nil || facts != nil {
		t.Errorf("a panel: %+v, %v", facts, err)
	}
	// The view of a report is shared: what is added to it stays on this page.
	h := fullHandler(t)
	for range 2 {
		if n := strings.Count(get(t, h, "/pilots/payments").Body.String(), "Compared with"); n != 1 {
			t.Errorf("the page says %d times who is compared with", n)
		}
	}
}
