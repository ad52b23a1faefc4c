package lint

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/rules"
)

// branch is what a walk found in one folder and below it.
type branch struct {
	folder
	files      []*File
	skips      []Skip
	ignoreFile *File
	below      []*branch
}

func (b *branch) skip(path, format string, args ...any) {
	b.skips = append(b.skips, Skip{path, fmt.Sprintf(format, args...)})
}

// walker lists the folders of a tree, several at a time where the tree allows
// it. Each hand works on branches of its own; put together in order they are
// the same however many hands there were.
type walker struct {
	ctx     context.Context
	fsys    fs.FS
	limits  Limits
	match   *matcher
	exclude []string
	ignores bool // ignore files apply

	hands chan struct{} // free ones beside the first; nil = none
	busy  sync.WaitGroup

	entries, governed, ignored atomic.Int64
	full                       atomic.Bool // a bound on the number of files was met
	deep                       atomic.Bool // the bound on folders in folders was
}

// maxHands bounds how many folders are listed at a time.
const maxHands = 8

func (w *walker) walk() (*branch, error) {
	if _, ok := w.fsys.(lister); ok {
		w.hands = make(chan struct{}, min(runtime.GOMAXPROCS(0), maxHands)-1)
	}
	root, err := w.once()
	if w.full.Load() && w.hands != nil {
		// What is left out must not depend on who was faster.
		w.hands = nil
		w.entries.Store(0)
		w.governed.Store(0)
		w.ignored.Store(0)
		w.full.Store(false)
		root, err = w.once()
	}
	return root, err
}

func (w *walker) once() (*branch, error) {
	root, err := openRoot(w.fsys)
	if err != nil {
		return nil, err
	}
	defer root.close()
	b := &branch{folder: folder{path: "."}}
	err = w.list(root, b, place{})
	w.busy.Wait()
	if cancelled := w.ctx.Err(); cancelled != nil {
		return nil, cancelled
	}
	return b, err
}

// place is where in the tree a folder lies.
type place struct {
	depth int
	forks int         // folders above that hold several folders
	filed []int       // the table's rows filed under the folders above
	above *ignoreList // the ignore files that apply
}

// maxForks bounds where a branch is given to another hand: below it branches
// are too small to be worth it.
const maxForks = 4

// list takes one folder and goes down. The error is that of the folder itself.
func (w *walker) list(l listing, b *branch, at place) error {
	entries, err := l.list()
	if err != nil {
		return err
	}
	b.entries = entries
	at.above = w.ignoreFile(b, at.above)
	folders := w.look(b, at)
	at.depth++
	if len(folders) > 1 {
		at.forks++
	}
	for _, name := range folders {
		if w.over() {
			break
		}
		w.below(l, b, name, at)
	}
	return nil
}

// over reports whether nothing more is to be listed: once and walk say why.
func (w *walker) over() bool { return w.full.Load() || w.ctx.Err() != nil }

// look takes the governed files of a folder and returns the folders to go down
// into, none once a bound is met.
func (w *walker) look(b *branch, at place) []string {
	var folders []string
	for _, e := range b.entries {
		if w.entries.Add(1) > int64(w.limits.Entries) && w.full.CompareAndSwap(false, true) {
			b.skip(b.path, "repository of more than %d files and folders: the rest was not looked at", w.limits.Entries)
		}
		switch {
		case w.full.Load():
			return nil
		case !e.mode.IsDir():
			w.file(b, e, at)
		case !vendored[e.name] && !w.hidden(join(b.path, e.name), true, at.above):
			folders = append(folders, e.name)
		}
	}
	return folders
}

// below takes a folder of a folder, by another hand if one is free.
func (w *walker) below(l listing, above *branch, name string, at place) {
	b := &branch{folder: folder{path: join(above.path, name)}}
	above.below = append(above.below, b)
	if at.depth > w.limits.Depth {
		w.deep.Store(true)
		b.skip(b.path, "more than %d folders deep: the rest was not looked at", w.limits.Depth)
		return
	}
	inner, err := l.open(name)
	if err != nil {
		b.skip(b.path, "cannot be listed: %v", err)
		return
	}
	at.filed = w.match.under(name, at.filed)
	down := func() {
		defer inner.close()
		if err := w.list(inner, b, at); err != nil {
			b.skip(b.path, "cannot be listed: %v", err)
		}
	}
	if at.forks == 0 || at.forks > maxForks {
		down()
		return
	}
	select {
	case w.hands <- struct{}{}:
		w.busy.Go(func() {
			down()
			<-w.hands
		})
	default:
		down()
	}
}

func (w *walker) file(b *branch, e entry, at place) {
	if !e.mode.IsRegular() && e.mode&fs.ModeSymlink == 0 {
		return
	}
	full := join(b.path, e.name)
	rows := w.match.match(full, e.name, at.filed)
	if len(rows) == 0 || w.hidden(full, false, at.above) {
		return
	}
	w.add(b, w.open(full, e.mode, rows))
}

// hidden reports whether a path is ignored or excluded.
func (w *walker) hidden(full string, folder bool, ignore *ignoreList) bool {
	if ignore.ignored(full, folder) {
		w.ignored.Add(1)
		return true
	}
	return w.excluded(full)
}

func (w *walker) excluded(full string) bool {
	return slices.ContainsFunc(w.exclude, func(pattern string) bool {
		return doublestar.MatchUnvalidated(pattern, full)
	})
}

// outside reports whether a path lies in a vendored or excluded folder, or is
// excluded itself.
func (w *walker) outside(full string) bool {
	for i, c := range full {
		if c == '/' && (vendored[path.Base(full[:i])] || w.excluded(full[:i])) {
			return true
		}
	}
	return w.excluded(full)
}

func (w *walker) open(full string, mode fs.FileMode, rows []rules.Governed) *File {
	f := &File{Path: full, rows: rows, tree: w.fsys, limits: w.limits}
	if mode&fs.ModeSymlink != 0 {
		f.Link = "?"
		if target, err := fs.ReadLink(w.fsys, full); err == nil {
			f.Link = target
		}
	}
	return f
}

func (w *walker) add(b *branch, f *File) {
	switch {
	case w.governed.Add(1) <= int64(w.limits.Governed):
		b.files = append(b.files, f)
	case w.full.CompareAndSwap(false, true):
		b.skip(f.Path, "more than %d governed files: the rest was not looked at", w.limits.Governed)
	}
}

// ignoreFile adds a folder's .gitignore to those above it.
func (w *walker) ignoreFile(b *branch, above *ignoreList) *ignoreList {
	const name = ".gitignore"
	at, found := find(b.entries, name)
	if !found || !w.ignores || !b.entries[at].mode.IsRegular() {
		return above
	}
	b.ignoreFile = &File{Path: join(b.path, name), tree: w.fsys, limits: w.limits}
	text, err := b.ignoreFile.Bytes()
	if err != nil {
		b.skip(b.ignoreFile.Path, "ignore file was not read: %v", err)
		return above
	}
	return above.with(b.path, string(text))
}

func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}
