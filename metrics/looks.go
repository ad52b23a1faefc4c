package metrics

import (
	"fmt"

	"steelyard/metrics/did"
)

// Looks is a sequence of intervals that may be read after every period, and
// acted on, while the declared window is not over: they hold all at once.
type Looks struct {
	Text string     `json:"text"`
	Unit EffectUnit `json:"unit"`
	// Declared says when the one declared look is, when the window is over.
	Declared string `json:"declared"`
	// Points are by period from the start on; empty where Missing says why.
	Points  []Look `json:"points"`
	Missing string `json:"missing,omitempty"`
}

// Look is what may be said once the period Label is over. Low and High are nil
// where there is no bound yet; P is the smallest so far.
type Look struct {
	Label    string   `json:"label"`
	Estimate *float64 `json:"estimate"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	P        *float64 `json:"p"`
}

// looks is what may be looked at in every period before the declared window is
// over; nil where it is over.
func (c *comparison) looks() *Looks {
	if c.f.notOver == "" {
		return nil
	}
	l := c.f.newLooks()
	l.Unit = UnitLevel
	if c.relative {
		l.Unit = UnitPercent
	}
	gap := func(periods []int) (values []float64, at []int) {
		for _, t := range periods {
			own, okOwn := c.sideAt(c.treated, t)
			other, okOther := c.sideAt(c.others, t)
			if okOwn && okOther {
				values, at = append(values, own-other), append(at, t)
			}
		}
		return values, at
	}
	before, _ := gap(c.before)
	after, at := gap(c.after)
	seq, err := did.AnytimeSequence(append(before, after...), len(before), did.AnytimeOptions{Level: level, Horizon: c.f.horizon()})
	if err != nil {
		l.Missing = err.Error()
		return l.say(c.f, c.d.outcome.Unit)
	}
	read := func(x float64) *float64 {
		if c.relative {
			x = asPercent(x)
		}
		return finitePtr(x)
	}
	for i, k := range seq.Looks {
		look := Look{Label: c.f.label(at[i]), Estimate: read(k.Value), P: finitePtr(k.P)}
		if !k.Open {
			look.Low, look.High = read(k.Low), read(k.High)
		}
		l.Points = append(l.Points, look)
	}
	return l.say(c.f, c.d.outcome.Unit)
}

// noLooks says that a design has no such sequence; nil where the window is over.
func (f *frame) noLooks(why, unitName string) *Looks {
	if f.notOver == "" {
		return nil
	}
	l := f.newLooks()
	l.Missing = why
	return l.say(f, unitName)
}

func (f *frame) newLooks() *Looks {
	return &Looks{Unit: UnitLevel, Declared: lastDay(f.pilot.After.To), Points: []Look{}}
}

// horizon is how many periods the declared window has after the start: the
// sequence is made to be shortest there, before any outcome is seen.
func (f *frame) horizon() int {
	n := 0
	for t := f.start; t < maxPeriods && !f.end(t).After(f.pilot.After.To); t++ {
		if f.excluded(t, f.pilot.LeftOut) == "" && !f.grid.start(t).Before(f.pilot.After.From) {
			n++
		}
	}
	return max(n, 1)
}

// say writes what stands at the last look, and when the declared one is.
func (l *Looks) say(f *frame, unitName string) *Looks {
	l.Text = fmt.Sprintf("The one declared look is on %s, when the window is over.", l.Declared)
	if len(l.Points) == 0 {
		l.Text += fmt.Sprintf(" There is nothing to be looked at in every %s until then: %s.", f.pilot.PeriodNoun, trimStop(inWords(l.Missing, f.pilot)))
		return l
	}
	last := l.Points[len(l.Points)-1]
	e := Effect{Unit: l.Unit, Level: level, Estimate: last.Estimate, Low: last.Low, High: last.High, P: last.P}.say(unitName)
	if last.Low == nil {
		l.Text += fmt.Sprintf(" Until then this may be looked at after every %s: the difference so far is %s, and it has no bound yet.", f.pilot.PeriodNoun, e.EstimateText)
		return l
	}
	l.Text += fmt.Sprintf(" Until then this may be looked at after every %s, however often: the difference so far is %s, and an interval that holds at all looks at once goes from %s (%s). It allows for neighbouring %s being alike, and so weighs them otherwise than the headline does. It decides nothing; the declared look does.",
		f.pilot.PeriodNoun, e.EstimateText, e.IntervalText, FormatP(*last.P), plural(2, f.pilot.PeriodNoun))
	return l
}
