package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/lint"
)

// Policy is what a team has agreed on. Its zero value asks for nothing.
type Policy struct {
	// Source is the file that it stands in, Lines are the lines of its entries
	// there by their name ("size.lines").
	Source string
	Lines  map[string]int
	// Require makes a review that is only missing so far weigh what its rule
	// weighs.
	Require bool
	// KeepStale makes an approval of an earlier commit count.
	KeepStale  bool
	Disclosure Disclosure
	Size       Size
	Risky      []Paths
	OwnersOnly []Paths
	// MayAsk and MayApprove are who may ask an agent for a pull request and who
	// may approve it, as @user and @organisation/team; nil means everybody.
	MayAsk, MayApprove []string
}

// Disclosure is the section of a pull request's text that must be filled in.
type Disclosure struct {
	Section string // its heading, "" for none
	Boxes   Boxes
}

// Boxes says how many check boxes must be ticked.
type Boxes string

// What may be asked of check boxes.
const (
	OneBox   Boxes = "one" // at least
	AllBoxes Boxes = "all"
	AnyBoxes Boxes = "any"
)

// Size bounds a pull request in lines and files; 0 is no bound.
type Size struct {
	Lines, Files, Tests, Docs int
	NotCounted                []string // globs
	AcceptedBy                string   // label
}

// Paths are files and the people who must approve their changes, or who alone
// may change them.
type Paths struct {
	Globs     []string
	Who       []string // @user, @organisation/team
	Approvals int
	Reason    string
	Line      int
}

// Validate reports the first glob that cannot be held to, because it is none or
// has too many alternatives to try: a policy that matches nothing in silence
// would be none.
func (p Policy) Validate() error {
	check := func(entry string, globs []string) error {
		for _, glob := range globs {
			if !matchable(glob) {
				return fmt.Errorf("policy.%s in %s: %.60q is no glob, or one with too many alternatives: write several instead", entry, p.Source, glob)
			}
		}
		return nil
	}
	for _, r := range p.Risky {
		if err := check("risky_paths", r.Globs); err != nil {
			return err
		}
	}
	for _, o := range p.OwnersOnly {
		if err := check("owners_only", o.Globs); err != nil {
			return err
		}
	}
	return check("size.not_counted", p.Size.NotCounted)
}

func matchable(glob string) bool { return lint.Spelled(glob) && doublestar.ValidatePattern(glob) }

// matches lists the changed files that a list of globs names, under the name
// that they have or had.
func (c *Change) matches(globs []string) []string {
	var found []string
	for _, f := range c.Files {
		if names(globs, f.Path) || f.OldPath != "" && names(globs, f.OldPath) {
			found = append(found, f.Path)
		}
	}
	return found
}

// names reports whether one of some globs names a path, in whichever letter case:
// where file systems tell none apart, AUTH/login is checked out over auth/login.
func names(globs []string, path string) bool {
	lower := strings.ToLower(path)
	return slices.ContainsFunc(globs, func(glob string) bool {
		return anyMatch([]string{glob}, path) || anyMatch([]string{strings.ToLower(glob)}, lower)
	})
}

// anyMatch expects globs that are matchable.
func anyMatch(globs []string, path string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		return doublestar.MatchUnvalidated(strings.TrimPrefix(glob, "/"), path)
	})
}
