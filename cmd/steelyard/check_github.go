package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"steelyard/internal/actions"
	"steelyard/internal/github"
	"steelyard/lint/change"
	"steelyard/lint/owners"
	"steelyard/metrics/ingest/attribution"
)

// Bounds on what a check waits for: it stands in the way of a pull request.
const (
	checkWait    = 20 * time.Second // for one answer
	checkRetries = 2
	checkAsks    = time.Minute // for all of them
)

// reviewsHint says what a token needs to read reviews.
const reviewsHint = "give the job the permission pull-requests: read"

// asker asks GitHub about one change. What it refuses is said, and nothing fails
// for it.
type asker struct {
	client *github.Client
	run    *actions.Run
	at     github.RepositoryRef
}

// asker is nil where nobody is asked, and why says why.
func (c *checkCommand) asker(p *program, run *actions.Run) (a *asker, why string, err error) {
	token, err := p.secret("GITHUB_TOKEN", "")
	if err != nil {
		return nil, "", err
	}
	switch {
	case run == nil:
		return nil, "the run is not about a pull request, so its reviews are not known", nil
	case run.Kind == actions.MergeRequest:
		return nil, "the reviews of merge requests in GitLab are not read", nil
	case c.Offline:
		return nil, "GitHub was not asked (--offline)", nil
	case run.Repository == "":
		return nil, "the environment names no repository", nil
	case token == "":
		return nil, "there is no token to read the reviews with; put one into GITHUB_TOKEN, and " + reviewsHint, nil
	}
	client, err := p.jobsGitHub(token)
	if err != nil {
		return nil, "", fmt.Errorf("GitHub: %w", err)
	}
	owner, name, _ := strings.Cut(run.Repository, "/")
	return &asker{client, run, github.RepositoryRef{Owner: owner, Name: name}}, "", nil
}

// jobsGitHub speaks to the GitHub that runs the job. Neither its address nor the
// token comes from steelyard.yaml: that belongs to the change, and a change must
// not say where the token goes.
func (p *program) jobsGitHub(token string) (*github.Client, error) {
	get := func(name string) string {
		v, _ := p.env(name)
		return strings.TrimSuffix(strings.TrimSpace(v), "/")
	}
	address := get("STEELYARD_GITHUB_URL")
	if server := get("GITHUB_SERVER_URL"); address == "" && server != "https://github.com" {
		address = server
	}
	return github.New(github.Options{BaseURL: address, Token: token, Clock: p.now, MaxWait: checkWait, Retries: checkRetries, Timeout: checkWait})
}

// pull adds the pull request as GitHub has it now, with its reviews.
func (a *asker) pull(ctx context.Context, found *change.Change, w *who) {
	if a.run.Number == 0 {
		found.Unknown = "the run is not about one pull request"
		return
	}
	pull, err := a.client.PullRequest(ctx, a.at, a.run.Number)
	if err != nil {
		found.Unknown = whyRefused(err, "the reviews", reviewsHint)
		return
	}
	w.fromPull(found, pull)
	found.Commit = lastCommit(a.run, pull)
}

// teams adds who is in the teams that the rules want to know about. The rule
// that needs one which cannot be read says so.
func (a *asker) teams(ctx context.Context, found *change.Change) {
	found.Teams = map[string][]string{}
	for _, team := range found.Asks() {
		org, slug, _ := strings.Cut(strings.TrimPrefix(team, "@"), "/")
		members, err := a.client.TeamMembers(ctx, org, slug)
		if err != nil {
			continue
		}
		found.Teams[team] = []string{}
		for _, m := range members {
			found.Teams[team] = append(found.Teams[team], m.Login)
		}
	}
}

// ownership adds what GitHub makes of CODEOWNERS, where the change touches files
// that steer assistants.
func (a *asker) ownership(ctx context.Context, s *span, found *change.Change) {
	steering := found.Steering()
	now, place, err := ownersIn(s.above.head, s.head)
	if len(steering) == 0 || now == nil || err != nil {
		return // the lint says what is wrong with the file
	}
	known := owners.OnGitHub{Branch: cmp.Or(a.run.Default, a.run.BaseBranch)}
	list, err := a.client.OwnersErrors(ctx, a.at, cmp.Or(s.headCommit, a.run.Commit))
	if err != nil {
		s.say("whether the owners in %s exist and may write (CO007): %s", place, whyRefused(err, "the repository", "give the job the permission contents: read"))
	}
	for _, e := range list {
		if strings.Contains(strings.ToLower(e.Kind), "owner") {
			known.Unusable = append(known.Unusable, owners.UnusableOwner{Path: e.Path, Line: e.Line})
		}
	}
	known.Unusable = owners.Concerned(known.Unusable, found.Owners, now, steering)
	if known.Branch != "" {
		required, err := a.client.RequiresOwners(ctx, a.at, known.Branch)
		if err != nil {
			s.say("whether the branch %s requires the review of a code owner (CO008): %s", known.Branch, whyRefused(err, "its protection", "a ruleset instead of branch protection can be read by everybody"))
		} else {
			known.Required = &required
		}
	}
	s.given = append(s.given, known)
}

// whyRefused says in words why GitHub did not give something.
func whyRefused(err error, what, hint string) string {
	var limit *github.LimitError
	switch {
	case errors.Is(err, github.ErrForbidden), errors.Is(err, github.ErrNotFound), errors.Is(err, github.ErrGone):
		return "the token may not read " + what + "; " + hint
	case errors.Is(err, github.ErrUnauthorized):
		return "GitHub does not accept the token in GITHUB_TOKEN"
	case errors.As(err, &limit):
		return "GitHub's limit on requests is used up"
	}
	return "GitHub could not be asked for " + what + " (it did not answer as it should)"
}

// fromPull takes over what GitHub says now, which is newer than the event.
func (w *who) fromPull(c *change.Change, pull github.PullRequest) {
	c.Described, c.Body, c.Labels = true, pull.Body, pull.Labels
	c.Author, c.Agent = w.account(pull.Author.Login, pull.Author.ID, pull.Author.Bot())
	for _, a := range pull.Assignees {
		w.asked(c, a.Login, a.ID, a.Bot(), false)
	}
	c.ReviewsKnown = true
	for _, incomplete := range pull.Incomplete {
		if strings.HasPrefix(incomplete, "reviews") {
			c.ReviewsKnown, c.Unknown = false, "GitHub did not give all of the reviews"
		}
	}
	for _, one := range pull.Commits {
		w.commits = append(w.commits, attribution.Commit{
			Author:     attribution.Account{Login: one.Author.Login, ID: one.Author.ID, Bot: one.Author.Bot()},
			AuthorName: one.Name, AuthorEmail: one.Email, Message: one.Message,
		})
	}
	for _, r := range pull.Reviews {
		by, _ := w.account(r.Author.Login, r.Author.ID, r.Author.Bot())
		c.Reviews = append(c.Reviews, change.Review{By: by, State: r.State, Commit: r.Commit})
	}
}

// lastCommit is the one that is checked: the event's, because more may have
// been pushed since. In a merge queue that is the queue's own.
func lastCommit(run *actions.Run, pull github.PullRequest) string {
	if run.Kind == actions.MergeGroup {
		return pull.HeadOID
	}
	return cmp.Or(run.HeadCommit, pull.HeadOID)
}
