package chart

import "math"

// BoundsRow is how far one metric's trends may bend before its conclusion goes.
type BoundsRow struct {
	Name string
	// Value is the breakdown value: a multiple of the largest bend before the
	// start. Nil where there is none; Text says it, or why not.
	Value *float64
	Text  string
}

// Bounds draws a bar from nothing for each metric. The line at 1 is a trend
// that bends after the start as far as it ever did before.
func Bounds(h Head, l Layout, rows []BoundsRow) string {
	w, left, right, row := 834.0, 230.0, 660.0, 40.0
	if l == Narrow {
		w, left, right, row = 358, 8, 350, 60
	}
	const head = 34.0
	bottom := head + row*float64(len(rows))
	c := newCanvas(h, "fig", w, bottom+8)
	most := 1.2
	for _, r := range rows {
		if known(r.Value) {
			most = math.Max(most, math.Min(*r.Value, limit)*1.08)
		}
	}
	at := func(v float64) float64 { return left + math.Min(math.Max(v, 0), limit)/most*(right-left) }
	c.text("small dim", start, left, head-10, "0")
	c.text("small dim", middle, at(1), head-10, "as far as before")
	for i, r := range rows {
		y := head + row*float64(i)
		c.line("grid", 0, y, w, y)
		mark := y + row/2
		top := y
		if l == Narrow { // the lines keep out of the words
			mark, top = y+42, y+30
		}
		c.line("start", at(1), top, at(1), y+row)
		c.line("zero", left, top, left, y+row)
		if l == Narrow {
			c.text("", start, 0, y+20, fit(r.Name, 190, 13))
			c.text("small bold", end, w, y+20, fit(r.Text, 150, 12))
		} else {
			c.text("", start, 0, mark+4.5, fit(r.Name, 220, 13))
			c.text("small bold", end, w, mark+4.5, fit(r.Text, 165, 12))
		}
		if known(r.Value) {
			c.printf(`<rect class="bend" x="%s" y="%s" width="%s" height="10" data-v="%s"/>`, px(left), px(mark-5), px(math.Max(1, at(*r.Value)-left)), exact(*r.Value))
		}
	}
	return c.end()
}
