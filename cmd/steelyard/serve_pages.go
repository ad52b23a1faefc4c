package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"steelyard/docs"
	"steelyard/internal/config"
	"steelyard/internal/github"
	"steelyard/metrics"
	"steelyard/metrics/jobs"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/web"
)

// pageSources fill in what the dashboard's pages read beside reports and
// findings.
type pageSources struct {
	db       *migrations.DB
	store    *store.Store
	reports  *metrics.Reporter
	settings *config.Config // nil: as if there were none
	client   *github.Client // nil where this process asks GitHub nothing
	now      func() time.Time
}

func (s pageSources) fill(o *web.Options) {
	o.Editor = pilotEditor{s}
	o.Pulls = s.reports
	o.Notes = manualNotes
	o.Now = s.now
	o.Work = s.work
	if s.settings != nil {
		o.GitHub = strings.TrimSuffix(strings.TrimSuffix(s.settings.GitHub.BaseURL, "/"), "/api/v3")
	}
}

// manualNotes is the manual as the dashboard shows it.
func manualNotes() ([]web.Note, error) {
	pages, err := docs.Pages()
	if err != nil {
		return nil, err
	}
	notes := make([]web.Note, len(pages))
	for i, p := range pages {
		notes[i] = web.Note{Name: p.Name, Title: p.Title, Text: p.Text}
	}
	return notes, nil
}

// work is the long work that is under way, waits, or failed.
func (s pageSources) work(ctx context.Context) (web.Work, error) {
	tasks, err := jobs.Tasks(ctx, s.db, jobs.Running, jobs.Waiting, jobs.Failed)
	if err != nil {
		return web.Work{}, err
	}
	var w web.Work
	for _, t := range tasks {
		one := web.Task{
			Name: taskName(t.Key), State: web.TaskState(t.State), Phase: t.Phase, Done: t.Done, Total: t.Total, Note: t.Note, Error: t.Error,
			Asked: t.Asked, Started: t.Started, Finished: t.Finished, Next: t.Next, Succeeded: t.Succeeded,
		}
		if t.WaitUntil.After(s.now()) {
			one.WaitUntil = t.WaitUntil
		}
		w.Tasks = append(w.Tasks, one)
	}
	if s.client == nil {
		return w, nil
	}
	b := s.client.Budget()
	for _, r := range []struct {
		name string
		a    github.Allowance
	}{{"REST", b.REST}, {"GraphQL", b.GraphQL}} {
		if r.a.Known {
			w.Budget = append(w.Budget, web.Allowance{Resource: r.name, Remaining: r.a.Remaining, Limit: r.a.Limit, Reset: r.a.Reset})
		}
	}
	return w, nil
}

// taskName says in words what a task does.
func taskName(k jobs.Key) string {
	switch k.Kind {
	case jobs.Backfill:
		return "Read all of " + k.Subject
	case jobs.Update:
		return "Update " + k.Subject
	case jobs.Refetch:
		return "Read " + k.Subject + "#" + k.Item + " again"
	case jobs.Reconcile:
		return "Compare " + k.Subject + " with GitHub"
	case jobs.Repositories:
		return "List the repositories of " + k.Subject
	case jobs.Teams:
		return "Read the teams of " + k.Subject
	case jobs.Exposure:
		return "Read what GitHub says of use in " + k.Subject
	case jobs.Scan:
		return "Scan " + k.Subject
	case jobs.Place:
		return "Place pull requests in teams"
	}
	return k.String()
}

// pilotEditor is how the dashboard reads and changes definitions.
type pilotEditor struct{ pageSources }

func (e pilotEditor) Definition(ctx context.Context, pilot string) (metrics.Definition, error) {
	return e.store.Pilot(ctx, pilot)
}

// Blank begins with what "steelyard pilot define" begins with.
func (e pilotEditor) Blank(context.Context) (metrics.Pilot, error) {
	p := metrics.Pilot{
		Level: metrics.LevelPullRequests, UnitNoun: "team", PeriodNoun: "week", Seed: 1, SmallestEffect: metrics.DefaultSmallestEffect,
	}
	if first, ok := metrics.CatalogueOutcome("open_to_merge"); ok {
		first.Role = metrics.RolePrimary
		p.Outcomes = append(p.Outcomes, first)
	}
	if counter, ok := metrics.CatalogueOutcome("reverts"); ok {
		p.Outcomes = append(p.Outcomes, counter)
	}
	if e.settings == nil {
		return p, nil
	}
	file := &config.PilotFile{}
	takeHours(file, "", e.settings)
	takeExclusions(file, e.settings)
	p.Hours = toHours(file.Hours)
	p.SmallestEffect = e.settings.Report.SmallestEffect
	return p, addDays(&p, file)
}

// Teams are those that may be shown on their own.
func (e pilotEditor) Teams(ctx context.Context) ([]string, error) {
	sum, err := e.store.PullRequestSummary(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, t := range sum.Teams {
		if t.Authors >= metrics.SmallestGroup {
			out = append(out, t.Team)
		}
	}
	return out, nil
}

// Preview looks at the time before the start alone, also where the data goes on
// after it.
func (e pilotEditor) Preview(ctx context.Context, p metrics.Pilot) (*metrics.Preview, error) {
	ahead, err := e.reports.Preview(ctx, p)
	if err != nil || ahead != nil || p.Level != metrics.LevelPullRequests {
		return ahead, err
	}
	start := p.Treated[0].Start
	for _, a := range p.Treated {
		if a.Start.Before(start) {
			start = a.Start
		}
	}
	return metrics.NewReporter(metrics.AsOf(e.store, start)).Preview(ctx, p)
}

func (e pilotEditor) Save(ctx context.Context, p metrics.Pilot, edit metrics.Edit) (metrics.Definition, error) {
	return e.store.EditPilot(ctx, p, e.now(), edit)
}

func (e pilotEditor) Trail(ctx context.Context, pilot string, limit int) ([]metrics.TrailEntry, error) {
	all, err := e.store.Trail(ctx, pilot, limit)
	if err != nil {
		return nil, fmt.Errorf("read the trail: %w", err)
	}
	return all, nil
}
