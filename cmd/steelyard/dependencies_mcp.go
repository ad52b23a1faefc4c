package main

import (
	"context"
	"sync"

	"steelyard/internal/config"
	"steelyard/lint/dependencies"
	"steelyard/lint/dependencies/registry"
	"steelyard/mcp"
)

// dependencyChecker judges one package at a time for assistants, with one
// cache for all of them. It is made when it is first asked.
type dependencyChecker struct {
	program  *program
	settings *config.Config
	cache    registry.Cache // nil means the user's own files
	once     sync.Once
	reg      dependencies.Registry // nil where it could not be made
	names    *dependencies.Names
}

func newDependencyChecker(p *program, settings *config.Config) *dependencyChecker {
	return &dependencyChecker{program: p, settings: settings}
}

// keeping keeps answers in a cache, such as the database's.
func (c *dependencyChecker) keeping(cache registry.Cache) *dependencyChecker {
	c.cache = cache
	return c
}

// CheckDependency takes "ecosystem:name" or "ecosystem:name@version".
func (c *dependencyChecker) CheckDependency(ctx context.Context, pkg string) (mcp.DependencyVerdict, error) {
	q, err := dependencies.ParsePackage(pkg)
	if err != nil {
		return mcp.DependencyVerdict{}, err
	}
	c.once.Do(func() {
		names, err := dependencies.NewNames()
		if err != nil {
			return
		}
		cache := c.cache
		if cache == nil {
			cache = userCache()
		}
		c.reg, _ = c.program.registryWith(cache, false, registryAddresses(c.settings), "")
		c.names = names
	})
	if c.reg == nil {
		return mcp.DependencyVerdict{
			Package: pkg, Judgement: string(dependencies.Unverified), Evidence: []string{"the check could not be started on this machine"},
		}, nil
	}
	v := dependencies.Check(ctx, q, c.reg, c.names, dependencyPolicy(c.settings, c.program))
	v.Evidence = append(v.Evidence, c.program.askedBySettings(c.settings, q.Ecosystem)...)
	item := dependencies.NewItem(v)
	return mcp.DependencyVerdict{
		Package:   dependencies.Dependency{Ecosystem: q.Ecosystem, Name: q.Name, Version: q.Version}.String(),
		Judgement: string(item.Judgement), Evidence: item.Evidence, Rules: item.Rules,
	}, nil
}
