package chart

import (
	"math"
	"strconv"
)

// Span is an axis that several effect strips share.
type Span struct{ a axis }

// SharedSpan is the symmetric axis that holds all effects of one unit, with no
// change in the middle, so that strips of different units still line up.
func SharedSpan(u Unit, suffix string, effects []Interval) Span {
	var values []float64
	for _, e := range effects {
		values = append(values, e.values()...)
	}
	a := effectAxis(u, suffix, values, 5)
	m := math.Max(-a.lo, a.hi)
	a.lo, a.hi = -m, m
	a.zeroInWords = true
	return Span{a.over(4, 96)}
}

// Strip draws one pilot's effect for a card. It has no viewBox: x is in
// percent of whatever width the card has, so that dots stay round and text
// keeps its size. extra is how far the smallest visible effect reaches where
// there is no estimate yet, or nil.
func Strip(h Head, s Span, e Interval, extra *float64, extraText string) string {
	c := &canvas{}
	c.printf(`<svg xmlns="http://www.w3.org/2000/svg" class="strip" width="100%%" height="100" role="img" aria-labelledby="%s-t %s-d">`, escape(h.ID), escape(h.ID))
	c.head(h)
	a := s.a
	// Words stand above the axis and below it, never on its lines.
	const top, y, bottom = 42, 60, 78
	for _, t := range a.ticks() {
		c.printf(`<line class="%s" x1="%s" x2="%s" y1="%d" y2="%d"/>`, gridClass(t), pc(t.at), pc(t.at), top, bottom)
	}
	switch {
	case known(e.Value):
		c.stripInterval(a, e, y)
	case known(extra):
		lo, hi := pc(a.at(-*extra)), pc(a.at(*extra))
		if a.unit == Ratio && *extra > 0 {
			lo, hi = pc(a.at(1 / *extra)), pc(a.at(*extra))
		}
		c.printf(`<line class="dashed" x1="%s" x2="%s" y1="%d" y2="%d"/>`, lo, hi, y, y)
		c.at(50, y, func() { c.text("small dim", middle, 0, -27, extraText) })
	default:
		c.at(50, y, func() { c.text("small dim", middle, 0, -27, "no estimate") })
	}
	c.stripLabels(a)
	return c.end()
}

// at opens a group whose origin is x percent across and y pixels down.
func (c *canvas) at(x, y float64, draw func()) {
	c.printf(`<svg x="%s" y="%s" overflow="visible">`, pc(x), px(y))
	draw()
	c.WriteString(`</svg>`)
}

func (c *canvas) stripInterval(a axis, e Interval, y float64) {
	x1, x2, other := a.fromPx, a.toPx, doubtful(e)
	if known(e.Low) && !e.OpenLow {
		x1 = a.at(*e.Low)
		c.at(x1, y, func() { c.bound("whisker"+other, 0, 0, "low", *e.Low) })
	}
	if known(e.High) && !e.OpenHigh {
		x2 = a.at(*e.High)
		c.at(x2, y, func() { c.bound("whisker"+other, 0, 0, "high", *e.High) })
	}
	if (known(e.Low) || e.OpenLow) && (known(e.High) || e.OpenHigh) {
		c.printf(`<line class="whisker%s" x1="%s" x2="%s" y1="%s" y2="%s"/>`, other, pc(x1), pc(x2), px(y), px(y))
	}
	class := "diamond" + other
	if e.Solid && e.Doubt == "" {
		class += " solid"
	}
	x := a.at(*e.Value)
	anchor, dx := middle, 0.0
	switch {
	case x < 24:
		anchor, dx = start, -7
	case x > 76:
		anchor, dx = end, 7
	}
	c.at(x, y, func() {
		c.diamond(class, 0, 0, 7, *e.Value)
		if e.Doubt != "" {
			c.text("small bold", anchor, dx, -44, fit(e.Doubt, 240, 12))
			c.text("small dim", anchor, dx, -26, fit(bracketed(e), 240, 12))
			return
		}
		c.text("value", anchor, dx, -44, fit(e.Text, 180, 16))
		c.text("small dim", anchor, dx, -26, fit(e.RangeText, 180, 12))
	})
}

// bracketed is an estimate with its interval: "−13 % (−26 % to +2 %)".
func bracketed(e Interval) string {
	if e.RangeText == "" {
		return e.Text
	}
	return e.Text + " (" + e.RangeText + ")"
}

func (c *canvas) stripLabels(a axis) {
	ticks := a.ticks()
	for i, t := range ticks {
		outer := i == 0 || i == len(ticks)-1
		if !t.zero && !outer {
			continue
		}
		anchor, class := middle, "small dim"
		switch {
		case t.at < 10:
			anchor = start
		case t.at > 90:
			anchor = end
		}
		if t.zero {
			class = "small bold"
		}
		c.at(t.at, 96, func() { c.text(class, anchor, 0, 0, t.text) })
	}
}

func pc(v float64) string {
	if math.IsNaN(v) {
		v = 0
	}
	return strconv.FormatFloat(math.Max(-1e4, math.Min(1e4, v)), 'f', 2, 64) + "%"
}

// Spark draws the gap between pilot and comparison by period, around its zero
// line. began indexes the first treated period, which a line marks; −1 draws
// none.
func Spark(h Head, gaps []*float64, began int) string {
	const w, height = 176.0, 56.0
	c := newCanvas(h, "spark", w, height)
	y := effectAxis(Level, "", present(gaps...), 4).over(height-4, 4)
	c.line("grid", 0, y.at(0), w, y.at(0))
	if len(gaps) == 0 {
		return c.end()
	}
	step := (w - 8) / float64(max(1, len(gaps)-1))
	if began > 0 && began < len(gaps) {
		x := 3 + step*(float64(began)-.5)
		c.line("start", x, 0, x, height)
	}
	points := make([]*point, len(gaps))
	last := -1
	for i, g := range gaps {
		if known(g) {
			points[i] = &point{3 + step*float64(i), y.at(*g)}
			last = i
		}
	}
	c.polylines("pilot-line", points)
	if last >= 0 {
		c.dot("pilot-point", points[last].x, points[last].y, 2.6, *gaps[last])
	}
	return c.end()
}

// Squares draws n small squares of which k are solid: those that need a
// person. More than 60 are drawn as a bar of the same share.
func Squares(h Head, k, n int) string {
	const cell, side, perRow = 12.0, 8.0, 15
	rows := max(1, (n+perRow-1)/perRow)
	if n > 60 {
		c := newCanvas(h, "squares", perRow*cell, 24)
		full := perRow*cell - 4
		c.rect("square", .5, .5, full, side)
		c.rect("square need", .5, .5, full*float64(k)/float64(n), side)
		return c.end()
	}
	c := newCanvas(h, "squares", perRow*cell, math.Max(24, float64(rows)*cell))
	for i := range n {
		class := "square"
		if i < k {
			class = "square need"
		}
		c.rect(class, float64(i%perRow)*cell+.5, float64(i/perRow)*cell+.5, side, side)
	}
	return c.end()
}
