// Package rules is what Steelyard knows as data: one Markdown page a lint
// rule, embedded and decoded strictly. How a rule is checked lives in package
// lint and its families.
package rules

// Severity says how bad a finding is.
type Severity string

// The severities, worst first.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Lifecycle says how settled a rule is.
type Lifecycle string

// The lifecycles.
const (
	Preview    Lifecycle = "preview"
	Stable     Lifecycle = "stable"
	Deprecated Lifecycle = "deprecated"
)

// FixSafety says whether --fix may mend a finding by itself.
type FixSafety string

// The kinds of fix.
const (
	FixNone   FixSafety = "none"
	FixSafe   FixSafety = "safe"
	FixUnsafe FixSafety = "unsafe"
)

// Example is a small repository that shows a rule: file contents by path.
type Example struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Page is one rule's description.
type Page struct {
	ID        string    `json:"id"`   // "MC002"; never reused
	Name      string    `json:"name"` // "mcp-unpinned-server"; states the fault
	Title     string    `json:"title"`
	Severity  Severity  `json:"severity"`
	Lifecycle Lifecycle `json:"lifecycle"`
	Fix       FixSafety `json:"fix"`
	Since     string    `json:"since"` // first release, "0.1.0"
	// Why, HowToFix are Markdown; Bad triggers the rule, Good does not.
	Why      string    `json:"why"`
	Bad      []Example `json:"bad"`
	Good     []Example `json:"good"`
	HowToFix string    `json:"how_to_fix"`
	// Markdown is the page's body as written.
	Markdown string `json:"markdown"`
}
