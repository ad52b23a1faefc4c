// Package tests looks at what a change does to tests, as a reviewer would
// first: a test deleted, skipped, focused or emptied; an assertion removed,
// weakened or disarmed; the unit under test mocked; product code that knows
// what the tests expect; tests shut out by configuration.
//
// [Compare] takes the two versions of every file that a change touches and is
// a pure function of them. It reads Go with go/parser and JavaScript,
// TypeScript, Python, Java, Kotlin, Groovy, Ruby, Rust and C# by tokens and blocks:
// the rules need no types. Tests are matched over the whole change by name and
// by likeness, so that one that was moved, renamed, merged into a table or
// deleted with what it tested is no finding.
package tests

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// File is one file of a change in both versions. A version that is nil is not
// there: the file was added or deleted.
type File struct {
	// Path is where the file is after the change, or was if it is deleted.
	Path string
	// OldPath is where it was before, if that was elsewhere.
	OldPath  string
	Old, New []byte
}

// Bounds on what is read. A file beyond them is named in a note.
const (
	maxSize     = 2 << 20 // bytes of one version of a file
	maxFiles    = 5000
	maxTotal    = 128 << 20 // bytes of all
	maxFindings = 2000
)

// Compare returns what a change does to tests, in the order of paths and lines.
// A finding's line is in the new file, or in the old one where the file or the
// test is no longer there; Related names the old lines.
func Compare(files []File) []lint.Finding {
	c := newChange(files)
	for _, check := range checks() {
		check(c)
	}
	slices.SortStableFunc(c.found, func(a, b lint.Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule))
	})
	return slices.CompactFunc(c.found, func(a, b lint.Finding) bool { return a.String() == b.String() })
}

// checks are the rules, each reporting to the change.
func checks() []func(*change) {
	return []func(*change){
		unread, deleted, skipped, focused, compared, mocked, specialCased, detected, snapshots, excluded, lowered, retried, commented, commentedChecks, rowsLost,
	}
}

// change is everything the rules look at.
type change struct {
	files    []*pair
	vanished map[string]bool // names that product code no longer declares
	added    map[string]bool // names that product code declares anew
	// helperTests are functions that check something, taken for tests.
	helperTests map[*pair][]*test
	// members are words that product code no longer has at all; behind a dot
	// in a test they were a member.
	members map[string]bool
	// goneNames are the vanished ones without case and separators.
	goneNames map[string]bool
	before    map[string]int // how often each assertion stands in the old tests
	after     map[string]int
	// open and all find new tests by their words: those that are new or have
	// grown, and all of them.
	open, all index
	// scopeNames are the groups of tests that there are now.
	scopeNames map[string]bool
	// productLost counts the lines that product code lost, once asked for.
	productLost map[language]int
	freshChecks map[string]language // functions that check and are new, once asked for
	newTests    map[string]bool     // names of tests that were no tests before
	// declaredGone are names that product code no longer declares, once asked for.
	declaredGone map[string]bool
	// subjects count what assertions look at, before and after, once asked for.
	subjects map[string][2]int
	pages    map[string]rules.Page
	found    []lint.Finding
}

// pair is one file of a change as it was read.
type pair struct {
	File
	test     bool // the whole file is there for tests
	reason   string
	old, new *suite // nil where there is no such version, or it is not read
	added    map[uint32]bool
	// helpersAdded are new functions, once they were asked for.
	helpersAdded []string
	// named are the new tests by name, once they were asked for.
	named map[string][]*test
}

func (p *pair) oldPath() string { return cmp.Or(p.OldPath, p.Path) }

func newChange(files []File) *change {
	c := &change{pages: map[string]rules.Page{}, before: map[string]int{}, after: map[string]int{}}
	total := 0
	for i, f := range files {
		p := &pair{File: f, test: isTestPath(f.Path) || f.OldPath != "" && f.New == nil && isTestPath(f.OldPath)}
		c.files = append(c.files, p)
		total += len(f.Old) + len(f.New)
		if reason := beyond(f, i, total); reason != "" {
			p.reason = reason
			p.Old, p.New = nil, nil
			continue
		}
		same := bytes.Equal(f.Old, f.New) && f.Old != nil && (f.OldPath == "" || runnable.MatchString(f.OldPath) == runnable.MatchString(f.Path))
		if languageOf(p.oldPath()) == other && languageOf(f.Path) == other || same {
			continue
		}
		if f.Old != nil && languageOf(p.oldPath()) != other {
			p.old = read(p.oldPath(), f.Old, true)
		}
		if f.New != nil && languageOf(f.Path) != other {
			p.new = read(p.Path, f.New, false)
		}
		p.keepTests()
	}
	slices.SortStableFunc(c.files, func(a, b *pair) int { return cmp.Compare(a.Path, b.Path) })
	c.names()
	c.skipsElsewhere()
	c.helpers()
	c.match()
	return c
}

// beyond is why a file is not read, "" if it is.
func beyond(f File, i, total int) string {
	switch {
	case len(f.Old) > maxSize || len(f.New) > maxSize:
		return fmt.Sprintf("it has more than %d MiB", maxSize>>20)
	case i >= maxFiles:
		return fmt.Sprintf("the change has more than %d files", maxFiles)
	case total > maxTotal:
		return fmt.Sprintf("the change has more than %d MiB", maxTotal>>20)
	}
	return ""
}

// keepTests drops what looks like a test in a file that is no test file, in
// languages where only the name tells.
func (p *pair) keepTests() {
	for _, s := range []*suite{p.old, p.new} {
		if s == nil {
			continue
		}
		switch s.src.lang {
		case golang, javascript, python, ruby, groovy:
			if !isTestPath(s.path) {
				s.tests, s.scopes = nil, nil
			}
		}
		for _, t := range s.tests {
			t.fingerprint()
		}
	}
	if p.old != nil && len(p.old.tests) == 0 && p.new != nil && len(p.new.tests) == 0 {
		return
	}
}

// report keeps a finding at a line of a file.
func (c *change) report(rule, path string, line int, related []lint.Related, format string, args ...any) {
	if len(c.found) >= maxFindings {
		return
	}
	page, ok := c.pages[rule]
	if !ok {
		page, _ = rules.Get(rule)
		c.pages[rule] = page
	}
	if related == nil {
		related = []lint.Related{}
	}
	c.found = append(c.found, lint.Finding{
		Rule: rule, Name: page.Name, Severity: page.Severity, Path: path, Line: max(line, 1), Column: 1,
		Message: fmt.Sprintf(format, args...), Related: related,
	})
}

// was is an old place.
func was(s *suite, token int, format string, args ...any) lint.Related {
	return lint.Related{Path: s.path, Line: s.src.line(token), Column: 1, Message: fmt.Sprintf(format, args...)}
}

// short cuts a text for a message.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return s
}
