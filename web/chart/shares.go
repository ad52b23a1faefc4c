package chart

import "math"

// ShareRow is one whole with its parts, in the order of [SharesData.Parts].
type ShareRow struct {
	// Name and Note stand at the left, Text at the right: "12 % of 280".
	Name, Note, Text string
	Values           []float64
}

// SharesData is what [Shares] draws. The first part is what the figure is
// about; parts differ by shade, outline and hatching, and have a key.
type SharesData struct {
	Parts []string
	Rows  []ShareRow
}

// Shares draws each row as one bar of its parts, all bars equally long.
func Shares(h Head, l Layout, d SharesData) string {
	w, left, right, row := 834.0, 190.0, 660.0, 40.0
	if l == Narrow {
		w, left, right, row = 358, 0, 358, 64
	}
	head := 12 + 20*float64(shareKeyLines(d.Parts, w))
	c := newCanvas(h, "fig", w, head+row*float64(len(d.Rows))+8)
	c.shareKey(d.Parts, w)
	for i, r := range d.Rows {
		y := head + row*float64(i)
		c.line("grid", 0, y, w, y)
		bar := y + row/2 - 8
		if l == Narrow {
			bar = y + 34
			c.text("bold", start, 0, y+22, fit(r.Name, 170, 13))
			c.text("small dim", start, 176, y+22, fit(r.Note, 60, 12))
			c.text("small", end, w, y+22, fit(r.Text, 120, 12))
		} else {
			c.text("bold", start, 0, bar+12.5, fit(r.Name, 112, 14))
			c.text("small dim", start, 126, bar+12.5, fit(r.Note, 60, 12))
			c.text("small", end, w, bar+12.5, fit(r.Text, 160, 12))
		}
		c.shareBar(r.Values, left, right, bar)
	}
	return c.end()
}

// shareBar draws the parts of one whole; what is not a number, or less than
// nothing, is no part of it.
func (c *canvas) shareBar(values []float64, left, right, y float64) {
	whole := 0.0
	for _, v := range values {
		if known(&v) && v > 0 {
			whole += v
		}
	}
	if whole <= 0 || math.IsInf(whole, 0) {
		c.line("dashed", left, y+8, right, y+8)
		return
	}
	x := left
	for i, v := range values {
		if !known(&v) || v < 0 {
			continue
		}
		to := x + v/whole*(right-left)
		c.sharePart(i, x, y, math.Max(0, to-x), &v)
		x = to
	}
}

// sharePart draws part number i; v is nil in a key.
func (c *canvas) sharePart(i int, x, y, w float64, v *float64) {
	const height = 16
	c.printf(`<rect class="part part-%d" x="%s" y="%s" width="%s" height="%d"`, min(i, 3), px(x), px(y), px(w), height)
	if v != nil {
		c.printf(` data-v="%s"`, exact(*v))
	}
	c.WriteString(`/>`)
	if i < 2 || w < 6 {
		return
	}
	c.WriteString(`<path class="hatch" d="`)
	for k := 6.0 * float64(i-1); k < w-1; k += 6 * float64(i-1) {
		c.printf("M%s %sv%d", px(x+k), px(y), height)
	}
	c.WriteString(`"/>`)
}

func shareKeyLines(parts []string, w float64) int {
	lines, x := 1, 0.0
	for _, p := range parts {
		need := 42 + width(p, 12)
		if x > 0 && x+need > w {
			lines, x = lines+1, 0
		}
		x += need
	}
	return lines
}

func (c *canvas) shareKey(parts []string, w float64) {
	x, y := 0.0, 0.0
	for i, p := range parts {
		need := 42 + width(p, 12)
		if x > 0 && x+need > w {
			x, y = 0, y+20
		}
		c.sharePart(i, x+.5, y+.5, 18, nil)
		c.text("small", start, x+24, y+13, fit(p, w-24, 12))
		x += need
	}
}
