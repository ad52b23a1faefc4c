package chart

import "math"

// Unit is what an axis of effects or changes counts.
type Unit int

// The units. Percent and Points share an axis; nothing else does.
const (
	Percent Unit = iota
	Points
	Ratio
	Level
)

// noChange is the value at which nothing changed.
func (u Unit) noChange() float64 {
	if u == Ratio {
		return 1
	}
	return 0
}

// axis maps values to pixels. lo and hi are in the axis' own coordinates: the
// value itself, or its binary logarithm for ratios.
type axis struct {
	unit Unit
	// suffix follows the outermost labels: " h".
	suffix         string
	lo, hi, step   float64
	fromPx, toPx   float64
	labelEvery     int
	zeroInWords    bool
	unsignedLabels bool
}

// limit and ratioLimit, its binary logarithm, keep arithmetic on absurd input
// finite.
const (
	limit      = 1e100
	ratioLimit = 332
)

// coordinate is v on the axis, bounded. A ratio of zero or less has no place
// on a logarithmic axis and is put at its lower end.
func (a axis) coordinate(v float64) float64 {
	if a.unit == Ratio {
		if v <= 0 {
			return a.lo
		}
		return math.Max(-ratioLimit, math.Min(ratioLimit, math.Log2(v)))
	}
	return math.Max(-limit, math.Min(limit, v))
}

// at is the pixel of v.
func (a axis) at(v float64) float64 {
	if a.hi == a.lo {
		return a.fromPx
	}
	return a.fromPx + (a.coordinate(v)-a.lo)/(a.hi-a.lo)*(a.toPx-a.fromPx)
}

type tick struct {
	at    float64 // pixel
	text  string
	label bool // false: a grid line without a label
	zero  bool // the line of no change
}

// ticks lists the axis' lines from lo to hi.
func (a axis) ticks() []tick {
	var out []tick
	n := int(math.Min(200, math.Round((a.hi-a.lo)/a.step)))
	zero := int(math.Round(-a.lo / a.step))
	every := max(a.labelEvery, 1)
	first, last := -1, -1
	for i := 0; i <= n; i++ {
		if (i-zero)%every == 0 && i != zero {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	for i := 0; i <= n; i++ {
		c := float64(i-zero) * a.step
		if zero < 0 || zero > n {
			c = a.lo + float64(i)*a.step
		}
		t := tick{
			at:    a.fromPx + (c-a.lo)/(a.hi-a.lo)*(a.toPx-a.fromPx),
			zero:  i == zero,
			label: (i-zero)%every == 0 || i == zero,
		}
		t.text = a.label(c, i == first || i == last)
		out = append(out, t)
	}
	return out
}

// widest is the width of the widest label.
func (a axis) widest() float64 {
	w := 0.0
	for _, t := range a.ticks() {
		w = math.Max(w, width(t.text, 12))
	}
	return w
}

// label writes the tick at coordinate c; outer ticks carry the unit.
func (a axis) label(c float64, outer bool) string {
	if math.Abs(c) < a.step/1e6 {
		c = 0
	}
	if c == 0 && a.zeroInWords {
		return "no change"
	}
	if a.unit == Ratio {
		switch {
		case c < 0:
			return "÷" + narrowSpace + power(-c)
		case c == 0:
			return "×" + narrowSpace + "1"
		}
		return "×" + narrowSpace + power(c)
	}
	s := signed(c, a.step)
	if a.unsignedLabels {
		s = number(c, a.step)
	}
	if a.unit == Percent && c != 0 {
		return s + narrowSpace + "%"
	}
	if outer && c != 0 {
		return s + a.suffix
	}
	return s
}

// power writes two to the c.
func power(c float64) string { return number(math.Exp2(c), 1) }

// niceStep is the smallest of 1, 2, 2.5, 5 times a power of ten that is at least raw.
func niceStep(raw float64) float64 {
	if !(raw > 0) || math.IsInf(raw, 0) {
		return 1
	}
	p := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if raw <= m*p*(1+1e-9) {
			return m * p
		}
	}
	return 10 * p
}

// stepFor is the nice step that spans [lo, hi] in whole steps, counted from
// zero, with the least left empty and about n of them.
func stepFor(lo, hi float64, n int) float64 {
	span := hi - lo
	if !(span > 0) || math.IsInf(span, 0) {
		return 1
	}
	best, cost := niceStep(span/float64(n)), math.Inf(1)
	for k := n/2 + 1; k <= n+n/2; k++ {
		s := niceStep(span / float64(k))
		steps := math.Ceil(hi/s-1e-9) - math.Floor(lo/s+1e-9)
		c := steps*s/span + .04*math.Abs(steps-float64(n))
		if steps < 4 {
			c += .5 // too few lines to read a value from
		}
		if c < cost-1e-9 {
			best, cost = s, c
		}
	}
	return best
}

// effectAxis spans all values and no change, with about n steps. It is
// symmetric unless that would leave most of one half empty.
func effectAxis(u Unit, suffix string, values []float64, n int) axis {
	a := axis{unit: u, suffix: suffix, labelEvery: 1}
	lo, hi := 0.0, 0.0
	for _, v := range values {
		if u == Ratio && v <= 0 {
			continue
		}
		c := a.coordinate(v)
		lo, hi = math.Min(lo, c), math.Max(hi, c)
	}
	m := math.Max(-lo, hi)
	if m == 0 {
		m = map[Unit]float64{Percent: 10, Points: 10, Ratio: 1, Level: 1}[u]
	}
	if math.Min(-lo, hi) > m/4 || u == Ratio || m <= 100 && u != Level {
		lo, hi = -m, m
	} else {
		lo, hi = math.Min(lo, -m/5), math.Max(hi, m/5)
	}
	a.step = stepFor(lo, hi, n)
	if u == Ratio {
		a.step = ratioStep(hi-lo, n)
	}
	a.lo, a.hi = math.Floor(lo/a.step+1e-9)*a.step, math.Ceil(hi/a.step-1e-9)*a.step
	return a
}

// ratioStep is a whole power of two, or the half or quarter of one where all
// ratios are close to 1.
func ratioStep(span float64, n int) float64 {
	raw := span / float64(n)
	for _, s := range []float64{.25, .5} {
		if raw <= s*1.2 {
			return s
		}
	}
	return math.Max(1, math.Ceil(raw))
}

// valueAxis spans measured values with about n steps. It starts at zero unless
// that would press the values into the upper quarter.
func valueAxis(values []float64, n int) axis {
	a := axis{unit: Level, labelEvery: 1, unsignedLabels: true}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		v = a.coordinate(v)
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	if lo > hi {
		lo, hi = 0, 1
	}
	if lo >= 0 && lo < hi*.72 || lo == hi {
		lo = math.Min(lo, 0)
	}
	if hi <= 0 && hi > lo*.72 {
		hi = 0
	}
	if hi-lo <= 1e-9*math.Max(math.Abs(lo), math.Abs(hi)) {
		lo, hi = math.Min(lo, 0), math.Max(hi, 0)
	}
	if hi == lo {
		hi = lo + 1
	}
	a.step = stepFor(lo, hi, n)
	a.lo, a.hi = math.Floor(lo/a.step+1e-9)*a.step, math.Ceil(hi/a.step-1e-9)*a.step
	return a
}

// over returns a with its pixels set.
func (a axis) over(from, to float64) axis {
	a.fromPx, a.toPx = from, to
	return a
}

// withZeroAt returns a spread over [from, to] with no change at pixel zero: the
// domain grows on one side until that is so.
func (a axis) withZeroAt(from, to, zero float64) axis {
	perLeft, perRight := -a.lo/(zero-from), a.hi/(to-zero)
	per := math.Max(perLeft, perRight)
	a.lo, a.hi = -per*(zero-from), per*(to-zero)
	// Whole steps only, so that grid lines fall on round numbers; the pixels
	// give way instead of the domain.
	lo, hi := math.Ceil(a.lo/a.step-1e-9)*a.step, math.Floor(a.hi/a.step+1e-9)*a.step
	a.fromPx, a.toPx = zero+lo/per, zero+hi/per
	a.lo, a.hi = lo, hi
	return a
}
