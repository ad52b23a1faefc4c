package chart_test

import (
	"math"
	"strings"
	"testing"

	"steelyard/web/chart"
)

func spreads() chart.SpreadData {
	return chart.SpreadData{Unit: "hours", Rows: []chart.SpreadRow{
		{Side: "Payments", Window: "before", Text: "half by 18 h", Pilot: true, P10: f(3), P25: f(8), P50: f(18), P75: f(40), P90: f(120)},
		{Side: "Payments", Window: "after", Text: "half by 12 h", Pilot: true, After: true, P10: f(2), P25: f(5), P50: f(12), P75: f(60)},
		{Side: "comparison", Window: "before", Text: "half by 17 h", P10: f(3), P25: f(7), P50: f(17), P75: f(38), P90: f(110)},
		{Side: "comparison", Window: "after", Text: "nothing", After: true},
	}}
}

func shares() chart.SharesData {
	return chart.SharesData{Parts: []string{"with marks", "without", "bots", "not placed"}, Rows: []chart.ShareRow{
		{Name: "Payments", Note: "after", Text: "12 % of 280", Values: []float64{34, 246, 20, 9}},
		{Name: "comparison", Note: "after", Text: "nothing", Values: []float64{0, 0, 0, 0}},
	}}
}

func felt() chart.FeltData {
	return chart.FeltData{
		Pilot: "Payments", Metric: "Open to merge", People: "8 people", Believed: f(-30), Own: f(-33), Other: f(-17), Effect: span(-17, -41, 9, "−17 points"),
		BelievedText: "−30 %", OwnText: "−33 %", OtherText: "−17 %",
	}
}

func bends() []chart.BoundsRow {
	return []chart.BoundsRow{{Name: "Open to merge", Value: f(0), Text: "0"}, {Name: "Time to first review", Value: f(1.4), Text: "1.4"}, {Name: "Size", Text: "not known"}}
}

func matrix() chart.MatrixData {
	file := func(letter string, need bool) chart.MatrixMark {
		return chart.MatrixMark{Letter: letter, Need: need, Title: letter + " of <acme>"}
	}
	var many []chart.MatrixMark
	for range 17 {
		many = append(many, chart.MatrixMark{Title: "server"})
	}
	return chart.MatrixData{Columns: []string{"Copilot", "Claude Code", "MCP servers"}, Rows: []chart.MatrixRow{
		{Name: "acme/checkout-web", Text: "41 d", Cells: [][]chart.MatrixMark{{file("A", false), file("I", true)}, {file("C", false)}, many}},
		{Name: "acme/docs", Text: "overdue, 301 d", Cells: [][]chart.MatrixMark{nil, nil, nil}},
	}}
}

// moreFigures are the figures of this file, by the name of their golden file.
func moreFigures() map[string]string {
	out := map[string]string{
		"spread-empty.svg": chart.Spread(head, chart.Wide, chart.SpreadData{}),
		"shares-empty.svg": chart.Shares(head, chart.Wide, chart.SharesData{}),
		"bounds-empty.svg": chart.Bounds(head, chart.Wide, nil),
		"matrix-empty.svg": chart.Matrix(head, chart.Wide, chart.MatrixData{}),
		"felt-empty.svg":   chart.Felt(head, chart.Wide, chart.FeltData{}),
	}
	for name, l := range map[string]chart.Layout{"wide": chart.Wide, "narrow": chart.Narrow} {
		out["spread-"+name+".svg"] = chart.Spread(head, l, spreads())
		out["shares-"+name+".svg"] = chart.Shares(head, l, shares())
		out["felt-"+name+".svg"] = chart.Felt(head, l, felt())
		out["bounds-"+name+".svg"] = chart.Bounds(head, l, bends())
		out["matrix-"+name+".svg"] = chart.Matrix(head, l, matrix())
	}
	return out
}

// TestSharesAddUp holds the widths of the parts against their numbers.
func TestSharesAddUp(t *testing.T) {
	svg := chart.Shares(head, chart.Wide, shares())
	for _, want := range []string{`class="part part-0" x="190" y="44" width="51.7" height="16" data-v="34"`, `data-v="246"`, `class="dashed"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("%q is missing in %s", want, svg)
		}
	}
}

// TestWhatWasNotSeenHasNoEnd draws an arrow where nine tenths lie beyond what
// was seen.
func TestWhatWasNotSeenHasNoEnd(t *testing.T) {
	d := spreads()
	d.Rows = d.Rows[1:2]
	svg := chart.Spread(head, chart.Wide, d)
	if strings.Contains(svg, `whisker high`) || !strings.Contains(svg, `data-low="5" data-high="60"`) {
		t.Errorf("the open end has an end: %s", svg)
	}
}

// TestMoreAbsurdInput draws what no report holds.
func TestMoreAbsurdInput(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1e300, 5e-324} {
		for _, l := range []chart.Layout{chart.Wide, chart.Narrow} {
			checkFigure(t, chart.Spread(head, l, chart.SpreadData{Unit: "x", Rows: []chart.SpreadRow{{P10: &v, P25: &v, P50: &v, P75: &v, P90: &v}}}))
			checkFigure(t, chart.Shares(head, l, chart.SharesData{Parts: []string{"a"}, Rows: []chart.ShareRow{{Values: []float64{v, 1}}}}))
			checkFigure(t, chart.Felt(head, l, chart.FeltData{Believed: &v, Own: &v, Other: &v, Effect: chart.Interval{Value: &v, Low: &v, High: &v}}))
			checkFigure(t, chart.Bounds(head, l, []chart.BoundsRow{{Value: &v}}))
		}
	}
}
