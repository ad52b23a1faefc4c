package did

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// wildSample turns draws into statistics. A draw's scores and numerator are
// linear in the draw and in the null effect b: scores A − b·B, numerator
// n − b·m. at holds A and n, then B and m where there is a restricted interval.
type wildSample struct {
	form    *clusterForm
	options WildOptions
	linear  bool        // B and m are there
	columns [][]float64 // by cluster
	at      []float64
	// draws are kept for the interval; without one they are judged at once.
	keep  bool
	draws []wildDraw
	judge wildJudge
}

// wildDraw is a draw: t² = (n − b·m)²/(aa − 2b·ab + b²·bb).
type wildDraw struct {
	weight           float64
	n, m, aa, ab, bb float64
	// same marks the residuals as they were, whose t is the observed one.
	same bool
}

func newWildSample(c *clusterForm, o WildOptions) *wildSample {
	g := len(c.own)
	s := &wildSample{form: c, options: o, keep: !o.NoInterval, linear: !o.NoInterval && !o.Unrestricted}
	// Without the interval the null is fixed; unrestricted draws do not depend
	// on it.
	shift := o.Null
	switch {
	case o.Unrestricted:
		shift = c.effect
	case s.linear:
		shift = 0
	}
	s.columns = c.part(func(h int) float64 { return c.score[h] - shift*c.own[h] },
		func(h, k int) float64 { return c.right[h][k] - shift*c.left[h][k] })
	width := g + 1
	if s.linear {
		d := c.part(func(h int) float64 { return c.own[h] }, func(h, k int) float64 { return c.left[h][k] })
		for h := range d {
			s.columns[h] = append(s.columns[h], d[h]...)
		}
		width *= 2
	}
	s.at = make([]float64, width)
	s.judge = s.newJudge(o.Null)
	return s
}

// part is, by cluster h, what a draw of 1 for h alone adds to every cluster's
// score and to the numerator.
func (c *clusterForm) part(score func(h int) float64, right func(h, k int) float64) [][]float64 {
	g := len(c.own)
	columns := make([][]float64, g)
	for h := range columns {
		x := score(h)
		column := make([]float64, g+1, 2*g+2)
		for j := range g {
			column[j] = -c.own[j] * x / c.total
			for k, l := range c.left[j] {
				column[j] -= l * right(h, k)
			}
		}
		column[h] += x
		column[g] = x
		columns[h] = column
	}
	return columns
}

// set makes v the draw.
func (s *wildSample) set(v []float64) {
	clear(s.at)
	for h, x := range v {
		floats.AddScaled(s.at, x, s.columns[h])
	}
}

// move changes the draw of cluster h.
func (s *wildSample) move(h int, by float64) { floats.AddScaled(s.at, by, s.columns[h]) }

// take keeps or judges the draw; ones says that it is 1 or −1 throughout.
func (s *wildSample) take(weight float64, ones bool) {
	g := len(s.columns)
	a := s.at[:g]
	d := wildDraw{weight: weight, n: s.at[g], aa: floats.Dot(a, a), same: ones && !s.options.Unrestricted}
	if s.linear {
		b := s.at[g+1 : 2*g+1]
		d.m, d.ab, d.bb = s.at[2*g+1], floats.Dot(a, b), floats.Dot(b, b)
	}
	if s.keep {
		s.draws = append(s.draws, d)
	} else {
		s.judge.take(d)
	}
}

// wildJudge compares draws with the observed statistic of one null effect.
type wildJudge struct {
	b                    float64 // the null effect, 0 where draws do not vary with it
	over, under          float64 // observed t², a little more and a little less
	rounding             float64 // squared scores that are nothing else
	total, larger, equal float64 // weights
}

func (s *wildSample) newJudge(null float64) wildJudge {
	c := s.form
	t := c.t(null)
	j := wildJudge{over: t * t * (1 + wildTie) * (1 + wildTie), under: t * t * (1 - wildTie) * (1 - wildTie)}
	if s.linear {
		j.b = null
	}
	rounding := roundingNoise * (c.scale + math.Abs(null)*c.total)
	j.rounding = rounding * rounding
	return j
}

// take counts a draw. One without a spread, whose t is 0/0, does not count.
func (j *wildJudge) take(d wildDraw) {
	if d.same {
		j.total += d.weight
		j.equal += d.weight
		return
	}
	n := d.n - j.b*d.m
	square := n * n
	spread := d.aa - 2*j.b*d.ab + j.b*j.b*d.bb
	if spread <= j.rounding {
		if square <= j.rounding {
			return
		}
		spread = 0
	}
	j.total += d.weight
	switch {
	case square > j.over*spread:
		j.larger += d.weight
	case square >= j.under*spread:
		j.equal += d.weight
	}
}

// shares are the shares of draws with a larger |t| than observed, and with one
// as large.
func (j *wildJudge) shares() (strict, ties float64) {
	if j.total == 0 {
		return 1, 1
	}
	return j.larger / j.total, (j.larger + j.equal) / j.total
}

// shares are those of a null effect, which is that of the options where draws
// were not kept.
func (s *wildSample) shares(null float64) (strict, ties float64) {
	if !s.keep {
		return s.judge.shares()
	}
	j := s.newJudge(null)
	for _, d := range s.draws {
		j.take(d)
	}
	return j.shares()
}

// p is the p-value of a null effect.
func (s *wildSample) p(null float64) float64 {
	strict, ties := s.shares(null)
	if s.options.Ties {
		return ties
	}
	return strict
}

// furthest is how many standard errors from the effect an end of the interval
// is looked for: farther off, p is what it is at infinity.
const furthest = 1e6

// bound is the end of the interval on one side of the effect, sign −1 or 1: the
// nearest effect at which p falls under 1 − level.
func (s *wildSample) bound(sign float64) (at float64, open bool) {
	if s.options.Unrestricted {
		return s.studentised(sign)
	}
	alpha, effect := 1-s.options.Level, s.form.effect
	step := s.form.spread() / s.form.total
	inside, outside := 0.0, step
	for s.p(effect+sign*outside) >= alpha {
		inside = outside
		outside *= 1.25
		if outside > furthest*step {
			return 0, true
		}
	}
	for {
		middle := inside + (outside-inside)/2
		if middle <= inside || middle >= outside || outside-inside < 1e-14*(math.Abs(effect)+outside) {
			return effect + sign*inside, false
		}
		if s.p(effect+sign*middle) >= alpha {
			inside = middle
		} else {
			outside = middle
		}
	}
}

// studentised is the bound of unrestricted draws, which do not depend on the
// null: the effect at which |t| is the quantile of the draws' |t|.
func (s *wildSample) studentised(sign float64) (at float64, open bool) {
	type point struct{ t, weight float64 }
	var points []point
	var total float64
	for _, d := range s.draws {
		if d.aa <= s.judge.rounding {
			continue
		}
		points = append(points, point{math.Abs(d.n) / math.Sqrt(d.aa), d.weight})
		total += d.weight
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(b.t, a.t) })
	var larger float64
	for _, p := range points {
		if larger += p.weight; larger >= (1-s.options.Level)*total {
			return s.form.effect + sign*p.t*s.form.spread()/s.form.total, false
		}
	}
	return 0, true
}
