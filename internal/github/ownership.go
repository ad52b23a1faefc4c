package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	gh "github.com/google/go-github/v60/github"
)

// OwnersError is what GitHub finds wrong in a CODEOWNERS file.
type OwnersError struct {
	Path    string
	Line    int
	Kind    string // "Unknown owner", "Invalid pattern"
	Source  string // the line
	Message string
}

// OwnersErrors lists what GitHub finds wrong in the CODEOWNERS of a revision
// ("" for the default branch): among others, owners who do not exist or may not
// write. Reading the contents of the repository is enough for it.
func (c *Client) OwnersErrors(ctx context.Context, ref RepositoryRef, rev string) ([]OwnersError, error) {
	ctx = withOwner(ctx, ref.Owner)
	got, _, err := c.rest.Repositories.GetCodeownersErrors(ctx, ref.Owner, ref.Name, &gh.GetCodeownersErrorsOptions{Ref: rev})
	if err != nil {
		return nil, fmt.Errorf("read the errors of CODEOWNERS in %s: %w", ref, clean(err))
	}
	var all []OwnersError
	for _, e := range got.Errors {
		if e != nil {
			all = append(all, OwnersError{Path: e.Path, Line: e.Line, Kind: e.Kind, Source: e.Source, Message: e.Message})
		}
	}
	return all, nil
}

// RequiresOwners reports whether a branch takes no pull request without the
// review of a code owner: by a ruleset, which everybody may read, or by the
// protection of the branch, for which the credentials must administer the
// repository. Where only that could say it and may not be read, the error wraps
// [ErrForbidden].
func (c *Client) RequiresOwners(ctx context.Context, ref RepositoryRef, branch string) (bool, error) {
	ctx = withOwner(ctx, ref.Owner)
	list, _, err := c.rest.Repositories.GetRulesForBranch(ctx, ref.Owner, ref.Name, branch)
	if err = clean(err); err != nil && !errors.Is(err, ErrNotFound) {
		return false, fmt.Errorf("read the rules of branch %s in %s: %w", branch, ref, err)
	}
	for _, r := range list {
		if rulesetRequiresOwners(r) {
			return true, nil
		}
	}
	got, _, err := c.rest.Repositories.GetBranchProtection(ctx, ref.Owner, ref.Name, branch)
	switch {
	case errors.Is(err, gh.ErrBranchNotProtected):
		return false, nil
	case err != nil:
		if err = clean(err); errors.Is(err, ErrNotFound) {
			// Who may not administer the repository gets the same answer as for
			// a branch that is not protected, in other words.
			err = fmt.Errorf("%w: the protection of the branch", ErrForbidden)
		}
		return false, fmt.Errorf("read the protection of branch %s in %s: %w", branch, ref, err)
	}
	reviews := got.GetRequiredPullRequestReviews()
	return reviews != nil && reviews.RequireCodeOwnerReviews, nil
}

func rulesetRequiresOwners(r *gh.RepositoryRule) bool {
	if r == nil || r.Type != "pull_request" || r.Parameters == nil {
		return false
	}
	var p gh.PullRequestRuleParameters
	return json.Unmarshal(*r.Parameters, &p) == nil && p.RequireCodeOwnerReview
}
