package github

import (
	"context"
	"errors"
	"fmt"
	"time"

	gh "github.com/google/go-github/v60/github"
)

// Repository finds a repository by its name, also by one that it had before a
// rename or a transfer.
func (c *Client) Repository(ctx context.Context, ref RepositoryRef) (Repository, error) {
	r, _, err := c.rest.Repositories.Get(withOwner(ctx, ref.Owner), ref.Owner, ref.Name)
	if err != nil {
		return Repository{}, fmt.Errorf("find repository %s: %w", ref, clean(err))
	}
	return repositoryOf(r), nil
}

// Repositories lists the repositories of an organisation, or of a person.
func (c *Client) Repositories(ctx context.Context, org string) ([]Repository, error) {
	ctx = withOwner(ctx, org)
	got, err := all(ctx, func(at gh.ListOptions) ([]*gh.Repository, *gh.Response, error) {
		return c.rest.Repositories.ListByOrg(ctx, org, &gh.RepositoryListByOrgOptions{Sort: "full_name", ListOptions: at})
	})
	if errors.Is(err, ErrNotFound) {
		got, err = all(ctx, func(at gh.ListOptions) ([]*gh.Repository, *gh.Response, error) {
			return c.rest.Repositories.ListByUser(ctx, org, &gh.RepositoryListByUserOptions{Sort: "full_name", ListOptions: at})
		})
	}
	if err != nil {
		return nil, fmt.Errorf("list repositories of %s: %w", org, err)
	}
	return repositoriesOf(got), nil
}

// InstallationRepositories lists what the App was given to read, over all its
// installations unless Options.App names one.
func (c *Client) InstallationRepositories(ctx context.Context) ([]Repository, error) {
	if c.app == nil {
		return nil, errors.New("list the App's repositories: the credentials are not an App's")
	}
	installations := []int64{c.app.Installation}
	if c.app.Installation == 0 {
		found, err := all(ctx, func(at gh.ListOptions) ([]*gh.Installation, *gh.Response, error) {
			return c.rest.Apps.ListInstallations(asApp(ctx), &at)
		})
		if err != nil {
			return nil, fmt.Errorf("list the App's installations: %w", err)
		}
		installations = installations[:0]
		for _, i := range found {
			installations = append(installations, i.GetID())
		}
	}
	var out []Repository
	for _, id := range installations {
		ctx := withInstallation(ctx, id)
		got, err := all(ctx, func(at gh.ListOptions) ([]*gh.Repository, *gh.Response, error) {
			page, response, err := c.rest.Apps.ListRepos(ctx, &at)
			if err != nil {
				return nil, response, err
			}
			return page.Repositories, response, nil
		})
		if err != nil {
			return nil, fmt.Errorf("list repositories of installation %d: %w", id, err)
		}
		out = append(out, repositoriesOf(got)...)
	}
	return out, nil
}

func repositoriesOf(all []*gh.Repository) []Repository {
	out := make([]Repository, 0, len(all))
	for _, r := range all {
		if r != nil {
			out = append(out, repositoryOf(r))
		}
	}
	return out
}

func repositoryOf(r *gh.Repository) Repository {
	return Repository{
		ID: r.GetNodeID(), DatabaseID: r.GetID(), NameWithOwner: r.GetFullName(), DefaultBranch: r.GetDefaultBranch(),
		Archived: r.GetArchived(), Private: r.GetPrivate(), Fork: r.GetFork(), Created: utc(r.CreatedAt),
	}
}

func utc(t *gh.Timestamp) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}
