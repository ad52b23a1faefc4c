package metrics

import (
	"fmt"
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

// eventStudy is the difference to the comparison by bucket, relative to the
// last bucket before the start. Its intervals come from the spread of the
// comparison units (Donald–Lang), pointwise and, by Bonferroni, for all points
// at once; where the treated side is too noisy for that method, there are none.
func (c *comparison) eventStudy() *EventStudy {
	size, pre, post := buckets(c.before, c.after)
	if len(pre) == 0 || len(post) == 0 {
		return nil
	}
	unit, _ := c.units()
	noun := c.f.pilot.PeriodNoun
	es := &EventStudy{Method: methodLang, Unit: unit, PeriodNoun: noun}
	if size > 1 {
		es.PeriodNoun = counted(size, noun)
	}
	ref := pre[len(pre)-1]
	points := len(pre) + len(post) - 1
	noisier, noisy := c.spread()
	noisy = noisy && noisier > spreadBound
	banded := len(c.others) >= langUnits && !noisy
	for i, b := range slices.Concat(pre, post) {
		e := i - len(pre)
		if e == -1 {
			es.Points = append(es.Points, EventPoint{Event: -1, Estimate: finitePtr(0), Baseline: true, Units: len(c.treated)})
			continue
		}
		es.Points = append(es.Points, c.eventPoint(e, ref, b, banded, points))
	}
	if h := c.difference(c.before); finite(h) {
		es.Average = &h
	}
	es.Caption = fmt.Sprintf("Difference to the comparison, relative to the last %s before the start. ", es.PeriodNoun)
	switch {
	case banded:
		es.Caption += fmt.Sprintf("Pale bars hold for all points at once, lines for one alone; both come from how far the comparison %s lie apart.", plural(2, c.f.pilot.UnitNoun))
	case noisy:
		es.Caption += fmt.Sprintf("There are no intervals: before the start the treated side varied %s times as much as the comparison, whose spread would make them too narrow.", FormatNumber(noisier))
	default:
		es.Caption += fmt.Sprintf("There are no intervals: they come from how far comparison %s lie apart, and that takes %d of them.", plural(2, c.f.pilot.UnitNoun), langUnits)
	}
	es.Finding = es.finding()
	return es
}

func (c *comparison) eventPoint(event int, ref, bucket []int, banded bool, points int) EventPoint {
	p := EventPoint{Event: event, Units: len(c.treated)}
	change := func(units []int) (float64, bool) {
		for _, u := range units {
			for _, w := range [][]int{ref, bucket} {
				if _, ok := c.d.series.window(u, w); !ok {
					return 0, false
				}
			}
		}
		before := c.value(units, ref)
		if c.relative && before <= 0 {
			return 0, false
		}
		x := c.change(before, c.value(units, bucket))
		return x, finite(x)
	}
	own, ok := change(c.treated)
	if !ok {
		p.Missing = inSentence(c.f.side()) + " has no value here"
		return p
	}
	var others []float64
	for _, u := range c.others {
		if x, ok := change([]int{u}); ok {
			others = append(others, x)
		}
	}
	if len(others) == 0 {
		p.Missing = "the comparison has no value here"
		return p
	}
	p.Estimate = finitePtr(own - mean(others))
	if !banded || len(others) < langUnits {
		return p
	}
	if est, err := did.DonaldLang(own, others, level); err == nil && est.HasSE {
		p.Low, p.High = finitePtr(est.Low), finitePtr(est.High)
	}
	if est, err := did.DonaldLang(own, others, 1-(1-level)/float64(points)); err == nil && est.HasSE {
		p.BandLow, p.BandHigh = finitePtr(est.Low), finitePtr(est.High)
	}
	return p
}

// finding says which points stand clear of no change once all are looked at
// together.
func (es *EventStudy) finding() string {
	var after, before, banded int
	for _, p := range es.Points {
		if p.BandLow == nil || p.BandHigh == nil {
			continue
		}
		banded++
		if *p.BandLow <= 0 && *p.BandHigh >= 0 {
			continue
		}
		if p.Event < 0 {
			before++
		} else {
			after++
		}
	}
	noun := es.PeriodNoun
	switch {
	case banded == 0:
		return "The effect by time since the start, without intervals"
	case before > 0:
		return fmt.Sprintf("The groups already differed before the start: %s clear of zero", stands(before, "point"))
	case after == 0:
		return fmt.Sprintf("No %s after the start stands clear once all are looked at together", noun)
	}
	return fmt.Sprintf("After the start %s clear of zero even when all are looked at together", stands(after, "point"))
}

func stands(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " stands"
	}
	return counted(n, noun) + " stand"
}
