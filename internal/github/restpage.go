package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	gh "github.com/google/go-github/v60/github"
)

// restCursor is where a list of REST goes on. Pages have numbers and their
// rows move while they are read, so each order is one in which moving rows are
// seen twice and never left out: as opened, oldest first (nothing moves), or
// as updated, newest first (an update moves a row to the front).
type restCursor struct {
	Page int
	Size int
}

const restMark = "rest:"

func isRESTCursor(s string) bool { return strings.HasPrefix(s, restMark) }

func (r restCursor) text() string { return fmt.Sprintf("%s%d:%d", restMark, r.Page, r.Size) }

// parseREST reads a cursor; empty begins with pages of the given size.
func parseREST(s string, size int) (restCursor, error) {
	if s == "" {
		return restCursor{Page: 1, Size: size}, nil
	}
	var at restCursor
	if _, err := fmt.Sscanf(s, restMark+"%d:%d", &at.Page, &at.Size); err != nil || at.Page < 1 || at.Size < 1 || at.Size > maxSize {
		return restCursor{}, fmt.Errorf("the cursor %q is not one of REST; begin again without it", brief(s))
	}
	return at, nil
}

// PageREST reads the same as [Client.Page] where GraphQL is blocked, at the
// price of about six requests for each pull request. Oldest first means here:
// as opened. Its cursors are its own. Where nothing more is left its Next
// repeats the last page, which may have grown.
func (c *Client) PageREST(ctx context.Context, ref RepositoryRef, q PageQuery) (Page, error) {
	ctx = withOwner(ctx, ref.Owner)
	page, err := c.pageREST(ctx, ref, q)
	if err != nil {
		return Page{}, fmt.Errorf("read pull requests of %s: %w", ref, err)
	}
	return page, nil
}

func (c *Client) pageREST(ctx context.Context, ref RepositoryRef, q PageQuery) (Page, error) {
	r, _, err := c.rest.Repositories.Get(ctx, ref.Owner, ref.Name)
	if err != nil {
		return Page{}, clean(err)
	}
	page := Page{Repository: repositoryOf(r)}
	if q.Size >= 0 {
		if err := c.addPulls(ctx, ref, q, &page); err != nil {
			return Page{}, err
		}
	}
	if q.Commits {
		if err := c.addCommitsREST(ctx, ref, q, &page); err != nil {
			return Page{}, err
		}
	}
	return page, nil
}

func (c *Client) addPulls(ctx context.Context, ref RepositoryRef, q PageQuery, page *Page) error {
	at, err := parseREST(q.After, wantedSize(q))
	if err != nil {
		return err
	}
	listed, response, err := c.rest.PullRequests.List(ctx, ref.Owner, ref.Name, listOptions(q, at))
	if err != nil {
		return clean(err)
	}
	page.More = response.NextPage > at.Page
	page.Total = max(response.LastPage*at.Size, (at.Page-1)*at.Size+len(listed))
	next := at
	if page.More {
		next.Page = response.NextPage
	}
	page.Next = next.text()
	for _, l := range listed {
		p, err := c.oneREST(ctx, ref, l.GetNumber())
		switch {
		case err == nil:
			page.PullRequests = append(page.PullRequests, p)
		case final(err):
			return err
		default:
			page.Skipped = append(page.Skipped, Skipped{Number: l.GetNumber(), Reason: c.exchange.redact(brief(err.Error()))})
			c.exchange.notify(Notice{Kind: SkippedItem, Reason: fmt.Sprintf("%s#%d could not be read", ref, l.GetNumber())})
		}
	}
	return nil
}

func listOptions(q PageQuery, at restCursor) *gh.PullRequestListOptions {
	o := &gh.PullRequestListOptions{
		State: "all", Sort: "created", Direction: "asc",
		ListOptions: gh.ListOptions{Page: at.Page, PerPage: at.Size},
	}
	if q.Newest {
		o.Sort, o.Direction = "updated", "desc"
	}
	if q.OpenOnly {
		o.State = "open"
	}
	return o
}

// addCommitsREST adds a page of the default branch's history. New commits push
// old ones to later pages, where they are seen twice.
func (c *Client) addCommitsREST(ctx context.Context, ref RepositoryRef, q PageQuery, page *Page) error {
	at, err := parseREST(q.CommitsAfter, historySize)
	if err != nil {
		return err
	}
	if page.Repository.DefaultBranch == "" {
		return nil
	}
	got, response, err := c.rest.Repositories.ListCommits(ctx, ref.Owner, ref.Name, &gh.CommitsListOptions{
		SHA: page.Repository.DefaultBranch, Since: q.CommitsSince,
		ListOptions: gh.ListOptions{Page: at.Page, PerPage: at.Size},
	})
	var failed *gh.ErrorResponse
	if errors.As(err, &failed) && failed.Response.StatusCode == http.StatusConflict {
		return nil // GitHub's answer for a repository without commits
	}
	if err != nil {
		return clean(err)
	}
	for _, n := range got {
		if n.GetSHA() != "" {
			page.Commits = append(page.Commits, commitOf(n, true))
		}
	}
	page.CommitsMore = response.NextPage > at.Page
	if page.CommitsMore {
		at.Page = response.NextPage
	}
	page.CommitsNext = at.text()
	return nil
}

// briefsREST lists pull requests as opened, by REST.
func (c *Client) briefsREST(ctx context.Context, ref RepositoryRef, after string) (BriefPage, error) {
	at, err := parseREST(after, maxSize)
	if err != nil {
		return BriefPage{}, fmt.Errorf("list pull requests of %s: %w", ref, err)
	}
	got, response, err := c.rest.PullRequests.List(ctx, ref.Owner, ref.Name, listOptions(PageQuery{}, at))
	if err != nil {
		return BriefPage{}, fmt.Errorf("list pull requests of %s: %w", ref, clean(err))
	}
	page := BriefPage{More: response.NextPage > at.Page}
	page.Total = max(response.LastPage*at.Size, (at.Page-1)*at.Size+len(got))
	if page.More {
		at.Page = response.NextPage
	}
	page.Next = at.text()
	for _, p := range got {
		page.Briefs = append(page.Briefs, Brief{ID: p.GetNodeID(), Number: p.GetNumber(), State: stateOf(p), Updated: utc(p.UpdatedAt)})
	}
	return page, nil
}

// totalsREST counts by reading the list: REST tells no number.
func (c *Client) totalsREST(ctx context.Context, ref RepositoryRef) (Totals, error) {
	r, err := c.Repository(ctx, ref)
	if err != nil {
		return Totals{}, err
	}
	t := Totals{Repository: r}
	seen := map[string]bool{}
	for after, more := "", true; more; {
		page, err := c.briefsREST(ctx, ref, after)
		if err != nil {
			return Totals{}, err
		}
		for _, b := range page.Briefs {
			if !seen[b.ID] {
				seen[b.ID] = true
				t.count(b.State)
			}
		}
		after, more = page.Next, page.More
	}
	return t, nil
}

func (t *Totals) count(state string) {
	switch state {
	case "OPEN":
		t.Open++
	case "MERGED":
		t.Merged++
	default:
		t.Closed++
	}
}

// stateOf is the state in GraphQL's words: REST says closed for merged too.
func stateOf(p *gh.PullRequest) string {
	switch {
	case p.MergedAt != nil || p.GetMerged():
		return "MERGED"
	case strings.EqualFold(p.GetState(), "open"):
		return "OPEN"
	}
	return "CLOSED"
}
