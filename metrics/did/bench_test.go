package did_test

import (
	"testing"

	"steelyard/metrics/did"
)

// The R packages' medians on a 2-core machine in milliseconds, for ratios:
// did 2.5.1 and didimputation 0.5.0.
const (
	groupTimeMpdtaInR     = 138.5
	bootstrapMpdtaInR     = 194
	imputationMpdtaInR    = 188.5
	groupTimeStatesInR    = 124
	bootstrapStatesInR    = 225
	imputationOfStatesInR = 560
)

// against reports how many times faster than R one run was.
func against(b *testing.B, milliseconds float64) {
	b.Helper()
	b.ReportAllocs()
	b.ReportMetric(milliseconds*1e6/(float64(b.Elapsed().Nanoseconds())/float64(b.N)), "timesR")
}

func benchGroupTime(b *testing.B, p did.Panel, draws int) {
	b.Helper()
	for b.Loop() {
		g, err := did.CallawaySantAnna(p, did.GroupTimeOptions{Draws: draws})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := g.Simple(); err != nil {
			b.Fatal(err)
		}
		if draws == 0 {
			continue
		}
		if _, err := g.Dynamic(-100, 100); err != nil {
			b.Fatal(err)
		}
	}
}

func benchImpute(b *testing.B, p did.Panel, o did.ImputationOptions) {
	b.Helper()
	for b.Loop() {
		if _, err := did.Impute(p, o); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCallawaySantAnnaMpdta: 500 counties by 5 years.
func BenchmarkCallawaySantAnnaMpdta(b *testing.B) {
	benchGroupTime(b, bundled(b, "mpdta"), 0)
	against(b, groupTimeMpdtaInR)
}

// BenchmarkBandsMpdta: the same with 1,000 bootstrap draws.
func BenchmarkBandsMpdta(b *testing.B) {
	benchGroupTime(b, bundled(b, "mpdta"), 1000)
	against(b, bootstrapMpdtaInR)
}

func BenchmarkImputeMpdta(b *testing.B) {
	benchImpute(b, bundled(b, "mpdta"), did.ImputationOptions{})
	against(b, imputationMpdtaInR)
}

// BenchmarkCallawaySantAnnaStates: 1,500 units by 31 years.
func BenchmarkCallawaySantAnnaStates(b *testing.B) {
	p, _ := states(b, "df_het")
	benchGroupTime(b, p, 0)
	against(b, groupTimeStatesInR)
}

// BenchmarkBandsStates: the same with 1,000 bootstrap draws.
func BenchmarkBandsStates(b *testing.B) {
	p, _ := states(b, "df_het")
	benchGroupTime(b, p, 1000)
	against(b, bootstrapStatesInR)
}

func BenchmarkImputeStates(b *testing.B) {
	p, _ := states(b, "df_het")
	benchImpute(b, p, did.ImputationOptions{})
	against(b, imputationOfStatesInR)
}

// BenchmarkEditorPanel is what one outcome of the demo costs: both methods
// with horizons, leads and bands on 21,000 rows.
func BenchmarkEditorPanel(b *testing.B) {
	p := editor(b, "commits")
	for b.Loop() {
		if _, err := did.Impute(p, did.ImputationOptions{Horizons: true, PreTrends: 6}); err != nil {
			b.Fatal(err)
		}
		g, err := did.CallawaySantAnna(p, did.GroupTimeOptions{Draws: 1000})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := g.Dynamic(-6, 6); err != nil {
			b.Fatal(err)
		}
		if _, err := g.PreTest(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
}
