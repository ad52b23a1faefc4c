package metrics

import (
	"fmt"
	"hash/maphash"
	"slices"
	"time"
)

// pullData is what pull requests leave behind once they have been read: one
// cell a team and period, and counts of what was set apart.
type pullData struct {
	g       grid
	teams   map[string]*teamCells
	work    map[string]*WorkTime // calendars by team; nil: elapsed time counts
	metrics []Metric
	needs   []Fields  // of each metric
	counts  bool      // whether a metric needs the merges one by one
	end     time.Time // the last thing that happened in the data
	// bots are pull requests of bots, teamBots those of them in a team; apart
	// are others that are set apart, by reason.
	bots, teamBots int
	apart          map[string]int
	unplaced       int
	// some are the fields that any pull request's file lacked, all those that
	// every one's did.
	some, all Fields

	seed         maphash.Seed
	repositories map[string]int32
	// deployments are the newest known of each repository, in seconds since
	// 1970.
	deployments []int64
}

// authorKey stands for an author: a digest of the id, so that what was read
// apart can be put together. ghostAuthor is that of deleted accounts.
type authorKey uint64

const ghostAuthor authorKey = 0

func newPullData(p Pilot, last time.Time) (*pullData, error) {
	g, ok := stepOf(p.PeriodNoun)
	if !ok {
		return nil, fmt.Errorf("count pull requests of %q by %q: use day, week or month", p.ID, p.PeriodNoun)
	}
	first := slices.MinFunc(p.Treated, func(a, b Adoption) int { return a.Start.Compare(b.Start) })
	g.first = g.kind.At(first.Start)
	d := &pullData{
		g: g, teams: map[string]*teamCells{}, end: last, all: ^Fields(0), apart: map[string]int{},
		repositories: map[string]int32{},
	}
	var err error
	if d.work, err = p.Hours.workTimes(); err != nil {
		return nil, fmt.Errorf("count the hours of %q: %w", p.ID, err)
	}
	for _, o := range p.Outcomes {
		m, ok := CatalogueMetric(o.ID)
		if !ok {
			return nil, fmt.Errorf("measure pull requests of %q: no metric %q in the catalogue", p.ID, o.ID)
		}
		d.metrics = append(d.metrics, m)
		d.needs = append(d.needs, FieldSet(m.needs...))
		d.counts = d.counts || m.Kind == KindCount
	}
	return d, nil
}

// see takes one pull request in.
func (d *pullData) see(r *PullRequest, span Window) {
	d.seeEnd(r)
	if r.AuthorBot || r.SetApart != "" || r.Team == "" {
		d.setApart(r, span)
		return
	}
	d.book(r)
}

// setApart counts what no team is compared by, of the span of the windows: of
// the rest nobody asked.
func (d *pullData) setApart(r *PullRequest, span Window) {
	switch {
	case !span.Contains(r.Opened):
	case r.AuthorBot:
		d.bots++
		if r.Team != "" {
			d.teamBots++
		}
	case r.SetApart != "":
		d.apart[r.SetApart]++
	default:
		d.unplaced++
	}
}

// close settles what depends on where the data ends: how long open pull
// requests have lasted, and which merges are old enough.
func (d *pullData) close() {
	end := d.end.Unix()
	for _, team := range d.teams {
		for _, c := range team.periods {
			for k := range d.metrics {
				c.settle(k, &d.metrics[k], team, end, d.deployments)
			}
			c.settleSizes()
			c.ripen(end)
		}
	}
}

func (d *pullData) seeEnd(r *PullRequest) {
	for _, t := range [...]*time.Time{&r.Opened, &r.Ready, &r.FirstReview, &r.Merged, &r.Closed, &r.RevertedAt, &r.Seen} {
		if t.After(d.end) {
			d.end = *t
		}
	}
}

func (d *pullData) book(r *PullRequest) {
	team := d.team(r)
	author := d.author(r.Author)
	c := d.cell(team, r.Opened)
	c.opened++
	c.activeAuthor(r, author)
	d.some |= r.Lacks
	d.all &= r.Lacks
	if r.Open() {
		c.open++
	}
	if r.Lacks&bitAssisted == 0 {
		c.looked++
		if r.Assisted != "" {
			c.assisted++
		}
	}
	if !r.Deployed.IsZero() {
		i := d.repository(r.Repository)
		d.deployments[i] = max(d.deployments[i], r.Deployed.Unix())
	}
	d.bookOpening(team, c, r)
	d.bookMerge(team, r, author)
	d.bookClosing(team, r, author)
}

// bookOpening books what belongs to the period of the opening.
func (d *pullData) bookOpening(team *teamCells, c *pullCell, r *PullRequest) {
	for k := range d.metrics {
		m := &d.metrics[k]
		switch {
		case d.needs[k]&r.Lacks != 0:
			c.unknown[k]++
		case m.span != nil:
			d.addSpan(team, c, k, m, r)
		case m.size != nil:
			if x, ok := m.size(r); ok {
				c.sizes = append(c.sizes, x)
			} else {
				c.unsized++
			}
		}
	}
}

func (d *pullData) bookMerge(team *teamCells, r *PullRequest, author authorKey) {
	if r.Merged.IsZero() {
		return
	}
	c := d.cell(team, r.Merged)
	c.activeAuthor(r, author)
	if r.Lacks&bitAuthor == 0 {
		c.tallied++
	}
	if d.counts && r.Lacks&bitRevertedAt == 0 {
		m := merge{at: r.Merged.Unix(), reverted: r.revertedInTime()}
		if !r.Seen.IsZero() {
			m.seen = r.Seen.Unix()
		}
		c.merges = append(c.merges, m)
	}
}

func (d *pullData) bookClosing(team *teamCells, r *PullRequest, author authorKey) {
	closed := r.closedAt()
	if closed.IsZero() {
		return
	}
	c := d.cell(team, closed)
	c.activeAuthor(r, author)
	for k := range d.metrics {
		m := &d.metrics[k]
		if m.tally == nil || d.needs[k]&r.Lacks != 0 {
			continue
		}
		if num, den, ok := m.tally(r); ok {
			c.sums[k].num += num
			c.sums[k].den += den
		} else {
			c.untold[k]++
		}
	}
}

// team is the cells of a pull request's team.
func (d *pullData) team(r *PullRequest) *teamCells {
	team := d.teams[r.Team]
	if team == nil {
		team = &teamCells{periods: map[int]*pullCell{}, work: d.workOf(r.Team)}
		d.teams[r.Team] = team
	}
	if r.Seen.IsZero() {
		team.unbounded = true
	} else if r.Seen.After(team.seen) {
		team.seen = r.Seen
	}
	return team
}

// workOf is the calendar of a team, nil where elapsed time counts.
func (d *pullData) workOf(team string) *WorkTime {
	if w, own := d.work[team]; own {
		return w
	}
	return d.work[""]
}

// author is the key of an author.
func (d *pullData) author(id string) authorKey {
	if id == "" {
		return ghostAuthor
	}
	return authorKey(maphash.String(d.seed, id) | 1)
}

// repository is the number of a repository.
func (d *pullData) repository(name string) int32 {
	n, known := d.repositories[name]
	if !known {
		n = int32(len(d.repositories))
		d.repositories[name] = n
		d.deployments = append(d.deployments, 0)
	}
	return n
}
