package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"steelyard/lint/instructions"
	"steelyard/lint/owners"
)

// Bounds on what is read of git's files: its list of packed refs, and the one
// name that a HEAD holds.
const (
	maxRefs = 8 << 20
	maxHead = 4 << 10
)

// remote returns what the clone around a folder knows of the repository that
// it was made from. It reads git's own files and runs nothing; where they do
// not say it (a submodule, a checkout in CI), nothing is known.
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

// given is what the repository around a folder says, for the rules.
func given(dir string) (known []any) {
	if r, ok := remote(dir); ok {
		known = append(known, r)
	}
	if above, ok := ownersAround(dir); ok {
		known = append(known, above)
	}
	return known
}

// ownersAround is the CODEOWNERS of the repository that a folder is a part of;
// not ok where the folder is the whole of it, or in none. Nothing else of the
// repository is read.
func ownersAround(dir string) (above owners.Above, ok bool) {
	git, found := gitAt(dir)
	full, err := filepath.Abs(dir)
	if !found || err != nil {
		return above, false
	}
	root := filepath.Dir(git)
	folder, err := filepath.Rel(root, full)
	if err != nil || folder == "." {
		return above, false
	}
	tree, err := openTree(root)
	if err != nil {
		return above, false
	}
	list, place, err := owners.Find(tree)
	if err != nil {
		return above, false
	}
	return owners.Above{Owners: list.Within(filepath.ToSlash(folder)), Place: place}, true
}

// gitAt returns the .git of the working tree around a folder: a folder, or the
// file of a linked worktree or a submodule.
func gitAt(dir string) (string, bool) {
	dir, err := filepath.Abs(dir)
	for err == nil {
		git := filepath.Join(dir, ".git")
		if _, err := os.Lstat(git); err == nil {
			return git, true
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", false
		}
		dir = above
	}
	return "", false
}

// gitFolder returns the folder in which git keeps the refs of the working tree
// around a folder.
func gitFolder(dir string) (string, bool) {
	git, ok := gitAt(dir)
	if !ok {
		return "", false
	}
	if info, err := os.Lstat(git); err != nil || info.IsDir() {
		return git, err == nil
	}
	return linked(git)
}

// linked returns the folder of the repository that a linked worktree belongs
// to. The worktree is believed only where that repository knows it as its own,
// so that a file in an archive cannot lead to another one on this machine.
//
// Source: git's manual, "gitrepository-layout", worktrees/<id>.
func linked(file string) (string, bool) {
	text, err := readRegular(file, maxHead)
	own, ok := strings.CutPrefix(strings.TrimSpace(text), "gitdir: ")
	if err != nil || !ok {
		return "", false
	}
	own = from(filepath.Dir(file), own)
	back, err := readRegular(filepath.Join(own, "gitdir"), maxHead)
	if err != nil || !samePlace(from(own, strings.TrimSpace(back)), file) {
		return "", false
	}
	worktrees := filepath.Dir(own)
	return filepath.Dir(worktrees), filepath.Base(worktrees) == "worktrees"
}

// from is a path that a file in a folder names.
func from(folder, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(folder, name)
}

func samePlace(a, b string) bool {
	one, err := os.Lstat(a)
	if err != nil {
		return false
	}
	other, err := os.Lstat(b)
	return err == nil && os.SameFile(one, other)
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
