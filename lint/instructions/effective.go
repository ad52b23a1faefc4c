package instructions

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/lint"
	"steelyard/rules"
)

// Reading is what a surface reads when it works on a file.
type Reading struct {
	Surface rules.Surface `json:"surface"`
	// File is the file that is worked on, relative to the tree's root.
	File string `json:"file"`
	// Texts are in reading order; never nil.
	Texts []ReadText `json:"texts"`
	// Bytes is what is read of all of them together.
	Bytes int `json:"bytes"`
	// Left are files of the surface's own kinds that are not read, in path
	// order; never nil.
	Left []LeftText `json:"left"`
	// Conflicts are orders among the texts that exclude each other; never nil.
	Conflicts []Conflict `json:"conflicts"`
}

// ReadText is one file that is read.
type ReadText struct {
	Path string `json:"path"`
	// Because says why: "always", "applyTo **/*.ts", "imported by CLAUDE.md".
	Because string `json:"because"`
	// Bytes is the file's size, Read how much of it is read.
	Bytes int `json:"bytes"`
	Read  int `json:"read"`

	doc *Doc
	dir string
}

// LeftText is one file that is not read.
type LeftText struct {
	Path    string `json:"path"`
	Because string `json:"because"`
}

// Conflict is two orders that cannot both be followed.
type Conflict struct {
	Topic string   `json:"topic"`
	First StatedAt `json:"first"`
	Then  StatedAt `json:"then"`
	// Follows is the path of the file that overrides the other because it is
	// nearer, "" where nothing decides.
	Follows string `json:"follows"`
}

// StatedAt is where a file says something.
type StatedAt struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Effective answers what a surface reads when it works on a file of the tree,
// there or still to be made. The error names a file that is no path of the
// tree.
func Effective(p *lint.Pass, s rules.Surface, file string) (Reading, error) {
	file = path.Clean(file)
	if !fs.ValidPath(file) || file == "." {
		return Reading{}, fmt.Errorf("%q is no path of a file in the repository", file)
	}
	e := &effective{pass: p, surface: s, file: file, seen: map[string]bool{}, found: map[string]bool{}}
	for _, r := range s.Reads {
		e.row(r)
	}
	e.bound()
	out := Reading{
		Surface: s, File: file, Texts: append([]ReadText{}, e.texts...), Left: append([]LeftText{}, e.left...),
		Conflicts: append([]Conflict{}, e.conflicts()...),
	}
	for _, t := range out.Texts {
		out.Bytes += t.Read
		// One row may leave a file that another reads or imports.
		out.Left = slices.DeleteFunc(out.Left, func(l LeftText) bool { return l.Path == t.Path })
	}
	slices.SortStableFunc(out.Left, func(a, b LeftText) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// effective gathers a reading.
type effective struct {
	pass    *lint.Pass
	surface rules.Surface
	file    string
	texts   []ReadText
	left    []LeftText
	seen    map[string]bool // paths that are read
	found   map[string]bool // groups that have found a file, with their folder
}

// row reads the files of one row, from the root down.
func (e *effective) row(r rules.Read) {
	for _, dir := range e.folders(r) {
		key := r.Group + "\x00" + dir
		for _, f := range e.matching(r, dir) {
			switch {
			case r.Group != "" && e.found[key+"\x00before"]:
				e.leave(f, "another file of its kind is read instead")
			case r.Unless != "" && e.hidden(r, dir):
				e.leave(f, "there is a "+r.Unless)
			default:
				e.read(r, f, dir)
				e.found[key] = true
			}
		}
	}
	// Rows of one group are alternatives to each other, files of one row are
	// not.
	for key := range e.found {
		if strings.HasPrefix(key, r.Group+"\x00") && r.Group != "" {
			e.found[key+"\x00before"] = true
		}
	}
}

// folders returns where a row looks, the root first.
func (e *effective) folders(r rules.Read) []string {
	if r.In == rules.AtRoot {
		return []string{"."}
	}
	dirs := above(path.Dir(e.file))
	slices.Reverse(dirs)
	if r.In != rules.Nearest {
		return dirs
	}
	for _, dir := range slices.Backward(dirs) {
		if len(e.matching(r, dir)) > 0 {
			return []string{dir}
		}
	}
	return nil
}

func (e *effective) matching(r rules.Read, dir string) []*lint.File {
	var found []*lint.File
	for _, f := range e.pass.Files(rules.Instructions) {
		rel := f.Path
		if dir != "." {
			var ok bool
			if rel, ok = strings.CutPrefix(f.Path, dir+"/"); !ok {
				continue
			}
		}
		if doublestar.MatchUnvalidated(r.Path, rel) {
			found = append(found, f)
		}
	}
	return found
}

func (e *effective) hidden(r rules.Read, dir string) bool {
	for _, up := range above(dir) {
		if entry, _ := e.pass.Entry(path.Join(up, r.Unless)); entry != lint.Absent {
			return true
		}
	}
	return false
}

func (e *effective) leave(f *lint.File, because string) {
	e.left = append(e.left, LeftText{f.Path, because})
}

// read adds a file, through its link, with what it imports.
func (e *effective) read(r rules.Read, f *lint.File, dir string) {
	real := f
	because := "always"
	if f.Link != "" {
		kind, name := e.pass.Entry(f.Path)
		target, ok := e.pass.Named(name)
		if kind != lint.Regular || !ok {
			e.leave(f, fmt.Sprintf("it links to %q, which cannot be read", f.Link))
			return
		}
		real, because = target, "always, through a link to "+name
	}
	d := lint.Parsed(real, parse)
	if d.Err != nil {
		e.leave(f, d.Err.Error())
		return
	}
	scope, ok := e.applies(r, d)
	if !ok {
		e.leave(f, scope)
		return
	}
	if scope != "" {
		because = scope
	}
	if e.seen[real.Path] {
		e.leave(f, "its text has been read already")
		return
	}
	e.seen[real.Path] = true
	t := ReadText{Path: f.Path, Because: because, Bytes: len(d.source), doc: d, dir: dir}
	t.Read = amount(d, r)
	e.texts = append(e.texts, t)
	if r.Imports {
		e.imports(d, dir)
	}
}

// amount is how much of one file a row reads.
func amount(d *Doc, r rules.Read) int {
	size := len(d.source)
	if r.Bytes > 0 {
		size = min(size, r.Bytes)
	}
	if r.Characters > 0 && utf8.RuneCount(d.source) > r.Characters {
		n := 0
		for i := range string(d.source) {
			if n == r.Characters {
				return min(size, i)
			}
			n++
		}
	}
	return size
}

// applies says why a row reads a file for the one that is worked on, or why
// not.
func (e *effective) applies(r rules.Read, d *Doc) (because string, ok bool) {
	globs, ok := scoped(&e.surface, r, d.Front)
	switch {
	case !ok && r.Except != "" && d.Front != nil && len(d.Front.Text(r.Except)) > 0:
		return r.Except + " leaves this surface out", false
	case !ok && manual(d.Front):
		return "it is read when it is asked for", false
	case !ok:
		return "it has no " + r.Scope + ": it is read when it is asked for", false
	case globs == nil:
		return "", true
	}
	for _, g := range globs {
		if matchAnywhere(strings.TrimPrefix(strings.TrimPrefix(g, "./"), "/"), e.file) {
			return r.Scope + " " + g, true
		}
	}
	return r.Scope + " " + strings.Join(globs, ", ") + " does not match", false
}

func (e *effective) imports(d *Doc, dir string) {
	for _, name := range importClosure(e.pass, d) {
		f, ok := e.pass.Named(name)
		if !ok || e.seen[name] {
			continue
		}
		e.seen[name] = true
		next := lint.Parsed(f, parse)
		if next.Err != nil {
			e.leave(f, next.Err.Error())
			continue
		}
		e.texts = append(e.texts, ReadText{
			Path: name, Because: "imported by " + d.File.Path, Bytes: len(next.source), Read: len(next.source), doc: next, dir: dir,
		})
	}
}

// bound cuts what lies behind the surface's bound for all files together.
func (e *effective) bound() {
	if e.surface.Total == 0 {
		return
	}
	left := e.surface.Total
	for i := range e.texts {
		e.texts[i].Read = min(e.texts[i].Read, left)
		left -= e.texts[i].Read
	}
}

// conflicts compares what the texts order, each topic once a pair of files.
func (e *effective) conflicts() []Conflict {
	var found []Conflict
	type stated struct {
		Directive
		text *ReadText
	}
	var all []stated
	for i := range e.texts {
		for _, x := range directives(e.texts[i].doc) {
			if x.At.Start < e.texts[i].Read && len(all) < maxDirectives {
				all = append(all, stated{x, &e.texts[i]})
			}
		}
	}
	said := map[string]bool{}
	for j := range all {
		for i := range all[:j] {
			a, b := &all[i], &all[j]
			key := a.Topic.Name + "\x00" + a.text.Path + "\x00" + b.text.Path
			if said[key] || !a.excludes(&b.Directive) {
				continue
			}
			said[key] = true
			c := Conflict{Topic: a.Topic.Title, First: statedAt(a.text.doc, &a.Directive), Then: statedAt(b.text.doc, &b.Directive)}
			if a.text.dir != b.text.dir {
				c.Follows = c.Then.Path
			}
			found = append(found, c)
		}
	}
	return found
}

func statedAt(d *Doc, x *Directive) StatedAt {
	line, _ := d.File.Position(x.At.Start)
	return StatedAt{Path: d.File.Path, Line: line, Text: x.Text}
}
