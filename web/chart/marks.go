package chart

import "math"

// threeMarks draws one row's marks: the two changes joined by their gap at
// ya, and the same gap moved to no change with its interval at yb.
func (c *canvas) threeMarks(a axis, r Row, ya, yb float64, d ThreeNumbersData, labelled bool) {
	zero := a.at(a.unit.noChange())
	p, q := r.Pilot.Value, r.Comparison.Value
	if known(r.Difference.Value) {
		x := a.at(*r.Difference.Value)
		c.rect("bar"+doubtful(r.Difference), math.Min(zero, x), yb-3.5, math.Abs(x-zero), 7)
	}
	if known(p) && known(q) {
		c.line("gap"+doubtful(r.Difference), a.at(*p), ya, a.at(*q), ya)
	}
	if known(q) {
		c.dot("group-dot", a.at(*q), ya, 6.5, *q)
	}
	if known(p) {
		c.dot("pilot-dot", a.at(*p), ya, 5, *p)
	}
	c.sideLabels(a, r, ya, d, labelled)
	c.interval(a, r.Difference, yb, 6, doubtful(r.Difference))
	if labelled {
		c.nameDifference(a, zero, r.Difference, yb)
	}
}

// nameDifference says at the first row what the lower line is: on the side of
// the interval that has room and is free of the line of no change.
func (c *canvas) nameDifference(a axis, zero float64, v Interval, y float64) {
	const name = "difference with its interval"
	if !known(v.Low) || !known(v.High) {
		return
	}
	w := width(name, 12)
	if from := a.at(*v.High) + 10; !crosses(from, from+w, zero) && from+w < a.toPx+20 {
		c.text("small dim halo", start, from, y+4.5, name)
	} else if to := a.at(*v.Low) - 10; !crosses(to-w, to, zero) && to-w > a.fromPx {
		c.text("small dim halo", end, to, y+4.5, name)
	}
}

// crosses reports whether a label from one pixel to another lies on a line.
func crosses(from, to, line float64) bool { return from < line+2 && to > line-2 }

// sideLabels writes the two changes beside their dots, each on the outer side
// of the pair; none straddles the line of no change.
func (c *canvas) sideLabels(a axis, r Row, y float64, d ThreeNumbersData, labelled bool) {
	p, q := r.Pilot.Value, r.Comparison.Value
	zero := a.at(a.unit.noChange())
	var raised [][2]float64
	switch {
	case known(p) && known(q) && math.Abs(a.at(*p)-a.at(*q)) < 12 && r.Pilot.ValueText == r.Comparison.ValueText:
		c.bothLabel(a, zero, math.Min(a.at(*p), a.at(*q)), math.Max(a.at(*p), a.at(*q)), y, "both "+r.Pilot.ValueText)
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
	to, from := xl+6, math.Max(xr-6, xl+14)
	if crosses(to-width(left, 12), to, zero) || crosses(from, from+width(right, 12), zero) {
		return // the caption and the columns name them, too
	}
	c.text(cl, end, to, y-11, left)
	c.text(cr, start, from, y-11, right)
}

// bothLabel writes one label for two dots that lie on each other, beside them
// and off the line of no change.
func (c *canvas) bothLabel(a axis, zero, left, right, y float64, text string) {
	w := width(text, 12)
	if crosses(right+12, right+12+w, zero) && !crosses(left-12-w, left-12, zero) && left-12-w > a.fromPx {
		c.text("small halo", end, left-12, y+4.5, text)
		return
	}
	c.text("small halo", start, right+12, y+4.5, text)
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
	if fits && !crosses(from, to, zero) {
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

// doubtful is the suffix of what must not look like the answer.
func doubtful(v Interval) string {
	if v.Doubt != "" {
		return " other"
	}
	return ""
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
		if v.Solid && v.Doubt == "" {
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
