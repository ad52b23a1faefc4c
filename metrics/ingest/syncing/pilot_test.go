package syncing_test

import (
	"testing"
	"time"

	"steelyard/internal/github/githubtest"
	"steelyard/metrics"
	"steelyard/migrations/migrationstest"
)

// TestPilotWorlds reads whole companies from GitHub whose pilot's effect is
// known, from teams and pull requests to the verdict. Twelve of them show that
// nothing on the way bends a number; how often the interval holds the truth
// over a thousand is TestWorldsCovered in package metrics, which leaves out
// GitHub and the database.
func TestPilotWorlds(t *testing.T) {
	engines := migrationstest.Engines()
	worlds := 12
	if testing.Short() {
		worlds = 1
	}
	held, called := 0, 0
	for seed := range worlds {
		for _, effect := range []float64{0.75, 1} {
			l := newLab(t, freshDB(t, engines[seed%len(engines)]))
			r := l.pilotReport(uint64(seed+1), effect)
			h := r.Metrics[0].Headline
			if h.Low == nil || h.High == nil {
				t.Fatalf("seed %d: no interval: %s", seed+1, h.Missing)
			}
			if truth := 100 * (effect - 1); *h.Low <= truth && truth <= *h.High {
				held++
			}
			if effect == 1 && r.Verdict.Value != metrics.VerdictCannotSayYet && r.Verdict.Value != metrics.VerdictNoClearChange {
				called++
			}
		}
	}
	t.Logf("%d of %d intervals hold the truth; %d of %d worlds without an effect are called one", held, 2*worlds, called, worlds)
	// With intervals and verdicts that keep their promise, fewer than 1 run in
	// 100 would be worse than this.
	if held < 2*worlds-2-worlds/4 || called > 1+worlds/4 {
		t.Errorf("%d of %d intervals hold the truth; %d of %d worlds without an effect are called one", held, 2*worlds, called, worlds)
	}
}

// pilotReport builds a company of five teams, one of them with a pilot that
// makes its pull requests take effect times as long, reads it, and reports.
func (l *lab) pilotReport(seed uint64, effect float64) *metrics.Report {
	l.t.Helper()
	begin := time.Date(2025, time.January, 6, 0, 0, 0, 0, time.UTC)
	pilotStart := begin.AddDate(0, 0, 7*26)
	names := []string{"pilot", "north", "east", "south", "west"}
	study := githubtest.Study{Repository: ref.Name, Begin: begin, Start: pilotStart, Effect: effect, Seed: seed, Abandoned: -1}
	for i, slug := range names {
		study.Teams = append(study.Teams, githubtest.StudyTeam{Slug: slug, Treated: i == 0})
		l.teams = append(l.teams, metrics.TeamSource{Team: slug, GitHub: "acme/" + slug})
	}
	built := l.world.Build(study)
	l.clock.set(built.End.AddDate(0, 0, 60))
	l.backfill()
	l.must(l.syncer().Teams(l.t.Context(), "acme"))
	primary, _ := metrics.CatalogueOutcome("open_to_merge")
	primary.Role = metrics.RolePrimary
	_, err := l.store.SavePilot(l.t.Context(), metrics.Pilot{
		ID: "pilot", Title: "A pilot whose effect is known", Level: metrics.LevelPullRequests, UnitNoun: "team", PeriodNoun: "week",
		Treated: []metrics.Adoption{{Unit: "pilot", Start: pilotStart}}, Comparison: names[1:],
		Before:   metrics.Window{From: begin, To: pilotStart},
		After:    metrics.Window{From: pilotStart, To: built.End},
		Outcomes: []metrics.Outcome{primary}, SmallestEffect: 0.1, Seed: seed,
	}, begin)
	l.must(err)
	r, err := metrics.NewReporter(l.store).Report(l.t.Context(), "pilot")
	l.must(err)
	return r
}
