package main

import (
	"context"
	"fmt"
	"path/filepath"

	"steelyard/internal/config"
	"steelyard/lint"
	"steelyard/lint/history"
	"steelyard/metrics/jobs"
	"steelyard/migrations"
)

type scanCommand struct {
	databaseFlag
	Path       string `arg:"" name:"PATH" help:"Folder to check."`
	Repository string `placeholder:"OWNER/NAME" help:"What the repository is called; the folder's name where this is not given."`
	Commit     string `placeholder:"SHA" help:"The commit that is checked out, for the record."`
	Later      bool   `help:"Leave it to a process that works jobs on this machine (\"steelyard work\")."`
}

// Help shows how it is used.
func (c *scanCommand) Help() string {
	return `The newest scan of a repository replaces what the dashboard and the MCP tools show of it. Findings do not change the exit code; "steelyard lint" is the check for CI.

    steelyard scan . --repository acme/payments --commit "$(git rev-parse HEAD)"`
}

func (c *scanCommand) Run(ctx context.Context, p *program) error {
	tree, linted, err := p.openLinted(c.Path)
	if err != nil {
		return fmt.Errorf("scan: %w", err)
	}
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	name := c.Repository
	if name == "" {
		path, err := filepath.Abs(c.Path)
		if err != nil {
			return fmt.Errorf("scan %s: %w", c.Path, err)
		}
		name = filepath.Base(path)
	}
	if c.Later {
		return c.ask(ctx, p, settings, name)
	}
	result, err := p.lint(ctx, tree, linted)
	if err != nil {
		return fmt.Errorf("scan %s: %w", c.Path, err)
	}
	err = p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) error {
		return history.New(db).SaveScan(ctx, lint.Scan{
			Repository: name, Commit: c.Commit, At: p.now().UTC(), Files: result.Files, Findings: result.Findings, Inventory: result.Inventory,
		})
	})
	if err != nil {
		return fmt.Errorf("scan %s: %w", c.Path, err)
	}
	_, err = fmt.Fprintf(p.stdout, "stored %s in %s of %s\n",
		counted(len(result.Findings), "findings"), counted(result.Files, "governed files"), name)
	return err
}

// ask leaves the scan to a process that works jobs.
func (c *scanCommand) ask(ctx context.Context, p *program, settings *config.Config, name string) error {
	path, err := filepath.Abs(c.Path)
	if err != nil {
		return fmt.Errorf("scan %s: %w", c.Path, err)
	}
	return p.withQueue(ctx, settings, toWrite, func(q *jobs.Queue) error {
		if err := q.Ask(ctx, jobs.Key{Kind: jobs.Scan, Subject: name, Item: path}); err != nil {
			return err
		}
		_, err := fmt.Fprintf(p.stdout, "asked for the scan of %s as %s\n", path, name)
		return err
	})
}
