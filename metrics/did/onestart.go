package did

import "slices"

// OneStart is a panel whose treated units all start at once, as the methods for
// few treated units read it: [CrossFitGap], [DonaldLang], [Conformal],
// [PlaceboRank], [Randomization], [AnytimeSequence], [PreTrend].
type OneStart struct {
	// Periods are the panel's; the first Before of them lie before the start.
	Periods []int
	Before  int
	// Treated is the mean of the treated units by period, Comparisons the
	// others' values, Gap the treated less the mean of the comparisons.
	Treated     []float64
	Comparisons [][]float64
	Gap         []float64
	// Units are indices into Panel.First, treated units first; Marks says which
	// of them are treated, Changes holds each one's mean from the start on less
	// its mean before.
	Units   []int
	Marks   []bool
	Changes []float64
	Dropped []Drop
}

// NewOneStart lays a panel out by unit. Units treated in or before the first
// period are left out. It refuses starts that differ, gaps, covariates and
// weights.
func NewOneStart(p Panel) (*OneStart, error) {
	t, err := newTable(p)
	if err != nil {
		return nil, err
	}
	if err := t.checkComplete(p); err != nil {
		return nil, err
	}
	o := &OneStart{Periods: t.periods}
	start := Never
	early := Drop{Reason: "the unit is treated in or before the first period, so it has no period before treatment"}
	names := unitsWithRows(p)
	var treated, never []int
	for u, first := range t.first {
		switch {
		case first <= t.periods[0]:
			early.Units++
			early.Rows += t.size(u)
			early.TreatedRows += t.size(u)
		case !t.treated(first):
			never = append(never, u)
		case start != Never && first != start:
			return nil, refuse(ErrShape, "units start in periods %d and %d: this method needs one start", min(start, first), max(start, first))
		default:
			start = first
			treated = append(treated, u)
		}
	}
	if early.Units > 0 {
		o.Dropped = append(o.Dropped, early)
	}
	switch {
	case len(treated) == 0:
		return nil, refuse(ErrNoTreated, "no unit is first treated after the first period (%d) and by the last (%d)", t.periods[0], t.lastPeriod())
	case len(never) == 0:
		return nil, refuse(ErrNoComparison, "no unit is untreated to the end")
	}
	o.Before, _ = slices.BinarySearch(t.periods, start)
	values := func(units []int) (rows [][]float64) {
		for _, u := range units {
			y := t.y[t.start[u]:t.start[u+1]:t.start[u+1]]
			rows = append(rows, y)
			o.Units = append(o.Units, names[u])
			o.Marks = append(o.Marks, t.first[u] == start)
			o.Changes = append(o.Changes, mean(y[o.Before:])-mean(y[:o.Before]))
		}
		return rows
	}
	o.Treated = meanSeries(values(treated))
	o.Comparisons = values(never)
	o.Gap = slices.Clone(o.Treated)
	for i, x := range meanSeries(o.Comparisons) {
		o.Gap[i] -= x
	}
	return o, nil
}

// checkComplete refuses a panel with gaps and names the first one.
func (t *table) checkComplete(p Panel) error {
	if t.balanced() {
		return nil
	}
	names := unitsWithRows(p)
	for u := range t.first {
		for k := range t.periods {
			if i := t.start[u] + k; i >= t.start[u+1] || t.period[i] != k {
				return refuse(ErrShape, "unit %d has no row in period %d: this method needs every unit in every period", names[u], t.periods[k])
			}
		}
	}
	return nil
}
