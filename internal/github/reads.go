package github

import (
	"context"
	"time"
)

// reads is everything that a [Client] can be asked, in one list.
type reads interface {
	Budget() Budget
	Repository(ctx context.Context, ref RepositoryRef) (Repository, error)
	Page(ctx context.Context, ref RepositoryRef, q PageQuery) (Page, error)
	PageREST(ctx context.Context, ref RepositoryRef, q PageQuery) (Page, error)
	PullRequest(ctx context.Context, ref RepositoryRef, number int) (PullRequest, error)
	PullRequestREST(ctx context.Context, ref RepositoryRef, number int) (PullRequest, error)
	Briefs(ctx context.Context, ref RepositoryRef, after string) (BriefPage, error)
	Totals(ctx context.Context, ref RepositoryRef) (Totals, error)
	Teams(ctx context.Context, org string) ([]Team, error)
	TeamMembers(ctx context.Context, org, slug string) ([]Account, error)
	Repositories(ctx context.Context, org string) ([]Repository, error)
	InstallationRepositories(ctx context.Context) ([]Repository, error)
	CopilotSeats(ctx context.Context, org string) ([]Seat, error)
	CopilotReport(ctx context.Context, org string, day time.Time) (UsageReport, error)
	Tree(ctx context.Context, ref RepositoryRef, rev string) (Tree, error)
	OwnersErrors(ctx context.Context, ref RepositoryRef, rev string) ([]OwnersError, error)
	RequiresOwners(ctx context.Context, ref RepositoryRef, branch string) (bool, error)
	Blob(ctx context.Context, ref RepositoryRef, sha string) ([]byte, error)
}
