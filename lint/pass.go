package lint

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"steelyard/rules"
)

// Rule is the checking half of a rule; package rules has the describing half.
type Rule struct {
	ID string // "MC002", the name of its page in package rules
	// Check looks at the files of a pass and reports to it. It is nil for the
	// rules about suppressions, which [Run] itself reports.
	Check func(*Pass)
}

// Pass is what one rule sees of a repository, and where it reports.
type Pass struct {
	tree   *tree
	rule   rules.Page
	report func(*draft)
}

// draft is a finding on its way: the file stands by for its masks.
type draft struct {
	Finding
	file  *File
	whole bool // about the file, not about a place in it
}

// Files returns the governed files of these kinds in path order; without a
// kind, all of them. Links are among them.
func (p *Pass) Files(kinds ...rules.Kind) []*File {
	if len(kinds) == 0 {
		return p.tree.files
	}
	var found []*File
	for _, f := range p.tree.files {
		if slices.ContainsFunc(kinds, f.Is) {
			found = append(found, f)
		}
	}
	return found
}

// Named returns a file that a governed file names, such as the package.json
// beside it, if the tree has it as a regular file that is not reached through
// a link. It is read like a governed one, but is in no answer of Files.
func (p *Pass) Named(name string) (*File, bool) { return p.tree.named(name) }

// Reportf reports a finding at a place in a file. The message is lower case,
// quotes the offending value with %q and has no full stop.
func (p *Pass) Reportf(f *File, at Span, format string, args ...any) {
	p.ReportRelated(f, at, nil, format, args...)
}

// ReportRelated is [Pass.Reportf] with the other places the finding is about.
func (p *Pass) ReportRelated(f *File, at Span, related []Related, format string, args ...any) {
	p.report(p.place(f, at, related, fmt.Sprintf(format, args...)))
}

// place makes a draft about a place in a file.
func (p *Pass) place(f *File, at Span, related []Related, message string) *draft {
	d := p.draft(f, related, message)
	d.Line, d.Column = f.Position(at.Start)
	if at.End > at.Start {
		d.EndLine, d.EndColumn = f.Position(at.End)
	}
	return d
}

// ReportFile reports a finding about a file as a whole: it stands on line 1,
// and a suppression anywhere in the file answers it. f may be missing from the
// tree, see [Pass.Missing].
func (p *Pass) ReportFile(f *File, related []Related, format string, args ...any) {
	d := p.draft(f, related, fmt.Sprintf(format, args...))
	d.Line, d.Column, d.whole = 1, 1, true
	p.report(d)
}

// Skip says that something was not looked at because of a bound.
func (p *Pass) Skip(path, format string, args ...any) { p.tree.skip(path, format, args...) }

// Missing returns a stand-in for a file that should exist, to report on.
func (p *Pass) Missing(name string) *File {
	return &File{Path: name, read: true, err: fs.ErrNotExist}
}

func (p *Pass) draft(f *File, related []Related, message string) *draft {
	if related == nil {
		related = []Related{} // never null in JSON
	}
	return &draft{file: f, Finding: Finding{
		Rule: p.rule.ID, Name: p.rule.Name, Severity: p.rule.Severity,
		Path: f.Path, Message: message, Related: related,
	}}
}

// Parsed returns a family's parsed form of a file. parse runs the first time
// any rule asks for a T of this file; every later rule reads the same value. T
// is a type of the family's own.
func Parsed[T any](f *File, parse func(*File) T) T {
	if f.cache == nil {
		f.cache = map[any]any{}
	}
	return cached(f.cache, func() T { return parse(f) })
}

// TreeParsed is [Parsed] for a form made of the whole tree.
func TreeParsed[T any](p *Pass, parse func(*Pass) T) T {
	return cached(p.tree.cache, func() T { return parse(p) })
}

// cacheKey is the key of a T in a cache: one value a type.
type cacheKey[T any] struct{}

func cached[T any](cache map[any]any, build func() T) T {
	if v, ok := cache[cacheKey[T]{}].(T); ok {
		return v
	}
	v := build()
	cache[cacheKey[T]{}] = v
	return v
}

// named opens no path through a link: each step is checked before it is taken.
func (t *tree) named(name string) (*File, bool) {
	name = path.Clean(name)
	if !fs.ValidPath(name) || name == "." {
		return nil, false
	}
	if f, ok := t.extra[name]; ok {
		return f, f != nil
	}
	t.extra[name] = nil
	if i, ok := slices.BinarySearchFunc(t.files, name, func(f *File, s string) int { return strings.Compare(f.Path, s) }); ok {
		t.extra[name] = t.files[i]
		return t.files[i], true
	}
	if !t.regular(name) {
		return nil, false
	}
	f := &File{Path: name, tree: t.fsys, limits: t.limits}
	t.extra[name] = f
	return f, true
}
