package main

import (
	"context"
	"fmt"
	"path/filepath"

	"steelyard/internal/config"
	"steelyard/lint"
	"steelyard/lint/families"
	"steelyard/lint/history"
	"steelyard/metrics/jobs"
	"steelyard/migrations"
)

type scanCommand struct {
	databaseFlag
	Path       string `arg:"" name:"PATH" help:"Folder to check, or OWNER/REPO: a repository to read from GitHub without cloning it."`
	Repository string `placeholder:"OWNER/NAME" help:"What the repository is called; the folder's name where this is not given."`
	Commit     string `placeholder:"SHA" help:"The commit that is checked out, for the record; of a repository on GitHub the branch, tag or commit to read, the default branch otherwise."`
	Later      bool   `help:"Leave it to a process that works jobs (\"steelyard work\"); a folder, to one on this machine."`
}

// Help shows how it is used.
func (c *scanCommand) Help() string {
	return `The newest scan of a repository replaces what the dashboard and the MCP tools show of it; earlier ones stay, for how things went. Kept are findings, governed files with their owners and readers, and MCP servers. Findings do not change the exit code; "steelyard lint" is the check for CI. Of a repository on GitHub only the list of files and the files that steer assistants are read; docs/github.md says with which token.

    steelyard scan . --repository acme/payments --commit "$(git rev-parse HEAD)"
    steelyard scan acme/payments`
}

func (c *scanCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	ref, remote := hubName(c.Path)
	name := c.Repository
	if remote && name == "" {
		name = ref.String()
	}
	if name == "" {
		path, err := filepath.Abs(c.Path)
		if err != nil {
			return fmt.Errorf("scan %s: %w", c.Path, err)
		}
		name = filepath.Base(path)
	}
	if c.Later {
		return c.ask(ctx, p, settings, name, remote)
	}
	result, commit, err := c.lint(ctx, p, settings, remote)
	if err != nil {
		return err
	}
	err = p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) error {
		return history.New(db).SaveScan(ctx, lint.Scan{
			Repository: name, Commit: commit, At: p.now().UTC(), Files: result.Files, Findings: result.Findings, Inventory: result.Inventory,
		})
	})
	if err != nil {
		return fmt.Errorf("scan %s: %w", c.Path, err)
	}
	_, err = fmt.Fprintf(p.stdout, "stored %s in %s of %s\n",
		counted(len(result.Findings), "findings"), counted(result.Files, "governed files"), name)
	for _, s := range result.Skipped {
		p.say("%s: skipped: %s", s.Path, s.Reason)
	}
	return err
}

// lint checks the folder, or the repository on GitHub, and says which commit it
// was.
func (c *scanCommand) lint(ctx context.Context, p *program, settings *config.Config, remote bool) (lint.Result, string, error) {
	if remote {
		ref, _ := hubName(c.Path)
		result, commit, err := p.lintHub(ctx, settings, ref, c.Commit)
		if err != nil {
			err = fmt.Errorf("scan %s: %w", c.Path, err)
		}
		return result, commit, err
	}
	tree, linted, err := p.openLinted(c.Path)
	if err != nil {
		return lint.Result{}, "", fmt.Errorf("scan: %w", err)
	}
	result, err := p.lint(ctx, c.Path, tree, linted)
	if err != nil {
		err = fmt.Errorf("scan %s: %w", c.Path, err)
	}
	return result, c.Commit, err
}

// ask leaves the scan to a process that works jobs.
func (c *scanCommand) ask(ctx context.Context, p *program, settings *config.Config, name string, remote bool) error {
	item := hubItem + c.Path
	if !remote {
		if _, _, err := p.openLinted(c.Path); err != nil {
			return fmt.Errorf("scan: %w", err)
		}
		path, err := filepath.Abs(c.Path)
		if err != nil {
			return fmt.Errorf("scan %s: %w", c.Path, err)
		}
		item = path
	}
	return p.withQueue(ctx, settings, toWrite, func(q *jobs.Queue) error {
		if err := q.Ask(ctx, jobs.Key{Kind: jobs.Scan, Subject: name, Item: item}); err != nil {
			return err
		}
		_, err := fmt.Fprintf(p.stdout, "asked for the scan of %s as %s\n", item, name)
		return err
	})
}

// observing is the engine's configuration with everything to be kept.
func observing(cfg lint.Config) lint.Config {
	cfg.Observe = families.Observers()
	return cfg
}
