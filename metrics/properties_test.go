package metrics_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"steelyard/metrics"

	"github.com/google/go-cmp/cmp"
)

// numbers are all numbers of a report's headline metrics.
func numbers(r *metrics.Report) map[string]float64 {
	out := map[string]float64{}
	put := func(name string, x *float64) {
		if x != nil {
			out[name] = *x
		}
	}
	for _, m := range r.Metrics {
		id := m.Outcome.ID + "/"
		put(id+"pilot", m.Pilot.Value)
		put(id+"comparison", m.Comparison.Value)
		put(id+"pretrend", m.PreTrend.P)
		put(id+"detectable", m.Detectable)
		if m.Breakdown != nil {
			put(id+"breakdown", m.Breakdown.Bound)
		}
		if m.Looks != nil {
			for _, l := range m.Looks.Points {
				put(id+"look/"+l.Label, l.Low)
			}
		}
		if m.Ratio != nil {
			put(id+"ratio/low", m.Ratio.Low)
		}
		for _, e := range append([]metrics.Effect{m.Headline}, m.Others...) {
			put(id+e.Method+"/estimate", e.Estimate)
			put(id+e.Method+"/low", e.Low)
			put(id+e.Method+"/high", e.High)
			put(id+e.Method+"/p", e.P)
			put(id+e.Method+"/se", e.SE)
		}
	}
	return out
}

var approx = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(a)) })

// panelCases are a panel of each design.
func panelCases() map[string]func() (metrics.Pilot, *metrics.Panel) {
	return map[string]func() (metrics.Pilot, *metrics.Panel){
		"one-treated": func() (metrics.Pilot, *metrics.Panel) { return onePanel(5, 21, 12, 2) },
		"weighed":     func() (metrics.Pilot, *metrics.Panel) { return onePanel(8, 26, 12, 2) },
		"several":     func() (metrics.Pilot, *metrics.Panel) { return severalPanel(4, 7, 26, 13, 2) },
		"many":        func() (metrics.Pilot, *metrics.Panel) { return severalPanel(12, 15, 20, 8, 2) },
		"rates": func() (metrics.Pilot, *metrics.Panel) {
			p, panel := severalPanel(3, 6, 26, 13, 0)
			for i := range panel.Values[1] { // few events, and in heaps
				panel.Values[1][i] = 0
				if i%31 == 0 {
					panel.Values[1][i] = 6
				}
			}
			return p, panel
		},
		"staggered": func() (metrics.Pilot, *metrics.Panel) { return staggeredPanel(15, 20, .2) },
		"staggered-counts": func() (metrics.Pilot, *metrics.Panel) {
			p, panel := staggeredPanel(15, 20, .2)
			for i, x := range panel.Values[1] {
				panel.Values[1][i] = math.Floor(x)
			}
			p.Outcomes[1].Scale = metrics.ScaleCount
			return p, panel
		},
	}
}

func TestRenamingUnitsChangesNothing(t *testing.T) {
	for name, make := range panelCases() {
		t.Run(name, func(t *testing.T) {
			p, panel := make()
			want := build(t, p, panel)
			for i := range panel.Units {
				panel.Units[i].Name = fmt.Sprintf("z%03d", (i*7919)%1009)
			}
			got := build(t, p, panel)
			if diff := cmp.Diff(numbers(want), numbers(got), approx); diff != "" {
				t.Error(diff)
			}
			if got.Verdict.Value != want.Verdict.Value {
				t.Errorf("verdict %s, was %s", got.Verdict.Value, want.Verdict.Value)
			}
		})
	}
}

func TestShiftingTimeChangesNothing(t *testing.T) {
	for name, make := range panelCases() {
		t.Run(name, func(t *testing.T) {
			p, panel := make()
			want := build(t, p, panel)
			const shift = 7 * 520
			for i := range panel.Period {
				panel.Period[i] += shift
			}
			for i := range panel.Units {
				if panel.Units[i].FirstTreated != metrics.Never {
					panel.Units[i].FirstTreated += shift
				}
			}
			if diff := cmp.Diff(numbers(want), numbers(build(t, p, panel)), approx); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOrderOfRowsChangesNothing(t *testing.T) {
	for name, make := range panelCases() {
		t.Run(name, func(t *testing.T) {
			p, panel := make()
			want := build(t, p, panel)
			n := len(panel.Unit)
			shuffled := *panel
			shuffled.Unit, shuffled.Period = nil, nil
			shuffled.Values = [][]float64{nil, nil}
			shuffled.Exposure = nil
			for i := range n {
				j := (i*7 + 3) % n
				if n%7 == 0 {
					j = n - 1 - i
				}
				shuffled.Unit = append(shuffled.Unit, panel.Unit[j])
				shuffled.Period = append(shuffled.Period, panel.Period[j])
				if panel.Exposure != nil {
					shuffled.Exposure = append(shuffled.Exposure, panel.Exposure[j])
				}
				for k := range panel.Values {
					shuffled.Values[k] = append(shuffled.Values[k], panel.Values[k][j])
				}
			}
			if diff := cmp.Diff(numbers(want), numbers(build(t, p, &shuffled)), approx); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Doubling every value of a level outcome leaves percentages where they are.
func TestScalingValuesKeepsPercent(t *testing.T) {
	for name, treated := range map[string]int{"one": 1, "several": 4} {
		t.Run(name, func(t *testing.T) {
			p, panel := severalPanel(treated, 7, 21, 12, 2)
			p.Outcomes = p.Outcomes[:1]
			percent := func(r *metrics.Report) map[string]float64 {
				out := numbers(r)
				for k := range out { // Callaway–Sant'Anna stays in the outcome's unit
					if strings.Contains(k, "callaway") && !strings.HasSuffix(k, "/p") {
						delete(out, k)
					}
				}
				return out
			}
			want := percent(build(t, p, panel))
			for i := range panel.Values[0] {
				panel.Values[0][i] *= 2
			}
			if diff := cmp.Diff(want, percent(build(t, p, panel)), approx); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Where changes are in the outcome's own unit, a constant added to every value
// changes nothing.
func TestAddingAConstantChangesNothing(t *testing.T) {
	for name, treated := range map[string]int{"one": 1, "several": 4} {
		t.Run(name, func(t *testing.T) {
			p, panel := severalPanel(treated, 7, 21, 12, 2)
			p.Outcomes = p.Outcomes[:1]
			moved := *panel
			moved.Values = [][]float64{nil, panel.Values[1]}
			for i := range panel.Values[0] {
				panel.Values[0][i] -= 1000
				moved.Values[0] = append(moved.Values[0], panel.Values[0][i]-500)
			}
			want := build(t, p, panel)
			if want.Metrics[0].Headline.Unit != metrics.UnitLevel {
				t.Fatalf("headline in %s", want.Metrics[0].Headline.Unit)
			}
			loose := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(1, math.Abs(a)) })
			if diff := cmp.Diff(numbers(want), numbers(build(t, p, &moved)), loose); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What the units' own numbers are averaged to is the difference that is shown,
// and the interval holds it.
func TestSeveralTreatedHoldTogether(t *testing.T) {
	for _, effect := range []float64{0, 3, -4} {
		r := build(t, first(severalPanel(5, 8, 26, 13, effect)), second(severalPanel(5, 8, 26, 13, effect)))
		m := r.Metrics[0]
		h := m.Headline
		if r.Design.Kind != metrics.DesignSeveralTreated || h.Method != "two-by-two" || h.Low == nil || h.High == nil {
			t.Fatalf("design %s: %+v", r.Design.Kind, h)
		}
		if !near(h.Estimate, *m.Pilot.Value-*m.Comparison.Value, 1e-9) || *h.Low >= *h.Estimate || *h.High <= *h.Estimate {
			t.Errorf("%v of %v, from %v to %v", *h.Estimate, *m.Pilot.Value-*m.Comparison.Value, *h.Low, *h.High)
		}
		if (*h.P < 0.05) != h.ExcludesNoChange() {
			t.Errorf("p %v, interval %s", *h.P, h.IntervalText)
		}
		if m.Detectable == nil || *m.Detectable <= *h.High-*h.Estimate {
			t.Errorf("detectable %v within half the interval %s", m.Detectable, h.IntervalText)
		}
		if m.Placebo != nil || m.EventStudy == nil || m.EventStudy.Points[0].BandLow == nil {
			t.Errorf("placebo %v, event study %+v", m.Placebo, m.EventStudy)
		}
	}
}

// The headline is the difference of the two changes, on whatever scale.
func TestThreeNumbersSubtract(t *testing.T) {
	for name, r := range reports(t) {
		for _, m := range r.Metrics {
			if m.Headline.Estimate == nil || m.Pilot.Value == nil || m.Comparison.Value == nil {
				continue
			}
			own, other, diff := *m.Pilot.Value, *m.Comparison.Value, *m.Headline.Estimate
			var want float64
			switch m.Headline.Unit {
			case metrics.UnitPercent:
				want = 100 * ((1+own/100)/(1+other/100) - 1)
			case metrics.UnitRatio:
				want = own / other
			case metrics.UnitPoints, metrics.UnitLevel:
				want = own - other
			}
			if math.Abs(diff-want) > 1e-9*math.Max(1, math.Abs(want)) {
				t.Errorf("%s, %s: %v and %v give %v, the report says %v", name, m.Outcome.ID, own, other, want, diff)
			}
		}
	}
}

// A few pilots much noisier than the units they are compared with are taken as
// one, even where a week is missing.
func TestFewNoisyPilotsAreTakenAsOne(t *testing.T) {
	p, panel := severalPanel(2, 7, 26, 13, 0)
	for i, u := range panel.Unit {
		if u < 2 {
			panel.Values[0][i] = 20 + 3*(panel.Values[0][i]-20)
		}
	}
	panel.Values[0][3] = math.NaN()
	r := build(t, p, panel)
	h := r.Metrics[0].Headline
	if r.Design.Kind != metrics.DesignFewTreated || h.Method != "cross-fit-t" {
		t.Errorf("design %s by %s", r.Design.Kind, h.Method)
	}
	if !strings.Contains(strings.Join(r.Design.Why, " "), "Before the start the 2 treated repositories varied") {
		t.Errorf("reasons %q", r.Design.Why)
	}
}
