package github

import (
	"context"
	"fmt"

	gh "github.com/google/go-github/v60/github"
)

// Teams lists an organisation's teams.
func (c *Client) Teams(ctx context.Context, org string) ([]Team, error) {
	ctx = withOwner(ctx, org)
	got, err := all(ctx, func(at gh.ListOptions) ([]*gh.Team, *gh.Response, error) {
		return c.rest.Teams.ListTeams(ctx, org, &at)
	})
	if err != nil {
		return nil, fmt.Errorf("list teams of %s: %w", org, err)
	}
	out := make([]Team, 0, len(got))
	for _, t := range got {
		if t != nil {
			out = append(out, teamOf(t))
		}
	}
	return out, nil
}

func teamOf(t *gh.Team) Team {
	out := Team{ID: t.GetNodeID(), DatabaseID: t.GetID(), Slug: t.GetSlug(), Name: t.GetName()}
	if t.Parent != nil {
		out.Parent = t.Parent.GetSlug()
	}
	return out
}

// TeamMembers lists who is in a team now, in its child teams too.
func (c *Client) TeamMembers(ctx context.Context, org, slug string) ([]Account, error) {
	ctx = withOwner(ctx, org)
	got, err := all(ctx, func(at gh.ListOptions) ([]*gh.User, *gh.Response, error) {
		return c.rest.Teams.ListTeamMembersBySlug(ctx, org, slug, &gh.TeamListTeamMembersOptions{Role: "all", ListOptions: at})
	})
	if err != nil {
		return nil, fmt.Errorf("list members of team %s/%s: %w", org, slug, err)
	}
	out := make([]Account, 0, len(got))
	for _, u := range got {
		if u != nil {
			out = append(out, accountOf(u))
		}
	}
	return out, nil
}
