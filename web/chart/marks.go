package chart

import "math"

// threeMarks draws one row's marks: the two changes joined by their gap at
// ya, and the same gap moved to no change with its interval at yb.
func (c *canvas) threeMarks(a axis, r Row, ya, yb float64, d ThreeNumbersData, labelled bool) {
	zero := a.at(a.unit.noChange())
	p, q := r.Pilot.Value, r.Comparison.Value
	if known(r.Difference.Value) {
		x := a.at(*r.Difference.Value)
		c.rect("bar", math.Min(zero, x), yb-3.5, math.Abs(x-zero), 7)
	}
	if known(p) && known(q) {
		c.line("gap", a.at(*p), ya, a.at(*q), ya)
	}
	if known(q) {
		c.dot("group-dot", a.at(*q), ya, 6.5, *q)
	}
	if known(p) {
		c.dot("pilot-dot", a.at(*p), ya, 5, *p)
	}
	c.sideLabels(a, r, ya, d, labelled)
	c.interval(a, r.Difference, yb, 6, "")
	if labelled {
		edge := a.toPx
		if known(r.Difference.High) {
			edge = a.at(*r.Difference.High)
		}
		if edge+10+width("difference with its interval", 12) < a.toPx+20 {
			c.text("small dim halo", start, edge+10, yb+4.5, "difference with its interval")
		}
	}
}

// sideLabels writes the two changes beside their dots, each on the outer side
// of the pair; none straddles the line of no change.
func (c *canvas) sideLabels(a axis, r Row, y float64, d ThreeNumbersData, labelled bool) {
	p, q := r.Pilot.Value, r.Comparison.Value
	zero := a.at(a.unit.noChange())
	var raised [][2]float64
	switch {
	case known(p) && known(q) && math.Abs(a.at(*p)-a.at(*q)) < 12 && r.Pilot.ValueText == r.Comparison.ValueText:
		c.text("small halo", start, math.Max(a.at(*p), a.at(*q))+12, y+4.5, "both "+r.Pilot.ValueText)
		return
	case known(p) && known(q):
		pilotLeft := *p < *q
		raised = append(raised, c.sideLabel("small accent bold halo", a, zero, *p, y, r.Pilot.ValueText, pilotLeft)...)
		raised = append(raised, c.sideLabel("small dim halo", a, zero, *q, y, r.Comparison.ValueText, !pilotLeft)...)
	case known(p):
		c.sideLabel("small accent bold halo", a, zero, *p, y, r.Pilot.ValueText, *p < a.unit.noChange())
	case known(q):
		c.sideLabel("small dim halo", a, zero, *q, y, r.Comparison.ValueText, *q < a.unit.noChange())
	}
	if !labelled || !known(p) || !known(q) {
		return
	}
	// The dots of the first row are named where the names have room: between
	// each other, and beside values that moved up for lack of it.
	name := d.Pilot
	if width(name, 12) > 110 {
		name = "pilot"
	}
	left, right := name, "comparison"
	xl, xr := a.at(*p), a.at(*q)
	cl, cr := "small accent bold halo", "small dim halo"
	if xl > xr {
		left, right, xl, xr, cl, cr = right, left, xr, xl, cr, cl
	}
	for _, up := range raised {
		if up[0] < xr+width(right, 12) && up[1] > xl-width(left, 12) {
			return
		}
	}
	c.text(cl, end, xl+6, y-11, left)
	c.text(cr, start, math.Max(xr-6, xl+14), y-11, right)
}

// sideLabel writes one change. Where there is no room beside its dot it stands
// above it, and its span of pixels is returned.
func (c *canvas) sideLabel(class string, a axis, zero, v, y float64, text string, left bool) [][2]float64 {
	const gap = 11
	x, w := a.at(v), width(text, 12)
	from, to := x+gap, x+gap+w
	if left {
		from, to = x-gap-w, x-gap
	}
	fits := from >= a.fromPx-8 && to <= a.toPx+8
	if crosses := from < zero && to > zero; fits && !crosses {
		c.text(class, start, from, y+4.5, text)
		return nil
	}
	// No room beside the dot: above it, on its own side of no change.
	from = math.Min(math.Max(x-w/2, a.fromPx-8), a.toPx+8-w)
	if v < a.unit.noChange() {
		from = math.Min(from, zero-5-w)
	} else {
		from = math.Max(from, zero+5)
	}
	c.text(class, start, from, y-11, text)
	return [][2]float64{{from, from + w}}
}

// interval draws whisker and diamond; an unbounded end runs to the edge of the
// axis and ends in an arrow. suffix picks the colour: "" or " other".
func (c *canvas) interval(a axis, v Interval, y, r float64, suffix string) {
	low, high := v.Low, v.High
	if known(low) || v.OpenLow {
		if known(high) || v.OpenHigh {
			c.whisker(a, v, y, suffix)
		}
	}
	if known(v.Value) {
		class := "diamond" + suffix
		if v.Solid {
			class += " solid"
		}
		c.diamond(class, a.at(*v.Value), y, r, *v.Value)
	}
}

func (c *canvas) whisker(a axis, v Interval, y float64, suffix string) {
	class := "whisker" + suffix
	x1, x2 := a.fromPx, a.toPx
	if known(v.Low) && !v.OpenLow {
		x1 = a.at(*v.Low)
		c.bound(class, x1, y, "low", *v.Low)
	} else {
		c.line(class, x1, y, x1+5, y-4)
		c.line(class, x1, y, x1+5, y+4)
	}
	if known(v.High) && !v.OpenHigh {
		x2 = a.at(*v.High)
		c.bound(class, x2, y, "high", *v.High)
	} else {
		c.line(class, x2, y, x2-5, y-4)
		c.line(class, x2, y, x2-5, y+4)
	}
	c.line(class, x1, y, x2, y)
}
