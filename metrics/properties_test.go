package metrics_test

import (
	"fmt"
	"math"
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
		"staggered":   func() (metrics.Pilot, *metrics.Panel) { return staggeredPanel(15, 20, .2) },
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
	p, panel := onePanel(5, 21, 12, 2)
	p.Outcomes = p.Outcomes[:1]
	want := build(t, p, panel)
	for i := range panel.Values[0] {
		panel.Values[0][i] *= 2
	}
	if diff := cmp.Diff(numbers(want), numbers(build(t, p, panel)), approx); diff != "" {
		t.Error(diff)
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
