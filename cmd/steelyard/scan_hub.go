package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"steelyard/internal/blobfs"
	"steelyard/internal/config"
	"steelyard/internal/github"
	"steelyard/lint"
	"steelyard/lint/families"
)

// hubItem stands before OWNER/REPO where a job's item may be a folder as well.
const hubItem = "github:"

var hubForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$`)

// hubName reads OWNER/REPO. A folder of that name is meant as the folder.
func hubName(name string) (github.RepositoryRef, bool) {
	if _, err := os.Stat(name); err == nil {
		return github.RepositoryRef{}, false
	}
	return hubRef(name)
}

func hubRef(name string) (github.RepositoryRef, bool) {
	owner, repository, _ := strings.Cut(name, "/")
	if !hubForm.MatchString(name) || repository == "." || repository == ".." {
		return github.RepositoryRef{}, false
	}
	return github.RepositoryRef{Owner: owner, Name: repository}, true
}

// lintHub lints a repository that GitHub has, by the settings that stand in it,
// and returns the commit that was read.
func (p *program) lintHub(ctx context.Context, settings *config.Config, ref github.RepositoryRef, rev string) (lint.Result, string, error) {
	client, err := p.githubClient(settings, func(n github.Notice) { p.say("note: %s", n.Reason) })
	if err != nil {
		return lint.Result{}, "", err
	}
	if rev == "" {
		rev = "HEAD"
	}
	listed, err := client.Tree(ctx, ref, rev)
	if err != nil {
		return lint.Result{}, "", err
	}
	tree := blobfs.New(filesOf(listed), func(f blobfs.File) ([]byte, error) { return client.Blob(ctx, ref, f.ID) })
	linted, err := p.treeSettings(tree, ref.String())
	if err != nil {
		return lint.Result{}, "", err
	}
	cfg := observing(lintConfig(linted, p))
	cfg.Committed = true
	result, err := lint.Run(ctx, tree, families.All(), cfg)
	if listed.Truncated {
		result.Skipped = append(result.Skipped, lint.Skip{Path: ".", Reason: "GitHub cut the list of files: the rest was not looked at"})
	}
	return result, listed.Commit, err
}

func filesOf(t github.Tree) []blobfs.File {
	var files []blobfs.File
	for _, e := range t.Entries {
		f := blobfs.File{Path: e.Path, Mode: 0o644, Size: e.Size, ID: e.SHA}
		switch {
		case e.Type == "commit":
			f.Mode = fs.ModeDir | 0o755
		case e.Type != "blob":
			continue
		case e.Mode == "120000":
			f.Mode |= fs.ModeSymlink
		}
		files = append(files, f)
	}
	return files
}

// lintItem lints what a job names: a folder of this machine, or a repository on
// GitHub.
func (p *program) lintItem(ctx context.Context, item string) (lint.Result, error) {
	name, remote := strings.CutPrefix(item, hubItem)
	if !remote {
		tree, settings, err := p.openLinted(item)
		if err != nil {
			return lint.Result{}, err
		}
		return p.lint(ctx, item, tree, settings)
	}
	ref, ok := hubRef(name)
	if !ok {
		return lint.Result{}, fmt.Errorf("%q is not OWNER/REPO", name)
	}
	settings, err := p.settings()
	if err != nil {
		return lint.Result{}, err
	}
	result, _, err := p.lintHub(ctx, settings, ref, "")
	return result, err
}
