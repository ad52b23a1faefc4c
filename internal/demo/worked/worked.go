// Package worked makes up the pull requests of the worked example.
//
// None of it happened: a pilot team and six comparison teams, their authors
// opaque ids. What the numbers must come out at is known beforehand, so that
// they can be checked by hand:
//
//   - open to merge, median: 18 h → 12 h for the pilot, and 18 h → 15 h for
//     the comparison, the unweighted mean of its teams;
//   - reverts within 30 days: 3 → 7 for the pilot and 3 → 3 for the
//     comparison, over as many merges before as after on either side.
//
// The rest is there to be as untidy as real data: skewed durations that vary
// from week to week, pull requests still open, closed without merge, opened by
// bots, and placed in no team. The draws are seeded; the same program writes
// the same bytes.
package worked

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"
)

// The calendar, in weeks from the first one. Windows are of equal length, so
// that counts before and after can be compared as they stand. Two weeks after
// the start are the ramp-up, which the definition leaves out; the last weeks
// let 30 days pass after the window, so that its reverts are known.
const (
	leadIn     = 2
	windowSize = 18
	rampUp     = 2
	tail       = 6

	beforeFrom = leadIn
	beforeTo   = beforeFrom + windowSize
	start      = beforeTo
	afterFrom  = start + rampUp
	afterTo    = afterFrom + windowSize
	weeks      = afterTo + tail
)

// firstWeek is the Monday of week 0.
var firstWeek = time.Date(2024, time.December, 30, 0, 0, 0, 0, time.UTC)

// window is one of the spans that the example speaks of.
type window int

const (
	outside window = iota
	before
	after
)

func windowOf(week int) window {
	switch {
	case week >= beforeFrom && week < beforeTo:
		return before
	case week >= afterFrom && week < afterTo:
		return after
	}
	return outside
}

// team is one team and what it is to come out at.
type team struct {
	name    string
	authors int
	weekly  int // pull requests opened in a usual week
	// medians of open to merge by window, in minutes.
	medians [3]int
	// review is the usual share of the time to merge that passes before the
	// first review, by window; lines the usual size.
	review [3]float64
	lines  [3]float64
	// moods bend the durations of thirds of the window before, so that the
	// thirds differ as they do in life; the window's median stays.
	moods   [3]float64
	reverts [3]int // by window of the merge
}

// teams are the pilot and the comparison. The comparison's medians before and
// after have means of 18 h and 15 h, and their changes a mean of −1/6, so that
// it does not matter which of the two is averaged.
func teams() []team {
	const h = 60
	other := func(name string, authors, weekly, b, a int, moods [3]float64, reverts [3]int) team {
		return team{
			name: name, authors: authors, weekly: weekly, medians: [3]int{b, b, a},
			review: [3]float64{.30, .30, .33}, lines: [3]float64{86, 86, 91}, moods: moods, reverts: reverts,
		}
	}
	return []team{
		{
			name: "pilot", authors: 8, weekly: 11, medians: [3]int{18 * h, 18 * h, 12 * h},
			review: [3]float64{.30, .30, .27}, lines: [3]float64{84, 84, 108},
			moods: [3]float64{.97, 1.09, .95}, reverts: [3]int{0, 3, 7},
		},
		other("team-a", 7, 9, 16*h, 920, [3]float64{1.04, .97, 1}, [3]int{0, 1, 0}),
		other("team-b", 6, 8, 16*h, 680, [3]float64{.95, 1.02, 1.03}, [3]int{0, 0, 1}),
		other("team-c", 9, 11, 20*h, 1150, [3]float64{1.01, 1.04, .96}, [3]int{0, 1, 1}),
		other("team-d", 6, 8, 20*h, 850, [3]float64{.98, .97, 1.05}, [3]int{0, 0, 0}),
		other("team-e", 8, 10, 18*h, 954, [3]float64{1.03, .98, .99}, [3]int{0, 1, 1}),
		other("team-f", 6, 8, 18*h, 846, [3]float64{.98, 1.03, .99}, [3]int{0, 0, 0}),
	}
}

// seed was picked out of a few hundred so that the interval of the difference
// includes no change, which is what the example is there to show.
const seed = 393

// pullRequest is one row. Minutes are counted from its opening; −1 is never.
type pullRequest struct {
	team     int // −1: placed nowhere
	author   string
	bot      bool
	opened   time.Time
	ready    int
	review   int
	ends     int // merged or closed
	merged   bool
	reverted int // minutes from the merge
	lines    [2]int
	week     int
}

// Write writes the example as CSV, oldest pull request first.
func Write(w io.Writer) error {
	return write(w, seed)
}

func write(w io.Writer, seed uint64) error {
	g := &generator{rand: rand.New(rand.NewPCG(seed, 18_12_15)), teams: teams()}
	for t := range g.teams {
		g.addTeam(t)
	}
	g.balance()
	g.revert()
	g.addBots()
	g.addUnplaced()
	slices.SortStableFunc(g.prs, func(a, b pullRequest) int { return a.opened.Compare(b.opened) })
	return g.print(w)
}

// header names the columns by the fields of the import.
var header = []string{
	"number", "repository", "author", "author_is_bot", "team", "opened", "ready", "first_review",
	"merged", "closed", "reverted_at", "additions", "deletions",
}

func (g *generator) print(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{header}
	for i, p := range g.prs {
		rows = append(rows, g.row(i+1, p))
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write the worked example: %w", err)
	}
	return nil
}

func (g *generator) row(number int, p pullRequest) []string {
	at := func(minutes int) string {
		if minutes < 0 {
			return ""
		}
		return p.opened.Add(time.Duration(minutes) * time.Minute).Format(time.RFC3339)
	}
	team, repository := "", "made-up/shared"
	if p.team >= 0 {
		team = g.teams[p.team].name
		repository = "made-up/" + team
	}
	row := []string{
		strconv.Itoa(number), repository, p.author, strconv.FormatBool(p.bot), team,
		at(0), at(p.ready), at(p.review), "", at(p.ends), "", strconv.Itoa(p.lines[0]), strconv.Itoa(p.lines[1]),
	}
	if p.merged {
		row[8] = at(p.ends)
	}
	if p.reverted >= 0 {
		row[10] = at(p.ends + p.reverted)
	}
	return row
}

// median is the Kaplan–Meier median of pull requests: the time by which half
// were merged, where the ones still open, and the ones closed, which can never
// merge, last for as long as the data does. Where the curve runs level at one
// half, the median lies between from and to, two pull requests; else they are
// the same.
func median(prs []*pullRequest) (from, to int) {
	sorted := slices.SortedFunc(slices.Values(prs), func(a, b *pullRequest) int {
		return cmp.Or(cmp.Compare(a.seen(), b.seen()), compareBool(b.merged, a.merged))
	})
	alive := 1.0
	for i, p := range sorted {
		if !p.merged {
			continue
		}
		left := float64(len(sorted) - i)
		alive *= (left - 1) / left
		if alive <= 0.5+1e-6 && from == 0 {
			from = p.ends
		}
		if alive < 0.5-1e-6 {
			return from, p.ends
		}
	}
	return from, from
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// seen is how long the pull request is known not to have been merged, in
// minutes.
func (p *pullRequest) seen() int {
	if p.merged {
		return p.ends
	}
	return int(dataEnd.Sub(p.opened) / time.Minute)
}

// dataEnd is when the last thing can happen.
var dataEnd = firstWeek.AddDate(0, 0, 7*weeks)
