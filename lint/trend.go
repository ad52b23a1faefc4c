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
