package did

// TrendTest is a test that one treated unit and its comparison moved alike
// before the start.
type TrendTest struct {
	// Slope is the difference of trends a period; its P is the test's.
	Slope Estimate
	// Method is "donald-lang-slopes" or "block-slope".
	Method string
	// Blocks is the number of blocks of the block test, else 0.
	Blocks int
}

// PreTrend tests whether one treated unit's trend before its start differs
// from its comparison's. treated and each of comparisons hold one value for
// each period before the start; at holds the periods' positions, strictly
// ascending (nil means 0, 1, 2, …), so that periods left out leave a gap.
func PreTrend(at, treated []float64, comparisons [][]float64, level float64) (TrendTest, error) {
	return TrendTest{}, refuse(ErrOption, "being written")
}
