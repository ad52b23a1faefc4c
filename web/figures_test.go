package web

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"steelyard/metrics"
	"steelyard/web/chart"
)

var drawn = regexp.MustCompile(`data-(?:v|low|high)="([^"]+)"`)

// marks are the numbers that a figure draws.
func marks(t *testing.T, svg string) map[float64]bool {
	t.Helper()
	out := map[float64]bool{}
	for _, m := range drawn.FindAllStringSubmatch(svg, -1) {
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatalf("mark holds %q", m[1])
		}
		out[v] = true
	}
	return out
}

// columnsDrawn are the columns of each kind of table whose every number is in
// the picture.
var columnsDrawn = map[string][]string{
	"three-numbers": {"pilot_change", "comparison_change", "difference", "low", "high"},
	"trend":         {"pilot", "comparison"},
	"event-study":   {"estimate", "low", "high", "band_low", "band_high"},
	"methods":       {"estimate", "low", "high"},
	"placebo":       {"effect"},
	"spread":        {"p10", "p25", "p50", "p75", "p90"},
	"bounds":        {"breakdown"},
	"marks":         {"assisted", "without"},
}

// TestPictureAndTableAgree holds every figure of the fixtures against the
// table that stands under it: each number in the picture is in the table or is
// one of the report's own (a window's mean, an average), and each number of
// the drawn columns is in the picture.
func TestPictureAndTableAgree(t *testing.T) {
	for _, r := range []*metrics.Report{smallPilot(), largePilot()} {
		for _, table := range r.Tables() {
			kind, _, _ := strings.Cut(table.ID, "/")
			t.Run(r.Definition.Pilot.ID+"-"+strings.ReplaceAll(table.ID, "/", "-"), func(t *testing.T) {
				d, ok := drawingOf(r, table.ID)
				if table.ID == "cost" {
					return // a table alone
				}
				if !ok {
					t.Fatalf("table %s has no figure", table.ID)
				}
				for _, l := range []chart.Layout{chart.Wide, chart.Narrow} {
					checkAgainstTable(t, kind, table, marks(t, d.draw(chart.Head{ID: "f"}, l)), ownNumbers(r))
				}
			})
		}
	}
}

// ownNumbers are numbers of a report that figures show beside their table.
func ownNumbers(r *metrics.Report) map[float64]bool {
	out := map[float64]bool{0: true, 1: true} // a baseline is no change by definition
	for _, m := range r.Metrics {
		ps := []*float64{m.Headline.Low, m.Headline.High} // beside a belief
		if m.Trend != nil {
			ps = append(ps, m.Trend.PilotBefore, m.Trend.PilotAfter, m.Trend.ComparisonBefore, m.Trend.ComparisonAfter)
		}
		if m.EventStudy != nil {
			ps = append(ps, m.EventStudy.Average)
		}
		for _, p := range ps {
			if p != nil {
				out[*p] = true
			}
		}
	}
	return out
}

func checkAgainstTable(t *testing.T, kind string, table metrics.Table, drawn, own map[float64]bool) {
	t.Helper()
	all := map[float64]bool{}
	for _, row := range table.Rows {
		for i, c := range row {
			v, ok := c.Value.(float64)
			if n, whole := c.Value.(int); whole {
				v, ok = float64(n), true
			}
			if !ok {
				continue
			}
			all[v] = true
			for _, name := range columnsDrawn[kind] {
				if table.Columns[i].Name == name && !drawn[v] {
					t.Errorf("%s %g of row %s is not in the picture", name, v, row[0].Text)
				}
			}
		}
	}
	for v := range drawn {
		if !all[v] && !own[v] {
			t.Errorf("picture shows %g, which is not in the table", v)
		}
	}
}

// TestLongEndsAreInTheTableAlone trims a trend whose data begins long before
// the window, and says so.
func TestLongEndsAreInTheTableAlone(t *testing.T) {
	r := smallPilot()
	m := &r.Metrics[0]
	early := make([]metrics.TrendPoint, 80)
	for i := range early {
		early[i] = metrics.TrendPoint{Label: "early", Pilot: f(1e6 + float64(i)), LeftOut: "before the window"}
	}
	m.Trend.Points = append(early, m.Trend.Points...)
	m.Trend.StartIndex += len(early)
	d, _ := drawingOf(r, "trend/open_to_merge")
	if got := marks(t, d.draw(chart.Head{}, chart.Wide)); got[1e6] || !got[1e6+79] {
		t.Error("the picture should hold the last of the early periods and not the first")
	}
	if !strings.Contains(strings.Join(d.caption, " "), "74 weeks outside the windows stand in the table alone") {
		t.Errorf("caption does not say what is missing: %q", d.caption)
	}
	if !strings.Contains(d.draw(chart.Head{}, chart.Wide), "start, 3 Aug") {
		t.Error("the start moved")
	}
}

// TestUnitsAreNotMixed leaves changes off an axis of another unit.
func TestUnitsAreNotMixed(t *testing.T) {
	r := smallPilot()
	r.Metrics[0].Headline = effect("x", "X", metrics.UnitLevel, -3, -5, -1, .01)
	d, _ := drawingOf(r, "three-numbers")
	got := marks(t, d.draw(chart.Head{}, chart.Wide))
	if !got[-3] || got[*r.Metrics[0].Pilot.Value] && math.Abs(*r.Metrics[0].Pilot.Value-*r.Metrics[1].Pilot.Value) > 1e-9 {
		t.Error("a percent change stands on an axis of hours")
	}
}
