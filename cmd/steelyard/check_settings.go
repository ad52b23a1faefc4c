package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"steelyard/internal/config"
	"steelyard/internal/gittree"
)

// heldTo makes the settings of the change hold it to those from before, so that
// no change frees itself: what fails it, which rules and paths count, how
// packages are judged, what is accepted, policy. Only a first policy counts at
// once. A suppression in a comment counts, because it stands in the change at
// the place that it is about.
func (p *program) heldTo(ctx context.Context, s *span, settings *config.Config, flags ...config.Flag) error {
	named := config.FileName
	if p.configFile != "" {
		named = p.configFile
	}
	tree, name, err := p.settingsBefore(ctx, s)
	if err != nil || tree == nil {
		return err
	}
	before, err := p.load(tree, config.Sources{Path: name, Flags: flags})
	if err != nil {
		s.say("the %s that the change starts from cannot be read, so the change is held to its own", named)
		return nil //nolint:nilerr // said above
	}
	if edited := hold(settings, before); len(edited) > 0 {
		s.say("the change edits %s in %s: it is held to what counted before, and the new counts once it is merged", joined(edited), named)
	}
	return nil
}

// settingsBefore is where the settings stand that the change starts from. It is
// nil where somebody named settings that the change cannot edit, because they
// are no file of its repository.
func (p *program) settingsBefore(ctx context.Context, s *span) (fs.FS, string, error) {
	if p.configFile == "" {
		return s.base, config.FileName, nil
	}
	dir, name := filepath.Split(p.configFile)
	repository, err := gittree.Open(ctx, cmp.Or(dir, "."))
	if err != nil || s.baseCommit == "" || !repository.Has(ctx, s.baseCommit) {
		return nil, "", nil //nolint:nilerr // it lies elsewhere
	}
	if link := linkInRepository(p.configFile); link != "" {
		return nil, "", withHint(fmt.Errorf("--config %s: %s is a link, and a change could make it lead elsewhere", p.configFile, link), "name the file itself")
	}
	for _, commit := range []string{s.baseCommit, s.headCommit} {
		if commit == "" {
			continue
		}
		tree, err := repository.Tree(ctx, commit)
		if err != nil {
			return nil, "", err
		}
		s.closers = append(s.closers, tree.Close)
		_, err = tree.Lstat(name)
		switch {
		case err == nil && commit == s.baseCommit:
			return tree, name, nil
		case err == nil: // the change brings it
			return nothing{}, name, nil
		case !errors.Is(err, fs.ErrNotExist):
			return nil, "", err
		}
	}
	return nil, "", nil // a step of the job made it
}

// heldKey is a setting as the change has it and as it was.
type heldKey struct {
	name     string
	own, old any
}

// hold takes over what counted before, and names what the change has otherwise.
func hold(settings, before *config.Config) (edited []string) {
	own := *settings
	lint, packages := &settings.Lint, &settings.Dependencies
	lint.FailOn, lint.Exclude, lint.Rules = before.Lint.FailOn, before.Lint.Exclude, before.Lint.Rules
	packages.Registries, packages.Licences, packages.Thresholds = before.Dependencies.Registries, before.Dependencies.Licences, before.Dependencies.Thresholds
	compared := []heldKey{
		{"lint.fail_on", own.Lint.FailOn, lint.FailOn},
		{"lint.exclude", own.Lint.Exclude, lint.Exclude},
		{"lint.rules", withoutPlaces(own.Lint.Rules), withoutPlaces(lint.Rules)},
		{"dependencies.registries", own.Dependencies.Registries, packages.Registries},
		{"dependencies.licences", own.Dependencies.Licences, packages.Licences},
		{"dependencies.thresholds", own.Dependencies.Thresholds, packages.Thresholds},
	}
	if before.Policy.Set() {
		settings.Policy = before.Policy
		settings.Policy.Lines = own.Policy.Lines // findings stand in the file as it is now
		compared = append(compared, heldKey{"policy", withoutLines(own.Policy), withoutLines(before.Policy)})
	}
	for _, c := range compared {
		if !alike(c.own, c.old) {
			edited = append(edited, c.name)
		}
	}
	return append(edited, holdAccepted(settings, before)...)
}

// alike compares settings; a list that is empty is one that is not there.
func alike(a, b any) bool {
	empty := func(v reflect.Value) bool {
		return (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
	}
	return reflect.DeepEqual(a, b) || empty(reflect.ValueOf(a)) && empty(reflect.ValueOf(b))
}

func withoutPlaces(list []config.RuleSetting) []config.RuleSetting {
	list = slices.Clone(list)
	for i := range list {
		list[i].Line = 0
	}
	return list
}

// withoutLines is a policy without the places where it stands.
func withoutLines(p config.Policy) config.Policy {
	p.Lines = nil
	p.Risky, p.OwnersOnly = append([]config.RiskyPaths{}, p.Risky...), append([]config.OwnedPaths{}, p.OwnersOnly...)
	for i := range p.Risky {
		p.Risky[i].Line = 0
	}
	for i := range p.OwnersOnly {
		p.OwnersOnly[i].Line = 0
	}
	return p
}

// holdAccepted leaves of what the settings accept only what was accepted before,
// and names the keys of what the change adds to it. What the change takes away
// is not accepted any more.
func holdAccepted(settings, before *config.Config) (edited []string) {
	hold := func(key string, more bool) {
		if more {
			edited = append(edited, key)
		}
	}
	var more bool
	settings.Lint.Suppressions, more = alsoBefore(settings.Lint.Suppressions, before.Lint.Suppressions, func(s config.Suppression) config.Suppression {
		s.Line = 0
		return s
	})
	hold("lint.suppressions", more)
	settings.Dependencies.Allow, more = alsoBefore(settings.Dependencies.Allow, before.Dependencies.Allow, func(d config.PackageDecision) config.PackageDecision {
		d.Line = 0
		return d
	})
	hold("dependencies.allow", more)
	settings.Servers.Approved, more = alsoBefore(settings.Servers.Approved, before.Servers.Approved, func(a config.ServerApproval) config.ServerApproval {
		a.Line = 0
		return a
	})
	if len(settings.Servers.Approved) == 0 && len(before.Servers.Approved) > 0 {
		// Without a list no server is asked about.
		settings.Servers.Approved, more = before.Servers.Approved, true
	}
	hold("servers.approved", more)
	return edited
}

// alsoBefore are the entries of a list that it had before, and whether it has
// more. bare is an entry without its place.
func alsoBefore[E any](own, before []E, bare func(E) E) (kept []E, more bool) {
	for _, one := range own {
		known := slices.ContainsFunc(before, func(o E) bool { return reflect.DeepEqual(bare(o), bare(one)) })
		if known {
			kept = append(kept, one)
		}
		more = more || !known
	}
	return kept, more
}

// joined lists a few of some names as a sentence does, and says how many more
// there are.
func joined(names []string) string {
	const most = 8
	if more := len(names) - most; more > 0 {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", more))
	}
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
