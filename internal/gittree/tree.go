package gittree

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// maxListing bounds the list of a commit's files.
	maxListing = 512 << 20
	// MaxBlob is the size over which a file is not read.
	MaxBlob = 64 << 20
)

// Tree is the files of one commit, below the folder that the repository was
// opened in. It is safe for use by several goroutines. Close ends the program
// behind it.
type Tree struct {
	Commit  string
	folders map[string][]fs.DirEntry
	files   map[string]*entry

	mu  sync.Mutex
	cat *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

var _ fs.ReadLinkFS = (*Tree)(nil)

// entry is one file, folder or link of a commit.
type entry struct {
	name string
	mode fs.FileMode
	size int64
	id   string
}

func (e *entry) Name() string               { return e.name }
func (e *entry) Size() int64                { return e.size }
func (e *entry) Mode() fs.FileMode          { return e.mode }
func (e *entry) Type() fs.FileMode          { return e.mode.Type() }
func (e *entry) ModTime() time.Time         { return time.Time{} }
func (e *entry) IsDir() bool                { return e.mode.IsDir() }
func (e *entry) Info() (fs.FileInfo, error) { return e, nil }
func (e *entry) Sys() any                   { return nil }

// Tree opens the files of a commit, named by its full name.
func (r *Repository) Tree(ctx context.Context, commit string) (*Tree, error) {
	t := &Tree{Commit: commit, folders: map[string][]fs.DirEntry{".": nil}, files: map[string]*entry{}}
	if err := t.list(ctx, r); err != nil {
		return nil, fmt.Errorf("list commit %.12s: %w", commit, err)
	}
	for _, entries := range t.folders {
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	if err := t.start(ctx, r); err != nil {
		return nil, fmt.Errorf("read commit %.12s: %w", commit, err)
	}
	return t, nil
}

// list reads "MODE TYPE ID SIZE\tPATH" of every file, NUL between.
func (t *Tree) list(ctx context.Context, r *Repository) error {
	args := []string{"ls-tree", "-r", "-z", "-l", "--full-tree", t.Commit}
	if r.prefix != "" {
		args = append(args, "--", strings.TrimSuffix(r.prefix, "/"))
	}
	cmd := r.command(ctx, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return reason("ls-tree", err, "")
	}
	data, err := io.ReadAll(io.LimitReader(pipe, maxListing+1))
	if len(data) > maxListing {
		err = fmt.Errorf("its list of files is over %d bytes", maxListing)
		_ = cmd.Process.Kill() // it would wait for a reader
	}
	if wait := cmd.Wait(); err == nil && wait != nil {
		err = reason("ls-tree", wait, errs.String())
	}
	if err != nil {
		return err
	}
	for record := range bytes.SplitSeq(data, []byte{0}) {
		t.add(string(record), r.prefix)
	}
	return nil
}

func (t *Tree) add(record, prefix string) {
	head, name, ok := strings.Cut(record, "\t")
	fields := strings.Fields(head)
	name, inside := strings.CutPrefix(name, prefix)
	if !ok || !inside || len(fields) != 4 || !fs.ValidPath(name) || name == "." {
		return // a name that no file tree of Go can hold
	}
	e := &entry{name: path.Base(name), id: fields[2], mode: 0o644}
	e.size, _ = strconv.ParseInt(fields[3], 10, 64) // "-" for a submodule
	switch fields[0] {
	case "120000":
		e.mode |= fs.ModeSymlink
	case "160000": // a submodule: another repository's, an empty folder here
		t.folder(name)
		return
	}
	t.folder(path.Dir(name))
	t.folders[path.Dir(name)] = append(t.folders[path.Dir(name)], e)
	t.files[name] = e
}

// folder adds a folder and those above it.
func (t *Tree) folder(name string) {
	if _, ok := t.folders[name]; ok {
		return
	}
	t.folders[name] = nil
	above := path.Dir(name)
	t.folder(above)
	t.folders[above] = append(t.folders[above], &entry{name: path.Base(name), mode: fs.ModeDir | 0o755})
}

// start runs the program that hands out contents.
func (t *Tree) start(ctx context.Context, r *Repository) error {
	t.cat = r.command(ctx, "cat-file", "--batch")
	in, err := t.cat.StdinPipe()
	if err != nil {
		return err
	}
	out, err := t.cat.StdoutPipe()
	if err != nil {
		return err
	}
	t.in, t.out = in, bufio.NewReader(out)
	return t.cat.Start()
}

// Close ends the program behind the tree.
func (t *Tree) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cat == nil {
		return nil
	}
	err := errors.Join(t.in.Close(), t.cat.Wait())
	t.cat = nil
	return err
}

// content reads one object.
func (t *Tree) content(e *entry) ([]byte, error) {
	if e.size > MaxBlob {
		return nil, fmt.Errorf("file of more than %d bytes", MaxBlob)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cat == nil {
		return nil, fs.ErrClosed
	}
	if _, err := io.WriteString(t.in, e.id+"\n"); err != nil {
		return nil, fmt.Errorf("ask git for a file: %w", err)
	}
	head, err := t.out.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("read a file from git: %w", err)
	}
	fields := strings.Fields(head)
	if len(fields) != 3 || fields[1] != "blob" {
		return nil, errors.New("git does not have the file here (a partial clone?)")
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size != e.size {
		return nil, fmt.Errorf("git says %q of a file of %d bytes", strings.TrimSpace(head), e.size)
	}
	data := make([]byte, size+1) // and a line break
	if _, err := io.ReadFull(t.out, data); err != nil {
		return nil, fmt.Errorf("read a file from git: %w", err)
	}
	return data[:size], nil
}

// ReadDir lists a folder in name order.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, ok := t.folders[name]
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	return slices.Clone(entries), nil
}

// Lstat describes a file, a folder or a link.
func (t *Tree) Lstat(name string) (fs.FileInfo, error) {
	if e, ok := t.files[name]; ok {
		return e, nil
	}
	if _, ok := t.folders[name]; ok {
		return &entry{name: path.Base(name), mode: fs.ModeDir | 0o755}, nil
	}
	return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrNotExist}
}

// ReadLink returns what a link says.
func (t *Tree) ReadLink(name string) (string, error) {
	e, ok := t.files[name]
	if !ok || e.mode&fs.ModeSymlink == 0 {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	data, err := t.content(e)
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	return string(data), nil
}

// Open opens a regular file or a folder. A link is not followed.
func (t *Tree) Open(name string) (fs.File, error) {
	e, ok := t.files[name]
	if !ok {
		info, err := t.Lstat(name)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return &folder{entry: info.(*entry), rest: slices.Clone(t.folders[name])}, nil
	}
	if e.mode&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("is a link")}
	}
	data, err := t.content(e)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &file{entry: e, Reader: bytes.NewReader(data)}, nil
}

// file is an open file.
type file struct {
	*entry
	*bytes.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *file) Close() error               { return nil }
func (f *file) Size() int64                { return f.size }

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
