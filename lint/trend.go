package lint

import (
	"context"
	"time"

	"steelyard/rules"
)

// StoredServer is an MCP server of a repository's newest scan.
type StoredServer struct {
	Repository string `json:"repository"`
	SeenServer
	// Since is the date of the first scan that saw a server of this name with
	// this target in this file.
	Since time.Time `json:"since"`
}

// TrendPoint is one scan of a repository in numbers.
type TrendPoint struct {
	At       time.Time              `json:"at"`
	Commit   string                 `json:"commit,omitempty"`
	Files    int                    `json:"files"` // governed files
	Owned    int                    `json:"owned"` // of these, with an owner
	Servers  int                    `json:"servers"`
	Unpinned int                    `json:"unpinned"` // of these, those that move
	Findings map[rules.Severity]int `json:"findings"`
}

// InventoryStore is what pages and tools read about what repositories bring for
// their assistants.
type InventoryStore interface {
	// Inventory is that of a repository's newest scan, empty where it has none.
	Inventory(ctx context.Context, repository string) (Inventory, error)
	// Servers are those of the newest scan of one repository, or of all where
	// none is named, by repository, path and place.
	Servers(ctx context.Context, repository string) ([]StoredServer, error)
	// Trend is one point for each scan of a repository, the oldest first; of
	// very many the newest.
	Trend(ctx context.Context, repository string) ([]TrendPoint, error)
}

// StoredFile is a governed file of a repository's newest scan.
type StoredFile struct {
	Repository string `json:"repository"`
	SeenFile
	// Since is the date of the first scan in a row that saw it as it is now,
	// zero where that is not known.
	Since time.Time `json:"since,omitzero"`
}

// RuleTrend is how many findings of one rule there were, week after week.
type RuleTrend struct {
	Rule string `json:"rule"`
	// Counts has one number for each of the weeks, the oldest first.
	Counts []int `json:"counts"`
}

// Trends are the findings of all repositories over time: of each repository
// the newest scan at the end of a week counts.
type Trends struct {
	// Ends are the ends of the weeks, the oldest first; the last is the moment
	// that was asked for.
	Ends []time.Time `json:"ends"`
	// Repositories counts those that had been scanned by then.
	Repositories []int `json:"repositories"`
	// Rules are in the order of their ids.
	Rules []RuleTrend `json:"rules"`
}

// OverviewStore is what pages read over all repositories.
type OverviewStore interface {
	// Files are the governed files of the newest scans of these repositories,
	// by repository and path.
	Files(ctx context.Context, repositories []string) ([]StoredFile, error)
	// ServersOf are the servers of the newest scans of these repositories, by
	// repository, path and place.
	ServersOf(ctx context.Context, repositories []string) ([]StoredServer, error)
	// Trends are the last weeks until a moment, at most 53.
	Trends(ctx context.Context, until time.Time, weeks int) (Trends, error)
}
