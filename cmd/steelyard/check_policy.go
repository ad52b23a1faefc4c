package main

import (
	"reflect"
	"time"

	"steelyard/internal/config"
	"steelyard/lint/change"
	"steelyard/lint/instructions"
	"steelyard/lint/mcpconfig"
)

// heldTo makes the settings of the change hold it to the policy from before, so
// that no change frees itself; only where there was none does its own count.
// Where GitHub is and which token is meant comes from the environment alone: a
// change that names another host must not be sent the token.
func (p *program) heldTo(s *span, settings *config.Config, flags ...config.Flag) error {
	if p.configFile != "" {
		return nil // somebody named the settings
	}
	outside, err := p.load(nothing{}, config.Sources{})
	if err != nil {
		return err
	}
	settings.GitHub = outside.GitHub
	before, err := p.load(s.base, config.Sources{Flags: flags})
	switch {
	case err != nil:
		s.say("the %s that the change starts from cannot be read, so the change is held to its own", config.FileName)
		return nil //nolint:nilerr // said above
	case before.File == "":
		return nil
	}
	settings.Lint.FailOn = before.Lint.FailOn
	if !before.Policy.Set() {
		return nil
	}
	own := settings.Policy
	settings.Policy = before.Policy
	settings.Policy.Lines = own.Lines // findings stand in the file as it is now
	if !reflect.DeepEqual(withoutLines(own), withoutLines(before.Policy)) {
		s.say("the change edits policy in %s: it is held to the policy from before, and the new one counts once it is merged", config.FileName)
	}
	return nil
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

// policyGiven is the part of the policy that is about files alone, for the
// lint.
func policyGiven(settings *config.Config, source string, now time.Time) []any {
	var given []any
	if servers := approvedServers(settings, now); servers != nil {
		given = append(given, mcpconfig.Approved{Servers: servers, Source: source})
	}
	if g := settings.Policy.Guidelines; g.ReviewEvery > 0 || g.Paths != nil {
		given = append(given, instructions.Guidelines{Every: g.ReviewEvery, Paths: g.Paths})
	}
	return given
}

// changePolicy is the policy as the rules about pull requests take it.
func changePolicy(p config.Policy, source string) change.Policy {
	c := change.Policy{
		Source: source, Lines: p.Lines, Require: p.Reviews == config.RequireReviews, KeepStale: p.StaleApprovals == config.KeepStale,
		Disclosure: change.Disclosure{Section: p.Disclosure.Section, Boxes: change.Boxes(p.Disclosure.Boxes)},
		Size: change.Size{
			Lines: p.Size.Lines, Files: p.Size.Files, Tests: p.Size.Tests, Docs: p.Size.Docs,
			NotCounted: p.Size.NotCounted, AcceptedBy: p.Size.AcceptedBy,
		},
		MayAsk: p.Agents.MayAsk, MayApprove: p.Agents.MayApprove,
	}
	for _, r := range p.Risky {
		c.Risky = append(c.Risky, change.Paths{Globs: r.Paths, Who: r.Reviewers, Approvals: r.Approvals, Reason: r.Reason, Line: r.Line})
	}
	for _, o := range p.OwnersOnly {
		c.OwnersOnly = append(c.OwnersOnly, change.Paths{Globs: o.Paths, Who: o.Owners, Reason: o.Reason, Line: o.Line})
	}
	return c
}
