package main

import (
	"context"

	"steelyard/lint/history"
	"steelyard/mcp"
	"steelyard/migrations"
	"steelyard/rules"
)

type mcpCommand struct {
	databaseFlag
	Tree    string `placeholder:"DIR" help:"Folder of a repository whose instructions get_effective_instructions reads as they are now, beside what scans kept."`
	Verbose bool   `short:"v" help:"Log more."`
}

// Help shows how it is used.
func (c *mcpCommand) Help() string {
	return `An assistant's host starts this command and speaks with it; standard output carries the protocol alone, logs go to standard error. Every tool only reads. docs/mcp.md shows the configuration of each host.

    {"mcpServers": {"steelyard": {"command": "steelyard", "args": ["mcp", "--db", "sqlite:/path/to/steelyard.db"]}}}`
}

func (c *mcpCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	return p.withDatabase(ctx, settings, toRead, func(db *migrations.DB) error {
		r := newRoom(db, p.now)
		r.github = settings.GitHub.BaseURL
		o, err := r.withSources(p, mcp.Options{
			Reports: r.reports, Findings: r.findings, Rules: rules.All, Version: readBuild().Version,
			Dependencies: newDependencyChecker(p, settings).keeping(history.NewAnswers(db)), Logger: p.logger(c.Verbose), Clock: p.now,
		}, c.Tree)
		if err != nil {
			return err
		}
		return mcp.New(o).Stdio(ctx, p.stdin, p.stdout)
	})
}
