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
	"strconv"
	"strings"
	"sync"

	"steelyard/internal/blobfs"
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
	*blobfs.FS
	Commit string

	mu  sync.Mutex
	cat *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// Tree opens the files of a commit, named by its full name.
func (r *Repository) Tree(ctx context.Context, commit string) (*Tree, error) {
	files, err := r.list(ctx, commit)
	if err != nil {
		return nil, fmt.Errorf("list commit %.12s: %w", commit, err)
	}
	t := &Tree{Commit: commit}
	t.FS = blobfs.New(files, t.content)
	if err := t.start(ctx, r); err != nil {
		return nil, fmt.Errorf("read commit %.12s: %w", commit, err)
	}
	return t, nil
}

// list reads "MODE TYPE ID SIZE\tPATH" of every file, NUL between.
func (r *Repository) list(ctx context.Context, commit string) ([]blobfs.File, error) {
	args := []string{"ls-tree", "-r", "-z", "-l", "--full-tree", commit}
	if r.prefix != "" {
		args = append(args, "--", strings.TrimSuffix(r.prefix, "/"))
	}
	cmd := r.command(ctx, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, reason("ls-tree", err, "")
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
		return nil, err
	}
	var files []blobfs.File
	for record := range bytes.SplitSeq(data, []byte{0}) {
		if f, ok := fileOf(string(record), r.prefix); ok {
			files = append(files, f)
		}
	}
	return files, nil
}

func fileOf(record, prefix string) (f blobfs.File, ok bool) {
	head, name, ok := strings.Cut(record, "\t")
	fields := strings.Fields(head)
	name, inside := strings.CutPrefix(name, prefix)
	if !ok || !inside || len(fields) != 4 {
		return blobfs.File{}, false
	}
	f = blobfs.File{Path: name, Mode: 0o644, ID: fields[2]}
	f.Size, _ = strconv.ParseInt(fields[3], 10, 64) // "-" for a submodule
	switch fields[0] {
	case "120000":
		f.Mode |= fs.ModeSymlink
	case "160000": // a submodule: another repository's, an empty folder here
		f.Mode = fs.ModeDir | 0o755
	}
	return f, true
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
func (t *Tree) content(f blobfs.File) ([]byte, error) {
	if f.Size > MaxBlob {
		return nil, fmt.Errorf("file of more than %d bytes", MaxBlob)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cat == nil {
		return nil, fs.ErrClosed
	}
	if _, err := io.WriteString(t.in, f.ID+"\n"); err != nil {
		return nil, fmt.Errorf("ask git for a file: %w", err)
	}
	head, err := t.out.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("read a file from git: %w", err)
	}
	fields := strings.Fields(head)
	if len(fields) != 3 || fields[1] != "blob" {
		return nil, fmt.Errorf("git does not have the file here: %w", ErrPartial)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size != f.Size {
		return nil, fmt.Errorf("git says %q of a file of %d bytes", strings.TrimSpace(head), f.Size)
	}
	data := make([]byte, size+1) // and a line break
	if _, err := io.ReadFull(t.out, data); err != nil {
		return nil, fmt.Errorf("read a file from git: %w", err)
	}
	return data[:size], nil
}
