package main

import (
	"context"
	"errors"
	"fmt"

	"steelyard/lint/history"
	"steelyard/metrics"
	"steelyard/metrics/jobs"
	"steelyard/metrics/store"
	"steelyard/migrations"
)

type forgetCommand struct {
	databaseFlag
	Person     string `xor:"what" required:"" placeholder:"LOGIN|ID" help:"A person, by login, by GitHub's user id or node id, or as an imported file calls the author."`
	Repository string `xor:"what" required:"" placeholder:"OWNER/NAME" help:"A repository, by any name it had."`
	DryRun     bool   `help:"Only say what would go; nothing is changed."`
	Yes        bool   `help:"Really remove it; without this the command only says what would go."`
}

// Help shows how it is used.
func (c *forgetCommand) Help() string {
	return `A person becomes a deleted account: pull requests stay, so that reports still count them, and are nobody's. The account, its memberships and its place in what is kept of others' pull requests go, and what GitHub says of the person later is nobody's, too; a digest of the id is all that is kept for that. Titles of pull requests stay as they were written. A repository goes with everything that was read of it, its findings, and the people who stood in nothing else.

What is gone cannot be brought back, except from a backup, which holds it still: make a new one and delete the old.

    steelyard forget --person octocat --dry-run
    steelyard forget --person octocat --yes
    steelyard forget --repository acme/payments --yes`
}

func (c *forgetCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	return p.withDatabase(ctx, settings, toRead, func(db *migrations.DB) error {
		dry := c.DryRun || !c.Yes
		verb := "removed"
		if dry {
			verb = "would remove"
		}
		var what string
		if c.Person != "" {
			what = "the person " + c.Person
			err = c.person(ctx, p, store.New(db, p.now), dry, verb)
		} else {
			what = "the repository " + c.Repository
			err = c.repository(ctx, p, db, dry, verb)
		}
		if err != nil || c.DryRun || c.Yes {
			return err
		}
		return withHint(fmt.Errorf("forget: nothing was changed: %s is still there", what), "add --yes to remove it")
	})
}

func (c *forgetCommand) person(ctx context.Context, p *program, s *store.Store, dry bool, verb string) error {
	done, err := s.ForgetPerson(ctx, c.Person, dry)
	if errors.Is(err, metrics.ErrNotFound) {
		return withHint(fmt.Errorf("forget: nobody by %q is stored", c.Person), "a login may have changed: GitHub's user id does not")
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s %s and %s of %s\nmade nobody's: %s; taken out of %s of others\n",
		verb, counted(done.Accounts, "accounts"), counted(done.Memberships, "memberships"), c.Person,
		counted(done.Authored, "pull requests"), counted(done.Named, "pull requests"))
	if err == nil && !dry {
		p.say("note: a backup that was made before still holds what was removed, and so does teams.members in steelyard.yaml")
	}
	return err
}

func (c *forgetCommand) repository(ctx context.Context, p *program, db *migrations.DB, dry bool, verb string) error {
	done, err := store.New(db, p.now).ForgetRepository(ctx, c.Repository, dry)
	missing := errors.Is(err, metrics.ErrNotFound)
	if err != nil && !missing {
		return err
	}
	names := done.Names
	if missing {
		names = []string{c.Repository}
	}
	scans := 0
	for _, name := range names {
		n, err := history.New(db).Forget(ctx, name, dry)
		if err != nil {
			return err
		}
		scans += n
	}
	if missing && scans == 0 {
		return fmt.Errorf("forget: nothing of a repository %q is stored", c.Repository)
	}
	if !dry {
		if err := c.forgetJobs(ctx, p, db, names); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(p.stdout, "%s %s, %s and %s of %s, and %s who stood in nothing else\n", verb,
		counted(done.PullRequests, "pull requests"), counted(done.Deployments, "deployments"), counted(scans, "scans"), c.Repository,
		counted(done.Accounts, "accounts"))
	if err == nil && !dry {
		p.say("note: it is read again if steelyard.yaml still names it; a backup that was made before still holds it")
	}
	return err
}

// forgetJobs removes the jobs of a repository.
func (c *forgetCommand) forgetJobs(ctx context.Context, p *program, db *migrations.DB, names []string) error {
	q, err := jobs.Open(ctx, jobs.Options{DB: db, Clock: p.now})
	if err != nil {
		return err
	}
	for _, name := range names {
		if err = q.Forget(ctx, name); err != nil {
			break
		}
	}
	return errors.Join(err, q.Close())
}
