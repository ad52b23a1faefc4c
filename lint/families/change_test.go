package families_test

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"steelyard/internal/config"
	"steelyard/lint/change"
	"steelyard/lint/instructions"
	"steelyard/lint/mcpconfig"
	"steelyard/lint/owners"
)

// pullFile says what is known of the pull request that an example is.
const pullFile = "pull_request.json"

// ownersFile says what GitHub knows of an example's owners.
const ownersFile = "on_github.json"

// givenPolicy is what the policy of an example's own settings gives to a run,
// with the pull request where there is one.
func givenPolicy(t *testing.T, tree fstest.MapFS) []any {
	t.Helper()
	if tree[pullFile] == nil && tree[config.FileName] == nil && tree[ownersFile] == nil {
		return nil
	}
	settings, err := config.Load(config.Sources{Dir: tree})
	if err != nil {
		t.Fatal(err)
	}
	p := settings.Policy
	var all []any
	if p.Servers != nil {
		all = append(all, mcpconfig.Approved{Servers: p.Servers, Source: config.FileName})
	}
	if g := p.Guidelines; g.ReviewEvery > 0 || g.Paths != nil {
		all = append(all, instructions.Guidelines{Every: g.ReviewEvery, Paths: g.Paths})
	}
	if text, ok := tree[ownersFile]; ok {
		var known owners.OnGitHub
		if err := json.Unmarshal(text.Data, &known); err != nil {
			t.Fatalf("%s: %v", ownersFile, err)
		}
		all = append(all, known)
	}
	if tree[pullFile] == nil {
		return all
	}
	c := &change.Change{Policy: changePolicy(p)}
	if err := json.Unmarshal(tree[pullFile].Data, &c.PullRequest); err != nil {
		t.Fatalf("%s: %v", pullFile, err)
	}
	if c.Owners, _, err = owners.Find(tree); err != nil {
		t.Fatal(err)
	}
	return append(all, c)
}

func changePolicy(p config.Policy) change.Policy {
	c := change.Policy{
		Source: config.FileName, Lines: p.Lines, Require: p.Reviews == config.RequireReviews, KeepStale: p.StaleApprovals == config.KeepStale,
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
