package chart

import "math"

// SpreadRow is one side in one window: what a tenth, a quarter, half, three
// quarters and nine tenths lie at or below; nil where that is beyond what was
// seen.
type SpreadRow struct {
	// Side and Window name it: "Payments", "before". Text stands at the right:
	// "half by 12 h".
	Side, Window, Text string
	// Pilot rows are in the accent colour, others grey; After rows are filled.
	Pilot, After            bool
	P10, P25, P50, P75, P90 *float64
}

// SpreadData is what [Spread] draws. Values are positive, on a logarithmic
// axis: what takes long differs by factors.
type SpreadData struct {
	// Unit is "hours", "minutes", or what else values count.
	Unit string
	Rows []SpreadRow
}

// Spread draws the distribution of each side before and after: a line for the
// middle eight tenths, a bar for the middle half, a dot for the median.
func Spread(h Head, l Layout, d SpreadData) string {
	w, left, right, row := 834.0, 190.0, 660.0, 40.0
	if l == Narrow {
		w, left, right, row = 358, 8, 350, 64
	}
	const head = 34.0
	c := newCanvas(h, "fig", w, head+row*float64(len(d.Rows))+8)
	a := logAxis(d).over(left, right)
	if len(d.Rows) == 0 || a.lo >= a.hi {
		c.text("dim", middle, w/2, head, "Nothing has ended yet")
		return c.end()
	}
	bottom := head + row*float64(len(d.Rows))
	c.logTicks(a, d.Unit, head, bottom, l)
	for i, r := range d.Rows {
		y := head + row*float64(i)
		class := "grid"
		if i > 0 && d.Rows[i-1].Side != r.Side {
			class = "rule"
		}
		c.line(class, 0, y, w, y)
		c.spreadRow(l, a, r, y, row, w)
	}
	return c.end()
}

func (c *canvas) spreadRow(l Layout, a axis, r SpreadRow, y, row, w float64) {
	mark := y + row/2
	if l == Narrow {
		mark = y + 44
		c.text("bold", start, 0, y+20, fit(r.Side, 170, 13))
		c.text("small dim", start, 176, y+20, r.Window)
		c.text("small", end, w, y+20, fit(r.Text, 120, 12))
	} else {
		c.text("bold", start, 0, mark+4.5, fit(r.Side, 112, 14))
		c.text("small dim", start, 126, mark+4.5, r.Window)
		c.text("small", end, w, mark+4.5, fit(r.Text, 160, 12))
	}
	suffix := ""
	if !r.Pilot {
		suffix = " other"
	}
	if !positive(r.P10) {
		return
	}
	lo, hi := a.at(*r.P10), a.toPx
	c.bound("whisker"+suffix, lo, mark, "low", *r.P10)
	if positive(r.P90) {
		hi = a.at(*r.P90)
		c.bound("whisker"+suffix, hi, mark, "high", *r.P90)
	} else { // it goes on beyond what was seen
		c.line("whisker"+suffix, hi, mark, hi-5, mark-4)
		c.line("whisker"+suffix, hi, mark, hi-5, mark+4)
	}
	c.line("whisker"+suffix, lo, mark, hi, mark)
	if positive(r.P25) {
		from, to := a.at(*r.P25), a.toPx
		if positive(r.P75) {
			to = a.at(*r.P75)
		}
		class := "box" + suffix
		if r.After {
			class += " solid"
		}
		c.printf(`<rect class="%s" x="%s" y="%s" width="%s" height="12" data-low="%s"`, class, px(from), px(mark-6), px(math.Max(1, to-from)), exact(*r.P25))
		if positive(r.P75) {
			c.printf(` data-high="%s"`, exact(*r.P75))
		}
		c.WriteString(`/>`)
	}
	if positive(r.P50) {
		class := "pilot-dot"
		if !r.Pilot {
			class = "group-dot"
		}
		c.dot(class, a.at(*r.P50), mark, 5, *r.P50)
	}
}

// positive reports whether p has a place on a logarithmic axis.
func positive(p *float64) bool { return known(p) && *p > 0 }

// logAxis holds all values; it is an axis of ratios to one unit.
func logAxis(d SpreadData) axis {
	a := axis{unit: Ratio, lo: math.Inf(1), hi: math.Inf(-1)}
	for _, r := range d.Rows {
		for _, v := range present(r.P10, r.P25, r.P50, r.P75, r.P90) {
			if v > 0 {
				a.lo, a.hi = math.Min(a.lo, math.Log2(v)), math.Max(a.hi, math.Log2(v))
			}
		}
	}
	if a.lo > a.hi {
		a.lo, a.hi = 0, 0
		return a
	}
	a.lo, a.hi = math.Max(a.lo-.35, -ratioLimit), math.Min(a.hi+.35, ratioLimit)
	return a
}

// logTick is a round value of a unit with its name.
type logTick struct {
	value float64
	text  string
}

// roundValues are the values of a unit that people count by.
func roundValues(unit string) []logTick {
	scale := map[string]float64{"hours": 1, "minutes": 60}[unit]
	if scale == 0 {
		var out []logTick
		for v := 1e-4; v < 1e9; v *= 10 {
			out = append(out, logTick{v, number(v, v)}, logTick{3 * v, number(3*v, v)})
		}
		return out
	}
	const h = narrowSpace + "h"
	return []logTick{
		{scale / 60, "1" + narrowSpace + "min"},
		{scale / 6, "10" + narrowSpace + "min"},
		{scale, "1" + h},
		{4 * scale, "4" + h},
		{12 * scale, "12" + h},
		{24 * scale, "1" + narrowSpace + "d"},
		{72 * scale, "3" + narrowSpace + "d"},
		{168 * scale, "1" + narrowSpace + "wk"},
		{672 * scale, "4" + narrowSpace + "wk"},
		{2160 * scale, "90" + narrowSpace + "d"},
		{8760 * scale, "1" + narrowSpace + "yr"},
	}
}

// logTicks draws the grid and, as far as they have room, the labels on top.
func (c *canvas) logTicks(a axis, unit string, top, bottom float64, l Layout) {
	last := math.Inf(-1)
	for _, t := range roundValues(unit) {
		if x := math.Log2(t.value); x < a.lo || x > a.hi {
			continue
		}
		x := a.at(t.value)
		half := width(t.text, 12) / 2
		if x-half < last+8 {
			continue
		}
		if x+half > a.toPx+40 || x-half < a.fromPx-40 || l == Narrow && (x+half > a.toPx+8 || x-half < 0) {
			continue
		}
		last = x + half
		c.line("grid", x, top, x, bottom)
		c.text("small dim", middle, x, top-10, t.text)
	}
}
