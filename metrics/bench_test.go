package metrics_test

import (
	"testing"

	"steelyard/metrics"
)

// BenchmarkReportHe2025 is a cold report of the size of the AI editor's panel:
// 1,973 repositories, 20 months, four outcomes, each by three methods with
// bands.
func BenchmarkReportHe2025(b *testing.B) {
	p, panel := he2025(b)
	for b.Loop() {
		if _, err := metrics.Build(metrics.Definition{Pilot: p}, metrics.Data{Panel: panel}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReportPullRequests is a cold report of six metrics on pull
// requests.
func BenchmarkReportPullRequests(b *testing.B) {
	s := workedStore()
	for b.Loop() {
		if _, err := metrics.NewReporter(s).Report(b.Context(), "worked"); err != nil {
			b.Fatal(err)
		}
	}
}
