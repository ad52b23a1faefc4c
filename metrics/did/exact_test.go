package did_test

import (
	"math"
	"testing"

	"steelyard/metrics/did"
)

// TestWorkedExample is the example of the manual: reverts 3 → 7 against 3 → 3.
func TestWorkedExample(t *testing.T) {
	r, err := did.ExactRatio(did.CountTable{TreatedAfter: 7, TreatedBefore: 3, ComparisonAfter: 3, ComparisonBefore: 3}, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "sample ratio", *r.SampleRatio, 7.0/3, 1e-15)
	// R's fisher.test gives 2.207, 0.1814, 29.526 and p 0.6066; its roots stop
	// at four digits.
	near(t, "maximum likelihood", *r.MLE, 2.2070950766, 1e-9)
	near(t, "low", r.Low, 0.1814350265, 1e-9)
	near(t, "high", r.High, 29.5047, 1e-5)
	near(t, "p", r.P, 0.6066433566, 1e-9)
}

// TestExactLimitsLeaveTheirTails puts the limits back into the distribution,
// written out with factorials.
func TestExactLimitsLeaveTheirTails(t *testing.T) {
	for _, c := range []did.CountTable{
		{TreatedAfter: 7, TreatedBefore: 3, ComparisonAfter: 3, ComparisonBefore: 3},
		{TreatedAfter: 30, TreatedBefore: 41, ComparisonAfter: 112, ComparisonBefore: 90},
		{TreatedAfter: 1, TreatedBefore: 3, ComparisonAfter: 400, ComparisonBefore: 2},
		{TreatedAfter: 12, TreatedBefore: 9, ComparisonAfter: 33, ComparisonBefore: 31, Exposure: [4]float64{260, 1300, 411.5, 3000}},
	} {
		r, err := did.ExactRatio(c, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		atLeast, _, _ := fisher(c, r.Low)
		_, atMost, _ := fisher(c, r.High)
		_, _, mean := fisher(c, *r.MLE)
		near(t, "tail at the low limit", atLeast, 0.05, 1e-11)
		near(t, "tail at the high limit", atMost, 0.05, 1e-11)
		near(t, "mean at the MLE", mean, float64(c.TreatedAfter), 1e-11)
		atLeast, atMost, _ = fisher(c, 1)
		near(t, "p doubled", r.PDoubled, min(1, 2*min(atLeast, atMost)), 1e-10)
	}
}

// fisher is the conditional distribution at one ratio of ratios.
func fisher(c did.CountTable, ratio float64) (atLeast, atMost, mean float64) {
	e := c.Exposure
	if e == [4]float64{} {
		e = [4]float64{1, 1, 1, 1}
	}
	odds := ratio * e[0] * e[3] / (e[1] * e[2])
	m, n := c.TreatedAfter+c.TreatedBefore, c.ComparisonAfter+c.ComparisonBefore
	k := c.TreatedAfter + c.ComparisonAfter
	var total float64
	for x := max(0, k-n); x <= min(m, k); x++ {
		w := math.Exp(choose(m, x) + choose(n, k-x) + float64(x)*math.Log(odds) - choose(m+n, k))
		total += w
		mean += w * float64(x)
		if x >= c.TreatedAfter {
			atLeast += w
		}
		if x <= c.TreatedAfter {
			atMost += w
		}
	}
	return atLeast / total, atMost / total, mean / total
}

func choose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// TestExactZeroCells leaves a side open instead of infinite.
func TestExactZeroCells(t *testing.T) {
	for _, c := range []struct {
		name                      string
		table                     did.CountTable
		ratio, mle                bool // exist
		lowOpen, highOpen, pIsOne bool
	}{
		{name: "NothingAtAll", table: did.CountTable{}, lowOpen: true, highOpen: true, pIsOne: true},
		{name: "NoneInThePilot", table: did.CountTable{ComparisonAfter: 3, ComparisonBefore: 3}, lowOpen: true, highOpen: true, pIsOne: true},
		{name: "NoneAfterInThePilot", table: did.CountTable{TreatedBefore: 3, ComparisonAfter: 3, ComparisonBefore: 3}, ratio: true, mle: true, lowOpen: true},
		{name: "NoneBeforeInThePilot", table: did.CountTable{TreatedAfter: 3, ComparisonAfter: 3, ComparisonBefore: 3}, highOpen: true},
		{name: "NoneAfterInTheComparison", table: did.CountTable{TreatedAfter: 3, TreatedBefore: 3, ComparisonBefore: 3}, highOpen: true},
		{name: "NoneBeforeInTheComparison", table: did.CountTable{TreatedAfter: 3, TreatedBefore: 3, ComparisonAfter: 3}, ratio: true, mle: true, lowOpen: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := did.ExactRatio(c.table, 0)
			checkAnswer(t, "ExactRatio", r, err)
			if (r.SampleRatio != nil) != c.ratio || (r.MLE != nil) != c.mle {
				t.Errorf("ratio %v, MLE %v", r.SampleRatio, r.MLE)
			}
			if r.LowOpen != c.lowOpen || r.HighOpen != c.highOpen || (r.P == 1) != c.pIsOne {
				t.Errorf("got %+v", r)
			}
		})
	}
}

// TestExactLargeCounts: millions of events, far from even.
func TestExactLargeCounts(t *testing.T) {
	r, err := did.ExactRatio(did.CountTable{TreatedAfter: 1_000_000, TreatedBefore: 2_000, ComparisonAfter: 1_000, ComparisonBefore: 2_000_000}, 0)
	checkAnswer(t, "ExactRatio", r, err)
	// The normal interval on the logarithm.
	half := 1.959963984540054 * math.Sqrt(1/1e6+1/2e3+1/1e3+1/2e6)
	near(t, "low", r.Low, 1e6*math.Exp(-half), 1e-3)
	near(t, "high", r.High, 1e6*math.Exp(half), 1e-3)
}

func TestExactRefusals(t *testing.T) {
	_, err := did.ExactRatio(did.CountTable{TreatedAfter: -1}, 0)
	wantCode(t, "negative count", err, did.ErrShape)
	_, err = did.ExactRatio(did.CountTable{TreatedAfter: math.MaxInt}, 0)
	wantCode(t, "huge count", err, did.ErrShape)
	_, err = did.ExactRatio(did.CountTable{Exposure: [4]float64{1, 1, 0, 1}}, 0)
	wantCode(t, "one exposure missing", err, did.ErrNotFinite)
	_, err = did.ExactRatio(did.CountTable{Exposure: [4]float64{1, 1, math.NaN(), 1}}, 0)
	wantCode(t, "exposure NaN", err, did.ErrNotFinite)
	_, err = did.ExactRatio(did.CountTable{}, 1.5)
	wantCode(t, "level", err, did.ErrOption)
	_, err = did.ExactRate(-1, 2, 0, 0, 0)
	wantCode(t, "negative count", err, did.ErrShape)
}

// TestExactRate: 3 reverts of 260 pull requests against 5 of 1,300.
func TestExactRate(t *testing.T) {
	r, err := did.ExactRate(3, 5, 260, 1300, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "ratio", *r.SampleRatio, 3, 1e-14)
	near(t, "low", r.Low, 0.4659, 1e-3) // published as [.47, 15.4]
	near(t, "high", r.High, 15.42, 1e-3)
}

// FuzzExact holds the exact answers to finite numbers in order.
func FuzzExact(f *testing.F) {
	f.Add(7, 3, 3, 3, 1.0, 1.0)
	f.Add(0, 0, 0, 9, 260.0, 1300.0)
	f.Add(100000, 1, 1, 100000, 1e-9, 1e9)
	f.Fuzz(func(t *testing.T, a, b, c, d int, x, y float64) {
		const most = 200_000 // keep a run short
		table := did.CountTable{TreatedAfter: a % most, TreatedBefore: b % most, ComparisonAfter: c % most, ComparisonBefore: d % most, Exposure: [4]float64{x, y, y, x}}
		r, err := did.ExactRatio(table, 0)
		checkAnswer(t, "ExactRatio", r, err)
		if err != nil {
			return
		}
		if !r.LowOpen && !r.HighOpen && r.Low > r.High {
			t.Errorf("%+v: low %v over high %v", table, r.Low, r.High)
		}
		for _, p := range []float64{r.P, r.MidP, r.PDoubled} {
			if p < 0 || p > 1 {
				t.Errorf("%+v: p %v", table, p)
			}
		}
		rate, err := did.ExactRate(a%most, b%most, x, y, 0.9)
		checkAnswer(t, "ExactRate", rate, err)
	})
}
