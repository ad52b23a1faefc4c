package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// TrendPoint is one period of [Trend].
type TrendPoint struct {
	// Label names the period; LeftOut why it is in neither window, or nothing.
	Label, LeftOut    string
	Pilot, Comparison *float64
	// Low and High hold the middle half of the comparison units, or nil.
	Low, High *float64
	// Adopted is how many treated units had started.
	Adopted int
}

// TrendData is what [Trend] draws.
type TrendData struct {
	Pilot, Comparison string
	// AxisTitle names the vertical axis.
	AxisTitle string
	Points    []TrendPoint
	// Start indexes the first treated period; −1 where starts are staggered,
	// and then a strip under the plot shows how many units had started.
	Start int
	// Means of the windows, drawn as thick lines; nil where there is none.
	PilotBefore, PilotAfter, ComparisonBefore, ComparisonAfter *float64
	// Texts of the last means, or of the last values: "12 h".
	PilotText, ComparisonText string
	// PeriodNoun is the plural of what Points count: "weeks"; UnitNoun of what
	// Adopted counts.
	PeriodNoun, UnitNoun string
}

// trendLayout holds the measures of one layout in pixels.
type trendLayout struct {
	width, height, left, right, top, bottom float64
}

func (l Layout) trend() trendLayout {
	if l == Narrow {
		return trendLayout{358, 370, 40, 274, 76, 286}
	}
	return trendLayout{834, 426, 52, 668, 72, 348}
}

// Trend draws both groups over time, the start, the windows' means, and
// hatches what is left out.
func Trend(h Head, l Layout, d TrendData) string {
	m := l.trend()
	if !d.wordsAbove() {
		const words = 40
		m.top, m.bottom, m.height = m.top-words, m.bottom-words, m.height-words
	}
	c := newCanvas(h, "fig", m.width, m.height)
	if len(d.Points) == 0 {
		c.text("dim", middle, m.width/2, m.height/2, "No period has a value yet")
		return c.end()
	}
	y := d.axis().over(m.bottom, m.top)
	m.left = math.Max(m.left, y.widest()+10)
	step := (m.right - m.left) / float64(len(d.Points))
	left := func(i int) float64 { return m.left + step*float64(i) }

	c.text("small dim", start, 0, 12, fit(d.AxisTitle, m.width, 12))
	for _, t := range y.ticks() {
		class := "grid"
		if t.at == m.bottom {
			class = "zero"
		}
		c.line(class, m.left, t.at, m.right, t.at)
		c.text("small dim", end, m.left-8, t.at+4, t.text)
	}
	c.leftOut(d, m, step)
	if d.Start >= 0 && d.Start < len(d.Points) {
		c.startLine(left(d.Start), m, d.Points[d.Start].Label)
	}
	c.trendLines(l, d, y, left, step)
	c.trendMeans(d, y, left)
	c.trendEnds(d, y, m)
	c.trendTime(d, left, step, m)
	if d.Start < 0 && slices.ContainsFunc(d.Points, func(p TrendPoint) bool { return p.Adopted > 0 }) {
		c.adoption(d, m, left, step)
	} else if d.Start >= 0 {
		c.windows(l, d, m, left)
	}
	return c.end()
}

// wordsAbove reports whether a start or something left out is named above the
// plot.
func (d TrendData) wordsAbove() bool {
	return d.Start >= 0 || slices.ContainsFunc(d.Points, func(p TrendPoint) bool { return p.LeftOut != "" })
}

func (c *canvas) startLine(x float64, m trendLayout, label string) {
	c.line("start", x, m.top-42, x, m.bottom)
	text := "start, " + label
	if x+7+width(text, 12) > m.width {
		c.text("small bold halo", end, x-7, m.top-33, text)
		return
	}
	c.text("small bold halo", start, x+7, m.top-33, text)
}

// leftOut hatches runs of periods with one reason and names it above them.
func (c *canvas) leftOut(d TrendData, m trendLayout, step float64) {
	free := -1.0 // where the last label ended
	for i := 0; i < len(d.Points); {
		j := i
		for j < len(d.Points) && d.Points[j].LeftOut == d.Points[i].LeftOut {
			j++
		}
		if why := d.Points[i].LeftOut; why != "" {
			x, w := m.left+step*float64(i), step*float64(j-i)
			c.hatch(x, m.top, w, m.bottom-m.top)
			lines, half := wrap(why, 170, 12), 0.0
			for _, t := range lines {
				half = math.Max(half, width(t, 12)/2)
			}
			at := math.Min(math.Max(x+w/2, m.left+half), m.width-half)
			if i == d.Start {
				at = x + 7 + half // beside the line of the start, not across it
			}
			if at-half > free {
				for k, t := range lines {
					c.text("small dim halo", middle, at, m.top-4-14*float64(len(lines)-1-k), t)
				}
				free = at + half + 8
			}
		}
		i = j
	}
}

func (c *canvas) trendLines(l Layout, d TrendData, y axis, left func(int) float64, step float64) {
	c.middleHalf(d, y, left, step)
	pilot, group := make([]*point, len(d.Points)), make([]*point, len(d.Points))
	for i, p := range d.Points {
		if known(p.Comparison) {
			group[i] = &point{left(i) + step/2, y.within(*p.Comparison)}
		}
		if known(p.Pilot) {
			pilot[i] = &point{left(i) + step/2, y.within(*p.Pilot)}
		}
	}
	c.polylines("group-line", group)
	c.polylines("pilot-line", pilot)
	r := 2.4
	if l == Narrow || step < 9 {
		r = 1.8
	}
	for i, p := range d.Points {
		if group[i] != nil {
			c.trendPoint("group-point", y, *group[i], r-.4, *p.Comparison)
		}
		if pilot[i] != nil {
			c.trendPoint("pilot-point", y, *pilot[i], r, *p.Pilot)
		}
	}
}

// trendPoint draws one value; where the axis does not reach it, an arrow at
// the edge with the value beside it.
func (c *canvas) trendPoint(class string, y axis, at point, r, v float64) {
	if y.holds(v) {
		c.dot(class, at.x, at.y, r, v)
		return
	}
	towards := 1.0 // up
	if at.y > (y.fromPx+y.toPx)/2 {
		towards = -1
	}
	c.printf(`<path class="%s beyond" d="M%s %sl-4 %sh8z" data-v="%s"/>`, class, px(at.x), px(at.y-towards*2), px(towards*7), exact(v))
	c.text("small dim halo", start, at.x+6, at.y+4+towards*6, number(v, y.step))
}

// axis spans what lies in the windows, and what is left out only as far as
// that leaves the windows readable: a holiday week must not flatten the year.
func (d TrendData) axis() axis {
	var used, other []float64
	for _, p := range d.Points {
		if p.LeftOut == "" {
			used = append(used, present(p.Pilot, p.Comparison, p.Low, p.High)...)
		} else {
			other = append(other, present(p.Pilot, p.Comparison)...)
		}
	}
	used = append(used, present(d.PilotBefore, d.PilotAfter, d.ComparisonBefore, d.ComparisonAfter)...)
	if len(used) == 0 {
		return valueAxis(other, 4)
	}
	inner := valueAxis(used, 4)
	room := .35 * (inner.hi - inner.lo)
	for _, v := range other {
		if v >= inner.lo-room && v <= inner.hi+room {
			used = append(used, v)
		}
	}
	return valueAxis(used, 4)
}

// holds reports whether v lies on the axis.
func (a axis) holds(v float64) bool {
	x := a.coordinate(v)
	slack := 1e-9 * (a.hi - a.lo)
	return x >= a.lo-slack && x <= a.hi+slack
}

// within is the pixel of v, or of the end of the axis that it lies beyond.
func (a axis) within(v float64) float64 {
	at := a.at(v)
	return math.Max(math.Min(a.fromPx, a.toPx), math.Min(math.Max(a.fromPx, a.toPx), at))
}

// middleHalf fills the band of the comparison's middle half, one area a run of
// periods that have it.
func (c *canvas) middleHalf(d TrendData, y axis, left func(int) float64, step float64) {
	var upper, lower []string
	flush := func() {
		if len(upper) > 1 {
			slices.Reverse(lower)
			c.printf(`<polygon class="middle-half" points="%s %s"/>`, strings.Join(upper, " "), strings.Join(lower, " "))
		}
		upper, lower = nil, nil
	}
	for i, p := range d.Points {
		if !known(p.Low) || !known(p.High) {
			flush()
			continue
		}
		x := px(left(i) + step/2)
		upper = append(upper, x+","+px(y.within(*p.High)))
		lower = append(lower, x+","+px(y.within(*p.Low)))
	}
	flush()
}

// trendMeans draws the windows' means over the periods they come from.
func (c *canvas) trendMeans(d TrendData, y axis, left func(int) float64) {
	if d.Start < 0 || d.Start > len(d.Points) {
		return
	}
	b0, b1 := window(d.Points, 0, d.Start)
	a0, a1 := window(d.Points, d.Start, len(d.Points))
	for _, w := range []struct {
		from, to   int
		group, own *float64
	}{{b0, b1, d.ComparisonBefore, d.PilotBefore}, {a0, a1, d.ComparisonAfter, d.PilotAfter}} {
		if w.from < 0 {
			continue
		}
		// Two means on one height lie side by side, not on top of each other.
		shift := 0.0
		if known(w.group) && known(w.own) && math.Abs(y.at(*w.group)-y.at(*w.own)) < 3.5 {
			shift = 1.75
		}
		if known(w.group) {
			c.mean("group-mean", left(w.from), left(w.to), y.at(*w.group)-shift, *w.group)
		}
		if known(w.own) {
			c.mean("pilot-mean", left(w.from), left(w.to), y.at(*w.own)+shift, *w.own)
		}
	}
}

func (c *canvas) mean(class string, x1, x2, y, v float64) {
	c.printf(`<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s" data-v="%s"/>`,
		class, px(x1), px(y), px(x2), px(y), exact(v))
}

// window is the span of points in [from, to) without what is left out at its
// two ends; −1 where nothing remains.
func window(ps []TrendPoint, from, to int) (int, int) {
	for from < to && ps[from].LeftOut != "" {
		from++
	}
	for to > from && ps[to-1].LeftOut != "" {
		to--
	}
	if from >= to {
		return -1, -1
	}
	return from, to
}

// used counts the points in [from, to) that are in a window.
func used(ps []TrendPoint, from, to int) int {
	n := 0
	for _, p := range ps[from:to] {
		if p.LeftOut == "" {
			n++
		}
	}
	return n
}

// trendEnds names both lines at the right edge, kept apart from each other.
func (c *canvas) trendEnds(d TrendData, y axis, m trendLayout) {
	pilot, group := d.PilotAfter, d.ComparisonAfter
	for i := len(d.Points) - 1; i >= 0; i-- {
		if !known(pilot) {
			pilot = d.Points[i].Pilot
		}
		if !known(group) {
			group = d.Points[i].Comparison
		}
	}
	if !known(pilot) && !known(group) {
		return
	}
	x := m.right + 10
	w := m.width - x
	yp, yg := math.Inf(1), math.Inf(1)
	if known(pilot) {
		yp = y.within(*pilot)
	}
	if known(group) {
		yg = y.within(*group)
	}
	apart := 40.0
	if width(d.Pilot, 12) > w || width(d.Comparison, 12) > w {
		apart = 54
	}
	if known(pilot) && known(group) && math.Abs(yp-yg) < apart {
		mid := (yp + yg) / 2
		if yp < yg {
			yp, yg = mid-apart/2, mid+apart/2
		} else {
			yp, yg = mid+apart/2, mid-apart/2
		}
	}
	// Both stay above the time axis and its labels.
	lowest := m.bottom - 24
	if low := math.Max(minusInf(yp), minusInf(yg)); low > lowest {
		yp, yg = yp-(low-lowest), yg-(low-lowest)
	}
	if known(pilot) {
		c.text("bold accent", start, x, yp+2, fit(d.PilotText, w, 13))
		c.lines("small accent", start, x, yp+18, w, 12, 14, shortName(d.Pilot, "pilot", w))
	}
	if known(group) {
		c.text("bold dim", start, x, yg+2, fit(d.ComparisonText, w, 13))
		c.lines("small dim", start, x, yg+18, w, 12, 14, shortName(d.Comparison, "comparison", w))
	}
}

// minusInf is v, or −∞ where it stands for nothing.
func minusInf(v float64) float64 {
	if math.IsInf(v, 0) {
		return math.Inf(-1)
	}
	return v
}

// trendTime labels the time axis as densely as the labels allow.
func (c *canvas) trendTime(d TrendData, left func(int) float64, step float64, m trendLayout) {
	widest := 0.0
	for _, p := range d.Points {
		widest = math.Max(widest, width(p.Label, 12))
	}
	every := max(1, int(math.Ceil((widest+22)/step)))
	from := 0
	if d.Start > 0 {
		from = d.Start % every
	}
	for i := from; i < len(d.Points); i += every {
		x := left(i) + step/2
		c.line("zero", x, m.bottom, x, m.bottom+5)
		half := width(d.Points[i].Label, 12) / 2
		if x-half < 0 {
			x = half
		}
		c.text("small dim", middle, x, m.bottom+20, d.Points[i].Label)
	}
}

// windows brackets the two windows under the time axis.
func (c *canvas) windows(l Layout, d TrendData, m trendLayout, left func(int) float64) {
	y, free := m.bottom+42, -1.0
	for _, w := range []struct {
		name     string
		from, to int
	}{{"before", 0, d.Start}, {"after", d.Start, len(d.Points)}} {
		if w.to > len(d.Points) || w.from > w.to {
			continue
		}
		a, b := window(d.Points, w.from, w.to)
		if a < 0 {
			continue
		}
		c.line("rule", left(a), y-4, left(a), y+4)
		c.line("rule", left(b), y-4, left(b), y+4)
		c.line("rule", left(a), y, left(b), y)
		n, all := used(d.Points, a, b), b-a
		text := fmt.Sprintf("%s: %d %s", w.name, n, d.PeriodNoun)
		if n != all && l == Wide {
			text = fmt.Sprintf("%s: %d of %d %s", w.name, n, all, d.PeriodNoun)
		}
		half := width(text, 12) / 2
		x := math.Min(math.Max((left(a)+left(b))/2, half), m.width-half)
		row := 18.0
		if x-half < free {
			row = 33 // the first label is in the way
		}
		free = x + half + 8
		c.text("small dim", middle, x, y+row, text)
	}
}

// adoption is a strip under the time axis: how many units had started.
func (c *canvas) adoption(d TrendData, m trendLayout, left func(int) float64, step float64) {
	most := 0
	for _, p := range d.Points {
		most = max(most, p.Adopted)
	}
	if most == 0 {
		return
	}
	top, bottom := m.bottom+32, m.bottom+56
	for i, p := range d.Points {
		h := (bottom - top) * float64(p.Adopted) / float64(most)
		c.rect("bar", left(i), bottom-h, step+.3, h)
	}
	c.line("rule", m.left, bottom, m.right, bottom)
	c.text("small dim", start, m.left, bottom+15, "above: "+d.UnitNoun+" that had started")
	c.text("small accent", start, m.right+10, top+8, fmt.Sprintf("%d started", most))
}
