// Package chart draws the dashboard's figures as SVG, from numbers and words
// alone: it knows no report, no page and no style.
//
// A figure is a string of SVG with role img, a title and a description. Marks
// carry class names only, so a strict Content-Security-Policy holds and one
// style sheet decides on light, dark and print. Every figure is drawn at 1:1 in
// two layouts, wide and narrow, and the page shows one of the two: text is
// never scaled below a readable size. Each mark that stands for a number
// carries that number in data-v, so that a reader of the file (and a test) can
// hold the picture against the table.
//
// Numbers that do not exist are nil. They, and numbers that are not finite, are
// not drawn; a line breaks where one is missing. An axis always grows until the
// whole of every interval is on it.
package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Layout is one of the two widths a figure is drawn for.
type Layout int

// The layouts: Wide is 1120 or 834 pixels, Narrow 358.
const (
	Wide Layout = iota
	Narrow
)

// Head is what every figure starts with.
type Head struct {
	// ID is the prefix of the ids inside the figure; unique within a page.
	ID string
	// Title and Desc are what a screen reader says.
	Title, Desc string
}

// Interval is an estimate with its interval. Low or High is nil where there is
// none; OpenLow and OpenHigh mark ends that are unbounded.
type Interval struct {
	Value, Low, High  *float64
	OpenLow, OpenHigh bool
	// Solid is true where the interval excludes no change; no p-value decides
	// a fill.
	Solid bool
	// Text and RangeText are the numbers for people: "−17 points", "−41 to +9".
	Text, RangeText string
	// Doubt says in a word or two why the number is not the answer, "methods
	// disagree"; the interval is grey and hollow then, and the words stand with
	// it.
	Doubt string
}

// values lists the numbers of v that an axis has to hold.
func (v Interval) values() []float64 { return present(v.Value, v.Low, v.High) }

// known reports whether p is a number that can be drawn.
func known(p *float64) bool {
	return p != nil && !math.IsNaN(*p) && !math.IsInf(*p, 0)
}

// present returns those of ps that can be drawn.
func present(ps ...*float64) []float64 {
	var out []float64
	for _, p := range ps {
		if known(p) {
			out = append(out, *p)
		}
	}
	return out
}

// canvas collects one figure.
type canvas struct {
	strings.Builder
}

// newCanvas opens a figure of the given size in pixels.
func newCanvas(h Head, class string, width, height float64) *canvas {
	c := &canvas{}
	c.printf(`<svg xmlns="http://www.w3.org/2000/svg" class="%s" viewBox="0 0 %s %s" width="%s" height="%s" role="img" aria-labelledby="%s-t %s-d">`,
		class, px(width), px(height), px(width), px(height), escape(h.ID), escape(h.ID))
	c.head(h)
	return c
}

func (c *canvas) head(h Head) {
	c.printf(`<title id="%s-t">%s</title><desc id="%s-d">%s</desc>`,
		escape(h.ID), escape(h.Title), escape(h.ID), escape(h.Desc))
}

// printf adds to the figure; writing to a builder cannot fail.
func (c *canvas) printf(format string, args ...any) { _, _ = fmt.Fprintf(&c.Builder, format, args...) }

func (c *canvas) end() string { return c.String() + "</svg>" }

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	c.printf(`<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, px(x1), px(y1), px(x2), px(y2))
}

func (c *canvas) rect(class string, x, y, w, h float64) {
	c.printf(`<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, class, px(x), px(y), px(math.Max(w, 0)), px(math.Max(h, 0)))
}

// dot draws a disc that stands for v.
func (c *canvas) dot(class string, x, y, r, v float64) {
	c.printf(`<circle class="%s" cx="%s" cy="%s" r="%s" data-v="%s"/>`, class, px(x), px(y), px(r), exact(v))
}

// disc draws a disc that stands for nothing, for a key.
func (c *canvas) disc(class string, x, y, r float64) {
	c.printf(`<circle class="%s" cx="%s" cy="%s" r="%s"/>`, class, px(x), px(y), px(r))
}

// diamond draws a square on its corner that stands for v.
func (c *canvas) diamond(class string, x, y, r, v float64) {
	c.printf(`<path class="%s" d="%s" data-v="%s"/>`, class, diamondPath(x, y, r), exact(v))
}

// lozenge draws a diamond that stands for nothing, for a key.
func (c *canvas) lozenge(class string, x, y, r float64) {
	c.printf(`<path class="%s" d="%s"/>`, class, diamondPath(x, y, r))
}

func diamondPath(x, y, r float64) string {
	return fmt.Sprintf("M%s %sl%s %sl-%s %sl-%s -%sz", px(x), px(y-r), px(r), px(r), px(r), px(r), px(r), px(r))
}

// polylines draws one line for each run of points; a nil point breaks it.
func (c *canvas) polylines(class string, points []*point) {
	var run []string
	flush := func() {
		if len(run) > 1 {
			c.printf(`<polyline class="%s" points="%s"/>`, class, strings.Join(run, " "))
		}
		run = run[:0]
	}
	for _, p := range points {
		if p == nil {
			flush()
			continue
		}
		run = append(run, px(p.x)+","+px(p.y))
	}
	flush()
}

type point struct{ x, y float64 }

// Anchors of text.
const (
	start  = ""
	middle = "middle"
	end    = "end"
)

func (c *canvas) text(class, anchor string, x, y float64, s string) {
	if s == "" {
		return
	}
	c.printf(`<text class="%s" x="%s" y="%s"`, class, px(x), px(y))
	if anchor != start {
		c.printf(` text-anchor="%s"`, anchor)
	}
	c.printf(`>%s</text>`, escape(s))
}

// lines writes s over lines of the given width, as [block] breaks it, and
// returns how many it took.
func (c *canvas) lines(class, anchor string, x, y, width, size, leading float64, s string) int {
	ls := block(s, width, size)
	for i, l := range ls {
		c.text(class, anchor, x, y+float64(i)*leading, l)
	}
	return len(ls)
}

// hatch draws a stretch that is left out: a tint and 45-degree lines, clipped
// by arithmetic because a pattern would need an id.
func (c *canvas) hatch(x, y, w, h float64) {
	c.rect("left-out", x, y, w, h)
	c.WriteString(`<path class="hatch" d="`)
	for k := 8 - h; k < w; k += 8 {
		from, to := math.Max(0, k), math.Min(w, k+h)
		if to > from {
			c.printf("M%s %sL%s %s", px(x+from), px(y+h-(from-k)), px(x+to), px(y+h-(to-k)))
		}
	}
	c.WriteString(`"/>`)
}

// px writes a coordinate with one decimal. What lies outside any screen is
// brought back: a browser's own limit must not decide where a mark ends.
func px(v float64) string {
	if math.IsNaN(v) {
		v = 0
	}
	v = math.Max(-1e5, math.Min(1e5, v))
	if tenths := math.Round(v * 10); math.Abs(v*10-tenths) < 0.499 { // rounds up or down, and is not in between
		return tenthsText(int(tenths))
	}
	s := strconv.FormatFloat(v, 'f', 1, 64)
	s = strings.TrimSuffix(s, ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

// tenthsText writes n tenths as a decimal number.
func tenthsText(n int) string {
	if n%10 == 0 {
		return strconv.Itoa(n / 10)
	}
	var b [16]byte
	out := b[:0]
	if n < 0 {
		out, n = append(out, '-'), -n
	}
	out = strconv.AppendInt(out, int64(n/10), 10)
	return string(append(out, '.', byte('0'+n%10)))
}

// exact writes a number so that reading it gives the same number.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// escape makes s safe as text and as an attribute; what XML does not allow at
// all becomes U+FFFD.
func escape(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return 0xFFFD
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return escaper.Replace(s)
}

// bound draws the end of an interval, which stands for v.
func (c *canvas) bound(class string, x, y float64, which string, v float64) {
	c.printf(`<line class="%s %s" x1="%s" y1="%s" x2="%s" y2="%s" data-v="%s"/>`,
		class, which, px(x), px(y-4), px(x), px(y+4), exact(v))
}
