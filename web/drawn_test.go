package web

import (
	"fmt"
	"testing"

	"steelyard/metrics"
)

// TestAlbumFollowsReports holds that what is drawn is that of the report at
// hand, however many there were, and that not everything is kept.
func TestAlbumFollowsReports(t *testing.T) {
	var a album
	report := func(id, metric string) *metrics.Report {
		r := &metrics.Report{Metrics: make([]metrics.MetricReport, 3)}
		r.Definition.Pilot.ID = id
		for i := range r.Metrics {
			r.Metrics[i].Outcome.ID = fmt.Sprint(metric, i)
		}
		return r
	}
	for round := range 3 {
		for pilot := range 2 * maxDrawn {
			r := report(fmt.Sprint("p", pilot), fmt.Sprint("m", round, "-"))
			for range 2 {
				if got := a.page(r); got.Report != r {
					t.Fatal("a page of another report")
				}
				for i := range r.Metrics {
					if got := a.metric(r, i); got.MetricReport != &r.Metrics[i] {
						t.Fatalf("metric %d of another report", i)
					}
				}
			}
			if len(a.pilots) > maxDrawn || a.n > maxDrawn {
				t.Fatalf("%d pilots and %d metrics are kept, over %d", len(a.pilots), a.n, maxDrawn)
			}
		}
	}
}
