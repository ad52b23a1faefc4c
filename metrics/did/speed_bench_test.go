package did_test

import (
	"math/rand/v2"
	"testing"

	"steelyard/metrics/did"
)

// Medians in milliseconds of did 2.5.1, faster_mode off, and of 999 draws of
// whole clusters through fixest.
const (
	adjustedThousandInR = 76
	pairsBootstrapInR   = 6851
)

// BenchmarkAdjustedThousand is the doubly robust estimate with one covariate on
// 1,000 units by 10 periods, of which half are never treated.
func BenchmarkAdjustedThousand(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 10))
	var p did.Panel
	var x []float64
	for u := range 1000 {
		first := did.Never
		if r.IntN(2) > 0 {
			first = 2 + r.IntN(9)
		}
		p.First = append(p.First, first)
		level, trait := r.NormFloat64(), r.NormFloat64()
		for time := 1; time <= 10; time++ {
			p.Unit, p.Time = append(p.Unit, u), append(p.Time, time)
			p.Y = append(p.Y, level+float64(time)*trait/10+r.NormFloat64())
			x = append(x, trait)
		}
	}
	p.X = [][]float64{x}
	for b.Loop() {
		if _, err := did.CallawaySantAnna(p, did.GroupTimeOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	against(b, adjustedThousandInR)
}

// BenchmarkPairsBootstrap draws 50 states with replacement 999 times and runs
// two-way fixed effects on each draw.
func BenchmarkPairsBootstrap(b *testing.B) {
	p := homicides(b, "")
	rows := make([][]int, len(p.First))
	for i, u := range p.Unit {
		rows[u] = append(rows[u], i)
	}
	r := rand.New(rand.NewPCG(1, 999))
	for b.Loop() {
		for range 999 {
			var draw did.Panel
			for u := range p.First {
				from := r.IntN(len(rows))
				draw.First = append(draw.First, p.First[from])
				for _, i := range rows[from] {
					draw.Unit, draw.Time, draw.Y = append(draw.Unit, u), append(draw.Time, p.Time[i]), append(draw.Y, p.Y[i])
				}
			}
			if _, err := did.TwoWayFixedEffects(draw, did.FixedEffectsOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	}
	against(b, pairsBootstrapInR)
}
