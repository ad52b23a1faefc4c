package did_test

import (
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
