package metrics

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"steelyard/metrics/did"
)

const (
	methodNever  = "callaway-santanna-never-treated"
	titleNever   = "Callaway–Sant’Anna, never-treated comparison"
	methodNotYet = "callaway-santanna-not-yet-treated"
	titleNotYet  = "Callaway–Sant’Anna, not-yet-treated comparison"
	methodImpute = "imputation"
	titleImpute  = "Imputation (Borusyak–Jaravel–Spiess)"
)

// bandDraws is the number of draws of the multiplier bootstrap behind
// simultaneous bands.
const bandDraws = 1000

// eventReach is how many periods before and after the start an event study of
// a staggered design shows.
const eventReach = 12

// staggered is one outcome of a design with several starts.
type staggered struct {
	f     *frame
	d     *outcomeData
	panel did.Panel
	// periods are the frame's, by their number in the panel.
	periods []int
	// treated and comparison count the units with rows on either side; never
	// is how many of the comparison are never treated.
	treated, comparison, never int
	// reach bounds the event times that exist.
	minEvent, maxEvent int
}

// newStaggered hands over every value that has a place on the estimators'
// scale.
func newStaggered(f *frame, d *outcomeData) *staggered {
	kept := d.over(f.kept)
	s := &staggered{f: f, d: d, periods: kept}
	var units []int
	s.panel, units = f.panelOf(slices.Concat(f.treated, f.comparison), kept, d.series.point)
	for i, u := range units {
		switch first := s.panel.First[i]; first {
		case did.Never:
			s.comparison++
			if f.units[u].first == Never {
				s.never++
			}
		default:
			s.treated++
			s.minEvent = min(s.minEvent, -first)
			s.maxEvent = max(s.maxEvent, len(kept)-1-first)
		}
	}
	return s
}

// trusted says why errors that rest on many independent units cannot be
// believed here, "" where they can.
func (s *staggered) trusted() string {
	if s.treated >= manyTreated && s.compared() >= manyComparison {
		return ""
	}
	return fmt.Sprintf("With %s and %s in the comparison, its standard error rests on too few %s to be believed.",
		counted(s.treated, "treated "+s.f.pilot.UnitNoun), FormatCount(s.compared()), plural(2, s.f.pilot.UnitNoun))
}

// compared is how many units the comparison has: where none is never treated,
// those that start later.
func (s *staggered) compared() int {
	if s.never == 0 {
		return s.treated
	}
	return s.comparison
}

// staggeredResult is what the estimators gave.
type staggeredResult struct {
	headline          Effect
	others            []Effect
	pilot, comparison Change
	preTrend          Test
	event             *EventStudy
	breakdown         *Breakdown
	leftOut           []LeftOut
}

// estimate runs every method: the headline with its bands and pre-test, then
// the ones beside it.
func (s *staggered) estimate() staggeredResult {
	var out staggeredResult
	control, method, title := did.NeverTreated, methodNever, titleNever
	if s.never == 0 {
		control, method, title = did.NotYetTreated, methodNotYet, titleNotYet
	}
	gt, err := did.CallawaySantAnna(s.panel, did.GroupTimeOptions{
		Control: control, Base: did.Universal, Level: level, Draws: bandDraws, Seed: s.f.pilot.Seed,
	})
	if err != nil {
		out.headline = missing(method, title, s.unit(), s.words(err.Error()))
		out.preTrend = Test{Title: "Pre-trend", Missing: s.words(err.Error())}.say()
		out.pilot, out.comparison = s.sides(did.Aggregate{}, err)
	} else {
		out.headline, out.pilot, out.comparison = s.simple(gt, method, title)
		out.leftOut = s.drops(gt.Dropped, "")
		out.preTrend = s.preTest(gt)
		out.event = s.eventStudy(gt, method, out.headline)
		out.breakdown = s.breakdown(gt)
	}
	if control == did.NeverTreated {
		out.others = append(out.others, s.notYet())
	}
	imputed, left := s.impute()
	out.others = append(out.others, imputed)
	out.leftOut = append(out.leftOut, left...)
	return out
}

func (s *staggered) unit() EffectUnit {
	if s.d.logPoints {
		return UnitPercent
	}
	return UnitLevel
}

// effect reads an estimate in the unit of the outcome.
func (s *staggered) effect(method, title string, est did.Estimate) Effect {
	e := newEffect(method, title, UnitLevel, est.Value, est)
	if s.d.logPoints {
		e = e.asPercent()
	}
	e.Admissible = est.HasSE
	if !est.HasSE {
		e.Missing = "no interval: its standard error is zero"
	}
	if why := s.trusted(); why != "" {
		e.Admissible = false
		e.Notes = append(e.Notes, why)
	}
	return e.say(s.d.outcome.Unit)
}

// simple is the mean of all group-time effects from the start on, and its two
// parts, which subtract to it on the scale of the estimate.
func (s *staggered) simple(gt *did.GroupTime, method, title string) (Effect, Change, Change) {
	agg, err := gt.Simple()
	if err != nil {
		e := missing(method, title, s.unit(), s.words(err.Error()))
		pilot, other := s.sides(agg, err)
		return e, pilot, other
	}
	e := s.effect(method, title, agg.Estimate)
	e.Notes = append(e.Notes, s.inPilotWords(gt.Warnings)...)
	pilot, other := s.sides(agg, nil)
	return e, pilot, other
}

func (s *staggered) sides(agg did.Aggregate, err error) (pilot, other Change) {
	side := func(label string, x float64) Change {
		c := Change{Label: label}
		if err != nil {
			c.Missing, c.ValueText = s.words(err.Error()), dash
			return c
		}
		if s.d.logPoints {
			x = 100 * math.Expm1(x)
			c.ValueText = FormatPercent(x)
		} else {
			c.ValueText = levelText(x, s.d.outcome.Unit, finitePtr(agg.Estimate.SE))
		}
		c.Value = finitePtr(x)
		return c
	}
	return side(s.f.side(), agg.TreatedChange), side("comparison", agg.ComparisonChange)
}

func (s *staggered) notYet() Effect {
	gt, err := did.CallawaySantAnna(s.panel, did.GroupTimeOptions{Control: did.NotYetTreated, Level: level})
	if err != nil {
		return missing(methodNotYet, titleNotYet, s.unit(), s.words(err.Error()))
	}
	agg, err := gt.Simple()
	if err != nil {
		return missing(methodNotYet, titleNotYet, s.unit(), s.words(err.Error()))
	}
	return s.effect(methodNotYet, titleNotYet, agg.Estimate)
}

func (s *staggered) impute() (Effect, []LeftOut) {
	im, err := did.Impute(s.panel, did.ImputationOptions{Level: level})
	if err != nil {
		return missing(methodImpute, titleImpute, s.unit(), s.words(err.Error())), nil
	}
	e := s.effect(methodImpute, titleImpute, im.Static)
	e.Notes = append(e.Notes, fmt.Sprintf("The mean over %s, on %s of %s.",
		counted(im.TreatedRows, "treated row"), counted(im.UsedRows, "row"), counted(im.UsedUnits, s.f.pilot.UnitNoun)))
	return e, s.drops(im.Dropped, "imputation")
}

// drops are what a method left out, as entries of the sample: rows, and the
// units that went with them.
func (s *staggered) drops(in []did.Drop, method string) []LeftOut {
	var out []LeftOut
	for _, d := range in {
		l := LeftOut{Count: d.Rows, What: plural(d.Rows, "row"), Reason: s.reason(d.Reason)}
		if d.Units > 0 {
			l.What += fmt.Sprintf(" of %s", counted(d.Units, s.f.pilot.UnitNoun))
		}
		if d.Rows == 0 {
			l.Count, l.What = d.Units, plural(d.Units, s.f.pilot.UnitNoun)
		}
		if method != "" {
			l.What += " (" + method + ")"
		}
		if l.Count > 0 {
			out = append(out, l)
		}
	}
	return out
}

// reason puts an estimator's reason into the pilot's own words. A unit with no
// untreated row, or one, has fewer than two periods before adoption.
func (s *staggered) reason(r string) string {
	noun, period := s.f.pilot.UnitNoun, s.f.pilot.PeriodNoun
	early := fmt.Sprintf("the %s has fewer than two %s before adoption: ", noun, plural(2, period))
	switch {
	case strings.Contains(r, "no untreated row,"):
		return early + "none, so its effect cannot be told from itself"
	case strings.Contains(r, "exactly one untreated row"):
		return early + "one, which its own level uses up"
	}
	return s.words(r)
}

var periodNumber = regexp.MustCompile(`\bperiod (\d+)\b`)

// words puts what an estimator says into the pilot's own words: its periods are
// numbered.
func (s *staggered) words(text string) string {
	text = periodNumber.ReplaceAllStringFunc(text, func(found string) string {
		i, err := strconv.Atoi(strings.TrimPrefix(found, "period "))
		if err != nil || i >= len(s.periods) {
			return found
		}
		return s.f.label(s.periods[i])
	})
	return inWords(text, s.f.pilot)
}

func (s *staggered) inPilotWords(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = s.words(t)
	}
	return out
}

func (s *staggered) preTest(gt *did.GroupTime) Test {
	t := Test{Title: "Pre-trend (joint Wald test of every effect before the start)"}
	if s.trusted() != "" {
		t.Missing = fmt.Sprintf("with %s and %s in the comparison it would rest on too few %s to be believed",
			counted(s.treated, "treated "+s.f.pilot.UnitNoun), FormatCount(s.compared()), plural(2, s.f.pilot.UnitNoun))
		return t.say()
	}
	w, err := gt.PreTest()
	if err != nil {
		t.Missing = s.words(err.Error())
		return t.say()
	}
	t.Statistic, t.DF, t.P = finitePtr(w.Statistic), finitePtr(w.DF), finitePtr(w.P)
	if w.DF2 > 0 {
		t.DF2 = finitePtr(w.DF2)
	}
	if w.Warning != "" {
		t.Notes, t.limited = append(t.Notes, s.words(w.Warning)), true
	}
	return t.say()
}

func (s *staggered) eventStudy(gt *did.GroupTime, method string, headline Effect) *EventStudy {
	dyn, err := gt.Dynamic(max(s.minEvent, -eventReach), min(s.maxEvent, eventReach))
	if err != nil || len(dyn.Points) == 0 {
		return nil
	}
	es := newEventStudy(method, s.unit(), s.f.pilot.PeriodNoun, 1)
	es.Average = headline.Estimate
	read := func(x float64) *float64 {
		if s.d.logPoints {
			x = 100 * math.Expm1(x)
		}
		return finitePtr(x)
	}
	for _, p := range dyn.Points {
		out := EventPoint{Event: p.Event, Units: p.Units, Missing: p.Missing}
		if p.Missing == "" {
			out.Estimate = read(p.Estimate.Value)
		}
		if p.Estimate.HasSE && s.trusted() == "" {
			out.Low, out.High = read(p.Estimate.Low), read(p.Estimate.High)
			if dyn.BandCritical > 0 {
				out.BandLow, out.BandHigh = read(p.BandLow), read(p.BandHigh)
			}
		}
		out.Baseline = p.Event == -1 && p.Missing == "" && !p.Estimate.HasSE
		es.Points = append(es.Points, out)
	}
	bars := "Pale bars hold for all dots at once, lines for one alone."
	if s.trusted() != "" {
		bars = fmt.Sprintf("There are no intervals: they would rest on too few %s to be believed.", plural(2, s.f.pilot.UnitNoun))
	}
	es.Caption = fmt.Sprintf("Difference to the comparison by %s since the start, relative to the last %s before it. %s Dots far from the start rest on fewer %s.",
		es.PeriodNoun, es.PeriodNoun, bars, plural(2, s.f.pilot.UnitNoun))
	return es
}
