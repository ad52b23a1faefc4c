package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"steelyard/internal/gittree"
	"steelyard/lint/owners"
)

// ownersAbove is the CODEOWNERS that counts for a folder of a repository: that
// of the repository's root, as GitHub reads it, on each side of the change. It
// is nothing where the whole repository is looked at.
type ownersAbove struct{ base, head []any }

// findOwners reads the CODEOWNERS of both sides, where the check looks at a
// folder of the repository alone.
func (s *span) findOwners(ctx context.Context) error {
	if s.repository == nil || s.repository.Folder() == "" || s.dir != "." {
		return nil
	}
	for _, side := range []struct {
		commit    string
		committed bool
		given     *[]any
	}{{s.baseCommit, s.baseCommitted, &s.above.base}, {s.headCommit, s.headCommitted, &s.above.head}} {
		if side.committed == (side.commit == "") {
			continue // a folder stands for the commit
		}
		above, err := s.ownersOf(ctx, side.commit)
		if err != nil {
			return err
		}
		*side.given = []any{above}
	}
	return nil
}

// ownersOf is the CODEOWNERS of a commit, "" for the working directory.
func (s *span) ownersOf(ctx context.Context, commit string) (above owners.Above, err error) {
	folder := s.repository.Folder()
	root := "." + strings.Repeat("/..", strings.Count(folder, "/")+1)
	var tree fs.FS
	if commit == "" {
		tree, err = openTree(filepath.FromSlash(root))
	} else {
		tree, err = s.rootTree(ctx, root, commit)
	}
	if err != nil {
		return above, fmt.Errorf("the repository around %s: %w", folder, err)
	}
	found, place, err := owners.Find(tree)
	if closer, ok := tree.(interface{ Close() error }); ok {
		err = errors.Join(err, closer.Close())
	}
	if err != nil {
		return above, err
	}
	return owners.Above{Owners: found.Within(folder), Place: place}, nil
}

func (s *span) rootTree(ctx context.Context, root, commit string) (fs.FS, error) {
	repository, err := gittree.Open(ctx, filepath.FromSlash(root))
	if err != nil {
		return nil, err
	}
	return repository.Tree(ctx, commit)
}

// ownersIn is the CODEOWNERS that counts on one side of the change, nil where
// there is none, and where it stands.
func ownersIn(above []any, tree fs.FS) (*owners.Codeowners, string, error) {
	if len(above) == 1 {
		if a, ok := above[0].(owners.Above); ok {
			return a.Owners, a.Place, nil
		}
	}
	return owners.Find(tree)
}
