package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"steelyard/internal/actions"
	"steelyard/internal/config"
	"steelyard/internal/gittree"
)

// held reports whether what the change starts from is known, so that it can be
// held to that.
func (s *span) held() bool { return s.base != nil }

// changeOf is the linted folder as a change, with what it starts from where it is
// one: of what --base names, in CI of what a pull request goes to. Its settings
// and its baseline are not believed then, since the change may have edited them.
func (c *lintCommand) changeOf(ctx context.Context, p *program, tree fs.FS) (*span, error) {
	s := &span{compared: compared{head: tree, dir: c.Path, system: p.system()}}
	if c.WriteBaseline != "" || c.StdinFilename != "" {
		return s, nil // these check nothing
	}
	run, unread := actions.Read(p.env)
	switch {
	case c.Base != "":
		return s, s.sinceCommon(ctx, c.Base)
	case !ofPullRequest(run):
		return s, nil
	}
	err := s.sincePullRequest(ctx, run, unread)
	return s, err
}

// ofPullRequest reports whether a run is about a pull request that is not merged
// yet.
func ofPullRequest(run *actions.Run) bool {
	if run == nil {
		return false
	}
	switch run.Kind {
	case actions.PullRequest, actions.PullRequestTarget, actions.Review, actions.MergeGroup, actions.MergeRequest:
		return true
	}
	return false
}

// sinceCommon takes the last commit that is common with a revision.
func (s *span) sinceCommon(ctx context.Context, rev string) (err error) {
	if s.repository, err = gittree.Open(ctx, s.dir); err != nil {
		return fmt.Errorf("--base %s: %w", rev, err)
	}
	common, err := s.repository.MergeBase(ctx, rev)
	if err != nil {
		return fmt.Errorf("--base %s: %w", rev, missing(ctx, s.repository, s.system, baseEnd, rev, err))
	}
	if s.base, s.baseCommit, err = s.tree(ctx, common); err != nil {
		return fmt.Errorf("--base %s: %w", rev, err)
	}
	return nil
}

// sincePullRequest takes what the pull request of a run goes to, where the folder
// is of its repository and holds the change.
func (s *span) sincePullRequest(ctx context.Context, run *actions.Run, unread error) error {
	const own = "so it is held to its own settings and baseline"
	repository, err := gittree.Open(ctx, s.dir)
	if errors.Is(err, gittree.ErrNoRepository) || errors.Is(err, gittree.ErrNoGit) && !inWorkingTree(s.dir) {
		s.say("the folder lies in no git repository, %s", own)
		return nil
	}
	if err != nil {
		return err
	}
	if link := linkInRepository(s.dir); link != "" {
		return linkedFolder(link)
	}
	if unread != nil {
		return eventHint(unread)
	}
	head, err := repository.Head(ctx)
	if err != nil || !repository.Has(ctx, run.Commit) && !repository.Has(ctx, run.HeadCommit) && !repository.Has(ctx, run.BaseCommit) {
		s.say("the folder lies in another repository than the pull request, %s", own)
		return nil //nolint:nilerr // nothing is committed there
	}
	if head == run.BaseCommit || run.Kind == actions.PullRequestTarget && head == run.Commit {
		return nil // what is checked out is the base, and no change
	}
	s.repository = repository
	base, tip, err := origin{repository, run, s}.ends(ctx, "")
	if err != nil {
		return unknownBase{err}
	}
	s.headCommit, s.baseName = tip, run.BaseBranch
	s.base, s.baseCommit, err = s.tree(ctx, base)
	return err
}

// unknownBase is why it is not known what a pull request starts from.
type unknownBase struct{ error }

func (u unknownBase) Unwrap() error { return u.error }

// unheld answers an error about what a change starts from. Where nothing that the
// change could have edited loosens the defaults, they are what it is held to, and
// the run goes on: most who lint have neither settings nor a baseline, and a
// checkout of one commit. A change that takes settings away is held to the
// defaults then; the result says what it could not tell.
func (c *lintCommand) unheld(ctx context.Context, p *program, s *span, settings *config.Config, unknown error, flags ...config.Flag) error {
	var cause unknownBase
	if c.Base != "" || !errors.As(unknown, &cause) && !errors.Is(unknown, gittree.ErrPartial) {
		return unknown
	}
	if c.Baseline != "" && s.editable(ctx, c.Baseline) {
		return unknown
	}
	if p.configFile == "" || s.editable(ctx, p.configFile) {
		defaults, err := p.load(nothing{}, config.Sources{Flags: flags})
		if err != nil {
			return err
		}
		own := *settings
		if edited := hold(&own, defaults); len(edited) > 0 {
			return unknown
		}
	}
	s.base, s.baseCommit = nil, ""
	cure := ""
	var known *failure
	if errors.As(partialHint(unknown), &known) && len(known.hints) > 0 {
		cure = "; to hold a change to settings that it takes away, " + known.hints[len(known.hints)-1]
	}
	s.say("what counted before the change is not known (%v), and nothing that the change could have edited asks for less than the defaults: it is held to what stands here%s", unknown, cure)
	return nil
}

// editable reports whether a change could have edited a file: it lies in its
// repository, and no step of the job made it.
func (t *compared) editable(ctx context.Context, file string) bool {
	root, folder, err := t.root(ctx)
	if err != nil {
		return true
	}
	name, inside := nameBelow(root, file)
	if !inside || linkBelow(root, name) != "" {
		return inside
	}
	committed, known := t.committed(ctx, folder, name)
	return committed || !known
}

// linkedFolder is the error about a folder that a change may have made a link of,
// to look at another one in its place.
func linkedFolder(link string) error {
	return withHint(fmt.Errorf("%s is a link in the repository, and a change could make it lead to another folder", link), "name the folder itself")
}
