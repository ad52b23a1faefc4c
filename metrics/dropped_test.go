package metrics_test

import (
	"strings"
	"testing"

	"steelyard/metrics"
)

// TestDroppedValues holds that values which cannot be computed with, of an
// import from before they were refused, are the reason that is given, and not
// that there were none.
func TestDroppedValues(t *testing.T) {
	for name, c := range map[string]struct {
		scale  metrics.Scale
		value  float64
		expose float64
		want   string
	}{
		"level":    {metrics.ScaleLevel, 1e300, 0, "because the value is too large to be computed with"},
		"count":    {metrics.ScaleCount, 2e9, 0, "because the value is not a whole number of events from 0 to 1,000,000,000"},
		"exposure": {metrics.ScaleCount, 3, 1e300, "because the exposure lies outside 1e-09 to 1e+15"},
		"tiny":     {metrics.ScaleCount, 3, 1e-300, "because the exposure lies outside 1e-09 to 1e+15"},
	} {
		t.Run(name, func(t *testing.T) {
			p, panel := onePanel(4, 18, 9, 3)
			p.Outcomes[0].Scale = c.scale
			for i := range panel.Values[0] {
				panel.Values[0][i] = 3
				if panel.Units[panel.Unit[i]].FirstTreated != metrics.Never {
					panel.Values[0][i] = c.value
				}
			}
			if c.expose > 0 {
				panel.Exposure = nil
				for range panel.Values[0] {
					panel.Exposure = append(panel.Exposure, c.expose)
				}
			}
			r, err := metrics.Build(metrics.Definition{Pilot: p}, metrics.Data{Panel: panel})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Metrics[0].Headline.Missing; !strings.Contains(strings.ReplaceAll(got, "\u202f", ","), c.want) {
				t.Errorf("missing because %q, want %q", got, c.want)
			}
		})
	}
}
