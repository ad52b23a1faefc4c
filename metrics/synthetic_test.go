package metrics_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"steelyard/metrics"
)

// The worked example: medians of 18 h → 12 h for the pilot and 18 h → 15 h for
// each comparison team, reverts 3 → 7 against 3 → 3, over equal merges. Weeks
// wobble, but each window's middle stays where it is said to be.
const (
	workedStart = "2026-05-04" // a Monday
	workedWeeks = 18
	workedRamp  = 2
	workedTail  = 6
)

// wobble bends the durations of week w of a window; over a window it cancels.
func wobble(team, w int) float64 {
	steps := []float64{.04, .02, .06, 0, .05, .01, -.04, -.02, -.06, 0, -.05, -.01, .03, -.03, .02, -.02, .01, -.01}
	sign := 1.0
	if team%2 == 1 {
		sign = -1
	}
	return 1 + sign*steps[(w+team)%len(steps)]
}

func workedPulls() []metrics.PullRequest {
	start := day(workedStart)
	var out []metrics.PullRequest
	number := 0
	add := func(team string, t, week int, median, bend float64, reverted bool) {
		for i, f := range []float64{.5, .8, 1, 1.3, 2} {
			number++
			opened := start.AddDate(0, 0, 7*week+i%3).Add(9 * time.Hour)
			hours := median * f * bend
			p := metrics.PullRequest{
				ID: fmt.Sprintf("repo#%d", number), Repository: "repo", Number: number,
				Author: fmt.Sprintf("%s-%d", team, ((number+week)%6+6)%6), Team: team, Opened: opened,
				FirstReview: opened.Add(time.Duration(hours / 3 * float64(time.Hour))),
				Merged:      opened.Add(time.Duration(hours * float64(time.Hour))), Additions: 40 + 10*i + 3*((week+t)%5+5), Deletions: 10,
			}
			p.Closed = p.Merged
			if reverted && i == 0 {
				p.RevertedAt = p.Merged.AddDate(0, 0, 3)
			}
			out = append(out, p)
		}
	}
	for t, team := range []string{"payments", "billing", "checkout", "search", "mobile"} {
		before, after := 1, 1 // reverts of three comparison teams
		switch {
		case t == 0:
			before, after = 3, 7
		case t > 3:
			before, after = 0, 0
		}
		for w := range workedWeeks {
			add(team, t, w-workedWeeks, 18, wobble(t, w), w < before)
			median := 15.0
			if t == 0 {
				median = 12
			}
			add(team, t, w+workedRamp, median, wobble(t, w), w < after)
		}
		for w := range workedRamp {
			add(team, t, w, 17, 1, false)
		}
		for w := range workedTail {
			add(team, t, workedRamp+workedWeeks+w, 15, 1, false)
		}
	}
	slices.SortStableFunc(out, func(a, b metrics.PullRequest) int { return a.Opened.Compare(b.Opened) })
	return out
}

func workedPilot() metrics.Pilot {
	start := day(workedStart)
	outcome := func(id string, role metrics.Role) metrics.Outcome {
		o, _ := metrics.CatalogueOutcome(id)
		o.Role = role
		return o
	}
	return metrics.Pilot{
		ID: "worked", Title: "Payments with an assistant", Subject: "Payments", Description: "Made up.",
		Level: metrics.LevelPullRequests, UnitNoun: "team", PeriodNoun: "week",
		Treated:    []metrics.Adoption{{Unit: "payments", Start: start}},
		Comparison: []string{"billing", "checkout", "search", "mobile"},
		Before:     metrics.Window{From: start.AddDate(0, 0, -7*workedWeeks), To: start},
		After:      metrics.Window{From: start.AddDate(0, 0, 7*workedRamp), To: start.AddDate(0, 0, 7*(workedRamp+workedWeeks))},
		LeftOut: []metrics.Exclusion{{
			Window: metrics.Window{From: start, To: start.AddDate(0, 0, 7*workedRamp)}, Reason: "ramp-up",
		}},
		Outcomes: []metrics.Outcome{
			outcome("open_to_merge", metrics.RolePrimary), outcome("time_to_first_review", metrics.RoleSecondary),
			outcome("merged_per_author_week", metrics.RoleSecondary), outcome("size", metrics.RoleSecondary),
			outcome("abandoned", metrics.RoleSecondary), outcome("reverts", metrics.RoleCounter),
		},
		SmallestEffect: 0.1, Seed: 7,
		Sources: []metrics.Source{{Title: "A worked example", MadeUp: true, Note: "Every number in it is invented."}},
	}
}

func workedStore() *fakeStore {
	s := newFakeStore()
	s.pulls = workedPulls()
	s.imports = []metrics.Import{{File: "worked.csv", Rows: len(s.pulls), At: day("2026-11-29"), LeftOut: []metrics.LeftOut{}}}
	s.put(workedPilot(), nil)
	return s
}

// onePanel is one treated repository against n others by week, on a level
// scale and with counts over commits. effect is added to the treated one after
// the start.
func onePanel(n, before, after int, effect float64) (metrics.Pilot, *metrics.Panel) {
	return severalPanel(1, n, before, after, effect)
}

// severalPanel is the same with several treated repositories.
func severalPanel(treated, n, before, after int, effect float64) (metrics.Pilot, *metrics.Panel) {
	r := rand.New(rand.NewPCG(11, 17))
	b := newPanel(metrics.PeriodDay, "merges", "reverts")
	start := metrics.PeriodDay.At(day("2026-01-05"))
	for u := range treated + n {
		name, first := fmt.Sprintf("repository-%02d", u), metrics.Never
		if u < treated {
			first = start
		}
		level, drift := 20+5*r.Float64(), 0.0
		for w := -before; w < after; w++ {
			drift = .4*drift + r.NormFloat64()
			x := level + 2*drift
			if u < treated && w >= 0 {
				x += effect
			}
			b.add(name, start+7*w, first, math.Max(0, math.Round(x)), float64(r.IntN(3)))
			b.panel.Exposure = append(b.panel.Exposure, 30+float64(r.IntN(10)))
		}
	}
	b.panel.Import = metrics.Import{File: "weeks.csv.gz", Rows: (treated + n) * (before + after), At: day("2026-11-29"), LeftOut: []metrics.LeftOut{
		{Count: 137, What: "repositories", Reason: "the definition does not use them"},
	}}
	return metrics.Pilot{
		ID: "agents", Title: "A repository that took up agents", Subject: "repository-00", Level: metrics.LevelPanel,
		UnitNoun: "repository", PeriodNoun: "week", SmallestEffect: 0.1, Seed: 3,
		Outcomes: []metrics.Outcome{
			{ID: "merges", Title: "Merged pull requests", Unit: "a week", Better: metrics.BetterHigher, Scale: metrics.ScaleLevel, Role: metrics.RolePrimary},
			{ID: "reverts", Title: "Reverts", Unit: "commits", Better: metrics.BetterLower, Scale: metrics.ScaleCount, Role: metrics.RoleCounter},
		},
		Sources: []metrics.Source{{Title: "Drawn at random for a test", Licence: "Apache-2.0"}},
	}, &b.panel
}

// running declares a window that the data does not reach the end of.
func running(p metrics.Pilot) metrics.Pilot {
	p.After = window("2026-01-05", "2026-04-06")
	return p
}

// staggeredPanel is treated units that start in three waves against others, on
// a log scale.
func staggeredPanel(treated, never int, effect float64) (metrics.Pilot, *metrics.Panel) {
	r := rand.New(rand.NewPCG(5, 8))
	b := newPanel(metrics.PeriodMonth, "commits", "warnings")
	base := 12 * 2025
	for u := range treated + never {
		name, first := fmt.Sprintf("unit-%03d", u), metrics.Never
		if u < treated {
			first = base + 4 + 2*(u%3)
		}
		level := 2 + .5*r.NormFloat64()
		for t := range 12 {
			x := level + .02*float64(t) + .2*r.NormFloat64()
			if base+t >= first {
				x += effect
			}
			w := math.Exp(level + .2*r.NormFloat64())
			if (u+t)%40 == 0 {
				w = math.NaN()
			}
			b.add(name, base+t, first, math.Exp(x), w)
		}
	}
	b.panel.Import = metrics.Import{File: "months.csv", Rows: 12 * (treated + never), At: day("2026-11-29")}
	return metrics.Pilot{
		ID: "waves", Title: "An editor in three waves", Subject: "The adopters", Level: metrics.LevelPanel,
		UnitNoun: "repository", PeriodNoun: "month", SmallestEffect: 0.1, Seed: 9,
		Outcomes: []metrics.Outcome{
			{ID: "commits", Title: "Commits", Unit: "commits", Better: metrics.BetterHigher, Scale: metrics.ScaleLog, Role: metrics.RolePrimary},
			{ID: "warnings", Title: "Warnings", Unit: "warnings", Better: metrics.BetterLower, Scale: metrics.ScaleLog, Role: metrics.RoleCounter},
		},
	}, &b.panel
}
