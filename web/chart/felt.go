package chart

// FeltData is what [Felt] draws: what people believe, beside what was measured.
type FeltData struct {
	// Pilot names the treated side; Metric what the belief is about.
	Pilot, Metric string
	// Believed is the median belief of People, in percent.
	Believed *float64
	People   string
	// Own and Other are the changes of the two sides in percent, Effect the
	// difference against the comparison.
	Own, Other *float64
	Effect     Interval
	// Texts of the numbers.
	BelievedText, OwnText, OtherText string
}

// Felt draws belief, own change and measured difference on one axis of percent
// and points; the belief is a triangle, the rest as in the three numbers.
func Felt(h Head, l Layout, d FeltData) string {
	w, left, right, row := 834.0, 230.0, 660.0, 48.0
	if l == Narrow {
		w, left, right, row = 358, 8, 350, 72
	}
	const head = 36.0
	c := newCanvas(h, "fig", w, head+3*row+6)
	values := append(d.Effect.values(), present(d.Believed, d.Own, d.Other)...)
	a := effectAxis(Percent, "", values, 8).over(left, right)
	a.zeroInWords = true
	a.labelEvery = sparse(a)
	c.axisOnTop(a, head-12, w)
	rows := []struct{ name, note, text string }{
		{"Believed change", d.People + ", median", d.BelievedText},
		{"Own change", "before → after", d.OwnText},
		{"Measured difference", "against the comparison", d.Effect.Text},
	}
	for i, r := range rows {
		y := head + row*float64(i)
		c.line("grid", 0, y, w, y)
		mark, top := y+row/2, y
		if l == Narrow { // the lines keep out of the words
			mark, top = y+54, y+40
		}
		for _, t := range a.ticks() {
			c.line(gridClass(t), t.at, top, t.at, y+row)
		}
		if l == Narrow {
			c.text("bold", start, 0, y+18, r.name)
			c.text("small dim", start, 0, y+34, fit(r.note, 200, 12))
			c.text("bold", end, w, y+18, fit(r.text, 170, 13))
		} else {
			c.text("bold", start, 0, mark-3, r.name)
			c.text("small dim", start, 0, mark+13, fit(r.note, 220, 12))
			c.text("bold", end, w, mark+4.5, fit(r.text, 165, 13))
		}
		switch i {
		case 0:
			if known(d.Believed) {
				c.triangle("belief", a.at(*d.Believed), mark, 8, *d.Believed)
			}
		case 1:
			c.bothChanges(a, d, mark)
		case 2:
			c.interval(a, d.Effect, mark, 6, doubtful(d.Effect))
		}
	}
	return c.end()
}

func (c *canvas) bothChanges(a axis, d FeltData, y float64) {
	if known(d.Own) && known(d.Other) {
		c.line("gap", a.at(*d.Own), y, a.at(*d.Other), y)
	}
	if known(d.Other) {
		c.dot("group-dot", a.at(*d.Other), y, 6.5, *d.Other)
	}
	if known(d.Own) {
		c.dot("pilot-dot", a.at(*d.Own), y, 5, *d.Own)
	}
}

// triangle draws a triangle on its base that stands for v.
func (c *canvas) triangle(class string, x, y, r, v float64) {
	c.printf(`<path class="%s" d="M%s %sl%s %sh-%sz" data-v="%s"/>`, class, px(x), px(y-r), px(r), px(1.7*r), px(2*r), exact(v))
}
