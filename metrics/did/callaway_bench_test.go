package did_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"steelyard/metrics/did"
)

// Medians of R's did 2.5.1 on a 2-core machine in milliseconds: the doubly
// robust effects on tp8_dyn (2,000 units by 8 periods), and all cells of df_het
// with 1,000 bootstrap draws.
const (
	adjustedInR       = 149
	bootstrapCellsInR = 225
)

// BenchmarkAdjusted is the doubly robust estimate with one covariate.
func BenchmarkAdjusted(b *testing.B) {
	p := simulated("tp8_dyn").read(b)
	for b.Loop() {
		if _, err := did.CallawaySantAnna(p, did.GroupTimeOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	against(b, adjustedInR)
}

// BenchmarkCellBands draws bands, and standard errors, of all cells.
func BenchmarkCellBands(b *testing.B) {
	p, _ := states(b, "df_het")
	for b.Loop() {
		g, err := did.CallawaySantAnna(p, did.GroupTimeOptions{Draws: 1000, BootstrapErrors: true})
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := g.CellBands(); err != nil {
			b.Fatal(err)
		}
	}
	against(b, bootstrapCellsInR)
}

// The same without covariates on simulated panels: R's did 2.5.1 for 1,000 and
// 10,000 units by 10 periods, the package fastdid for 100,000.
var simulatedInR = map[int]float64{1000: 133, 10_000: 566, 100_000: 2487}

// BenchmarkCallawaySantAnnaSimulated: every cohort but the first, a fifth of
// units never treated.
func BenchmarkCallawaySantAnnaSimulated(b *testing.B) {
	for _, units := range []int{1000, 10_000, 100_000} {
		b.Run(strconv.Itoa(units), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, uint64(units)))
			var p did.Panel
			for u := range units {
				first := did.Never
				if u%5 > 0 {
					first = 2 + r.IntN(9)
				}
				p.First = append(p.First, first)
				level := r.NormFloat64()
				for time := 1; time <= 10; time++ {
					p.Unit = append(p.Unit, u)
					p.Time = append(p.Time, time)
					p.Y = append(p.Y, level+r.NormFloat64())
				}
			}
			benchGroupTime(b, p, 0)
			against(b, simulatedInR[units])
		})
	}
}

// BenchmarkPoisson is the ratio on the panel of editor: 21,000 rows.
func BenchmarkPoisson(b *testing.B) {
	p := editorCommits(b, false)
	for b.Loop() {
		if _, err := did.PoissonRatio(p, did.PoissonOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
}

// BenchmarkAdjustedGaps is the doubly robust estimate with five covariates on
// the same panel, which has gaps.
func BenchmarkAdjustedGaps(b *testing.B) {
	p := editor(b, "commits")
	r := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		column := make([]float64, len(p.Y))
		for i := range column {
			column[i] = r.NormFloat64()
		}
		p.X = append(p.X, column)
	}
	for b.Loop() {
		if _, err := did.CallawaySantAnna(p, did.GroupTimeOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
}
