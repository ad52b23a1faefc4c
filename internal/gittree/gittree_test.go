package gittree_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"steelyard/internal/gittree"
)

// repository makes a repository with one commit of these files.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	commit(t, dir, files)
	return dir
}

func commit(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git(t, dir, "add", "-A")
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@acme.example", "commit", "-qm", "x")
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func open(t *testing.T, dir, rev string) *gittree.Tree {
	t.Helper()
	r, err := gittree.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	commit, err := r.Resolve(t.Context(), rev)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := r.Tree(t.Context(), commit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tree.Close() })
	return tree
}

// TestTree wants the commit, not what lies in the folder now.
func TestTree(t *testing.T) {
	dir := repository(t, map[string]string{"AGENTS.md": "first\n", "a/b/c.txt": "c", "empty": "", "name with\nbreak": "x"})
	if err := os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte("later\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tree := open(t, dir, "HEAD")
	if err := fstest.TestFS(tree, "AGENTS.md", "a/b/c.txt", "empty", "name with\nbreak"); err != nil {
		t.Error(err)
	}
	if text, err := fs.ReadFile(tree, "AGENTS.md"); err != nil || string(text) != "first\n" {
		t.Errorf("AGENTS.md is %q, %v", text, err)
	}
}

// TestFolder opens a folder of the repository.
func TestFolder(t *testing.T) {
	dir := repository(t, map[string]string{"AGENTS.md": "root", "web/AGENTS.md": "web", "webby/x": "x"})
	tree := open(t, filepath.Join(dir, "web"), "main")
	if text, err := fs.ReadFile(tree, "AGENTS.md"); err != nil || string(text) != "web" {
		t.Errorf("AGENTS.md is %q, %v", text, err)
	}
	if entries, err := fs.ReadDir(tree, "."); err != nil || len(entries) != 1 {
		t.Errorf("folder holds %v, %v", entries, err)
	}
}

func TestLinks(t *testing.T) {
	dir := repository(t, map[string]string{"AGENTS.md": "x"})
	if err := os.Symlink("AGENTS.md", filepath.Join(dir, "CLAUDE.md")); err != nil {
		t.Skip("no symbolic links here")
	}
	commit(t, dir, nil)
	tree := open(t, dir, "HEAD")
	info, err := fs.Lstat(tree, "CLAUDE.md")
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("link is %v, %v", info, err)
	}
	if target, err := fs.ReadLink(tree, "CLAUDE.md"); err != nil || target != "AGENTS.md" {
		t.Errorf("target is %q, %v", target, err)
	}
	if _, err := tree.Open("CLAUDE.md"); err == nil {
		t.Error("a link is followed")
	}
}

func TestMergeBase(t *testing.T) {
	dir := repository(t, map[string]string{"a": "1"})
	git(t, dir, "checkout", "-q", "-b", "change")
	commit(t, dir, map[string]string{"a": "2"})
	git(t, dir, "checkout", "-q", "main")
	commit(t, dir, map[string]string{"a": "3"})
	git(t, dir, "checkout", "-q", "change")
	r, err := gittree.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	base, err := r.MergeBase(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := r.Tree(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if text, err := fs.ReadFile(tree, "a"); err != nil || string(text) != "1" {
		t.Errorf("a is %q, %v", text, err)
	}
}

// TestShallow wants missing history told from a name that means nothing.
func TestShallow(t *testing.T) {
	full := repository(t, map[string]string{"a": "1"})
	commit(t, full, map[string]string{"a": "2"})
	dir := filepath.Join(t.TempDir(), "shallow")
	git(t, full, "clone", "-q", "--depth", "1", "file://"+full, dir)
	r, err := gittree.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.MergeBase(t.Context(), "HEAD~1"); !errors.Is(err, gittree.ErrNoCommit) || !r.Shallow(t.Context()) {
		t.Errorf("error is %v, want no commit in a shallow repository", err)
	}
}

// TestNoCommits wants a repository without any commit told apart too.
func TestNoCommits(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	r, err := gittree.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.MergeBase(t.Context(), "main"); !errors.Is(err, gittree.ErrNoCommits) {
		t.Errorf("error is %v, want that nothing is committed", err)
	}
}

func TestErrors(t *testing.T) {
	if _, err := gittree.Open(t.Context(), t.TempDir()); !errors.Is(err, gittree.ErrNoRepository) {
		t.Errorf("error is %v, want no repository", err)
	}
	r, err := gittree.Open(t.Context(), repository(t, map[string]string{"a": "1"}))
	if err != nil {
		t.Fatal(err)
	}
	for rev, want := range map[string]string{
		"nowhere": `no commit "nowhere"`, "--upload-pack=x": "not the name of a revision", "": "not the name", "a b": "not the name",
	} {
		if _, err := r.Resolve(t.Context(), rev); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error of %q is %v, want one with %q", rev, err, want)
		}
	}
}

// TestNothingRuns plants every way in which a repository's own files could have
// a program run while it is read.
func TestNothingRuns(t *testing.T) {
	dir := repository(t, map[string]string{"a.txt": "1", ".gitattributes": "* filter=evil diff=evil\n"})
	trace := filepath.Join(t.TempDir(), "ran")
	evil := "touch " + trace + "; cat"
	for _, setting := range [][]string{
		{"filter.evil.smudge", evil},
		{"filter.evil.clean", evil},
		{"diff.evil.textconv", evil},
		{"core.fsmonitor", evil},
		{"core.pager", evil},
		{"core.sshCommand", evil},
		{"alias.cat-file", "!" + evil},
		{"alias.ls-tree", "!" + evil},
		{"uploadpack.packObjectsHook", evil},
		{"remote.origin.url", "ext::sh -c touch% " + trace},
		{"remote.origin.promisor", "true"},
		{"extensions.partialClone", "origin"},
		{"core.repositoryFormatVersion", "1"},
		{"core.gitProxy", evil},
		{"credential.helper", "!" + evil},
	} {
		git(t, dir, append([]string{"config"}, setting...)...)
	}
	for _, hook := range []string{"post-checkout", "pre-commit", "post-index-change", "reference-transaction"} {
		if err := os.WriteFile(filepath.Join(dir, ".git/hooks", hook), []byte("#!/bin/sh\n"+evil), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tree := open(t, dir, "HEAD")
	if text, err := fs.ReadFile(tree, "a.txt"); err != nil || string(text) != "1" {
		t.Errorf("a.txt is %q, %v", text, err)
	}
	// An object that is missing would be fetched from the remote.
	r, err := gittree.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Resolve(t.Context(), strings.Repeat("ab", 20)); err == nil {
		t.Error("a commit that is not there is found")
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("reading the repository ran a program of its own")
	}
}

// TestWithin refuses a folder that a repository's own files make look like
// another repository, and takes a real one without a working tree.
func TestWithin(t *testing.T) {
	dir := repository(t, map[string]string{"services/pay/a": "1"})
	bare := filepath.Join(t.TempDir(), "bare.git")
	git(t, dir, "clone", "-q", "--bare", dir, bare)
	r, err := gittree.Open(t.Context(), bare)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Resolve(t.Context(), "main"); err != nil {
		t.Error(err)
	}
	pay := filepath.Join(dir, "services", "pay")
	if err := os.CopyFS(pay, os.DirFS(bare)); err != nil {
		t.Fatal(err)
	}
	if _, err := gittree.Open(t.Context(), pay); err == nil || !strings.Contains(err.Error(), "a git repository of its own, inside of another") {
		t.Errorf("a planted repository: %v", err)
	}
	if r, err := gittree.Open(t.Context(), filepath.Join(dir, "services")); err != nil || r.Folder() != "services" {
		t.Errorf("the folder above it: %v", err)
	}
}

// TestPartial says so where a clone left files out, and fetches nothing.
func TestPartial(t *testing.T) {
	full := repository(t, map[string]string{"a": "1"})
	git(t, full, "config", "uploadpack.allowFilter", "true")
	for _, filter := range []string{"blob:none", "tree:0"} {
		dir := filepath.Join(t.TempDir(), "partial")
		git(t, full, "clone", "-q", "--no-checkout", "--filter="+filter, "file://"+full, dir)
		r, err := gittree.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		commit, err := r.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Tree(t.Context(), commit); !errors.Is(err, gittree.ErrPartial) {
			t.Errorf("%s: %v, want a partial clone", filter, err)
		}
	}
}
