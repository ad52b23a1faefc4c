package estimate

import "steelyard/metrics/did"

var kaplanMeier = method{
	name:    "kaplan-meier",
	takes:   []string{"cluster", "censored"},
	repeats: true,
	run:     runKaplanMeier,
	tasks:   runKaplanMeierTasks,
}

// runKaplanMeier compares medians and restricted means before and after the
// start. Medians have intervals of their own; how much more one side's changed
// has none, but the change of restricted means has.
func runKaplanMeier(t *task) error {
	d, start, err := t.twoWindows()
	if err != nil {
		return err
	}
	ended, err := t.ended(d)
	if err != nil {
		return err
	}
	var groups [4]spells
	for i, y := range d.panel.Y {
		groups[d.cellOf(i, start)].add(y, ended[i])
	}
	var medians [4]*float64
	for k, name := range cellNames {
		if medians[k], err = t.median(name, groups[k]); err != nil {
			return err
		}
	}
	treated := t.percent("percent:treated", medians[treatedBefore], medians[treatedAfter])
	comparison := t.percent("percent:comparison", medians[comparisonBefore], medians[comparisonAfter])
	if treated != nil && comparison != nil {
		t.addPlain("points", *treated-*comparison)
	}
	return t.restrictedMeans(d, ended)
}

// runKaplanMeierTasks compares the medians of two groups of tasks.
func runKaplanMeierTasks(t *task) error {
	ended, err := t.ended(t.d)
	if err != nil {
		return err
	}
	var groups [2]spells
	for i, y := range t.d.panel.Y {
		group := 0
		if t.d.treated[i] {
			group = 1
		}
		groups[group].add(y, ended[i])
	}
	others, err := t.median("others", groups[0])
	if err != nil {
		return err
	}
	treated, err := t.median("treated", groups[1])
	if err != nil {
		return err
	}
	t.percent("percent", others, treated)
	return nil
}

// ended says which durations had ended, and holds them to what durations are.
func (t *task) ended(d *Data) ([]bool, error) {
	if d.censored == nil {
		t.warn("no column says what was censored (--censored): every duration counts as ended")
	}
	if err := d.neverNegative("is no duration", "durations are 0 or more, and not logarithms"); err != nil {
		return nil, err
	}
	out := make([]bool, d.rows())
	for i := range out {
		out[i] = d.censored == nil || !d.censored[i]
	}
	return out, nil
}

// spells are durations and whether they had ended.
type spells struct {
	durations []float64
	ended     []bool
}

func (s *spells) add(duration float64, ended bool) {
	s.durations, s.ended = append(s.durations, duration), append(s.ended, ended)
}

// median appends a group's median.
func (t *task) median(name string, group spells) (*float64, error) {
	term := "median:" + name
	if len(group.durations) == 0 {
		t.addMissing(term, "there is no row", false)
		return nil, nil
	}
	s, err := did.KaplanMeier(group.durations, group.ended)
	if err != nil {
		return nil, err
	}
	m, ok := s.Median()
	if !ok {
		t.addMissing(term, "less than half has ended", false)
		return nil, nil
	}
	ci, err := s.QuantileInterval(0.5, 0)
	if err != nil {
		return nil, err
	}
	out := Result{Term: term, Estimate: number(m)}
	out.between(interval{ci.Low, ci.High, ci.LowOpen, ci.HighOpen})
	t.a.Results = append(t.a.Results, out)
	return number(m), nil
}

// percent appends the change from before to after in percent.
func (t *task) percent(term string, before, after *float64) *float64 {
	if before == nil || after == nil || *before == 0 {
		return nil
	}
	change := 100 * (*after / *before - 1)
	t.addPlain(term, change)
	return &change
}

// restrictedMeans appends the change of means up to a common duration.
func (t *task) restrictedMeans(d *Data, ended []bool) error {
	cluster, err := d.unitClusters()
	if err != nil {
		return err
	}
	r, err := did.RestrictedMeanDiD(d.panel, ended, did.RestrictedMeanOptions{Cluster: cluster})
	if err != nil {
		t.warn("restricted-mean: %v", err)
		return nil
	}
	t.add("restricted-mean", r.Difference.Clustered)
	t.refusal("restricted-mean", r.Refusal)
	if r.HasRatio {
		t.addSide("restricted-mean:log-ratio", r.LogRatio.Clustered)
	}
	t.addSide("restricted-mean:independent-rows", r.Difference.Independent)
	if r.Refusal != "" && r.Difference.Independent.HasSE {
		t.warn("restricted-mean:independent-rows: the interval takes rows to know nothing of each other: it describes rows, not units")
	}
	t.addNumber("restricted-mean:until", r.Until)
	for k, c := range [4]did.CellSurvival{r.TreatedBefore, r.TreatedAfter, r.ComparisonBefore, r.ComparisonAfter} {
		t.addNumber("running:"+cellNames[k], float64(c.Running))
	}
	return nil
}
