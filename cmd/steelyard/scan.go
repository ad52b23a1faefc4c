package main

import (
	"context"
	"errors"
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
	Base       string `placeholder:"REV|DIR" help:"What the dependencies are compared with, instead of the scan before this one: a revision, or a folder."`
	Offline    bool   `help:"Ask no registry: new dependencies are unverified until a later scan."`
	Later      bool   `help:"Leave it to a process that works jobs (\"steelyard work\"); a folder, to one on this machine."`
}

// Help shows how it is used.
func (c *scanCommand) Help() string {
	return `The newest scan of a repository replaces what the dashboard and the MCP tools show of it; earlier ones stay, for how things went. Kept are findings, governed files with their owners and readers, MCP servers, and the dependencies that the scan before did not see, each with its judgement: their names alone are asked of the package registries, as "steelyard dependencies" does. Of the newest scan the texts of instruction files are kept as well (AGENTS.md, CLAUDE.md, rules and the like, and what they import), with every secret starred, so that get_effective_instructions can say what an assistant reads; "steelyard forget" removes them. Findings do not change the exit code; "steelyard lint" is the check for CI. Of a repository on GitHub only the list of files, the files that steer assistants, and manifests and lockfiles are read; docs/github.md says with which token.

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
		if c.Base != "" || c.Offline {
			return errors.New("scan: --later goes with neither --base nor --offline")
		}
		return c.ask(ctx, p, settings, name, remote)
	}
	scan, err := c.lint(ctx, p, settings, remote)
	if err != nil {
		return err
	}
	var watched string
	err = p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) error {
		kept := history.New(db)
		watch := dependencyWatch{program: p, settings: settings, history: kept, cache: history.NewAnswers(db), offline: c.Offline}
		whole := scan.asScan(name, p.now())
		whole.Dependencies, watched, err = watch.look(ctx, name, scan)
		if err != nil {
			return err
		}
		return kept.SaveScan(ctx, whole)
	})
	if err = errors.Join(err, scan.close()); err != nil {
		return fmt.Errorf("scan %s: %w", c.Path, err)
	}
	_, err = fmt.Fprintf(p.stdout, "%sstored %s in %s of %s\n%s\n",
		scan.read(), counted(len(scan.result.Findings), "findings"), counted(scan.result.Files, "governed files"), name, watched)
	for _, s := range scan.result.Skipped {
		p.say("%s: skipped: %s", s.Path, s.Reason)
	}
	return err
}

// lint checks the folder, or the repository on GitHub.
func (c *scanCommand) lint(ctx context.Context, p *program, settings *config.Config, remote bool) (scanned, error) {
	if remote {
		ref, _ := hubName(c.Path)
		s, err := p.lintHub(ctx, settings, ref, c.Commit, c.Base)
		if err != nil {
			err = fmt.Errorf("scan %s: %w", c.Path, err)
		}
		return s, err
	}
	s, err := p.lintFolder(ctx, c.Path, c.Base)
	if err != nil {
		err = fmt.Errorf("scan: %w", err) // the rest names the folder
	}
	s.commit = c.Commit
	return s, err
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
