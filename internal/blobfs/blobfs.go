// Package blobfs is a file tree made of a list: the files of a commit, by path,
// whose contents are read when they are opened. Where they are read from (git,
// GitHub) is the caller's.
package blobfs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// File is one file of the list.
type File struct {
	Path string // slash-separated
	// Mode is a regular file's, a link's, or a folder's for a submodule, which
	// is an empty folder here.
	Mode fs.FileMode
	Size int64 // bytes
	ID   string
}

// FS is the tree. It follows no link.
type FS struct {
	folders map[string][]fs.DirEntry
	files   map[string]*entry
	others  map[string]string
	read    func(File) ([]byte, error)
}

var (
	_ fs.ReadDirFS  = (*FS)(nil)
	_ fs.ReadLinkFS = (*FS)(nil)
)

// New makes a tree. read returns a file's content, or a link's target. A path
// that no file tree of Go can hold is left out, see [FS.Others].
func New(files []File, read func(File) ([]byte, error)) *FS {
	t := &FS{folders: map[string][]fs.DirEntry{".": nil}, files: map[string]*entry{}, others: map[string]string{}, read: read}
	for _, f := range files {
		switch {
		case t.files[f.Path] != nil:
			continue
		case !fs.ValidPath(f.Path) || f.Path == ".":
			t.others[f.Path] = f.ID
			continue
		case f.Mode.IsDir():
			t.others[f.Path] = f.ID
			t.folder(f.Path)
			continue
		}
		dir := path.Dir(f.Path)
		e := &entry{path.Base(f.Path), f}
		t.folder(dir)
		t.folders[dir] = append(t.folders[dir], e)
		t.files[f.Path] = e
	}
	for _, entries := range t.folders {
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return t
}

// folder adds a folder and those above it.
func (t *FS) folder(name string) {
	if _, ok := t.folders[name]; ok {
		return
	}
	t.folders[name] = nil
	above := path.Dir(name)
	t.folder(above)
	t.folders[above] = append(t.folders[above], folderEntry(name))
}

func folderEntry(name string) *entry {
	return &entry{path.Base(name), File{Path: name, Mode: fs.ModeDir | 0o755}}
}

// entry is one file, folder or link.
type entry struct {
	name string
	file File
}

func (e *entry) Name() string               { return e.name }
func (e *entry) Size() int64                { return e.file.Size }
func (e *entry) Mode() fs.FileMode          { return e.file.Mode }
func (e *entry) Type() fs.FileMode          { return e.file.Mode.Type() }
func (e *entry) ModTime() time.Time         { return time.Time{} }
func (e *entry) IsDir() bool                { return e.file.Mode.IsDir() }
func (e *entry) Info() (fs.FileInfo, error) { return e, nil }
func (e *entry) Sys() any                   { return nil }

func (t *FS) content(e *entry) ([]byte, error) {
	data, err := t.read(e.file)
	if err == nil && int64(len(data)) != e.file.Size {
		err = fmt.Errorf("it has %d bytes and the list says %d", len(data), e.file.Size)
	}
	return data, err
}

// ReadDir lists a folder in name order.
func (t *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, ok := t.folders[name]
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	return slices.Clone(entries), nil
}

// Lstat describes a file, a folder or a link.
func (t *FS) Lstat(name string) (fs.FileInfo, error) {
	if e, ok := t.files[name]; ok {
		return e, nil
	}
	if _, ok := t.folders[name]; ok {
		return folderEntry(name), nil
	}
	return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrNotExist}
}

// ReadLink returns what a link says.
func (t *FS) ReadLink(name string) (string, error) {
	e, ok := t.files[name]
	if !ok || e.file.Mode&fs.ModeSymlink == 0 {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	data, err := t.content(e)
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	return string(data), nil
}

// Open opens a regular file or a folder.
func (t *FS) Open(name string) (fs.File, error) {
	e, ok := t.files[name]
	if !ok {
		if _, ok := t.folders[name]; !ok {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return &folder{entry: folderEntry(name), rest: slices.Clone(t.folders[name])}, nil
	}
	if e.file.Mode&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("is a link")}
	}
	data, err := t.content(e)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &file{e, bytes.NewReader(data)}, nil
}

// file is an open file.
type file struct {
	*entry
	*bytes.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *file) Close() error               { return nil }
func (f *file) Size() int64                { return f.file.Size }

// folder is an open folder.
type folder struct {
	*entry
	rest []fs.DirEntry
}

func (f *folder) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *folder) Close() error               { return nil }

func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: errors.New("is a folder")}
}

// ReadDir returns the next n entries, or all of them where n is not above 0.
func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		all := f.rest
		f.rest = nil
		return all, nil
	}
	if len(f.rest) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.rest))
	next := f.rest[:n]
	f.rest = f.rest[n:]
	return next, nil
}

// Paths lists every file and link in path order.
func (t *FS) Paths() []string { return slices.Sorted(maps.Keys(t.files)) }

// Others are what the list has and the tree does not, by path with their
// identity: submodules, and files whose paths no file tree of Go can hold, such
// as those that are not UTF-8.
func (t *FS) Others() map[string]string { return maps.Clone(t.others) }

// ID returns the identity of a file or link.
func (t *FS) ID(name string) (string, bool) {
	e, ok := t.files[name]
	if !ok {
		return "", false
	}
	return e.file.ID, true
}
