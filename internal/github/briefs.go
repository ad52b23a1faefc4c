package github

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// namedBriefs is a page of briefs and the repository it is of.
type namedBriefs struct {
	BriefPage
	repository Repository
}

type briefNode struct {
	ID        string    `json:"id"`
	Number    int       `json:"number"`
	State     string    `json:"state"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// briefs reads the names of the pull requests of a page.
func (c *Client) briefs(ctx context.Context, ref RepositoryRef, q PageQuery, size int) (namedBriefs, error) {
	return c.askBriefs(ctx, map[string]any{
		"owner": ref.Owner, "name": ref.Name,
		"first": size, "after": cursor(q.After), "order": order(q), "states": states(q),
	}, q.After)
}

func (c *Client) askBriefs(ctx context.Context, vars map[string]any, after string) (namedBriefs, error) {
	var got struct {
		Repository *struct {
			repositoryNode
			PullRequests *connection[briefNode] `json:"pullRequests"`
		} `json:"repository"`
	}
	faults, err := c.query(ctx, "Briefs", queryBriefs, vars, &got)
	if err != nil {
		return namedBriefs{}, err
	}
	if got.Repository == nil {
		return namedBriefs{}, missing(faults)
	}
	pulls := got.Repository.PullRequests
	if pulls == nil || pulls.Nodes == nil {
		return namedBriefs{}, withheld("pull requests", faults)
	}
	out := namedBriefs{repository: got.Repository.value()}
	out.Total = pulls.TotalCount
	if out.Next, out.More, err = pulls.PageInfo.after(after); err != nil {
		return namedBriefs{}, err
	}
	for _, n := range nodes(pulls) {
		out.Briefs = append(out.Briefs, Brief{ID: n.ID, Number: n.Number, State: n.State, Updated: n.UpdatedAt.UTC()})
	}
	return out, nil
}

// Briefs lists a repository's pull requests with what tells whether one must
// be read again, 100 a page in the order in which they were opened: one
// GraphQL point a page. Where GraphQL is blocked it reads the same by REST.
func (c *Client) Briefs(ctx context.Context, ref RepositoryRef, after string) (BriefPage, error) {
	ctx = withOwner(ctx, ref.Owner)
	if isRESTCursor(after) {
		return c.briefsREST(ctx, ref, after)
	}
	got, err := c.askBriefs(ctx, map[string]any{
		"owner": ref.Owner, "name": ref.Name, "first": maxSize, "after": cursor(after),
		"order": map[string]string{"field": "CREATED_AT", "direction": "ASC"}, "states": states(PageQuery{}),
	}, after)
	if errors.Is(err, ErrNoGraphQL) && after == "" {
		return c.briefsREST(ctx, ref, after)
	}
	if err != nil {
		return BriefPage{}, fmt.Errorf("list pull requests of %s: %w", ref, err)
	}
	return got.BriefPage, nil
}

// Totals counts a repository's pull requests by state, for one GraphQL point.
// Where GraphQL is blocked it counts by paging through REST.
func (c *Client) Totals(ctx context.Context, ref RepositoryRef) (Totals, error) {
	ctx = withOwner(ctx, ref.Owner)
	type count struct {
		TotalCount int `json:"totalCount"`
	}
	var got struct {
		Repository *struct {
			repositoryNode
			Open, Closed, Merged count
		} `json:"repository"`
	}
	faults, err := c.query(ctx, "Totals", queryTotals, map[string]any{"owner": ref.Owner, "name": ref.Name}, &got)
	switch {
	case errors.Is(err, ErrNoGraphQL):
		return c.totalsREST(ctx, ref)
	case err == nil && got.Repository == nil:
		err = missing(faults)
	}
	if err != nil {
		return Totals{}, fmt.Errorf("count pull requests of %s: %w", ref, err)
	}
	r := got.Repository
	return Totals{Repository: r.value(), Open: r.Open.TotalCount, Closed: r.Closed.TotalCount, Merged: r.Merged.TotalCount}, nil
}
