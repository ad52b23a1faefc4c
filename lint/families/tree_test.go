package families_test

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing/fstest"
)

// listedTree is a file tree in memory that lists a folder without looking at
// every path, as a repository of tens of thousands of files wants. What its
// files hold is a MapFS's.
type listedTree struct {
	fstest.MapFS
	folders map[string][]fs.DirEntry
}

// listed files every path under its folder.
func listed(files fstest.MapFS) listedTree {
	t := listedTree{files, map[string][]fs.DirEntry{".": nil}}
	for name, file := range files {
		t.add(name, file.Mode)
	}
	for _, entries := range t.folders {
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return t
}

func (t listedTree) add(name string, mode fs.FileMode) {
	dir := path.Dir(name)
	if _, ok := t.folders[dir]; !ok {
		t.folders[dir] = nil
		t.add(dir, fs.ModeDir|0o755)
	}
	t.folders[dir] = append(t.folders[dir], entry{path.Base(name), mode, t, name})
}

// ReadDir lists a folder in name order.
func (t listedTree) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, ok := t.folders[name]
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	return entries, nil
}

// Lstat describes a file, a folder or a link.
func (t listedTree) Lstat(name string) (fs.FileInfo, error) {
	if _, ok := t.folders[name]; ok {
		return fstest.MapFS{name: {Mode: fs.ModeDir | 0o755}}.Lstat(name)
	}
	if t.MapFS[name] == nil {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrNotExist}
	}
	return fstest.MapFS{name: t.MapFS[name]}.Lstat(name)
}

// Open opens a regular file.
func (t listedTree) Open(name string) (fs.File, error) {
	if t.MapFS[name] == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return fstest.MapFS{name: t.MapFS[name]}.Open(name)
}

// entry is one name in a folder.
type entry struct {
	name string
	mode fs.FileMode
	tree listedTree
	full string
}

func (e entry) Name() string               { return e.name }
func (e entry) IsDir() bool                { return e.mode.IsDir() }
func (e entry) Type() fs.FileMode          { return e.mode.Type() }
func (e entry) Info() (fs.FileInfo, error) { return e.tree.Lstat(e.full) }
