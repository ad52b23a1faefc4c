package did_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"steelyard/metrics/did"
)

// counties is the panel mpdta of R's package did: log employment of teenagers
// in 500 counties, 2003 to 2007, and when their state raised its minimum wage.
func counties() did.Panel {
	data, err := os.ReadFile("testdata/mpdta.csv")
	if err != nil {
		panic(err)
	}
	var b builder
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		f := strings.Split(line, ",")
		time, _ := strconv.Atoi(f[1])
		y, _ := strconv.ParseFloat(f[2], 64)
		first, err := strconv.Atoi(f[3])
		if err != nil {
			first = did.Never
		}
		b.add(f[0], time, first, y)
	}
	return b.panel
}

func ExampleCrossFitGap() {
	// Hours to merge by week, the pilot's median less the comparison's; the
	// pilot starts after week 9.
	gap := []float64{2, -1, 1, 0, 2, 1, -1, 0, 1, -5, -4, -7, -6}
	r, err := did.CrossFitGap(gap, 9, 3, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("folds %.2f, blocks of %d\n", r.Folds, r.BlockLength)
	fmt.Printf("%.2f hours, 95 %% from %.2f to %.2f, p %.3f, %v degrees of freedom\n",
		r.Estimate.Value, r.Estimate.Low, r.Estimate.High, r.Estimate.P, r.Estimate.DF)
	// Output:
	// folds [-6.17 -6.50 -5.50], blocks of 3
	// -6.06 hours, 95 % from -8.34 to -3.78, p 0.008, 2 degrees of freedom
}

func ExampleDonaldLang() {
	// Percentage points by which each team's median changed.
	e, err := did.DonaldLang(-33, []float64{-17, -12, -20, -9, -15}, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f points, 95 %% from %.1f to %.1f, p %.3f\n", e.Value, e.Low, e.High, e.P)
	// Output:
	// -18.4 points, 95 % from -31.4 to -5.4, p 0.017
}

func ExamplePlaceboRank() {
	changes := []float64{-33, -17, -12, -20, -9, -15} // the pilot first
	r, err := did.PlaceboRank(changes, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("rank %d of %d, p %.3f, at least %.3f\n", r.Rank, len(changes), r.P, r.Floor)
	// Output:
	// rank 1 of 6, p 0.167, at least 0.167
}

func ExamplePreTrend() {
	// Ten weeks before the start: the pilot was getting faster already.
	pilot := []float64{30, 29, 27, 27, 25, 24, 24, 22, 21, 20}
	comparison := [][]float64{{25, 24, 26, 25, 25, 24, 26, 25, 24, 26}}
	r, err := did.PreTrend(nil, pilot, comparison, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f a week, p %.3f, by %s with %d blocks\n", r.Slope.Value, r.Slope.P, r.Method, r.Blocks)
	// Output:
	// -1.02 a week, p 0.004, by block-slope with 4 blocks
}

func ExampleCallawaySantAnna() {
	g, err := did.CallawaySantAnna(counties(), did.GroupTimeOptions{Draws: 1000, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	simple, err := g.Simple()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("simple %.4f (%.4f): treated %.4f, comparison %.4f\n",
		simple.Estimate.Value, simple.Estimate.SE, simple.TreatedChange, simple.ComparisonChange)
	dynamic, err := g.Dynamic(-1, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range dynamic.Points {
		fmt.Printf("event %+d: %.4f, band from %.3f to %.3f, %d units\n", e.Event, e.Estimate.Value, e.BandLow, e.BandHigh, e.Units)
	}
	test, err := g.PreTest()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("pre-test W %.4f, %v cells, p %.4f\n", test.Statistic, test.DF, test.P)
	// Output:
	// simple -0.0400 (0.0120): treated -0.0259, comparison 0.0141
	// event -1: -0.0245, band from -0.059 to 0.011, 171 units
	// event +0: -0.0199, band from -0.049 to 0.009, 191 units
	// event +1: -0.0510, band from -0.092 to -0.009, 60 units
	// event +2: -0.1373, band from -0.227 to -0.048, 20 units
	// pre-test W 7.7912, 5 cells, p 0.1681
}

func ExampleImpute() {
	r, err := did.Impute(counties(), did.ImputationOptions{Horizons: true, PreTrends: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("effect %.4f (%.4f) on %d treated rows\n", r.Static.Value, r.Static.SE, r.TreatedRows)
	for _, e := range append(r.PreTrends, r.Horizons...) {
		if e.Missing != "" {
			fmt.Printf("event %+d: %s\n", e.Event, e.Missing)
			continue
		}
		fmt.Printf("event %+d: %.4f (%.4f)\n", e.Event, e.Estimate.Value, e.Estimate.SE)
	}
	fmt.Printf("leads F(%v, %v) %.3f, p %.3f\n", r.PreTest.DF, r.PreTest.DF2, r.PreTest.Statistic, r.PreTest.P)
	// Output:
	// effect -0.0337 (0.0147) on 211 treated rows
	// event -2: 0.0067 (0.0136)
	// event -1: -0.0146 (0.0188)
	// event +0: -0.0324 (0.0149)
	// event +1: -0.0392 (0.0239)
	// event +2: no treated row this long after the start has an untreated counterpart
	// event +3: no treated row this long after the start has an untreated counterpart
	// leads F(2, 479) 1.297, p 0.274
}

func ExampleExactRatio() {
	// Reverts of the pilot 3 → 7, of the comparison 3 → 3.
	r, err := did.ExactRatio(did.CountTable{TreatedAfter: 7, TreatedBefore: 3, ComparisonAfter: 3, ComparisonBefore: 3}, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("ratio of ratios %.2f (maximum likelihood %.2f)\n", *r.SampleRatio, *r.MLE)
	fmt.Printf("95 %% from %.2f to %.1f, p %.2f\n", r.Low, r.High, r.P)
	// Output:
	// ratio of ratios 2.33 (maximum likelihood 2.21)
	// 95 % from 0.18 to 29.5, p 0.61
}

func ExampleKaplanMeier() {
	// Hours that pull requests have been open; false: still open.
	hours := []float64{2, 3, 5, 8, 13, 21, 34, 55}
	merged := []bool{true, true, true, false, true, true, false, false}
	s, err := did.KaplanMeier(hours, merged)
	if err != nil {
		fmt.Println(err)
		return
	}
	median, ok := s.Median()
	fmt.Println("median:", median, ok)
	i, err := s.QuantileInterval(0.5, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("from", i.Low, "and open above:", i.HighOpen)
	// Output:
	// median: 13 true
	// from 5 and open above: true
}

func ExampleHolm() {
	fmt.Printf("%.3f\n", did.Holm([]float64{0.01, 0.04, 0.03, 0.005}))
	// Output:
	// [0.030 0.060 0.060 0.020]
}

func ExampleDetectableEffect() {
	// A standard error of 4 points, by the cross-fit t (2 degrees of freedom)
	// and by a normal estimate.
	for _, df := range []float64{2, 0} {
		points, err := did.DetectableEffect(4, df, 0.05, 0.8)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.1f points\n", points)
	}
	// Output:
	// 22.6 points
	// 11.2 points
}
