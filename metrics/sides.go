package metrics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"steelyard/metrics/did"
)

func logOf(x float64) float64 { return math.Log(x) }

// sides are the first two numbers of a design with one start.
func (c *comparison) sides() (pilot, other Change) {
	_, unit := c.units()
	side := func(label string, units []int) Change {
		b, a := c.value(units, c.before), c.value(units, c.after)
		ch := c.change(b, a)
		sb, sa := c.d.shown(b), c.d.shown(a)
		out := Change{
			Label: label, Before: finitePtr(sb), After: finitePtr(sa), Value: finitePtr(ch),
			Text: FormatChange(sb, sa, c.d.outcome.Unit), ValueText: FormatPercent(ch),
		}
		if unit == UnitLevel {
			out.ValueText = levelText(ch, c.d.outcome.Unit, nil)
		}
		return out
	}
	return side(c.f.side(), c.treated), side("comparison", c.others)
}

// placebo ranks the treated side among all units. Units are numbered, not
// named: a name beside a number would show a small team on its own.
func (c *comparison) placebo() (*Placebo, Effect) {
	unit, _ := c.units()
	changes, ok := c.changes(c.others)
	if !ok {
		return nil, missing(methodPlacebo, titlePlacebo, unit, fmt.Sprintf("a comparison %s has a value of zero before the start, so its change is not a percentage", c.f.pilot.UnitNoun))
	}
	all := append([]float64{c.treatedChange()}, changes...)
	res, err := did.PlaceboRank(all, 0)
	if err != nil {
		return nil, missing(methodPlacebo, titlePlacebo, unit, err.Error())
	}
	noun := c.f.pilot.UnitNoun
	p := &Placebo{Unit: unit, Rank: res.Rank, P: finitePtr(res.P), Floor: res.Floor}
	for i, x := range res.Effects {
		at := PlaceboAt{Unit: fmt.Sprintf("comparison %d", i), Effect: x, Treated: i == 0}
		if i == 0 {
			at.Unit = c.f.side()
		}
		p.Units = append(p.Units, at)
	}
	slices.SortStableFunc(p.Units, func(a, b PlaceboAt) int { return cmp.Compare(a.Effect, b.Effect) })
	n := 0
	for i := range p.Units {
		if !p.Units[i].Treated {
			n++
			p.Units[i].Unit = fmt.Sprintf("comparison %d", n)
		}
	}
	p.Finding = placeboFinding(c.f, res.Rank, len(c.others))
	p.Caption = fmt.Sprintf("Each comparison %s as if it had been the treated one. With %s the rank cannot fall under 1 of %s, so p stays at or above %s.",
		noun, counted(len(all), noun), FormatCount(len(all)), FormatNumber(res.Floor))
	e := Effect{
		Method: methodPlacebo, Title: titlePlacebo, Unit: unit, Level: level,
		Estimate: finitePtr(res.Effects[0]), Raw: finitePtr(res.Effects[0]), P: finitePtr(res.P),
		Notes: []string{fmt.Sprintf("Rank %s of %s by size; the smallest p-value it can give is %s.", FormatCount(res.Rank), FormatCount(len(all)), FormatNumber(res.Floor))},
	}
	return p, e.say(c.d.outcome.Unit)
}

func placeboFinding(f *frame, rank, others int) string {
	noun := f.pilot.UnitNoun
	switch rank {
	case 1:
		return fmt.Sprintf("No comparison %s moved further than %s", noun, inSentence(f.side()))
	case 2:
		return fmt.Sprintf("One of %s moved further than %s, without the treatment", counted(others, "comparison "+noun), inSentence(f.side()))
	}
	return fmt.Sprintf("%s of %s moved further than %s, without the treatment", FormatCount(rank-1), counted(others, "comparison "+noun), inSentence(f.side()))
}

// preTrend tests whether both sides moved alike before the start, on the
// periods in which every unit kept has a value.
func (c *comparison) preTrend() Test {
	out := Test{Title: "Pre-trend"}
	others := make([][]float64, 0, len(c.others))
	var at []float64
	var periods []int
	for _, t := range c.before {
		if _, ok := c.sideAt(c.treated, t); ok {
			periods = append(periods, t)
		}
	}
	// A unit that misses more than a tenth of the periods goes before the
	// periods that it misses do.
	var units []int
	for _, u := range c.others {
		n := 0
		for _, t := range periods {
			if _, ok := c.sideAt([]int{u}, t); ok {
				n++
			}
		}
		if 10*n >= 9*len(periods) {
			units = append(units, u)
		}
	}
	var treated []float64
	for _, t := range periods {
		row := make([]float64, 0, len(units))
		for _, u := range units {
			if x, ok := c.sideAt([]int{u}, t); ok {
				row = append(row, x)
			}
		}
		if len(row) < len(units) {
			continue
		}
		x, _ := c.sideAt(c.treated, t)
		at = append(at, float64(t))
		treated = append(treated, x)
		for i, y := range row {
			if len(others) <= i {
				others = append(others, nil)
			}
			others[i] = append(others[i], y)
		}
	}
	if len(units) == 0 {
		out.Missing = fmt.Sprintf("no comparison %s has values in enough of the %s before the start", c.f.pilot.UnitNoun, plural(2, c.f.pilot.PeriodNoun))
		return out.say()
	}
	res, err := did.PreTrend(at, treated, others, level)
	if err != nil {
		out.Missing = inWords(err.Error(), c.f.pilot)
		return out.say()
	}
	if !res.Slope.HasSE {
		out.Missing = "both sides moved exactly alike, so there is no noise to test against"
		return out.say()
	}
	out.Title = "Pre-trend (difference of slopes)"
	out.Statistic = finitePtr(res.Slope.Value / res.Slope.SE)
	out.DF = finitePtr(res.Slope.DF)
	out.P = finitePtr(res.Slope.P)
	if n := len(c.before) - len(at); n > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%s of %s before the start left out of the test, for a missing value.", FormatCount(n), counted(len(c.before), c.f.pilot.PeriodNoun)))
		out.limited = 10*n > len(c.before)
	}
	return out.say()
}

// apartText is a failed test for a reason whose title has said already that it
// failed.
func apartText(t Test) string {
	return fmt.Sprintf("A test of the time before the start tells them apart (%s).", FormatP(*t.P))
}

// say writes a test in words.
func (t Test) say() Test {
	switch {
	case t.P == nil:
		t.Text = "Not tested: " + trimStop(t.Missing) + "."
	case *t.P < 0.05:
		t.Text = fmt.Sprintf("The groups already moved apart before the start (%s).", FormatP(*t.P))
	default:
		t.Text = fmt.Sprintf("Before the start both groups moved alike, as far as the test can see (%s).", FormatP(*t.P))
	}
	return t
}
