package instructions

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/lint"
	"steelyard/rules"
)

// region says for which files a surface reads a document: those below Dir, and
// of them those that meet one of the globs; without globs all.
type region struct {
	surface string
	dir     string
	globs   []string
	// far counts how little the file is the surface's own: the row of its
	// table, and more for a borrowed one.
	far int
}

func (r region) equal(o region) bool {
	return r.dir == o.dir && slices.Equal(r.globs, o.globs)
}

// regions returns where each surface reads a document, by its own path, by the
// links to it and by the files that import it.
func regions(p *lint.Pass, d *Doc) []region {
	surfaces, err := rules.Surfaces()
	if err != nil {
		return nil // the table's own test holds it to be right
	}
	var found []region
	for _, name := range append([]string{d.File.Path}, aliases(p)[d.File.Path]...) {
		front := d.Front
		if name != d.File.Path {
			if f, ok := p.Named(name); ok && f.Link == "" {
				front = lint.Parsed(f, parse).Front // of the file that imports it
			}
		}
		for i := range surfaces {
			if r, ok := reads(p, &surfaces[i], name, front); ok && !slices.ContainsFunc(found, func(o region) bool {
				return o.surface == r.surface && o.equal(r)
			}) {
				found = append(found, r)
			}
		}
	}
	return found
}

// reads finds the row by which a surface reads a path, by itself.
func reads(p *lint.Pass, s *rules.Surface, name string, front *Front) (region, bool) {
	for i, r := range s.Reads {
		dir, ok := foundIn(r, name)
		if !ok {
			continue
		}
		globs, ok := scoped(s, r, front)
		if !ok || shadowed(p, s, r, dir) {
			return region{}, false
		}
		if r.Borrowed {
			i += len(s.Reads)
		}
		return region{s.ID, dir, globs, i}, true
	}
	return region{}, false
}

// foundIn returns the folder from which a row finds a path.
func foundIn(r rules.Read, name string) (dir string, ok bool) {
	if doublestar.MatchUnvalidated(r.Path, name) {
		return ".", true
	}
	if r.In == rules.AtRoot {
		return "", false
	}
	for i, c := range name {
		if c == '/' && doublestar.MatchUnvalidated(r.Path, name[i+1:]) {
			return name[:i], true
		}
	}
	return "", false
}

// scoped returns the globs for which a row reads a file with this front matter;
// ok is false where it is not read by itself.
func scoped(s *rules.Surface, r rules.Read, front *Front) (globs []string, ok bool) {
	if r.Except != "" {
		if k, found := front.Get(r.Except); found && slices.ContainsFunc(k.Patterns(), func(v string) bool { return slices.Contains(s.Called, v) }) {
			return nil, false
		}
	}
	if r.Scope == "" || r.Always != "" && front.Text(r.Always) == "true" {
		return nil, true
	}
	k, found := front.Get(r.Scope)
	globs = k.Patterns()
	switch {
	case !found || len(globs) == 0:
		return nil, r.Default == rules.Always && !manual(front)
	case slices.Contains(globs, "**") || slices.Contains(globs, "**/*") || slices.Contains(globs, "*"):
		return nil, true
	}
	slices.Sort(globs)
	return globs, true
}

// manual reports whether a rule is read only when a person or the model asks
// for it: Windsurf's trigger, Kiro's inclusion.
func manual(front *Front) bool {
	mode := first(front.Text("trigger"), front.Text("inclusion"))
	return mode == "manual" || mode == "model_decision" || mode == "auto"
}

// shadowed reports whether another row's file stands in the way of this one.
func shadowed(p *lint.Pass, s *rules.Surface, r rules.Read, dir string) bool {
	if r.Unless != "" {
		for _, up := range above(dir) {
			if e, _ := p.Entry(path.Join(up, r.Unless)); e != lint.Absent {
				return true
			}
		}
	}
	if r.Group == "" {
		return false
	}
	for _, other := range s.Reads {
		if other.Path == r.Path {
			return false
		}
		if other.Group == r.Group && present(p, dir, other.Path) {
			return true
		}
	}
	return false
}

// present reports whether a pattern finds something from a folder.
func present(p *lint.Pass, dir, pattern string) bool {
	if !strings.ContainsAny(pattern, "*?[{") {
		e, _ := p.Entry(path.Join(dir, pattern))
		return e == lint.Regular || e == lint.Beyond
	}
	return slices.ContainsFunc(p.Files(rules.Instructions), func(f *lint.File) bool {
		return doublestar.MatchUnvalidated(path.Join(dir, pattern), f.Path)
	})
}

// aliased are the other paths by which a document is read.
type aliased map[string][]string

func aliases(p *lint.Pass) aliased {
	return lint.TreeParsed(p, func(p *lint.Pass) aliased {
		found := aliased{}
		for _, f := range p.Files(rules.Instructions) {
			if f.Link == "" {
				continue
			}
			if e, real := p.Entry(f.Path); e == lint.Regular {
				found[real] = append(found[real], f.Path)
			}
		}
		for _, d := range docs(p, rules.Instructions) {
			if !importing(d.File.Path) {
				continue
			}
			for _, name := range importClosure(p, d) {
				found[name] = append(found[name], d.File.Path)
			}
		}
		return found
	})
}
