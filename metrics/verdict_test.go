package metrics_test

import (
	"slices"
	"strings"
	"testing"

	"steelyard/metrics"
)

func ptr(x float64) *float64 { return &x }

func points(estimate, low, high float64) metrics.Effect {
	return metrics.Effect{
		Method: "cross-fit-t", Unit: metrics.UnitPoints, Estimate: ptr(estimate), Low: ptr(low), High: ptr(high), P: ptr(.5),
		Raw: ptr(estimate), SE: ptr((high - low) / 8.6), DF: ptr(2), Admissible: true, Level: .95,
		EstimateText: metrics.FormatPoints(estimate), IntervalText: metrics.FormatInterval(&low, &high, metrics.UnitPoints, nil),
		Text: metrics.FormatPoints(estimate),
	}
}

func evidence(h metrics.Effect, better metrics.Better) metrics.Evidence {
	change := func(label string, x float64) metrics.Change {
		return metrics.Change{Label: label, Value: ptr(x), ValueText: metrics.FormatPercent(x)}
	}
	counter := points(1, -20, 22)
	return metrics.Evidence{
		Pilot:  metrics.Pilot{UnitNoun: "team", PeriodNoun: "week", SmallestEffect: .1},
		Design: metrics.Design{Kind: metrics.DesignOneTreated, TreatedUnits: 1, ComparisonUnits: 7, PeriodsBefore: 15, PeriodsAfter: 12},
		Metrics: []metrics.MetricReport{
			{
				Outcome: metrics.Outcome{ID: "open_to_merge", Title: "Open to merge", Better: better, Role: metrics.RolePrimary},
				Pilot:   change("Payments", -33), Comparison: change("comparison", -17), ChangeUnit: metrics.UnitPercent, Headline: h,
				PreTrend: metrics.Test{P: ptr(.47), Text: "Before the start both groups moved alike (p = 0.47)."},
			},
			{
				Outcome: metrics.Outcome{ID: "reverts", Title: "Reverts", Better: metrics.BetterLower, Role: metrics.RoleCounter},
				Pilot:   change("Payments", 5), Comparison: change("comparison", 4), Headline: counter,
			},
		},
	}
}

func TestDecide(t *testing.T) {
	lower, higher, neutral := metrics.BetterLower, metrics.BetterHigher, metrics.BetterNeutral
	below, above, across, inside := points(-20, -35, -5), points(20, 5, 35), points(-17, -41, 9), points(1, -6, 8)
	against := points(12, 3, 21)
	against.Method = "donald-lang"
	tests := []struct {
		name string
		e    metrics.Evidence
		with func(e *metrics.Evidence)
		want metrics.VerdictValue
		code string
	}{
		{"improved", evidence(below, lower), nil, metrics.VerdictImproved, "interval_excludes_no_change"},
		{"worsened", evidence(above, lower), nil, metrics.VerdictWorsened, "interval_excludes_no_change"},
		{"improved-upwards", evidence(above, higher), nil, metrics.VerdictImproved, "interval_excludes_no_change"},
		{"worsened-downwards", evidence(below, higher), nil, metrics.VerdictWorsened, "interval_excludes_no_change"},
		{"rose", evidence(above, neutral), nil, metrics.VerdictRose, "interval_excludes_no_change"},
		{"fell", evidence(below, neutral), nil, metrics.VerdictFell, "interval_excludes_no_change"},
		{"includes-no-change", evidence(across, lower), nil, metrics.VerdictCannotSayYet, "interval_includes_no_change"},
		{"no-clear-change", evidence(inside, lower), nil, metrics.VerdictNoClearChange, "interval_within_smallest_effect"},
		{"smaller-effect-declared", evidence(inside, lower), func(e *metrics.Evidence) {
			e.Pilot.SmallestEffect = .05
		}, metrics.VerdictCannotSayYet, "interval_includes_no_change"},
		{"window-not-over", evidence(below, lower), func(e *metrics.Evidence) {
			e.NotOver = "The window runs to 31 Jan 2027."
		}, metrics.VerdictCannotSayYet, "window_not_over"},
		{"pre-trend", evidence(below, lower), func(e *metrics.Evidence) {
			e.Metrics[0].PreTrend.P = ptr(.049)
		}, metrics.VerdictCannotSayYet, "pre_trend"},
		{"pre-trend-at-the-edge", evidence(below, lower), func(e *metrics.Evidence) {
			e.Metrics[0].PreTrend.P = ptr(.05)
		}, metrics.VerdictImproved, "interval_excludes_no_change"},
		{"methods-disagree", evidence(across, lower), func(e *metrics.Evidence) {
			e.Metrics[0].Others, e.Metrics[0].Disagree = []metrics.Effect{against}, true
		}, metrics.VerdictCannotSayYet, "methods_disagree"},
		{"incomplete", evidence(below, lower), func(e *metrics.Evidence) {
			e.Incomplete = []string{"The window begins on 1 Jan, and the data begins on 1 Mar."}
		}, metrics.VerdictCannotSayYet, "ingest_incomplete"},
		{"few-units", evidence(below, lower), func(e *metrics.Evidence) {
			e.Metrics[0].Headline.Admissible = false
		}, metrics.VerdictCannotSayYet, "few_units"},
		{"no-interval", evidence(below, lower), func(e *metrics.Evidence) {
			h := &e.Metrics[0].Headline
			h.Low, h.High, h.SE, h.Admissible, h.Missing = nil, nil, nil, false, "no interval: too short"
		}, metrics.VerdictCannotSayYet, "no_interval"},
		{"problem", evidence(below, lower), func(e *metrics.Evidence) {
			e.Problem = &metrics.Reason{Code: "no_comparison", Title: "x", Text: "Nobody is left."}
		}, metrics.VerdictCannotSayYet, "no_comparison"},
		{"first-rule-first", evidence(below, lower), func(e *metrics.Evidence) {
			e.NotOver, e.Metrics[0].PreTrend.P = "Not over.", ptr(.01)
		}, metrics.VerdictCannotSayYet, "window_not_over"},
		{"at-a-cost", evidence(below, lower), func(e *metrics.Evidence) {
			e.Metrics[1].Headline = points(20, 2, 38)
		}, metrics.VerdictImprovedAtACost, "interval_excludes_no_change"},
		{"cost-nobody-can-trust", evidence(below, lower), func(e *metrics.Evidence) {
			e.Metrics[1].Headline = points(20, 2, 38)
			e.Metrics[1].Headline.Admissible = false
		}, metrics.VerdictImproved, "interval_excludes_no_change"},
		{"counter-improved", evidence(below, lower), func(e *metrics.Evidence) {
			e.Metrics[1].Headline = points(-20, -38, -2)
		}, metrics.VerdictImproved, "interval_excludes_no_change"},
		{"worsened-with-cost", evidence(above, lower), func(e *metrics.Evidence) {
			e.Metrics[1].Headline = points(20, 2, 38)
		}, metrics.VerdictWorsened, "interval_excludes_no_change"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.with != nil {
				tt.with(&tt.e)
			}
			v := metrics.Decide(tt.e)
			if v.Value != tt.want || v.Reasons[0].Code != tt.code {
				t.Errorf("verdict %s by %s, want %s by %s", v.Value, v.Reasons[0].Code, tt.want, tt.code)
			}
			if v.Word == "" || !strings.HasSuffix(v.Sentence, ".") || len(v.WouldChange) == 0 {
				t.Errorf("verdict is not whole: %+v", v)
			}
			for _, r := range v.Reasons {
				if r.Title == "" || !strings.HasSuffix(r.Text, ".") {
					t.Errorf("reason is not a sentence: %+v", r)
				}
			}
		})
	}
}

func TestVerdictSentence(t *testing.T) {
	v := metrics.Decide(evidence(points(-17, -41, 9), metrics.BetterLower))
	want := "Open to merge fell by 33\u202f% for Payments, but half of that happened in the comparison too; the other 17 points may be chance."
	if v.Word != "Cannot say yet" || v.Sentence != want {
		t.Errorf("%s. %s", v.Word, v.Sentence)
	}
}

// A claim of chance or of none follows the interval and nothing else.
func TestSentencesClaimNoMoreThanTheInterval(t *testing.T) {
	for name, r := range reports(t) {
		for _, m := range r.Metrics {
			clear := strings.Contains(m.Finding, "clear of chance")
			running := r.Verdict.Reasons[0].Code == "window_not_over"
			if clear != (m.Headline.Admissible && m.Headline.ExcludesNoChange() && !running) && !m.Disagree {
				t.Errorf("%s: %q against %s", name, m.Finding, m.Headline.Text)
			}
		}
	}
}

// Within ±10 % on each unit of effect.
func TestNoClearChangeInEveryUnit(t *testing.T) {
	tests := []struct {
		name      string
		unit      metrics.EffectUnit
		low, high float64
		baseline  *float64
		want      bool
	}{
		{"percent", metrics.UnitPercent, -5, 9, nil, true},
		{"percent-too-wide", metrics.UnitPercent, -5, 11, nil, false},
		{"ratio", metrics.UnitRatio, .92, 1.09, nil, true},
		{"ratio-too-wide", metrics.UnitRatio, .90, 1.09, nil, false},
		{"level", metrics.UnitLevel, -1.9, 1.9, ptr(20), true},
		{"level-too-wide", metrics.UnitLevel, -1.9, 2.1, ptr(-20), false},
		{"level-without-baseline", metrics.UnitLevel, -.1, .1, nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := evidence(points(0, tt.low, tt.high), metrics.BetterLower)
			h := &e.Metrics[0].Headline
			h.Unit, h.Estimate = tt.unit, ptr((tt.low+tt.high)/2)
			e.Baseline = tt.baseline
			if got := metrics.Decide(e).Value == metrics.VerdictNoClearChange; got != tt.want {
				t.Errorf("no clear change = %t, want %t", got, tt.want)
			}
		})
	}
}

// At the noise seen, a smaller effect takes longer, and one that no number of
// weeks would show is said to be so.
func TestWhatWouldChangeIt(t *testing.T) {
	near := metrics.Decide(withDetectable(points(-17, -34.5, .5), 23))
	if !slices.ContainsFunc(near.WouldChange, func(s string) bool { return strings.Contains(s, "weeks more after the start would show it") }) {
		t.Errorf("would change %q", near.WouldChange)
	}
	far := metrics.Decide(withDetectable(points(-2, -41, 37), 40))
	if !slices.ContainsFunc(far.WouldChange, func(s string) bool { return strings.Contains(s, "alone would not show") }) {
		t.Errorf("would change %q", far.WouldChange)
	}
}

func withDetectable(h metrics.Effect, d float64) metrics.Evidence {
	e := evidence(h, metrics.BetterLower)
	e.Metrics[0].Detectable = &d
	return e
}
