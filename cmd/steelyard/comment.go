package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"steelyard/internal/actions"
	"steelyard/internal/github"
	"steelyard/lint/output"
)

// When a check writes a comment.
const (
	commentNever     = "never"
	commentOnFailure = "on-failure"
	commentAlways    = "always"
)

// commentWait bounds how long a comment may take, with what it waits for GitHub:
// the answer is in the job's summary as well, and a runner's minutes cost.
const commentWait = 20 * time.Second

// comment writes the result as one comment on the pull request of a run of
// GitHub Actions, and renews it with every run. With on-failure a comment is
// begun only where the check fails, and is renewed when it no longer does. A
// comment that cannot be written never fails the check: why it was not is said
// on standard error, and the report goes into the job's summary unless it is
// there already.
func (p *program) comment(ctx context.Context, mode string, run *actions.Run, check output.Check, o output.Options, summarised bool) error {
	if mode == "" || mode == commentNever {
		return nil
	}
	err := inTime(ctx, commentWait, func(ctx context.Context) error { return p.writeComment(ctx, mode, run, check, o) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		return nil
	}
	hint := ""
	if errors.Is(err, github.ErrMayNotComment) {
		hint = "; the job needs \"permissions: pull-requests: write\" and the token in GITHUB_TOKEN, which pull requests from forks never have"
	}
	p.say("no comment was written: %v%s", err, hint)
	if summarised || run == nil || run.SummaryFile == "" {
		return nil
	}
	if err := appendSummary(run.SummaryFile, check, o); err != nil {
		p.say("no job summary was written: %v", err)
	}
	return nil
}

// inTime ends what asks GitHub after some time, and says so.
func inTime(ctx context.Context, most time.Duration, ask func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	err := ask(bounded)
	if bounded.Err() != nil && ctx.Err() == nil && err != nil {
		return fmt.Errorf("GitHub did not answer within %s", most)
	}
	return err
}

// errNoPullRequest says that there is nothing to comment on.
var errNoPullRequest = errors.New("this run is of no pull request on GitHub")

func (p *program) writeComment(ctx context.Context, mode string, run *actions.Run, check output.Check, o output.Options) error {
	if run == nil || !run.GitHub || run.Number == 0 {
		return errNoPullRequest
	}
	owner, name, ok := strings.Cut(run.Repository, "/")
	if !ok {
		return fmt.Errorf("the repository %q is not owner/name", run.Repository)
	}
	token, err := p.secret("GITHUB_TOKEN", "")
	if err != nil {
		return err
	}
	client, err := p.jobsGitHub(token) // without a token it is one that may not comment
	if err != nil {
		return err
	}
	if o.Marker == "" {
		o.Marker = output.Marker(o.Folder)
	}
	var body strings.Builder
	if err := output.Write(&body, "markdown", check, o); err != nil {
		return err
	}
	if mode == commentOnFailure && !check.Fails() {
		_, err = client.UpdateComment(ctx, owner, name, run.Number, o.Marker, body.String())
		return err
	}
	return client.UpsertComment(ctx, owner, name, run.Number, o.Marker, body.String())
}

// appendSummary adds the full report to the file of a job's summary, which other
// steps may have begun.
func appendSummary(file string, check output.Check, o output.Options) error {
	var text bytes.Buffer
	if err := output.Write(&text, "summary", check, o); err != nil {
		return err
	}
	return appendTo(file, text.Bytes())
}
