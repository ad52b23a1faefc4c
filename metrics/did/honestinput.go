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
// comparison units than periods, so cut time into a few blocks first
// ([CutTime]).
func UnitStudy(treated []float64, comparisons [][]float64, before int) (HonestInput, error) {
	s, err := newMeanStudy([][]float64{treated}, comparisons, before)
	if err != nil {
		return HonestInput{}, err
	}
	if n := len(comparisons); n < s.periods {
		return HonestInput{}, refuse(ErrTooFewUnits, "the covariance of %d changes needs at least %d comparison units, found %d: use longer blocks of time", s.periods-1, s.periods, n)
	}
	n := float64(len(comparisons))
	return s.input(func(_, others float64) float64 { return others / (n - 1) * (1 + 1/n) }), nil
}

// MeanStudy is the event study of several treated units with one start: their
// mean in each period less that of the others, since the last of the before
// periods, with the covariance that the units' own changes show on each side
// (Welch's). Both sides need two units, and both together two more than there
// are changes; cut time into a few blocks first ([CutTime]).
func MeanStudy(treated, comparisons [][]float64, before int) (HonestInput, error) {
	s, err := newMeanStudy(treated, comparisons, before)
	if err != nil {
		return HonestInput{}, err
	}
	k, n := float64(len(treated)), float64(len(comparisons))
	if min(k, n) < 2 || int(k+n)-2 < s.periods-1 {
		return HonestInput{}, refuse(ErrTooFewUnits, "the covariance of %d changes needs at least 2 units on each side and %d in all, found %d and %d: use longer blocks of time",
			s.periods-1, s.periods+1, len(treated), len(comparisons))
	}
	return s.input(func(own, others float64) float64 { return own/(k-1)/k + others/(n-1)/n }), nil
}

// meanStudy holds the changes of both sides' units since the last period before
// the start, by period and less their mean.
type meanStudy struct {
	periods, before int
	beta            []float64
	own, others     [][]float64
}

func newMeanStudy(treated, comparisons [][]float64, before int) (*meanStudy, error) {
	if len(treated) == 0 {
		return nil, refuse(ErrNoTreated, "an event study without a treated unit")
	}
	s := &meanStudy{periods: len(treated[0]), before: before}
	if before < 2 || before >= s.periods {
		return nil, refuse(ErrTooFewPeriods, "%d periods, %d of them before the start: at least 2 before and 1 after are needed", s.periods, before)
	}
	if len(comparisons) == 0 {
		return nil, refuse(ErrNoComparison, "an event study without a comparison unit")
	}
	for side, rows := range [][][]float64{treated, comparisons} {
		what := [2]string{"treated", "comparison"}[side]
		for _, row := range rows {
			if len(row) != s.periods {
				return nil, refuse(ErrShape, "a %s unit has %d periods, the first treated one %d", what, len(row), s.periods)
			}
			if err := checkFinite(what+" unit in period", row); err != nil {
				return nil, err
			}
		}
	}
	changes := func(rows [][]float64, t int) []float64 {
		out := make([]float64, len(rows))
		for i, row := range rows {
			out[i] = row[t] - row[before-1]
		}
		return out
	}
	for t := range s.periods {
		if t == before-1 {
			continue
		}
		own, others := changes(treated, t), changes(comparisons, t)
		s.beta = append(s.beta, mean(own)-mean(others))
		s.own, s.others = append(s.own, centred(own)), append(s.others, centred(others))
	}
	return s, nil
}

// input completes the covariance from the sums of products of each side.
func (s *meanStudy) input(combine func(own, others float64) float64) HonestInput {
	in := HonestInput{Beta: s.beta, Before: s.before - 1, Covariance: rectangle(s.periods-1, s.periods-1)}
	for i := range s.beta {
		for j := range s.beta {
			in.Covariance[i][j] = combine(dot(s.own[i], s.own[j]), dot(s.others[i], s.others[j]))
		}
	}
	return in
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

// Widened makes up for a covariance that few units show. [RelativeMagnitudes]
// takes it for known; scaled by the squared ratio of the quantiles of Student's t
// and the normal distribution it gives, under parallel trends, the interval of t
// with df degrees of freedom. Level 0 means 0.95.
func (in HonestInput) Widened(df int, level float64) (HonestInput, error) {
	level, err := checkLevel(level)
	if err != nil {
		return HonestInput{}, err
	}
	if df < 1 {
		return HonestInput{}, refuse(ErrOption, "%d degrees of freedom: give at least 1", df)
	}
	at := 1 - (1-level)/2
	factor := quantile(at, float64(df)) / quantile(at, 0)
	out := in
	out.Covariance = rectangle(len(in.Covariance), len(in.Covariance))
	for i, row := range in.Covariance {
		for j, x := range row {
			out.Covariance[i][j] = x * factor * factor
		}
	}
	return out, nil
}
