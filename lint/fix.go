package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Edit replaces a range of a file's text.
type Edit struct {
	At  Span
	New string
}

// Fix mends a finding without a person having to choose anything. It never
// makes more allowed than before.
type Fix struct {
	// Edits do not overlap.
	Edits []Edit
	// Says is what a person has to do besides, "" for nothing.
	Says string

	file *File
}

// ReportFix is [Pass.Reportf] for a finding that --fix can mend. The rule's
// page says "fix: safe".
func (p *Pass) ReportFix(f *File, at Span, fix Fix, format string, args ...any) {
	d := p.place(f, at, nil, fmt.Sprintf(format, args...))
	fix.file = f
	d.Fix = &fix
	p.report(d)
}

// Change is one file as fixes leave it.
type Change struct {
	Path string
	// Source is the text before the fixes, Text after them.
	Source, Text []byte
	// Before and After are the texts with every secret starred, to be shown.
	Before, After string
	// Fixed counts the findings that were mended; Says is what a person has to
	// do besides.
	Fixed int
	Says  []string
}

// Mend applies the fixes of findings and returns the files they change, in path
// order. Of two fixes that overlap the first is applied; a second run finds the
// other. A file that could not be looked through as a whole is left alone: its
// secrets are not known, so the change could not be shown.
func Mend(findings []Finding) ([]Change, error) {
	byFile := map[*File][]*Fix{}
	for i := range findings {
		if fix := findings[i].Fix; fix != nil && len(fix.Edits) > 0 && len(fix.file.unchecked) == 0 {
			byFile[fix.file] = append(byFile[fix.file], fix)
		}
	}
	var changes []Change
	for f, fixes := range byFile {
		src, err := f.Bytes()
		if err != nil {
			return nil, fmt.Errorf("mend %s: %w", f.Path, err)
		}
		starred, ok := f.maskedBytes()
		if !ok {
			continue
		}
		c := Change{Path: f.Path, Source: src}
		edits := c.choose(fixes, len(src))
		c.Text, c.Before, c.After = edited(src, edits), string(starred), string(edited(starred, edits))
		if !bytes.Equal(c.Text, src) {
			changes = append(changes, c)
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes, nil
}

// choose returns the edits of all fixes that do not overlap an earlier one, in
// order of their place.
func (c *Change) choose(fixes []*Fix, size int) []Edit {
	slices.SortStableFunc(fixes, func(a, b *Fix) int { return cmp.Compare(a.Edits[0].At.Start, b.Edits[0].At.Start) })
	var edits []Edit
	for _, fix := range fixes {
		if slices.ContainsFunc(fix.Edits, func(e Edit) bool {
			return e.At.Start < 0 || e.At.End < e.At.Start || e.At.End > size ||
				slices.ContainsFunc(edits, func(o Edit) bool { return e.At.Start < o.At.End && o.At.Start < e.At.End || e.At == o.At })
		}) {
			continue
		}
		edits = append(edits, fix.Edits...)
		c.Fixed++
		if fix.Says != "" && !slices.Contains(c.Says, fix.Says) {
			c.Says = append(c.Says, fix.Says)
		}
	}
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.At.Start, b.At.Start) })
	return edits
}

func edited(src []byte, edits []Edit) []byte {
	var b bytes.Buffer
	at := 0
	for _, e := range edits {
		b.Write(src[at:e.At.Start])
		b.WriteString(e.New)
		at = e.At.End
	}
	b.Write(src[at:])
	return b.Bytes()
}

// maskedBytes is the file's text with every secret starred, byte for byte; ok is
// false where it cannot be shown.
func (f *File) maskedBytes() (starred []byte, ok bool) {
	src, err := f.Bytes()
	if err != nil {
		return nil, false
	}
	text := bytes.Clone(src)
	for _, m := range f.masks {
		if from, to := max(m.at.Start, 0), min(m.at.End, len(text)); from < to {
			copy(text[from:to], masked(string(src[from:to])))
		}
	}
	shown, ok := f.starLeaks(string(text))
	return []byte(shown), ok
}
