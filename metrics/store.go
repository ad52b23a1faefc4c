package metrics

import (
	"context"
	"errors"
	"iter"
	"time"
)

// ErrNotFound is wrapped by stores where a named thing does not exist.
var ErrNotFound = errors.New("not found")

// PilotStore keeps pilot definitions.
type PilotStore interface {
	// SavePilot stores p as of at. Saving an identical definition changes
	// nothing; a different one under the same id keeps the old one as a
	// [DefinitionChange].
	SavePilot(ctx context.Context, p Pilot, at time.Time) (Definition, error)
	// Pilot returns one definition, or an error that wraps ErrNotFound.
	Pilot(ctx context.Context, id string) (Definition, error)
	// Pilots returns every definition, by id.
	Pilots(ctx context.Context) ([]Definition, error)
}

// PanelStore keeps panels, one a pilot.
type PanelStore interface {
	// ImportPanel saves p and replaces its panel in one transaction. rows is
	// read once; its first error undoes everything and is returned wrapped.
	// finish is called after the last row, inside the transaction, and gives
	// what is to be remembered of the import.
	ImportPanel(ctx context.Context, p Pilot, kind PeriodKind, rows iter.Seq2[PanelRow, error], finish func() (Import, error)) (Definition, error)
	// Panel returns a pilot's panel, or an error that wraps ErrNotFound.
	Panel(ctx context.Context, pilot string) (*Panel, error)
}

// PullRequestStore keeps pull requests.
type PullRequestStore interface {
	// ImportPullRequests inserts or replaces rows by ID in one transaction;
	// the first error of rows undoes everything and is returned wrapped.
	ImportPullRequests(ctx context.Context, rows iter.Seq2[PullRequest, error], finish func() (Import, error)) (Import, error)
	// PullRequests yields the pull requests of the named teams (all teams
	// where none is named) opened or merged in w, by opening time then ID.
	// They are streamed: the caller may stop early.
	PullRequests(ctx context.Context, teams []string, w Window) iter.Seq2[PullRequest, error]
	// PullRequestSummary counts what is stored.
	PullRequestSummary(ctx context.Context) (PullRequestSummary, error)
}

// MeasuredPullRequestStore is satisfied by stores that can read pull requests
// faster where it is only to measure them.
type MeasuredPullRequestStore interface {
	// MeasuredPullRequests yields what PullRequests does, in no order, and
	// without IDs, numbers, base branches and merge commits.
	MeasuredPullRequests(ctx context.Context, teams []string, w Window) iter.Seq2[PullRequest, error]
}

// PullRequestSummary is what the data-health page says of pull requests.
type PullRequestSummary struct {
	Total    int        `json:"total"`
	Unplaced int        `json:"unplaced"` // no team
	Bots     int        `json:"bots"`
	Open     int        `json:"open"`
	Teams    []TeamSize `json:"teams"` // by name
	First    time.Time  `json:"first,omitzero"`
	Last     time.Time  `json:"last,omitzero"`
	Imports  []Import   `json:"imports"` // newest first
	// Incomplete says in sentences what is being read from GitHub and not whole
	// yet.
	Incomplete []string `json:"incomplete,omitempty"`
}

// TeamSize counts a team's pull requests and authors.
type TeamSize struct {
	Team         string `json:"team"`
	PullRequests int    `json:"pull_requests"`
	Authors      int    `json:"authors"`
}

// Store is everything a [Reporter] needs. Revision changes whenever anything
// that a report depends on changes, so that reports can be kept.
type Store interface {
	PilotStore
	PanelStore
	PullRequestStore
	// Revision identifies the state of all measurement data.
	Revision(ctx context.Context) (string, error)
}

// Reports is what a page or a tool reads: finished values. It is satisfied by
// [Reporter].
type Reports interface {
	// Summaries returns one summary a pilot, by id.
	Summaries(ctx context.Context) ([]Summary, error)
	// Report returns one pilot's report, or an error that wraps ErrNotFound.
	Report(ctx context.Context, pilot string) (*Report, error)
	// Data says what the numbers rest on.
	Data(ctx context.Context) (*DataHealth, error)
}
