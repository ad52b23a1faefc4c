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

// Adjustment says how units are made comparable by their covariates. Without
// covariates all three give the same.
type Adjustment int

const (
	// DoublyRobust regresses the comparison's change on the covariates and
	// weights by the odds of treatment: it is right where either of the two
	// models is.
	DoublyRobust Adjustment = iota
	// OutcomeRegression predicts the treated units' change without treatment
	// from the comparison's.
	OutcomeRegression
	// InverseProbability weights comparison units by their odds of treatment,
	// scaled to sum to one (Hájek).
	InverseProbability
)

// WeightPeriod says which period a unit's weight is taken from where it
// changes over time.
type WeightPeriod int

const (
	// EarlierPeriodWeights takes the earlier of the two periods compared; in
	// repeated cross-sections and panels with gaps each row's own.
	EarlierPeriodWeights WeightPeriod = iota
	// BasePeriodWeights takes the last period before the cohort's treatment,
	// in cells before treatment, too.
	BasePeriodWeights
	// FirstPeriodWeights takes the first period of the panel.
	FirstPeriodWeights
	// OwnPeriodWeights weighs each row by its own weight, which compares
	// levels as repeated cross-sections do.
	OwnPeriodWeights
)

// GroupTimeOptions are the choices of [CallawaySantAnna].
type GroupTimeOptions struct {
	Control Control
	Base    BasePeriod
	Method  Adjustment
	// Anticipation is how many periods before its treatment a unit may react:
	// the base period is that much earlier, and a unit stops being a
	// comparison that much earlier.
	Anticipation int
	// CrossSections reads the panel as repeated cross-sections: each row is a
	// unit of its own.
	CrossSections bool
	// Balance leaves out units that miss a period. Otherwise a panel with gaps
	// is read as repeated cross-sections of the same units.
	Balance bool
	Weights WeightPeriod
	// Cluster[u] is the cluster of unit u, parallel to [Panel.First], any
	// integers; nil means that each unit is its own.
	Cluster []int
	// Level of confidence; 0 means 0.95.
	Level float64
	// Draws of the multiplier bootstrap behind simultaneous bands; 0 means no
	// bands. Seed makes them repeatable.
	Draws int
	Seed  uint64
	// BootstrapErrors takes standard errors from the draws, too: the range
	// between their quartiles, as wide as a normal distribution's.
	BootstrapErrors bool
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
	// cellCritical is the critical value of the bands of all cells where their
	// standard errors were drawn.
	cellCritical float64
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
	// BandLow and BandHigh hold for all points at once; both are 0 where there
	// is no band.
	BandLow, BandHigh float64
	Units             int
}

// Grouped is the effect by cohort or by calendar period and the mean of them.
type Grouped struct {
	Overall Estimate
	Points  []GroupEffect
	// BandCritical is the critical value of the simultaneous bands, 0 where
	// there are none.
	BandCritical float64
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

// CallawaySantAnna estimates group-time effects (Callaway and Sant'Anna,
// "Difference-in-differences with multiple time periods", 2021) with the
// conventions of the R package did: analytic standard errors from influence
// functions with no small-sample factor, clustered by unit or as the options
// say. A panel with gaps is read as repeated cross-sections: each mean is over
// the units seen in its period, a unit's rows are added up before the variance,
// and cohorts are weighted by their units. On a panel without gaps this is the
// same as comparing changes.
//
// Covariates that change over time take their value in the earlier of the two
// periods compared, which from treatment on is the base period; in repeated
// cross-sections and panels with gaps each row has its own.
//
// Units treated in or before the first period are left out. Where no unit is
// never treated and the control is [NotYetTreated], periods from the last
// cohort's start on are left out.
func CallawaySantAnna(p Panel, o GroupTimeOptions) (*GroupTime, error) {
	if err := checkOptions(&o); err != nil {
		return nil, err
	}
	cluster := o.Cluster
	if cluster != nil && len(cluster) != len(p.First) {
		return nil, refuse(ErrShape, "%d clusters for %d units", len(cluster), len(p.First))
	}
	if o.CrossSections {
		var err error
		if p, cluster, err = rowsAsUnits(p, cluster); err != nil {
			return nil, err
		}
	}
	t, err := newWideTable(p)
	if err != nil {
		return nil, err
	}
	if cluster != nil {
		if cluster, err = clusters(p, cluster); err != nil {
			return nil, err
		}
	}
	c, drops, warnings, err := newCohorts(t, o, cluster)
	if err != nil {
		return nil, err
	}
	g := &GroupTime{Units: c.units(), Dropped: drops, Warnings: warnings, data: c, options: o}
	g.addCells()
	g.warnSingle()
	if o.BootstrapErrors {
		if g.cellCritical, err = g.resampleCells(); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// rowsAsUnits makes each row of p a unit of its own.
func rowsAsUnits(p Panel, cluster []int) (Panel, []int, error) {
	if _, err := checkPanel(p); err != nil {
		return Panel{}, nil, err
	}
	q := p
	q.Unit = make([]int, len(p.Unit))
	q.First = make([]int, len(p.Unit))
	var byRow []int
	for i, u := range p.Unit {
		q.Unit[i], q.First[i] = i, p.First[u]
		if cluster != nil {
			byRow = append(byRow, cluster[u])
		}
	}
	return q, byRow, nil
}

func checkOptions(o *GroupTimeOptions) (err error) {
	if o.Level, err = checkLevel(o.Level); err != nil {
		return err
	}
	switch {
	case o.Draws < 0 || o.Draws > 1_000_000:
		return refuse(ErrOption, "%d bootstrap draws: give 0 to 1,000,000", o.Draws)
	case o.BootstrapErrors && o.Draws < 100:
		return refuse(ErrOption, "%d bootstrap draws are too few for standard errors: give 100 or more", o.Draws)
	case o.Control != NeverTreated && o.Control != NotYetTreated:
		return refuse(ErrOption, "unknown control group %d", o.Control)
	case o.Base != Varying && o.Base != Universal:
		return refuse(ErrOption, "unknown base period %d", o.Base)
	case o.Method < DoublyRobust || o.Method > InverseProbability:
		return refuse(ErrOption, "unknown adjustment %d", o.Method)
	case o.Weights < EarlierPeriodWeights || o.Weights > OwnPeriodWeights:
		return refuse(ErrOption, "unknown period of weights %d", o.Weights)
	case o.Anticipation < 0 || o.Anticipation > 1_000_000:
		return refuse(ErrOption, "%d periods of anticipation: give 0 or more", o.Anticipation)
	case o.CrossSections && o.Balance:
		return refuse(ErrOption, "repeated cross-sections have no unit that is seen in all periods")
	case o.CrossSections && (o.Weights == BasePeriodWeights || o.Weights == FirstPeriodWeights):
		return refuse(ErrOption, "repeated cross-sections have no weight in another period: take each row's own")
	}
	return nil
}

// warnSingle warns of cohorts, and of a comparison, whose own variance cannot
// show.
func (g *GroupTime) warnSingle() {
	for h, first := range g.data.first {
		switch {
		case g.data.size(h) > 1:
		case first == Never:
			g.Warnings = append(g.Warnings,
				"One unit alone is the comparison that stays untreated: its own variance counts as zero, so standard errors of comparisons with it alone are far too small.")
		default:
			g.Warnings = append(g.Warnings, fmt.Sprintf(
				"One unit alone starts in period %d: its own variance counts as zero, so the standard errors of its cells hold the comparison's alone.", first))
		}
	}
}
