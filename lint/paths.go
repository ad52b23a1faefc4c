package lint

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Entry says what stands at a path of the tree.
type Entry int

// The kinds of entries. Beyond is what cannot be told: a link that leads out
// of the tree or in a circle, a place inside a submodule.
const (
	Absent Entry = iota
	Regular
	Folder
	Beyond
)

// maxHops bounds the links followed for one path.
const maxHops = 16

// maxTarget bounds the bytes that one link says, as file systems do.
const maxTarget = 4096

// folder is one folder as the walk saw it, its entries in name order.
type folder struct {
	path    string
	entries []entry
}

// pathIndex answers questions about every path of the tree. It is made of what the
// walk has listed anyway, when a rule first asks.
type pathIndex struct {
	tree       *tree
	byName     map[string][]string // folders that hold an entry of this name
	whole      bool                // byName holds every name
	byFold     map[string][]string // folders by the name in lower case
	ignores    map[string]*ignoreList
	submodules []string
}

func (p *Pass) index() *pathIndex {
	return cached(p.tree.cache, func() *pathIndex {
		x := &pathIndex{tree: p.tree, byName: map[string][]string{}, ignores: map[string]*ignoreList{}}
		x.submodules = submodules(p)
		return x
	})
}

// Entry says what stands at a path, and where it really lies once links inside
// the tree are followed. Nothing outside the tree is looked at.
func (p *Pass) Entry(name string) (Entry, string) { return p.index().entry(name) }

func (x *pathIndex) entry(name string) (Entry, string) {
	done, rest, hops := ".", path.Clean(name), 0
	if path.IsAbs(rest) {
		return Beyond, ""
	}
	for rest != "" {
		var segment string
		segment, rest, _ = strings.Cut(rest, "/")
		switch segment {
		case "", ".":
			continue
		case "..": // of where the links before it lead, as a file system has it
			if done == "." {
				return Beyond, ""
			}
			done = path.Dir(done)
			continue
		}
		here := join(done, segment)
		if !fs.ValidPath(here) || x.inSubmodule(join(here, rest)) { // which may not be checked out
			return Beyond, ""
		}
		mode, ok := x.tree.mode(done, segment)
		switch {
		case !ok:
			return Absent, ""
		case mode&fs.ModeSymlink != 0:
			target, err := fs.ReadLink(x.tree.fsys, here)
			if hops++; err != nil || hops > maxHops || len(target) > maxTarget || path.IsAbs(target) {
				return Beyond, here
			}
			if rest != "" {
				target += "/" + rest
			}
			rest = target
		case mode.IsDir():
			done = here
		case rest != "":
			return Absent, ""
		default:
			return Regular, here
		}
	}
	return Folder, done
}

func (x *pathIndex) inSubmodule(name string) bool {
	return slices.ContainsFunc(x.submodules, func(dir string) bool {
		return name == dir || strings.HasPrefix(name, dir+"/")
	})
}

func find(entries []entry, name string) (int, bool) {
	return slices.BinarySearchFunc(entries, name, func(e entry, name string) int {
		return strings.Compare(e.name, name)
	})
}

// Names returns the names in a folder of the walk in order, none for one that
// the walk left out.
func (p *Pass) Names(dir string) []string {
	var names []string
	for _, e := range p.tree.listed[path.Clean(dir)] {
		names = append(names, e.name)
	}
	return names
}

// Ending returns the paths of files and folders that are name or end with
// "/"+name, in path order. Ignored and vendored folders are not searched.
func (p *Pass) Ending(name string) []string {
	var found []string
	dir, base := path.Split(path.Clean(name))
	dir = strings.TrimSuffix(dir, "/")
	for _, in := range p.index().holding(base) {
		if dir == "" || in == dir || strings.HasSuffix(in, "/"+dir) {
			found = append(found, join(in, base))
		}
	}
	slices.Sort(found)
	return found
}

// Folded returns the paths that equal name in all but letter case, in path
// order.
func (p *Pass) Folded(name string) []string {
	x := p.index()
	var found []string
	name = path.Clean(name)
	dir, base := path.Split(name)
	dir = folderOf(dir)
	for _, in := range x.folding(base) {
		if !strings.EqualFold(in, dir) {
			continue
		}
		for _, e := range x.tree.listed[in] {
			if full := join(in, e.name); full != name && strings.EqualFold(e.name, base) {
				found = append(found, full)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// maxSearches is how many names are searched for one by one: beyond it every
// name is filed once.
const maxSearches = 100

// holding returns the folders that hold an entry of a name, in the order of the
// walk.
func (x *pathIndex) holding(name string) []string {
	if in, ok := x.byName[name]; ok || x.whole {
		return in
	}
	if len(x.byName) >= maxSearches {
		x.byName, x.whole = map[string][]string{}, true
		x.eachEntry(func(dir, name string) { x.byName[name] = append(x.byName[name], dir) })
		return x.byName[name]
	}
	in := []string{}
	for _, f := range x.tree.folders {
		if _, found := find(f.entries, name); found {
			in = append(in, f.path)
		}
	}
	x.byName[name] = in
	return in
}

// folding returns the folders that hold an entry of a name in any letter case,
// in the order of the walk.
func (x *pathIndex) folding(name string) []string {
	if x.byFold == nil {
		x.byFold = map[string][]string{}
		x.eachEntry(func(dir, name string) {
			lower := strings.ToLower(name)
			if in := x.byFold[lower]; len(in) == 0 || in[len(in)-1] != dir {
				x.byFold[lower] = append(in, dir)
			}
		})
	}
	return x.byFold[strings.ToLower(name)]
}

func (x *pathIndex) eachEntry(visit func(dir, name string)) {
	for _, f := range x.tree.folders {
		for _, e := range f.entries {
			visit(f.path, e.name)
		}
	}
}

// Ignored reports whether an ignore file of the tree hides a path, there or
// not: what it names is made by a build or kept on one machine.
func (p *Pass) Ignored(name string) bool {
	x := p.index()
	asFolder := strings.HasSuffix(name, "/")
	name = path.Clean(name)
	if name == "." || !fs.ValidPath(name) {
		return false
	}
	for i := range len(name) + 1 {
		if i < len(name) && name[i] != '/' {
			continue
		}
		list := x.ignoreList(p, path.Dir(name[:i]))
		if list.ignored(name[:i], i < len(name) || asFolder) || i == len(name) && list.ignored(name, true) {
			return true
		}
	}
	return false
}

// ignoreList returns the ignore files that apply in a folder.
func (x *pathIndex) ignoreList(p *Pass, dir string) *ignoreList {
	if list, ok := x.ignores[dir]; ok {
		return list
	}
	var list *ignoreList
	if dir != "." {
		list = x.ignoreList(p, path.Dir(dir))
	}
	if f, ok := p.Named(join(dir, ".gitignore")); ok {
		if text, err := f.Bytes(); err == nil {
			list = list.with(dir, string(text))
		}
	}
	x.ignores[dir] = list
	return list
}

// submodules reads the folders of .gitmodules: what lies in them is another
// repository's, and may not be checked out.
func submodules(p *Pass) []string {
	f, ok := p.Named(".gitmodules")
	if !ok {
		return nil
	}
	text, err := f.Bytes()
	if err != nil {
		return nil
	}
	var found []string
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(line, "=")
		if dir := path.Clean(strings.TrimSpace(value)); ok && strings.TrimSpace(key) == "path" && fs.ValidPath(dir) && dir != "." {
			found = append(found, dir)
		}
	}
	return found
}
