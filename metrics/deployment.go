package metrics

import (
	"context"
	"iter"
	"time"
)

// Deployment is one deployment to production that succeeded.
type Deployment struct {
	// ID is the provider's id, or one made of the other fields. Rows of one
	// import with the same id are one deployment, whose commits add up.
	ID          string
	Repository  string
	Environment string
	Finished    time.Time // when it ended, UTC
	// SHA is the commit deployed, empty where unknown, and Commits those that
	// came with it since the deployment before, where the file lists them.
	SHA     string
	Commits []string
	// Line is the row's line in the file it came from, for messages.
	Line int
}

// Linked says what the deployments of an import found.
type Linked struct {
	Import       Import
	Deployments  int // of this import
	PullRequests int // of its repositories, known to be deployed
	Waiting      int // of its repositories, merged and in no deployment
	Untraceable  int // of any repository with deployments, merged by a commit that is not known
}

// DeploymentStore keeps deployments.
type DeploymentStore interface {
	// ImportDeployments inserts or replaces rows by ID in one transaction, and
	// dates the pull requests of their repositories: each by the first
	// deployment that holds its merge. The first error of rows undoes
	// everything and is returned wrapped.
	ImportDeployments(ctx context.Context, rows iter.Seq2[Deployment, error], finish func() (Import, error)) (Linked, error)
}
