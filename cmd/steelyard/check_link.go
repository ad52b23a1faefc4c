package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// linkInRepository is the first part of a path, below the root of the repository
// that the working directory lies in, that is a link; "" where none is, and for
// a path outside of it. A change may have made that link.
func linkInRepository(path string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return ""
	}
	root := here
	for dir := here; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			root = dir
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	below, err := filepath.Rel(root, full)
	if err != nil || !filepath.IsLocal(below) {
		return ""
	}
	at := root
	for part := range strings.SplitSeq(filepath.ToSlash(below), "/") {
		at = filepath.Join(at, part)
		if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			if shown, err := filepath.Rel(here, at); err == nil && shown != "." {
				return shown
			}
			return filepath.Base(at) // the working directory itself
		}
	}
	return ""
}
