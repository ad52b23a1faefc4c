package github

import (
	"context"
	"errors"
	"fmt"
)

// HasBranch reports whether a repository has a branch of a name.
func (c *Client) HasBranch(ctx context.Context, ref RepositoryRef, name string) (bool, error) {
	_, _, err := c.rest.Git.GetRef(withOwner(ctx, ref.Owner), ref.Owner, ref.Name, "heads/"+name)
	if err = clean(err); errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for branch %s of %s: %w", name, ref, err)
	}
	return true, nil
}
