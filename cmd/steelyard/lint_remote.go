package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"steelyard/lint/instructions"
)

// Bounds on what is read of git's files: its list of packed refs, and the one
// name that a HEAD holds.
const (
	maxRefs = 8 << 20
	maxHead = 4 << 10
)

// remote returns what the clone around a folder knows of the repository that
// it was made from. It reads git's own files and runs nothing; where they do
// not say it (a linked worktree, a checkout in CI), nothing is known.
func remote(dir string) (r instructions.Remote, ok bool) {
	git, ok := gitFolder(dir)
	if !ok {
		return instructions.Remote{}, false
	}
	const prefix = "refs/remotes/origin/"
	head, err := readRegular(filepath.Join(git, filepath.FromSlash(prefix), "HEAD"), maxHead)
	name, found := strings.CutPrefix(strings.TrimSpace(head), "ref: "+prefix)
	if err != nil || !found || name == "" {
		return instructions.Remote{}, false
	}
	branches := map[string]bool{name: true}
	r = instructions.Remote{Default: name, Has: func(branch string) bool { return branches[branch] }}
	loose, err := os.ReadDir(filepath.Join(git, filepath.FromSlash(prefix)))
	if err != nil {
		return instructions.Remote{}, false
	}
	for _, e := range loose {
		branches[e.Name()] = true
	}
	packed, err := readRegular(filepath.Join(git, "packed-refs"), maxRefs)
	if err != nil {
		return r, os.IsNotExist(err)
	}
	for line := range strings.Lines(packed) {
		if _, ref, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " "+prefix); ok {
			branches[ref] = true
		}
	}
	return r, true
}

// gitFolder returns the .git folder of the working tree around a folder.
func gitFolder(dir string) (string, bool) {
	dir, err := filepath.Abs(dir)
	for err == nil {
		git := filepath.Join(dir, ".git")
		if info, err := os.Lstat(git); err == nil {
			return git, info.IsDir()
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", false
		}
		dir = above
	}
	return "", false
}

// readRegular reads the beginning of a regular file. It waits for no pipe and
// follows no link.
func readRegular(name string, most int64) (string, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", os.ErrInvalid
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, most))
	return string(text), err
}
