package github

import (
	"context"
	"errors"
	"fmt"
	"strings"

	gh "github.com/google/go-github/v60/github"
)

// ErrMayNotComment is wrapped by the error of a comment that these credentials
// may not write: there are none, they only read, as a fork's do, or the
// conversation is locked.
var ErrMayNotComment = errors.New("these credentials may not comment on the pull request")

// maxCommentPages bounds the search for an earlier comment: 3,000 comments.
const maxCommentPages = 30

// UpsertComment writes one comment on a pull request and keeps it to one: where
// these credentials wrote a comment before whose body begins with the marker,
// that one is changed, and only where the body differs. A comment of anybody
// else is never touched. The body has to begin with the marker. An error that
// wraps [ErrMayNotComment] says that the credentials may not write it.
func (c *Client) UpsertComment(ctx context.Context, owner, repo string, number int, marker, body string) error {
	_, err := c.comment(ctx, RepositoryRef{owner, repo}, number, marker, body, true)
	return err
}

// UpdateComment is [Client.UpsertComment] that begins no comment. It reports
// whether there was one.
func (c *Client) UpdateComment(ctx context.Context, owner, repo string, number int, marker, body string) (found bool, err error) {
	return c.comment(ctx, RepositoryRef{owner, repo}, number, marker, body, false)
}

func (c *Client) comment(ctx context.Context, ref RepositoryRef, number int, marker, body string, begin bool) (found bool, err error) {
	ctx = withOwner(ctx, ref.Owner)
	switch _, anonymous := c.exchange.credentials.(nobody); {
	case marker == "" || !strings.HasPrefix(body, marker):
		return false, errors.New("comment on GitHub: the body does not begin with its marker")
	case anonymous:
		return false, fmt.Errorf("comment on %s#%d: %w: there is no token", ref, number, ErrMayNotComment)
	}
	found, err = c.write(ctx, ref, number, marker, body, begin)
	if err != nil {
		for _, kind := range []error{ErrNotFound, ErrGone, ErrForbidden, ErrUnauthorized} {
			if errors.Is(err, kind) {
				err = fmt.Errorf("%w: %w", ErrMayNotComment, err)
				break
			}
		}
		return found, fmt.Errorf("comment on %s#%d: %w", ref, number, err)
	}
	return found, nil
}

// write changes the earlier comment or begins one. A beginning that failed may
// have reached GitHub all the same, so it is looked for before the second try.
func (c *Client) write(ctx context.Context, ref RepositoryRef, number int, marker, body string, begin bool) (found bool, err error) {
	who, err := c.viewer(ctx)
	if err != nil {
		return false, err
	}
	const tries = 2
	for try := range tries {
		earlier, err := c.earlier(ctx, ref, number, marker, who)
		switch {
		case err != nil:
			return false, err
		case earlier != nil && earlier.GetBody() == body:
			return true, nil
		case earlier != nil:
			_, _, err = c.rest.Issues.EditComment(ctx, ref.Owner, ref.Name, earlier.GetID(), &gh.IssueComment{Body: &body})
			return true, clean(err)
		case !begin:
			return false, nil
		}
		_, _, err = c.rest.Issues.CreateComment(sentOnce(ctx), ref.Owner, ref.Name, number, &gh.IssueComment{Body: &body})
		err = clean(err)
		var fault *AnswerError
		if err == nil || !errors.As(err, &fault) || try == tries-1 {
			return false, err
		}
	}
	return false, nil
}

// earlier is the oldest comment of ours with the marker, nil if there is none.
func (c *Client) earlier(ctx context.Context, ref RepositoryRef, number int, marker string, who viewer) (*gh.IssueComment, error) {
	at := gh.ListOptions{Page: 1, PerPage: perPage}
	for range maxCommentPages {
		page, response, err := c.rest.Issues.ListComments(ctx, ref.Owner, ref.Name, number, &gh.IssueListCommentsOptions{ListOptions: at})
		if err != nil {
			return nil, clean(err)
		}
		for _, one := range page {
			if one.GetID() > 0 && strings.HasPrefix(one.GetBody(), marker) && who.is(one.GetUser()) {
				return one, nil
			}
		}
		if response.NextPage <= at.Page {
			return nil, nil
		}
		at.Page = response.NextPage
	}
	return nil, &AnswerError{Reason: fmt.Sprintf("the pull request has more than %d comments, too many to find ours", maxCommentPages*perPage)}
}

// viewer is whom the credentials speak for.
type viewer struct {
	login string
	id    int64
}

// is reports whether an account is the viewer. GraphQL may name an app without
// the mark that REST adds.
func (v viewer) is(u *gh.User) bool {
	if v.id != 0 && u.GetID() != 0 {
		return v.id == u.GetID()
	}
	return v.login != "" && (u.GetLogin() == v.login || u.GetType() == "Bot" && u.GetLogin() == v.login+"[bot]")
}

// queryViewer asks for whom the credentials speak: GraphQL tells it of an
// installation's token too, REST only of a person's.
const queryViewer = `query Viewer {
  rateLimit { cost nodeCount }
  viewer { login databaseId }
}`

func (c *Client) viewer(ctx context.Context) (viewer, error) {
	var got struct {
		Viewer *struct {
			Login      string `json:"login"`
			DatabaseID int64  `json:"databaseId"`
		} `json:"viewer"`
	}
	faults, err := c.query(ctx, "Viewer", queryViewer, nil, &got)
	switch {
	case errors.Is(err, ErrNoGraphQL):
		u, _, err := c.rest.Users.Get(ctx, "")
		return viewer{u.GetLogin(), u.GetID()}, clean(err)
	case err != nil:
		return viewer{}, err
	case got.Viewer == nil || got.Viewer.Login == "":
		return viewer{}, missing(faults)
	}
	return viewer{got.Viewer.Login, got.Viewer.DatabaseID}, nil
}
