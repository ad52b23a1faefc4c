package did

import "fmt"

// FixedEffects is the answer of [TwoWayFixedEffects].
type FixedEffects struct {
	Effect     Estimate
	Covariates []Coefficient
	// TreatedRows counts the rows from their unit's start on.
	TreatedRows int
	Sample      Sample
	// Refusal says why the effect has no standard error where one would
	// mislead; empty where it has one, or where nothing is left unexplained.
	Refusal string
	// Staggered is set where units start in different periods: then Effect is
	// no answer to anything, and stands here to be compared with.
	Staggered *Staggered
	Warnings  []string
}

// Staggered says what two-way fixed effects mix up.
type Staggered struct {
	// Bacon is the decomposition of the effect, nil where there is none: it
	// needs a panel without gaps, covariates and weights.
	Bacon *Bacon
	// NegativeWeight is the sum of the negative weights, at most 0, with which
	// the effect averages the treated rows' effects (de Chaisemartin and
	// D'Haultfœuille 2020); NegativeRows counts those rows. Weights add up
	// to 1.
	NegativeWeight float64
	NegativeRows   int
}

// TwoWayFixedEffects regresses the outcome on being treated beside unit and
// period effects, which are absorbed exactly, and covariates, with weights.
// With one start it is the difference in differences. With several it compares
// units with others that are treated already and can have the wrong sign: the
// answer then carries [Staggered] and a warning.
//
// Conventions are those of R's fixest: units with a single row are left out,
// units treated throughout stay in, and t has G − 1 degrees of freedom with
// [CR1]. A cluster-robust error is refused where one cluster alone is treated.
func TwoWayFixedEffects(p Panel, o FixedEffectsOptions) (*FixedEffects, error) {
	r, err := newPanelRegression(p, o, nil)
	if err != nil {
		return nil, err
	}
	f, k, treated, err := r.runTreatment()
	if err != nil {
		return nil, err
	}
	out := &FixedEffects{TreatedRows: treated, Sample: r.sample(), Refusal: r.refusal(), Warnings: r.warnings()}
	var u uncertainty
	if out.Refusal == "" {
		if u, err = f.covariance(r.options.Covariance, r.clusters, nil); err != nil {
			return nil, err
		}
		out.Refusal = u.refusal
	}
	out.Effect = f.estimate(k, u, r.options.Level)
	out.Covariates = r.coefficients(f, u)
	if _, _, starts := r.clusters.sides(r.t, r.used); starts > 1 {
		out.Staggered = f.staggered(k)
		out.Warnings = append(out.Warnings, out.Staggered.warning())
	}
	return out, nil
}

// runTreatment runs the regression on being treated, which is coefficient k, in
// so many treated rows.
func (r *panelRegression) runTreatment() (f *fit, k, treated int, err error) {
	class, treated := r.t.treatedClass(r.used)
	if treated == 0 {
		return nil, 0, 0, refuse(ErrNoTreated, "no row is treated")
	}
	if f, err = r.run(class, 1); err != nil {
		return nil, 0, 0, err
	}
	k, ok := f.coefficient(0)
	if !ok {
		return nil, 0, 0, refuse(ErrNotIdentified, "being treated cannot be told from %s", r.beside())
	}
	return f, k, treated, nil
}

// treatedClass marks treated rows as class 0 and counts those used.
func (t *table) treatedClass(used []bool) (class []int, treated int) {
	class = make([]int, t.rows())
	for u, g := range t.first {
		for i := t.start[u]; i < t.start[u+1]; i++ {
			class[i] = -1
			if used[i] && t.periods[t.period[i]] >= g {
				class[i] = 0
				treated++
			}
		}
	}
	return class, treated
}

func (r *panelRegression) beside() string {
	if len(r.x) > 0 {
		return "unit and period effects and covariates: no unit changes between periods in which another does not"
	}
	return "unit and period effects: no unit changes between periods in which another does not"
}

// staggered looks into coefficient k.
func (f *fit) staggered(k int) *Staggered {
	s := &Staggered{}
	if t := f.table(); len(t.x) == 0 && t.w == nil && f.rows == t.rows() {
		// Without an error it is nil, which says that there is none.
		s.Bacon, _ = t.decompose()
	}
	// The coefficient weighs a row by its column less effects and other
	// columns; treated rows' weights add up to 1.
	buffer := f.rowBuffer()
	var negative float64
	for b := range f.effects.weight {
		f.eachRow(b, buffer, func(i int, row []float64) {
			if f.class[i] != 0 {
				return
			}
			var w float64
			for j, x := range row {
				w += f.inverse.At(k, j) * x
			}
			if w *= f.table().weightOf(i); w < -roundingNoise {
				negative += w
				s.NegativeRows++
			}
		})
	}
	s.NegativeWeight = negative
	return s
}

func (s *Staggered) warning() string {
	text := "Units start in different periods: two-way fixed effects compare some of them with units treated already, so this value is no effect."
	if s.Bacon != nil {
		text += fmt.Sprintf(" %.1f %% of its weight lies on such comparisons.", 100*s.Bacon.Forbidden())
	}
	if s.NegativeRows > 0 {
		text += fmt.Sprintf(" %d treated rows count with negative weight, %.3f in all.", s.NegativeRows, s.NegativeWeight)
	}
	return text
}
