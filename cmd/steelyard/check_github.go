package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"steelyard/internal/actions"
	"steelyard/internal/config"
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

// fromGitHub adds what only GitHub knows: reviews, and who is in a team. What
// it refuses is said, and nothing fails for it.
func (c *checkCommand) fromGitHub(ctx context.Context, p *program, s *span, run *actions.Run, settings *config.Config, found *change.Change, w *who) error {
	client, why, err := c.client(p, run, settings)
	if err != nil {
		return err
	}
	if client == nil {
		found.Unknown = why
		return nil
	}
	asking, cancel := context.WithTimeout(ctx, checkAsks)
	defer cancel()
	owner, name, _ := strings.Cut(run.Repository, "/")
	ref := github.RepositoryRef{Owner: owner, Name: name}
	if run.Number == 0 {
		found.Unknown = "the run is not about one pull request"
	} else {
		pull, err := client.PullRequest(asking, ref, run.Number)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			found.Unknown = whyRefused(err, "the reviews", reviewsHint)
		} else {
			w.fromPull(found, pull)
			found.Commit = lastCommit(run, pull)
		}
	}
	found.Teams = map[string][]string{}
	for _, team := range found.Asks() {
		org, slug, _ := strings.Cut(strings.TrimPrefix(team, "@"), "/")
		members, err := client.TeamMembers(asking, org, slug)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue // the rule that needs it says so
		}
		found.Teams[team] = []string{}
		for _, m := range members {
			found.Teams[team] = append(found.Teams[team], m.Login)
		}
	}
	return s.ownership(ctx, asking, run, client, ref, found)
}

// ownership asks what GitHub makes of CODEOWNERS, where the change touches
// files that steer assistants.
func (s *span) ownership(ctx, asking context.Context, run *actions.Run, client *github.Client, ref github.RepositoryRef, found *change.Change) error {
	steering := found.Steering()
	now, place, err := ownersIn(s.above.head, s.head)
	if len(steering) == 0 || now == nil || err != nil {
		return nil //nolint:nilerr // the lint says what is wrong with the file
	}
	known := owners.OnGitHub{Branch: cmp.Or(run.Default, run.BaseBranch)}
	list, err := client.OwnersErrors(asking, ref, cmp.Or(run.Commit, s.headCommit))
	if ctx.Err() != nil {
		return ctx.Err()
	}
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
		required, err := client.RequiresOwners(asking, ref, known.Branch)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.say("whether the branch %s requires the review of a code owner (CO008): %s", known.Branch, whyRefused(err, "its protection", "a ruleset instead of branch protection can be read by everybody"))
		} else {
			known.Required = &required
		}
	}
	s.given = append(s.given, known)
	return nil
}

// client is the way to ask GitHub; nil where nobody is asked, and why says
// why.
func (c *checkCommand) client(p *program, run *actions.Run, settings *config.Config) (client *github.Client, why string, err error) {
	get := func(name string) string {
		v, _ := p.env(name)
		return strings.TrimSpace(v)
	}
	token := get("GITHUB_TOKEN")
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
	address := settings.GitHub.BaseURL // of the environment, see heldTo
	if server := get("GITHUB_SERVER_URL"); address == "" && server != "https://github.com" {
		address = server
	}
	client, err = github.New(github.Options{BaseURL: strings.TrimSuffix(address, "/"), Token: token, Clock: p.now, MaxWait: checkWait, Retries: checkRetries, Timeout: checkWait})
	if err != nil {
		return nil, "", fmt.Errorf("GitHub: %w", err)
	}
	return client, "", nil
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
	c.Described, c.Title, c.Body, c.Labels = true, pull.Title, pull.Body, pull.Labels
	c.Base, c.Head = pull.Base, pull.Head
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
