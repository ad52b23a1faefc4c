package did_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"steelyard/metrics/did"
)

// TestDetectableEffect compares with R: power.t.test(n = 10, power = .8) gives
// delta 1.324947 and power.t.test(n = 20, delta = 1) gives power .8689528, both
// counting the far side as nothing, which is less than the last digit.
func TestDetectableEffect(t *testing.T) {
	d, err := did.DetectableEffect(math.Sqrt(2.0/10), 18, 0.05, 0.8)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "n = 10", d, 1.324947, 1e-6)
	d, err = did.DetectableEffect(math.Sqrt(2.0/20), 38, 0.05, 0.8689528)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "n = 20", d, 1, 1e-6)
	d, err = did.DetectableEffect(2, 0, 0.05, 0.8)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "normal", d, 2*(1.959963984540054+0.8416212335729143), 1e-5)
	wide, err := did.DetectableEffect(2, 2, 0.05, 0.8)
	if err != nil || wide < d {
		t.Errorf("two degrees of freedom: %v, error %v", wide, err)
	}
	for _, c := range [][4]float64{{0, 2, .05, .8}, {math.NaN(), 2, .05, .8}, {1, .5, .05, .8}, {1, 2, 0, .8}, {1, 2, .05, 1}, {1, 2, .9, .8}} {
		if _, err := did.DetectableEffect(c[0], c[1], c[2], c[3]); err == nil {
			t.Errorf("%v was accepted", c)
		}
	}
}

// TestHolm compares with R's p.adjust(p, "holm").
func TestHolm(t *testing.T) {
	p := []float64{0.01, 0.04, 0.03, 0.005}
	got := did.Holm(p)
	if d := cmp.Diff([]float64{0.03, 0.06, 0.06, 0.02}, got, cmpopts.EquateApprox(1e-12, 0)); d != "" {
		t.Error(d)
	}
	if p[0] != 0.01 {
		t.Error("the argument was changed")
	}
	if d := cmp.Diff([]float64{1, 0.6, 1}, did.Holm([]float64{0.9, 0.2, math.NaN()}), cmpopts.EquateApprox(1e-12, 0)); d != "" {
		t.Error(d)
	}
	if len(did.Holm(nil)) != 0 {
		t.Error("nothing became something")
	}
}

// TestCrossFitBlocks: the blocks are the last ones before the start.
func TestCrossFitBlocks(t *testing.T) {
	var blocks [][2]int
	r, err := did.CrossFit(26, 13, 3, 0, func(from, to int) (float64, error) {
		blocks = append(blocks, [2]int{from, to})
		return float64(len(blocks)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][2]int{{2, 10}, {10, 18}, {18, 26}}, blocks); d != "" {
		t.Error(d)
	}
	near(t, "mean", r.Estimate.Value, 2, 1e-15)
	near(t, "standard error", r.Estimate.SE, math.Sqrt(1+24.0/13)/math.Sqrt(3), 1e-15)
	if r.BlockLength != 8 || r.Estimate.DF != 2 {
		t.Errorf("got %+v", r)
	}
	if r, err = did.CrossFitGap([]float64{1, 1, 1, 1, 1, 1, 3, 3}, 6, 3, 0); err != nil || r.BlockLength != 2 || r.Estimate.HasSE || r.Estimate.Value != 2 {
		t.Errorf("a gap without noise: %+v, error %v", r, err)
	}
}

func TestOneTreatedRefusals(t *testing.T) {
	boom := errors.New("boom")
	_, err := did.CrossFit(6, 2, 3, 0, func(int, int) (float64, error) { return 0, boom })
	if !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
	_, err = did.CrossFit(6, 2, 3, 0, func(int, int) (float64, error) { return math.NaN(), nil })
	wantCode(t, "effect NaN", err, did.ErrNotFinite)
	_, err = did.CrossFitGap([]float64{1, 2, 3}, 2, 3, 0)
	wantCode(t, "two periods for three folds", err, did.ErrTooFewPeriods)
	_, err = did.CrossFitGap([]float64{1, 2, 3}, 3, 3, 0)
	wantCode(t, "no period after", err, did.ErrTooFewPeriods)
	_, err = did.CrossFitGap([]float64{1, 2, 3}, 4, 3, 0)
	wantCode(t, "more before than there are", err, did.ErrShape)
	_, err = did.CrossFitGap([]float64{1, math.Inf(1), 3, 4}, 3, 3, 0)
	wantCode(t, "infinite gap", err, did.ErrNotFinite)
	_, err = did.CrossFitGap([]float64{1, 2, 3, 4}, 3, 1, 0)
	wantCode(t, "one fold", err, did.ErrOption)
	_, err = did.DonaldLang(1, nil, 0)
	wantCode(t, "no comparison", err, did.ErrNoComparison)
	_, err = did.DonaldLang(1, []float64{1}, 0)
	wantCode(t, "one comparison", err, did.ErrTooFewUnits)
	_, err = did.DonaldLang(math.NaN(), []float64{1, 2}, 0)
	wantCode(t, "change NaN", err, did.ErrNotFinite)
	_, err = did.PlaceboRank([]float64{1}, 0)
	wantCode(t, "placebo alone", err, did.ErrNoComparison)
	_, err = did.PlaceboRank([]float64{1, 2}, 2)
	wantCode(t, "treated unit out of range", err, did.ErrShape)
	_, err = did.SpreadRatio([]float64{1, 2}, [][]float64{{3, 3}})
	wantCode(t, "comparison that stands still", err, did.ErrZeroVariance)
}

// TestPlaceboTies: equal effects share the better rank, rounding included.
func TestPlaceboTies(t *testing.T) {
	r, err := did.PlaceboRank([]float64{0.1 + 0.2, 0.3, 0.1, 0.1, 0.1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.Rank != 1 || r.P != 0.4 || r.Floor != 0.2 {
		t.Errorf("got %+v", r)
	}
	if r, err = did.PlaceboRank([]float64{1, 2}, 1); err != nil || r.HasLeaveOut || r.P != 1 {
		t.Errorf("two units: %+v, error %v", r, err)
	}
}

// TestPreTrendChoosesItsTest by how many comparisons and periods there are.
func TestPreTrendChoosesItsTest(t *testing.T) {
	line := func(periods int, slope float64, seed int) []float64 {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		out := make([]float64, periods)
		for i := range out {
			out[i] = slope*float64(i) + r.NormFloat64()
		}
		return out
	}
	series := func(n, periods int) [][]float64 {
		out := make([][]float64, n)
		for i := range out {
			out[i] = line(periods, 0, i)
		}
		return out
	}
	for _, c := range []struct {
		name             string
		periods, n       int
		slope            float64
		method           string
		blocks           int
		warned, rejected bool
	}{
		{"FewComparisons", 26, 2, 0, did.SlopeOfBlocks, 5, false, false},
		{"ManyAlike", 26, 6, 0, did.SlopesAcrossUnits, 0, false, false},
		{"ManyUnlike", 26, 6, 3, did.SlopeOfBlocks, 5, false, true},
		{"ShortAndFew", 12, 1, 0, did.SlopeOfBlocks, 4, false, false},
		{"Long", 52, 1, 0, did.SlopeOfBlocks, 6, false, false},
		{"TooShortForBlocks", 5, 3, 0, did.SlopesAcrossUnits, 0, false, false},
		{"TooShortAndUnlike", 5, 3, 9, did.SlopesAcrossUnits, 0, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := did.PreTrend(nil, line(c.periods, c.slope, 9), series(c.n, c.periods), 0)
			checkAnswer(t, "PreTrend", r, err)
			if r.Method != c.method || r.Blocks != c.blocks || (r.Warning != "") != c.warned || (r.Slope.P < 0.05) != c.rejected {
				t.Errorf("got %+v", r)
			}
		})
	}
	_, err := did.PreTrend(nil, line(5, 0, 1), series(2, 5), 0)
	wantCode(t, "short and few", err, did.ErrTooFewPeriods)
	_, err = did.PreTrend(nil, line(9, 0, 1), nil, 0)
	wantCode(t, "no comparison", err, did.ErrNoComparison)
	_, err = did.PreTrend(nil, line(9, 0, 1), series(2, 8), 0)
	wantCode(t, "lengths", err, did.ErrShape)
	_, err = did.PreTrend([]float64{0, 1, 1, 2, 3, 4, 5, 6, 7}, line(9, 0, 1), series(2, 9), 0)
	wantCode(t, "positions", err, did.ErrShape)
	flat, err := did.PreTrend(nil, make([]float64, 9), [][]float64{make([]float64, 9)}, 0)
	if err != nil || flat.Slope.HasSE {
		t.Errorf("nothing varies: %+v, error %v", flat, err)
	}
}

// TestPreTrendSlopeIsPerPeriod: periods that are left out leave a gap.
func TestPreTrendSlopeIsPerPeriod(t *testing.T) {
	at := []float64{0, 1, 2, 3, 10, 11, 12, 13, 20, 21}
	treated := make([]float64, len(at))
	for i, x := range at {
		treated[i] = 0.5*x + float64(i%2)*1e-3
	}
	r, err := did.PreTrend(at, treated, [][]float64{make([]float64, len(at))}, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "slope", r.Slope.Value, 0.5, 1e-9)
}

// TestCrossFitFolds: any number of folds, by the formula itself.
func TestCrossFitFolds(t *testing.T) {
	gap := noisyGap(8, 26, 7)
	for folds := 2; folds <= 26; folds++ {
		r, err := did.CrossFitGap(gap, 26, folds, 0)
		if err != nil {
			t.Fatal(err)
		}
		length := min(26/folds, 7)
		var effects []float64
		for k := range folds {
			from := 26 - (folds-k)*length
			effects = append(effects, average(gap[26:])-average(gap[from:from+length]))
		}
		var squares float64
		for _, x := range effects {
			squares += (x - average(effects)) * (x - average(effects))
		}
		n := float64(folds)
		se := math.Sqrt(1+n*float64(length)/7) * math.Sqrt(squares/(n-1)) / math.Sqrt(n)
		near(t, "mean", r.Estimate.Value, average(effects), 1e-12)
		near(t, "standard error", r.Estimate.SE, se, 1e-12)
		if r.Estimate.DF != n-1 || r.BlockLength != length || len(r.Folds) != folds {
			t.Errorf("%d folds: %+v", folds, r)
		}
	}
}
