package did

import "fmt"

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

	data    *cohorts
	parts   []part // parallel to Cells
	options GroupTimeOptions
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
	// Reference marks the base period itself, whose effect is 0 by definition
	// (universal base only).
	Reference bool
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
	// Reference marks the event that others are compared with; its effect is 0
	// by definition.
	Reference bool
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
// with the conventions of the R package did: analytic standard errors from
// influence functions with no small-sample factor, clustered by unit. A panel
// with gaps is read as repeated cross-sections: each mean is over the units
// seen in its period, a unit's rows are added up before the variance, and
// cohorts are weighted by their number of units. On a panel without gaps this
// is the same as comparing changes.
//
// Units treated in or before the first period are left out. Where no unit is
// never treated and the control is [NotYetTreated], periods from the last
// cohort's start on are left out.
func CallawaySantAnna(p Panel, o GroupTimeOptions) (*GroupTime, error) {
	if err := checkOptions(&o); err != nil {
		return nil, err
	}
	t, err := newTable(p)
	if err != nil {
		return nil, err
	}
	c, drops, warnings, err := newCohorts(t, o.Control)
	if err != nil {
		return nil, err
	}
	g := &GroupTime{Units: c.units(), Dropped: drops, Warnings: warnings, data: c, options: o}
	g.addCells()
	g.warnSingle()
	return g, nil
}

func checkOptions(o *GroupTimeOptions) (err error) {
	if o.Level, err = checkLevel(o.Level); err != nil {
		return err
	}
	if o.Draws < 0 || o.Draws > 1_000_000 {
		return refuse(ErrOption, "%d bootstrap draws: give 0 to 1,000,000", o.Draws)
	}
	if o.Control != NeverTreated && o.Control != NotYetTreated {
		return refuse(ErrOption, "unknown control group %d", o.Control)
	}
	if o.Base != Varying && o.Base != Universal {
		return refuse(ErrOption, "unknown base period %d", o.Base)
	}
	return nil
}

// warnSingle warns of cohorts whose own variance cannot show.
func (g *GroupTime) warnSingle() {
	for h, first := range g.data.first {
		if first != Never && g.data.size(h) == 1 {
			g.Warnings = append(g.Warnings, fmt.Sprintf(
				"One unit alone starts in period %d: its own variance counts as zero, so the standard errors of its cells hold the comparison's alone.", first))
		}
	}
}
