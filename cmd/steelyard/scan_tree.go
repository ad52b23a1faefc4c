package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"steelyard/internal/config"
	"steelyard/lint"
)

// scanned is a repository that was linted, with the trees that its dependencies
// are read from.
type scanned struct {
	result lint.Result
	commit string // "" where it is not known
	rev    string // the branch, tag or commit that was asked of GitHub, "" of a folder
	// tree is the repository, base what its dependencies are compared with, nil
	// for the scan before this one.
	tree, base                   fs.FS
	treeCommitted, baseCommitted bool
	settings                     *config.Config // those that stand in the tree
	cut                          bool           // not all files are known
	close                        func() error
}

// asScan is what is stored of it, but for its dependencies.
func (s scanned) asScan(repository string, now time.Time) lint.Scan {
	scan := lint.Scan{
		Repository: repository, Commit: s.commit, At: now.UTC(), Files: s.result.Files, Findings: s.result.Findings, Inventory: s.result.Inventory,
	}
	approve(scan.Inventory.Servers, scan.Findings, s.settings, now)
	return scan
}

// read says what was read of a repository on GitHub, as a line; nothing of a
// folder.
func (s scanned) read() string {
	if s.rev == "" || s.rev == s.commit {
		return ""
	}
	return fmt.Sprintf("read %s at %s\n", oneLine(s.rev), oneLine(s.commit))
}

// lintFolder lints a folder of this machine. base, where it is not empty, is
// the folder or revision that its dependencies are compared with.
func (p *program) lintFolder(ctx context.Context, dir, base string) (scanned, error) {
	tree, settings, err := p.openLinted(dir)
	if err != nil {
		return scanned{}, err
	}
	s := scanned{tree: tree, settings: settings, treeCommitted: !inWorkingTree(dir), close: func() error { return nil }}
	switch {
	case base == "":
	case isFolder(base):
		if s.base, err = openTree(base); err != nil {
			return scanned{}, fmt.Errorf("--base: %w", err)
		}
	default:
		t := compared{dir: dir, system: p.system()}
		if s.base, _, err = t.commit(ctx, baseEnd, base, true); err != nil {
			return scanned{}, fmt.Errorf("--base: %w", err)
		}
		s.baseCommitted, s.close = true, t.close
	}
	if s.result, err = p.lint(ctx, dir, tree, settings); err != nil {
		return scanned{}, errors.Join(err, s.close())
	}
	return s, nil
}

// approvedServers are the patterns of servers that the settings approve of
// today: those of the policy, and each decision that is not over. nil means that
// there is no list.
func approvedServers(settings *config.Config, now time.Time) []string {
	list := settings.Policy.Servers
	for _, a := range settings.Servers.Approved {
		if list == nil {
			list = []string{}
		}
		if over(a, now) {
			continue
		}
		kind, name, _ := strings.Cut(a.Server, ":")
		if kind == "package" {
			name = "*:" + name // whichever registry it comes from
		}
		list = append(slices.Clip(list), name)
	}
	return list
}

func over(a config.ServerApproval, now time.Time) bool {
	return !a.Until.IsZero() && a.Until.Format(time.DateOnly) < now.UTC().Format(time.DateOnly)
}

// approve notes which servers the repository's own settings approve of today: by
// a decision of their own, or because the rule about the policy's list has
// nothing against them.
func approve(servers []lint.SeenServer, findings []lint.Finding, settings *config.Config, now time.Time) {
	refused := map[string]bool{}
	for _, f := range findings {
		if f.Rule == notApprovedRule {
			refused[fmt.Sprint(f.Path, ":", f.Line)] = true
		}
	}
	for i := range servers {
		for _, a := range settings.Servers.Approved {
			if a.Server != servers[i].Subject() || over(a, now) {
				continue
			}
			servers[i].Approval = &lint.CommittedDecision{Reason: a.Reason, Owner: a.Owner}
			if !a.Until.IsZero() {
				servers[i].Approval.Until = a.Until.Format(time.DateOnly)
			}
		}
		listed := settings.Policy.Servers != nil && !switchedOff(settings) && !refused[fmt.Sprint(servers[i].Path, ":", servers[i].Line)]
		if listed && servers[i].Approval == nil {
			servers[i].Approval = &lint.CommittedDecision{Reason: "it is on the list policy.servers"}
		}
	}
}

// notApprovedRule is the rule about servers that are not on the list.
const notApprovedRule = "MC015"

// switchedOff reports whether the settings switch that rule off.
func switchedOff(settings *config.Config) bool {
	return slices.ContainsFunc(settings.Lint.Rules, func(r config.RuleSetting) bool {
		return (r.Rule == notApprovedRule || r.Rule == "mcp-server-not-approved") && r.Severity == "off"
	})
}
