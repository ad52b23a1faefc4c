package did

import (
	"fmt"
	"strings"
)

// The thresholds behind the choice of a method; docs/methods/choosing.md gives
// their sources.
const (
	fewestForCrossFit   = 3  // periods before the start
	fewestForDonaldLang = 3  // comparison units
	fewestForSynthetic  = 5  // comparison units
	periodsForSynthetic = 8  // before the start
	fewestClusters      = 6  // for the wild bootstrap
	fewestEvents        = 10 // in the smallest cell, for a normal interval
	fewOnASide          = 3  // units whose own noise hardly shows in a clustered error
	noisySpread         = 1.5
)

// judge says what becomes of one method.
func (d Design) judge(method string) (Role, []string) {
	if method == "power" {
		return Beside, say("Every design shows how large an effect it could have seen.")
	}
	if d.Randomised {
		return d.judgeRandomised(method)
	}
	switch method {
	case "randomized":
		return Refused, say("Tasks were not assigned by lot.")
	case "poisson", "exact-count":
		return d.judgeCounts(method)
	case "kaplan-meier":
		if d.Outcome == Censored {
			return Beside, say("Durations that have not ended yet count as still running in the medians; leaving them out would make the newest periods look fast.")
		}
		return Refused, say("The outcome has no durations that are still running.")
	case "quantile":
		if d.Outcome == Counted {
			return Refused, say("Counts have ratios, not quantiles.")
		}
		return Available, say("It compares medians of single observations; with few units its interval describes the observations, not the units.")
	}
	switch {
	case d.Outcome == Counted && !d.asRates():
		return d.judgeForCounts(method)
	case d.Starts > 1:
		return d.judgeStaggered(method)
	case d.clusterReason() != "":
		return d.judgeOne(method)
	}
	return d.judgeSeveral(method)
}

// lowered begins a sentence that follows a colon.
func lowered(s string) string { return strings.ToLower(s[:1]) + s[1:] }

func say(format string, args ...any) []string { return []string{fmt.Sprintf(format, args...)} }

func (d Design) judgeRandomised(method string) (Role, []string) {
	switch method {
	case "randomized":
		return Headline, say("Tasks were assigned by lot, so their means may be compared directly; errors count each person's tasks together.")
	case "wild-bootstrap":
		return Beside, say("It tests the same difference over the people who did the tasks, of whom there may be few.")
	case "quantile":
		return Available, say("It compares the medians of the two groups of tasks.")
	case "kaplan-meier":
		if d.Outcome == Censored {
			return Beside, say("Tasks that have not ended yet count as still running in the medians.")
		}
	}
	return Refused, say("Tasks were assigned by lot: a comparison over time is not needed.")
}

// clusters are how many there are to cluster errors by on each side, and what
// they are.
func (d Design) clusters() (treated, comparison int, noun string) {
	treated, comparison, noun = d.Treated, d.Comparison, "unit"
	if d.TreatedClusters > 0 && d.TreatedClusters < d.Treated {
		treated, noun = d.TreatedClusters, "cluster"
	}
	if d.ComparisonClusters > 0 && d.ComparisonClusters < d.Comparison {
		comparison, noun = d.ComparisonClusters, "cluster"
	}
	return treated, comparison, noun
}

// clusterReason says why errors cannot be clustered; empty where they can.
func (d Design) clusterReason() string {
	treated, comparison, noun := d.clusters()
	switch {
	case treated < 2:
		return "With one treated " + noun + " cluster-robust errors call noise an effect."
	case comparison == 1 && d.Starts < 2:
		return "With one comparison " + noun + " cluster-robust errors call its noise an effect."
	case treated+comparison < fewestClusters && noun == "unit":
		return fmt.Sprintf("%d units are too few to cluster by; at least %d are needed.", treated+comparison, fewestClusters)
	case treated+comparison < fewestClusters:
		return fmt.Sprintf("%d clusters are too few; at least %d are needed.", treated+comparison, fewestClusters)
	case d.Starts < 2:
		return d.noisyFew()
	}
	return ""
}

// noisyFew says that a few units are noisier than the many they are compared
// with, whose spread would pass for theirs; empty where they are not.
func (d Design) noisyFew() string {
	few, many, ratio := d.Treated, d.Comparison, d.UnitSpread
	who := "treated"
	if many < few {
		few, many, who = many, few, "comparison"
		if ratio > 0 {
			ratio = 1 / ratio
		}
	}
	if few > fewOnASide || few == many || ratio <= noisySpread {
		return ""
	}
	return fmt.Sprintf("Before the start the %d %s units varied %.1f times as much as the other %d: with so few of them errors clustered by unit call that noise an effect.", few, who, ratio, many)
}

// judgeOne is about one treated unit, or several with one start that are taken
// as one: they are too few to be told apart, or noisier, or one unit alone is
// compared with them.
func (d Design) judgeOne(method string) (Role, []string) {
	one := "one treated unit"
	if d.Treated > 1 {
		one = fmt.Sprintf("%d treated units with one start, taken as one,", d.Treated)
	}
	switch method {
	case "cross-fit-t":
		if d.Before < fewestForCrossFit {
			return Refused, say("It needs at least %d periods before the start; there are %d.", fewestForCrossFit, d.Before)
		}
		reasons := say("With %s it is the test that keeps its size, whatever the number of comparison units and the treated unit's noise.", one)
		if why := d.noisyFew(); why != "" && d.Treated > 1 {
			reasons = append(reasons, why)
		}
		return Headline, append(reasons, "It compares whole blocks of the time before the start, so it holds up when neighbouring periods resemble each other.")
	case "two-by-two":
		return Beside, say("It is the plain difference in differences, shown as a number; its interval is the headline's.")
	case "donald-lang":
		return d.judgeDonaldLang()
	case "conformal":
		if arrangements := d.Before + d.After; float64(arrangements)*(1-d.Level) < 1-1e-9 {
			return Refused, say("%d periods give %d arrangements of time: p is never under %.2g.", arrangements, arrangements, 1/float64(arrangements))
		}
		return Available, say("It needs no model of the noise, and sees less than the headline.")
	case "placebo", "randomization":
		return d.judgeRanks(method)
	case "synthetic-did", "synthetic-control":
		return d.judgeSynthetic(method)
	case "honest-did":
		return d.judgeBounds()
	case "wild-bootstrap":
		if d.Treated == 1 {
			return Refused, say("With one treated unit the restricted bootstrap never rejects and the unrestricted one always does.")
		}
		return Refused, say("%s", d.clusterReason())
	case "twfe", "event-study":
		if d.Treated == 1 {
			return Refused, say("Its cluster-robust errors call noise an effect with one treated unit.")
		}
		return Refused, say("%s", d.clusterReason())
	}
	switch {
	case d.Comparison == 1:
		return Refused, say("It is made for starts that differ; with one comparison unit its errors would rest on the treated alone.")
	case d.Treated > 1:
		return Refused, say("It is made for starts that differ. %s", d.clusterReason())
	}
	return Refused, say("It is made for starts that differ; with %d treated its errors would rest on the comparison alone.", d.Treated)
}

func (d Design) judgeDonaldLang() (Role, []string) {
	if d.Comparison < fewestForDonaldLang {
		return Refused, say("It needs at least %d comparison units; there are %d.", fewestForDonaldLang, d.Comparison)
	}
	return Beside, d.addNoise(say("It compares the treated unit's change with the spread of %d comparison units' changes.", d.Comparison))
}

// addNoise warns where a method takes the treated unit to be as noisy as the
// others and it is not.
func (d Design) addNoise(reasons []string) []string {
	if d.SpreadRatio > noisySpread {
		reasons = append(reasons, fmt.Sprintf("Before the start the treated unit varied %.1f times as much as the others did: it rejects too often here.", d.SpreadRatio))
	}
	return reasons
}

// judgeRanks is about comparisons with other assignments of the treatment.
func (d Design) judgeRanks(method string) (Role, []string) {
	n := d.Treated + d.Comparison
	assignments := binomial(n, d.Treated, maxEnumerated)
	floor := 1 / float64(assignments)
	if 2*d.Treated == n {
		floor *= 2
	}
	if method == "placebo" {
		if d.Treated > 1 || d.Starts > 1 {
			return Refused, say("It ranks one treated unit among the others; there are %d.", d.Treated)
		}
		if n == 2 {
			return Refused, say("Of two units each is the other's comparison, so both always move equally far.")
		}
		return Beside, say("It shows what would have been found had any other unit been the treated one; with %d units p is never under %.2g.", n, floor)
	}
	switch {
	case d.Starts > 1:
		return Refused, say("Starts differ, so there is no one change to assign anew.")
	case floor > (1-d.Level)*(1+1e-9):
		return Refused, say("%d treated of %d units can be assigned in %d ways: p is never under %.2g, so it cannot fall under %.4g.",
			d.Treated, n, assignments, floor, 1-d.Level)
	case d.Treated == 1:
		return Available, say("With %d units one treated unit can stand out; it takes all units to be as noisy as each other.", n)
	case d.Comparison == 1:
		return Available, say("With %d units the one comparison unit can stand out; it takes all units to be as noisy as each other.", n)
	}
	return Beside, say("It compares t with what other assignments of the same units would have given, without a model of the noise.")
}

func (d Design) judgeSynthetic(method string) (Role, []string) {
	never := d.Comparison
	switch {
	case never < fewestForSynthetic:
		return Refused, say("Weights of %d comparison units would chase noise; at least %d never-treated ones are needed.", never, fewestForSynthetic)
	case d.Before < periodsForSynthetic:
		return Refused, say("Weights rest on the periods before the start; there are %d, and %d are needed.", d.Before, periodsForSynthetic)
	case !d.Balanced:
		return Refused, say("It needs every unit in every period.")
	case never <= d.Treated:
		return Refused, say("Its errors come from placebos, which need more comparison units (%d) than treated ones (%d).", never, d.Treated)
	}
	reasons := say("%d comparison units and %d periods before the start are enough to weigh them; its interval comes from placebos.", never, d.Before)
	reasons = d.addNoise(reasons)
	if method == "synthetic-did" && d.Starts <= 1 && d.Treated == 1 {
		return Beside, reasons
	}
	return Available, reasons
}

// judgeBounds is about bounds on trends, which need an event study with a
// covariance.
func (d Design) judgeBounds() (Role, []string) {
	switch {
	case d.Before < 2:
		return Refused, say("With one period before the start nothing shows how trends differ.")
	case d.Treated > 1 && d.Comparison == 1 && d.Starts < 2:
		return Refused, say("Its covariance would hold the treated units' noise alone, and none of the one comparison unit's.")
	case d.Treated == 1 && d.Comparison < fewestForDonaldLang:
		return Refused, say("An event study of one treated unit takes its covariance from the comparison units; %d are too few.", d.Comparison)
	case d.Treated == 1:
		return Beside, say("It says how far trends may bend before the conclusion goes; the covariance is that of the comparison units, in as many blocks of time as they allow.")
	}
	reasons := say("It says how far trends may bend before the conclusion goes.")
	if n := d.Treated + d.Comparison; n < fewestClusters {
		reasons = append(reasons, fmt.Sprintf("Its covariance is that of %d units, too few to cluster by: its intervals are too short.", n))
	}
	return Beside, reasons
}

// judgeSeveral is about several treated units with one start and enough units
// to cluster by.
func (d Design) judgeSeveral(method string) (Role, []string) {
	units := d.Treated + d.Comparison
	switch method {
	case "two-by-two":
		return Headline, say("%d treated units start at once: the effect is the difference of mean changes.", d.Treated)
	case "wild-bootstrap":
		return Beside, say("It gives the headline's p-value and interval: with %d units cluster-robust errors alone are too small.", units)
	case "randomization":
		return d.judgeRanks(method)
	case "twfe":
		return Available, say("With one start and a balanced panel it is the same number as the headline.")
	case "event-study":
		return Available, say("It shows the effect by period, and whether trends were parallel before.")
	case "honest-did":
		return d.judgeBounds()
	case "synthetic-did", "synthetic-control":
		return d.judgeSynthetic(method)
	case "callaway-santanna":
		return Beside, say("With one start it answers the same question as the headline; it is made for starts that differ.")
	case "imputation", "two-stage", "sun-abraham":
		return Available, say("With one start it answers the same question as the headline; it is made for starts that differ.")
	case "cross-fit-t", "conformal":
		return Available, say("It takes the treated units as one, and needs nothing of the others' noise.")
	case "goodman-bacon":
		return Refused, say("All treated units start at once: there is only one comparison to take apart.")
	case "donald-lang":
		return Refused, say("It is made for one treated unit; there are %d.", d.Treated)
	case "placebo":
		return d.judgeRanks(method)
	}
	return Refused, say("It does not fit this design.")
}

// judgeStaggered is about starts that differ.
func (d Design) judgeStaggered(method string) (Role, []string) {
	switch method {
	case "callaway-santanna":
		reasons := say("Starts differ: each cohort is compared with units that are not treated, never with ones treated earlier.")
		if d.Comparison == 0 {
			reasons = append(reasons, "No unit is never treated: cohorts are compared with those that start later.")
		}
		if _, _, noun := d.clusters(); noun == "cluster" && d.clusterReason() != "" {
			reasons = append(reasons, "Its errors are too small here: "+lowered(d.clusterReason()))
		}
		if d.Comparison == 1 {
			reasons = append(reasons, "One unit alone is never treated: its own noise does not show in errors of comparisons with it.")
		}
		return Headline, reasons
	case "imputation":
		return Beside, say("It predicts what treated units would have done from all untreated rows; it should agree with the headline.")
	case "honest-did":
		return d.judgeBounds()
	case "sun-abraham", "two-stage":
		if d.Comparison == 0 {
			return Refused, say("No unit is never treated.")
		}
		return Available, say("It answers the same question as the headline, with other weights.")
	case "goodman-bacon":
		if !d.Balanced {
			return Refused, say("It needs every unit in every period.")
		}
		return Available, say("It shows which comparisons plain two-way fixed effects would have mixed.")
	case "synthetic-did", "synthetic-control":
		return d.judgeSynthetic(method)
	case "event-study":
		return Refused, say("With starts that differ its leads and lags mix cohorts: the headline has its own event study.")
	case "twfe":
		return Refused, say("With starts that differ it uses units treated earlier as a comparison, and can even turn the sign.")
	case "two-by-two":
		return Refused, say("Starts differ, so there is no one before and after.")
	case "wild-bootstrap":
		return Refused, say("It tests the coefficient of plain two-way fixed effects, which misleads where starts differ.")
	case "placebo", "randomization":
		return d.judgeRanks(method)
	}
	return Refused, say("It compares one before with one after; starts differ.")
}
