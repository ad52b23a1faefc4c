package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"steelyard/internal/config"
	"steelyard/lint"
	"steelyard/lint/dependencies"
	"steelyard/lint/dependencies/registry"
	"steelyard/lint/history"
)

// dependencyWatch compares the dependencies of a scan with those of the scan
// before, and judges what is new.
type dependencyWatch struct {
	program *program
	// settings are those of whoever scans: they say where registries are asked.
	// What the scanned repository says of that is not believed.
	settings *config.Config
	history  *history.History
	cache    registry.Cache
	offline  bool
}

// scanItem lints what a job names, with its dependencies.
func (w dependencyWatch) scanItem(ctx context.Context, repository, item string) (lint.Scan, error) {
	s, err := w.program.lintItem(ctx, item)
	if err != nil {
		return lint.Scan{}, err
	}
	scan := s.asScan(repository, w.program.now())
	scan.Dependencies, _, err = w.look(ctx, repository, s)
	return scan, errors.Join(err, s.close())
}

// look compares and judges, and says in words what came of it. It returns nil
// where the scan before read the same commit and left nothing open.
func (w dependencyWatch) look(ctx context.Context, repository string, s scanned) (*lint.DependencyScan, string, error) {
	before, err := w.history.DependencyBase(ctx, repository)
	if err != nil {
		return nil, "", err
	}
	if s.base == nil && s.commit != "" && s.commit == before.Commit && len(before.Open) == 0 {
		return nil, "dependencies: the commit of the scan before, so none is new", nil
	}
	npmrc := ""
	if s.base != nil {
		npmrc = reviewedNPMRC(s.base)
	}
	reg, addresses := w.program.registryWith(w.cache, w.offline, registryAddresses(w.settings), npmrc)
	o := dependencies.ReadOptions{
		Exclude: s.settings.Lint.Exclude, Public: addresses.Public(ctx), Private: addresses.Private(ctx), UserNPMRC: addresses.UserNPMRC(),
	}
	head, err := readDependencies(ctx, s.tree, s.treeCommitted, o, lintConfig(s.settings, w.program))
	if err != nil {
		return nil, "", err
	}
	base, first, err := w.base(ctx, s, before, o)
	if err != nil {
		return nil, "", err
	}
	d := &lint.DependencyScan{}
	if d.Tree, err = head.Snapshot(); err != nil {
		return nil, "", err
	}
	if !s.cut { // what was not listed is not gone
		there := head.Items()
		for _, item := range before.Items {
			if !there[item] {
				d.Gone = append(d.Gone, item)
			}
		}
	}
	if first {
		return d, fmt.Sprintf("dependencies: %s read; what is new is told from the next scan on (--base REV compares now)", counted(head.Files, "files of dependencies")), nil
	}
	a, err := w.assess(ctx, s.settings, dependencies.Compare(base.Without(before.Open), head), reg)
	if err != nil {
		return nil, "", err
	}
	d.Judged = newDependencies(a)
	return d, judgedWords(d.Judged), nil
}

// base is what the dependencies are compared with; first says that there is
// nothing.
func (w dependencyWatch) base(ctx context.Context, s scanned, before lint.DependencyBase, o dependencies.ReadOptions) (base dependencies.Tree, first bool, err error) {
	if s.base != nil {
		base, err = readDependencies(ctx, s.base, s.baseCommitted, o, lintConfig(s.settings, w.program))
		return base, false, err
	}
	if before.At.IsZero() {
		return base, true, nil
	}
	base, err = dependencies.ReadSnapshot(before.Tree)
	if errors.Is(err, dependencies.ErrSnapshot) {
		return base, true, nil // another version kept it
	}
	return base, false, err
}

func (w dependencyWatch) assess(ctx context.Context, settings *config.Config, c dependencies.Change, reg dependencies.Registry) (*dependencies.Assessment, error) {
	policy := dependencyPolicy(settings, w.program)
	if err := policy.Licences.Validate(); err != nil {
		return nil, fmt.Errorf("dependencies.licences.allow: %w", err)
	}
	names, err := dependencies.NewNames()
	if err != nil {
		return nil, err
	}
	a := dependencies.Assess(ctx, c, reg, names, policy, dependencies.Options{})
	return a, ctx.Err()
}

// newDependencies are the verdicts about what manifests name and about odd
// entries of lockfiles, each once; what only other dependencies need is left
// out.
func newDependencies(a *dependencies.Assessment) []lint.NewDependency {
	var all []lint.NewDependency
	seen := map[string]bool{}
	add := func(list []dependencies.Verdict, change string) {
		for _, v := range list {
			item := v.Item()
			if change == "lockfile" {
				item = v.LockItem()
			}
			if !v.Direct && change != "lockfile" || seen[item] {
				continue
			}
			seen[item] = true
			all = append(all, newDependency(v, item, change))
		}
	}
	add(a.Added, "added")
	add(a.Changed, "changed")
	add(a.Lockfile, "lockfile")
	return all
}

func newDependency(v dependencies.Verdict, item, change string) lint.NewDependency {
	i := dependencies.NewItem(v)
	n := lint.NewDependency{
		Item: item, Subject: string(v.Ecosystem) + ":" + v.Asked(), Versioned: v.String(),
		Ecosystem: string(v.Ecosystem), Name: v.Name, ResolvedName: v.ResolvedName, Version: v.Version, Spec: i.Spec,
		Path: v.Path, Line: v.Line, Direct: v.Direct, Source: string(v.Source), Change: change,
		Judgement: string(i.Judgement), Evidence: i.Evidence, Rules: i.Rules, Licences: []string{},
	}
	if f := v.Facts; f != nil {
		n.Published, n.Downloads, n.LicenceKnown = f.First, f.Downloads, f.LicenceKnown
		n.Licences = append(n.Licences, f.Licences...)
	}
	if d := v.Decision; d != nil {
		n.Committed = &lint.CommittedDecision{Reason: d.Reason, Owner: d.Owner}
		if !d.Until.IsZero() {
			n.Committed.Until = d.Until.Format(time.DateOnly)
		}
	}
	return n
}

// judgedWords says how many dependencies were judged, and how.
func judgedWords(all []lint.NewDependency) string {
	if len(all) == 0 {
		return "dependencies: none is new"
	}
	count := map[string]int{}
	for _, n := range all {
		count[n.Judgement]++
	}
	text := "dependencies: " + counted(len(all), "judged") + ":"
	for _, j := range dependencies.Judgements() {
		if n := count[string(j)]; n > 0 {
			text += fmt.Sprintf(" %d %s,", n, j)
		}
	}
	return text[:len(text)-1]
}
