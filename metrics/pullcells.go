package metrics

import (
	"math"
	"slices"
	"time"
)

// teamCells are a team's cells by period, and up to when it was seen.
type teamCells struct {
	periods map[int]*pullCell
	work    *WorkTime // nil: elapsed time counts
	// seen is the newest moment up to which any of its pull requests is known;
	// unbounded is true where one does not say, and is known to the data's end.
	seen      time.Time
	unbounded bool
}

// pullCell is one team in one period.
type pullCell struct {
	opened, open int
	// spans[k] are the durations of metric k of pull requests opened in the
	// period; negative counts those whose end lies before their begin, unseen
	// those that begin after the last deployment known.
	spans            [][]span
	negative, unseen []int
	// lasted[k] are the durations, and sized the sizes, once all is read:
	// sorted, so that the order of reading decides nothing.
	lasted [][]survivalKey
	sized  []survivalKey
	// unknown[k] counts pull requests opened in the period whose file lacked
	// what metric k needs.
	unknown []int
	sizes   []float64
	unsized int
	// sums[k] are the parts of pull requests closed in the period in the rate
	// or share of metric k; untold counts those whose part is not known.
	sums   []sum
	untold []int
	// active are the authors who did something, by number; nameless is true
	// where somebody did whose author the file does not give.
	active   map[authorKey]struct{}
	nameless bool
	// tallied counts merges for the rate, whose authors are known.
	tallied int
	merges  []merge
	// exposed merges are old enough for their reverts to be known; young ones
	// are not.
	exposed, reverted, young int
	// looked counts pull requests opened in the period that were looked
	// through for an assistant's marks, assisted those that had one.
	looked, assisted int
}

type sum struct{ num, den float64 }

// span is a duration in its metric's unit. While pull requests are being read,
// one that runs on has the moment it began, in seconds since 1970.
type span struct {
	length float64
	state  spanState
	// repository numbers the one whose deployments tell when it ends.
	repository int32
	// merged is when a span that a deployment ends was sure to be running.
	merged int64
}

type spanState uint8

const (
	// stopped: it had not ended when it was last seen.
	stopped spanState = iota
	// done: it has ended.
	done
	// running: it lasts up to the end of the data.
	running
	// waiting: it lasts up to the last deployment known.
	waiting
)

// merge is one merge, kept until the end of the data is known.
type merge struct {
	at       int64 // seconds since 1970
	seen     int64 // up to when it is known; 0: to the end of the data
	reverted bool  // within the revert window
}

// cell is the team's cell of the period that holds t.
func (d *pullData) cell(team *teamCells, t time.Time) *pullCell {
	i := d.g.at(t)
	c := team.periods[i]
	if c == nil {
		n := len(d.metrics)
		c = &pullCell{
			spans: make([][]span, n), lasted: make([][]survivalKey, n), negative: make([]int, n), unseen: make([]int, n), unknown: make([]int, n),
			sums: make([]sum, n), untold: make([]int, n), active: map[authorKey]struct{}{},
		}
		team.periods[i] = c
	}
	return c
}

// activeAuthor notes that a pull request's author did something; deleted
// accounts count as one author.
func (c *pullCell) activeAuthor(r *PullRequest, author authorKey) {
	if r.Lacks&bitAuthor != 0 {
		c.nameless = true
		return
	}
	c.active[author] = struct{}{}
}

// addSpan adds a duration. What has not ended lasts for as long as the pull
// request is known: also where it was closed, because it can then never reach
// the end, and a metric that forgot it would look the faster the more is given
// up. Only what nobody waits for any more is censored at the closing.
func (d *pullData) addSpan(team *teamCells, c *pullCell, k int, m *Metric, r *PullRequest) {
	from, to := m.span(r)
	if from.IsZero() {
		return
	}
	state := done
	if to.IsZero() {
		state = stopped
		switch closed := r.closedAt(); {
		case m.deploys && !r.Merged.IsZero():
			c.spans[k] = append(c.spans[k], span{
				length: float64(from.Unix()), state: waiting,
				repository: d.repository(r.Repository), merged: r.Merged.Unix(),
			})
			return
		case m.stops && !closed.IsZero():
			to = closed
		case !r.Seen.IsZero():
			to = r.Seen
		default:
			c.spans[k] = append(c.spans[k], span{length: float64(from.Unix()), state: running})
			return
		}
	}
	if to.Before(from) {
		c.negative[k]++
		return
	}
	c.spans[k] = append(c.spans[k], span{length: m.length(team.between(from, to)), state: state})
}

// between is how many seconds of the team's time lie between two moments.
func (t *teamCells) between(from, to time.Time) float64 {
	if t.work == nil {
		return to.Sub(from).Seconds()
	}
	return t.work.Between(from, to).Seconds()
}

// length is a number of seconds in the metric's unit.
func (m *Metric) length(seconds float64) float64 {
	if m.minutes {
		return math.Ceil(seconds / 60)
	}
	return seconds / 3600
}

// settle closes the spans of metric k that were left running, and sorts them
// all. end is the end of the data, deployments that of each repository's
// deployments; both in seconds since 1970.
func (c *pullCell) settle(k int, m *Metric, team *teamCells, end int64, deployments []int64) {
	keys := make([]survivalKey, 0, len(c.spans[k]))
	for _, s := range c.spans[k] {
		until := end
		if s.state == waiting {
			until = max(deployments[s.repository], s.merged)
		}
		if s.state == running || s.state == waiting {
			from := int64(s.length)
			if s.state == waiting && until <= from {
				c.unseen[k]++
				continue
			}
			s = span{length: m.length(max(0, team.between(time.Unix(from, 0), time.Unix(until, 0))))}
		}
		keys = append(keys, keyOf(s.length, s.state == done))
	}
	slices.Sort(keys)
	c.lasted[k], c.spans[k] = keys, nil
}

// settleSizes sorts the sizes.
func (c *pullCell) settleSizes() {
	c.sized = make([]survivalKey, len(c.sizes))
	for i, x := range c.sizes {
		c.sized[i] = keyOf(x, true)
	}
	slices.Sort(c.sized)
	c.sizes = nil
}

// ripen sorts merges into those whose reverts are known by now and those that
// are too young.
func (c *pullCell) ripen(end int64) {
	window := int64(RevertWindow / time.Second)
	for _, m := range c.merges {
		seen := end
		if m.seen != 0 {
			seen = m.seen
		}
		switch {
		case m.at+window > seen:
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

func (p *PullRequest) revertedInTime() bool {
	return !p.RevertedAt.IsZero() && !p.RevertedAt.Before(p.Merged) && !p.RevertedAt.After(p.Merged.Add(RevertWindow))
}

// closedAt is when a pull request was closed, merged or not.
func (p *PullRequest) closedAt() time.Time {
	if p.Closed.IsZero() {
		return p.Merged
	}
	return p.Closed
}
