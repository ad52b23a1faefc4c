package dependencies

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/lint"
)

// member notes a package that the tree itself holds.
func (r *reading) member(e Ecosystem, name string) {
	if r.own == nil {
		r.own = map[string]bool{}
	}
	r.own[string(e)+":"+e.Canonical(name)] = true
}

// holds reports whether the tree itself holds the package that an entry means.
func (r *reading) holds(d Dependency) bool {
	return r.own[string(d.Ecosystem)+":"+d.Ecosystem.Canonical(d.Asked())]
}

// workspace is a folder whose manifest names folders of packages: they are
// linked into each other, and the registry is not asked for them.
type workspace struct {
	dir   string
	globs []string
}

const (
	// maxWorkspaces bounds the workspaces of a tree and the globs of one.
	maxWorkspaces = 100
	// maxTries bounds how often globs are matched in a tree. One with
	// alternatives counts for many, because each of its forms is matched.
	maxTries     = 1_000_000
	alternatives = 300
)

func (f *file) workspace(globs []string) {
	globs = slices.DeleteFunc(globs[:min(len(globs), maxWorkspaces)], func(glob string) bool { return !lint.Spelled(glob) })
	if len(globs) == 0 || len(f.tree.workspaces) >= maxWorkspaces {
		return
	}
	f.tree.workspaces = append(f.tree.workspaces, workspace{path.Dir(f.path), globs})
}

// folder notes where an npm package of a name lies.
func (r *reading) folder(name, dir string) {
	if r.folders == nil {
		r.folders = map[string][]string{}
	}
	if len(r.folders[name]) < maxWorkspaces {
		r.folders[name] = append(r.folders[name], dir)
	}
}

// linked reports whether a package of this name is one of a workspace.
func (r *reading) linked(name string) bool {
	answer, known := r.members[name]
	if !known {
		answer = r.link(name)
		r.members[name] = answer
	}
	return answer
}

func (r *reading) link(name string) bool {
	for _, dir := range r.folders[name] {
		for _, w := range r.workspaces {
			if r.tries > maxTries {
				return false // the registry is asked about one package too many
			}
			included, tries := w.includes(dir)
			if r.tries += tries; included {
				return true
			}
		}
	}
	return false
}

// includes matches a folder with the globs; one that begins with "!" takes it
// out again. tries is what that cost.
func (w workspace) includes(dir string) (included bool, tries int) {
	below := dir
	if w.dir != "." {
		var ok bool
		if below, ok = strings.CutPrefix(dir, w.dir+"/"); !ok {
			return dir == w.dir, 1
		}
	}
	for _, glob := range w.globs {
		glob, out := strings.CutPrefix(glob, "!")
		glob = strings.TrimSuffix(strings.TrimPrefix(glob, "./"), "/")
		tries++
		if strings.Contains(glob, "{") {
			tries += alternatives
		}
		if ok, err := doublestar.Match(glob, below); err == nil && ok {
			included = !out
		}
	}
	return included, tries
}

// texts are the strings of an array.
func texts(n *lint.Node) []string {
	if n == nil {
		return nil
	}
	var all []string
	for _, e := range n.Elements {
		if s, ok := e.Str(); ok {
			all = append(all, s)
		}
	}
	return all
}
