package github

import (
	"context"
	"fmt"

	gh "github.com/google/go-github/v60/github"
)

const (
	perPage = 100
	// maxPages bounds a list that is read whole: 100,000 elements.
	maxPages = 1000
)

// all reads every page of a list. Pages are counted by GitHub's own links.
func all[T any](ctx context.Context, read func(gh.ListOptions) ([]T, *gh.Response, error)) ([]T, error) {
	var out []T
	at := gh.ListOptions{Page: 1, PerPage: perPage}
	for range maxPages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		page, response, err := read(at)
		if err != nil {
			return nil, clean(err)
		}
		out = append(out, page...)
		if response.NextPage <= at.Page {
			return out, nil
		}
		at.Page = response.NextPage
	}
	return nil, &AnswerError{Reason: fmt.Sprintf("a list of more than %d pages", maxPages)}
}

// accountOf is a REST user as an account; nil is a ghost.
func accountOf(u *gh.User) Account {
	if u == nil {
		return Account{}
	}
	return Account{ID: u.GetID(), NodeID: u.GetNodeID(), Login: plainLogin(u.GetLogin()), Type: u.GetType()}
}
