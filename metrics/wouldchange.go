package metrics

import (
	"fmt"
	"math"
)

// farAhead is the most periods, as a multiple of those there are, that anyone
// is told to wait.
const farAhead = 8

// wouldChange says what would have to be seen for another verdict.
func (e Evidence) wouldChange(v Verdict, blocked []Reason) []string {
	if e.Problem != nil {
		return e.problemCure()
	}
	var out []string
	for _, r := range blocked {
		switch r.Code {
		case codeNotOver:
			out = append(out, "Data to the end of the declared window.")
		case codePreTrend:
			out = append(out, fmt.Sprintf("Comparison %s that moved like the pilot before the start; more time after it does not mend that.", plural(2, e.Pilot.UnitNoun)))
		case codeDisagree:
			out = append(out, fmt.Sprintf("Agreement of the methods: look at which %s each of them leaves out or compares with before the next look.", plural(2, e.Pilot.UnitNoun)))
		case codeIncomplete:
			out = append(out, "The missing data, imported.")
		case codeFewUnits:
			out = append(out, fmt.Sprintf("At least %d treated %s and %d in the comparison.", manyTreated, plural(2, e.Pilot.UnitNoun), manyComparison))
		case codeNoInterval:
			out = append(out, e.noIntervalCure()...)
		}
	}
	if v.Value == VerdictCannotSayYet && len(blocked) == 0 {
		out = append(out, e.moreData()...)
	}
	switch v.Value {
	case VerdictImproved, VerdictWorsened, VerdictRose, VerdictFell, VerdictImprovedAtACost:
		out = append(out, "An interval that includes no change, a pre-trend that fails, or another method on the other side, once more data is in.")
	case VerdictNoClearChange:
		out = append(out, fmt.Sprintf("An interval that leaves ±%s%s%%, or a smaller effect declared as worth having.", FormatNumber(100*e.smallest()), narrow))
	case VerdictCannotSayYet: // said above
	}
	if v.Value == VerdictImproved {
		for _, m := range e.Metrics[1:] {
			if m.Outcome.Role == RoleCounter {
				out = append(out, "A counter-metric that clearly gets worse would add “at a cost”.")
				break
			}
		}
	}
	return out
}

func (e Evidence) problemCure() []string {
	switch e.Problem.Code {
	case "no_treated", "no_after":
		if len(e.Incomplete) > 0 && e.Problem.Code == "no_treated" {
			return []string{fmt.Sprintf("Data for the %s that the definition names.", plural(2, e.Pilot.UnitNoun))}
		}
		return []string{fmt.Sprintf("Data for at least one whole %s after the start.", e.Pilot.PeriodNoun)}
	case "no_comparison":
		return []string{fmt.Sprintf("At least one %s that goes without the treatment over the same time.", e.Pilot.UnitNoun)}
	case "no_before":
		return []string{fmt.Sprintf("Data for at least %d %s before the start.", folds, plural(folds, e.Pilot.PeriodNoun))}
	case "authors_unknown":
		return []string{"An import that gives the author of each pull request, as any id that stays the same: “steelyard import pull-requests --column author=COL”."}
	case "group_too_small":
		return []string{fmt.Sprintf("At least %d authors on each side, for instance by measuring several %s together.", smallGroup, plural(2, e.Pilot.UnitNoun))}
	}
	return []string{}
}

func (e Evidence) noIntervalCure() []string {
	m := e.Metrics[0]
	switch {
	case m.unmeasured:
		return []string{"An import that has what is missing."}
	case m.Headline.Estimate == nil && e.Design.Kind != DesignStaggered:
		return []string{"Values that can be computed with, for both groups, before the start and after it."}
	}
	if e.Design.Kind == DesignSeveralTreated {
		return []string{fmt.Sprintf("More %s on the side that has fewer, and changes that are not all alike.", plural(2, e.Pilot.UnitNoun))}
	}
	if e.Design.Kind == DesignStaggered {
		return []string{"Data on which the method can be computed; its message says what is missing."}
	}
	if e.Design.PeriodsBefore < folds {
		return []string{fmt.Sprintf("At least %d %s before the start.", folds, plural(folds, e.Pilot.PeriodNoun))}
	}
	return []string{fmt.Sprintf("Values in every third of the %s before the start, that are not all alike.", plural(2, e.Pilot.PeriodNoun))}
}

// moreData says how much longer, or how much larger: at the noise seen, and
// were the estimate the truth.
func (e Evidence) moreData() []string {
	m := e.Metrics[0]
	h := m.Headline
	if m.Detectable == nil || h.Estimate == nil {
		return []string{fmt.Sprintf("More %s, or more %s, until the interval excludes no change or lies within ±%s%s%%.",
			plural(2, e.Pilot.PeriodNoun), plural(2, e.Pilot.UnitNoun), FormatNumber(100*e.smallest()), narrow)}
	}
	out := []string{fmt.Sprintf("An effect of %s or more: that much this design sees in 8 cases out of 10.", magnitude(h.in(*m.Detectable, m.Outcome.Unit)))}
	if h.SE == nil || h.Raw == nil || h.Unit == UnitRatio {
		return out
	}
	seen, ok := detectable(h.SE, h.DF)
	if !ok || *h.Raw == 0 {
		return out
	}
	need := math.Abs(*h.Raw) / seen // the share of today's standard error that would do
	if need >= 1 {
		return out
	}
	if e.Design.Kind == DesignStaggered || e.Design.Kind == DesignSeveralTreated {
		times := 1 / (need * need)
		if times > 100 {
			return append(out, fmt.Sprintf("An effect as small as the one estimated would take over a hundred times as many %s.", plural(2, e.Pilot.UnitNoun)))
		}
		return append(out, fmt.Sprintf("Were the effect as large as estimated, about %s times as many %s would show it.", FormatNumber(times), plural(2, e.Pilot.UnitNoun)))
	}
	return append(out, e.moreWeeks(need))
}

// moreWeeks is how many periods after the start would make the cross-fit
// standard error small enough, if the noise stays as it is. Its variance is
// proportional to 1/T1 + 1/(3r), r = min(⌊T0/3⌋, T1).
func (e Evidence) moreWeeks(need float64) string {
	noun := e.Pilot.PeriodNoun
	t0, t1 := e.Design.PeriodsBefore, e.Design.PeriodsAfter
	variance := func(after int) float64 {
		r := min(t0/folds, after)
		if r == 0 || after == 0 {
			return math.Inf(1)
		}
		return 1/float64(after) + 1/float64(folds*r)
	}
	now := variance(t1)
	for after := t1 + 1; after <= farAhead*max(t1, 1); after++ {
		if variance(after) <= need*need*now {
			return fmt.Sprintf("Were the effect as large as estimated, about %s more after the start would show it, if the noise stays as it is.", counted(after-t1, noun))
		}
	}
	return fmt.Sprintf("More %s after the start alone would not show an effect as small as the one estimated; a longer time before it, or more %s, would be needed.",
		plural(2, noun), plural(2, e.Pilot.UnitNoun))
}
