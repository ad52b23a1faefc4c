package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"steelyard/internal/config"
	"steelyard/internal/gittree"
)

// heldTo makes the settings of the change hold it to those from before, so that
// no change frees itself: what fails it, which rules and paths count, how
// packages are judged, what is accepted, policy. Only a first policy counts at
// once, where it asks for more. A suppression in a comment counts, because it
// stands in the change at the place that it is about.
func (p *program) heldTo(ctx context.Context, t *compared, settings *config.Config, flags ...config.Flag) error {
	before, err := p.settingsBefore(ctx, t, flags...)
	if err != nil || before == nil {
		return err
	}
	if edited := hold(settings, before); len(edited) > 0 {
		t.say("the change edits %s in %s: it is held to what counted before, and the new counts once it is merged", joined(edited), p.settingsName())
	}
	return nil
}

// settingsName is how messages call the settings of a change.
func (p *program) settingsName() string {
	return cmp.Or(p.configFile, config.FileName)
}

// settingsBefore are the settings that the change starts from. They are nil
// where somebody named settings that no change can edit. Where they cannot be
// read, no settings are: those of the change would free it.
func (p *program) settingsBefore(ctx context.Context, t *compared, flags ...config.Flag) (before *config.Config, err error) {
	tree, name := t.base, config.FileName
	if p.configFile != "" {
		if tree, name, err = t.fileBefore(ctx, "--config", p.configFile); err != nil || tree == nil {
			return nil, err
		}
	}
	before, err = p.load(tree, config.Sources{Path: name, Flags: flags})
	if err == nil {
		return before, nil
	}
	if errors.Is(err, gittree.ErrPartial) {
		return nil, err
	}
	t.say("the %s that the change starts from cannot be read, so the change is held to the defaults", p.settingsName())
	return p.load(nothing{}, config.Sources{Flags: flags})
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
	packages.FailOn = before.Dependencies.FailOn
	packages.Registries, packages.Licences, packages.Thresholds = before.Dependencies.Registries, before.Dependencies.Licences, before.Dependencies.Thresholds
	compared := []heldKey{
		{"lint.fail_on", own.Lint.FailOn, lint.FailOn},
		{"lint.exclude", own.Lint.Exclude, lint.Exclude},
		{"lint.rules", withoutPlaces(own.Lint.Rules), withoutPlaces(lint.Rules)},
		{"dependencies.registries", own.Dependencies.Registries, packages.Registries},
		{"dependencies.licences", own.Dependencies.Licences, packages.Licences},
		{"dependencies.fail_on", own.Dependencies.FailOn, packages.FailOn},
		{"dependencies.thresholds", own.Dependencies.Thresholds, packages.Thresholds},
	}
	if before.Policy.Set() {
		settings.Policy = before.Policy
		settings.Policy.Lines = own.Policy.Lines // findings stand in the file as it is now
		compared = append(compared, heldKey{"policy", withoutLines(own.Policy), withoutLines(before.Policy)})
	} else {
		compared = append(compared, firstPolicy(settings, before)...)
	}
	for _, c := range compared {
		if !alike(c.own, c.old) {
			edited = append(edited, c.name)
		}
	}
	return append(edited, holdAccepted(settings, before)...)
}

// firstPolicy takes out of a first policy what asks for less than none does.
func firstPolicy(settings, before *config.Config) []heldKey {
	own := settings.Policy
	settings.Policy.StaleApprovals = before.Policy.StaleApprovals
	compared := []heldKey{{"policy.stale_approvals", own.StaleApprovals, before.Policy.StaleApprovals}}
	if len(before.Servers.Approved) > 0 { // there is a list of servers already
		settings.Policy.Servers = before.Policy.Servers
		compared = append(compared, heldKey{"policy.servers", own.Servers, before.Policy.Servers})
	}
	return compared
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
	settings.Lint.Suppressions, more = heldSuppressions(settings.Lint.Suppressions, before.Lint.Suppressions)
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

// heldSuppressions are the suppressions of the change, of which those that it
// adds answer nothing, and whether it adds any. What is wrong with them is found
// all the same.
func heldSuppressions(own, before []config.Suppression) (all []config.Suppression, more bool) {
	bare := func(s config.Suppression) config.Suppression {
		s.Line = 0
		return s
	}
	all = slices.Clone(own)
	for i, one := range own {
		all[i].Held = !slices.ContainsFunc(before, func(o config.Suppression) bool { return reflect.DeepEqual(bare(o), bare(one)) })
		more = more || all[i].Held
	}
	return all, more
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
