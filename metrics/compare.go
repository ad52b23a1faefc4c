package metrics

import (
	"errors"
	"fmt"
	"slices"

	"steelyard/metrics/did"
)

// folds is K of the cross-fit t.
const folds = 3

// comparison is one outcome of a design with one start: the treated units,
// taken as one, against the unweighted mean of the others.
//
// A side's value in a window is the unweighted mean of its units' window
// values (their geometric mean on log scales), and its change is the change of
// that mean, so that "18 h → 15 h" and "−17 %" are the same statement. The mean
// of the units' own changes can differ from it by rounding and by how unequal
// the units are; Donald–Lang and the placebo rank, which need one change a
// unit, use those.
type comparison struct {
	f                   *frame
	d                   *outcomeData
	treated, others     []int
	before, after       []int
	blocks              [][]int // nil where the cross-fit t has too few periods
	relative            bool    // changes read in percent
	choice              choice
	leftOut             []LeftOut
	problem, noInterval string
}

// newComparison finds the units and periods an outcome can be compared on.
func newComparison(f *frame, d *outcomeData) *comparison {
	c := &comparison{f: f, d: d, before: d.over(f.before), after: d.over(f.after)}
	if len(c.before) == 0 || len(c.after) == 0 {
		c.problem = f.nothingKnown()
		return c
	}
	c.cutBlocks()
	c.treated = c.usable(f.treated, "treated ")
	c.others = c.usable(f.comparison, "comparison ")
	switch {
	case len(c.treated) == 0:
		c.problem = fmt.Sprintf("%s has no value in one of the windows%s", inSentence(f.side()), d.dropped)
		return c
	case len(c.others) == 0:
		c.problem = fmt.Sprintf("no comparison %s has a value in both windows%s", f.pilot.UnitNoun, d.dropped)
		return c
	}
	c.relative = c.positive()
	c.choice = c.choose()
	return c
}

// cutBlocks cuts the last 3r periods before the start into three blocks of
// r = min(⌊before/3⌋, after).
func (c *comparison) cutBlocks() {
	r := min(len(c.before)/folds, len(c.after))
	if r == 0 {
		c.noInterval = fmt.Sprintf("an interval needs at least %d %s before the start, and there %s %d",
			folds, plural(folds, c.f.pilot.PeriodNoun), isAre(len(c.before)), len(c.before))
		return
	}
	from := len(c.before) - folds*r
	for k := range folds {
		c.blocks = append(c.blocks, c.before[from+k*r:from+(k+1)*r])
	}
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// usable are the units with a value in both windows and every block; the rest
// are counted. Where only the blocks fail for every unit, the units are kept
// and the interval goes.
func (c *comparison) usable(units []int, side string) []int {
	has := func(u int, windows ...[]int) bool {
		for _, w := range windows {
			if _, ok := c.d.series.window(u, w); !ok {
				return false
			}
		}
		return true
	}
	var whole, windows []int
	for _, u := range units {
		if has(u, c.before, c.after) {
			windows = append(windows, u)
			if has(u, c.blocks...) {
				whole = append(whole, u)
			}
		}
	}
	kept, why := whole, "there is no value in one of the windows or in a third of the window before"
	if len(whole) == 0 && len(windows) > 0 {
		kept, why = windows, "there is no value in one of the windows"
		c.blocks = nil
		c.noInterval = fmt.Sprintf("an interval compares thirds of the window before, and no %s%s has a value in each of them", side, c.f.pilot.UnitNoun)
	}
	if n := len(units) - len(kept); n > 0 {
		c.leftOut = append(c.leftOut, LeftOut{Count: n, What: side + plural(n, c.f.pilot.UnitNoun), Reason: why + c.d.dropped})
	}
	return kept
}

// positive reports whether every value that a change would be divided by is
// above zero.
func (c *comparison) positive() bool {
	for _, w := range slices.Concat([][]int{c.before}, c.blocks) {
		if c.value(c.treated, w) <= 0 || c.value(c.others, w) <= 0 {
			return false
		}
	}
	return true
}

// value is the mean of the units' window values.
func (c *comparison) value(units, periods []int) float64 {
	xs := make([]float64, 0, len(units))
	for _, u := range units {
		if x, ok := c.d.series.window(u, periods); ok {
			xs = append(xs, x)
		}
	}
	return c.d.pool(xs)
}

// change is from before to after, in percent or, where something is not
// positive, in the outcome's unit.
func (c *comparison) change(before, after float64) float64 {
	if c.relative {
		return 100 * (after/before - 1)
	}
	return after - before
}

func (c *comparison) units() (effect, change EffectUnit) {
	if c.relative {
		return UnitPoints, UnitPercent
	}
	return UnitLevel, UnitLevel
}

// difference is the treated side's change less the comparison's, with the
// periods given as the window before.
func (c *comparison) difference(before []int) float64 {
	t := c.change(c.value(c.treated, before), c.value(c.treated, c.after))
	return t - c.change(c.value(c.others, before), c.value(c.others, c.after))
}

const (
	methodCrossFit = "cross-fit-t"
	titleCrossFit  = "Cross-fit t, K = 3"
	methodLang     = "donald-lang"
	titleLang      = "Donald–Lang"
	methodPlacebo  = "placebo-rank"
	titlePlacebo   = "Placebo rank"
	methodRatio    = "cross-fit-t-logs"
	titleRatio     = "Cross-fit t on the gap of mean logs, K = 3"
)

// headline is the plain difference with the cross-fit interval.
func (c *comparison) headline() Effect {
	unit, _ := c.units()
	point := c.difference(c.before)
	est, why := c.crossFit(func(block []int) (float64, error) { return c.difference(block), nil })
	e := newEffect(methodCrossFit, titleCrossFit, unit, point, est)
	e.Admissible = est.HasSE
	if !est.HasSE {
		e.Missing = "no interval: " + why
		return e.say(c.d.outcome.Unit)
	}
	e.Centre = finitePtr(est.Value)
	e = e.say(c.d.outcome.Unit)
	e.Notes = append(e.Notes, fmt.Sprintf("The interval rests on three blocks of %s before the start; its middle is %s.",
		counted(len(c.blocks[0]), c.f.pilot.PeriodNoun), e.in(est.Value, c.d.outcome.Unit)))
	if point < est.Low || point > est.High {
		e.Notes = append(e.Notes, "The estimate lies outside its own interval: the early periods before the start differ from the later ones, which speaks against reading either.")
	}
	return e
}

// crossFit runs the cross-fit t over the blocks; why says why there is no
// interval.
func (c *comparison) crossFit(effect func(block []int) (float64, error)) (est did.Estimate, why string) {
	if len(c.blocks) == 0 {
		return did.Estimate{}, c.noInterval
	}
	res, err := did.CrossFit(len(c.before), len(c.after), folds, level, func(from, to int) (float64, error) {
		return effect(c.before[from:to])
	})
	if err != nil {
		return did.Estimate{}, inWords(err.Error(), c.f.pilot)
	}
	if !res.Estimate.HasSE {
		return res.Estimate, "the three blocks agree exactly, so they say nothing of the noise"
	}
	return res.Estimate, ""
}

var errNoLogs = errors.New("a value has no logarithm")

// ratio is the ratio of ratios: the same comparison on mean logarithms. It is
// nil where a value has none.
func (c *comparison) ratio() *Effect {
	gap := func(before []int) (float64, error) {
		var sum [2]float64
		for side, units := range [][]int{c.treated, c.others} {
			for _, u := range units {
				a, okA := c.d.series.logs(u, c.after)
				b, okB := c.d.series.logs(u, before)
				if !okA || !okB {
					return 0, errNoLogs
				}
				sum[side] += (a - b) / float64(len(units))
			}
		}
		return sum[0] - sum[1], nil
	}
	point, err := gap(c.before)
	if err != nil {
		return nil
	}
	est, why := c.crossFit(gap)
	e := newEffect(methodRatio, titleRatio, UnitRatio, point, est)
	if est.HasSE {
		e.Centre = finitePtr(est.Value)
	} else {
		e.Missing = "no interval: " + why
	}
	e = c.noteCensored(e.asRatio()).say("")
	return &e
}

// noteCensored says what a mean of logarithms leaves out.
func (c *comparison) noteCensored(e Effect) Effect {
	if c.d.sample.Censored > 0 {
		e.Notes = append(e.Notes, fmt.Sprintf("Means of logarithms leave out the %s that had not ended.", FormatCount(c.d.sample.Censored)))
	}
	return e
}

// changes are the units' own changes over the whole windows; false where one
// has none.
func (c *comparison) changes(units []int) ([]float64, bool) {
	out := make([]float64, len(units))
	for i, u := range units {
		b, okB := c.d.series.window(u, c.before)
		a, okA := c.d.series.window(u, c.after)
		if !okA || !okB || c.relative && b <= 0 {
			return nil, false
		}
		out[i] = c.change(b, a)
	}
	return out, true
}

// treatedChange is the change of the treated units taken as one.
func (c *comparison) treatedChange() float64 {
	return c.change(c.value(c.treated, c.before), c.value(c.treated, c.after))
}

// spreadBound is the ratio of spreads from which Donald–Lang is not believed.
const spreadBound = 1.5

// langUnits is the fewest comparison units Donald–Lang is shown for.
const langUnits = 3

// donaldLang compares with the spread of the comparison units' own changes.
func (c *comparison) donaldLang() Effect {
	unit, _ := c.units()
	noun := c.f.pilot.UnitNoun
	if len(c.others) < langUnits {
		return missing(methodLang, titleLang, unit, fmt.Sprintf("needs %d comparison %s, and there %s %d",
			langUnits, plural(langUnits, noun), isAre(len(c.others)), len(c.others)))
	}
	changes, ok := c.changes(c.others)
	if !ok {
		return missing(methodLang, titleLang, unit, fmt.Sprintf("a comparison %s has a value of zero before the start, so its change is not a percentage", noun))
	}
	est, err := did.DonaldLang(c.treatedChange(), changes, level)
	if err != nil {
		return missing(methodLang, titleLang, unit, inWords(err.Error(), c.f.pilot))
	}
	e := newEffect(methodLang, titleLang, unit, est.Value, est)
	if !est.HasSE {
		e.Missing = fmt.Sprintf("no interval: the comparison %s all moved by the same amount", plural(2, noun))
	}
	e.Admissible = est.HasSE
	if r, ok := c.spread(); ok && r > spreadBound {
		e.Admissible = false
		e.Notes = append(e.Notes, fmt.Sprintf("Before the start the treated side varied %s times as much as the comparison; over %s times this interval is too narrow to rest on.",
			FormatNumber(r), FormatNumber(spreadBound)))
	}
	return e.say(c.d.outcome.Unit)
}

// spread is how much noisier the treated side was before the start.
func (c *comparison) spread() (float64, bool) {
	r, err := did.SpreadRatio(c.valuesBefore(c.treated), c.eachBefore(c.others))
	return r, err == nil
}

// valuesBefore are a side's values by period before the start.
func (c *comparison) valuesBefore(units []int) []float64 {
	var xs []float64
	for _, t := range c.before {
		if x, ok := c.sideAt(units, t); ok {
			xs = append(xs, x)
		}
	}
	return xs
}

// eachBefore are the values of each unit, of those that have two.
func (c *comparison) eachBefore(units []int) [][]float64 {
	var out [][]float64
	for _, u := range units {
		if xs := c.valuesBefore([]int{u}); len(xs) >= 2 {
			out = append(out, xs)
		}
	}
	return out
}

// sideAt is a side's value in one period, as a logarithm where changes read in
// percent; false where a unit of it has none.
func (c *comparison) sideAt(units []int, t int) (float64, bool) {
	var sum float64
	for _, u := range units {
		x, ok := c.d.series.window(u, []int{t})
		if !ok {
			return 0, false
		}
		if c.relative {
			x = logOf(x)
		}
		sum += x
	}
	x := sum / float64(len(units))
	return x, finite(x)
}
