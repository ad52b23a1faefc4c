package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"

	"steelyard/lint"
	"steelyard/lint/families"
	"steelyard/lint/output"
)

// maxRounds bounds how often a tree is mended anew: fixes that overlap wait for
// each other, and a file shows some hundred findings at a time.
const maxRounds = 20

// mend applies every fix and returns the tree as it is then. With --diff it
// shows the changes and writes nothing.
func (c *lintCommand) mend(ctx context.Context, p *program, tree fs.FS, cfg lint.Config) (fs.FS, error) {
	changes, err := fixes(ctx, tree, cfg)
	if err != nil {
		return nil, err
	}
	if c.Diff {
		if err := output.Diff(p.stdout, changes); err != nil {
			return nil, err
		}
		if len(changes) > 0 {
			return nil, errFindings
		}
		return nil, nil
	}
	var refused []error
	fixed, files := 0, 0
	for _, change := range changes {
		if err := replace(c.Path, change); err != nil {
			refused = append(refused, err)
			continue
		}
		fixed += change.Fixed
		files++
		for _, says := range change.Says {
			p.say("%s: %s", change.Path, says)
		}
	}
	if files > 0 {
		p.say("mended %s in %s", counted(fixed, "findings"), counted(files, "files"))
	}
	if err := errors.Join(refused...); err != nil {
		return nil, err
	}
	return openTree(c.Path)
}

// fixes mends a tree in memory until no fix is left or maxRounds are over, and
// returns each file that changed with its text before the first round and after
// the last. What the rounds left is found by the run after them.
func fixes(ctx context.Context, tree fs.FS, cfg lint.Config) ([]lint.Change, error) {
	all := map[string]lint.Change{}
	texts := map[string][]byte{}
	for range maxRounds {
		result, err := lint.Run(ctx, lint.Overlay{Below: tree, Files: texts}, families.All(), cfg)
		if err != nil {
			return nil, err
		}
		changes, err := lint.Mend(result.Findings)
		if err != nil {
			return nil, err
		}
		if len(changes) == 0 {
			break
		}
		for _, change := range changes {
			texts[change.Path] = change.Text
			if before, ok := all[change.Path]; ok {
				change.Source, change.Before = before.Source, before.Before
				change.Fixed += before.Fixed
				change.Says = append(before.Says, change.Says...)
			}
			all[change.Path] = change
		}
	}
	var list []lint.Change
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[name])
	}
	return list, nil
}

// replace writes a mended file over the one that was read, whole or not at all.
// No link is followed out of the folder, and what somebody else wrote since is
// not lost.
func replace(dir string, change lint.Change) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("mend %s: %w", change.Path, err)
	}
	defer func() { _ = root.Close() }() // every write below is checked
	info, now, err := regular(root, change.Path)
	switch {
	case err != nil:
		return fmt.Errorf("mend %s: %w", change.Path, err)
	case bytes.Equal(now, change.Text):
		return nil // somebody mended it already
	case !bytes.Equal(now, change.Source):
		return fmt.Errorf("mend %s: it changed while it was checked, so nothing was written to it: run --fix again", change.Path)
	}
	name := path.Join(path.Dir(change.Path), fmt.Sprintf(".%s.steelyard-%d", path.Base(change.Path), os.Getpid()))
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return fmt.Errorf("mend %s: %w", change.Path, err)
	}
	err = fill(f, change.Text, info.Mode().Perm())
	if err == nil {
		err = root.Rename(name, change.Path)
	}
	if err != nil {
		_ = root.Remove(name) // best effort: the error below matters
		return fmt.Errorf("mend %s: %w", change.Path, err)
	}
	return nil
}

// ownerWrites is the bit without which a file is read-only.
const ownerWrites = 0o200

// regular reads a file that may be written over.
func regular(root *os.Root, name string) (fs.FileInfo, []byte, error) {
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, nil, errors.New("it is not a regular file any more, so nothing was written")
	case info.Mode().Perm()&ownerWrites == 0:
		return nil, nil, errors.New("it is read-only, so nothing was written to it: allow writing, or suppress its findings")
	}
	now, err := root.ReadFile(name)
	return info, now, err
}
