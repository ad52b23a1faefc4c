package metrics

// designOf describes the comparison. The primary outcome's choice of a method
// gives the design its name and reasons.
func designOf(f *frame, metrics []MetricReport) Design {
	primary := metrics[0]
	d := Design{
		Kind: primary.choice.kind(f.kind), TreatedUnits: len(f.treated), ComparisonUnits: len(f.comparison), Periods: len(f.kept), Span: f.n,
		PeriodsBefore: len(f.before), PeriodsAfter: len(f.after), Starts: []string{},
		Method: primary.Headline.Method, MethodTitle: primary.Headline.Title,
		Why: primary.choice.why(f.pilot), NotUsed: notUsed(f.pilot, metrics),
	}
	if f.n > 0 {
		d.FirstPeriod, d.LastPeriod, d.Through = f.label(0), f.label(f.n-1), f.through()
	}
	for _, s := range f.starts(f.treated) {
		d.Starts = append(d.Starts, f.label(s))
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
