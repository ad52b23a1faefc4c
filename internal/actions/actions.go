package actions

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Kind says what started a run.
type Kind string

// The kinds of runs that a check can be made of.
const (
	PullRequest       Kind = "pull_request"
	PullRequestTarget Kind = "pull_request_target" // runs with the base's rights
	Review            Kind = "pull_request_review"
	MergeGroup        Kind = "merge_group" // the queue before a merge
	Push              Kind = "push"
	Dispatch          Kind = "workflow_dispatch"
	MergeRequest      Kind = "merge_request" // of GitLab
)

// kinds are the events of GitHub that are read.
var kinds = map[Kind]bool{
	PullRequest: true, PullRequestTarget: true, Review: true, MergeGroup: true, Push: true, Dispatch: true,
}

// Run is one run of a CI system.
type Run struct {
	Kind Kind
	// Event is the event's name as the system writes it; Kind is empty where
	// it is one that no check can be made of.
	Event string
	// GitHub reports whether it is a run of GitHub Actions.
	GitHub bool
	// Repository is "owner/name" of the repository that it runs in.
	Repository string
	// Number is the pull request's, 0 where there is none.
	Number int
	// Commit is what the system checked out.
	Commit string
	// BaseCommit is the tip of the branch that the change goes to when the
	// event happened; for a push, a merge queue and a merge request it is what
	// the change starts from. HeadCommit is the last commit of the change. Both
	// are empty where the event does not say.
	BaseCommit, HeadCommit string
	// BaseBranch is the branch that the change goes to, HeadBranch the one
	// that it comes from, Default the repository's default branch.
	BaseBranch, HeadBranch, Default string
	// Fork reports whether the change comes from another repository.
	Fork bool
	// SummaryFile is where the job's summary is written, empty for none.
	SummaryFile string
	// Pull is the pull request as the event describes it, nil where it does
	// not.
	Pull *Pull
}

// Pull is a pull request as an event describes it.
type Pull struct {
	Body      string
	Author    Account
	Assignees []Account
	// Requested are the people whose review is asked for, RequestedTeams the
	// slugs of teams.
	Requested      []Account
	RequestedTeams []string
	Labels         []string
}

// Account is an account as an event names it. Login is as REST writes it.
type Account struct {
	ID    int64
	Login string
	Type  string // User, Bot, Organization
}

// ErrUnknownEvent is wrapped by the error about an event that is no change.
var ErrUnknownEvent = errors.New("the event is no change that could be checked")

// Read tells the run that the program is part of. It is nil outside of CI. env
// looks up environment variables.
func Read(env func(string) (string, bool)) (*Run, error) {
	get := func(name string) string {
		v, _ := env(name)
		return strings.TrimSpace(v)
	}
	switch {
	case get("GITHUB_ACTIONS") == "true":
		return github(get)
	case get("GITLAB_CI") == "true":
		return gitlab(get), nil
	}
	return nil, nil
}

func github(get func(string) string) (*Run, error) {
	r := &Run{
		GitHub: true, Event: get("GITHUB_EVENT_NAME"), Repository: repository(get("GITHUB_REPOSITORY")),
		Commit: hash(get("GITHUB_SHA")), SummaryFile: get("GITHUB_STEP_SUMMARY"),
	}
	if !kinds[Kind(r.Event)] {
		return r, fmt.Errorf("%w: %q", ErrUnknownEvent, clip(r.Event))
	}
	r.Kind = Kind(r.Event)
	file := get("GITHUB_EVENT_PATH")
	if file == "" {
		return r, errors.New("GITHUB_EVENT_PATH is not set: the event cannot be read")
	}
	text, err := readEvent(file)
	if err != nil {
		return r, fmt.Errorf("read the event: %w", err)
	}
	if err := r.event(text); err != nil {
		return r, fmt.Errorf("read the event %s: %w", file, err)
	}
	return r, nil
}

// readEvent reads an event file, and one byte more than it may have.
func readEvent(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxEvent+1))
	return text, errors.Join(err, f.Close())
}

// gitlab reads the variables of a merge-request pipeline.
//
// Source: GitLab's manual, "Predefined CI/CD variables reference".
func gitlab(get func(string) string) *Run {
	r := &Run{
		Event: get("CI_PIPELINE_SOURCE"), Repository: get("CI_PROJECT_PATH"), Commit: hash(get("CI_COMMIT_SHA")),
		Default: branch(get("CI_DEFAULT_BRANCH")), HeadBranch: branch(get("CI_COMMIT_BRANCH")),
	}
	if iid := get("CI_MERGE_REQUEST_IID"); iid != "" {
		r.Kind, r.Number = MergeRequest, number(iid)
		r.BaseBranch, r.HeadBranch = branch(get("CI_MERGE_REQUEST_TARGET_BRANCH_NAME")), branch(get("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"))
		r.BaseCommit = hash(get("CI_MERGE_REQUEST_DIFF_BASE_SHA"))
		r.HeadCommit = r.Commit
		from, to := get("CI_MERGE_REQUEST_SOURCE_PROJECT_PATH"), get("CI_MERGE_REQUEST_PROJECT_PATH")
		r.Fork = from != "" && from != to
		r.Pull = &Pull{
			Body:   clipTo(get("CI_MERGE_REQUEST_DESCRIPTION"), maxBody),
			Labels: list(get("CI_MERGE_REQUEST_LABELS")),
		}
		return r
	}
	r.Kind = Push
	r.BaseCommit = hash(get("CI_COMMIT_BEFORE_SHA"))
	r.HeadCommit, r.BaseBranch = r.Commit, r.HeadBranch
	return r
}

// list cuts names at commas.
func list(s string) []string {
	var all []string
	for one := range strings.SplitSeq(s, ",") {
		if one = strings.TrimSpace(one); one != "" && len(all) < maxList {
			all = append(all, one)
		}
	}
	return all
}
