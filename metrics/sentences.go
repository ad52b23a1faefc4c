package metrics

import (
	"fmt"
	"math"
	"strings"
)

// Sentences that a person can say aloud. None claims more than its interval:
// an effect whose interval includes no change "may be chance", one whose
// interval excludes it "stands clear of chance".

// sentence makes s a sentence.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return upperFirst(trimStop(s)) + "."
}

// theDifference names the third number.
func theDifference(m MetricReport) string {
	switch m.Headline.Unit {
	case UnitRatio:
		return "the ratio of the two changes"
	case UnitPoints:
		return "the difference"
	default:
		return "the effect"
	}
}

// differenceText is the third number with its uncertainty: "the difference is
// −17 points, 95 % interval −41 to +9, p = 0.11".
func differenceText(m MetricReport) string {
	if m.Headline.Estimate == nil {
		return theDifference(m) + " has " + m.Headline.Text
	}
	return theDifference(m) + " is " + m.Headline.Text
}

// story tells the three numbers in a sentence without its full stop.
func story(m MetricReport) string {
	title := upperFirst(m.Outcome.Title)
	switch {
	case m.Words != "":
		return countStory(m, title)
	case m.Headline.Estimate == nil:
		return title + ": " + lowerFirst(trimStop(m.Headline.Missing))
	case m.Pilot.Value == nil || m.Comparison.Value == nil:
		return title + ": " + differenceText(m)
	}
	return title + " " + sidesStory(m) + "; " + restStory(m)
}

// sidesStory tells the first two numbers: "fell by 33 % for Payments, but half
// of that happened in the comparison too".
func sidesStory(m MetricReport) string {
	own, other := *m.Pilot.Value, *m.Comparison.Value
	ownVerb, otherVerb := verb(m.Pilot), verb(m.Comparison)
	out := ownVerb
	if ownVerb != still {
		out += " by " + magnitude(m.Pilot.ValueText)
	}
	out += " for " + inSentence(m.Pilot.Label)
	switch share := other / own; {
	case otherVerb == still && ownVerb == still:
		return out + ", nor in the comparison"
	case otherVerb == still:
		return out + " and did not move in the comparison"
	case otherVerb != ownVerb:
		return out + " while it " + otherVerb + " by " + magnitude(m.Comparison.ValueText) + " in the comparison"
	case math.Abs(share-1) < 0.03:
		return out + ", and just as much in the comparison"
	case share < 1 && m.ChangeUnit == UnitPercent && math.Abs(own) >= 10:
		return out + ", but " + fraction(share) + " of that happened in the comparison too"
	}
	return out + ", and by " + magnitude(m.Comparison.ValueText) + " in the comparison"
}

// still is the verb of a change that rounds to nothing.
const still = "did not move"

func verb(c Change) string {
	switch {
	case strings.HasPrefix(c.ValueText, "+"):
		return "rose"
	case strings.HasPrefix(c.ValueText, minus):
		return "fell"
	}
	return still
}

// restStory tells the third number.
func restStory(m MetricReport) string {
	h := m.Headline
	name := "the difference of " + h.EstimateText
	own, other := *m.Pilot.Value, *m.Comparison.Value
	if h.Unit == UnitPoints && math.Abs(own) >= 10 && own*other > 0 && math.Abs(other) < math.Abs(own) && verb(m.Comparison) != still {
		name = "the other " + magnitude(h.EstimateText)
	}
	switch {
	case verb(m.Pilot) == still && verb(m.Comparison) == still && h.Low == nil && h.High == nil:
		return "there is no interval"
	case !h.Admissible && h.Low == nil && h.High == nil:
		return name + " has no interval, so it may be chance"
	case !h.Admissible:
		return name + " rests on too little to be told from chance"
	case h.ExcludesNoChange() && m.early:
		return name + " " + agree(name, "is", "are") + " told from chance when the window is over, not before"
	case h.ExcludesNoChange() && m.PreTrend.P != nil && *m.PreTrend.P < 0.05:
		return name + " " + agree(name, "stands", "stand") + " clear of chance, but the groups had already moved apart before the start"
	case h.ExcludesNoChange():
		return name + " " + agree(name, "stands", "stand") + " clear of chance"
	}
	return name + " may be chance"
}

// agree picks the verb's form: "the other 17 points stand".
func agree(name, one, many string) string {
	if strings.HasPrefix(name, "the other ") && strings.HasSuffix(name, "s") {
		return many
	}
	return one
}

// countStory tells counts: "Reverts within 30 days rose for the pilot only,
// 3 → 7 against 3 → 3, which is far from conclusive: …".
func countStory(m MetricReport, title string) string {
	return title + " " + m.Words + ", " + countsStory(m)
}

// countsStory is countStory without its direction.
func countsStory(m MetricReport) string {
	h := m.Headline
	out := m.Pilot.Text + " against " + m.Comparison.Text
	exact := ""
	if h.Method == methodExact {
		exact = "exact "
	}
	switch {
	case h.Low == nil && h.High == nil:
		return out + ", which is too few to say anything"
	case h.ExcludesNoChange() && m.early:
		return out + ", which is told from chance when the window is over, not before"
	case h.ExcludesNoChange() && h.Estimate == nil:
		return fmt.Sprintf("%s; the ratio of ratios cannot be given but stands clear of chance (%s95%s%% interval %s)", out, exact, narrow, h.IntervalText)
	case h.ExcludesNoChange():
		return fmt.Sprintf("%s; the ratio of ratios of %s stands clear of chance (%s95%s%% interval %s)", out, h.EstimateText, exact, narrow, h.IntervalText)
	}
	how := "not conclusive"
	if h.P != nil && *h.P >= 0.2 {
		how = "far from conclusive"
	}
	out += ", which is " + how
	if h.P != nil {
		out += fmt.Sprintf(" (%s%s)", exact, FormatP(*h.P))
	}
	if h.High != nil {
		out += fmt.Sprintf("; a change up to %s times the comparison’s would fit the data too", ratioDigits(*h.High))
	}
	return out
}

// disagreement names the headline and the methods that point the other way.
func disagreement(m MetricReport) string {
	if opposes(m.Headline, m.Headline) {
		return fmt.Sprintf("%s: the estimate is %s and its own interval %s, on the other side of no change, because early and late periods before the start differ; neither is taken as the answer.",
			upperFirst(m.Outcome.Title), m.Headline.EstimateText, m.Headline.IntervalText)
	}
	var others []string
	for _, o := range m.Others {
		if opposes(o, m.Headline) {
			others = append(others, fmt.Sprintf("%s says %s (%s)", shortTitle(o), o.EstimateText, o.IntervalText))
		}
	}
	return fmt.Sprintf("%s: %s says %s (%s), while %s; they point to opposite sides, so neither is taken as the answer.",
		upperFirst(m.Outcome.Title), shortTitle(m.Headline), m.Headline.EstimateText, m.Headline.IntervalText, list(others))
}

// finding is the sentence over the three numbers of a metric.
func finding(m MetricReport) string {
	if m.refused {
		return upperFirst(m.Outcome.Title) + ": no number here; the verdict says why"
	}
	if m.Disagree {
		return trimStop(disagreement(m))
	}
	return story(m)
}

// trendFinding is the sentence over a trend.
func trendFinding(m MetricReport) string {
	title := upperFirst(m.Outcome.Title)
	switch {
	case m.Words != "":
		return title + " " + m.Words
	case m.Pilot.Value == nil || m.Comparison.Value == nil:
		return title + " over time"
	}
	return title + " " + sidesStory(m)
}

// shortTitle names a method in a sentence.
func shortTitle(e Effect) string {
	switch e.Method {
	case methodNever, methodNotYet:
		return "Callaway–Sant’Anna"
	case methodImpute:
		return "imputation"
	case methodCrossFit:
		return "the cross-fit t"
	case methodTwoByTwo:
		return "the 2×2"
	case methodPoisson:
		return "the Poisson ratio"
	case methodSynthetic:
		return "synthetic DiD"
	}
	return e.Title
}
