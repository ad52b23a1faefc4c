package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"steelyard/internal/config"
	"steelyard/metrics/jobs"
	"steelyard/metrics/store"
	"steelyard/migrations"
)

type ingestCommand struct {
	databaseFlag
	Repositories []string `arg:"" optional:"" name:"OWNER/REPO" help:"Repositories to read; without any, all that the settings name."`
	All          bool     `help:"Read all that the settings name, beside the repositories named here."`
	Reconcile    bool     `help:"Compare what is stored with GitHub's totals, too, and mend what differs."`
	Place        bool     `help:"Only place what is stored in teams anew, by the settings as they are now."`
	Watch        bool     `help:"Only follow what is under way, in whichever process."`
	Cancel       string   `placeholder:"OWNER/REPO" help:"Only end what is under way for a repository or an organisation; what was read stays."`
	Workers      int      `default:"4" help:"How many repositories are read at once."`
	Format       string   `enum:"text,json" default:"text" help:"text or json: how the summary is printed."`
	Verbose      bool     `short:"v" help:"Log what happens behind the progress, too."`
}

// Help shows how it is used.
func (c *ingestCommand) Help() string {
	return `Reads pull requests, reviews and reverts, teams and who is in them. A repository that was never read is read from its beginning; after that, only what changed. Progress goes to standard error, the summary to standard output. What was read is kept at every step: Ctrl-C, a crash or a limit of GitHub loses nothing, and the same command goes on where it was. Another process that works jobs on the same database ("steelyard work") shares the work.

The credentials come from the environment or a file, never from a flag: GITHUB_TOKEN, or an App's key. docs/github.md says which permissions they need.

    steelyard ingest acme/payments acme/web
    steelyard ingest --all --format json
    steelyard ingest --watch
    steelyard ingest --cancel acme/payments`
}

func (c *ingestCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	switch {
	case c.Watch:
		return p.withQueue(ctx, settings, toRead, func(q *jobs.Queue) error { return c.watch(ctx, p, q) })
	case c.Cancel != "":
		return p.withQueue(ctx, settings, toRead, func(q *jobs.Queue) error { return c.cancel(ctx, p, q) })
	}
	keys, err := c.keys(settings)
	if err != nil {
		return err
	}
	if _, err := p.githubClient(settings, nil); err != nil { // before a database is made
		return err
	}
	return p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) error {
		return c.ingest(ctx, p, settings, db, keys)
	})
}

// keys are the tasks that the arguments or the settings ask for.
func (c *ingestCommand) keys(s *config.Config) ([]jobs.Key, error) {
	if c.Place {
		return []jobs.Key{{Kind: jobs.Place}}, nil
	}
	repositories := slices.Clone(c.Repositories)
	var organisations, teams, owners []string
	if len(c.Repositories) == 0 || c.All {
		repositories = append(repositories, s.GitHub.Repositories...)
		organisations, teams, owners = s.GitHub.Organisations, teamOwners(s.Teams), ownersOf(s)
	}
	if len(repositories)+len(organisations) == 0 {
		return nil, &failure{err: errors.New("ingest: which repositories?"), hints: []string{
			"name them: steelyard ingest OWNER/REPO",
			"or in steelyard.yaml, as github.repositories or github.organisations: \"steelyard init\" writes one to fill in",
		}}
	}
	var keys []jobs.Key
	add := func(k jobs.Key) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, org := range teams {
		add(jobs.Key{Kind: jobs.Teams, Subject: org})
	}
	for _, org := range organisations {
		add(jobs.Key{Kind: jobs.Repositories, Subject: org})
	}
	for _, name := range repositories {
		if !config.RepositoryName(name) {
			return nil, withHint(fmt.Errorf("ingest: %q is not OWNER/REPO", name), "write it as its address has it, such as acme/payments")
		}
		add(jobs.Key{Kind: jobs.Update, Subject: name})
		if c.Reconcile {
			add(jobs.Key{Kind: jobs.Reconcile, Subject: name})
		}
	}
	for _, org := range owners {
		add(jobs.Key{Kind: jobs.Exposure, Subject: org})
	}
	return keys, nil
}

// ingest asks for the tasks, works until they have ended and says how.
func (c *ingestCommand) ingest(ctx context.Context, p *program, s *config.Config, db *migrations.DB, keys []jobs.Key) error {
	// What matters to a person stands in the progress; the log is for whoever
	// looks for a cause.
	logger := slog.New(slog.DiscardHandler)
	if c.Verbose {
		logger = p.logger(true)
	}
	shop, err := p.openWorkshop(ctx, s, db, workshopOptions{workers: c.Workers, logger: logger})
	if err != nil {
		return err
	}
	f := newFollower(p, shop.Queue, keys)
	f.organisations = organisationsOf(keys)
	err = shop.Ask(ctx, keys...)
	if err == nil {
		err = c.workUntilDone(ctx, shop, f)
	}
	if err := errors.Join(err, shop.Close()); err != nil {
		if ctx.Err() != nil {
			p.say("what was read is kept; the same command goes on from there")
		}
		return err
	}
	if err := c.conclude(p, f, shop); err != nil {
		return err
	}
	return c.suggest(ctx, p, db)
}

// suggest says what comes next where no pull request has a team, or no pilot is
// defined yet.
func (c *ingestCommand) suggest(ctx context.Context, p *program, db *migrations.DB) error {
	st := store.New(db, p.now)
	pilots, err := st.Pilots(ctx)
	if err != nil {
		return err
	}
	stored, err := st.PullRequestSummary(ctx)
	switch {
	case err != nil:
		return err
	case stored.Total > 0 && len(stored.Teams) == 0:
		p.say("note: no pull request has a team, and a pilot compares teams")
		p.next("name them in steelyard.yaml (teams.github, teams.members, or teams.repositories with placement: repository), and run this again with --all; docs/configuration.md has an example")
	case len(pilots) == 0:
		p.next("\"steelyard pilot define%s\" says who tried what since when", c.again())
	}
	return nil
}

func organisationsOf(keys []jobs.Key) []string {
	var all []string
	for _, k := range keys {
		if k.Kind == jobs.Repositories {
			all = append(all, k.Subject)
		}
	}
	return all
}

func (c *ingestCommand) workUntilDone(ctx context.Context, shop *workshop, f *follower) error {
	working, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- shop.Run(working, false) }()
	err := f.follow(ctx, func() error {
		select {
		case err := <-ended:
			ended <- err
			return err
		default:
			return nil
		}
	})
	stop()
	return errors.Join(err, <-ended)
}

// conclude prints the summary, and fails where a task did.
func (c *ingestCommand) conclude(p *program, f *follower, shop *workshop) error {
	if err := p.printTasks(f.tasks, costOf(shop.client.Budget()), c.Format); err != nil {
		return err
	}
	var failed []string
	cancelled := 0
	for _, t := range f.tasks {
		switch t.State {
		case jobs.Failed:
			failed = append(failed, fmt.Sprintf("%s: %s", t.Key, t.Error))
		case jobs.Cancelled:
			cancelled++
		default: // it went well
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("ingest: %d of %s failed\n%s", len(failed), counted(len(f.tasks), "jobs"), strings.Join(failed, "\n"))
	}
	if cancelled > 0 {
		return fmt.Errorf("ingest: %d of %s cancelled: what was read is kept", cancelled, counted(len(f.tasks), "jobs"))
	}
	return nil
}

func (c *ingestCommand) watch(ctx context.Context, p *program, q *jobs.Queue) error {
	f := newFollower(p, q, nil)
	f.everything = true
	if err := f.follow(ctx, func() error { return nil }); err != nil {
		return err
	}
	if len(f.tasks) == 0 {
		p.say("nothing is under way")
		if c.Format != "json" {
			return nil
		}
	}
	return p.printTasks(f.tasks, cost{}, c.Format)
}

func (c *ingestCommand) cancel(ctx context.Context, p *program, q *jobs.Queue) error {
	ended, err := q.Cancel(ctx, c.Cancel)
	if err != nil {
		return err
	}
	if len(ended) == 0 {
		return withHint(fmt.Errorf("ingest: nothing is under way for %q", c.Cancel), "\"steelyard ingest --watch\" shows what is")
	}
	for _, k := range ended {
		if _, err := fmt.Fprintf(p.stdout, "cancelled %s\n", k); err != nil {
			return err
		}
	}
	return nil
}
