package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	gh "github.com/google/go-github/v60/github"
)

// PullRequestREST reads one whole pull request by REST alone.
func (c *Client) PullRequestREST(ctx context.Context, ref RepositoryRef, number int) (PullRequest, error) {
	p, err := c.oneREST(withOwner(ctx, ref.Owner), ref, number)
	return p, wrapPull(ref, number, err)
}

// oneREST asks for the pull request and for each of its lists. A list that
// cannot be read makes it incomplete and no more.
func (c *Client) oneREST(ctx context.Context, ref RepositoryRef, number int) (PullRequest, error) {
	got, _, err := c.rest.PullRequests.Get(ctx, ref.Owner, ref.Name, number)
	if err != nil {
		return PullRequest{}, clean(err)
	}
	p := pullOf(got)
	if p.ID == "" || p.Number <= 0 || p.Created.IsZero() {
		return PullRequest{}, &AnswerError{Status: http.StatusOK, Reason: "the pull request has no identity, number or beginning"}
	}
	for _, part := range []struct {
		name string
		skip bool
		read func() error
	}{
		{"commits", false, func() error { return c.restCommits(ctx, ref, &p) }},
		{"reviews", false, func() error { return c.restReviews(ctx, ref, &p) }},
		{"reviewThreads", got.ReviewComments != nil && got.GetReviewComments() == 0, func() error { return c.restThreads(ctx, ref, &p) }},
		{"timelineItems", false, func() error { return c.restEvents(ctx, ref, &p) }},
		{"files", false, func() error { return c.restFiles(ctx, ref, &p) }},
		{"mergeCommit", p.Merged.IsZero() || got.GetMergeCommitSHA() == "", func() error { return c.restMerge(ctx, ref, got.GetMergeCommitSHA(), &p) }},
	} {
		if part.skip {
			continue
		}
		if err := part.read(); err != nil {
			if final(err) {
				return PullRequest{}, err
			}
			p.Incomplete = append(p.Incomplete, fmt.Sprintf("%s: %s", part.name, c.exchange.redact(brief(err.Error()))))
		}
	}
	p.noteCaps(got.GetCommits())
	p.arrange()
	return p, nil
}

// pullOf is a pull request as REST gives it, without its lists.
func pullOf(got *gh.PullRequest) PullRequest {
	p := PullRequest{
		ID: got.GetNodeID(), DatabaseID: got.GetID(), Repository: got.GetBase().GetRepo().GetNodeID(), Number: got.GetNumber(),
		Title: got.GetTitle(), Body: got.GetBody(), State: stateOf(got), Draft: got.GetDraft(),
		Created: utc(got.CreatedAt), Updated: utc(got.UpdatedAt), Closed: utc(got.ClosedAt), Merged: utc(got.MergedAt),
		Additions: got.GetAdditions(), Deletions: got.GetDeletions(), ChangedFiles: got.GetChangedFiles(),
		Base: got.GetBase().GetRef(), Head: got.GetHead().GetRef(), HeadOID: got.GetHead().GetSHA(),
		CrossRepository: isCross(got),
		Author:          accountOf(got.User), MergedBy: accountOf(got.MergedBy), Comments: got.GetComments(),
	}
	for _, a := range got.Assignees {
		if a != nil {
			p.Assignees = append(p.Assignees, accountOf(a))
		}
	}
	for _, l := range got.Labels {
		p.Labels = append(p.Labels, l.GetName())
	}
	return p
}

// isCross reports whether the head is in another repository. A fork that was
// deleted since is null.
func isCross(p *gh.PullRequest) bool {
	head, base := p.GetHead().GetRepo(), p.GetBase().GetRepo()
	return head == nil || head.GetID() != base.GetID()
}

func commitOf(n *gh.RepositoryCommit, parents bool) Commit {
	git := n.GetCommit()
	c := Commit{
		OID: n.GetSHA(), Message: git.GetMessage(), Author: accountOf(n.Author),
		Name: git.GetAuthor().GetName(), Email: git.GetAuthor().GetEmail(),
		Authored: git.GetAuthor().GetDate().UTC(), Committed: git.GetCommitter().GetDate().UTC(),
	}
	if c.Author.Ghost() {
		c.Author = fromNoreply(c.Email)
	}
	if parents {
		c.Parents = []string{}
		for _, p := range n.Parents[:min(len(n.Parents), 2)] {
			c.Parents = append(c.Parents, p.GetSHA())
		}
	}
	return c
}

func (c *Client) restCommits(ctx context.Context, ref RepositoryRef, p *PullRequest) error {
	got, err := all(ctx, func(at gh.ListOptions) ([]*gh.RepositoryCommit, *gh.Response, error) {
		return c.rest.PullRequests.ListCommits(ctx, ref.Owner, ref.Name, p.Number, &at)
	})
	for _, n := range got {
		p.Commits = append(p.Commits, commitOf(n, false))
	}
	return err
}

func (c *Client) restReviews(ctx context.Context, ref RepositoryRef, p *PullRequest) error {
	got, err := all(ctx, func(at gh.ListOptions) ([]*gh.PullRequestReview, *gh.Response, error) {
		return c.rest.PullRequests.ListReviews(ctx, ref.Owner, ref.Name, p.Number, &at)
	})
	for _, n := range got {
		if !strings.EqualFold(n.GetState(), "PENDING") {
			p.Reviews = append(p.Reviews, reviewOf(n))
		}
	}
	return err
}

func reviewOf(n *gh.PullRequestReview) Review {
	return Review{
		ID: n.GetNodeID(), DatabaseID: n.GetID(), State: strings.ToUpper(n.GetState()),
		Author: accountOf(n.User), Submitted: utc(n.SubmittedAt), Commit: n.GetCommitID(),
	}
}

func (c *Client) restThreads(ctx context.Context, ref RepositoryRef, p *PullRequest) error {
	got, err := all(ctx, func(at gh.ListOptions) ([]*gh.PullRequestComment, *gh.Response, error) {
		return c.rest.PullRequests.ListComments(ctx, ref.Owner, ref.Name, p.Number,
			&gh.PullRequestListCommentsOptions{Sort: "created", Direction: "asc", ListOptions: at})
	})
	p.Threads = threadsOf(got)
	return err
}

// threadsOf puts comments and the answers to them together. An answer whose
// first comment was deleted begins a thread of its own.
func threadsOf(comments []*gh.PullRequestComment) []Thread {
	comments = slices.DeleteFunc(slices.Clone(comments), func(n *gh.PullRequestComment) bool { return n == nil })
	slices.SortStableFunc(comments, func(a, b *gh.PullRequestComment) int {
		return a.GetCreatedAt().Compare(b.GetCreatedAt().Time)
	})
	var out []Thread
	index := map[int64]int{}
	for _, n := range comments {
		root := n.GetID()
		if n.InReplyTo != nil {
			root = n.GetInReplyTo()
		}
		at, known := index[root]
		if !known {
			at = len(out)
			index[root] = at
			// A position is null once the lines are no longer in the change; a
			// comment on a whole file has none at all.
			outdated := n.Position == nil && n.GetSubjectType() != "file"
			out = append(out, Thread{ID: n.GetNodeID(), Path: n.GetPath(), Outdated: outdated})
		}
		out[at].Comments = append(out[at].Comments, Comment{Author: accountOf(n.User), Created: utc(n.CreatedAt)})
	}
	return out
}

// restKinds are REST's names of the events, the same words as ours.
var restKinds = []EventKind{Ready, Drafted, ForcePushed, WasClosed, Reopened, WasMerged, BaseChanged}

func (c *Client) restEvents(ctx context.Context, ref RepositoryRef, p *PullRequest) error {
	got, err := all(ctx, func(at gh.ListOptions) ([]*gh.Timeline, *gh.Response, error) {
		return c.rest.Issues.ListIssueTimeline(ctx, ref.Owner, ref.Name, p.Number, &at)
	})
	for _, n := range got {
		if e, known := eventOf(n); known {
			p.Events = append(p.Events, e)
		}
	}
	return err
}

func eventOf(n *gh.Timeline) (Event, bool) {
	kind := EventKind(n.GetEvent())
	if !slices.Contains(restKinds, kind) {
		return Event{}, false
	}
	e := Event{Kind: kind, At: utc(n.CreatedAt), Actor: accountOf(n.Actor)}
	if kind == ForcePushed || kind == WasMerged {
		e.To = n.GetCommitID()
	}
	return e, true
}

func (c *Client) restFiles(ctx context.Context, ref RepositoryRef, p *PullRequest) error {
	got, err := all(ctx, func(at gh.ListOptions) ([]*gh.CommitFile, *gh.Response, error) {
		return c.rest.PullRequests.ListFiles(ctx, ref.Owner, ref.Name, p.Number, &at)
	})
	if err == nil {
		p.Files = []File{}
	}
	for _, n := range got {
		p.Files = append(p.Files, File{Path: n.GetFilename(), Additions: n.GetAdditions(), Deletions: n.GetDeletions()})
	}
	return err
}

// restMerge reads the merge commit; one that is no longer there is left out,
// as GraphQL does.
func (c *Client) restMerge(ctx context.Context, ref RepositoryRef, sha string, p *PullRequest) error {
	got, _, err := c.rest.Repositories.GetCommit(ctx, ref.Owner, ref.Name, sha, &gh.ListOptions{PerPage: 1})
	if err = clean(err); err != nil {
		if errors.Is(err, ErrNotFound) || isUnprocessable(err) {
			return nil
		}
		return err
	}
	merge := commitOf(got, false)
	p.MergeCommit = &merge
	return nil
}

// isUnprocessable is GitHub's answer for a hash that names no commit.
func isUnprocessable(err error) bool {
	var answer *AnswerError
	return errors.As(err, &answer) && answer.Status == http.StatusUnprocessableEntity
}
