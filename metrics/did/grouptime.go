package did

// Control says who a cohort is compared with.
type Control int

const (
	// NeverTreated compares with units that are never treated.
	NeverTreated Control = iota
	// NotYetTreated adds units that are not treated yet in the later of the
	// two periods compared.
	NotYetTreated
)

// BasePeriod says which period a cell before treatment is compared with.
// From treatment on it is always the last period before treatment.
type BasePeriod int

const (
	// Varying compares with the period just before.
	Varying BasePeriod = iota
	// Universal compares with the last period before treatment.
	Universal
)

// GroupTimeOptions are the choices of [CallawaySantAnna].
type GroupTimeOptions struct {
	Control Control
	Base    BasePeriod
	// Level of confidence; 0 means 0.95.
	Level float64
	// Draws of the multiplier bootstrap behind the simultaneous bands of
	// [GroupTime.Dynamic]; 0 means no bands. Seed makes them repeatable.
	Draws int
	Seed  uint64
}

// GroupTime holds the group-time effects of a staggered design.
type GroupTime struct {
	// Cells are sorted by group, then time.
	Cells []Cell
	// Units is the number of units kept.
	Units    int
	Dropped  []Drop
	Warnings []string
}

// Cell is the effect on the units first treated in period Group, in period
// Time; before Group it is a pre-trend, which should be 0.
type Cell struct {
	Group, Time int
	Estimate    Estimate
	// TreatedChange and ComparisonChange are the mean changes since the base
	// period; the estimate is their difference.
	TreatedChange, ComparisonChange float64
	// Treated and Comparison count the units behind them.
	Treated, Comparison int
	// Missing says why there is no estimate; empty where there is one.
	Missing string
}

// Aggregate is a weighted mean of cells. Estimate.Value is exactly
// TreatedChange − ComparisonChange, which carry the same weights.
type Aggregate struct {
	Estimate                        Estimate
	TreatedChange, ComparisonChange float64
}

// Dynamic is the effect by time since treatment.
type Dynamic struct {
	// Overall is the mean of the points from event 0 on.
	Overall Estimate
	Points  []EventEstimate
	// BandCritical is the critical value of the simultaneous bands, 0 where
	// there are none.
	BandCritical float64
}

// EventEstimate is the effect Event periods after the start (negative:
// before).
type EventEstimate struct {
	Event    int
	Estimate Estimate
	// BandLow and BandHigh hold for all points at once; both are 0 where there
	// is no band.
	BandLow, BandHigh float64
	// Units counts the treated units behind the estimate.
	Units int
	// Missing says why there is no estimate; empty where there is one.
	Missing string
}

// GroupEffect is the mean effect for one label: a cohort's first treated
// period, or a calendar period.
type GroupEffect struct {
	Label    int
	Estimate Estimate
	Units    int
}

// Grouped is the effect by cohort or by calendar period and the mean of them.
type Grouped struct {
	Overall Estimate
	Points  []GroupEffect
}

// Wald is a joint test that several terms are zero. DF2 is 0 for a chi-squared
// statistic and the denominator's degrees of freedom for an F or squared t.
type Wald struct {
	Statistic float64
	DF, DF2   float64
	P         float64
	// Warning says why the test should not be relied on; empty where it may.
	Warning string
}

// CallawaySantAnna estimates group-time effects without covariates (Callaway
// and Sant'Anna, "Difference-in-differences with multiple time periods", 2021)
// with the conventions of the R package did.
func CallawaySantAnna(p Panel, o GroupTimeOptions) (*GroupTime, error) {
	return nil, refuse(ErrOption, "being written")
}

// Simple is the mean of all cells from treatment on, weighted by cohort size.
func (g *GroupTime) Simple() (Aggregate, error) {
	return Aggregate{}, refuse(ErrOption, "being written")
}

// Dynamic averages cells by time since treatment, for minEvent ≤ event ≤
// maxEvent.
func (g *GroupTime) Dynamic(minEvent, maxEvent int) (Dynamic, error) {
	return Dynamic{}, refuse(ErrOption, "being written")
}

// Group averages each cohort's cells from treatment on.
func (g *GroupTime) Group() (Grouped, error) { return Grouped{}, refuse(ErrOption, "being written") }

// Calendar averages the treated cells of each period.
func (g *GroupTime) Calendar() (Grouped, error) {
	return Grouped{}, refuse(ErrOption, "being written")
}

// PreTest is the joint Wald test that every cell before treatment is zero.
func (g *GroupTime) PreTest() (Wald, error) { return Wald{}, refuse(ErrOption, "being written") }
