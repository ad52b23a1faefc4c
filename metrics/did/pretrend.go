package did

import "math"

// The methods of [PreTrend].
const (
	SlopesAcrossUnits = "donald-lang-slopes"
	SlopeOfBlocks     = "block-slope"
)

// TrendTest is a test that one treated unit and its comparison moved alike
// before the start.
type TrendTest struct {
	// Slope is the treated unit's trend less the comparison's, a period; its P
	// is the test's. HasSE is false where nothing varies.
	Slope Estimate
	// Method is [SlopesAcrossUnits] or [SlopeOfBlocks].
	Method string
	// Blocks is the number of blocks of [SlopeOfBlocks], else 0.
	Blocks int
	// Warning says why the test should not be relied on; empty where it may.
	Warning string
}

// minBlockPeriods is the shortest pre-period for blocks: four blocks of two.
const minBlockPeriods = 8

// alikeSpread is the largest ratio of spreads at which the treated unit passes
// for one like the others.
const alikeSpread = 1.25

// PreTrend tests whether one treated unit's trend before its start differs
// from its comparison's. treated and each of comparisons hold one value for
// each period before the start; at holds the periods' positions, strictly
// ascending (nil means 0, 1, 2, …), so that periods left out leave a gap.
// Level 0 means 0.95.
//
// An ordinary t-test on such a trend calls autocorrelation a trend. Two tests
// do not. With at least five comparison units about as noisy as the treated one
// ([SpreadRatio] at most 1.25), each unit has one slope and the treated unit's
// is compared with theirs ([DonaldLang]): exact under any autocorrelation, as
// long as the units are alike. Otherwise the gap between the treated unit and
// the mean of its comparison is cut into a few consecutive blocks (4 under 20
// periods, 5 under 40, else 6; periods that do not fill the blocks are left
// out at the beginning), and the slope through the block means has t with two
// degrees of freedom less than blocks: close to its size at moderate
// autocorrelation, whatever the treated unit's noise. With fewer than eight
// periods only the first is possible, from three comparison units on; a
// warning says where the units are not alike.
func PreTrend(at, treated []float64, comparisons [][]float64, level float64) (TrendTest, error) {
	level, err := checkLevel(level)
	if err != nil {
		return TrendTest{}, err
	}
	if at, err = checkSeries(at, treated, comparisons); err != nil {
		return TrendTest{}, err
	}
	n, periods := len(comparisons), len(treated)
	ratio, err := SpreadRatio(treated, comparisons)
	alike := err == nil && ratio <= alikeSpread
	switch {
	case n >= 5 && alike:
		return slopesAcross(at, treated, comparisons, level)
	case periods >= minBlockPeriods:
		return slopeOfBlocks(at, treated, comparisons, level)
	case n < 3:
		return TrendTest{}, refuse(ErrTooFewPeriods,
			"pre-trend test with %d periods before the start and %d comparison units: it needs 8 periods, or 3 comparison units", periods, n)
	}
	test, err := slopesAcross(at, treated, comparisons, level)
	if !alike {
		test.Warning = "The treated unit varied more than its comparison before the start, so this test finds trends too often."
	}
	return test, err
}

// checkSeries returns the positions of the periods.
func checkSeries(at, treated []float64, comparisons [][]float64) ([]float64, error) {
	if len(comparisons) == 0 {
		return nil, refuse(ErrNoComparison, "pre-trend test without a comparison unit")
	}
	if len(treated) < 3 {
		return nil, refuse(ErrTooFewPeriods, "pre-trend test with %d periods before the start: it needs at least 3", len(treated))
	}
	if at == nil {
		at = make([]float64, len(treated))
		for i := range at {
			at[i] = float64(i)
		}
	}
	if len(at) != len(treated) {
		return nil, refuse(ErrShape, "%d positions for %d periods", len(at), len(treated))
	}
	if err := checkFinite("position of period", at); err != nil {
		return nil, err
	}
	for i := 1; i < len(at); i++ {
		if at[i] <= at[i-1] {
			return nil, refuse(ErrShape, "period %d lies at %v, not after %v", i+1, at[i], at[i-1])
		}
	}
	if err := checkFinite("treated unit in period", treated); err != nil {
		return nil, err
	}
	for _, c := range comparisons {
		if len(c) != len(treated) {
			return nil, refuse(ErrShape, "a comparison unit has %d periods, the treated one %d", len(c), len(treated))
		}
		if err := checkFinite("comparison unit in period", c); err != nil {
			return nil, err
		}
	}
	return at, nil
}

func slopesAcross(at, treated []float64, comparisons [][]float64, level float64) (TrendTest, error) {
	slopes := make([]float64, len(comparisons))
	scale := size(treated...)
	for i, c := range comparisons {
		slopes[i], _ = line(at, c)
		scale = max(scale, size(c...))
	}
	own, _ := line(at, treated)
	e, err := DonaldLang(own, slopes, level)
	if err != nil {
		return TrendTest{}, err
	}
	// A slope is as exact as the values over the length of time.
	length := at[len(at)-1] - at[0]
	return TrendTest{Slope: newEstimate(e.Value, e.SE, e.DF, level, scale/length), Method: SlopesAcrossUnits}, nil
}

func slopeOfBlocks(at, treated []float64, comparisons [][]float64, level float64) (TrendTest, error) {
	blocks := 4
	if len(at) >= 20 {
		blocks = 5
	}
	if len(at) >= 40 {
		blocks = 6
	}
	length := len(at) / blocks
	x := make([]float64, blocks)
	y := make([]float64, blocks)
	scale := size(treated...)
	for k := range blocks {
		from := len(at) - (blocks-k)*length
		x[k] = mean(at[from : from+length])
		y[k] = mean(treated[from : from+length])
		for _, c := range comparisons {
			y[k] -= mean(c[from:from+length]) / float64(len(comparisons))
			scale = max(scale, size(c...))
		}
	}
	slope, se := line(x, y)
	e := newEstimate(slope, se, float64(blocks-2), level, scale/(x[blocks-1]-x[0]))
	return TrendTest{Slope: e, Method: SlopeOfBlocks, Blocks: blocks}, nil
}

// line is the least-squares slope of y on x with its ordinary standard error,
// 0 where two points leave none.
func line(x, y []float64) (slope, se float64) {
	mx, my := mean(x), mean(y)
	var xx, xy float64
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		xy += (x[i] - mx) * (y[i] - my)
	}
	slope = xy / xx
	if len(x) < 3 {
		return slope, 0
	}
	var squares float64
	for i := range x {
		e := y[i] - my - slope*(x[i]-mx)
		squares += e * e
	}
	return slope, math.Sqrt(squares / float64(len(x)-2) / xx)
}
