package did

import (
	"fmt"
	"slices"
)

// FixedEffectsOptions are the choices of [TwoWayFixedEffects].
type FixedEffectsOptions struct {
	// Level of confidence; 0 means 0.95.
	Level      float64
	Covariance Covariance
	// Cluster[u] is the cluster of unit u, parallel to [Panel.First], any
	// integers; nil means that each unit is its own.
	Cluster []int
	// ByPeriod gives each covariate a coefficient of its own in every period
	// but the first, in place of one for all: for covariates that do not
	// change in time but may matter differently from period to period.
	ByPeriod bool
	// Repeats allows a unit several rows in a period.
	Repeats bool
	// FewTreated asks for cluster-robust errors even where one cluster alone
	// is treated, or alone is not. They are far too small then; it is there to
	// reproduce numbers that others published.
	FewTreated bool
}

// Coefficient is the coefficient of a covariate.
type Coefficient struct {
	// Covariate is the covariate's index in [Panel.X].
	Covariate int
	// Period is the period whose coefficient it is; HasPeriod is false where
	// there is one for all.
	Period    int
	HasPeriod bool
	Estimate  Estimate
	// Missing says why there is no estimate; empty where there is one.
	Missing string
}

// maxCovariateCells bounds the memory of covariates by period.
const maxCovariateCells = 1 << 28

// panelRegression is a panel made ready to be regressed on covariates and
// classes of rows, beside unit and period effects.
type panelRegression struct {
	t          *table
	options    FixedEffectsOptions
	used       []bool
	effects    *twoWay
	clusters   *clustering
	x          [][]float64
	covariates []Coefficient // parallel to x
	dropped    []Drop
}

// newPanelRegression reads a panel; leaveOut unmarks rows that do not take
// part.
func newPanelRegression(p Panel, o FixedEffectsOptions, leaveOut func(t *table, used []bool) ([]Drop, error)) (*panelRegression, error) {
	var err error
	if o.Level, err = checkLevel(o.Level); err != nil {
		return nil, err
	}
	if err := o.Covariance.check(); err != nil {
		return nil, err
	}
	r := &panelRegression{options: o}
	if r.t, err = readTable(p, o.Repeats); err != nil {
		return nil, err
	}
	r.used = make([]bool, r.t.rows())
	for i := range r.used {
		r.used[i] = true
	}
	if leaveOut != nil {
		if r.dropped, err = leaveOut(r.t, r.used); err != nil {
			return nil, err
		}
	}
	r.dropped = append(r.dropped, leaveOutSingletons(r.t, r.used)...)
	if !slices.Contains(r.used, true) {
		return nil, refuse(ErrNoComparison, "no row has another beside it in its unit and in its period: nobody is left to compare with")
	}
	if r.clusters, err = newClustering(p, o.Cluster, r.t, r.used); err != nil {
		return nil, err
	}
	if err := r.addCovariates(); err != nil {
		return nil, err
	}
	r.effects, err = newTwoWay(r.t, r.used)
	return r, err
}

// addCovariates lists the covariates' columns, by period where asked for.
func (r *panelRegression) addCovariates() error {
	if !r.options.ByPeriod {
		r.x = r.t.x
		for k := range r.x {
			r.covariates = append(r.covariates, Coefficient{Covariate: k})
		}
		return nil
	}
	later := r.t.periods[1:]
	if n := len(r.t.x) * len(later); n > maxColumns || n*r.t.rows() > maxCovariateCells {
		return refuse(ErrShape, "%d covariates by %d periods on %d rows take too much memory: count in longer periods", len(r.t.x), len(later), r.t.rows())
	}
	for k, values := range r.t.x {
		for p, period := range later {
			column := make([]float64, len(values))
			for i, at := range r.t.period {
				if at == p+1 {
					column[i] = values[i]
				}
			}
			r.x = append(r.x, column)
			r.covariates = append(r.covariates, Coefficient{Covariate: k, Period: period, HasPeriod: true})
		}
	}
	return nil
}

func (r *panelRegression) run(class []int, classes int) (*fit, error) {
	return regression{effects: r.effects, x: r.x, class: class, classes: classes}.run()
}

// refusal says why the covariance asked for would mislead, or "".
func (r *panelRegression) refusal() string {
	if !r.options.Covariance.clustered() || r.options.FewTreated {
		return ""
	}
	return r.clusters.fewTreated(r.t, r.used)
}

// warnings are what must be said of the covariance asked for.
func (r *panelRegression) warnings() []string {
	if r.options.Covariance.clustered() {
		return nil
	}
	return []string{"Rows of one unit count as independent: where they are not, the standard error is too small."}
}

// coefficients are the covariates' coefficients.
func (r *panelRegression) coefficients(f *fit, u uncertainty) []Coefficient {
	out := make([]Coefficient, len(r.covariates))
	for k, c := range r.covariates {
		out[k] = c
		if at := f.column[k]; at >= 0 {
			out[k].Estimate = f.estimate(at, u, r.options.Level)
		} else {
			out[k].Missing = "unit and period effects and earlier covariates explain it"
		}
	}
	return out
}

// Sample counts what a regression was run on.
type Sample struct {
	Rows, Units, Periods, Clusters int
	Dropped                        []Drop
}

func (r *panelRegression) sample() Sample {
	s := Sample{Units: r.effects.usedBlocks(), Periods: r.effects.usedPeriods(), Clusters: r.clusters.used, Dropped: r.dropped}
	for _, used := range r.used {
		if used {
			s.Rows++
		}
	}
	return s
}

// leaveOutEarly drops units treated in or before the first period: they have
// nothing before treatment to be compared with.
func leaveOutEarly(t *table, used []bool) ([]Drop, error) {
	d := Drop{Reason: "the unit is treated in or before the first period, so it has no period before treatment"}
	treated := false
	for u, g := range t.first {
		if g > t.periods[0] {
			treated = treated || t.treated(g)
			continue
		}
		d.Units++
		for i := t.start[u]; i < t.start[u+1]; i++ {
			used[i] = false
			d.Rows++
			d.TreatedRows++
		}
	}
	if !treated {
		return nil, refuse(ErrNoTreated, "no unit is first treated after the first period (%d) and by the last (%d)", t.periods[0], t.lastPeriod())
	}
	if d.Units == 0 {
		return nil, nil
	}
	return []Drop{d}, nil
}

// explained is why a term cannot be estimated.
func explained(what string) string {
	return fmt.Sprintf("unit and period effects, covariates and %s explain it", what)
}
