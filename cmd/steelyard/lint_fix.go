package main

import (
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
// each other.
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
	fixed := 0
	for _, change := range changes {
		if err := replace(c.Path, change); err != nil {
			return nil, err
		}
		fixed += change.Fixed
		for _, says := range change.Says {
			p.say("%s: %s", change.Path, says)
		}
	}
	if fixed > 0 {
		p.say("mended %s in %s", counted(fixed, "findings"), counted(len(changes), "files"))
	}
	return openTree(c.Path)
}

// fixes mends a tree in memory until no fix is left, and returns each file that
// changed with its text before the first round and after the last.
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
			var list []lint.Change
			for _, name := range slices.Sorted(maps.Keys(all)) {
				list = append(list, all[name])
			}
			return list, nil
		}
		for _, change := range changes {
			texts[change.Path] = change.Text
			if before, ok := all[change.Path]; ok {
				change.Before = before.Before
				change.Fixed += before.Fixed
				change.Says = append(before.Says, change.Says...)
			}
			all[change.Path] = change
		}
	}
	return nil, errors.New("mending does not come to an end; please report this with the folder")
}

// replace writes a mended file over the one that was read, whole or not at all.
// No link is followed out of the folder.
func replace(dir string, change lint.Change) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // every write below is checked
	info, err := root.Lstat(change.Path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("mend %s: it is not a regular file", change.Path)
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
