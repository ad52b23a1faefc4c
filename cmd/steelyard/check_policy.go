package main

import (
	"time"

	"steelyard/internal/config"
	"steelyard/lint/change"
	"steelyard/lint/instructions"
	"steelyard/lint/mcpconfig"
)

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
