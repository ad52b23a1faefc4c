package chart

// Method is one way of estimating the same effect.
type Method struct {
	Title    string
	Headline bool
	Unit     Unit
	// UnitName names the unit of a Level effect.
	UnitName string
	Effect   Interval
	// PText is "p = 0.11", or why there is none.
	PText string
}

// Methods draws the estimates of all methods with their intervals, the
// headline in the accent colour. Methods of one unit share an axis; percent and
// points, which are not the same thing, do not.
func Methods(h Head, l Layout, ms []Method) string {
	var order []Unit
	byUnit := map[Unit][]Method{}
	for _, m := range ms {
		if byUnit[m.Unit] == nil {
			order = append(order, m.Unit)
		}
		byUnit[m.Unit] = append(byUnit[m.Unit], m)
	}
	w, left, right, row, head := 834.0, 218.0, 526.0, 42.0, 44.0
	if l == Narrow {
		w, left, right, row, head = 358, 8, 350, 78, 44
	}
	height := 4.0
	for _, u := range order {
		height += head + row*float64(len(byUnit[u])) + 8
	}
	c := newCanvas(h, "fig", w, height)
	if len(ms) == 0 {
		return c.end()
	}
	y := 0.0
	for _, u := range order {
		group := byUnit[u]
		var values []float64
		for _, m := range group {
			values = append(values, m.Effect.values()...)
		}
		a := effectAxis(u, "", values, 6).over(left, right)
		a.zeroInWords = true
		a.labelEvery = sparse(a)
		c.text("small dim", start, 0, y+12, unitTitle(u, group[0].UnitName))
		if l == Wide {
			c.text("small dim", start, 552, y+head-10, "Estimate")
			c.text("small dim", start, 652, y+head-10, "Interval")
			c.text("small dim", end, w, y+head-10, "p")
		}
		y += head
		c.axisOnTop(a, y-10, w)
		for i, m := range group {
			c.method(l, a, m, y+row*float64(i), w, row)
		}
		y += row*float64(len(group)) + 8
	}
	return c.end()
}

func unitTitle(u Unit, name string) string {
	switch u {
	case Percent:
		return "effect in percent"
	case Points:
		return "difference in points"
	case Ratio:
		return "ratio of ratios"
	default:
		if name != "" {
			return "effect in " + name
		}
		return "effect in the unit of the metric"
	}
}

func (c *canvas) method(l Layout, a axis, m Method, y, w, row float64) {
	top, bottom, mark := y, y+row, y+row/2
	if l == Narrow {
		top, bottom, mark = y+26, y+row-24, y+40
	}
	for _, t := range a.ticks() {
		c.line(gridClass(t), t.at, top, t.at, bottom)
	}
	c.line("grid", 0, y, w, y)
	weight, suffix := "", " other"
	if m.Headline {
		weight, suffix = "bold", ""
	}
	c.interval(a, m.Effect, mark, 6, suffix)
	if l == Narrow {
		c.text(weight, start, 0, y+18, fit(m.Title, w, 13))
		c.text("small "+weight, start, 0, y+row-8, fit(m.Effect.Text, 120, 12))
		c.text("small dim", middle, w/2+14, y+row-8, fit(m.Effect.RangeText, 130, 12))
		c.text("small dim", end, w, y+row-8, fit(m.PText, 90, 12))
		return
	}
	title := wrap(m.Title, 206, 13)
	for i, t := range title {
		c.text(weight, start, 0, mark+4.5+15*(float64(i)-float64(len(title)-1)/2), t)
	}
	c.text(weight, start, 552, mark+4.5, fit(m.Effect.Text, 96, 14))
	c.text("small dim", start, 652, mark+4.5, fit(m.Effect.RangeText, 116, 12))
	c.text("small dim", end, w, mark+4.5, m.PText)
}
