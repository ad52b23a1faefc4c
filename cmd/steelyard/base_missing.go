package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"steelyard/internal/actions"
	"steelyard/internal/gittree"
)

// Hosted CI systems whose clones are shallow unless they are told otherwise,
// with what tells them.
const (
	onGitHub = "GitHub"
	onGitLab = "GitLab"
)

// systemOf is the CI system that a run is one of, "" for none.
func systemOf(run *actions.Run) string {
	switch {
	case run == nil:
		return ""
	case run.GitHub:
		return onGitHub
	}
	return onGitLab
}

// system is the CI system that the program runs in, as systemOf tells it.
func (p *program) system() string {
	run, _ := actions.Read(p.env) // what its event says is not asked
	return systemOf(run)
}

// deeper is what to set so that a CI system fetches so many commits, 0 for all
// of them; "" where there is nothing to set.
func deeper(system string, commits int) string {
	switch system {
	case onGitHub:
		return fmt.Sprintf("in the workflow, give actions/checkout fetch-depth: %d", commits)
	case onGitLab:
		return fmt.Sprintf("in .gitlab-ci.yml, give the job the variable GIT_DEPTH: \"%d\"", commits)
	}
	return ""
}

// The forms of revisions that a fetch can bring.
var (
	wholeHash = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
	plainName = regexp.MustCompile(`^[\pL\pN_][\pL\pN_./+-]*$`)
)

// missingBase says how to get what --base names and the repository does not
// have. system is the CI system that made the clone, as systemOf tells it.
func missingBase(ctx context.Context, r *gittree.Repository, system, base string, err error) error {
	f := &failure{err: err}
	hint := func(format string, args ...any) { f.hints = append(f.hints, fmt.Sprintf(format, args...)) }
	shallow := ""
	if r.Shallow(ctx) {
		shallow = " --unshallow"
	}
	switch {
	case errors.Is(err, gittree.ErrNoCommits):
		hint("commit something first, or look at everything as it is: steelyard lint")
		return f
	case errors.Is(err, gittree.ErrNothingCommon) && shallow == "":
		hint("they began apart from each other: name another base")
		return f
	case errors.Is(err, gittree.ErrNothingCommon):
		hint("fetch it: git fetch --no-tags --unshallow origin")
	case !errors.Is(err, gittree.ErrNoCommit):
		return err
	case wholeHash.MatchString(base):
		hint("fetch it: git fetch --no-tags%s origin %s", shallow, base)
	case !plainName.MatchString(base):
		if shallow != "" {
			hint("fetch it: git fetch --no-tags --unshallow origin")
		}
	default:
		branch := strings.TrimPrefix(strings.TrimPrefix(base, "refs/remotes/"), "origin/")
		if branch == base && r.Has(ctx, "refs/remotes/origin/"+branch) {
			hint("there is one of origin: --base %s", shellWord("origin/"+branch))
			return f
		}
		hint("fetch it: git fetch%s origin %s", shallow, shellWord(fetched(branch)))
		if branch == base {
			hint("it is --base %s then", shellWord("origin/"+branch))
		}
	}
	if setting := deeper(system, 0); setting != "" {
		f.hints = append(f.hints, setting)
	}
	hint("or name another base")
	return f
}

// fetched is the refspec of a branch of origin under the name that a clone of
// all branches has for it.
func fetched(branch string) string {
	return fmt.Sprintf("+refs/heads/%s:refs/remotes/origin/%s", branch, branch)
}
