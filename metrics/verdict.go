package metrics

import (
	"fmt"
	"slices"
)

// Evidence is what a verdict rests on.
type Evidence struct {
	Pilot  Pilot
	Design Design
	// Metrics are the pilot's outcomes, the primary one first.
	Metrics []MetricReport
	// Problem says why nothing can be compared at all, nil where it can.
	Problem *Reason
	// NotOver says why the declared window is not over, "" where it is.
	NotOver string
	// Changed says how the definition was changed after the start, a sentence
	// a change.
	Changed []string
	// Retrospective says that the definition was first saved after the start, ""
	// where it was not.
	Retrospective string
	// Incomplete says what is missing of the data inside the window.
	Incomplete []string
	// Assisted says that the comparison used assistants, too, "" where it is
	// not known to have.
	Assisted string
	// Baseline is the primary outcome's size before the start, needed to judge
	// a smallest effect where the headline is in the outcome's own unit; nil
	// where unknown.
	Baseline *float64
}

// The codes of the reasons that decide, and of those that stand beside.
const (
	codeNotOver     = "window_not_over"
	codePreTrend    = "pre_trend"
	codeDisagree    = "methods_disagree"
	codeIncomplete  = "ingest_incomplete"
	codeNoInterval  = "no_interval"
	codeFewUnits    = "few_units"
	codeExcludes    = "interval_excludes_no_change"
	codeWithin      = "interval_within_smallest_effect"
	codeIncludes    = "interval_includes_no_change"
	codeCounter     = "counter_metric_worse"
	codeCounterOpen = "counter_metric_open"
	codeSmall       = "design_small"
	codeSupports    = "comparison_supported"
	codeChanged     = "definition_changed"
	codeEventBefore = "event_before"
	codeDefined     = "defined_after_start"
	codeBends       = "trend_bend"
	codeAssisted    = "comparison_assisted"
)

var verdictWords = map[VerdictValue]string{
	VerdictCannotSayYet:    "Cannot say yet",
	VerdictImproved:        "Improved",
	VerdictImprovedAtACost: "Improved, at a cost",
	VerdictWorsened:        "Worsened",
	VerdictRose:            "Rose",
	VerdictFell:            "Fell",
	VerdictNoClearChange:   "No clear change",
}

// Decide gives the verdict on the primary outcome by fixed rules, the first
// that applies:
//
//  1. cannot_say_yet: nothing can be compared; or the declared window is not
//     over; or the pre-trend test has p < 0.05; or another admissible method's
//     interval excludes no change on the side opposite to the headline
//     estimate; or the data is incomplete for the window; or the headline has
//     no interval that can be trusted.
//  2. improved or worsened (rose or fell, where no side is better): the
//     headline interval excludes no change. A counter-metric whose interval
//     excludes no change for the worse turns improved into
//     improved_at_a_cost.
//  3. no_clear_change: the headline interval lies within plus or minus the
//     smallest effect worth having.
//  4. cannot_say_yet.
func Decide(e Evidence) Verdict {
	v := Verdict{Value: VerdictCannotSayYet, WouldChange: []string{}}
	blocked := e.blocked()
	m := e.Metrics[0]
	h := m.Headline
	switch {
	case len(blocked) > 0:
		v.Reasons = blocked
		v.Sentence = e.blockedSentence(blocked[0])
	case h.ExcludesNoChange():
		v.Value = e.direction()
		v.Reasons = []Reason{{codeExcludes, "The interval excludes no change", upperFirst(differenceText(m)) + "."}}
	case e.within():
		v.Value = VerdictNoClearChange
		v.Reasons = []Reason{{codeWithin, "Any effect is smaller than one worth having", fmt.Sprintf(
			"%s, which lies within ±%s%s%%.", upperFirst(differenceText(m)), FormatNumber(100*e.smallest()), narrow)}}
	default:
		v.Reasons = []Reason{{codeIncludes, "The interval includes no change", upperFirst(differenceText(m)) + "."}}
	}
	if v.Sentence == "" {
		v.Sentence = story(m) + "."
	}
	v.Word = verdictWords[v.Value]
	v.Reasons = append(v.Reasons, e.beside(blocked)...)
	v.WouldChange = append(v.WouldChange, e.wouldChange(v, blocked)...)
	return v
}

func (e Evidence) smallest() float64 {
	if e.Pilot.SmallestEffect == 0 {
		return DefaultSmallestEffect
	}
	return e.Pilot.SmallestEffect
}

// blocked are the reasons of rule 1 that apply, in its order.
func (e Evidence) blocked() []Reason {
	var out []Reason
	if e.Problem != nil {
		return []Reason{*e.Problem}
	}
	m := e.Metrics[0]
	if e.NotOver != "" {
		out = append(out, Reason{codeNotOver, "The declared window is not over", e.NotOver})
	}
	if p := m.PreTrend.P; p != nil && *p < 0.05 {
		text := apartText(m.PreTrend) + " Whatever drove them apart may have gone on, so the comparison does not show what would have happened anyway."
		if t := m.PreTrend; t.limited {
			text += " The test has its limit: " + lowerFirst(trimStop(t.Notes[0])) + "."
		}
		out = append(out, Reason{codePreTrend, "The groups already moved apart before the start", text})
	}
	if m.Disagree {
		out = append(out, Reason{codeDisagree, "The methods disagree", disagreement(m)})
	}
	for _, text := range e.Incomplete {
		out = append(out, Reason{codeIncomplete, "The data is incomplete for the window", text})
	}
	if !m.Headline.Admissible {
		out = append(out, e.untrusted(m))
	}
	return out
}

// untrusted says why the headline's interval cannot decide anything.
func (e Evidence) untrusted(m MetricReport) Reason {
	h := m.Headline
	switch {
	case h.Estimate == nil && h.Low == nil && h.High == nil:
		return Reason{codeNoInterval, "There is no estimate", sentence(h.Missing)}
	case h.Low == nil && h.High == nil:
		return Reason{codeNoInterval, "There is no interval", fmt.Sprintf("%s is %s, with %s.",
			upperFirst(theDifference(m)), h.EstimateText, lowerFirst(trimStop(h.Missing)))}
	}
	noun := e.Pilot.UnitNoun
	return Reason{codeFewUnits, "Too few " + plural(2, noun) + " to trust the interval", fmt.Sprintf(
		"%s, but with %s and %s in the comparison that interval is too narrow to be believed.",
		upperFirst(differenceText(m)), counted(e.Design.TreatedUnits, "treated "+noun), FormatCount(e.Design.ComparisonUnits))}
}

func (e Evidence) blockedSentence(first Reason) string {
	m := e.Metrics[0]
	title := upperFirst(m.Outcome.Title)
	switch first.Code {
	case codeNotOver:
		if m.Headline.Estimate != nil {
			return fmt.Sprintf("The declared window is not over; so far, %s.", lowerFirst(story(m)))
		}
		return "The declared window is not over."
	case codePreTrend:
		return fmt.Sprintf("%s already moved differently in the two groups before the start, so the comparison does not show what would have happened anyway.", title)
	case codeDisagree:
		return disagreement(m)
	case codeIncomplete:
		return "The data is incomplete for the window: " + lowerFirst(first.Text)
	case codeNoInterval:
		if m.Headline.Estimate != nil {
			return title + ": " + lowerFirst(first.Text)
		}
	case codeFewUnits:
		return fmt.Sprintf("%s: the difference is %s, but too few %s stand behind it to tell it from chance.",
			title, m.Headline.EstimateText, plural(2, e.Pilot.UnitNoun))
	}
	if e.Problem != nil {
		return sentence(first.Title)
	}
	return first.Text
}

// direction is improved or worsened, or rose or fell where no side is better.
func (e Evidence) direction() VerdictValue {
	m := e.Metrics[0]
	h := m.Headline
	up := h.Low != nil && *h.Low > h.Unit.NoChange()
	switch {
	case m.Outcome.Better == BetterNeutral && up:
		return VerdictRose
	case m.Outcome.Better == BetterNeutral:
		return VerdictFell
	case up != (m.Outcome.Better == BetterHigher):
		return VerdictWorsened
	case slices.ContainsFunc(e.Metrics, counterWorse):
		return VerdictImprovedAtACost
	}
	return VerdictImproved
}

// counterWorse reports whether m is a counter-metric whose interval excludes
// no change for the worse.
func counterWorse(m MetricReport) bool {
	h := m.Headline
	if m.Outcome.Role != RoleCounter || !h.Admissible {
		return false
	}
	n := h.Unit.NoChange()
	if m.Outcome.Better == BetterLower {
		return h.Low != nil && *h.Low > n
	}
	return h.High != nil && *h.High < n
}

// within reports whether the headline interval lies inside the smallest effect
// worth having on both sides.
func (e Evidence) within() bool {
	h := e.Metrics[0].Headline
	if h.Low == nil || h.High == nil {
		return false
	}
	s := e.smallest()
	var low, high float64
	switch h.Unit {
	case UnitPoints, UnitPercent:
		low, high = -100*s, 100*s
	case UnitRatio:
		low, high = 1/(1+s), 1+s
	case UnitLevel:
		if e.Baseline == nil || *e.Baseline == 0 {
			return false
		}
		high = s * abs(*e.Baseline)
		low = -high
	}
	return *h.Low >= low && *h.High <= high
}

func abs(x float64) float64 { return max(x, -x) }

// small reports whether the smallest effect the design could see is more than
// twice the smallest one worth having.
func (e Evidence) small(m MetricReport) bool {
	d := *m.Detectable
	switch m.Headline.Unit {
	case UnitRatio:
		return d > 1+2*e.smallest()
	case UnitLevel:
		return e.Baseline != nil && d > 2*e.smallest()*abs(*e.Baseline)
	default:
		return d > 200*e.smallest()
	}
}

// beside are the reasons that do not decide: how small the design is, what
// supports or weakens the comparison, and the counter-metrics.
func (e Evidence) beside(blocked []Reason) []Reason {
	if e.Problem != nil {
		return nil
	}
	m := e.Metrics[0]
	var out []Reason
	has := func(code string) bool {
		return slices.ContainsFunc(blocked, func(r Reason) bool { return r.Code == code })
	}
	if len(blocked) > 0 && m.Headline.Admissible {
		title, code := "The interval includes no change", codeIncludes
		if m.Headline.ExcludesNoChange() {
			title, code = "The interval on its own excludes no change", codeExcludes
		}
		out = append(out, Reason{code, title, upperFirst(differenceText(m)) + "."})
	}
	for _, c := range e.Metrics[1:] {
		if counterWorse(c) {
			out = append(out, Reason{codeCounter, upperFirst(c.Outcome.Title) + " got worse", upperFirst(story(c)) + "."})
		}
	}
	for _, text := range e.Changed {
		out = append(out, Reason{codeChanged, "The definition was changed after the start", text})
	}
	if e.Assisted != "" {
		out = append(out, Reason{codeAssisted, "The comparison used assistants, too", e.Assisted})
	}
	if e.Retrospective != "" {
		out = append(out, Reason{codeDefined, "The comparison was chosen after the start", e.Retrospective})
	}
	if m.Detectable != nil && !m.Headline.ExcludesNoChange() {
		title := "What this design could see"
		if e.small(m) {
			title = "It would have seen only a large effect"
		}
		out = append(out, Reason{codeSmall, title, m.DetectableText})
	}
	if !has(codePreTrend) {
		if r, ok := beforeReason(m); ok {
			out = append(out, r)
		} else if m.PreTrend.P != nil {
			out = append(out, Reason{codeSupports, "Nothing speaks against the comparison before the start", m.PreTrend.Text})
		} else {
			out = append(out, Reason{"pre_trend_untested", "The time before the start was not tested", m.PreTrend.Text})
		}
	}
	if r, ok := mayBend(m); ok && len(blocked) == 0 {
		out = append(out, r)
	}
	for _, c := range e.Metrics[1:] {
		if c.Outcome.Role == RoleCounter && !counterWorse(c) {
			out = append(out, counterOpen(c))
		}
	}
	return out
}

// counterOpen says what is known of a counter-metric that has not clearly got
// worse: never that it did not.
func counterOpen(c MetricReport) Reason {
	title := upperFirst(c.Outcome.Title)
	switch {
	case c.Words != "":
		return Reason{codeCounterOpen, title + " " + c.Words, upperFirst(countsStory(c)) + "."}
	case c.Headline.Estimate == nil:
		return Reason{codeCounterOpen, title + " cannot be judged", sentence(c.Headline.Missing)}
	}
	return Reason{codeCounterOpen, title + " " + worseWords(c), upperFirst(story(c)) + "."}
}

// worseWords say how far a counter-metric that has not clearly got worse leans
// that way: an estimate for the worse with an interval mostly on its side is no
// all-clear.
func worseWords(c MetricReport) string {
	h := c.Headline
	lean := *h.Estimate - h.Unit.NoChange()
	if c.Outcome.Better == BetterHigher {
		lean = -lean
	}
	switch {
	case lean <= 0 || !h.Admissible:
		return "did not clearly get worse"
	case h.P != nil && *h.P < likelyWorse:
		return "may well have got worse"
	}
	return "may have got worse"
}

// likelyWorse is the p-value under which an estimate for the worse is said to be
// more than a possibility.
const likelyWorse = 0.2
