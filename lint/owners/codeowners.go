package owners

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/hmarr/codeowners"

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
}

// Line is one pattern and its owners.
type Line struct {
	Number int
	Text   string
	Owned  bool

	rule codeowners.Rule
}

// places is where GitHub looks, in its order.
var places = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"}

// maxBytes is the size from which GitHub loads no CODEOWNERS.
const maxBytes = 3 << 20

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

// parseLines reads each line by itself, because the library gives up the whole
// file at the first line that GitHub merely skips.
func parseLines(text []byte) []Line {
	var lines []Line
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	number := 0
	for raw := range bytes.Lines(text) {
		number++
		line := strings.TrimSpace(string(raw))
		if line == "" || strings.ContainsAny(line[:1], "#!") || strings.HasPrefix(line, `\#`) {
			continue
		}
		pattern, owners := splitPattern(line)
		if strings.ContainsAny(pattern, "[]") {
			continue
		}
		set, err := codeowners.ParseFile(strings.NewReader(readable(pattern)+owners), codeowners.WithOwnerMatchers(ownerForms))
		if err != nil || len(set) != 1 {
			continue
		}
		lines = append(lines, Line{Number: number, Text: line, Owned: len(set[0].Owners) > 0, rule: set[0]})
	}
	return lines
}

// ownerForms are @user, @organisation/team and addresses. The library's own
// form of an address ends in at most six letters; GitHub's does not.
var ownerForms = []codeowners.OwnerMatcher{
	codeowners.OwnerMatchFunc(codeowners.MatchTeamOwner),
	codeowners.OwnerMatchFunc(codeowners.MatchUsernameOwner),
	codeowners.OwnerMatchFunc(func(s string) (codeowners.Owner, error) {
		if !emailForm.MatchString(s) {
			return codeowners.Owner{}, codeowners.ErrNoMatch
		}
		return codeowners.Owner{Value: s, Type: codeowners.EmailOwner}, nil
	}),
}

var emailForm = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s.]+$`)

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

// readable puts ? for the characters that GitHub allows in a path and the
// library does not.
func readable(pattern string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune(`*?./@_+-\() #`, r):
			return r
		}
		return '?'
	}, pattern)
}

// Decides returns the line that decides about a path, nil if none matches.
func (c *Codeowners) Decides(path string) *Line {
	for i := len(c.Lines) - 1; i >= 0; i-- {
		if ok, err := c.Lines[i].rule.Match(path); err == nil && ok {
			return &c.Lines[i]
		}
	}
	return nil
}
