package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"steelyard/internal/gittree"
	"steelyard/lint"
	"steelyard/lint/families"
)

// leaveKnown takes out of a result what a baseline or an earlier revision has
// already.
func (c *lintCommand) leaveKnown(ctx context.Context, p *program, tree fs.FS, cfg lint.Config, result *lint.Result) error {
	var base lint.Baseline
	var err error
	var gone func(string) bool
	switch {
	case c.Baseline != "":
		base, err = readBaseline(c.Baseline)
	case c.Base != "":
		base, err = c.baseline(ctx, cfg, p.system())
		gone = func(name string) bool {
			_, err := fs.Lstat(tree, name)
			return errors.Is(err, fs.ErrNotExist)
		}
	default:
		return nil
	}
	if err != nil {
		return err
	}
	fresh, known, left := base.Split(result.Findings, gone)
	result.Findings, result.Known = append([]lint.Finding{}, fresh...), len(known)
	if left > 0 && c.Baseline != "" && c.StdinFilename == "" {
		p.say("%s of %s are not found any more; --write-baseline %s takes them out", counted(left, "findings"), c.Baseline, shellWord(c.Baseline))
	}
	return nil
}

func readBaseline(name string) (lint.Baseline, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return lint.Baseline{}, withHint(fmt.Errorf("the baseline %s does not exist", name), "make one of today's findings: steelyard lint --write-baseline %s", shellWord(name))
	}
	if err != nil {
		return lint.Baseline{}, err
	}
	b, err := lint.ReadBaseline(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return lint.Baseline{}, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// baseline lints the commit from which the change starts.
func (c *lintCommand) baseline(ctx context.Context, cfg lint.Config, system string) (lint.Baseline, error) {
	repository, err := gittree.Open(ctx, c.Path)
	if err != nil {
		return lint.Baseline{}, fmt.Errorf("--base %s: %w", c.Base, err)
	}
	commit, err := repository.MergeBase(ctx, c.Base)
	if err != nil {
		return lint.Baseline{}, fmt.Errorf("--base %s: %w", c.Base, missingBase(ctx, repository, system, c.Base, err))
	}
	tree, err := repository.Tree(ctx, commit)
	if err != nil {
		return lint.Baseline{}, fmt.Errorf("--base %s: %w", c.Base, err)
	}
	cfg.Committed = true
	result, err := lint.Run(ctx, tree, families.All(), cfg)
	if err := errors.Join(err, tree.Close()); err != nil {
		return lint.Baseline{}, fmt.Errorf("--base %s: %w", c.Base, err)
	}
	return lint.NewBaseline(result.Findings), nil
}

func (c *lintCommand) writeBaseline(p *program, result lint.Result) error {
	var text bytes.Buffer
	if err := lint.NewBaseline(result.Findings).Write(&text); err != nil {
		return err
	}
	if err := writeAtomic(c.WriteBaseline, text.Bytes()); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "wrote %s into %s\n", counted(len(result.Findings), "findings"), c.WriteBaseline)
	p.next("\"steelyard lint --baseline %s\" reports what comes on top of them", shellWord(c.WriteBaseline))
	return err
}
