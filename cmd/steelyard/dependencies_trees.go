package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"steelyard/internal/gittree"
	"steelyard/lint"
	"steelyard/lint/dependencies/registry"
)

// compared are the two trees of a comparison.
type compared struct {
	base, head fs.FS
	// baseCommitted and headCommitted say that a tree is a commit's.
	baseCommitted, headCommitted bool
	// repository is where commits come from, nil where both sides are folders.
	repository *gittree.Repository
	// baseCommit and headCommit are full names, empty for a folder.
	baseCommit, headCommit string
	dir, baseDir           string // the head's folder, and the base's where it is one
	system                 string // the CI system that made the clone, see systemOf
	// says is what whoever reads the result must know of the choice.
	says    []string
	closers []func() error
}

// say adds what whoever reads the result must know, once.
func (t *compared) say(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(t.says, text) {
		t.says = append(t.says, text)
	}
}

func (t *compared) close() error {
	var all error
	for _, c := range t.closers {
		all = errors.Join(all, c())
	}
	return all
}

// open opens both trees.
func (c *compareDependencies) open(ctx context.Context, p *program) (*compared, error) {
	t := &compared{dir: ".", system: p.system()}
	var err error
	switch {
	case c.Head == "" || isFolder(c.Head):
		if c.Head != "" {
			t.dir = c.Head
		}
		t.head, err = openTree(t.dir)
	default:
		t.headCommitted = true
		t.head, t.headCommit, err = t.commit(ctx, headEnd, c.Head, false)
	}
	if err != nil {
		return nil, fmt.Errorf("--head: %w", err)
	}
	switch {
	case c.All:
		t.base = nothing{}
	case c.Base != "" && isFolder(c.Base):
		t.baseDir = c.Base
		t.base, err = openTree(c.Base)
	case c.Base != "":
		t.baseCommitted = true
		if t.base, t.baseCommit, err = t.commit(ctx, baseEnd, c.Base, !t.headCommitted); err != nil {
			err = fmt.Errorf("--base: %w", err)
		}
	default:
		t.baseCommitted = true
		t.base, t.baseCommit, err = t.commit(ctx, baseEnd, "HEAD", false)
		if err != nil {
			err = withHint(fmt.Errorf("there is nothing to compare with: %w", err), "name it: --base REV or --base DIR; --all judges every dependency")
		}
	}
	if err != nil {
		return nil, errors.Join(err, t.close())
	}
	return t, nil
}

// commit opens the tree of a revision, or of what it has in common with the
// commit that is checked out, and returns its full name. end is what it is of
// the change.
func (t *compared) commit(ctx context.Context, end, rev string, common bool) (fs.FS, string, error) {
	repository, err := gittree.Open(ctx, t.dir)
	if errors.Is(err, gittree.ErrNoRepository) {
		return nil, "", withHint(fmt.Errorf("%s is neither a folder, nor a revision: there is no git repository here", shellWord(rev)), "name a folder, or run it in the repository")
	}
	if err != nil {
		return nil, "", err
	}
	t.repository = repository
	find := repository.Resolve
	if common {
		find = repository.MergeBase
	}
	name, err := find(ctx, rev)
	if err != nil {
		return nil, "", missing(ctx, repository, t.system, end, rev, err)
	}
	tree, err := repository.Tree(ctx, name)
	if err != nil {
		return nil, "", err
	}
	t.closers = append(t.closers, tree.Close)
	return tree, name, nil
}

// ownCache refuses a folder for answers that holds files of the change: it
// would bring the answers about its own packages.
func (c *compareDependencies) ownCache(t *compared) error {
	if c.CacheDir == "" || c.CacheDir == registry.Off {
		return nil
	}
	root, err := realPath(t.dir)
	if err != nil {
		return err
	}
	cache, err := realPath(c.CacheDir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // so nothing is in it
	case err != nil:
		return fmt.Errorf("--cache-dir: %w", err)
	}
	below, err := filepath.Rel(root, cache)
	if elsewhere := err != nil || !filepath.IsLocal(below); elsewhere {
		return nil
	}
	planted := false
	look := func(name string) {
		planted = planted || below == "." || strings.HasPrefix(name, filepath.ToSlash(below)+"/")
	}
	if commit, ok := t.head.(listed); ok {
		for _, name := range commit.Paths() {
			look(name)
		}
	} else {
		lint.Tracked(t.head, look)
	}
	if planted {
		return withHint(fmt.Errorf("--cache-dir: %s holds files of the repository, which could answer for its own packages", shellWord(c.CacheDir)), "name a folder that git does not track")
	}
	return nil
}

func realPath(name string) (string, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(full)
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// nothing is an empty tree.
type nothing struct{}

// Open finds the root alone.
func (nothing) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadDir lists nothing.
func (nothing) ReadDir(string) ([]fs.DirEntry, error) { return nil, nil }
