package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"steelyard/lint"
	"steelyard/lint/families"
)

// leaveKnown takes out of a result what a baseline or an earlier revision has
// already. s is the folder that is linted, as a change.
func (c *lintCommand) leaveKnown(ctx context.Context, p *program, s *span, cfg lint.Config, result *lint.Result) error {
	switch {
	case c.Baseline != "":
		return c.leaveAccepted(ctx, p, s, cfg, result)
	case c.Base != "":
		before, err := c.lintBase(ctx, s, cfg)
		if err != nil {
			return fmt.Errorf("--base %s: %w", c.Base, err)
		}
		s.leaveOld(before, result)
	}
	return nil
}

// leaveAccepted takes out what the baseline accepts.
func (c *lintCommand) leaveAccepted(ctx context.Context, p *program, s *span, cfg lint.Config, result *lint.Result) error {
	accepted, err := readBaseline(c.Baseline)
	if err != nil {
		return err
	}
	fresh, known, left := accepted.Split(result.Findings, nil)
	if left > 0 && c.StdinFilename == "" {
		p.say("%s of %s are not found any more; --write-baseline %s takes them out", counted(left, "findings"), c.Baseline, shellWord(c.Baseline))
	}
	if s.held() {
		own, stay, err := c.ownAccepted(ctx, s, cfg, known)
		if err != nil {
			return err
		}
		if len(own) > 0 {
			s.say("the change accepts findings of its own in %s: %s; they are reported, and accepted once it is merged", c.Baseline, joined(where(own)))
		}
		fresh, known = append(fresh, own...), stay
		slices.SortStableFunc(fresh, lint.Order)
	}
	result.Findings, result.Known = append([]lint.Finding{}, fresh...), result.Known+len(known)
	return nil
}

// ownAccepted tells of findings that the baseline accepts those that the change
// itself brings: neither the baseline of what it starts from knows them, nor are
// they found there, or something else is in their place there. A baseline that a
// change brings may accept what was there.
func (c *lintCommand) ownAccepted(ctx context.Context, s *span, cfg lint.Config, accepted []lint.Finding) (own, stay []lint.Finding, err error) {
	tree, name, err := s.fileBefore(ctx, "--baseline", c.Baseline)
	if err != nil || tree == nil {
		return nil, accepted, err
	}
	before := baselineOf(tree, name)
	if own, stay, _ = before.Split(accepted, s.gone); len(own) == 0 && !slices.ContainsFunc(stay, belowKey) {
		return own, stay, nil
	}
	there, err := c.lintBase(ctx, s, cfg)
	if err != nil {
		return nil, nil, err
	}
	found := lint.NewBaseline(there.Findings)
	own, stay, _ = before.Or(found).Split(accepted, s.gone)
	stay, other := sameMessages(there.Findings, stay)
	unlike, replaced, _ := found.Split(other, s.gone)
	return append(own, replaced...), append(stay, unlike...), nil
}

// leaveSilenced takes out what the settings of the change would not report and
// was found before it as well: who adopts settings, or answers what a new rule
// finds, brings nothing. The rest is reported whatever these settings say.
func (c *lintCommand) leaveSilenced(ctx context.Context, s *span, tree fs.FS, cfg, own lint.Config, result *lint.Result) error {
	if len(result.Findings) == 0 {
		return nil
	}
	by, err := lint.Run(ctx, tree, families.All(), own)
	if err != nil {
		return err
	}
	var silenced, kept []lint.Finding
	for _, f := range result.Findings {
		if _, reported := slices.BinarySearchFunc(by.Findings, f, lint.Order); reported {
			kept = append(kept, f)
		} else {
			silenced = append(silenced, f)
		}
	}
	if len(silenced) == 0 {
		return nil
	}
	there, err := c.lintBase(ctx, s, cfg)
	if err != nil {
		return err
	}
	fresh, known, _ := lint.NewBaseline(there.Findings).Split(silenced, s.gone)
	known, other := sameMessages(there.Findings, known)
	kept = slices.Concat(kept, fresh, other)
	slices.SortStableFunc(kept, lint.Order)
	result.Findings, result.Known = append([]lint.Finding{}, kept...), result.Known+len(known)
	return nil
}

// baselineOf reads a baseline of what a change starts from. One that cannot be
// read accepts nothing.
func baselineOf(tree fs.FS, name string) lint.Baseline {
	f, err := fileOf(tree, name)
	if err != nil {
		return lint.Baseline{}
	}
	defer func() { _ = f.Close() }() // it was only read
	b, err := lint.ReadBaseline(f)
	if err != nil {
		return lint.Baseline{}
	}
	return b
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

// lintBase lints the commit from which the change starts.
func (c *lintCommand) lintBase(ctx context.Context, s *span, cfg lint.Config) (lint.Result, error) {
	cfg.Committed, cfg.Suppressions = true, beforehand(cfg.Suppressions)
	result, err := lint.Run(ctx, s.base, families.All(), cfg)
	if err != nil {
		return result, fmt.Errorf("lint the base: %w", err)
	}
	return result, nil
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
