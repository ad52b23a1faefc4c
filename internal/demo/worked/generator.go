package worked

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

type generator struct {
	rand  *rand.Rand
	teams []team
	prs   []pullRequest
}

// addTeam makes up a team's pull requests week by week, and pins the medians
// of its two windows.
func (g *generator) addTeam(t int) {
	from := len(g.prs)
	mood := 0.0 // drifts from week to week
	for week := range weeks {
		mood = .4*mood + .16*g.rand.NormFloat64()
		n := g.teams[t].weekly + g.rand.IntN(5) - 2
		for range n {
			g.prs = append(g.prs, g.pullRequest(t, week, mood))
		}
	}
	for _, w := range []window{before, after} {
		g.pin(from, w)
	}
}

// pullRequest makes up one, opened in a working hour of the week.
func (g *generator) pullRequest(t, week int, mood float64) pullRequest {
	team := g.teams[t]
	w := windowOf(week)
	opened := firstWeek.AddDate(0, 0, 7*week+g.rand.IntN(5)).
		Add(time.Duration(8*60+g.rand.IntN(10*60)) * time.Minute)
	p := pullRequest{
		team: t, author: fmt.Sprintf("a%d%02d", t, 1+g.rand.IntN(team.authors)), opened: opened,
		ready: -1, review: -1, ends: -1, reverted: -1, week: week,
	}
	usual := float64(team.medians[w])
	if w == before {
		usual *= team.moods[(week-beforeFrom)/(windowSize/3)]
	}
	lasts := int(usual * math.Exp(mood+.95*g.rand.NormFloat64()))
	p.ends = min(max(lasts, 3), 30*24*60)
	p.merged = g.rand.Float64() >= .07
	if p.merged || g.rand.Float64() < .5 {
		p.review = 1 + int(float64(p.ends-2)*team.review[w]*(.4+1.2*g.rand.Float64()))
	}
	if p.review > 4 && g.rand.Float64() < .15 { // began as a draft
		p.ready = g.rand.IntN(p.review)
	}
	p.lines = g.lines(team.lines[w])
	g.leaveOpen(&p)
	return p
}

// leaveOpen keeps one in a hundred open to the end, and whatever would end
// after it.
func (g *generator) leaveOpen(p *pullRequest) {
	left := int(dataEnd.Sub(p.opened) / time.Minute)
	if g.rand.Float64() < .01 || p.ends >= left {
		p.ends, p.merged = -1, false
	}
	if p.review >= left {
		p.review = -1
	}
	if p.ready >= left {
		p.ready = -1
	}
}

// lines splits a skewed size into lines added and deleted.
func (g *generator) lines(usual float64) [2]int {
	n := max(1, int(usual*math.Exp(1.1*g.rand.NormFloat64())))
	deleted := int(float64(n) * .5 * g.rand.Float64())
	return [2]int{n - deleted, deleted}
}

// pin stretches the durations of a team's window so that their median is what
// the team is to come out at. Stretching all alike keeps their order, and so
// the one at which half are merged; it is then set to the minute.
func (g *generator) pin(from int, w window) {
	prs := g.of(from, w)
	now, next := median(prs)
	want := g.teams[prs[0].team].medians[w]
	for _, p := range prs {
		if p.ends < 0 {
			continue
		}
		stretch := func(minutes int) int {
			if minutes < 0 {
				return minutes
			}
			return minutes * want / now
		}
		onIt := p.merged && (p.ends == now || p.ends == next)
		p.ends, p.review, p.ready = max(1, stretch(p.ends)), stretch(p.review), stretch(p.ready)
		if onIt {
			p.ends = want
		}
	}
}

// of are the pull requests of a window from index from on.
func (g *generator) of(from int, w window) []*pullRequest {
	var out []*pullRequest
	for i := from; i < len(g.prs); i++ {
		if windowOf(g.prs[i].week) == w {
			out = append(out, &g.prs[i])
		}
	}
	return out
}

// balance gives either side as many merges in the window after as in the one
// before, so that reverts are counted over the same on both: it adds pull
// requests that were opened in a week of neither window and merged in the
// window that has fewer.
func (g *generator) balance() {
	for _, side := range [][]int{{0}, {1, 2, 3, 4, 5, 6}} {
		short := len(g.merges(side, before)) - len(g.merges(side, after))
		week, turn := afterFrom-1, 0
		if short < 0 {
			week, short = beforeFrom-1, -short
		}
		for ; short > 0; turn++ {
			p := g.pullRequest(side[turn%len(side)], week, 0)
			// From the last Sunday into the first hours of the window.
			opens := 9*60 + g.rand.IntN(8*60)
			p.opened = firstWeek.AddDate(0, 0, 7*week+6).Add(time.Duration(opens) * time.Minute)
			p.ends, p.merged = 24*60-opens+60+g.rand.IntN(9*60), true
			p.review, p.ready = p.ends/4, -1
			g.prs = append(g.prs, p)
			short--
		}
	}
}

// merges are the teams' pull requests merged in a window.
func (g *generator) merges(teams []int, w window) []*pullRequest {
	var out []*pullRequest
	for i := range g.prs {
		p := &g.prs[i]
		if !p.merged || !contains(teams, p.team) {
			continue
		}
		merged := p.opened.Add(time.Duration(p.ends) * time.Minute)
		if week := int(merged.Sub(firstWeek) / (7 * 24 * time.Hour)); windowOf(week) == w {
			out = append(out, p)
		}
	}
	return out
}

func contains(teams []int, t int) bool {
	for _, x := range teams {
		if x == t {
			return true
		}
	}
	return false
}

// revert has each team's merges reverted as often as it is to come out at,
// within three weeks, and one after more than 30 days, which does not count.
func (g *generator) revert() {
	for t, team := range g.teams {
		for _, w := range []window{before, after} {
			merges := g.merges([]int{t}, w)
			for _, i := range g.rand.Perm(len(merges))[:team.reverts[w]] {
				merges[i].reverted = 90 + g.rand.IntN(20*24*60)
			}
		}
	}
	for _, p := range g.merges([]int{3}, before) {
		if p.reverted < 0 {
			p.reverted = 44 * 24 * 60
			return
		}
	}
}

// addBots has a bot open two a week, merged at once: they are set apart.
func (g *generator) addBots() {
	for week := range weeks {
		for range 2 {
			p := g.pullRequest(g.rand.IntN(len(g.teams)), week, -4)
			p.author, p.bot, p.merged, p.ready, p.review = "bot-1", true, true, -1, -1
			p.ends = 2 + g.rand.IntN(90)
			g.prs = append(g.prs, p)
		}
	}
}

// addUnplaced adds pull requests of authors who are in no team.
func (g *generator) addUnplaced() {
	for week := 1; week < weeks; week += 2 {
		p := g.pullRequest(1+g.rand.IntN(len(g.teams)-1), week, 0)
		p.team, p.author = -1, fmt.Sprintf("x%02d", 1+g.rand.IntN(5))
		g.prs = append(g.prs, p)
	}
}
