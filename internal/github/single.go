package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// PullRequest reads one whole pull request by its number, by GraphQL and, where
// that fails, by REST.
func (c *Client) PullRequest(ctx context.Context, ref RepositoryRef, number int) (PullRequest, error) {
	ctx = withOwner(ctx, ref.Owner)
	p, err := c.one(ctx, ref, number)
	if err == nil || errors.Is(err, ErrNotFound) || (final(err) && !errors.Is(err, ErrNoGraphQL)) {
		return p, wrapPull(ref, number, err)
	}
	p, restErr := c.oneREST(ctx, ref, number)
	if restErr != nil && !final(restErr) {
		return PullRequest{}, wrapPull(ref, number, fmt.Errorf("%w; and by REST: %w", err, restErr))
	}
	return p, wrapPull(ref, number, restErr)
}

func wrapPull(ref RepositoryRef, number int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("read pull request %s#%d: %w", ref, number, err)
}

// one reads one pull request by GraphQL.
func (c *Client) one(ctx context.Context, ref RepositoryRef, number int) (PullRequest, error) {
	var got struct {
		Repository *struct {
			ID          string    `json:"id"`
			PullRequest *pullNode `json:"pullRequest"`
		} `json:"repository"`
	}
	vars := map[string]any{"owner": ref.Owner, "name": ref.Name, "number": number}
	faults, err := c.query(ctx, "One", queryOne, vars, &got)
	if err != nil {
		return PullRequest{}, err
	}
	if got.Repository == nil || got.Repository.PullRequest == nil {
		return PullRequest{}, missing(faults)
	}
	n := got.Repository.PullRequest
	if !n.usable() {
		return PullRequest{}, &AnswerError{Status: http.StatusOK, Reason: "the pull request has no identity, number or beginning"}
	}
	pulls := []PullRequest{n.value()}
	pulls[0].Repository = got.Repository.ID
	for _, f := range faults {
		if f.in("repository", "pullRequest") {
			pulls[0].Incomplete = append(pulls[0].Incomplete, f.where(2))
		}
	}
	if err := c.follow(ctx, pulls, []*pullNode{n}); err != nil {
		return PullRequest{}, err
	}
	return pulls[0], nil
}
