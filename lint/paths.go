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

// folder is one folder as the walk saw it, its entries in name order.
type folder struct {
	path    string
	entries []fs.DirEntry
}

// pathIndex answers questions about every path of the tree. It is made of what the
// walk has listed anyway, when a rule first asks.
type pathIndex struct {
	tree       *tree
	folders    map[string][]fs.DirEntry
	byName     map[string][]string // folders that hold an entry of this name
	byFold     map[string][]string // folders by the name in lower case
	ignores    map[string]*ignoreList
	submodules []string
}

func (p *Pass) index() *pathIndex {
	return cached(p.tree.cache, func() *pathIndex {
		x := &pathIndex{tree: p.tree, folders: make(map[string][]fs.DirEntry, len(p.tree.folders)), ignores: map[string]*ignoreList{}}
		for _, f := range p.tree.folders {
			x.folders[f.path] = f.entries
		}
		x.submodules = submodules(p)
		return x
	})
}

// Entry says what stands at a path, and where it really lies once links inside
// the tree are followed. Nothing outside the tree is looked at.
func (p *Pass) Entry(name string) (Entry, string) { return p.index().entry(name) }

func (x *pathIndex) entry(name string) (Entry, string) {
	name = path.Clean(name)
	if name == "." {
		return Folder, "."
	}
	done, rest, hops := ".", name, 0
	for rest != "" {
		if full := join(done, rest); !fs.ValidPath(full) || x.inSubmodule(full) {
			return Beyond, "" // or it climbs out of the tree
		}
		var segment string
		segment, rest, _ = strings.Cut(rest, "/")
		here := join(done, segment)
		mode, ok := x.mode(done, segment)
		switch {
		case !ok:
			return Absent, ""
		case mode&fs.ModeSymlink != 0:
			target, err := fs.ReadLink(x.tree.fsys, here)
			if hops++; err != nil || hops > maxHops || path.IsAbs(target) {
				return Beyond, here
			}
			rest = path.Join(done, target, rest)
			done = "."
			if rest == "." {
				return Folder, "."
			}
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

// mode returns the type of one entry, from the walk's listing where the walk
// went, else by asking the tree.
func (x *pathIndex) mode(dir, name string) (fs.FileMode, bool) {
	if entries, ok := x.folders[dir]; ok {
		i, found := find(entries, name)
		if !found {
			return 0, false
		}
		return entries[i].Type(), true
	}
	info, err := fs.Lstat(x.tree.fsys, join(dir, name))
	if err != nil {
		return 0, false
	}
	return info.Mode().Type(), true
}

func find(entries []fs.DirEntry, name string) (int, bool) {
	return slices.BinarySearchFunc(entries, name, func(e fs.DirEntry, name string) int {
		return strings.Compare(e.Name(), name)
	})
}

// Names returns the names in a folder of the walk in order, none for one that
// the walk left out.
func (p *Pass) Names(dir string) []string {
	var names []string
	for _, e := range p.index().folders[path.Clean(dir)] {
		names = append(names, e.Name())
	}
	return names
}

// Ending returns the paths of files and folders that are name or end with
// "/"+name, in path order. Ignored and vendored folders are not searched.
func (p *Pass) Ending(name string) []string {
	x := p.index()
	x.fileNames()
	var found []string
	dir, base := path.Split(path.Clean(name))
	dir = strings.TrimSuffix(dir, "/")
	for _, in := range x.byName[base] {
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
	x.fileNames()
	var found []string
	name = path.Clean(name)
	dir, base := path.Split(name)
	dir = strings.TrimSuffix(dir, "/")
	if dir == "" {
		dir = "."
	}
	for _, in := range x.byFold[strings.ToLower(base)] {
		if !strings.EqualFold(in, dir) {
			continue
		}
		for _, e := range x.folders[in] {
			if full := join(in, e.Name()); full != name && strings.EqualFold(e.Name(), base) {
				found = append(found, full)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// fileNames files every entry under its name.
func (x *pathIndex) fileNames() {
	if x.byName != nil {
		return
	}
	x.byName, x.byFold = map[string][]string{}, map[string][]string{}
	for _, f := range x.tree.folders {
		for _, e := range f.entries {
			name := e.Name()
			x.byName[name] = append(x.byName[name], f.path)
			lower := strings.ToLower(name)
			if in := x.byFold[lower]; len(in) == 0 || in[len(in)-1] != f.path {
				x.byFold[lower] = append(in, f.path)
			}
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
