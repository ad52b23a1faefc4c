package did

import (
	"math"
	"slices"
)

// OutcomeKind says what an outcome is made of.
type OutcomeKind int

const (
	// Measured outcomes are numbers by unit and period, such as medians or
	// means of logs.
	Measured OutcomeKind = iota
	// Counted outcomes are numbers of events, such as reverts.
	Counted
	// Censored outcomes are durations, some of which have not ended yet.
	Censored
)

// Design is what decides which methods may speak. Nothing in it depends on the
// effect.
type Design struct {
	Outcome OutcomeKind
	// Randomised says that single tasks, not units, were assigned by lot.
	Randomised bool
	// Treated and Comparison count units; Never those of the comparison that
	// are never treated.
	Treated, Comparison int
	// TreatedClusters and ComparisonClusters count the clusters that errors are
	// to be clustered by, on each side; 0 means that each unit is its own.
	TreatedClusters, ComparisonClusters int
	// Starts counts the distinct first treated periods.
	Starts int
	// Before is the fewest periods of the panel before a start, After the fewest
	// from one on. Single units may have been seen in fewer.
	Before, After int
	// Balanced says that every unit has a row in every period.
	Balanced bool
	// SpreadRatio is the spread of the treated units' mean before the start over
	// that of the comparison ([SpreadRatio]), 0 where it is not known. UnitSpread
	// compares single units: the mean spread of the treated over that of the
	// comparison.
	SpreadRatio, UnitSpread float64
	// Events is the number of events in the smallest of the four cells, for
	// counted outcomes; where starts differ, in the smallest of the treated
	// before and after their starts and the comparison.
	Events int
	// Clumped is how many times as much counts vary as independent events would,
	// 0 where that may be chance or was not looked at.
	Clumped float64
	// Level of confidence; 0 means 0.95.
	Level float64
}

// DesignOf reads the design of a panel of measured outcomes. Units treated in
// or before the first period count as neither treated nor comparison.
func DesignOf(p Panel) (Design, error) {
	t, err := newWideTable(p)
	if err != nil {
		return Design{}, err
	}
	d := Design{Balanced: t.balanced()}
	starts := map[int]bool{}
	var treated, comparison [][]float64
	for u, first := range t.first {
		y := t.y[t.start[u]:t.start[u+1]]
		switch {
		case first <= t.periods[0]:
			continue
		case !t.treated(first):
			d.Comparison++
			comparison = append(comparison, y)
			continue
		}
		before, _ := slices.BinarySearch(t.periods, first)
		after := len(t.periods) - before
		if d.Treated == 0 || before < d.Before {
			d.Before = before
		}
		if d.Treated == 0 || after < d.After {
			d.After = after
		}
		d.Treated++
		starts[first] = true
		treated = append(treated, y)
	}
	d.Starts = len(starts)
	if d.Balanced && d.Starts == 1 && d.Treated > 0 {
		d.SpreadRatio, d.UnitSpread = designSpread(treated, comparison, d.Before)
	}
	return d, nil
}

// designSpread compares the mean series of the treated, and then each of them,
// with each comparison; 0 where that is not possible.
func designSpread(treated, comparison [][]float64, before int) (of, unit float64) {
	if len(comparison) == 0 || before < 2 {
		return 0, 0
	}
	cut := func(rows [][]float64) [][]float64 {
		out := make([][]float64, len(rows))
		for i, y := range rows {
			out[i] = y[:before]
		}
		return out
	}
	own, others := cut(treated), cut(comparison)
	of, err := SpreadRatio(meanSeries(own), others)
	if err != nil {
		return 0, 0
	}
	return of, UnitSpread(own, others)
}

// UnitSpread is the root mean variance of the treated units' values over that of
// the others', 0 where that is no number.
func UnitSpread(treated, others [][]float64) float64 {
	variance := func(rows [][]float64) (sum float64) {
		for _, y := range rows {
			if len(y) > 1 {
				sd := sampleSD(y)
				sum += sd * sd / float64(len(rows))
			}
		}
		return sum
	}
	if ratio := math.Sqrt(variance(treated) / variance(others)); finite(ratio) {
		return ratio
	}
	return 0
}

// Role is what a method does in a report.
type Role string

const (
	// Headline is the method whose interval decides.
	Headline Role = "headline"
	// Beside methods are shown with it.
	Beside Role = "beside"
	// Available methods answer when they are asked for.
	Available Role = "available"
	// Refused methods would mislead, or cannot answer.
	Refused Role = "refused"
)

// MethodChoice is what the design says of one method.
type MethodChoice struct {
	// Method is its name, one of [MethodNames].
	Method string
	Role   Role
	// Reasons are sentences a person can say aloud; there is at least one.
	Reasons []string
}

// MethodNames are the methods that [Choose] judges.
func MethodNames() []string {
	return []string{
		"two-by-two", "twfe", "event-study", "goodman-bacon", "sun-abraham", "callaway-santanna", "imputation",
		"two-stage", "synthetic-control", "synthetic-did", "poisson", "exact-count", "quantile", "kaplan-meier",
		"cross-fit-t", "donald-lang", "conformal", "placebo", "randomization", "wild-bootstrap", "honest-did",
		"randomized", "power",
	}
}

// Choose judges every method for a design: the headline first, then what is
// shown beside it, what is available, and what is refused, each with reasons.
func Choose(d Design) ([]MethodChoice, error) {
	level, err := checkLevel(d.Level)
	if err != nil {
		return nil, err
	}
	d.Level = level
	for _, n := range []int{d.Treated, d.Comparison, d.TreatedClusters, d.ComparisonClusters, d.Starts, d.Before, d.After, d.Events} {
		if n < 0 {
			return nil, refuse(ErrOption, "a design with %d of something", n)
		}
	}
	for _, ratio := range []float64{d.SpreadRatio, d.UnitSpread, d.Clumped} {
		if !finite(ratio) || ratio < 0 {
			return nil, refuse(ErrOption, "ratio of spreads %v: give a number of at least 0", ratio)
		}
	}
	if !d.Randomised {
		switch {
		case d.Treated == 0:
			return nil, refuse(ErrNoTreated, "the design has no treated unit")
		case d.Comparison == 0 && d.Starts < 2:
			return nil, refuse(ErrNoComparison, "the design has no comparison unit, and all treated units start at once")
		case d.Before == 0 || d.After == 0:
			return nil, refuse(ErrTooFewPeriods, "the design has %d periods before the start and %d from it on: at least 1 on each side is needed", d.Before, d.After)
		}
	}
	out := make([]MethodChoice, 0, len(MethodNames()))
	for _, name := range MethodNames() {
		role, reasons := d.judge(name)
		out = append(out, MethodChoice{Method: name, Role: role, Reasons: reasons})
	}
	order := map[Role]int{Headline: 0, Beside: 1, Available: 2, Refused: 3}
	slices.SortStableFunc(out, func(a, b MethodChoice) int { return order[a.Role] - order[b.Role] })
	return out, nil
}
