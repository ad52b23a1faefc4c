package chart

import "math"

// EventPoint is the effect some periods after the start.
type EventPoint struct {
	Event             int
	Value, Low, High  *float64 // pointwise
	BandLow, BandHigh *float64 // for all points at once
	// Baseline marks the reference period, drawn as a ring.
	Baseline bool
	// Missing says why there is no value.
	Missing string
}

// EventStudyData is what [EventStudy] draws.
type EventStudyData struct {
	Unit   Unit
	Points []EventPoint
	// AxisTitle names the unit of the vertical axis where its labels do not.
	AxisTitle string
	// Average is the headline, drawn dashed over the periods after the start.
	Average     *float64
	AverageText string
	// TimeTitle names the horizontal axis: "Months from the start".
	TimeTitle string
}

func (l Layout) event() trendLayout {
	if l == Narrow {
		return trendLayout{358, 330, 52, 354, 62, 276}
	}
	return trendLayout{834, 356, 60, 752, 46, 304}
}

// EventStudy draws the effect by time since the start: a pale bar where the
// band for all periods at once lies, a line for the pointwise interval, a dot
// for the estimate.
func EventStudy(h Head, l Layout, d EventStudyData) string {
	m := l.event()
	c := newCanvas(h, "fig", m.width, m.height)
	if len(d.Points) == 0 {
		c.text("dim", middle, m.width/2, m.height/2, "No period can be compared yet")
		return c.end()
	}
	var values []float64
	band := false
	for _, p := range d.Points {
		values = append(values, present(p.Value, p.Low, p.High, p.BandLow, p.BandHigh)...)
		band = band || known(p.BandLow) && known(p.BandHigh)
	}
	values = append(values, present(d.Average)...)
	y := effectAxis(d.Unit, "", values, 5).over(m.bottom, m.top)
	m.left = math.Max(m.left, y.widest()+10)
	first, last := d.Points[0].Event, d.Points[0].Event
	for _, p := range d.Points {
		first, last = min(first, p.Event), max(last, p.Event)
	}
	step := (m.right - m.left) / (float64(last) - float64(first) + 1)
	at := func(event float64) float64 { return m.left + step*(event-float64(first)+.5) }
	for _, t := range y.ticks() {
		c.line(gridClass(t), m.left, t.at, m.right, t.at)
		c.text("small dim", end, m.left-8, t.at+4, t.text)
	}
	c.eventKey(l, m, band)
	c.text("small dim", start, 0, m.top-14, fit(d.AxisTitle, m.left+60, 12))
	if first < 0 && last >= 0 {
		x := at(-.5)
		c.line("start", x, m.top-8, x, m.bottom)
		c.text("small bold halo", start, x+6, m.top-1, "start")
	}
	for _, p := range d.Points {
		c.eventBars(p, y, at(float64(p.Event)), step, m)
	}
	c.line("zero", m.left, y.at(d.Unit.noChange()), m.right, y.at(d.Unit.noChange()))
	if known(d.Average) && last >= 0 {
		c.average(l, d, y, at(math.Max(0, float64(first))-.5), at(float64(last)+.5), m)
	}
	for _, p := range d.Points {
		c.eventDot(p, y, at(float64(p.Event)), step, baselineFree(d.Points, p.Event, y))
	}
	c.eventTime(d, first, last, at, step, m)
	return c.end()
}

// eventKey says above the plot what bar and line mean.
func (c *canvas) eventKey(l Layout, m trendLayout, band bool) {
	x := 0.0
	if l == Wide {
		x = m.left
	}
	if band {
		c.rect("band", x, 3, 14, 12)
		c.line("band-edge", x, 3, x+14, 3)
		c.line("band-edge", x, 15, x+14, 15)
		text := "holds for all at once"
		c.text("small dim", start, x+20, 13.5, text)
		x += 20 + width(text, 12) + 16
	}
	c.line("whisker", x+4, 2, x+4, 16)
	c.text("small dim", start, x+13, 13.5, "holds for one alone")
}

func (c *canvas) eventBars(p EventPoint, y axis, x, step float64, m trendLayout) {
	side := ""
	if p.Event < 0 {
		side = " other"
	}
	half := math.Min(step*.3, 16)
	if known(p.BandLow) && known(p.BandHigh) {
		top, bottom := y.at(*p.BandHigh), y.at(*p.BandLow)
		c.rect("band"+side, x-half, top, 2*half, bottom-top)
		c.edge("band-edge"+side, x-half, x+half, top, "high", *p.BandHigh)
		c.edge("band-edge"+side, x-half, x+half, bottom, "low", *p.BandLow)
	}
	if known(p.Low) && known(p.High) {
		c.printf(`<line class="whisker%s" x1="%s" y1="%s" x2="%s" y2="%s" data-low="%s" data-high="%s"/>`,
			side, px(x), px(y.at(*p.Low)), px(x), px(y.at(*p.High)), exact(*p.Low), exact(*p.High))
	}
	if !known(p.Value) && p.Missing != "" {
		c.hatch(x-step/2, m.top, step, m.bottom-m.top)
	}
}

func (c *canvas) edge(class string, x1, x2, y float64, which string, v float64) {
	c.printf(`<line class="%s %s" x1="%s" y1="%s" x2="%s" y2="%s" data-v="%s"/>`,
		class, which, px(x1), px(y), px(x2), px(y), exact(v))
}

// baselineFree reports whether the point before event leaves the room above
// the line of no change to a word.
func baselineFree(ps []EventPoint, event int, y axis) bool {
	zero := y.at(y.unit.noChange())
	for _, p := range ps {
		if p.Event != event-1 {
			continue
		}
		for _, v := range present(p.Value, p.High, p.BandHigh) {
			if y.at(v) < zero-8 {
				return false
			}
		}
	}
	return true
}

func (c *canvas) eventDot(p EventPoint, y axis, x, step float64, free bool) {
	r := math.Min(4.5, math.Max(2, step*.26))
	switch {
	case p.Baseline:
		v := y.unit.noChange()
		if known(p.Value) {
			v = *p.Value
		}
		c.dot("group-dot", x, y.at(v), r, v)
		if step > 66 || free && step > 14 {
			c.text("small dim halo", end, x+8, y.at(v)-12, "baseline")
		}
	case !known(p.Value):
	case p.Event < 0:
		c.dot("before-dot", x, y.at(*p.Value), r, *p.Value)
	default:
		c.dot("pilot-dot", x, y.at(*p.Value), r, *p.Value)
	}
}

func (c *canvas) average(l Layout, d EventStudyData, y axis, from, to float64, m trendLayout) {
	at := y.at(*d.Average)
	c.printf(`<line class="average" x1="%s" y1="%s" x2="%s" y2="%s" data-v="%s"/>`,
		px(from), px(at), px(to), px(at), exact(*d.Average))
	if l == Narrow {
		c.text("small accent bold halo", end, m.width-4, 32, "dashed: average "+d.AverageText)
		return
	}
	c.text("small accent halo", start, m.right+6, at-5, "average")
	for i, t := range wrap(d.AverageText, m.width-m.right-6, 12) {
		c.text("small accent bold halo", start, m.right+6, at+11+15*float64(i), t)
	}
}

func (c *canvas) eventTime(d EventStudyData, first, last int, at func(float64) float64, step float64, m trendLayout) {
	widest := math.Max(width(signed(float64(first), 1), 12), width(signed(float64(last), 1), 12))
	every := max(1, int(math.Ceil((widest+6)/step)))
	for _, p := range d.Points {
		if p.Event%every == 0 {
			c.text("small dim", middle, at(float64(p.Event)), m.bottom+19, signed(float64(p.Event), 1))
		}
	}
	c.text("small dim", middle, (m.left+m.right)/2, m.bottom+42, fit(d.TimeTitle, m.right-m.left, 12))
}
