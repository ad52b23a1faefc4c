package web

import (
	"context"
	"fmt"
	"slices"
	"time"

	"steelyard/lint"
)

// memoryGuard satisfies the stores of the guardrail pages.
type memoryGuard struct {
	files     []lint.StoredFile
	servers   []lint.StoredServer
	deps      []lint.StoredDependency
	decisions *[]lint.Decision
	trends    lint.Trends
	err       error
}

func (m memoryGuard) Files(_ context.Context, repositories []string) ([]lint.StoredFile, error) {
	var out []lint.StoredFile
	for _, f := range m.files {
		if slices.Contains(repositories, f.Repository) {
			out = append(out, f)
		}
	}
	return out, m.err
}

func (m memoryGuard) ServersOf(_ context.Context, repositories []string) ([]lint.StoredServer, error) {
	var out []lint.StoredServer
	for _, s := range m.servers {
		if slices.Contains(repositories, s.Repository) {
			out = append(out, s)
		}
	}
	return out, m.err
}

func (m memoryGuard) Trends(context.Context, time.Time, int) (lint.Trends, error) {
	return m.trends, m.err
}

func (m memoryGuard) Inventory(context.Context, string) (lint.Inventory, error) {
	return lint.Inventory{}, m.err
}

func (m memoryGuard) Servers(context.Context, string) ([]lint.StoredServer, error) {
	return m.servers, m.err
}

func (m memoryGuard) Trend(context.Context, string) ([]lint.TrendPoint, error) { return nil, m.err }

func (m memoryGuard) NewDependencies(_ context.Context, f lint.DependencyFilter) (lint.DependencyPage, error) {
	p := lint.DependencyPage{States: map[lint.DependencyState]int{}}
	for _, d := range m.deps {
		if (f.Repository == "" || f.Repository == d.Repository) && (f.Subject == "" || f.Subject == d.Subject) && (f.Judgement == "" || f.Judgement == d.Judgement) {
			p.States[d.State]++
			if f.State == "" || f.State == d.State {
				p.Dependencies = append(p.Dependencies, d)
			}
		}
	}
	p.Total = len(p.Dependencies)
	p.Dependencies = p.Dependencies[min(f.Offset, p.Total):min(f.Offset+f.Limit, p.Total)]
	return p, m.err
}

func (m memoryGuard) DependencyScans(context.Context) ([]lint.WatchedDependencies, error) {
	if len(m.deps) == 0 {
		return nil, m.err
	}
	return []lint.WatchedDependencies{{Repository: "acme/checkout-web", Since: at("2026-06-01 06:00"), At: at("2026-11-29 06:10")}}, m.err
}

func (m memoryGuard) Decisions(_ context.Context, f lint.DecisionFilter) (lint.DecisionPage, error) {
	var p lint.DecisionPage
	for _, d := range slices.Backward(*m.decisions) {
		if d.Kind == f.Kind && (f.Subject == "" || f.Subject == d.Subject) {
			p.Decisions = append(p.Decisions, d)
		}
	}
	p.Total = len(p.Decisions)
	return p, m.err
}

func (m memoryGuard) Decide(_ context.Context, d lint.Decision) (lint.Decision, error) {
	if err := d.Check(d.At); err != nil {
		return d, fmt.Errorf("%w: %w", lint.ErrDecision, err)
	}
	d.ID = int64(len(*m.decisions) + 1)
	*m.decisions = append(*m.decisions, d)
	return d, m.err
}

// guardNow is the day of the fixtures.
func guardNow() time.Time { return at("2026-11-30 06:00") }

// someGuards are files, servers and dependencies of a few repositories.
func someGuards() memoryGuard {
	file := func(repository, path string, owners []string, readers ...string) lint.StoredFile {
		return lint.StoredFile{Repository: repository, Since: at("2026-10-20 06:00"), SeenFile: lint.SeenFile{Path: path, Kinds: []string{"instructions"}, Readers: readers, Owners: owners}}
	}
	server := func(repository, name, kind, target, version, command, secrets string, pinned bool) lint.StoredServer {
		return lint.StoredServer{Repository: repository, Since: at("2026-09-03 06:00"), SeenServer: lint.SeenServer{
			Path: ".mcp.json", Line: 4, Host: "claude-code", Name: name, Kind: kind, Target: target, Version: version, Pinned: pinned, Command: command, Secrets: secrets,
		}}
	}
	use := int64(41)
	many := int64(12_300_000)
	dep := func(name, judgement string, state lint.DependencyState, evidence ...string) lint.StoredDependency {
		return lint.StoredDependency{Repository: "acme/checkout-web", State: state, Since: at("2026-11-20 06:00"), Judged: at("2026-11-29 06:10"), NewDependency: lint.NewDependency{
			Subject: "npm:" + name, Versioned: "npm:" + name + "@1.0.0", Ecosystem: "npm", Name: name, Version: "1.0.0", Path: "apps/web/package.json", Line: 14, Direct: true,
			Source: "registry", Change: "added", Judgement: judgement, Evidence: evidence, Rules: []string{"DP006"}, Licences: []string{"MIT"}, LicenceKnown: true,
		}}
	}
	young := dep("react-checkout-helpers", "ask", lint.StateWaiting, "first published 6 days ago, on 2026-11-24", "41 downloads a month, and first published 6 days ago")
	young.Published, young.Downloads = at("2026-11-24 00:00"), &use
	old := dep("left-pad", "ok", lint.StateFine, "first published 12 years ago, on 2014-03-14", "12 million downloads a month")
	old.Published, old.Downloads, old.Rules = at("2014-03-14 00:00"), &many, nil
	bad := dep("crossenv", "block", lint.StateRefused, "npm holds the name so that nobody can take it: security holding package; it is a placeholder, not a package")
	bad.Licences, bad.LicenceKnown = nil, false
	bad.Decision = &lint.Decision{ID: 1, Kind: lint.AboutDependency, Subject: "npm:crossenv", Verdict: lint.Refused, Reason: "it is not cross-env", Owner: "platform team", At: at("2026-11-21 09:00")}
	approved := server("acme/checkout-web", "sentry", "host", "mcp.sentry.example", "", "https://mcp.sentry.example/mcp", "reference", true)
	approved.Approval = &lint.CommittedDecision{Reason: "read by the platform team", Owner: "platform team", Until: "2027-01-31"}
	ends := []time.Time{}
	for i := range 26 {
		ends = append(ends, guardNow().AddDate(0, 0, 7*(i-25)))
	}
	counts := func(from, to int) []int {
		all := make([]int, 26)
		for i := range all {
			all[i] = from + (to-from)*i/25
		}
		return all
	}
	repositories := make([]int, 26)
	for i := range repositories {
		repositories[i] = 2
	}
	return memoryGuard{
		decisions: &[]lint.Decision{*bad.Decision},
		files: []lint.StoredFile{
			file("acme/checkout-web", "AGENTS.md", []string{"@acme/platform"}, "copilot-chat", "copilot-agent", "codex", "cursor"),
			file("acme/checkout-web", ".github/copilot-instructions.md", []string{"@someone"}, "copilot-chat", "copilot-agent"),
			file("acme/checkout-web", ".github/instructions/a/very/long/path/that/has/to/wrap/payments.instructions.md", nil, "copilot-chat", "copilot-agent"),
			file("acme/ledger", "CLAUDE.md", nil, "claude-code"),
		},
		servers: []lint.StoredServer{
			server("acme/checkout-web", "browser", "package", "@acme/browser-server", "latest", "npx -y @acme/browser-server@latest --token ********************f9Qa", "literal", false),
			approved,
			server("acme/ledger", "browser", "package", "@acme/browser-server", "1.4.0", "npx -y @acme/browser-server@1.4.0", "none", true),
			server("acme/ledger", "unknown", "", "", "", "${TOOL}", "none", true),
		},
		deps: []lint.StoredDependency{young, bad, old},
		trends: lint.Trends{Ends: ends, Repositories: repositories, Rules: []lint.RuleTrend{
			{Rule: "CO001", Counts: counts(4, 1)}, {Rule: "MC001", Counts: counts(0, 1)}, {Rule: "MC002", Counts: counts(7, 1)},
		}},
	}
}

// guardOptions is a dashboard with all of them.
func guardOptions(m memoryGuard) Options {
	return Options{Reports: fullReports(), Findings: someFindings(), Overview: m, Servers: m, Dependencies: m, Decisions: m, Now: guardNow}
}
