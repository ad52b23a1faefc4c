package metrics

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// frame is a pilot's data laid out for comparison: which units stand on which
// side, and which periods count as before and after. It holds no outcome.
type frame struct {
	grid
	pilot Pilot
	kind  DesignKind
	// units are sorted by name; treated and comparison index them.
	units               []frameUnit
	treated, comparison []int
	// start is the common first treated period, −1 where there are several.
	start int
	// out[t] says why period t is in neither window; "" where it is used.
	out []string
	// before and after are the periods used where there is one start, kept all
	// that are used.
	before, after, kept []int
	leftOut             []LeftOut
	// notOver says why the declared window is not over, "" where it is;
	// incomplete lists what is missing of the data inside it.
	notOver    string
	incomplete []string
	// exposure counts assistants' marks; nil where nobody looked.
	exposure *Exposure
	// problem says why nothing can be compared; "" where it can.
	problem *Reason
	// seen is the end of the data where that is known to the moment; zero
	// where only its periods are.
	seen time.Time
	// waiting is how many treated units start after the data ends.
	waiting int
}

// frameUnit is a unit and the index of its first treated period, [Never] where
// it is never treated. It may lie outside the grid.
type frameUnit struct {
	name  string
	first int
}

// newFrame sorts units onto the two sides, names the design and cuts the
// windows. units may be in any order.
func newFrame(p Pilot, g grid, units []frameUnit) *frame {
	f := &frame{grid: g, pilot: p, units: slices.Clone(units), start: -1, out: make([]string, g.n)}
	slices.SortFunc(f.units, func(a, b frameUnit) int { return strings.Compare(a.name, b.name) })
	f.markWindows()
	f.takeSides()
	f.chooseKind()
	f.cutWindows()
	f.checkWindowOver()
	f.findProblem()
	return f
}

// markWindows marks the periods that the definition leaves out whatever the
// design: by name, or outside the two windows.
func (f *frame) markWindows() {
	for t := range f.n {
		switch {
		case f.excluded(t, f.pilot.LeftOut) != "":
			f.out[t] = f.excluded(t, f.pilot.LeftOut)
		case f.dated() && !f.pilot.Before.From.IsZero() && f.grid.start(t).Before(f.pilot.Before.From):
			f.out[t] = "before the window"
		case f.dated() && !f.pilot.After.To.IsZero() && f.end(t).After(f.pilot.After.To):
			f.out[t] = "after the window"
		}
	}
}

// takeSides puts units on their sides. Units treated from the first period
// used on have no before and are left out; so are never-treated units that the
// definition does not name.
func (f *frame) takeSides() {
	named := make(map[string]bool, len(f.pilot.Comparison))
	for _, u := range f.pilot.Comparison {
		named[u] = true
	}
	first := slices.Index(f.out, "")
	always, unnamed := 0, 0
	for i, u := range f.units {
		switch {
		case u.first == Never && len(named) > 0 && !named[u.name]:
			unnamed++
		case u.first == Never:
			f.comparison = append(f.comparison, i)
		case first >= 0 && u.first <= first:
			always++
		default:
			f.treated = append(f.treated, i)
		}
	}
	f.leave(always, plural(always, f.pilot.UnitNoun), "the data holds no time before the start")
	f.leave(unnamed, plural(unnamed, f.pilot.UnitNoun), "the definition names others as the comparison")
}

func (f *frame) leave(n int, what, reason string) {
	if n > 0 {
		f.leftOut = append(f.leftOut, LeftOut{Count: n, What: what, Reason: reason})
	}
}

// Under manyTreated treated units, or under manyComparison others, errors that
// rest on many independent units, as those of staggered starts do, cannot be
// trusted.
const (
	manyTreated    = 10
	manyComparison = 10
)

// chooseKind says whether there is one start or several; among designs with one
// the choice of a method decides ([choice.kind]). Treated units that start after
// the data ends are not treated in it: they are compared with where starts are
// staggered, and left out else, since they may be preparing.
func (f *frame) chooseKind() {
	var started, waiting []int
	for _, u := range f.treated {
		if f.units[u].first < f.n {
			started = append(started, u)
		} else {
			waiting = append(waiting, u)
		}
	}
	starts := f.starts(started)
	switch {
	case len(starts) <= 1 && len(started) <= 1:
		f.kind = DesignOneTreated
	case len(starts) == 1:
		f.kind = DesignFewTreated
	default:
		f.kind = DesignStaggered
	}
	f.treated, f.waiting = started, len(waiting)
	if f.kind == DesignStaggered {
		f.comparison = append(f.comparison, waiting...)
		slices.Sort(f.comparison)
	} else {
		f.leave(len(waiting), plural(len(waiting), f.pilot.UnitNoun), "the start lies after the end of the data")
	}
	if len(starts) == 1 && f.kind != DesignStaggered {
		f.start = starts[0]
	}
}

// starts are the distinct first treated periods of the units, ascending.
func (f *frame) starts(units []int) []int {
	var out []int
	for _, u := range units {
		out = append(out, f.units[u].first)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// cutWindows lists the periods used on either side of a common start.
func (f *frame) cutWindows() {
	for t := range f.n {
		if f.start >= 0 && f.out[t] == "" && f.dated() {
			switch {
			case t < f.start && !f.pilot.Before.To.IsZero() && f.end(t).After(f.pilot.Before.To),
				t >= f.start && !f.pilot.After.From.IsZero() && f.grid.start(t).Before(f.pilot.After.From):
				f.out[t] = "between the windows"
			}
		}
		if f.out[t] != "" {
			continue
		}
		f.kept = append(f.kept, t)
		if f.start >= 0 && t < f.start {
			f.before = append(f.before, t)
		} else if f.start >= 0 {
			f.after = append(f.after, t)
		}
	}
}

func (f *frame) checkWindowOver() {
	if f.n == 0 || !f.dated() {
		return
	}
	if to := f.pilot.After.To; !to.IsZero() && f.end(f.n-1).Before(to) {
		f.notOver = f.windowOpen()
	}
	if from := f.pilot.Before.From; !from.IsZero() && f.grid.start(0).After(from) && f.grid.start(0).Sub(from) >= f.end(0).Sub(f.grid.start(0)) {
		f.incomplete = append(f.incomplete,
			fmt.Sprintf("The window begins on %s, and the data begins on %s.", FormatDate(from), FormatDate(f.grid.start(0))))
	}
}

// windowOpen says that the data ends before the declared window does.
func (f *frame) windowOpen() string {
	return fmt.Sprintf("The window runs to %s, and the data ends on %s.", lastDay(f.pilot.After.To), FormatDate(f.lastCovered()))
}

// lastCovered is the last day that the data covers: that of its last period, or
// an earlier one where the data is known to end inside it.
func (f *frame) lastCovered() time.Time {
	last := f.end(f.n - 1).Add(-time.Nanosecond)
	if !f.seen.IsZero() && f.seen.Before(last) {
		last = f.seen
	}
	return last
}

// through is the last day covered, or the last period where periods are longer
// than weeks or no dates at all.
func (f *frame) through() string {
	if f.grid.kind != PeriodDay {
		return f.label(f.n - 1)
	}
	return f.lastCovered().UTC().Format(time.DateOnly)
}

// lastDay names the last day of a half-open span that ends at to.
func lastDay(to time.Time) string { return FormatDate(to.Add(-time.Nanosecond)) }

func (f *frame) findProblem() {
	noun := f.pilot.UnitNoun
	one := f.kind != DesignStaggered
	switch {
	case len(f.treated) == 0 && f.waiting > 0:
		f.problem = &Reason{Code: "no_after", Title: "There is no after yet", Text: "The start lies after the end of the data."}
	case len(f.treated) == 0:
		f.problem = &Reason{
			Code: "no_treated", Title: "Nothing has started yet",
			Text: fmt.Sprintf("No treated %s has a first treated period inside the data with a period before it.", noun),
		}
	case one && len(f.comparison) == 0:
		f.problem = &Reason{
			Code: "no_comparison", Title: "There is nothing to compare with",
			Text: fmt.Sprintf("No %s without the treatment is left, so nobody can tell what would have happened anyway.", noun),
		}
	case one && len(f.before) == 0:
		f.problem = &Reason{
			Code: "no_before", Title: "There is no before",
			Text: fmt.Sprintf("No %s before the start is left to compare with.", f.pilot.PeriodNoun),
		}
	case one && len(f.after) == 0:
		f.problem = &Reason{
			Code: "no_after", Title: "There is no after yet",
			Text: fmt.Sprintf("No whole %s after the start is in the data.", f.pilot.PeriodNoun),
		}
	}
}

// absence says what a unit has none of, in words that follow “the data has no”,
// and what to do about it.
type absence struct{ what, cure string }

// nameAbsent says which units the definition names and the data does not have:
// a slip of the pen, or data that is still to come.
func (f *frame) nameAbsent(has func(name string) bool, why absence) {
	var absent []string
	for _, a := range f.pilot.Treated {
		if !has(a.Unit) {
			absent = append(absent, a.Unit)
		}
	}
	for _, name := range f.pilot.Comparison {
		if !has(name) {
			absent = append(absent, name)
		}
	}
	if len(absent) == 0 {
		return
	}
	const most = 5
	shown := make([]string, 0, most)
	for _, name := range absent[:min(most, len(absent))] {
		shown = append(shown, fmt.Sprintf("“%s”", name))
	}
	names := list(shown)
	if n := len(absent) - most; n > 0 {
		names = strings.Join(shown, ", ") + fmt.Sprintf(" and %d more", n)
	}
	f.leave(len(absent), plural(len(absent), f.pilot.UnitNoun), fmt.Sprintf("the definition names %s, and the data has no %s", names, why.what))
	f.incomplete = append(f.incomplete, fmt.Sprintf("The definition names %s, and the data has no %s: %s.", names, why.what, why.cure))
	if len(f.treated)+f.waiting == 0 && f.problem != nil && f.problem.Code == "no_treated" {
		f.problem = &Reason{Code: "no_treated", Title: "The data does not have the pilot", Text: f.incomplete[len(f.incomplete)-1]}
	}
}

// misnamed is the cure where the data knows nothing of a unit.
const misnamed = "correct the definition, or import what is missing"

// nothingKnown is the problem of an outcome without a known period on one side
// of the start.
func (f *frame) nothingKnown() string {
	return fmt.Sprintf("no %s with known values is left on one side of the start", f.pilot.PeriodNoun)
}

// adopted is how many treated units had started by period t.
func (f *frame) adopted(t int) int {
	n := 0
	for _, u := range f.treated {
		if f.units[u].first <= t {
			n++
		}
	}
	return n
}

// side is the label of the treated side in sentences.
func (f *frame) side() string {
	switch {
	case f.pilot.Subject != "":
		return f.pilot.Subject
	case len(f.treated) == 1 && f.pilot.Level == LevelPanel:
		return f.units[f.treated[0]].name
	}
	return "the pilot"
}

// mergeLeftOut adds up entries of the same kind and sorts the rest by size.
func mergeLeftOut(in []LeftOut) []LeftOut {
	out := []LeftOut{}
	for _, l := range in {
		i := slices.IndexFunc(out, func(o LeftOut) bool { return o.What == l.What && o.Reason == l.Reason })
		if i >= 0 {
			out[i].Count += l.Count
			continue
		}
		if l.Count > 0 {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b LeftOut) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.What, b.What), strings.Compare(a.Reason, b.Reason))
	})
	return out
}
