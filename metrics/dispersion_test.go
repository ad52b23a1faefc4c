package metrics_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"steelyard/metrics"
)

// poisson draws by Knuth's method, which is exact and slow.
func poisson(r *rand.Rand, mean float64) float64 {
	n, p := 0.0, r.Float64()
	for limit := math.Exp(-mean); p > limit; n++ {
		p *= r.Float64()
	}
	return n
}

// countPanel is one treated unit against five whose weekly counts do not
// change; clumps is the standard deviation of the logarithm of each week's
// mean.
func countPanel(seed uint64, mean, clumps float64) (metrics.Pilot, *metrics.Panel) {
	r := rand.New(rand.NewPCG(seed, 7))
	p, panel := onePanel(5, 26, 13, 0)
	p.Outcomes = p.Outcomes[:1]
	p.Outcomes[0].Scale = metrics.ScaleCount
	panel.Outcomes, panel.Values, panel.Exposure = panel.Outcomes[:1], panel.Values[:1], nil
	for i := range panel.Values[0] {
		panel.Values[0][i] = poisson(r, mean*math.Exp(clumps*r.NormFloat64()))
	}
	return p, panel
}

// Busy weeks come in clumps. An exact interval, which takes every event to be
// independent, would find an effect in most such pilots where there is none.
func TestClumpedCountsAreNotTakenForIndependent(t *testing.T) {
	for _, tt := range []struct {
		name         string
		mean, clumps float64
		exact        [2]int // fewest and most pilots of 200 measured exactly
		most         int    // most found to have changed
	}{
		{"independent", 40, 0, [2]int{185, 200}, 15},
		{"independent-and-rare", .2, 0, [2]int{185, 200}, 15},
		{"clumped", 40, .5, [2]int{0, 0}, 22},
	} {
		t.Run(tt.name, func(t *testing.T) {
			exact, found := 0, 0
			for seed := range uint64(200) {
				p, panel := countPanel(seed, tt.mean, tt.clumps)
				m := build(t, p, panel).Metrics[0]
				if m.Headline.Method == "exact-conditional" {
					exact++
				}
				if m.Headline.Admissible && m.Headline.ExcludesNoChange() {
					found++
				}
			}
			if exact < tt.exact[0] || exact > tt.exact[1] || found > tt.most {
				t.Errorf("%d of 200 measured exactly, %d found to have changed; want %v and at most %d", exact, found, tt.exact, tt.most)
			}
		})
	}
}

func TestClumpedCountsKeepTheExactIntervalBeside(t *testing.T) {
	p, panel := countPanel(1, 40, .5)
	m := build(t, p, panel).Metrics[0]
	last := m.Others[len(m.Others)-1]
	if m.Headline.Method != "cross-fit-t" || last.Method != "exact-conditional" || last.Admissible || len(last.Notes) == 0 {
		t.Errorf("headline %s, last %s (admissible %t): %v", m.Headline.Method, last.Method, last.Admissible, last.Notes)
	}
	if m.Words != "" {
		t.Errorf("words %q belong to counts measured exactly", m.Words)
	}
}

// A week with one commit that is a revert is not as much as a whole busy one.
func TestClumpedRatesWeighWeeksByExposure(t *testing.T) {
	p, panel := countPanel(1, 40, .5)
	panel.Exposure = make([]float64, len(panel.Period))
	for i := range panel.Exposure {
		panel.Exposure[i] = 1000
	}
	events, exposure := 0.0, 0.0
	start := metrics.PeriodDay.At(day("2026-01-05"))
	for i, u := range panel.Unit {
		if u != 0 || panel.Period[i] >= start {
			continue
		}
		if i%2 == 0 {
			panel.Exposure[i] = 10
		}
		events += panel.Values[0][i]
		exposure += panel.Exposure[i]
	}
	m := build(t, p, panel).Metrics[0]
	if m.Headline.Method != "cross-fit-t" || !near(m.Pilot.Before, events/exposure, 1e-12) {
		t.Errorf("pilot before = %v by %s, want %v", *m.Pilot.Before, m.Headline.Method, events/exposure)
	}
}

// A window without an event leaves no ratio, but may leave a bound.
func TestNoRatioIsNotWrittenAsOne(t *testing.T) {
	p, panel := countPanel(1, 1, 0)
	start := metrics.PeriodDay.At(day("2026-01-05"))
	for i, u := range panel.Unit {
		panel.Values[0][i] = 1
		if u != 0 && panel.Period[i] >= start {
			panel.Values[0][i] = 0
		}
	}
	r := build(t, p, panel)
	m := r.Metrics[0]
	if m.Headline.Estimate != nil || !m.Headline.ExcludesNoChange() {
		t.Fatalf("the example is not what it should be: %s", m.Headline.Text)
	}
	for _, text := range []string{m.Finding, r.Verdict.Sentence, r.Verdict.Reasons[0].Text} {
		if strings.Contains(text, "of no estimate") || strings.Contains(text, "is no estimate") {
			t.Errorf("%q", text)
		}
	}
}
