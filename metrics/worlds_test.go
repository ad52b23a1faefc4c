package metrics_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"steelyard/metrics"
)

// teamWorld is a made-up company whose truth is known: teams of six whose
// pull requests take log-normal times around the team's own level, a level
// that drifts from week to week (AR(1), autocorrelation 0.4) beside what all
// teams share. From the start on the treated teams' times are multiplied by
// 1 + effect, and everybody's by 1 + common.
type teamWorld struct {
	seed                uint64
	treated, comparison int
	before, after       int // weeks
	effect, common      float64
	weekSD, pullSD      float64
	noisier             float64 // the treated teams' week SD as a multiple
	waves               int     // treated teams start in so many waves, four weeks apart; 0 means 1
}

const worldStart = "2026-01-05" // a Monday

func (w teamWorld) team(i int) string { return fmt.Sprintf("team-%02d", i) }

// start is the week in which a treated team starts, from 0.
func (w teamWorld) start(team int) int {
	return 4 * (team % max(w.waves, 1))
}

func (w teamWorld) pulls() []metrics.PullRequest {
	r := rand.New(rand.NewPCG(w.seed, 2026))
	start := day(worldStart)
	shared := make([]float64, w.before+w.after)
	for i := range shared {
		shared[i] = 0.1 * r.NormFloat64()
	}
	var out []metrics.PullRequest
	for team := range w.treated + w.comparison {
		level, sd := math.Log(20)+0.3*r.NormFloat64(), w.weekSD
		if team < w.treated {
			sd *= w.noisier
		}
		drift := r.NormFloat64()
		for week := range w.before + w.after {
			drift = 0.4*drift + math.Sqrt(1-0.4*0.4)*r.NormFloat64()
			middle := level + shared[week] + sd*drift
			if week >= w.before {
				middle += math.Log1p(w.common)
			}
			if team < w.treated && week-w.before >= w.start(team) {
				middle += math.Log1p(w.effect)
			}
			for range 6 + r.IntN(7) {
				n := len(out) + 1
				opened := start.AddDate(0, 0, 7*(week-w.before)).Add(time.Duration(r.Float64() * 120 * float64(time.Hour)))
				merged := opened.Add(time.Duration(math.Exp(middle+w.pullSD*r.NormFloat64()) * float64(time.Hour)))
				out = append(out, metrics.PullRequest{
					ID: fmt.Sprintf("app#%d", n), Repository: "app", Number: n, Author: fmt.Sprintf("%d-%d", team, r.IntN(6)),
					Team: w.team(team), Opened: opened, Merged: merged, Closed: merged, Additions: 10, Deletions: 5,
				})
			}
		}
	}
	return out
}

func (w teamWorld) pilot() metrics.Pilot {
	start := day(worldStart)
	primary, _ := metrics.CatalogueOutcome("open_to_merge")
	primary.Role = metrics.RolePrimary
	p := metrics.Pilot{
		ID: "world", Title: "A world whose truth is known", Level: metrics.LevelPullRequests, UnitNoun: "team", PeriodNoun: "week",
		Before:   metrics.Window{From: start.AddDate(0, 0, -7*w.before), To: start},
		After:    metrics.Window{From: start, To: start.AddDate(0, 0, 7*w.after)},
		Outcomes: []metrics.Outcome{primary}, SmallestEffect: 0.1, Seed: w.seed,
		Sources: []metrics.Source{{Title: "Drawn at random", MadeUp: true}},
	}
	for i := range w.treated + w.comparison {
		if i < w.treated {
			p.Treated = append(p.Treated, metrics.Adoption{Unit: w.team(i), Start: start.AddDate(0, 0, 7*w.start(i))})
		} else {
			p.Comparison = append(p.Comparison, w.team(i))
		}
	}
	return p
}

// truth is the difference that the headline estimates: the pilot's true change
// less the comparison's, in percentage points; with several starts, where logs
// are compared, the effect in percent.
func (w teamWorld) truth() float64 {
	if w.waves > 1 {
		return 100 * w.effect
	}
	return 100 * ((1+w.common)*(1+w.effect) - (1 + w.common))
}

func (w teamWorld) report(t *testing.T) *metrics.Report {
	t.Helper()
	p := w.pilot()
	hash, err := p.Hash()
	if err != nil {
		t.Fatal(err)
	}
	pulls := w.pulls()
	r, err := metrics.Build(metrics.Definition{Pilot: p, Hash: hash, SavedAt: day("2025-01-01")}, metrics.Data{
		PullRequests: func(yield func(metrics.PullRequest, error) bool) {
			for _, p := range pulls {
				if !yield(p, nil) {
					return
				}
			}
		},
		Summary: metrics.PullRequestSummary{Total: len(pulls), Imports: []metrics.Import{{File: "world.csv", Rows: len(pulls), At: day("2026-11-01")}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWorldsCovered: over 1,000 worlds with a known effect the headline's
// 95 % interval holds the truth in 92 to 98 of 100, and over 1,000 without one
// the verdict calls a change in at most 8.
func TestWorldsCovered(t *testing.T) {
	if testing.Short() {
		t.Skip("short: a thousand worlds of six designs")
	}
	for _, c := range []struct {
		name  string
		world teamWorld
	}{
		{"OneTreated", teamWorld{treated: 1, comparison: 4, noisier: 1}},
		{"OneTreatedOneOther", teamWorld{treated: 1, comparison: 1, noisier: 1}},
		{"OneTreatedNoisier", teamWorld{treated: 1, comparison: 4, noisier: 2}},
		{"TwoTreatedThreeOthers", teamWorld{treated: 2, comparison: 3, noisier: 1}},
		{"ThreeTreatedSixOthers", teamWorld{treated: 3, comparison: 6, noisier: 1}},
		{"TwoWavesOfFive", teamWorld{treated: 10, comparison: 10, noisier: 1, waves: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := c.world
			w.before, w.after, w.weekSD, w.pullSD, w.common = 26, 13, 0.15, 0.9, -0.1
			covered, called := w.count(t, 1000)
			t.Logf("covered %.3f, called without an effect %.3f", covered, called)
			if covered < 0.92 || covered > 0.98 {
				t.Errorf("the 95 %% interval holds the truth in %.3f of worlds", covered)
			}
			if called > 0.08 {
				t.Errorf("without an effect the verdict calls a change in %.3f of worlds", called)
			}
		})
	}
}

// count is the share of worlds whose interval holds the true effect, and of
// worlds without an effect whose verdict is a change.
func (w teamWorld) count(t *testing.T, worlds int) (covered, called float64) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for seed := range worlds {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			with, without := w, w
			with.seed, without.seed = uint64(seed+1), uint64(seed+1)
			with.effect = -0.25
			h := with.report(t).Metrics[0].Headline
			v := without.report(t).Verdict.Value
			mu.Lock()
			defer mu.Unlock()
			if h.Low != nil && h.High != nil && *h.Low <= with.truth() && with.truth() <= *h.High {
				covered += 1 / float64(worlds)
			}
			if v == metrics.VerdictImproved || v == metrics.VerdictWorsened || v == metrics.VerdictImprovedAtACost {
				called += 1 / float64(worlds)
			}
		})
	}
	wg.Wait()
	return covered, called
}
