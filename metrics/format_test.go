package metrics_test

import (
	"math"
	"testing"

	"steelyard/metrics"
)

func TestFormat(t *testing.T) {
	ptr := func(x float64) *float64 { return &x }
	tests := []struct{ got, want string }{
		{metrics.FormatPercent(-33.3333), "−33\u202f%"},
		{metrics.FormatPercent(5), "+5\u202f%"},
		{metrics.FormatPercent(0.4), "+0.4\u202f%"},
		{metrics.FormatPercent(0.01), "0\u202f%"},
		{metrics.FormatPercent(-0.01), "0\u202f%"},
		{metrics.FormatPercent(1234.5), "+1,234\u202f%"},
		{metrics.FormatPoints(-16.6667), "−17 points"},
		{metrics.FormatPoints(1.2), "+1 point"},
		{metrics.FormatPoints(0), "0 points"},
		{metrics.FormatSigned(9), "+9"},
		{metrics.FormatRatio(7.0 / 3), "×\u202f2.33"},
		{metrics.FormatRatio(0.1789), "×\u202f0.18"},
		{metrics.FormatRatio(29.5047), "×\u202f29.5"},
		{metrics.FormatRatio(310), "×\u202f310"},
		{metrics.FormatRatio(0.0123), "×\u202f0.012"},
		{metrics.FormatP(0.11), "p = 0.11"},
		{metrics.FormatP(0.0042), "p = 0.004"},
		{metrics.FormatP(0.0001), "p < 0.001"},
		{metrics.FormatP(0.999), "p = 1"},
		{metrics.FormatCount(2736), "2,736"},
		{metrics.FormatCount(1234567), "1,234,567"},
		{metrics.FormatNumber(0.8123), "0.81"},
		{metrics.FormatNumber(18.2), "18"},
		{metrics.FormatNumber(2), "2"},
		{metrics.FormatNumber(math.NaN()), "–"},
		{metrics.FormatNumber(-1500), "−1,500"},
		{metrics.FormatShare(0.08), "8.0\u202f%"},
		{metrics.FormatShare(0.52), "52\u202f%"},
		{metrics.FormatChange(18, 12, "hours"), "18\u202fh → 12\u202fh"},
		{metrics.FormatChange(5.2, 3.1, "hours"), "5.2\u202fh → 3.1\u202fh"},
		{metrics.FormatChange(120, 36, "hours"), "5\u202fd → 1.5\u202fd"},
		{metrics.FormatChange(0.5, 0.25, "hours"), "30\u202fmin → 15\u202fmin"},
		{metrics.FormatChange(0.08, 0.089, "share"), "8.0\u202f% → 8.9\u202f%"},
		{metrics.FormatChange(3, 7, ""), "3 → 7"},
		{metrics.FormatChange(84, 112, "lines"), "84 → 112"},
		{metrics.FormatValue(18, "hours"), "18\u202fh"},
		{metrics.FormatInterval(ptr(-41), ptr(9), metrics.UnitPoints, nil), "−41 to +9"},
		{metrics.FormatInterval(ptr(-41), ptr(9), metrics.UnitPercent, nil), "−41\u202f% to +9\u202f%"},
		{metrics.FormatInterval(ptr(0.1789), ptr(29.5047), metrics.UnitRatio, nil), "×\u202f0.18 to 29.5"},
		{metrics.FormatInterval(nil, ptr(29.5047), metrics.UnitRatio, nil), "up to ×\u202f29.5"},
		{metrics.FormatInterval(ptr(2), nil, metrics.UnitRatio, nil), "×\u202f2.00 or more"},
		{metrics.FormatInterval(ptr(-0.0635), ptr(-0.0164), metrics.UnitLevel, ptr(0.012)), "−0.064 to −0.016"},
		{metrics.FormatEffect(-0.03995, metrics.UnitLevel, ptr(0.012)), "−0.040"},
		{metrics.FormatDate(day("2026-08-03")), "3 Aug 2026"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
