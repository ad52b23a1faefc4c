// Package lint finds mistakes in the files that steer a team's assistants.
// Its rules read instructions (commands, paths and versions that do not hold,
// orders that contradict each other, text that hides something), MCP
// configurations, permissions and CODEOWNERS.
//
// A repository is a file tree ([fs.FS]). [Run] decides which files are
// governed, gives each rule a [Pass] over them and returns the findings in
// file order, less those that are suppressed with a reason. What a rule means
// (title, severity, why, how to fix) stands in package rules; what it looks
// for stands in one Go file of its family below this package. Nothing here
// touches a database, the network or the clock, and nothing in a repository
// is ever executed.
package lint

import (
	"context"
	"fmt"
	"time"

	"steelyard/rules"
)

// Related is another place that a finding talks about.
type Related struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message,omitempty"`
}

// Finding is one place where a rule is broken.
type Finding struct {
	Rule     string         `json:"rule"` // "MC002"
	Name     string         `json:"name"` // "mcp-unpinned-server"
	Severity rules.Severity `json:"severity"`
	// Path is slash-separated and relative to the tree's root.
	Path string `json:"path"`
	// Line and Column are 1-based; Column counts bytes. EndLine and EndColumn
	// (exclusive) are 0 where the finding is a point.
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndLine   int `json:"end_line,omitempty"`
	EndColumn int `json:"end_column,omitempty"`
	// Message is lower case, names the offending value quoted, and has no full
	// stop. It never holds a secret, only its kind and last four characters.
	Message string    `json:"message"`
	Related []Related `json:"related"`
	// Snippet is the source line with secrets masked, for text output only.
	Snippet string `json:"-"`
	// Fix mends the finding, nil where nothing mends it safely.
	Fix *Fix `json:"-"`
}

// String is the one-line form used in tests and editors.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s [%s]", f.Path, f.Line, f.Column, f.Message, f.Rule)
}

// Scan is the stored result of one run over one repository.
type Scan struct {
	// Repository names what was scanned ("owner/name" or a folder's name).
	Repository string    `json:"repository"`
	Commit     string    `json:"commit,omitempty"`
	At         time.Time `json:"at"`
	Files      int       `json:"files"` // governed files read
	Findings   []Finding `json:"findings"`
	Inventory  Inventory `json:"inventory"`
	// Dependencies is nil where they were not looked at.
	Dependencies *DependencyScan `json:"-"`
}

// FindingFilter selects findings; zero fields select all.
type FindingFilter struct {
	Repository string
	Rule       string
	Severity   rules.Severity
	// Limit bounds the answer (at most 500; 0 means 100), Offset skips.
	Limit, Offset int
}

// FindingPage is one page of stored findings and how many there are.
type FindingPage struct {
	Findings []StoredFinding `json:"findings"`
	Total    int             `json:"total"`
}

// StoredFinding is a finding with the repository it was found in.
type StoredFinding struct {
	Repository string `json:"repository"`
	Finding
}

// ScanSummary counts the newest scan of one repository.
type ScanSummary struct {
	Repository string                 `json:"repository"`
	Commit     string                 `json:"commit,omitempty"`
	At         time.Time              `json:"at"`
	Files      int                    `json:"files"`
	Findings   map[rules.Severity]int `json:"findings"`
	ByRule     map[string]int         `json:"by_rule"`
}

// FindingStore is what pages and tools read. Findings are those of each
// repository's newest scan, ordered by severity (errors first), repository,
// path, line, rule.
type FindingStore interface {
	Findings(ctx context.Context, f FindingFilter) (FindingPage, error)
	// Scans summarises the newest scan of each repository, by repository.
	Scans(ctx context.Context) ([]ScanSummary, error)
}
