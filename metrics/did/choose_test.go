package did_test

import (
	"slices"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// TestChoose: what speaks, and what is refused, by design.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		name            string
		design          did.Design
		headline        string
		beside, refused []string
	}{
		{
			"OneTreatedOneComparison",
			did.Design{Treated: 1, Comparison: 1, Starts: 1, Before: 26, After: 13, Balanced: true},
			"cross-fit-t",
			[]string{"two-by-two", "power"},
			[]string{"placebo", "donald-lang", "wild-bootstrap", "twfe", "event-study", "synthetic-did", "randomization", "honest-did", "callaway-santanna", "poisson", "randomized"},
		},
		{
			"OneTreatedSixComparisons",
			did.Design{Treated: 1, Comparison: 6, Starts: 1, Before: 26, After: 13, Balanced: true},
			"cross-fit-t",
			[]string{"two-by-two", "donald-lang", "placebo", "synthetic-did", "honest-did"},
			[]string{"wild-bootstrap", "twfe", "randomization"},
		},
		{
			"ShortBefore",
			did.Design{Treated: 1, Comparison: 6, Starts: 1, Before: 2, After: 3, Balanced: true},
			"",
			[]string{"donald-lang"},
			[]string{"cross-fit-t", "conformal", "synthetic-did"},
		},
		{
			"ThreeTreatedTwoOthers",
			did.Design{Treated: 3, Comparison: 2, Starts: 1, Before: 26, After: 13, Balanced: true},
			"cross-fit-t",
			[]string{"two-by-two"},
			[]string{"wild-bootstrap", "twfe", "placebo"},
		},
		{
			"SevenTreatedOneOther",
			did.Design{Treated: 7, Comparison: 1, Starts: 1, Before: 26, After: 13, Balanced: true},
			"cross-fit-t",
			[]string{"two-by-two"},
			[]string{"wild-bootstrap", "twfe", "event-study", "honest-did", "callaway-santanna"},
		},
		{
			"CountsOfSevenTreatedOneOther",
			did.Design{Outcome: did.Counted, Events: 40, Treated: 7, Comparison: 1, Starts: 1, Before: 26, After: 13, Balanced: true},
			"exact-count",
			nil,
			[]string{"poisson"},
		},
		{
			"ThreeTreatedSevenOthers",
			did.Design{Treated: 3, Comparison: 7, Starts: 1, Before: 26, After: 13, Balanced: true},
			"two-by-two",
			[]string{"wild-bootstrap", "randomization", "honest-did"},
			[]string{"donald-lang", "placebo", "goodman-bacon"},
		},
		{
			"TwoTreatedFourOthers",
			did.Design{Treated: 2, Comparison: 4, Starts: 1, Before: 26, After: 13},
			"two-by-two",
			[]string{"wild-bootstrap"},
			[]string{"randomization"},
		},
		{
			"Staggered",
			did.Design{Treated: 30, Comparison: 40, Starts: 5, Before: 4, After: 3, Balanced: true},
			"callaway-santanna",
			[]string{"imputation", "honest-did"},
			[]string{"twfe", "two-by-two", "cross-fit-t", "wild-bootstrap", "placebo"},
		},
		{
			"StaggeredAllTreated",
			did.Design{Treated: 30, Starts: 5, Before: 4, After: 3},
			"callaway-santanna",
			[]string{"imputation"},
			[]string{"sun-abraham", "goodman-bacon", "synthetic-did"},
		},
		{
			"FewCounts",
			did.Design{Outcome: did.Counted, Treated: 4, Comparison: 9, Starts: 1, Before: 26, After: 13, Events: 3},
			"exact-count",
			[]string{"power"},
			[]string{"poisson", "two-by-two", "quantile", "cross-fit-t"},
		},
		{
			"CountsOfOneTreated",
			did.Design{Outcome: did.Counted, Treated: 1, Comparison: 9, Starts: 1, Before: 26, After: 13, Events: 300},
			"exact-count", nil,
			[]string{"poisson"},
		},
		{
			"ManyCounts",
			did.Design{Outcome: did.Counted, Treated: 4, Comparison: 9, Starts: 1, Before: 26, After: 13, Events: 300},
			"poisson",
			[]string{"exact-count"},
			[]string{"twfe"},
		},
		{
			"StaggeredCounts",
			did.Design{Outcome: did.Counted, Treated: 4, Comparison: 9, Starts: 3, Before: 26, After: 13, Events: 300},
			"poisson",
			[]string{"callaway-santanna"},
			[]string{"exact-count", "imputation", "twfe"},
		},
		{
			"FewStaggeredCounts",
			did.Design{Outcome: did.Counted, Treated: 4, Comparison: 9, Starts: 3, Before: 26, After: 13, Events: 9},
			"",
			[]string{"callaway-santanna"},
			[]string{"exact-count", "poisson"},
		},
		{
			"StaggeredCountsOfFewUnits",
			did.Design{Outcome: did.Counted, Treated: 2, Comparison: 3, Starts: 2, Before: 26, After: 13, Events: 90},
			"",
			[]string{"callaway-santanna"},
			[]string{"exact-count", "poisson"},
		},
		{
			"StaggeredCountsAllTreated",
			did.Design{Outcome: did.Counted, Treated: 12, Starts: 4, Before: 26, After: 13, Events: 90},
			"",
			[]string{"callaway-santanna"},
			[]string{"exact-count", "poisson"},
		},
		{
			"ClumpedCountsOfOneTreated",
			did.Design{Outcome: did.Counted, Treated: 1, Comparison: 9, Starts: 1, Before: 26, After: 13, Events: 300, Clumped: 2.5},
			"cross-fit-t",
			[]string{"exact-count", "donald-lang"},
			[]string{"poisson"},
		},
		{
			"ClumpedCountsOfMany",
			did.Design{Outcome: did.Counted, Treated: 4, Comparison: 9, Starts: 1, Before: 26, After: 13, Events: 300, Clumped: 2.5},
			"poisson",
			[]string{"exact-count"},
			[]string{"two-by-two"},
		},
		{
			"FewClumpedCountsOfMany",
			did.Design{Outcome: did.Counted, Treated: 4, Comparison: 9, Starts: 1, Before: 26, After: 13, Events: 3, Clumped: 2.5},
			"two-by-two",
			[]string{"exact-count", "wild-bootstrap"},
			[]string{"poisson"},
		},
		{
			"TwoNoisyTreated",
			did.Design{Treated: 2, Comparison: 8, Starts: 1, Before: 26, After: 13, Balanced: true, UnitSpread: 1.8},
			"cross-fit-t",
			[]string{"two-by-two"},
			[]string{"wild-bootstrap", "twfe", "callaway-santanna"},
		},
		{
			"TwoNoisyOthers",
			did.Design{Treated: 8, Comparison: 2, Starts: 1, Before: 26, After: 13, Balanced: true, UnitSpread: 0.5},
			"cross-fit-t",
			[]string{"two-by-two"},
			[]string{"wild-bootstrap", "twfe"},
		},
		{
			"FourNoisyTreated",
			did.Design{Treated: 4, Comparison: 8, Starts: 1, Before: 26, After: 13, Balanced: true, UnitSpread: 1.8},
			"two-by-two",
			[]string{"wild-bootstrap", "randomization", "callaway-santanna"},
			nil,
		},
		{
			"Censored",
			did.Design{Outcome: did.Censored, Treated: 1, Comparison: 3, Starts: 1, Before: 26, After: 13},
			"cross-fit-t",
			[]string{"kaplan-meier", "donald-lang"},
			nil,
		},
		{
			"Randomised",
			did.Design{Randomised: true},
			"randomized",
			[]string{"wild-bootstrap", "power"},
			[]string{"cross-fit-t", "twfe", "poisson"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			choices, err := did.Choose(c.design)
			must(t, err)
			role := map[string]did.Role{}
			var headline string
			for i, m := range choices {
				if m.Role == did.Headline && headline == "" {
					headline = m.Method
					if i != 0 {
						t.Errorf("the headline %s is not first", m.Method)
					}
				}
				if role[m.Method] != "" || !slices.Contains(did.MethodNames(), m.Method) {
					t.Errorf("%s is judged twice, or unknown", m.Method)
				}
				role[m.Method] = m.Role
				for _, reason := range m.Reasons {
					if !strings.HasSuffix(reason, ".") || strings.Contains(reason, "%!") {
						t.Errorf("%s: reason %q", m.Method, reason)
					}
				}
				if len(m.Reasons) == 0 {
					t.Errorf("%s has no reason", m.Method)
				}
			}
			if len(role) != len(did.MethodNames()) {
				t.Errorf("%d methods are judged, want %d", len(role), len(did.MethodNames()))
			}
			if headline != c.headline {
				t.Errorf("headline %q, want %q", headline, c.headline)
			}
			for _, m := range c.beside {
				if role[m] != did.Beside {
					t.Errorf("%s is %s, want beside", m, role[m])
				}
			}
			for _, m := range c.refused {
				if role[m] != did.Refused {
					t.Errorf("%s is %s, want refused", m, role[m])
				}
			}
		})
	}
}

// TestChooseWarns: a noisier pilot is a reason against Donald–Lang.
func TestChooseWarns(t *testing.T) {
	choices, err := did.Choose(did.Design{Treated: 1, Comparison: 5, Starts: 1, Before: 26, After: 13, SpreadRatio: 2.1})
	must(t, err)
	for _, m := range choices {
		if m.Method == "donald-lang" && (len(m.Reasons) != 2 || !strings.Contains(m.Reasons[1], "2.1 times")) {
			t.Errorf("reasons %q", m.Reasons)
		}
	}
}

// TestChooseWarnsOfFewUnits: bounds on trends rest on a covariance by cluster.
func TestChooseWarnsOfFewUnits(t *testing.T) {
	for others, want := range map[int]int{2: 2, 3: 1} {
		choices, err := did.Choose(did.Design{Treated: 3, Comparison: others, Starts: 1, Before: 26, After: 13})
		must(t, err)
		for _, m := range choices {
			if m.Method == "honest-did" && (m.Role != did.Beside || len(m.Reasons) != want) {
				t.Errorf("3 treated and %d others: %s, %q, want %d reasons", others, m.Role, m.Reasons, want)
			}
		}
	}
}

func TestChooseRefusals(t *testing.T) {
	_, err := did.Choose(did.Design{})
	wantCode(t, "nothing", err, did.ErrNoTreated)
	_, err = did.Choose(did.Design{Treated: 2, Starts: 1, Before: 3, After: 3})
	wantCode(t, "no comparison", err, did.ErrNoComparison)
	_, err = did.Choose(did.Design{Treated: 2, Comparison: 2, Starts: 1, After: 3})
	wantCode(t, "nothing before", err, did.ErrTooFewPeriods)
	_, err = did.Choose(did.Design{Treated: -2})
	wantCode(t, "negative", err, did.ErrOption)
	_, err = did.Choose(did.Design{Treated: 2, Comparison: 2, Starts: 1, Before: 3, After: 3, SpreadRatio: -1})
	wantCode(t, "negative spread", err, did.ErrOption)
	_, err = did.Choose(did.Design{Level: 2})
	wantCode(t, "level", err, did.ErrOption)
}

// TestDesignOf reads designs from panels.
func TestDesignOf(t *testing.T) {
	d, err := did.DesignOf(bundled(t, "california"))
	must(t, err)
	if d.Treated != 1 || d.Comparison != 38 || d.Starts != 1 || d.Before != 19 || d.After != 12 || !d.Balanced || d.SpreadRatio < 0.1 {
		t.Errorf("California: %+v", d)
	}
	d, err = did.DesignOf(grid([]int{2, 3, 3, 0, did.Never, 99}, 5))
	must(t, err)
	if d.Treated != 3 || d.Comparison != 2 || d.Starts != 2 || d.Before != 2 || d.After != 2 || d.SpreadRatio != 0 {
		t.Errorf("staggered: %+v", d)
	}
	_, err = did.DesignOf(did.Panel{})
	wantCode(t, "no rows", err, did.ErrTooFewUnits)
}
