package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"steelyard/internal/gittree"
)

// fileBefore is where a file that a flag names stood before the change, for what
// must not be believed as the change has it: a tree, and the file's name there.
// The tree is nil where no change can edit the file, because it lies elsewhere
// or a step of the job made it, and nothing where the change brings it.
func (t *compared) fileBefore(ctx context.Context, flag, file string) (fs.FS, string, error) {
	root, folder, err := t.root(ctx)
	if err != nil {
		return nil, "", err
	}
	name, inside := nameBelow(root, file)
	if !inside {
		return nil, "", nil
	}
	if link := linkBelow(root, name); link != "" {
		return nil, "", withHint(fmt.Errorf("%s %s: %s is a link, and a change could make it lead elsewhere", flag, file, link), "name the file itself")
	}
	if t.baseCommit == "" {
		return t.besideFolder(ctx, flag, file, folder, name)
	}
	return t.inCommits(ctx, root, name)
}

// root is the folder that everything of the change lies in, and where the folder
// that is compared lies below it, "." for itself.
func (t *compared) root(ctx context.Context) (root, folder string, err error) {
	if root, err = realPath(t.dir); err != nil {
		return "", "", err
	}
	repository := t.repository
	if repository == nil {
		if repository, err = gittree.Open(ctx, t.dir); err != nil {
			return root, ".", nil //nolint:nilerr // it is a folder, and no more
		}
	}
	folder = repository.Folder()
	for range strings.FieldsFunc(folder, func(r rune) bool { return r == '/' }) {
		root = filepath.Dir(root)
	}
	return root, path.Clean(folder), nil
}

// nameBelow is what a file is called below a folder, slash-separated. Links that
// lead into the folder are followed, those in it are not.
func nameBelow(root, file string) (string, bool) {
	full := file
	if !filepath.IsAbs(full) {
		here, err := realPath(".")
		if err != nil {
			return "", false
		}
		full = filepath.Join(here, full)
	}
	var above []string // the longest first
	for at := filepath.Clean(full); filepath.Dir(at) != at; at = filepath.Dir(at) {
		above = append(above, filepath.Dir(at))
	}
	for i := len(above) - 1; i >= 0; i-- {
		if real, err := filepath.EvalSymlinks(above[i]); err == nil && real == root {
			name, err := filepath.Rel(above[i], filepath.Clean(full))
			return filepath.ToSlash(name), err == nil
		}
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return "", false // whoever reads it says so
	}
	name, err := filepath.Rel(root, real)
	return filepath.ToSlash(name), err == nil && filepath.IsLocal(name)
}

// linkBelow is the first part of a name below a folder that is a link, "" where
// none is.
func linkBelow(root, name string) string {
	at := ""
	for part := range strings.SplitSeq(name, "/") {
		at = path.Join(at, part)
		if info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(at))); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return at
		}
	}
	return ""
}

// besideFolder looks for a file in the folder that the change starts from.
func (t *compared) besideFolder(ctx context.Context, flag, file, folder, name string) (fs.FS, string, error) {
	committed, known := t.committed(ctx, folder, name)
	if known && !committed {
		return nil, "", nil // a step of the job made it
	}
	below := name
	if folder != "." {
		var ok bool
		below, ok = strings.CutPrefix(name, folder+"/")
		if root, _, err := t.root(ctx); !ok && err == nil {
			if _, both := nameBelow(root, filepath.Join(t.baseDir, "x")); both {
				return nil, "", nil // both folders are files of one commit, and so is what lies beside them
			}
		}
		if !ok {
			return nil, "", withHint(fmt.Errorf("%s %s: it belongs to the repository of the change, and what it was before cannot be told from a folder", flag, file), "name a revision as the base, or a file outside of the repository")
		}
	}
	if _, err := fs.Lstat(t.base, below); err != nil {
		return nothing{}, below, nil //nolint:nilerr // the change brings it
	}
	return t.base, below, nil
}

// committed reports whether the commit that is checked out, or that the change
// is, has a file; known is false where there is no such commit.
func (t *compared) committed(ctx context.Context, folder, name string) (has, known bool) {
	if tree, ok := t.head.(listed); ok {
		below, inside := strings.CutPrefix(name, folder+"/")
		if folder == "." {
			below, inside = name, true
		}
		_, has = tree.ID(below)
		return has || !inside, true
	}
	root, _, err := t.root(ctx)
	if err != nil {
		return false, false
	}
	repository, err := gittree.Open(ctx, root)
	if err != nil {
		return false, false
	}
	head, err := repository.Head(ctx)
	if err != nil {
		return false, false
	}
	tree, err := repository.Tree(ctx, head)
	if err != nil {
		return false, false
	}
	t.closers = append(t.closers, tree.Close)
	_, has = tree.ID(name)
	return has, true
}

// inCommits looks for a file in the commit that the change starts from, and in
// the change.
func (t *compared) inCommits(ctx context.Context, root, name string) (fs.FS, string, error) {
	repository, err := gittree.Open(ctx, root)
	if err != nil {
		return nil, "", err
	}
	before, err := t.rootTree(ctx, repository, t.baseCommit)
	if err != nil {
		return nil, "", err
	}
	if _, err := before.Lstat(name); err == nil {
		return before, name, nil
	}
	head := t.headCommit
	if head == "" {
		if head, err = repository.Head(ctx); err != nil {
			return nil, "", err
		}
	}
	now, err := t.rootTree(ctx, repository, head)
	if err != nil {
		return nil, "", err
	}
	if _, err := now.Lstat(name); err == nil || otherwiseHeld(before, now, name) {
		return nothing{}, name, nil
	}
	return nil, "", nil // a step of the job made it
}

func (t *compared) rootTree(ctx context.Context, repository *gittree.Repository, commit string) (*gittree.Tree, error) {
	tree, err := repository.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	t.closers = append(t.closers, tree.Close)
	return tree, nil
}

// otherwiseHeld reports whether a file lies in a submodule, or is nothing that a
// tree can show, and that is not what it was.
func otherwiseHeld(before, now *gittree.Tree, name string) bool {
	was, is := before.Others(), now.Others()
	for at := name; at != "."; at = path.Dir(at) {
		if was[at] != is[at] {
			return true
		}
	}
	return false
}

// maxHops bounds the links that one file is reached through.
const maxHops = 8

// through is the file that a link of a commit's tree leads to within it; such a
// tree follows none itself. Anything else is what it is.
func through(tree fs.FS, name string) string {
	if _, ok := tree.(listed); !ok {
		return name
	}
	for range maxHops {
		info, err := fs.Lstat(tree, name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return name
		}
		target, err := fs.ReadLink(tree, name)
		if err != nil || path.IsAbs(target) {
			return name
		}
		next := path.Join(path.Dir(name), target)
		if !fs.ValidPath(next) {
			return name
		}
		name = next
	}
	return name
}

// fileOf opens a file of a tree, through the links that it is.
func fileOf(tree fs.FS, name string) (fs.File, error) {
	name = through(tree, name)
	info, err := fs.Stat(tree, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	return tree.Open(name)
}
