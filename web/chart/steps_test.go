package chart_test

import (
	"strings"
	"testing"

	"steelyard/web/chart"
)

// Steps of one scale stand on the same height, and the last count is marked.
func TestSteps(t *testing.T) {
	h := chart.Head{ID: "x", Title: "Findings", Desc: "Weekly counts."}
	svg := chart.Steps(h, []int{0, 4, 2}, 0, 4)
	for _, want := range []string{`data-v="2"`, `points="0,30 67.3,30 67.3,6 134.7,6 134.7,18 202,18"`, "<title"} {
		if !strings.Contains(svg, want) {
			t.Errorf("%s is missing in %s", want, svg)
		}
	}
	if svg := chart.Steps(h, []int{0, 4, 2}, 1, 4); !strings.Contains(svg, `points="67.3,6 134.7,6 134.7,18 202,18"`) {
		t.Errorf("a week of which nothing is known is drawn: %s", svg)
	}
	if svg := chart.Steps(h, []int{0, 0}, 2, 4); strings.Contains(svg, "polyline") {
		t.Errorf("of nothing known: %s", svg)
	}
	if svg := chart.Steps(h, nil, 0, 0); strings.Contains(svg, "polyline") || !strings.HasSuffix(svg, "</svg>") {
		t.Errorf("of nothing: %s", svg)
	}
}
