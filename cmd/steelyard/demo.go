package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"steelyard/internal/demo"
	"steelyard/lint"
	"steelyard/lint/families"
	"steelyard/lint/history"
	"steelyard/metrics/ingest"
	"steelyard/metrics/store"
	"steelyard/migrations"
)

type demoCommand struct {
	addrFlag
	DB      string `name:"db" xor:"place" placeholder:"URL" help:"Put the demo into this database and keep it: sqlite:PATH or postgres://USER@HOST/NAME."`
	Dir     string `xor:"place" placeholder:"FOLDER" help:"Put the demo's database into this folder and keep it."`
	NoServe bool   `help:"Prepare the database, print its URL, and end."`
}

// Help shows how it is used.
func (c *demoCommand) Help() string {
	return `Loads three pilots on bundled data (repositories that adopted an AI editor, a repository that took up coding agents, and a worked example with made-up numbers) and the findings of a sample repository, then serves the dashboard and /mcp. The database lies in a temporary folder that is removed at the end, unless --db or --dir says otherwise.

    steelyard demo
    steelyard demo --addr 127.0.0.1:0
    steelyard demo --db sqlite:demo.db --no-serve && steelyard report worked-example --db sqlite:demo.db`
}

func (c *demoCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	var ln net.Listener
	if !c.NoServe { // first, so that a port in use is known before the work
		if ln, err = listen(settings); err != nil {
			return err
		}
		defer quietly(ln.Close)
	}
	url, remove, err := c.place()
	if err != nil {
		return err
	}
	defer remove()
	db, err := migrations.Open(ctx, url, migrations.Options{})
	if err != nil {
		return err
	}
	return errors.Join(c.show(ctx, p, ln, db, url), db.Close())
}

// show loads the demo into a database and serves it, or names it.
func (c *demoCommand) show(ctx context.Context, p *program, ln net.Listener, db *migrations.DB, url string) error {
	if err := p.loadDemo(ctx, db); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	if c.NoServe {
		_, err := fmt.Fprintf(p.stdout, "database  %s\n", migrations.Redact(url))
		return err
	}
	r := newRoom(db, p.now)
	p.say("computing the reports") // once, so that the first page is there at once
	if _, err := r.reports.Summaries(ctx); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	return p.serve(ctx, ln, thisMachine(), r, c.Verbose)
}

// place says where the demo's database is and how to clean up after it.
func (c *demoCommand) place() (url string, remove func(), err error) {
	keep := func() {}
	if c.DB != "" {
		return c.DB, keep, nil
	}
	dir := c.Dir
	if dir != "" {
		err = os.MkdirAll(dir, 0o755)
	} else {
		dir, err = os.MkdirTemp("", "steelyard-demo-")
	}
	if err != nil {
		return "", keep, fmt.Errorf("demo: make a folder: %w", err)
	}
	url = "sqlite:" + filepath.Join(dir, "steelyard.db")
	if c.Dir != "" || c.NoServe {
		return url, keep, nil
	}
	return url, func() { _ = os.RemoveAll(dir) }, nil // what stays behind is in the temporary folder
}

// loadDemo loads the bundled data and the findings of the sample repository.
func (p *program) loadDemo(ctx context.Context, db *migrations.DB) error {
	p.say("loading the bundled data")
	done, err := ingest.Load(ctx, store.New(db, p.now), demo.Files(), "pilots.yaml", p.now())
	if err != nil {
		return err
	}
	for _, d := range done {
		p.say("  %s: %s", d.Definition.Pilot.ID, counted(d.Import.Rows, "rows"))
	}
	return p.scanSample(ctx, history.New(db))
}

// scanSample stores the findings of the bundled sample repository.
func (p *program) scanSample(ctx context.Context, findings *history.History) error {
	tree, err := fs.Sub(demo.Files(), "sample")
	if err != nil {
		return fmt.Errorf("open the sample repository: %w", err)
	}
	result, err := lint.Run(ctx, tree, families.All(), lint.Config{Today: p.now(), Observe: families.Observers()})
	if err != nil {
		return fmt.Errorf("lint the sample repository: %w", err)
	}
	p.say("  sample repository: %s", counted(len(result.Findings), "findings"))
	return findings.SaveScan(ctx, lint.Scan{
		Repository: "steelyard/sample", At: p.now().UTC(), Files: result.Files, Findings: result.Findings, Inventory: result.Inventory,
	})
}
