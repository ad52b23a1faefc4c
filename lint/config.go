package lint

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/rules"
)

// Off switches a rule off in [Config.Severities].
const Off rules.Severity = "off"

// Config is what a team may decide about a run. Its zero value checks
// everything.
type Config struct {
	// Severities changes what a rule's findings weigh, or switches it off, by
	// the rule's ID or name.
	Severities map[string]rules.Severity
	// Exclude lists doublestar patterns of paths that are not looked at,
	// relative to the tree's root: "internal/demo/sample/**".
	Exclude []string
	// Suppressions answer findings in files that cannot hold a comment.
	Suppressions []ConfigSuppression
	// Today decides which suppressions are past their end. Run never reads the
	// clock; with the zero value none is.
	Today time.Time
	// Committed says that the tree holds committed files alone (a commit, a
	// repository read from GitHub), so that ignore files do not apply. In a
	// working tree they hide what git does not track.
	Committed bool
	// Strict reports as well what is often meant so: it is for a look around,
	// not for a check that stops anybody.
	Strict bool
	// Observe fills the result's inventory.
	Observe []Observer
	// Limits bounds what is read; its zero fields mean [DefaultLimits].
	Limits Limits
	// Given is what the caller found out before the run, for rules that need
	// more than the tree: each family takes the value of its own type, see
	// the function Given.
	Given []any
}

// ConfigSuppression suppresses the findings of one rule in the files of one
// path pattern.
type ConfigSuppression struct {
	Rule   string    // ID or name
	Path   string    // doublestar pattern
	Line   int       // 0 = anywhere in the file
	Until  time.Time // last day it counts, UTC; zero = no end
	Reason string    // required
	// Held says that it answers nothing yet; what is wrong with it is found all
	// the same.
	Held bool
	// Source and SourceLine are where it is written, for findings about it
	// ("steelyard.yaml", 12). Without a Source it is steelyard.yaml, line 1.
	Source     string
	SourceLine int
}

// Limits bounds what a run reads of a repository that may be hostile. What is
// over a bound is in [Result.Skipped].
type Limits struct {
	Entries   int   // files and folders walked over
	Governed  int   // governed files taken
	Depth     int   // folders below the root
	FileBytes int64 // size of one governed file
	LineBytes int   // length of one line
}

// DefaultLimits holds any real repository with room to spare.
func DefaultLimits() Limits {
	return Limits{Entries: 2_000_000, Governed: 20_000, Depth: 64, FileBytes: 4 << 20, LineBytes: 256 << 10}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	if l.Entries == 0 {
		l.Entries = d.Entries
	}
	if l.Governed == 0 {
		l.Governed = d.Governed
	}
	if l.Depth == 0 {
		l.Depth = d.Depth
	}
	if l.FileBytes == 0 {
		l.FileBytes = d.FileBytes
	}
	if l.LineBytes == 0 {
		l.LineBytes = d.LineBytes
	}
	return l
}

// Validate names the first entry of the configuration that cannot work, and
// the cure.
func (c Config) Validate() error {
	for _, id := range slices.Sorted(maps.Keys(c.Severities)) {
		severity := c.Severities[id]
		if _, ok := rules.Get(id); !ok {
			return fmt.Errorf("severity of %q: no such rule; `steelyard rules` lists them", id)
		}
		if !slices.Contains([]rules.Severity{rules.Error, rules.Warning, rules.Note, Off}, severity) {
			return fmt.Errorf("severity of %q is %q; write error, warning, note or off", id, severity)
		}
	}
	for _, pattern := range c.Exclude {
		if !doublestar.ValidatePattern(pattern) || !Spelled(pattern) {
			return fmt.Errorf("exclude %q is not a path pattern, or one of more than %d forms", pattern, maxForms)
		}
	}
	for _, s := range c.Suppressions {
		if _, ok := rules.Get(s.Rule); !ok {
			return fmt.Errorf("suppression of %q: no such rule; `steelyard rules` lists them", s.Rule)
		}
		if s.Path == "" || !doublestar.ValidatePattern(s.Path) || !Spelled(s.Path) {
			return fmt.Errorf("suppression of %q: %q is not a path pattern, or one of more than %d forms", s.Rule, s.Path, maxForms)
		}
	}
	return nil
}

// severity returns what a rule's findings weigh.
func (c Config) severity(page rules.Page) rules.Severity {
	if s, ok := c.Severities[page.ID]; ok {
		return s
	}
	if s, ok := c.Severities[page.Name]; ok {
		return s
	}
	return page.Severity
}
