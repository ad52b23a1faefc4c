package chart

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestCoordinates holds that coordinates are written as strconv writes numbers
// with one decimal, also where a number lies between two of them.
func TestCoordinates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	all := []float64{0, math.Copysign(0, -1), -0.04, -0.05, 0.05, 0.15, 0.25, 0.35, 0.45, 1e5, -1e5, 99999.95, 12.25, 12.35, -7, -7.5}
	for range 100_000 {
		v := (r.Float64() - 0.5) * math.Pow(10, float64(r.IntN(6)))
		all = append(all, v, math.Round(v), math.Round(v*20)/20, math.Nextafter(math.Round(v*20)/20, 0))
	}
	for _, v := range all {
		want := strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
		if want == "-0" {
			want = "0"
		}
		if got := px(v); got != want {
			t.Fatalf("px(%v) is %q, want %q", v, got, want)
		}
	}
}
