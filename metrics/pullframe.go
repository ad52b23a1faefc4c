package metrics

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"time"
)

// smallGroup is the number of authors under which a group is not shown on its
// own.
const smallGroup = 5

// pullData is what pull requests leave behind once they have been read: one
// cell a team and period, and counts of what was set apart.
type pullData struct {
	g       grid
	teams   map[string]*teamCells
	metrics []Metric
	end     time.Time // the last thing that happened in the data
	// bots are pull requests of bots, teamBots those of them in a team.
	bots, teamBots int
	unplaced       int
	// some are the fields that any pull request's file lacked, all those that
	// every one's did.
	some, all Fields
}

type teamCells struct{ periods map[int]*pullCell }

// pullCell is one team in one period.
type pullCell struct {
	opened, open int
	// spans[k] are the durations of metric k of pull requests opened in the
	// period; negative counts those whose end lies before their begin.
	spans    [][]span
	negative []int
	// unknown[k] counts pull requests opened in the period whose file lacked
	// what metric k needs.
	unknown []int
	sizes   []float64
	unsized int
	merged  int
	// active are the authors who did something; nameless is true where
	// somebody did whose author the file does not give.
	active   map[string]bool
	nameless bool
	// tallied counts merges for the rate, whose authors are known.
	tallied int
	closed  int
	dropped int // closed without merge
	merges  []merge
	// exposed merges are old enough for their reverts to be known; young ones
	// are not.
	exposed, reverted, young int
}

// span is a duration in hours; done is false where it was still running when
// it was last seen. While pull requests are being read, an open one has the
// moment it began, in hours since 1970, and running is true.
type span struct {
	hours         float64
	done, running bool
}

// merge is one merge, kept until the end of the data is known.
type merge struct {
	at       int64 // seconds since 1970
	reverted bool  // within the revert window
}

// readPulls reads pull requests once and books each to its team and periods:
// durations and size to the period it was opened in, merges and reverts to the
// merge's, abandonment to the closing's. last is what the store knows of the
// end of its data; it matters because what is still open is only known to have
// lasted that long.
func readPulls(p Pilot, rows iter.Seq2[PullRequest, error], last time.Time) (*pullData, error) {
	g, ok := stepOf(p.PeriodNoun)
	if !ok {
		return nil, fmt.Errorf("count pull requests of %q by %q: use day, week or month", p.ID, p.PeriodNoun)
	}
	first := slices.MinFunc(p.Treated, func(a, b Adoption) int { return a.Start.Compare(b.Start) })
	g.first = g.kind.At(first.Start)
	d := &pullData{g: g, teams: map[string]*teamCells{}, end: last, all: ^Fields(0)}
	for _, o := range p.Outcomes {
		m, ok := CatalogueMetric(o.ID)
		if !ok {
			return nil, fmt.Errorf("measure pull requests of %q: no metric %q in the catalogue", p.ID, o.ID)
		}
		d.metrics = append(d.metrics, m)
	}
	for r, err := range rows {
		if err != nil {
			return nil, fmt.Errorf("read pull requests of %q: %w", p.ID, err)
		}
		d.seeEnd(r)
		switch {
		case r.AuthorBot || r.Team == "":
			d.setApart(r, Window{From: p.Before.From, To: p.After.To})
		default:
			d.book(r)
		}
	}
	d.close()
	return d, nil
}

// setApart counts what no team is compared by, of the span of the windows: of
// the rest nobody asked.
func (d *pullData) setApart(r PullRequest, span Window) {
	switch {
	case !span.Contains(r.Opened):
	case r.AuthorBot:
		d.bots++
		if r.Team != "" {
			d.teamBots++
		}
	default:
		d.unplaced++
	}
}

// close settles what depends on where the data ends: how long open pull
// requests have lasted, and which merges are old enough.
func (d *pullData) close() {
	end := hoursSince1970(d.end)
	ripe := d.end.Add(-RevertWindow).Unix()
	for _, team := range d.teams {
		for _, c := range team.periods {
			for k := range c.spans {
				for i, s := range c.spans[k] {
					if s.running {
						c.spans[k][i] = span{hours: end - s.hours}
					}
				}
			}
			for _, m := range c.merges {
				switch {
				case m.at > ripe:
					c.young++
				case m.reverted:
					c.reverted++
					c.exposed++
				default:
					c.exposed++
				}
			}
			c.merges = nil
		}
	}
}

func hoursSince1970(t time.Time) float64 { return float64(t.Unix()) / 3600 }

func (d *pullData) seeEnd(r PullRequest) {
	for _, t := range []time.Time{r.Opened, r.Ready, r.FirstReview, r.Merged, r.Closed, r.RevertedAt} {
		if t.After(d.end) {
			d.end = t
		}
	}
}

func (d *pullData) book(r PullRequest) {
	team := d.teams[r.Team]
	if team == nil {
		team = &teamCells{periods: map[int]*pullCell{}}
		d.teams[r.Team] = team
	}
	c := d.cell(team, r.Opened)
	c.opened++
	c.activeAuthor(r)
	d.some |= r.Lacks
	d.all &= r.Lacks
	if r.Open() {
		c.open++
	}
	for k, m := range d.metrics {
		switch {
		case m.unknown(r.Lacks) != 0:
			c.unknown[k]++
		case m.span != nil:
			c.addSpan(k, m, r)
		case m.size != nil:
			if x, ok := m.size(r); ok {
				c.sizes = append(c.sizes, x)
			} else {
				c.unsized++
			}
		}
	}
	counting := slices.ContainsFunc(d.metrics, func(m Metric) bool { return m.Kind == KindCount })
	if !r.Merged.IsZero() {
		c := d.cell(team, r.Merged)
		c.merged++
		c.activeAuthor(r)
		if !r.Lacks.Has(FieldAuthor) {
			c.tallied++
		}
		if counting && !r.Lacks.Has(FieldRevertedAt) {
			c.merges = append(c.merges, merge{at: r.Merged.Unix(), reverted: r.revertedInTime()})
		}
	}
	if closed := r.closedAt(); !closed.IsZero() {
		c := d.cell(team, closed)
		c.activeAuthor(r)
		if r.Lacks.Has(FieldClosed) || r.Lacks.Has(FieldMerged) {
			return // how many are closed without merge is not known
		}
		c.closed++
		if r.Merged.IsZero() {
			c.dropped++
		}
	}
}

// cell is the team's cell of the period that holds t.
func (d *pullData) cell(team *teamCells, t time.Time) *pullCell {
	i := d.g.at(t)
	c := team.periods[i]
	if c == nil {
		c = &pullCell{spans: make([][]span, len(d.metrics)), negative: make([]int, len(d.metrics)), unknown: make([]int, len(d.metrics)), active: map[string]bool{}}
		team.periods[i] = c
	}
	return c
}

// activeAuthor notes that a pull request's author did something; deleted
// accounts count as one author.
func (c *pullCell) activeAuthor(r PullRequest) {
	if r.Lacks.Has(FieldAuthor) {
		c.nameless = true
		return
	}
	c.active[r.Author] = true
}

// addSpan adds a duration. What was closed without reaching the end can no
// longer reach it and is censored at its closing; what is open is censored at
// the end of the data.
func (c *pullCell) addSpan(k int, m Metric, r PullRequest) {
	from, to := m.span(r)
	if from.IsZero() {
		return
	}
	done := !to.IsZero()
	if !done {
		to = r.closedAt()
	}
	switch {
	case to.IsZero():
		c.spans[k] = append(c.spans[k], span{hours: hoursSince1970(from), running: true})
	case to.Before(from):
		c.negative[k]++
	default:
		c.spans[k] = append(c.spans[k], span{hours: to.Sub(from).Hours(), done: done})
	}
}

func (p PullRequest) revertedInTime() bool {
	return !p.RevertedAt.IsZero() && !p.RevertedAt.Before(p.Merged) && !p.RevertedAt.After(p.Merged.Add(RevertWindow))
}

// closedAt is when a pull request was closed, merged or not.
func (p PullRequest) closedAt() time.Time {
	if p.Closed.IsZero() {
		return p.Merged
	}
	return p.Closed
}

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
	if f.notOver != "" {
		f.notOver = f.windowOpen()
	}
	f.leftOut = append(f.leftOut, importLeftOut(summary.Imports)...)
	f.leave(d.bots, plural(d.bots, "pull request"), "the author is a bot")
	f.nameAbsent(func(name string) bool { return d.teams[name] != nil }, "pull request")
	f.leave(d.unplaced, plural(d.unplaced, "pull request"), "the author could not be placed in a team")
	if f.notOver != "" && d.wholeThrough(summary, f.pilot.After.To) {
		f.notOver = ""
	}
	if small := d.smallSide(f); small != nil {
		f.problem = small
	}
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
	all := map[string]bool{}
	lo := d.g.index(f.first)
	for _, u := range units {
		for _, t := range f.kept {
			if c := d.teams[f.units[u].name].periods[lo+t]; c != nil {
				maps.Copy(all, c.active)
				unknown = unknown || c.nameless || c.active[""]
			}
		}
	}
	delete(all, "")
	return len(all), unknown
}
