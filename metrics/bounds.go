package metrics

import (
	"fmt"
	"slices"

	"steelyard/metrics/did"
)

// Breakdown is the breakdown value of the bounds on trends by Rambachan and Roth
// (relative magnitudes): the effect on the mean of the time after the start
// keeps its sign as long as, from one point to the next, trends after the start
// part by no more than Bound times as much as they did at most before it.
type Breakdown struct {
	// Bound is nil where it cannot be computed, and 0 where the event study
	// does not tell the effect from none even if trends go on in parallel.
	Bound *float64 `json:"bound"`
	// Beyond is true where Bound is only the largest value tried.
	Beyond bool `json:"beyond,omitempty"`
	// Before and After count the points of the event study, of Step periods.
	Before int `json:"before,omitempty"`
	After  int `json:"after,omitempty"`
	Step   int `json:"step,omitempty"`
	// Missing says why there is no bound.
	Missing string `json:"missing,omitempty"`
	Text    string `json:"text"`
}

// boundReach is how many periods before and after the start bounds on trends of
// a staggered design look at: the time that they take grows with their third
// power.
const boundReach = 6

// breakdown is how far trends may bend, on the event study of one start: the
// units' values in a few blocks of time, as logarithms where changes read in
// percent.
func (c *comparison) breakdown() *Breakdown {
	units := len(c.others)
	if len(c.treated) > 1 {
		units += len(c.treated)
	}
	blocks, err := did.CutTime(len(c.before), len(c.after), units)
	if err != nil {
		return noBreakdown(err.Error())
	}
	periods := slices.Concat(c.before, c.after)
	value := func(u int) (row []float64, ok bool) {
		ok = true
		blocks.Each(len(c.before), len(c.after), func(from, to int) {
			x, has := c.d.series.window(u, periods[from:to])
			if c.relative {
				x = logOf(x)
			}
			ok = ok && has && finite(x)
			row = append(row, x)
		})
		return row, ok
	}
	rows := func(units []int) (out [][]float64) {
		for _, u := range units {
			if row, ok := value(u); ok {
				out = append(out, row)
			}
		}
		return out
	}
	own, others := rows(c.treated), rows(c.others)
	if len(own) < len(c.treated) {
		value := "no value"
		if c.relative {
			value = "no value above zero"
		}
		return noBreakdown(fmt.Sprintf("%s has %s in one of the blocks of %s that it takes", inSentence(c.f.side()), value, counted(blocks.Length, c.f.pilot.PeriodNoun)))
	}
	var in did.HonestInput
	freedom := len(others) - 1
	if c.choice.headline() == methodTwoByTwo {
		in, err = did.MeanStudy(own, others, blocks.Before)
		freedom += len(own) - 1
	} else {
		in, err = did.UnitStudy(meanRow(own), others, blocks.Before)
	}
	if err == nil {
		in, err = in.Widened(freedom, level)
	}
	if err != nil {
		return noBreakdown(err.Error())
	}
	return findBreakdown(in, blocks.Length)
}

// meanRow is the mean of rows of one length.
func meanRow(rows [][]float64) []float64 {
	out := make([]float64, len(rows[0]))
	for _, row := range rows {
		for t, x := range row {
			out[t] += x / float64(len(rows))
		}
	}
	return out
}

// breakdown is how far trends may bend, on the event study of group-time
// effects around the start.
func (s *staggered) breakdown(gt *did.GroupTime) *Breakdown {
	dyn, err := gt.Dynamic(max(s.minEvent, -boundReach), min(s.maxEvent, boundReach-1))
	if err != nil {
		return noBreakdown(err.Error())
	}
	// Events next to each other around the start that all have an estimate.
	has := map[int]bool{-1: true}
	for _, p := range dyn.Points {
		has[p.Event] = has[p.Event] || p.Missing == "" && p.Estimate.HasSE
	}
	first, last := -1, -1
	for has[first-1] {
		first--
	}
	for has[last+1] {
		last++
	}
	if first > -2 || last < 0 {
		return noBreakdown(fmt.Sprintf("it takes effects in two %s before the start and in one after it", plural(2, s.f.pilot.PeriodNoun)))
	}
	in, err := gt.HonestInput(first, last)
	if err != nil {
		return noBreakdown(err.Error())
	}
	return findBreakdown(in, 1)
}

func noBreakdown(why string) *Breakdown { return &Breakdown{Missing: why} }

// findBreakdown looks for the breakdown value of the mean effect.
func findBreakdown(in did.HonestInput, step int) *Breakdown {
	b := &Breakdown{Before: in.Before + 1, After: len(in.Beta) - in.Before, Step: step}
	weights := make([]float64, b.After)
	for i := range weights {
		weights[i] = 1 / float64(b.After)
	}
	r, err := did.BreakdownMagnitude(in, did.HonestOptions{Level: level, Weights: weights})
	if err != nil {
		return noBreakdown(err.Error())
	}
	b.Bound, b.Beyond = finitePtr(r.Bound), r.Beyond
	return b
}

// sayBreakdown writes the breakdown value in words.
func (m *MetricReport) sayBreakdown(f *frame) {
	b := m.Breakdown
	if b == nil {
		return
	}
	step := "one " + f.pilot.PeriodNoun
	if b.Step > 1 {
		step = "one span of " + counted(b.Step, f.pilot.PeriodNoun)
	}
	b.Missing = inWords(b.Missing, f.pilot)
	switch {
	case !m.concluded():
		b.Text = "The interval alone allows no conclusion that trends which bend could undo."
	case b.Bound == nil:
		b.Text = "How far trends may bend before the conclusion goes cannot be said: " + trimStop(b.Missing) + "."
	case *b.Bound == 0:
		b.Text = fmt.Sprintf("From %s to the next the effect does not stand clear of chance even if both groups’ trends go on in parallel, so any bend in them would undo the conclusion.", step)
	case b.Beyond:
		b.Text = fmt.Sprintf("The conclusion stands however the trends bend: even with steps of %s times the largest before the start.", FormatNumber(*b.Bound))
	default:
		b.Text = fmt.Sprintf("The conclusion stands as long as, from %s to the next after the start, the two groups drift apart by no more than %s times the most they did before it; a larger bend in the trends would undo it.",
			step, FormatNumber(*b.Bound))
	}
}

// concluded reports whether the headline's interval, taken alone, tells the
// effect from none when the window is over: only then is there something that
// trends could undo.
func (m MetricReport) concluded() bool {
	return m.Headline.Admissible && m.Headline.ExcludesNoChange() && !m.early
}

// Bend is the breakdown value in words where the headline's interval, taken
// alone, allows a conclusion, and "" else.
func (m MetricReport) Bend() string {
	if m.Breakdown == nil || !m.concluded() {
		return ""
	}
	return m.Breakdown.Text
}

// mayBend is the breakdown value as a reason against a conclusion: a bend in the
// trends no larger than those before the start would undo it. False where it
// would not, or where there is no conclusion.
func mayBend(m MetricReport) (Reason, bool) {
	b := m.Breakdown
	if b == nil || b.Bound == nil || *b.Bound >= 1 || !m.concluded() {
		return Reason{}, false
	}
	return Reason{codeBends, "Trends that bend could undo it", b.Text}, true
}
