package owners

import (
	"bytes"
	"regexp"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// Codeowners is the one CODEOWNERS file that GitHub reads.
//
// Source: GitHub's manual, "About code owners": the first of .github/, the
// root and docs/; under 3 MB or not at all; the last matching line decides; a
// pattern without an owner takes ownership away; a line with ! or [ ], or with
// a malformed owner, is skipped.
type Codeowners struct {
	File *lint.File // nil if there is none
	// Unloaded is why GitHub reads nothing of the file, "" if it does.
	Unloaded string
	Lines    []Line // in file order, without those GitHub skips

	work int // done so far, see maxWork
}

// Line is one pattern and its owners.
type Line struct {
	Number int
	Text   string
	Owned  bool

	pattern pattern
}

// places is where GitHub looks, in its order.
var places = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"}

const (
	// maxBytes is the size from which GitHub loads no CODEOWNERS.
	maxBytes = 3 << 20
	// maxWork bounds what a hostile repository costs, files times lines: 1 for
	// a line that is ruled out, globWork for one that is matched. It is about
	// a second; 5,000 lines and 2,000 files need half of it.
	maxWork  = 20_000_000
	globWork = 100
)

// read finds and reads the file once a run.
func read(p *lint.Pass) *Codeowners {
	return lint.TreeParsed(p, func(p *lint.Pass) *Codeowners {
		for _, place := range places {
			for _, f := range p.Files(rules.Ownership) {
				if f.Path == place && f.Link == "" {
					return parse(f)
				}
			}
		}
		return &Codeowners{}
	})
}

func parse(f *lint.File) *Codeowners {
	c := &Codeowners{File: f}
	text, err := f.Bytes()
	switch {
	case err != nil:
		c.Unloaded = err.Error()
	case len(text) >= maxBytes:
		c.Unloaded = "file of 3 MB or more"
	default:
		c.Lines = parseLines(text)
	}
	return c
}

// parseLines reads the lines one by one, because GitHub skips a line that it
// cannot read and goes on.
func parseLines(text []byte) []Line {
	var lines []Line
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	number := 0
	for raw := range bytes.Lines(text) {
		number++
		line := strings.TrimSpace(string(raw))
		glob, rest := splitPattern(line)
		p, ok := newPattern(glob)
		if !ok {
			continue
		}
		owned, ok := readOwners(rest)
		if !ok {
			continue
		}
		lines = append(lines, Line{Number: number, Text: line, Owned: owned, pattern: p})
	}
	return lines
}

// splitPattern cuts a line at the first space that no backslash protects.
func splitPattern(line string) (pattern, rest string) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case ' ', '\t':
			return line[:i], line[i:]
		}
	}
	return line, ""
}

// ownerForm matches @user, @organisation/team and mail addresses.
var ownerForm = regexp.MustCompile(`^(@[A-Za-z0-9_-]+(/[A-Za-z0-9_.-]+)?|[^@\s]+@[^@\s]+\.[^@\s.]+)$`)

// readOwners reports whether the rest of a line names an owner; ok is false
// where it holds something else.
func readOwners(rest string) (owned, ok bool) {
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest = rest[:i]
	}
	for owner := range strings.FieldsSeq(rest) {
		if !ownerForm.MatchString(owner) {
			return false, false
		}
		owned = true
	}
	return owned, true
}

// Decides returns the line that decides about a path, nil if none matches. ok
// is false when the bound on the work is met.
func (c *Codeowners) Decides(path string) (line *Line, ok bool) {
	for i := len(c.Lines) - 1; i >= 0; i-- {
		if c.work++; c.work > maxWork {
			return nil, false
		}
		if !c.Lines[i].pattern.mayMatch(path) {
			continue
		}
		if c.work += globWork; c.Lines[i].pattern.matchGlobs(path) {
			return &c.Lines[i], true
		}
	}
	return nil, true
}
