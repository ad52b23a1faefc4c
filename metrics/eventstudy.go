package metrics

import (
	"fmt"
	"math"
	"slices"

	"steelyard/metrics/did"
)

// maxEventPoints bounds the points of an event study of one treated unit.
const maxEventPoints = 20

// buckets cuts the periods before and after a start into pieces of equal
// length: counted backwards from the start before it, forwards after it.
// Incomplete pieces at either end are dropped, because they would be noisier
// than the others for no reason one could see.
func buckets(before, after []int) (size int, pre, post [][]int) {
	for size = 1; len(before)/size+len(after)/size > maxEventPoints; size *= 2 {
	}
	for to := len(before); to >= size; to -= size {
		pre = append(pre, before[to-size:to])
	}
	slices.Reverse(pre)
	for from := 0; from+size <= len(after); from += size {
		post = append(post, after[from:from+size])
	}
	return size, pre, post
}

// eventStudy is the difference to the comparison by bucket, each against the
// whole window before the start, as the headline is: the dots before the start
// average about zero and those after it about the headline, and no single
// bucket, a Christmas week perhaps, moves all the others. Its intervals come
// from the spread of the comparison units (Donald–Lang), or of both sides' units
// where several are treated (Welch), pointwise and, by Bonferroni, for all points
// at once; where the one treated side is too noisy for that method, there are
// none.
func (c *comparison) eventStudy() *EventStudy {
	size, pre, post := buckets(c.before, c.after)
	if len(pre) == 0 || len(post) == 0 {
		return nil
	}
	unit, _ := c.units()
	es := newEventStudy(methodLang, unit, c.f.pilot.PeriodNoun, size)
	points := len(pre) + len(post)
	noisier, noisy := c.spread()
	noisy = noisy && noisier > spreadBound
	several := c.choice.headline() == methodTwoByTwo
	if several {
		noisy = false // each side shows its own noise
		es.Method = methodTwoByTwo
	}
	banded := several || len(c.others) >= langUnits && !noisy
	for i, b := range slices.Concat(pre, post) {
		es.Points = append(es.Points, c.eventPoint(i-len(pre), b, banded, points))
	}
	if h := c.difference(c.before); finite(h) {
		es.Average = &h
	}
	es.Caption = fmt.Sprintf("Difference to the comparison. Each dot is one %s against the whole time before the start, so dots before it average about zero and dots after it about the headline. ", es.span())
	switch {
	case several:
		es.Caption += fmt.Sprintf("Pale bars hold for all dots at once, lines for one alone; both come from how far the %s on each side lie apart (Welch).", plural(2, c.f.pilot.UnitNoun))
	case banded:
		es.Caption += fmt.Sprintf("Pale bars hold for all dots at once, lines for one alone; both come from how far the comparison %s lie apart.", plural(2, c.f.pilot.UnitNoun))
	case noisy:
		es.Caption += fmt.Sprintf("There are no intervals: before the start the treated side varied %s times as much as the comparison, whose spread would make them too narrow.", FormatNumber(noisier))
	default:
		es.Caption += fmt.Sprintf("There are no intervals: they come from how far comparison %s lie apart, and that takes %d of them.", plural(2, c.f.pilot.UnitNoun), langUnits)
	}
	return es
}

// noEventStudy says why there is none: one side of the start is shorter than
// the spans that the other is cut into.
func (c *comparison) noEventStudy() Reason {
	size, pre, _ := buckets(c.before, c.after)
	side, n := "after", len(c.after)
	if len(pre) == 0 {
		side, n = "before", len(c.before)
	}
	noun := c.f.pilot.PeriodNoun
	return Reason{
		Code: "no_event_study", Title: "The effect cannot be shown over time",
		Text: fmt.Sprintf("Its figure would have one dot for every %s, since it has no room for more than %d dots, and the window %s the start holds only %s.",
			counted(size, noun), maxEventPoints, side, counted(n, noun)),
	}
}

// newEventStudy names what a dot is: size periods.
func newEventStudy(method string, unit EffectUnit, noun string, size int) *EventStudy {
	es := &EventStudy{Method: method, Unit: unit, PeriodNoun: noun, Step: size, AxisTitle: upperFirst(plural(2, noun)) + " from the start"}
	if size > 1 {
		es.PeriodNoun = counted(size, noun)
		es.AxisTitle = "Time from the start, in steps of " + es.PeriodNoun
	}
	return es
}

// span names the time behind one dot, in the singular: "week", "span of 4 weeks".
func (es *EventStudy) span() string {
	if es.Step > 1 {
		return "span of " + es.PeriodNoun
	}
	return es.PeriodNoun
}

// spans counts them: "1 week", "2 spans of 4 weeks".
func (es *EventStudy) spans(n int) string {
	if es.Step > 1 {
		return counted(n, "span") + " of " + es.PeriodNoun
	}
	return counted(n, es.PeriodNoun)
}

func (c *comparison) eventPoint(event int, bucket []int, banded bool, points int) EventPoint {
	p := EventPoint{Event: event, Units: len(c.treated)}
	has := func(u int) bool {
		_, before := c.d.series.window(u, c.before)
		_, here := c.d.series.window(u, bucket)
		return before && here
	}
	change := func(units []int) (float64, bool) {
		before := c.value(units, c.before)
		if c.relative && before <= 0 {
			return 0, false
		}
		x := c.change(before, c.value(units, bucket))
		return x, finite(x)
	}
	for _, u := range c.treated {
		if !has(u) {
			p.Missing = inSentence(c.f.side()) + " has no value here"
			return p
		}
	}
	var others []int
	for _, u := range c.others {
		if has(u) {
			others = append(others, u)
		}
	}
	own, ok := change(c.treated)
	if !ok || len(others) == 0 {
		p.Missing = "the comparison has no value here"
		return p
	}
	other, ok := change(others)
	if !ok {
		p.Missing = "the comparison has no value here"
		return p
	}
	p.Estimate = finitePtr(own - other)
	if c.choice.headline() == methodTwoByTwo {
		c.bandSeveral(&p, bucket, others, points)
		return p
	}
	var changes []float64
	for _, u := range others {
		if x, ok := change([]int{u}); ok {
			changes = append(changes, x)
		}
	}
	if !banded || len(changes) < langUnits || len(changes) < len(others) {
		return p
	}
	half := func(level float64) float64 {
		est, err := did.DonaldLang(own, changes, level)
		if err != nil || !est.HasSE {
			return math.NaN()
		}
		return (est.High - est.Low) / 2
	}
	at := own - other
	if h := half(level); finite(h) {
		p.Low, p.High = finitePtr(at-h), finitePtr(at+h)
	}
	if h := half(1 - (1-level)/float64(points)); finite(h) {
		p.BandLow, p.BandHigh = finitePtr(at-h), finitePtr(at+h)
	}
	return p
}

// bandSeveral fills a point's intervals from the spread of both sides' units.
func (c *comparison) bandSeveral(p *EventPoint, bucket, others []int, points int) {
	own, okOwn := c.contributions(c.treated, c.before, bucket)
	rest, okRest := c.contributions(others, c.before, bucket)
	if !okOwn || !okRest {
		return
	}
	ends := func(level float64) (low, high *float64) {
		est, err := did.WelchDifference(own, rest, level)
		if err != nil || !est.HasSE {
			return nil, nil
		}
		return finitePtr(est.Low), finitePtr(est.High)
	}
	p.Low, p.High = ends(level)
	p.BandLow, p.BandHigh = ends(1 - (1-level)/float64(points))
}

// clearDots counts the dots that have a simultaneous band, and those of them
// whose band excludes zero, by where they lie.
type clearDots struct {
	banded                                           int
	beforeAbove, beforeBelow, afterAbove, afterBelow int
}

func (es *EventStudy) dots() clearDots {
	var n clearDots
	for _, p := range es.Points {
		if p.BandLow == nil || p.BandHigh == nil {
			continue
		}
		n.banded++
		above, below := *p.BandLow > 0, *p.BandHigh < 0
		switch {
		case above && p.Event < 0:
			n.beforeAbove++
		case below && p.Event < 0:
			n.beforeBelow++
		case above:
			n.afterAbove++
		case below:
			n.afterBelow++
		}
	}
	return n
}

// sideOfZero says where dots lie: "above zero", "2 above zero and 1 below".
func sideOfZero(above, below int) string {
	switch {
	case below == 0:
		return "above zero"
	case above == 0:
		return "below zero"
	}
	return fmt.Sprintf("on both sides of zero, %d above and %d below", above, below)
}

// clearOf says how many spans stand clear: "1 week before the start lies clearly
// above zero".
func (es *EventStudy) clearOf(above, below int, when string) string {
	n := above + below
	return fmt.Sprintf("%s %s %s clearly %s", es.spans(n), when, lie(n), sideOfZero(above, below))
}

func lie(n int) string {
	if n == 1 {
		return "lies"
	}
	return "lie"
}

// finding says what the dots show, in the same terms as the test of the time
// before the start and the headline: simultaneous bands decide for the dots.
func (es *EventStudy) finding(m MetricReport) string {
	n := es.dots()
	before, after := n.beforeAbove+n.beforeBelow, n.afterAbove+n.afterBelow
	apart := m.PreTrend.P != nil && *m.PreTrend.P < 0.05
	found := m.Headline.Admissible && m.Headline.ExcludesNoChange() && !m.early
	switch {
	case n.banded == 0:
		return "The effect by time from the start, without intervals"
	case before > 0:
		return "The groups already differed before the start: " + es.clearOf(n.beforeAbove, n.beforeBelow, "before it")
	case apart:
		return "The groups already moved apart before the start, though no single " + es.span() + " shows it"
	case after > 0:
		return upperFirst(es.clearOf(n.afterAbove, n.afterBelow, "after the start")) + ", with all looked at together"
	case found:
		return "No single " + es.span() + " after the start is clear by itself; their average is"
	}
	return "No single " + es.span() + " after the start is clearly off zero, with all looked at together"
}

// beforeReason is what the event study shows against the comparison before the
// start; false where it shows nothing.
func beforeReason(m MetricReport) (Reason, bool) {
	if m.EventStudy == nil {
		return Reason{}, false
	}
	n := m.EventStudy.dots()
	before := n.beforeAbove + n.beforeBelow
	if before == 0 {
		return Reason{}, false
	}
	text := upperFirst(m.EventStudy.clearOf(n.beforeAbove, n.beforeBelow, "before the start")) + ", even with all looked at together, so something set the groups apart before the start could."
	if p := m.PreTrend.P; p != nil && *p >= 0.05 {
		text += fmt.Sprintf(" The test of the whole time before it finds them alike all the same (%s).", FormatP(*p))
	}
	return Reason{codeEventBefore, "The groups differed at times before the start", text}, true
}
