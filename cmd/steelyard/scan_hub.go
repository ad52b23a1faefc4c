package main

import (
	"cmp"
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
	"steelyard/lint/instructions"
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
// and says which branch and commit were read: rev, or the default branch where
// it is empty. base, where it is not empty, is the revision that its
// dependencies are compared with.
func (p *program) lintHub(ctx context.Context, settings *config.Config, ref github.RepositoryRef, rev, base string) (scanned, error) {
	client, err := p.githubClient(settings, func(n github.Notice) { p.say("note: %s", n.Reason) })
	if err != nil {
		return scanned{}, err
	}
	open := func(rev string) (github.Tree, fs.FS, error) {
		listed, err := client.Tree(ctx, ref, rev)
		return listed, blobfs.New(filesOf(listed), func(f blobfs.File) ([]byte, error) { return client.Blob(ctx, ref, f.ID) }), err
	}
	found, err := client.Repository(ctx, ref)
	if err != nil {
		return scanned{}, err
	}
	rev = cmp.Or(rev, found.DefaultBranch, "HEAD")
	listed, tree, err := open(rev)
	if err != nil {
		return scanned{}, err
	}
	s := scanned{tree: tree, rev: rev, commit: listed.Commit, treeCommitted: true, baseCommitted: true, close: func() error { return nil }}
	if base != "" {
		if _, s.base, err = open(base); err != nil {
			return scanned{}, fmt.Errorf("--base: %w", err)
		}
	}
	linted, err := p.treeSettings(tree, ref.String())
	if err != nil {
		return scanned{}, err
	}
	s.settings = linted
	cfg := observing(lintConfig(linted, p))
	cfg.Committed = true
	cfg.Given = append(cfg.Given, hubBranches(ctx, client, ref, found.DefaultBranch))
	s.result, err = lint.Run(ctx, tree, families.All(), cfg)
	if listed.Truncated {
		s.cut = true
		s.result.Skipped = append(s.result.Skipped, lint.Skip{Path: ".", Reason: "GitHub cut the list of files: the rest was not looked at"})
	}
	return s, err
}

// hubBranches is what GitHub knows of a repository's branches. It is asked for
// one only where a text calls another than the default branch the default.
func hubBranches(ctx context.Context, client *github.Client, ref github.RepositoryRef, standard string) instructions.Remote {
	return instructions.Remote{Default: standard, Source: "GitHub", Has: func(branch string) bool {
		there, err := client.HasBranch(ctx, ref, branch)
		return there || err != nil
	}}
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
func (p *program) lintItem(ctx context.Context, item string) (scanned, error) {
	name, remote := strings.CutPrefix(item, hubItem)
	if !remote {
		return p.lintFolder(ctx, item, "")
	}
	ref, ok := hubRef(name)
	if !ok {
		return scanned{}, fmt.Errorf("%q is not OWNER/REPO", name)
	}
	settings, err := p.settings()
	if err != nil {
		return scanned{}, err
	}
	return p.lintHub(ctx, settings, ref, "", "")
}
