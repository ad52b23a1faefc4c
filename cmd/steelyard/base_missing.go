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
	// pullRef is the ref that GitHub and GitLab keep of a pull request, with or
	// without refs/ before it.
	pullRef = regexp.MustCompile(`^(?:refs/)?((?:pull|merge-requests)/[0-9]+/(?:head|merge))$`)
)

// The ends of a change, as flags name them.
const (
	baseEnd = "base"
	headEnd = "head"
)

// missing says how to get the commit that one end of a change is, and that the
// repository does not have. system is the CI system that made the clone, as
// systemOf tells it.
func missing(ctx context.Context, r *gittree.Repository, system, end, rev string, err error) error {
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
	default:
		command, then := fetching(rev, shallow)
		if then != rev && r.Has(ctx, then) && then != "FETCH_HEAD" {
			hint("there is one of origin: --%s %s", end, shellWord(then))
			return f
		}
		if command != "" {
			hint("fetch it: %s", command)
		}
		if then != rev {
			hint("it is --%s %s then", end, shellWord(then))
		}
	}
	if setting := deeper(system, 0); setting != "" && !pullRef.MatchString(rev) { // no depth brings that
		f.hints = append(f.hints, setting)
	}
	hint("or name another %s", end)
	return f
}

// fetching is the command that brings a revision, "" where none is known, and
// the name that it has afterwards. shallow is the flag that a shallow clone
// needs with it, with a space before it.
func fetching(rev, shallow string) (command, then string) {
	fetch := "git fetch --no-tags" + shallow + " origin"
	if wholeHash.MatchString(rev) {
		return fetch + " " + rev, rev
	}
	if pull := pullRef.FindStringSubmatch(rev); pull != nil {
		return fetch + " refs/" + pull[1], "FETCH_HEAD"
	}
	if tag, ok := strings.CutPrefix(rev, "refs/tags/"); ok && plainName.MatchString(tag) {
		return fetch + " " + shellWord("+"+rev+":"+rev), rev
	}
	branch, own := rev, false
	for _, prefix := range []string{"refs/remotes/origin/", "origin/"} {
		if name, ok := strings.CutPrefix(branch, prefix); ok {
			branch, own = name, true
			break
		}
	}
	branch = strings.TrimPrefix(branch, "refs/heads/")
	switch {
	case !plainName.MatchString(branch) && shallow != "":
		return fetch, rev
	case !plainName.MatchString(branch):
		return "", rev
	case own:
		return "git fetch" + shallow + " origin " + shellWord(fetched(branch)), rev
	}
	return "git fetch" + shallow + " origin " + shellWord(fetched(branch)), "origin/" + branch
}

// fetched is the refspec of a branch of origin under the name that a clone of
// all branches has for it.
func fetched(branch string) string {
	return fmt.Sprintf("+refs/heads/%s:refs/remotes/origin/%s", branch, branch)
}
