package lint

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Overlay is a tree with some files replaced or added: what an editor has not
// saved yet, or what fixes would leave. A file of the overlay hides a file or
// link of its name below it.
type Overlay struct {
	Below fs.FS
	Files map[string][]byte // by slash-separated path
}

var (
	_ fs.ReadDirFS  = Overlay{}
	_ fs.ReadLinkFS = Overlay{}
)

// Open opens a file of the overlay, else of the tree below.
func (o Overlay) Open(name string) (fs.File, error) {
	if text, ok := o.Files[name]; ok {
		return &memoryFile{Reader: bytes.NewReader(text), info: memoryInfo{path.Base(name), int64(len(text)), 0o644}}, nil
	}
	if o.folder(name) {
		if f, err := o.Below.Open(name); err == nil {
			return f, nil
		}
		return &memoryFile{info: memoryInfo{path.Base(name), 0, fs.ModeDir | 0o755}}, nil
	}
	return o.Below.Open(name)
}

// ReadDir lists a folder of both in name order.
func (o Overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.Below, name)
	if err != nil && !o.folder(name) {
		return nil, err
	}
	entries = slices.Clone(entries)
	for full := range o.Files {
		rest, ok := strings.CutPrefix(full, name+"/")
		if name == "." {
			rest, ok = full, true
		}
		if !ok {
			continue
		}
		first, _, deeper := strings.Cut(rest, "/")
		info := memoryInfo{first, int64(len(o.Files[full])), 0o644}
		if deeper {
			info = memoryInfo{first, 0, fs.ModeDir | 0o755}
		}
		at := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == first })
		switch {
		case at < 0:
			entries = append(entries, fs.FileInfoToDirEntry(info))
		case !deeper:
			entries[at] = fs.FileInfoToDirEntry(info)
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Lstat describes a file without following it.
func (o Overlay) Lstat(name string) (fs.FileInfo, error) {
	if text, ok := o.Files[name]; ok {
		return memoryInfo{path.Base(name), int64(len(text)), 0o644}, nil
	}
	info, err := fs.Lstat(o.Below, name)
	if err != nil && o.folder(name) {
		return memoryInfo{path.Base(name), 0, fs.ModeDir | 0o755}, nil
	}
	return info, err
}

// ReadLink returns what a link of the tree below says.
func (o Overlay) ReadLink(name string) (string, error) {
	if _, ok := o.Files[name]; ok {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	return fs.ReadLink(o.Below, name)
}

// folder reports whether a file of the overlay lies below name.
func (o Overlay) folder(name string) bool {
	for full := range o.Files {
		if strings.HasPrefix(full, name+"/") || name == "." {
			return true
		}
	}
	return false
}

// memoryFile is a file of the overlay, or a folder that only it has.
type memoryFile struct {
	*bytes.Reader
	info memoryInfo
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *memoryFile) Close() error               { return nil }

func (f *memoryFile) Read(b []byte) (int, error) {
	if f.Reader == nil {
		return 0, &fs.PathError{Op: "read", Path: f.info.name, Err: errors.New("is a folder")}
	}
	return f.Reader.Read(b)
}

type memoryInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i memoryInfo) Name() string       { return i.name }
func (i memoryInfo) Size() int64        { return i.size }
func (i memoryInfo) Mode() fs.FileMode  { return i.mode }
func (i memoryInfo) ModTime() time.Time { return time.Time{} }
func (i memoryInfo) IsDir() bool        { return i.mode.IsDir() }
func (i memoryInfo) Sys() any           { return nil }
