package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"

	"steelyard/lint/instructions"
)

// maxRefs bounds what is read of git's list of packed refs.
const maxRefs = 8 << 20

// remote returns what the clone around a folder knows of the repository that
// it was made from. It reads git's own files and runs nothing; where they do
// not say it (a linked worktree, a checkout in CI), nothing is known.
func remote(dir string) (r instructions.Remote, ok bool) {
	git, ok := gitFolder(dir)
	if !ok {
		return instructions.Remote{}, false
	}
	const prefix = "refs/remotes/origin/"
	head, err := readSmall(filepath.Join(git, filepath.FromSlash(prefix), "HEAD"))
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
	packed, err := os.Open(filepath.Join(git, "packed-refs"))
	if err != nil {
		return r, os.IsNotExist(err)
	}
	defer func() { _ = packed.Close() }() // it was only read
	lines := bufio.NewScanner(io.LimitReader(packed, maxRefs))
	for lines.Scan() {
		if _, ref, ok := strings.Cut(lines.Text(), " "+prefix); ok {
			branches[ref] = true
		}
	}
	return r, lines.Err() == nil
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

// readSmall reads the beginning of a regular file.
func readSmall(name string) (string, error) {
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
	const most = 4096
	text, err := io.ReadAll(io.LimitReader(f, most))
	return string(text), err
}
