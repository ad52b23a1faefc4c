package did

// asRates says that counts are compared as measured rates: they vary more than
// independent events, and too little is there to cluster by.
func (d Design) asRates() bool {
	return d.Clumped > 0 && d.Starts <= 1 && (d.clusterReason() != "" || d.Events < fewestEvents)
}

// judgeCounts is about the methods made for counts.
func (d Design) judgeCounts(method string) (Role, []string) {
	if d.Outcome != Counted {
		return Refused, say("The outcome is not a count.")
	}
	if method == "exact-count" {
		return d.judgeExact()
	}
	switch why := d.clusterReason(); {
	case why != "":
		return Refused, say("%s", why)
	case d.Starts > 1 && d.Comparison == 0:
		return Refused, say("No unit is never treated, so a single ratio would compare late starters with early ones, whose effect may still change.")
	case d.Events < fewestEvents && d.Starts > 1:
		return Refused, say("The smallest cell holds %d events, too few for a normal interval, and starts that differ leave no exact one.", d.Events)
	case d.Events < fewestEvents && d.Clumped > 0:
		return Refused, say("The smallest cell holds %d events, too few for a normal interval.", d.Events)
	case d.Events < fewestEvents:
		return Refused, say("The smallest cell holds %d events, too few for a normal interval: the exact one speaks.", d.Events)
	}
	treated, comparison, noun := d.clusters()
	reasons := say("The smallest cell holds %d events and there are %d %ss to cluster by.", d.Events, treated+comparison, noun)
	if d.Starts > 1 {
		reasons = append(reasons, "Starts differ, so that the ratio mixes early and late effects where these are not the same.")
	}
	return Headline, reasons
}

// judgeExact is about the interval that takes events to be independent.
func (d Design) judgeExact() (Role, []string) {
	few := d.clusterReason()
	switch {
	case d.Starts > 1:
		return Refused, say("Starts differ, so there is no one before and after.")
	case d.Clumped > 0:
		return Beside, say("It takes events to be independent, and these vary %.1f times as much from period to period and between units, so it is too narrow to rest on.", d.Clumped)
	case d.Events < fewestEvents:
		return Headline, say("The smallest cell holds %d events, too few for a normal interval.", d.Events)
	case few != "":
		return Headline, say("%s The interval takes events to be independent.", few)
	}
	return Beside, say("It takes events to be independent; beside it stands an interval that lets units differ.")
}

// judgeForCounts is about the other methods where the outcome is a count.
func (d Design) judgeForCounts(method string) (Role, []string) {
	switch {
	case method == "placebo" || method == "randomization":
		role, reasons := d.judgeRanks(method)
		if role == Beside {
			role = Available
		}
		return role, reasons
	case method == "callaway-santanna" && d.Starts > 1:
		return Beside, say("It compares rates start by start, never with units treated earlier, and so shows what a single ratio mixes.")
	}
	return Refused, say("Counts are compared as ratios of rates.")
}
