package main

import (
	"context"
	"fmt"
	"slices"

	"steelyard/lint/dependencies"
)

type checkDependency struct {
	askingFlags
	Package string `arg:"" name:"PACKAGE" help:"ECOSYSTEM:NAME or ECOSYSTEM:NAME@VERSION. Ecosystems: npm, pypi, go, cargo, gem, nuget, maven, actions, docker."`
	Format  string `enum:"text,json" default:"text" help:"text or json."`
}

// Help shows how it is used.
func (c *checkDependency) Help() string {
	return `Asks the registry about one name and says what it would be judged as in a manifest. Settings come from steelyard.yaml in the working directory.

    steelyard dependencies check npm:left-pad
    steelyard dependencies check pypi:requests@2.32.3 --format json`
}

func (c *checkDependency) Run(ctx context.Context, p *program) error {
	q, err := dependencies.ParsePackage(c.Package)
	if err != nil {
		return fmt.Errorf("dependencies check: %w", err)
	}
	settings, err := p.settings(c.setting())
	if err != nil {
		return fmt.Errorf("dependencies check: %w", err)
	}
	policy := dependencyPolicy(settings, p)
	if err := policy.Licences.Validate(); err != nil {
		return fmt.Errorf("dependencies.licences.allow: %w", err)
	}
	reg, _, err := p.registry(c.askingFlags, registryAddresses(settings), "")
	if err != nil {
		return fmt.Errorf("dependencies check: %w", err)
	}
	names, err := dependencies.NewNames()
	if err != nil {
		return fmt.Errorf("dependencies check: %w", err)
	}
	v := dependencies.Check(ctx, q, reg, names, policy)
	v.Evidence = append(v.Evidence, p.askedBySettings(settings, q.Ecosystem)...)
	if c.Format == "json" {
		err = v.JSON(p.stdout)
	} else {
		err = v.Text(p.stdout)
	}
	if err != nil {
		return fmt.Errorf("dependencies check: %w", err)
	}
	if slices.Contains(c.failOn(settings), v.Judgement) {
		return errFindings
	}
	return nil
}
