package chart

import (
	"math"
	"slices"
)

// Side is what one side of a comparison did from before to after.
type Side struct {
	// Value is the change in the row's unit; nil is not drawn.
	Value *float64
	// Text is "18 h → 12 h", ValueText "−33 %".
	Text, ValueText string
}

// Row is one metric of [ThreeNumbers].
type Row struct {
	// Name, Note and Direction stand at the left: "Open to merge", "median
	// hours, primary", "← lower is better".
	Name, Note, Direction string
	// Better is −1 where lower is better, 1 where higher is, else 0.
	Better int
	// Unit is the axis of all three numbers; rows of one unit share it. Level
	// rows each have their own, whose outer labels carry Suffix.
	Unit              Unit
	Suffix            string
	Pilot, Comparison Side
	Difference        Interval
	// Words compare the two sides of a count: "rose for the pilot only".
	Words string
}

// ThreeNumbersData is what [ThreeNumbers] draws.
type ThreeNumbersData struct {
	// Pilot and Comparison name the two sides.
	Pilot, Comparison string
	Rows              []Row
}

// rowPanel is a run of rows on one axis.
type rowPanel struct {
	axis axis
	rows []Row
}

// threeLayout holds the measures of one layout in pixels.
type threeLayout struct {
	width, left, right   float64
	head, row            float64
	colPilot, colCompare float64
	plotTop, plotBottom  float64 // within a row, what the grid covers
}

func (l Layout) three() threeLayout {
	if l == Narrow {
		return threeLayout{width: 358, left: 8, right: 350, head: 30, row: 132, plotTop: 30, plotBottom: 96}
	}
	return threeLayout{width: 1120, left: 212, right: 716, head: 48, row: 76, colPilot: 748, colCompare: 890, plotBottom: 76}
}

// ThreeNumbers draws, for each metric, the pilot's own change, the comparison's
// change, and the difference between the two with its interval. Percent rows
// come first; the axes below have their line of no change under the same zero.
func ThreeNumbers(h Head, l Layout, d ThreeNumbersData) string {
	m := l.three()
	if l == Wide {
		for _, r := range d.Rows {
			m.row = math.Max(m.row, m.needs(r))
		}
		m.plotBottom = m.row
	}
	if l == Narrow && slices.ContainsFunc(d.Rows, longSides) {
		m.row += 34
	}
	panels := threePanels(d.Rows, m)
	key := 0.0
	if l == Narrow {
		key = 34
	}
	height := key + 4
	for i, p := range panels {
		if i > 0 {
			height += 26
		}
		height += m.head + m.row*float64(len(p.rows))
	}
	c := newCanvas(h, "fig", m.width, height)
	if l == Narrow {
		threeKey(c, d)
	}
	y := key
	for i, p := range panels {
		if i > 0 {
			y += 26
		}
		c.threePanel(l, m, p, y, d, i == 0)
		y += m.head + m.row*float64(len(p.rows))
	}
	return c.end()
}

// The widths of a row's texts in the wide layout.
const (
	nameWidth       = 200
	comparisonWidth = 118
	wordsWidth      = 250
	differenceWidth = 112
)

// needs is how high the texts of a row stand in the wide layout.
func (m threeLayout) needs(r Row) float64 {
	left := 26 + 18*float64(len(block(r.Name, nameWidth, 15))) + 15*float64(len(block(r.Note, nameWidth, 12)))
	right := 30 + 18*float64(m.sideLines(r))
	if n := len(block(r.Words, wordsWidth, 12)); n > 0 {
		right += 17 + 15*float64(n-1)
	}
	if v := r.Difference; v.Doubt != "" {
		lines := len(block(v.Text, differenceWidth, 13)) + len(block(v.RangeText, differenceWidth, 12))
		right = math.Max(right, 38+16*float64(lines))
	}
	return math.Max(left, right) + 10
}

// sideLines is how many lines the longer of both sides' texts takes.
func (m threeLayout) sideLines(r Row) int {
	return max(len(block(r.Pilot.Text, m.colCompare-m.colPilot-12, 13)), len(block(r.Comparison.Text, comparisonWidth, 13)))
}

// threePanels groups rows by axis and aligns all zeros.
func threePanels(rows []Row, m threeLayout) []rowPanel {
	var percent, ratio []Row
	var levels [][]Row
	for _, r := range rows {
		switch r.Unit {
		case Percent, Points:
			percent = append(percent, r)
		case Ratio:
			ratio = append(ratio, r)
		default:
			levels = append(levels, []Row{r})
		}
	}
	groups := append([][]Row{percent, ratio}, levels...)
	zero := (m.left + m.right) / 2
	var out []rowPanel
	for _, g := range groups {
		if len(g) == 0 {
			continue
		}
		var values []float64
		for _, r := range g {
			values = append(values, r.Difference.values()...)
			values = append(values, present(r.Pilot.Value, r.Comparison.Value)...)
		}
		unit := g[0].Unit
		if unit == Points {
			unit = Percent
		}
		a := effectAxis(unit, g[0].Suffix, values, 6)
		a.zeroInWords = true
		if len(out) == 0 {
			a = a.over(m.left, m.right)
			zero = a.at(unit.noChange())
		} else {
			a = a.withZeroAt(m.left, m.right, zero)
		}
		a.labelEvery = sparse(a)
		out = append(out, rowPanel{a, g})
	}
	return out
}

// sparse says how many ticks apart labels stand so that none touches the next.
func sparse(a axis) int {
	n := math.Round((a.hi - a.lo) / a.step)
	if n < 1 {
		return 1
	}
	apart := math.Abs(a.toPx-a.fromPx) / n
	widest := width(a.label(a.lo, true), 12)
	widest = math.Max(widest, width(a.label(a.hi, true), 12))
	if a.zeroInWords {
		widest = math.Max(widest, (widest+width("no change", 12))/2)
	}
	every := max(1, int(math.Ceil((widest+8)/apart)))
	if a.unit == Ratio && a.step < 1 {
		// Only whole powers of two have a label that is a round number.
		whole := int(math.Round(1 / a.step))
		every = (every + whole - 1) / whole * whole
	}
	return every
}

func threeKey(c *canvas, d ThreeNumbersData) {
	c.disc("pilot-dot", 7, 10, 5)
	pilot := d.Pilot
	if width(pilot, 12) > 92 {
		pilot = "pilot"
	}
	c.text("small accent bold", start, 17, 14.5, pilot)
	x := 17 + width(pilot, 12) + 18
	c.disc("group-dot", x, 10, 5.5)
	c.text("small dim", start, x+11, 14.5, "comparison")
	x += 11 + width("comparison", 12) + 12
	c.line("whisker", x, 10, x+24, 10)
	c.lozenge("diamond", x+12, 10, 5.5)
	c.text("small", start, x+31, 14.5, "difference")
}

func (c *canvas) threePanel(l Layout, m threeLayout, p rowPanel, y float64, d ThreeNumbersData, first bool) {
	top := y + m.head
	c.line("rule", 0, top, m.width, top)
	for i, r := range p.rows {
		ry := top + m.row*float64(i)
		zero := p.axis.at(p.axis.unit.noChange())
		switch {
		case r.Better < 0:
			c.rect("tint", m.left, ry+m.plotTop, zero-m.left, m.plotBottom-m.plotTop)
		case r.Better > 0:
			c.rect("tint", zero, ry+m.plotTop, m.right-zero, m.plotBottom-m.plotTop)
		}
		for _, t := range p.axis.ticks() {
			c.line(gridClass(t), t.at, ry+m.plotTop, t.at, ry+m.plotBottom)
		}
	}
	c.axisOnTop(p.axis, top-10, m.width)
	if l == Wide {
		if first {
			c.columnTitle(m.colPilot, top-10, m.colCompare-m.colPilot-12, d.Pilot)
			c.columnTitle(m.colCompare, top-10, 130, d.Comparison)
		}
		c.text("small dim", end, m.width, top-10, "Difference")
	}
	for i, r := range p.rows {
		ry := top + m.row*float64(i)
		if i > 0 {
			c.line("grid", 0, ry, m.width, ry)
		}
		if l == Wide {
			c.threeWide(m, p.axis, r, ry, d, first && i == 0)
		} else {
			c.threeNarrow(m, p.axis, r, ry)
		}
	}
}

// columnTitle writes s in one or two lines, the last of them at y.
func (c *canvas) columnTitle(x, y, w float64, s string) {
	ls := wrap(s, w, 12)
	for i, l := range ls {
		c.text("small dim", start, x, y-15*float64(len(ls)-1-i), l)
	}
}

func gridClass(t tick) string {
	if t.zero {
		return "zero"
	}
	return "grid"
}

// axisOnTop writes the labels of a horizontal axis, kept inside the figure.
func (c *canvas) axisOnTop(a axis, y, w float64) {
	for _, t := range a.ticks() {
		if !t.label {
			continue
		}
		class, anchor, x := "small dim", middle, t.at
		if t.zero {
			class = "small bold"
		}
		half := width(t.text, 12) / 2
		switch {
		case x-half < 0:
			anchor, x = start, math.Max(0, x-half)
		case x+half > w:
			anchor, x = end, w
		}
		c.text(class, anchor, x, y, t.text)
	}
}

func (c *canvas) threeWide(m threeLayout, a axis, r Row, y float64, d ThreeNumbersData, labelled bool) {
	ny := y + 26
	n := c.lines("large bold", start, 0, ny, nameWidth, 15, 18, r.Name)
	ny += 18 * float64(n)
	ny += 15 * float64(c.lines("small dim", start, 0, ny, nameWidth, 12, 15, r.Note))
	c.text("small dim", start, 0, ny, r.Direction)
	c.threeMarks(a, r, y+28, y+55, d, labelled)
	colour := "dim"
	pilot := c.lines("", start, m.colPilot, y+30, m.colCompare-m.colPilot-12, 13, 18, r.Pilot.Text)
	comparison := c.lines(colour, start, m.colCompare, y+30, comparisonWidth, 13, 18, r.Comparison.Text)
	c.text("small accent bold", start, m.colPilot, y+30+18*float64(pilot), r.Pilot.ValueText)
	c.text("small dim", start, m.colCompare, y+30+18*float64(comparison), r.Comparison.ValueText)
	c.lines("small dim", start, m.colPilot, y+30+18*float64(max(pilot, comparison))+17, wordsWidth, 12, 15, r.Words)
	c.differenceText(m, r.Difference, y)
}

// differenceText writes the third number at the right edge; one in doubt stands
// small and dim under the reason.
func (c *canvas) differenceText(m threeLayout, v Interval, y float64) {
	if v.Doubt != "" {
		c.text("small bold", end, m.width, y+30, v.Doubt)
		n := c.lines("dim", end, m.width, y+48, differenceWidth, 13, 16, v.Text)
		c.lines("small dim", end, m.width, y+48+16*float64(n), differenceWidth, 12, 15, v.RangeText)
		return
	}
	size := "xlarge bold"
	if width(v.Text, 17) > 110 {
		size = "bold"
	}
	if width(v.Text, 13) > 110 {
		c.lines("bold", end, m.width, y+30, 110, 13, 17, v.Text)
		c.text("small dim", end, m.width, y+64, v.RangeText)
		return
	}
	c.text(size, end, m.width, y+31, v.Text)
	c.lines("small dim", end, m.width, y+50, differenceWidth, 12, 15, v.RangeText)
}

func (c *canvas) threeNarrow(m threeLayout, a axis, r Row, y float64) {
	side := width(r.Direction, 12)
	if width(r.Name, 15)+side+12 > m.width {
		side = 0
	}
	c.text("large bold", start, 0, y+20, fit(r.Name, m.width-side, 15))
	if side > 0 {
		c.text("small dim", end, m.width, y+20, r.Direction)
	}
	c.threeMarks(a, r, y+48, y+77, ThreeNumbersData{}, false)
	x := c.sideText("small accent bold", 0, y+115, pilotSide, r.Pilot)
	c.sideText("small dim", x, y+115, comparisonSide, r.Comparison)
	if longSides(r) {
		c.text("small accent bold", start, 0, y+142, fit(r.Pilot.Text, m.width, 12))
		c.text("small dim", start, 0, y+158, fit(r.Comparison.Text, m.width, 12))
	}
	if v := r.Difference; v.Doubt != "" {
		c.text("small bold", end, m.width, y+110, fit(v.Doubt, 130, 12))
		c.text("small dim", end, m.width, y+124, fit(bracketed(v), 240, 12))
		return
	}
	c.text("small bold", end, m.width, y+110, fit(r.Difference.Text, 130, 12))
	c.text("small dim", end, m.width, y+124, fit(r.Difference.RangeText, 160, 12))
}

// The widths of both sides' texts in the narrow layout.
const (
	pilotSide      = 116
	comparisonSide = 108
)

// longSides reports whether a row's sides take lines of their own in the
// narrow layout: "3 in 156 team-weeks → 7 in 70".
func longSides(r Row) bool {
	return width(r.Pilot.Text, 12) > pilotSide || width(r.Comparison.Text, 12) > comparisonSide
}

// sideText writes before → after and returns where the next column starts.
func (c *canvas) sideText(class string, x, y, w float64, s Side) float64 {
	t := s.Text
	if t == "" || width(t, 12) > w {
		t = s.ValueText
	}
	c.text(class, start, x, y-5, fit(t, w, 12))
	return x + math.Max(w, 0) + 4
}
