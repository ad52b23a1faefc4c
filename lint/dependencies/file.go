package dependencies

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"steelyard/lint"
)

// file is one manifest while it is read.
type file struct {
	path   string
	src    []byte
	tree   *reading
	locked bool
	deps   []Dependency
	lines  []int
	yaml   yamlPlace // the last place of a YAML document that was asked for
	full   bool
	// visited counts the steps of a workflow, see visit.
	visited int
}

// add takes one entry. A name that no registry could hold is left out.
func (f *file) add(at lint.Span, d Dependency) {
	if d.Name == "" || len(d.Name) > maxNameBytes || len(d.ResolvedName) > maxNameBytes ||
		strings.ContainsFunc(d.Name+d.ResolvedName, func(r rune) bool { return r < ' ' || r == utf8.RuneError }) {
		return
	}
	if len(f.deps) >= maxPerFile {
		if !f.full {
			f.full = true
			f.tree.skip(f.path, "more than %d entries: the rest was not read", maxPerFile)
		}
		return
	}
	d.Path, d.At, d.Locked = f.path, at, f.locked
	d.Line, d.Column = f.position(at.Start)
	if d.Source == "" {
		d.Source = FromRegistry
	}
	if d.ResolvedName == d.Name {
		d.ResolvedName = ""
	}
	f.deps = append(f.deps, d)
}

func (f *file) position(offset int) (line, column int) {
	if f.lines == nil {
		f.lines = []int{0}
		for i, c := range f.src {
			if c == '\n' {
				f.lines = append(f.lines, i+1)
			}
		}
	}
	offset = min(max(offset, 0), len(f.src))
	line = sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
	return line, offset - f.lines[line-1] + 1
}

// explain says where a document is broken.
func (f *file) explain(err error) string {
	var syntax *lint.SyntaxError
	if errors.As(err, &syntax) {
		line, column := f.position(syntax.Offset)
		return fmt.Sprintf("line %d, column %d: %s", line, column, syntax.Message)
	}
	return err.Error()
}
