package main

import (
	"context"
	"fmt"
	"path/filepath"

	"steelyard/lint"
	"steelyard/lint/history"
	"steelyard/migrations"
)

type scanCommand struct {
	databaseFlag
	Path       string `arg:"" name:"PATH" help:"Folder to check."`
	Repository string `placeholder:"OWNER/NAME" help:"What the repository is called; the folder's name where this is not given."`
	Commit     string `placeholder:"SHA" help:"The commit that is checked out, for the record."`
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
	result, err := p.lint(ctx, tree, linted)
	if err != nil {
		return fmt.Errorf("scan %s: %w", c.Path, err)
	}
	err = p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) error {
		return history.New(db).SaveScan(ctx, lint.Scan{
			Repository: name, Commit: c.Commit, At: p.now().UTC(), Files: result.Files, Findings: result.Findings,
		})
	})
	if err != nil {
		return fmt.Errorf("scan %s: %w", c.Path, err)
	}
	_, err = fmt.Fprintf(p.stdout, "stored %s in %s of %s\n",
		counted(len(result.Findings), "findings"), counted(result.Files, "governed files"), name)
	return err
}
