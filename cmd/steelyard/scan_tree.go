package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"steelyard/internal/config"
	"steelyard/lint"
)

// scanned is a repository that was linted, with the trees that its dependencies
// are read from.
type scanned struct {
	result lint.Result
	commit string // "" where it is not known
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
	approve(scan.Inventory.Servers, s.settings, now)
	return scan
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
		t := compared{}
		if s.base, err = t.commit(ctx, dir, base, true); err != nil {
			return scanned{}, fmt.Errorf("--base: %w", err)
		}
		s.baseCommitted, s.close = true, t.close
	}
	if s.result, err = p.lint(ctx, dir, tree, settings); err != nil {
		return scanned{}, errors.Join(err, s.close())
	}
	return s, nil
}

// approve notes which servers the repository's own settings approve of today.
func approve(servers []lint.SeenServer, settings *config.Config, now time.Time) {
	today := now.UTC().Format(time.DateOnly)
	for i := range servers {
		for _, a := range settings.Servers.Approved {
			if a.Server != servers[i].Subject() || !a.Until.IsZero() && a.Until.Format(time.DateOnly) < today {
				continue
			}
			servers[i].Approval = &lint.CommittedDecision{Reason: a.Reason, Owner: a.Owner}
			if !a.Until.IsZero() {
				servers[i].Approval.Until = a.Until.Format(time.DateOnly)
			}
		}
	}
}
