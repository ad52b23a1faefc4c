package metrics

import "fmt"

// designOf describes the comparison and gives the reasons for its method.
func designOf(f *frame) Design {
	d := Design{
		Kind: f.kind, TreatedUnits: len(f.treated), ComparisonUnits: len(f.comparison), Periods: len(f.kept), Span: f.n,
		PeriodsBefore: len(f.before), PeriodsAfter: len(f.after), Starts: []string{},
	}
	if f.n > 0 {
		d.FirstPeriod, d.LastPeriod, d.Through = f.label(0), f.label(f.n-1), f.through()
	}
	for _, s := range f.starts(f.treated) {
		d.Starts = append(d.Starts, f.label(s))
	}
	switch f.kind {
	case DesignStaggered:
		d.Method, d.MethodTitle = methodNever, titleNever
		if f.never() == 0 {
			d.Method, d.MethodTitle = methodNotYet, titleNotYet
		}
		d.Why = whyStaggered(f, len(d.Starts))
	case DesignFewTreated:
		d.Method, d.MethodTitle = methodCrossFit, titleCrossFit
		d.Why = append([]string{fmt.Sprintf("%s started together, which is too few for errors that rest on many independent %s; their mean is treated as one.",
			upperFirst(counted(len(f.treated), f.pilot.UnitNoun)), plural(2, f.pilot.UnitNoun))}, whyCrossFit(f)...)
	default:
		d.Method, d.MethodTitle = methodCrossFit, titleCrossFit
		d.Why = append([]string{fmt.Sprintf("One %s is treated, so the change of its values is compared with the unweighted mean of the others and not with itself.", f.pilot.UnitNoun)}, whyCrossFit(f)...)
	}
	return d
}

// never is how many comparison units are never treated.
func (f *frame) never() int {
	n := 0
	for _, u := range f.comparison {
		if f.units[u].first == Never {
			n++
		}
	}
	return n
}

func whyCrossFit(f *frame) []string {
	out := []string{
		"The interval is the cross-fit t-test of Chernozhukov, Wüthrich and Zhu with three blocks of the time before: it compares whole blocks, so it holds up when neighbouring periods resemble each other, when the pilot is noisier than the others, and with a single comparison " + f.pilot.UnitNoun + ".",
		"Cluster-robust and wild-bootstrap errors are not shown: with one treated unit they call noise an effect, or never anything.",
		"Single rows are not taken as independent observations, because rows of one " + f.pilot.UnitNoun + " share its good and bad weeks.",
	}
	switch n := len(f.comparison); {
	case n == 1:
		out = append(out, "Donald–Lang and the placebo rank need more than one comparison "+f.pilot.UnitNoun+".")
	case n < langUnits:
		out = append(out, fmt.Sprintf("Donald–Lang needs %d comparison %s; there are %d.", langUnits, plural(langUnits, f.pilot.UnitNoun), n))
	case n > 0:
		out = append(out, "Donald–Lang and the placebo rank stand beside it; both take the pilot to be as noisy as the others.")
	}
	return out
}

func whyStaggered(f *frame, starts int) []string {
	units := plural(2, f.pilot.UnitNoun)
	first := fmt.Sprintf("%s start at %d different times, so each start is compared on its own with %s and the effects are averaged (Callaway and Sant’Anna).",
		upperFirst(units), starts, units+" that never start")
	if starts == 1 {
		first = fmt.Sprintf("%s start at one time, enough of them for errors that rest on many independent %s (Callaway and Sant’Anna).",
			counted(len(f.treated), f.pilot.UnitNoun), units)
	}
	if f.never() == 0 {
		first = fmt.Sprintf("%s start at %d different times and none never starts, so each start is compared with %s that have not started yet (Callaway and Sant’Anna).",
			upperFirst(units), starts, units)
	}
	return []string{
		first,
		"The same with not-yet-treated " + units + " and the imputation estimator of Borusyak, Jaravel and Spiess stand beside it; where they disagree, the report says so.",
		"Plain two-way fixed effects are not shown: with staggered starts they compare newly treated " + units + " with ones treated earlier and can turn the sign of an effect.",
	}
}
