package did

// HonestInput is the event study of g for [RelativeMagnitudes]: the effects by
// time since treatment, minEvent ≤ event ≤ maxEvent, without the reference, and
// their covariance. It needs the universal base, so that all events are
// compared with the period just before the start.
func (g *GroupTime) HonestInput(minEvent, maxEvent int) (HonestInput, error) {
	if g.options.Base != Universal {
		return HonestInput{}, refuse(ErrOption, "bounds on trends need the universal base period")
	}
	var in HonestInput
	var influences [][]float64
	events, cells := g.groupBy(func(c Cell) (int, bool) {
		event := c.Time - c.Group
		return event, event >= minEvent && event <= maxEvent && !c.Reference
	})
	for _, event := range events {
		if len(cells[event]) == 0 {
			return HonestInput{}, refuse(ErrNotIdentified, "event %d has no estimate: choose events that all have one", event)
		}
		influence, value := g.average(cells[event])
		in.Beta = append(in.Beta, value)
		influences = append(influences, influence)
		if event < 0 {
			in.Before++
		}
	}
	n := float64(g.Units)
	in.Covariance = rectangle(len(influences), len(influences))
	for i, a := range influences {
		for j, b := range influences {
			in.Covariance[i][j] = dot(a, b) / n / n
		}
	}
	return in, nil
}

// UnitStudy is the event study of one treated unit for [RelativeMagnitudes]:
// its value in each period less the mean of its comparison's, since the last of
// the before periods, with the covariance that the comparison units' own
// changes show, as [DonaldLang] does for one change. That covariance needs more
// comparison units than periods, so cut time into a few blocks first.
func UnitStudy(treated []float64, comparisons [][]float64, before int) (HonestInput, error) {
	n, periods := len(comparisons), len(treated)
	if before < 2 || before >= periods {
		return HonestInput{}, refuse(ErrTooFewPeriods, "%d periods, %d of them before the start: at least 2 before and 1 after are needed", periods, before)
	}
	if n < periods {
		return HonestInput{}, refuse(ErrTooFewUnits, "the covariance of %d changes needs at least %d comparison units, found %d: use longer blocks of time", periods-1, periods, n)
	}
	if err := checkFinite("treated unit in period", treated); err != nil {
		return HonestInput{}, err
	}
	for _, c := range comparisons {
		if len(c) != periods {
			return HonestInput{}, refuse(ErrShape, "a comparison unit has %d periods, the treated one %d", len(c), periods)
		}
		if err := checkFinite("comparison unit in period", c); err != nil {
			return HonestInput{}, err
		}
	}
	in := HonestInput{Before: before - 1, Covariance: rectangle(periods-1, periods-1)}
	var changes [][]float64 // by period, less their mean
	for t := range periods {
		if t == before-1 {
			continue
		}
		change := make([]float64, n)
		for i, c := range comparisons {
			change[i] = c[t] - c[before-1]
		}
		in.Beta = append(in.Beta, treated[t]-treated[before-1]-mean(change))
		changes = append(changes, centred(change))
	}
	for i, a := range changes {
		for j, b := range changes {
			in.Covariance[i][j] = dot(a, b) / float64(n-1) * (1 + 1/float64(n))
		}
	}
	return in, nil
}

// HonestInput is the event study for [RelativeMagnitudes].
func (e *EventEffects) HonestInput() HonestInput {
	events, beta, covariance := e.Vector()
	in := HonestInput{Beta: beta, Covariance: covariance}
	for _, event := range events {
		if event < 0 {
			in.Before++
		}
	}
	return in
}
