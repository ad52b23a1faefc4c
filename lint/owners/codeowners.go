package owners

import (
	"bytes"
	"errors"
	"path"
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
	// Unloaded is why nothing of the file is known, "" if it is: GitHub loads
	// none that is too large, and with Unread it is this run that could not
	// read it.
	Unloaded string
	Unread   bool
	Lines    []Line // in file order, without those GitHub skips
	Skipped  []Skipped

	folder string // of the paths that it is asked about, see Within
	work   int    // done so far, see maxWork
}

// Line is one pattern and its owners.
type Line struct {
	Number int
	At     lint.Span // of the pattern
	Text   string
	Glob   string   // the pattern as it is written
	Owners []string // as they are written: @user, @organisation/team, a mail address

	pattern pattern
}

// Owned reports whether the line names an owner.
func (l *Line) Owned() bool { return len(l.Owners) > 0 }

// Skipped is a line that GitHub passes over.
type Skipped struct {
	At   lint.Span
	Text string // what is wrong in it
	Why  string
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
		if _, ok := lint.Given[Above](p); ok {
			return &Codeowners{} // GitHub reads none of this folder's
		}
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
		c.Unloaded, c.Unread = err.Error(), !errors.Is(err, lint.ErrTooLarge)
	case len(text) >= maxBytes:
		c.Unloaded = "file of 3 MB or more"
	default:
		c.Lines, c.Skipped = parseLines(text)
	}
	return c
}

// parseLines reads the lines one by one, because GitHub skips a line that it
// cannot read and goes on.
func parseLines(text []byte) (lines []Line, skipped []Skipped) {
	offset, number := 0, 0
	for raw := range bytes.Lines(text) {
		number++
		lead := offset
		offset += len(raw)
		body := raw
		if number == 1 {
			body = bytes.TrimPrefix(body, []byte("\ufeff"))
		}
		line := strings.TrimSpace(string(body))
		if line == "" || line[0] == '#' {
			continue
		}
		start := lead + bytes.Index(raw, []byte(line))
		glob, rest := splitPattern(line)
		at := lint.Span{Start: start, End: start + len(glob)}
		p, fault := newPattern(glob)
		if fault != "" {
			skipped = append(skipped, Skipped{at, glob, fault})
			continue
		}
		owners, wrong := readOwners(rest)
		if wrong != "" {
			from := start + len(glob) + strings.Index(rest, wrong)
			skipped = append(skipped, Skipped{lint.Span{Start: from, End: from + len(wrong)}, wrong, notAnOwner})
			continue
		}
		lines = append(lines, Line{Number: number, At: at, Text: line, Glob: glob, Owners: owners, pattern: p})
	}
	return lines, skipped
}

// notAnOwner is why a line with something else than an owner is skipped.
const notAnOwner = "is neither @user, nor @organisation/team, nor a mail address"

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

// readOwners returns the owners that the rest of a line names, or the first
// word that is none.
func readOwners(rest string) (owners []string, wrong string) {
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest = rest[:i]
	}
	for owner := range strings.FieldsSeq(rest) {
		if !ownerForm.MatchString(owner) {
			return nil, owner
		}
		owners = append(owners, owner)
	}
	return owners, ""
}

// Decides returns the line that decides about a path, nil if none matches. ok
// is false when the bound on the work is met.
func (c *Codeowners) Decides(name string) (line *Line, ok bool) {
	if c.folder != "" {
		name = path.Join(c.folder, name)
	}
	for i := len(c.Lines) - 1; i >= 0; i-- {
		if c.work++; c.work > maxWork {
			return nil, false
		}
		if !c.Lines[i].pattern.mayMatch(name) {
			continue
		}
		if c.work += globWork; c.Lines[i].pattern.matchGlobs(name) {
			return &c.Lines[i], true
		}
	}
	return nil, true
}
