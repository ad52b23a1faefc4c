package lint

import (
	"io/fs"
	"slices"
	"strings"

	"steelyard/rules"
)

// Bounds on what links lead to.
const (
	maxLinked      = 100_000 // files and folders, of all links together
	maxLinkedLinks = 4       // links behind one another
)

// linker governs what links lead to: assistants follow them, and whoever may
// change the target changes what an assistant is told. A link may be a governed
// file, or give the files of a folder governed names, as .claude -> setup does.
type linker struct {
	tree    *tree
	walker  *walker
	index   *pathIndex
	folders map[string]bool // names of folders in the table, in lower case
	known   map[string]*File
	seen    map[[2]string]bool // folders that were looked at, by the name they got
	left    int
}

func (t *tree) addLinked(w *walker) {
	l := linker{
		tree: t, walker: w, index: &pathIndex{tree: t}, folders: map[string]bool{},
		known: map[string]*File{}, seen: map[[2]string]bool{}, left: maxLinked,
	}
	for _, f := range t.files {
		l.known[f.Path] = f
	}
	for _, row := range w.match.rows {
		for segment := range strings.SplitSeq(row.Path, "/") {
			if followed(row) {
				l.folders[strings.ToLower(segment)] = true
			}
		}
	}
	for _, f := range slices.Clone(t.files) {
		if f.Link != "" {
			l.link(f.Path, f.Path, 0)
		}
	}
	for _, folder := range t.folders {
		for _, e := range folder.entries {
			if full := join(folder.path, e.name); e.mode&fs.ModeSymlink != 0 && l.known[full] == nil && l.naming(full) && !w.excluded(full) {
				l.link(full, full, 0)
			}
		}
	}
}

// followed reports whether what reads a row's files follows links: GitHub does
// not.
func followed(row rules.Governed) bool {
	return row.Kind != rules.Ownership && row.Kind != rules.Review
}

// naming reports whether a path can give the files below it governed names that
// they do not have by themselves.
func (l *linker) naming(full string) bool {
	for segment := range strings.SplitSeq(full, "/") {
		if l.folders[strings.ToLower(segment)] {
			return true
		}
	}
	return false
}

// link governs what a link leads to by the name that it has through it.
func (l *linker) link(full, name string, behind int) {
	switch kind, real := l.index.entry(full); {
	case behind > maxLinkedLinks:
	case kind == Regular:
		l.govern(real, name)
	case kind == Folder:
		l.below(real, name, behind)
	}
}

// below governs the files of a folder by the names that they have through a
// link. Folders of other people's files are looked at as well: the link makes
// them one's own.
func (l *linker) below(folder, name string, behind int) {
	key := [2]string{folder, name}
	if l.seen[key] || l.left < 0 {
		return
	}
	l.seen[key] = true
	for _, e := range l.entries(folder) {
		if l.left--; l.left < 0 {
			if l.left == -1 {
				l.walker.full.Store(true)
				l.tree.skip(name, "links lead to more than %d files: the rest was not looked at", maxLinked)
			}
			return
		}
		real, named := join(folder, e.name), join(name, e.name)
		switch {
		case e.mode&fs.ModeSymlink != 0:
			l.link(real, named, behind+1)
		case e.mode.IsDir() && !vendored[e.name] && strings.Count(named, "/") < l.tree.limits.Depth:
			l.below(real, named, behind)
		case e.mode.IsRegular():
			l.govern(real, named)
		}
	}
}

// entries lists a folder, from the walk where that went there.
func (l *linker) entries(folder string) []entry {
	if listed, ok := l.tree.listed[folder]; ok {
		return listed
	}
	found, err := fs.ReadDir(l.tree.fsys, folder)
	if err != nil {
		l.tree.skip(folder, "cannot be listed: %v", err)
	}
	var list []entry
	for _, e := range found {
		list = append(list, entry{e.Name(), e.Type()})
	}
	return list
}

// govern makes a file governed by a name that it has through a link.
func (l *linker) govern(real, name string) {
	rows := slices.DeleteFunc(l.walker.match.matchPath(name), func(row rules.Governed) bool { return !followed(row) })
	if len(rows) == 0 {
		return
	}
	if f := l.known[real]; f != nil {
		f.linked = f.linked || !testData.MatchString(name)
		for _, row := range rows {
			if !f.Is(row.Kind) {
				f.rows = append(f.rows, row)
			}
		}
		return
	}
	f, ok := l.tree.named(real)
	if !ok {
		return
	}
	f.rows, f.linked, l.known[real] = rows, !testData.MatchString(name), f
	l.tree.add(l.walker, f)
}
