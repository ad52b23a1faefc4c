package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"steelyard/internal/config"
	"steelyard/internal/github"
	"steelyard/lint/history"
	"steelyard/metrics"
	"steelyard/metrics/ingest/attribution"
	"steelyard/metrics/ingest/syncing"
	"steelyard/metrics/jobs"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/rules"
)

// workshop is a job queue with everything that its jobs need.
type workshop struct {
	*jobs.Queue                // nil where nothing needs one
	client      *github.Client // nil where the queue only asks
}

// Close lets go of the queue, if there is one.
func (w *workshop) Close() error {
	if w.Queue == nil {
		return nil
	}
	return w.Queue.Close()
}

// workshopOptions are what differs between the commands that work jobs.
type workshopOptions struct {
	workers int
	logger  *slog.Logger
	ended   func(k jobs.Key, s jobs.State, took time.Duration)
}

// openWorkshop opens the queue of a database with all jobs; it needs
// credentials for GitHub.
func (p *program) openWorkshop(ctx context.Context, s *config.Config, db *migrations.DB, o workshopOptions) (*workshop, error) {
	source := &jobs.GitHub{}
	client, err := p.githubClient(s, source.Notice)
	if err != nil {
		return nil, err
	}
	table, err := rules.AttributionTable()
	if err != nil {
		return nil, fmt.Errorf("read the table of assistants' signals: %w", err)
	}
	matcher := attribution.New(table)
	st := store.New(db, p.now)
	var teams []metrics.TeamSource // nil leaves them as they are
	if s.File != "" {
		teams = teamSources(s.Teams)
	}
	source.List, source.Budget = client.Repositories, client.Budget
	source.Syncer = func(report func(syncing.Progress)) jobs.Syncer {
		return syncing.New(syncing.Options{GitHub: client, Store: st, Clock: p.now, Matcher: matcher, Teams: teams, Progress: report})
	}
	kept := history.New(db)
	watch := dependencyWatch{program: p, settings: s, history: kept, cache: history.NewAnswers(db)}
	scanner := jobs.Scanner{Save: kept.SaveScan, Clock: p.now, Scan: watch.scanItem}
	work := source.Work()
	maps.Copy(work, scanner.Work())
	plan := planOf(s)
	q, err := jobs.Open(ctx, jobs.Options{
		DB: db, Clock: p.now, Logger: o.logger, Workers: o.workers, Work: work, Ended: o.ended,
		Plan: func(context.Context) (jobs.Plan, error) { return plan, nil },
	})
	if err != nil {
		return nil, err
	}
	source.Ask = q.AskRepositories
	return &workshop{Queue: q, client: client}, nil
}

// planOf is what the settings want to be kept current.
func planOf(s *config.Config) jobs.Plan {
	return jobs.Plan{
		Repositories: s.GitHub.Repositories, Organisations: s.GitHub.Organisations, TeamsOf: teamOwners(s.Teams), ExposureOf: ownersOf(s),
		Every: s.GitHub.Every, ReconcileHour: s.GitHub.ReconcileHour,
	}
}

// ownersOf are the organisations, or people, whose repositories and teams the
// settings name.
func ownersOf(s *config.Config) []string {
	var owners []string
	seen := map[string]bool{}
	for _, name := range slices.Concat(s.GitHub.Organisations, teamOwners(s.Teams), s.GitHub.Repositories) {
		owner, _, _ := strings.Cut(name, "/")
		if key := strings.ToLower(owner); !seen[key] {
			seen[key] = true
			owners = append(owners, owner)
		}
	}
	return owners
}

// teamOwners are the organisations of the GitHub teams that count.
func teamOwners(t config.Teams) []string {
	if t.Placement == config.ByRepository {
		return nil
	}
	var owners []string
	seen := map[string]bool{}
	for _, team := range t.GitHub {
		owner, _, _ := strings.Cut(team, "/")
		if name := strings.ToLower(owner); !seen[name] {
			seen[name] = true
			owners = append(owners, owner)
		}
	}
	return owners
}

// withQueue opens a queue that only asks and watches, and runs use on it.
func (p *program) withQueue(ctx context.Context, s *config.Config, mode openMode, use func(*jobs.Queue) error) error {
	return p.withDatabase(ctx, s, mode, func(db *migrations.DB) error {
		q, err := jobs.Open(ctx, jobs.Options{DB: db, Clock: p.now})
		if err != nil {
			return err
		}
		return errors.Join(use(q), q.Close())
	})
}
