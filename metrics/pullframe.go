package metrics

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// SmallestGroup is the number of authors under which a group is not shown on
// its own.
const SmallestGroup = 5

const smallGroup = SmallestGroup

// framePulls lays pull requests out on a frame. imported is the time of the
// newest import, zero where unknown: a period that ends after the data's last
// event is whole if the import came later and the event close to its end.
func framePulls(p Pilot, d *pullData, summary PullRequestSummary) (*frame, []*outcomeData, error) {
	lo, hi, ok := d.extent(p, summary)
	if !ok {
		return nil, nil, d.nothing(p)
	}
	if hi-lo+1 > maxPeriods {
		return nil, nil, fmt.Errorf("measure %q: pull requests lie %d periods apart; the most is %d; set the windows", p.ID, hi-lo+1, maxPeriods)
	}
	g := d.g
	g.first, g.n = d.g.period(lo), hi-lo+1
	f := newFrame(p, g, d.units(p, g))
	f.seen = d.end
	f.incomplete = append(f.incomplete, d.endsEarly(f)...)
	f.incomplete = append(f.incomplete, summary.Incomplete...)
	if f.notOver != "" {
		f.notOver = f.windowOpen()
	}
	f.leftOut = append(f.leftOut, importLeftOut(summary.Imports)...)
	d.leaveApart(f)
	stored := map[string]bool{}
	for _, t := range summary.Teams {
		stored[t.Team] = true
	}
	f.nameAbsent(func(name string) bool { return d.teams[name] != nil || stored[name] }, absence{"pull request of that name", misnamed})
	f.nameAbsent(func(name string) bool { return d.teams[name] != nil || !stored[name] }, absence{
		"pull request of that name that is measured", "what is by bots, set apart or outside the windows does not count; the data page shows what there is",
	})
	f.leave(d.unplaced, plural(d.unplaced, "pull request"), "the author could not be placed in a team")
	if f.notOver != "" && d.wholeThrough(summary, f.pilot.After.To) {
		f.notOver = ""
	}
	if small := d.smallSide(f); small != nil {
		f.problem = small
	}
	f.exposure = d.exposure(f, lo)
	outcomes := make([]*outcomeData, len(p.Outcomes))
	for k, o := range p.Outcomes {
		outcomes[k] = d.outcome(f, k, o, lo)
	}
	return f, outcomes, nil
}

// nothing says why no pull request can be compared.
func (d *pullData) nothing(p Pilot) error {
	switch {
	case len(d.teams) > 0:
		return fmt.Errorf("measure %q: no whole %s of its windows has a pull request of its teams; check the windows with the data page", p.ID, p.PeriodNoun)
	case d.teamBots > 0:
		return fmt.Errorf("measure %q: all %s of its teams in its windows are by bots, which are set apart; check the column author_is_bot of the import", p.ID, counted(d.teamBots, "pull request"))
	}
	return fmt.Errorf("measure %q: no pull request of its teams lies in its windows; check the team names with the data page", p.ID)
}

// importLeftOut is what the imports left out, of the newest import of each
// file: an older one of the same file was replaced by it.
func importLeftOut(imports []Import) []LeftOut {
	var out []LeftOut
	seen := map[string]bool{}
	for _, im := range imports {
		if !seen[im.File] {
			seen[im.File] = true
			out = append(out, im.LeftOut...)
		}
	}
	return out
}

// extent is the first and last whole period with data, inside the windows
// where they are set.
func (d *pullData) extent(p Pilot, summary PullRequestSummary) (lo, hi int, ok bool) {
	lo, hi = math.MaxInt, math.MinInt
	for _, t := range d.teams {
		for i := range t.periods {
			lo, hi = min(lo, i), max(hi, i)
		}
	}
	if lo > hi {
		return 0, 0, false
	}
	if from := p.Before.From; !from.IsZero() {
		at := d.g.at(from)
		if d.g.start(at).Before(from) {
			at++
		}
		lo = max(lo, at)
	}
	if to := p.After.To; !to.IsZero() {
		hi = min(hi, d.g.at(to.Add(-time.Nanosecond)))
	}
	for hi >= lo && !d.wholeThrough(summary, d.g.end(hi)) {
		hi--
	}
	return lo, hi, lo <= hi
}

// quietEnd is how long before a period's end its last event may lie, so that a
// weekend does not make a week look cut off.
const quietEnd = 72 * time.Hour

// wholeThrough reports whether the data runs through to: something happened
// later, or the data was imported later and ends close before it.
func (d *pullData) wholeThrough(summary PullRequestSummary, to time.Time) bool {
	if !d.end.Before(to) {
		return true
	}
	var imported time.Time
	for _, im := range summary.Imports {
		if im.At.After(imported) {
			imported = im.At
		}
	}
	return !imported.Before(to) && to.Sub(d.end) <= quietEnd
}

// sees reports whether a team's pull requests are known up to to, or to so
// close before it that only quiet days are missing.
func (d *pullData) sees(team *teamCells, to time.Time) bool {
	return team.unbounded || !team.seen.Before(d.end) || to.Sub(team.seen) <= quietEnd
}

// endsEarly says which sides hold a team whose data ends before the window of
// everything does: its later periods are left out, and not taken for quiet
// ones. Teams are not named, because a number of one may be a person's.
func (d *pullData) endsEarly(f *frame) []string {
	var early int
	var first time.Time
	for _, u := range slices.Concat(f.treated, f.comparison) {
		team := d.teams[f.units[u].name]
		if d.sees(team, f.end(f.n-1)) {
			continue
		}
		if early++; first.IsZero() || team.seen.Before(first) {
			first = team.seen
		}
	}
	if early == 0 {
		return nil
	}
	return []string{fmt.Sprintf("The data of %s ends before that of the others, of the first on %s: what came later is not known of them.",
		counted(early, f.pilot.UnitNoun), FormatDate(first))}
}

// units are the treated teams and the comparison: the named teams, or every
// other team with data.
func (d *pullData) units(p Pilot, g grid) []frameUnit {
	var out []frameUnit
	treated := map[string]bool{}
	for _, a := range p.Treated {
		treated[a.Unit] = true
		if d.teams[a.Unit] != nil {
			out = append(out, frameUnit{name: a.Unit, first: g.at(a.Start)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.teams)) {
		if !treated[name] {
			out = append(out, frameUnit{name: name, first: Never})
		}
	}
	return out
}

// smallSide refuses to show a side with fewer than five authors, or without a
// known one: nobody can tell then that it is not one person's.
func (d *pullData) smallSide(f *frame) *Reason {
	if f.problem != nil {
		return nil
	}
	for _, s := range []struct {
		label string
		units []int
	}{{f.side(), f.treated}, {"The comparison", f.comparison}} {
		n, unknown := d.authors(f, s.units)
		if n == 0 && unknown {
			return d.nobodyKnown(s.label)
		}
		if n > 0 && n < smallGroup {
			return &Reason{
				Code: "group_too_small", Title: "The group is too small to be shown",
				Text: fmt.Sprintf("%s has %s; groups under five are not shown on their own, because a number for them is a number for a person.",
					upperFirst(s.label), counted(n, "author")),
			}
		}
	}
	return nil
}

// nobodyKnown is the refusal of a side none of whose authors is known.
func (d *pullData) nobodyKnown(label string) *Reason {
	why := "no pull request of it has an author"
	if d.all.Has(FieldAuthor) {
		why = "the import has no author column"
	}
	return &Reason{
		Code: "authors_unknown", Title: "The authors are not known",
		Text: fmt.Sprintf("Nobody can tell how many people stand behind %s, because %s; groups under five are not shown on their own, because a number for them is a number for a person.",
			inSentence(label), why),
	}
}

// authors is how many people did something in the periods that are used; those
// who were there before or after do not make a group larger. Deleted accounts
// are none. unknown is true where somebody did who is not known.
func (d *pullData) authors(f *frame, units []int) (n int, unknown bool) {
	all := map[authorKey]struct{}{}
	lo := d.g.index(f.first)
	for _, u := range units {
		for _, t := range f.kept {
			if c := d.teams[f.units[u].name].periods[lo+t]; c != nil {
				maps.Copy(all, c.active)
				unknown = unknown || c.nameless
			}
		}
	}
	if _, ghost := all[ghostAuthor]; ghost {
		unknown = true
		delete(all, ghostAuthor)
	}
	return len(all), unknown
}
