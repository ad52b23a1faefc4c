package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"steelyard/lint"
)

// openTree opens a folder as a tree that no link leads out of.
func openTree(dir string) (fs.FS, error) {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s does not exist", dir)
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, withHint(fmt.Errorf("%s is not a folder", dir), "name the folder it lies in")
	}
	return lint.DirFS(dir)
}

// writeAtomic writes a file so that it is either whole or not there: a reader
// never sees half of it, and a failure leaves the old one. Something that is
// no regular file (/dev/stdout, a pipe) is written to as it is.
func writeAtomic(path string, data []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return fmt.Errorf("write %s: it is a folder", path)
	}
	if err == nil && !info.Mode().IsRegular() {
		return writeInto(path, data)
	}
	mode := fs.FileMode(0o644)
	if err == nil {
		mode = info.Mode().Perm()
	}
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if errors.Is(err, fs.ErrNotExist) {
		return withHint(fmt.Errorf("write %s: the folder %s does not exist", path, dir), "make it first: mkdir -p %s", shellWord(dir))
	}
	var fault *fs.PathError // it names the temporary file, which nobody asked for
	if errors.As(err, &fault) {
		err = fault.Err
	}
	if err != nil {
		return fmt.Errorf("write %s: make a file in %s: %w", path, dir, err)
	}
	err = fill(f, data, mode)
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // best effort: the error below matters
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func fill(f *os.File, data []byte, mode fs.FileMode) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func writeInto(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// writeOut writes to a file, or to w where none is named or it is "-".
func writeOut(w io.Writer, path string, data []byte) error {
	if path == "" || path == "-" {
		_, err := w.Write(data)
		return err
	}
	return writeAtomic(path, data)
}
