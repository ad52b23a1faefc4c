package did_test

import (
	"bufio"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// The R packages' medians on a 2-core machine in milliseconds, for ratios:
// fixest 0.14.2, did2s 1.2.0 and fwildclusterboot 0.14.3.
const (
	fixedEffectsMpdtaInR  = 72
	fixedEffectsStatesInR = 84.5
	sunAbrahamMpdtaInR    = 289.5
	sunAbrahamStatesInR   = 783
	twoStageMpdtaInR      = 199.5
	twoStageStatesInR     = 117
	wildAllOfTenInR       = 10.5
	wildIntervalOfTenInR  = 18
	wildFiftyInR          = 20
	wildFiftyManyInR      = 238
)

func benchFixedEffects(b *testing.B, p did.Panel, o did.FixedEffectsOptions, inR float64) {
	b.Helper()
	for b.Loop() {
		if _, err := did.TwoWayFixedEffects(p, o); err != nil {
			b.Fatal(err)
		}
	}
	against(b, inR)
}

func BenchmarkFixedEffectsMpdta(b *testing.B) {
	benchFixedEffects(b, bundled(b, "mpdta"), did.FixedEffectsOptions{}, fixedEffectsMpdtaInR)
}

func BenchmarkFixedEffectsStates(b *testing.B) {
	p, cluster := states(b, "df_het")
	benchFixedEffects(b, p, did.FixedEffectsOptions{Cluster: cluster}, fixedEffectsStatesInR)
}

func benchSunAbraham(b *testing.B, p did.Panel, cluster []int, inR float64) {
	b.Helper()
	for b.Loop() {
		if _, err := did.SunAbraham(p, did.SunAbrahamOptions{FixedEffectsOptions: did.FixedEffectsOptions{Cluster: cluster}}); err != nil {
			b.Fatal(err)
		}
	}
	against(b, inR)
}

func BenchmarkSunAbrahamMpdta(b *testing.B) {
	benchSunAbraham(b, bundled(b, "mpdta"), nil, sunAbrahamMpdtaInR)
}

func BenchmarkSunAbrahamStates(b *testing.B) {
	p, cluster := states(b, "df_het")
	benchSunAbraham(b, p, cluster, sunAbrahamStatesInR)
}

func benchTwoStage(b *testing.B, p did.Panel, cluster []int, inR float64) {
	b.Helper()
	for b.Loop() {
		if _, err := did.TwoStage(p, did.TwoStageOptions{Cluster: cluster}); err != nil {
			b.Fatal(err)
		}
	}
	against(b, inR)
}

func BenchmarkTwoStageMpdta(b *testing.B) {
	benchTwoStage(b, bundled(b, "mpdta"), nil, twoStageMpdtaInR)
}

func BenchmarkTwoStageStates(b *testing.B) {
	p, cluster := states(b, "df_het")
	benchTwoStage(b, p, cluster, twoStageStatesInR)
}

func benchWild(b *testing.B, p did.Panel, o did.WildOptions, inR float64) {
	b.Helper()
	for b.Loop() {
		if _, err := did.WildBootstrap(p, o); err != nil {
			b.Fatal(err)
		}
	}
	against(b, inR)
}

// BenchmarkWildAllOfTen enumerates the 1,024 draws of ten states by 31 years.
func BenchmarkWildAllOfTen(b *testing.B) {
	benchWild(b, tenStatePanel(b, "D5"), did.WildOptions{NoInterval: true}, wildAllOfTenInR)
}

func BenchmarkWildIntervalOfTen(b *testing.B) {
	benchWild(b, tenStatePanel(b, "D5"), did.WildOptions{}, wildIntervalOfTenInR)
}

// BenchmarkWildFifty: 50 states by 11 years, 9,999 draws.
func BenchmarkWildFifty(b *testing.B) {
	benchWild(b, homicides(b, ""), did.WildOptions{NoInterval: true}, wildFiftyInR)
}

func BenchmarkWildFiftyMany(b *testing.B) {
	benchWild(b, homicides(b, ""), did.WildOptions{NoInterval: true, Draws: 99_999}, wildFiftyManyInR)
}

// BenchmarkTenMillionRows is two-way fixed effects with clustered errors on
// 1,000,000 units by 10 periods, in no order: to be under 10 s and 2 GB, the
// panel itself counted.
func BenchmarkTenMillionRows(b *testing.B) {
	if os.Getenv("STEELYARD_LARGE") == "" {
		b.Skip("set STEELYARD_LARGE=1 to take 10 seconds and 2 GB")
	}
	const units, periods = 1_000_000, 10
	r := rand.New(rand.NewPCG(1, 2))
	p := did.Panel{
		Unit: make([]int, units*periods), Time: make([]int, units*periods), Y: make([]float64, units*periods),
		First: make([]int, units),
	}
	for u := range p.First {
		p.First[u] = did.Never
		if u%3 == 0 {
			p.First[u] = 6
		}
	}
	for i := range p.Y {
		// A permutation of all rows, far from sorted.
		row := i * 7_368_787 % len(p.Y)
		p.Unit[i], p.Time[i] = row%units, row/units
		p.Y[i] = float64(row%17) + r.NormFloat64()
		if p.Time[i] >= p.First[p.Unit[i]] {
			p.Y[i]++
		}
	}
	for b.Loop() {
		e, err := did.TwoWayFixedEffects(p, did.FixedEffectsOptions{})
		if err != nil {
			b.Fatal(err)
		}
		near(b, "effect", e.Effect.Value, 1, 0.01)
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/1000, "s/op")
	if mb, ok := peakMemory(); ok {
		b.ReportMetric(mb, "peak-MB")
	}
}

// peakMemory is the most this process ever held, where the system says so.
func peakMemory() (mb float64, ok bool) {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if value, found := strings.CutPrefix(s.Text(), "VmHWM:"); found {
			kb, err := strconv.ParseFloat(strings.Fields(value)[0], 64)
			return kb / 1024, err == nil
		}
	}
	return 0, false
}
