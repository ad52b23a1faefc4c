package did_test

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"steelyard/metrics/did"
)

// change is something done to a panel that answers must not notice, or must
// follow in scale.
type change int

const (
	constant change = iota
	unitEffect
	periodEffect
	order
	scale
	changes
)

func (c change) String() string {
	return [...]string{"constant", "unit effects", "period effects", "other order and names", "scale"}[c]
}

// reading is what a method says of a panel, sorted by what a change of scale
// does to it: points and spreads follow, and free numbers stay.
type reading struct {
	result                any
	points, spreads, free []float64
}

// estimate adds an estimate; its ends count as spreads around the point.
func (r *reading) estimate(es ...did.Estimate) {
	for _, e := range es {
		has := 0.0
		if e.HasSE {
			has = 1
			r.spreads = append(r.spreads, e.SE, e.Low-e.Value, e.High-e.Value)
		}
		r.points = append(r.points, e.Value)
		r.free = append(r.free, has, e.P, e.DF)
	}
}

func (r *reading) events(es []did.EventEstimate) {
	for _, e := range es {
		r.estimate(e.Estimate)
		r.free = append(r.free, float64(e.Event), float64(e.Units))
	}
}

// method is a public estimator on a panel.
type method struct {
	name string
	read func(p did.Panel) (reading, error)
	// effect gives the first point of a panel without noise whose effect is 2;
	// false where the first point is something else.
	effect bool
	// notices lists the changes a method may notice and is right to, spreadsToo
	// those at which its points stay and its spreads need not.
	notices, spreadsToo []change
}

// oneStart reads a panel as the methods for few treated units do.
func oneStart(read func(o *did.OneStart, r *reading) error) func(did.Panel) (reading, error) {
	return func(p did.Panel) (r reading, err error) {
		o, err := did.NewOneStart(p)
		if err != nil {
			return r, err
		}
		return r, read(o, &r)
	}
}

// oneUnit is the same for methods of a single treated unit.
func oneUnit(read func(o *did.OneStart, r *reading) error) func(did.Panel) (reading, error) {
	return oneStart(func(o *did.OneStart, r *reading) error {
		if len(o.Marks) > 1 && o.Marks[1] {
			return &did.Error{Code: did.ErrShape, Detail: "more than one treated unit"}
		}
		return read(o, r)
	})
}

// everyMethod is every public estimator that a panel can be given to.
func everyMethod() []method {
	all := slices.Concat(regressionMethods(), groupTimeMethods(), fewMethods(), distributionMethods())
	slices.SortStableFunc(all, func(a, b method) int { return strings.Compare(a.name, b.name) })
	return all
}

func regressionMethods() []method {
	var out []method
	for kind, name := range []string{"CR1", "CR2", "homoskedastic", "HC1", "HC2", "HC3"} {
		o := did.FixedEffectsOptions{Covariance: did.Covariance(kind)}
		out = append(out, method{name: "twfe " + name, effect: true, read: func(p did.Panel) (r reading, err error) {
			e, err := did.TwoWayFixedEffects(p, o)
			if err == nil {
				r.result = e
				r.estimate(e.Effect)
			}
			return r, err
		}}, method{name: "event-study " + name, read: func(p did.Panel) (r reading, err error) {
			e, err := did.EventStudy(p, did.EventStudyOptions{FixedEffectsOptions: o})
			if err != nil {
				return r, err
			}
			r.result = e
			r.events(e.Points)
			if e.PreTest != nil {
				r.free = append(r.free, e.PreTest.P)
			}
			return r, nil
		}}, method{name: "sun-abraham " + name, effect: true, read: func(p did.Panel) (r reading, err error) {
			e, err := did.SunAbraham(p, did.SunAbrahamOptions{FixedEffectsOptions: o})
			if err != nil {
				return r, err
			}
			r.result = e
			r.estimate(e.ATT)
			r.events(e.Events)
			return r, nil
		}})
	}
	return append(out,
		method{
			name: "two-by-two", effect: true,
			// Its pooled errors count the differences of units and periods.
			spreadsToo: []change{unitEffect, periodEffect},
			read: func(p did.Panel) (r reading, err error) {
				e, err := did.TwoByTwo(p, did.TwoByTwoOptions{})
				if err != nil {
					return r, err
				}
				r.result = e
				r.estimate(e.Homoskedastic, e.HC1, e.Clustered)
				if e.Balanced != nil {
					r.estimate(e.Balanced.Pooled, e.Balanced.Welch)
				}
				return r, nil
			},
		},
		method{name: "goodman-bacon", effect: true, read: func(p did.Panel) (r reading, err error) {
			b, err := did.GoodmanBacon(p)
			if err != nil {
				return r, err
			}
			r.result, r.points = b, []float64{b.Effect}
			for _, c := range b.Parts {
				r.points, r.free = append(r.points, c.Effect), append(r.free, c.Weight)
			}
			return r, nil
		}},
		method{name: "two-stage", effect: true, read: func(p did.Panel) (r reading, err error) {
			e, err := did.TwoStage(p, did.TwoStageOptions{Events: true})
			if err != nil {
				return r, err
			}
			r.result = e
			r.estimate(e.Static)
			r.events(e.Events)
			return r, nil
		}},
		method{name: "imputation", effect: true, read: func(p did.Panel) (r reading, err error) {
			e, err := did.Impute(p, did.ImputationOptions{Horizons: true, PreTrends: 2})
			if err != nil {
				return r, err
			}
			r.result = e
			r.estimate(e.Static)
			r.events(append(e.Horizons, e.PreTrends...))
			return r, nil
		}},
		method{name: "wild-bootstrap", effect: true, read: func(p did.Panel) (r reading, err error) {
			w, err := did.WildBootstrap(p, did.WildOptions{Ties: true, FewTreated: true, Enumerate: 1 << 14})
			if err != nil {
				return r, err
			}
			r.result = w
			r.points, r.spreads = []float64{w.Value}, []float64{w.SE, w.Low - w.Value, w.High - w.Value}
			r.free = []float64{w.P, w.T}
			return r, nil
		}},
		method{
			name: "poisson",
			// Effects are factors here and weigh rows; its scale is an exponent's.
			notices: []change{unitEffect, periodEffect, scale},
			read: func(p did.Panel) (r reading, err error) {
				e, err := did.PoissonRatio(changed(p, func(i int) float64 { return math.Exp(0.1 * p.Y[i]) }), did.PoissonOptions{FewTreated: true})
				if err == nil {
					r.result = e
					r.estimate(e.Effect)
				}
				return r, err
			},
		},
		method{
			name: "randomized",
			// Tasks have no units and periods, and logarithms no scale.
			notices: []change{unitEffect, periodEffect, scale},
			read: func(p did.Panel) (r reading, err error) {
				tasks := did.Tasks{Y: p.Y, X: p.X, Cluster: p.Unit}
				for i, u := range p.Unit {
					if u < 0 || u >= len(p.First) {
						return r, &did.Error{Code: did.ErrShape, Detail: "not a panel"}
					}
					tasks.Treated = append(tasks.Treated, p.Time[i] >= p.First[u])
				}
				e, err := did.Randomized(tasks, did.RandomizedOptions{Wild: did.WildOptions{Enumerate: 1 << 14, Ties: true}})
				if err == nil {
					r.result = e
					r.estimate(e.Homoskedastic.Log, e.HC3.Log, e.Median.Log)
				}
				return r, err
			},
		})
}

func groupTimeMethods() []method {
	var out []method
	for _, control := range []did.Control{did.NeverTreated, did.NotYetTreated} {
		for _, base := range []did.BasePeriod{did.Varying, did.Universal} {
			for _, adjust := range []did.Adjustment{did.DoublyRobust, did.OutcomeRegression, did.InverseProbability} {
				o := did.GroupTimeOptions{Control: control, Base: base, Method: adjust}
				out = append(out, method{
					name: fmt.Sprintf("callaway-santanna %d%d%d", control, base, adjust), effect: true,
					read: func(p did.Panel) (reading, error) { return readGroupTime(p, o) },
				})
			}
		}
	}
	return out
}

func readGroupTime(p did.Panel, o did.GroupTimeOptions) (r reading, err error) {
	g, err := did.CallawaySantAnna(p, o)
	if err != nil {
		return r, err
	}
	simple, err := g.Simple()
	if err != nil {
		return r, err
	}
	r.estimate(simple.Estimate)
	for _, c := range g.Cells {
		r.estimate(c.Estimate)
	}
	dynamic, err := g.Dynamic(-100, 100)
	if err != nil {
		return r, err
	}
	r.estimate(dynamic.Overall)
	r.events(dynamic.Points)
	group, err := g.Group()
	if err != nil {
		return r, err
	}
	calendar, err := g.Calendar()
	if err != nil {
		return r, err
	}
	r.estimate(group.Overall, calendar.Overall)
	if w, err := g.PreTest(); err == nil {
		r.free = append(r.free, w.P)
	}
	r.result = []any{*g, simple, dynamic, group, calendar}
	return r, nil
}

func fewMethods() []method {
	out := []method{
		{name: "cross-fit-t", effect: true, read: oneStart(func(o *did.OneStart, r *reading) error {
			e, err := did.CrossFitGap(o.Gap, o.Before, 3, 0)
			r.result = e
			r.estimate(e.Estimate)
			return err
		})},
		{name: "donald-lang", effect: true, read: oneUnit(func(o *did.OneStart, r *reading) error {
			e, err := did.DonaldLang(o.Changes[0], o.Changes[1:], 0)
			r.result = e
			r.estimate(e)
			return err
		})},
		{name: "placebo", effect: true, read: oneUnit(func(o *did.OneStart, r *reading) error {
			e, err := did.PlaceboRank(o.Changes, 0)
			if err == nil {
				r.result, r.points, r.free = e, []float64{e.Effects[0]}, []float64{e.P, e.Floor, e.LeaveOutP}
			}
			return err
		})},
		{name: "hodges-lehmann", effect: true, read: oneStart(func(o *did.OneStart, r *reading) error {
			n := slices.Index(o.Marks, false)
			e, err := did.HodgesLehmann(o.Changes[:max(n, 0)], o.Changes[max(n, 0):], 0)
			r.result, r.points, r.free = e, []float64{e.Value, e.Low, e.High}, []float64{e.P}
			return err
		})},
		{name: "anytime", effect: true, read: oneStart(func(o *did.OneStart, r *reading) error {
			e, err := did.AnytimeSequence(o.Gap, o.Before, did.AnytimeOptions{})
			if err != nil {
				return err
			}
			r.result = e
			for _, l := range slices.Backward(e.Looks) {
				r.points = append(r.points, l.Value)
				r.spreads = append(r.spreads, l.Low-l.Value, l.High-l.Value)
				r.free = append(r.free, l.P)
			}
			return nil
		})},
		{name: "pre-trend", read: oneStart(func(o *did.OneStart, r *reading) error {
			var comparisons [][]float64
			for _, c := range o.Comparisons {
				comparisons = append(comparisons, c[:o.Before])
			}
			e, err := did.PreTrend(nil, o.Treated[:o.Before], comparisons, 0)
			r.result = e
			r.estimate(e.Slope)
			return err
		})},
		{
			name: "design", notices: []change{periodEffect}, // its spreads hold them
			read: func(p did.Panel) (r reading, err error) {
				d, err := did.DesignOf(p)
				if err != nil {
					return r, err
				}
				choices, err := did.Choose(d)
				r.result = []any{d, choices}
				r.free = []float64{d.SpreadRatio, float64(d.Treated), float64(d.Comparison), float64(d.Starts), float64(len(choices))}
				return r, err
			},
		},
		{name: "honest-did", read: func(p did.Panel) (r reading, err error) {
			e, err := did.EventStudy(p, did.EventStudyOptions{First: -2, Last: 1, FixedEffectsOptions: did.FixedEffectsOptions{Covariance: did.Homoskedastic}})
			if err != nil {
				return r, err
			}
			return readHonest(e.HonestInput())
		}},
		{name: "honest-did of one unit", read: oneStart(func(o *did.OneStart, r *reading) error {
			const last = 3 // periods on each side, so that units are more
			cut := func(y []float64) []float64 { return y[max(o.Before-last, 0):min(o.Before+last, len(y))] }
			var comparisons [][]float64
			for _, c := range o.Comparisons {
				comparisons = append(comparisons, cut(c))
			}
			in, err := did.UnitStudy(cut(o.Treated), comparisons, min(o.Before, last))
			if err != nil {
				return err
			}
			*r, err = readHonest(in)
			return err
		})},
	}
	for scheme, name := range []string{"blocks", "permutations"} {
		out = append(out, method{name: "conformal " + name, effect: true, read: oneStart(func(o *did.OneStart, r *reading) error {
			e, err := did.Conformal(o.Gap, o.Before, did.ConformalOptions{Scheme: did.ConformalScheme(scheme), Level: 0.8})
			r.result, r.points, r.free = e, []float64{e.Value}, []float64{e.P}
			r.spreads = []float64{e.Low - e.Value, e.High - e.Value}
			if e.LowOpen || e.HighOpen || e.NoInterval != "" {
				r.spreads = nil
			}
			return err
		})})
	}
	for statistic, name := range []string{"difference", "studentised"} {
		out = append(out, method{name: "randomization " + name, effect: true, read: oneStart(func(o *did.OneStart, r *reading) error {
			e, err := did.Randomization(o.Changes, o.Marks, did.RandomizationOptions{Statistic: did.RandomizationStatistic(statistic), Level: 0.8})
			r.result, r.points, r.free = e, []float64{e.Value, e.Low, e.High}, []float64{e.P}
			return err
		})})
	}
	out = append(out, method{name: "changes of units", effect: true, read: oneStart(func(o *did.OneStart, r *reading) error {
		own, others := sidesOf(o)
		e, err := did.CompareChanges(own, others, did.ChangesOptions{Level: 0.8})
		if err != nil {
			return err
		}
		b := e.Bootstrap
		r.result, r.points, r.free = e, []float64{b.Value}, []float64{b.P, b.T}
		if !b.LowOpen && !b.HighOpen {
			r.spreads = []float64{b.Low - b.Value, b.High - b.Value}
		}
		return nil
	})}, method{name: "difference of changes", effect: true, read: oneStart(func(o *did.OneStart, r *reading) error {
		own, others := sidesOf(o)
		e, err := did.WelchDifference(own, others, 0.8)
		r.result = e
		r.estimate(e)
		return err
	})})
	for kind, name := range []string{"did", "control", "equal"} {
		m := method{name: "synthetic " + name, effect: kind != int(did.SyntheticControl), read: func(p did.Panel) (r reading, err error) {
			e, err := did.SyntheticControls(p, did.SyntheticOptions{Method: did.SyntheticMethod(kind), Placebos: 5})
			if err != nil {
				return r, err
			}
			r.result, r.points = e, []float64{e.Estimate.Value}
			return r, nil // placebos at random fall on other units in another order
		}}
		if did.SyntheticMethod(kind) != did.EqualWeights {
			m.notices = []change{periodEffect} // the noise level holds them
		}
		if did.SyntheticMethod(kind) == did.SyntheticControl {
			m.notices = append(m.notices, unitEffect) // it matches levels
		}
		out = append(out, m)
	}
	return out
}

// sidesOf are the changes of treated and of other units.
func sidesOf(o *did.OneStart) (own, others []float64) {
	for i, x := range o.Changes {
		if o.Marks[i] {
			own = append(own, x)
		} else {
			others = append(others, x)
		}
	}
	return own, others
}

func readHonest(in did.HonestInput) (r reading, err error) {
	o := did.HonestOptions{Bounds: []float64{0, 0.5}}
	relative, err := did.RelativeMagnitudes(in, o)
	if err != nil {
		return r, err
	}
	o.Bounds = []float64{0}
	smooth, err := did.SmoothTrend(in, o)
	if err != nil {
		return r, err
	}
	r.result = []any{relative, smooth}
	r.estimate(relative.Original)
	for _, x := range slices.Concat(relative.Intervals, smooth.Intervals) {
		r.points = append(r.points, x.Low, x.High)
	}
	return r, nil
}

func distributionMethods() []method {
	pooled := []change{unitEffect, periodEffect} // change the distribution of all rows
	return []method{
		{name: "quantile", effect: false, notices: pooled, read: func(p did.Panel) (r reading, err error) {
			e, err := did.QuantileDiD(p, did.QuantileDiDOptions{FewTreated: true})
			if err == nil {
				r.result = e
				r.estimate(e.Independent, e.Clustered)
			}
			return r, err
		}},
		{name: "restricted-mean", notices: pooled, read: func(p did.Panel) (r reading, err error) {
			e, err := did.RestrictedMeanDiD(p, ended(p), did.RestrictedMeanOptions{FewTreated: true})
			if err == nil {
				r.result = e
				r.estimate(e.Difference.Independent, e.Difference.Clustered)
			}
			return r, err
		}},
		{name: "kaplan-meier", notices: append(pooled, constant), read: func(p did.Panel) (r reading, err error) {
			s, err := did.KaplanMeier(p.Y, ended(p))
			if err != nil {
				return r, err
			}
			m, _ := s.Median()
			e, err := s.RestrictedMean(m, 0)
			r.result, r.points = []any{s, e}, []float64{m}
			r.estimate(e)
			return r, err
		}},
		{name: "exact-count", notices: append(pooled, constant, scale), read: func(p did.Panel) (r reading, err error) {
			var c [4]int
			for i, u := range p.Unit {
				if u < 0 || u >= len(p.First) || !(p.Y[i] >= 0 && p.Y[i] < 1e6) {
					return r, &did.Error{Code: did.ErrNotFinite, Detail: "no counts"}
				}
				k := 0
				if p.Time[i] < 10 {
					k = 1
				}
				if p.First[u] == did.Never {
					k += 2
				}
				c[k] += int(p.Y[i])
			}
			e, err := did.ExactRatio(did.CountTable{TreatedAfter: c[0], TreatedBefore: c[1], ComparisonAfter: c[2], ComparisonBefore: c[3]}, 0)
			r.result, r.free = e, []float64{e.Low, e.High, e.P}
			return r, err
		}},
	}
}

// ended says that every row had ended.
func ended(p did.Panel) []bool {
	out := make([]bool, len(p.Y))
	for i := range out {
		out[i] = true
	}
	return out
}
