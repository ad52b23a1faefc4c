package main

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"steelyard/internal/config"
	"steelyard/lint"
	"steelyard/lint/families"
	"steelyard/lint/output"
	"steelyard/rules"
)

type lintCommand struct {
	Path   string `arg:"" optional:"" default:"." name:"PATH" help:"Folder to check."`
	Format string `enum:"text,json" default:"text" help:"text or json."`
	FailOn string `placeholder:"SEVERITY" help:"Least severity that makes the exit code 1: note, warning, error or never. Also $$STEELYARD_LINT_FAIL_ON or lint.fail_on in steelyard.yaml; error otherwise."`
}

// Help shows how it is used.
func (c *lintCommand) Help() string {
	return `Nothing in the folder is executed, nothing outside it is read, and no database or network is used. Settings come from steelyard.yaml in the folder itself. A finding is answered by mending it, or by a suppression with a reason: see "steelyard explain".

    steelyard lint
    steelyard lint --fail-on warning services/payments
    steelyard lint --format json | jq '.findings[].rule'`
}

func (c *lintCommand) Run(ctx context.Context, p *program) error {
	tree, settings, err := p.openLinted(c.Path, config.Flag{
		Key: config.KeyLintFailOn, Name: "--fail-on", Value: c.FailOn,
	})
	if err != nil {
		return fmt.Errorf("lint: %w", err)
	}
	result, err := p.lint(ctx, tree, settings)
	if err != nil {
		return fmt.Errorf("lint %s: %w", c.Path, err)
	}
	if c.Format == "json" {
		err = output.JSON(p.stdout, result)
	} else {
		err = output.Text(p.stdout, result, output.TextOptions{Color: p.color()})
	}
	if err != nil {
		return fmt.Errorf("lint: write findings: %w", err)
	}
	if fails(result.Findings, settings.Lint.FailOn) {
		return errFindings
	}
	return nil
}

// openLinted opens a folder to lint and the settings that stand in it.
func (p *program) openLinted(dir string, flags ...config.Flag) (fs.FS, *config.Config, error) {
	tree, err := openTree(dir)
	if err != nil {
		return nil, nil, err
	}
	settings, err := p.treeSettings(tree, dir, flags...)
	return tree, settings, err
}

// lint runs every rule over a tree.
func (p *program) lint(ctx context.Context, tree fs.FS, settings *config.Config) (lint.Result, error) {
	return lint.Run(ctx, tree, families.All(), lintConfig(settings, p))
}

// lintConfig is what the settings say, for the engine.
func lintConfig(settings *config.Config, p *program) lint.Config {
	source := settings.File
	if p.configFile == "" {
		// It stands at the tree's root, and findings name paths from there.
		source = config.FileName
	}
	c := lint.Config{
		Severities: map[string]rules.Severity{},
		Exclude:    settings.Lint.Exclude,
		Today:      p.now(),
	}
	for _, r := range settings.Lint.Rules {
		c.Severities[r.Rule] = rules.Severity(r.Severity)
	}
	for _, s := range settings.Lint.Suppressions {
		c.Suppressions = append(c.Suppressions, lint.ConfigSuppression{
			Rule: s.Rule, Path: s.Path, Line: s.Finding, Until: s.Until, Reason: s.Reason,
			Source: source, SourceLine: s.Line,
		})
	}
	return c
}

// fails reports whether a finding is at least as bad as least.
func fails(findings []lint.Finding, least string) bool {
	order := []rules.Severity{rules.Note, rules.Warning, rules.Error}
	at := slices.Index(order, rules.Severity(least))
	return at >= 0 && slices.ContainsFunc(findings, func(f lint.Finding) bool {
		return slices.Index(order, f.Severity) >= at
	})
}
