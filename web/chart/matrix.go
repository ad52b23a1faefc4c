package chart

import "math"

// MatrixMark is one thing in a cell: a square with a letter for a file, a
// circle for what has none.
type MatrixMark struct {
	// Letter is one or two letters; empty draws a circle.
	Letter string
	// Need is true for what needs a person: it is solid, others are outlined.
	Need bool
	// Title says it in words, for the tooltip.
	Title string
}

// MatrixRow is one repository; Cells are in the order of the columns. Text
// stands at the right.
type MatrixRow struct {
	Name, Text string
	Cells      [][]MatrixMark
}

// MatrixData is what [Matrix] draws. Text is the heading of the rows' texts.
type MatrixData struct {
	Columns []string
	Text    string
	Rows    []MatrixRow
}

const (
	matrixSide = 15.0
	matrixStep = 19.0
)

// Matrix draws marks by row and column; a dash stands where there is none. A
// narrow one writes the columns under each other in each row.
func Matrix(h Head, l Layout, d MatrixData) string {
	if l == Narrow {
		return narrowMatrix(h, d)
	}
	const w, left, right, head = 1120.0, 190.0, 1000.0, 40.0
	per := (right - left) / math.Max(1, float64(len(d.Columns)))
	fits := max(1, int((per-10)/matrixStep))
	height := head
	for _, r := range d.Rows {
		height += matrixHeight(r, fits)
	}
	c := newCanvas(h, "fig", w, height+6)
	for i, name := range d.Columns {
		for k, line := range wrap(name, per-10, 12) {
			c.text("small dim", start, left+per*float64(i), 12+14*float64(k), line)
		}
	}
	c.text("small dim", end, w, 12, d.Text)
	y := head
	for _, r := range d.Rows {
		c.line("grid", 0, y, w, y)
		c.text("small", start, 0, y+19, fit(r.Name, left-16, 12))
		for i, cell := range r.Cells {
			if i < len(d.Columns) {
				c.matrixCell(cell, left+per*float64(i), y+7, fits)
			}
		}
		c.text("small dim", end, w, y+19, fit(r.Text, w-right-8, 12))
		y += matrixHeight(r, fits)
	}
	return c.end()
}

func matrixHeight(r MatrixRow, fits int) float64 {
	most := 1
	for _, cell := range r.Cells {
		most = max(most, (len(cell)+fits-1)/fits)
	}
	return 11 + matrixStep*float64(most)
}

func (c *canvas) matrixCell(cell []MatrixMark, x, y float64, fits int) {
	if len(cell) == 0 {
		c.text("small dim", start, x+2, y+12, "–")
	}
	for i, m := range cell {
		c.matrixMark(m, x+matrixStep*float64(i%fits), y+matrixStep*float64(i/fits))
	}
}

func (c *canvas) matrixMark(m MatrixMark, x, y float64) {
	class, ink := "square", "letter"
	if m.Need {
		class, ink = "square need", "letter on"
	}
	c.printf(`<g><title>%s</title>`, escape(m.Title))
	if m.Letter == "" {
		c.printf(`<circle class="%s" cx="%s" cy="%s" r="5.5"/>`, class, px(x+matrixSide/2), px(y+matrixSide/2))
	} else {
		c.rect(class, x+.5, y+.5, matrixSide-1, matrixSide-1)
		c.text(ink, middle, x+matrixSide/2, y+11.5, fit(m.Letter, matrixSide+4, 10))
	}
	c.WriteString(`</g>`)
}

func narrowMatrix(h Head, d MatrixData) string {
	const w, left, line = 358.0, 130.0, 22.0
	fits := int((w - left) / matrixStep)
	height := 4.0
	for _, r := range d.Rows {
		height += 34
		for _, cell := range r.Cells {
			height += line * float64(max(1, (len(cell)+fits-1)/fits))
		}
	}
	c := newCanvas(h, "fig", w, height)
	y := 0.0
	for _, r := range d.Rows {
		c.line("rule", 0, y, w, y)
		c.text("bold", start, 0, y+18, fit(r.Name, 230, 13))
		c.text("small dim", end, w, y+18, fit(r.Text, 120, 12))
		y += 26
		for i, cell := range r.Cells {
			if i < len(d.Columns) {
				c.text("small dim", start, 0, y+13, fit(d.Columns[i], left-12, 12))
			}
			c.matrixCell(cell, left, y+1, fits)
			y += line * float64(max(1, (len(cell)+fits-1)/fits))
		}
		y += 8
	}
	return c.end()
}
