package main

import (
	"context"
	"errors"
	"fmt"

	"steelyard/internal/actions"
	"steelyard/internal/gittree"
)

// origin finds the two ends of a change from what a CI system says and what
// its clone holds. Clones in CI are mostly shallow; where one lacks what is
// needed, the error says which fetch brings it.
type origin struct {
	repository *gittree.Repository
	run        *actions.Run
	span       *span
}

// ends are the commits to compare. head is the one that a flag names, "" for
// what is checked out.
func (o origin) ends(ctx context.Context, head string) (base, tip string, err error) {
	if head == "" {
		if head, err = o.repository.Head(ctx); err != nil {
			return "", "", missing(ctx, o.repository, o.span.system, headEnd, "", err)
		}
	}
	named := head
	if head, err = o.repository.Resolve(ctx, named); err != nil {
		return "", "", fmt.Errorf("--head: %w", missing(ctx, o.repository, o.span.system, headEnd, named, err))
	}
	switch o.run.Kind {
	case actions.PullRequest, actions.PullRequestTarget, actions.Review:
		return o.pullRequest(ctx, head)
	case actions.Dispatch:
		return o.dispatched(ctx, head)
	default:
		return o.exact(ctx, head)
	}
}

// pullRequest takes the merge commit that GitHub makes of a pull request: its
// first parent is the branch that it goes to. Where the pull request's own
// last commit is checked out, the common ancestor is the base.
func (o origin) pullRequest(ctx context.Context, head string) (base, tip string, err error) {
	if o.run.Kind == actions.PullRequestTarget {
		o.span.say("the event is pull_request_target, which runs with the rights of the base: the files of the change are read and never executed; do not check them out in a job that holds secrets")
	}
	parents, err := o.repository.Parents(ctx, head)
	if err != nil {
		return "", "", err
	}
	merge := len(parents) == 2 && (o.run.HeadCommit == "" || parents[1] == o.run.HeadCommit)
	switch {
	case merge && o.repository.Has(ctx, parents[0]):
		return parents[0], head, nil
	case merge:
		return "", "", o.fetchHint("the checkout holds the merge commit alone, without what it was merged into", "git fetch --no-tags --depth=2 origin "+head, 2)
	case o.run.HeadCommit != "" && head == o.run.BaseCommit, o.run.Kind == actions.PullRequestTarget && head == o.run.Commit:
		// The base is checked out, not the change.
		if !o.repository.Has(ctx, o.run.HeadCommit) {
			return "", "", o.fetchHint("the base is checked out and the change is not here", o.fetch(ctx, fmt.Sprintf("refs/pull/%d/head", o.run.Number)), none)
		}
		head = o.run.HeadCommit
	}
	return o.common(ctx, o.run.BaseCommit, head)
}

// common takes the last common commit with the base's tip, which is fetched by
// its name: the branch may be gone by now.
func (o origin) common(ctx context.Context, tip, head string) (string, string, error) {
	if tip == "" {
		return "", "", withHint(errors.New("the event names no commit of the base"), "name it: --base REV")
	}
	if !o.repository.Has(ctx, tip) {
		return "", "", o.fetchHint(fmt.Sprintf("the commit %.12s of the base is not here", tip), o.fetch(ctx, tip), 0)
	}
	base, err := o.repository.Common(ctx, tip, head)
	if errors.Is(err, gittree.ErrNothingCommon) {
		return "", "", o.fetchHint(err.Error(), o.fetch(ctx, tip), 0)
	}
	return base, head, err
}

// exact takes the base that the event names as it is: what a push or a merge
// queue starts from.
func (o origin) exact(ctx context.Context, head string) (string, string, error) {
	base := o.run.BaseCommit
	switch {
	case base == "": // a new branch
		return o.dispatched(ctx, head)
	case o.repository.Has(ctx, base):
		return base, head, nil
	}
	return "", "", o.fetchHint(fmt.Sprintf("the commit %.12s that the change starts from is not here", base), "git fetch --no-tags --depth=1 origin "+base, 0)
}

// dispatched compares what is checked out with the default branch; on the
// default branch itself, with the commit before.
func (o origin) dispatched(ctx context.Context, head string) (string, string, error) {
	if o.run.Default == "" {
		return "", "", withHint(errors.New("there is no change: the event names neither a base nor a default branch"), "name it: --base REV")
	}
	if o.run.HeadBranch != o.run.Default {
		tip := "refs/remotes/origin/" + o.run.Default
		commit, err := o.repository.Resolve(ctx, tip)
		if err != nil {
			return "", "", o.fetchHint(fmt.Sprintf("the default branch %s is not here", o.run.Default), o.fetch(ctx, fetched(o.run.Default)), 0)
		}
		return o.common(ctx, commit, head)
	}
	parents, err := o.repository.Parents(ctx, head)
	if err != nil {
		return "", "", err
	}
	if len(parents) == 0 {
		return "", "", withHint(errors.New("the first commit has nothing before it to compare with"), "name it: --base REV or --base DIR; \"steelyard lint\" looks at everything")
	}
	if !o.repository.Has(ctx, parents[0]) {
		return "", "", o.fetchHint("the commit before is not here", "git fetch --no-tags --depth=2 origin "+head, 2)
	}
	o.span.say("the default branch itself is checked out: what is looked at is its last commit")
	return parents[0], head, nil
}

// fetch is the command that brings a commit with the history below it.
func (o origin) fetch(ctx context.Context, what string) string {
	unshallow := ""
	if o.repository.Shallow(ctx) {
		unshallow = " --unshallow"
	}
	return "git fetch --no-tags" + unshallow + " origin " + shellWord(what)
}

// none is for what no depth of a checkout brings.
const none = -1

// fetchHint is an error about missing history, with the command that brings it
// and how many commits the checkout would have to fetch, 0 for all.
func (o origin) fetchHint(what, command string, commits int) error {
	f := &failure{err: errors.New(what), hints: []string{"fetch it: " + command}}
	if setting := deeper(o.span.system, commits); setting != "" && commits != none {
		f.hints = append(f.hints, setting)
	}
	return f
}
