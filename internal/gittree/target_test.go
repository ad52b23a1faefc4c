package gittree_test

import (
	"os"
	"path/filepath"
	"testing"

	"steelyard/internal/gittree"
)

// TestTarget asks clones of every kind which branch work in them is meant for.
func TestTarget(t *testing.T) {
	server := repository(t, map[string]string{"a": "1"})
	git(t, server, "branch", "feature")
	git(t, server, "branch", "develop")
	for _, test := range []struct {
		name string
		make func(dir string) // makes the clone in a folder that is not there yet
		want string
	}{
		{"a clone", func(dir string) { git(t, server, "clone", "-q", "file://"+server, dir) }, "refs/remotes/origin/main"},
		{"its default is not usual", func(dir string) {
			git(t, server, "clone", "-q", "file://"+server, dir)
			git(t, dir, "remote", "set-head", "origin", "develop")
		}, "refs/remotes/origin/develop"},
		{"its default was taken away", func(dir string) {
			git(t, server, "clone", "-q", "file://"+server, dir)
			git(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
		}, "refs/remotes/origin/main"},
		{"fetched by hand", func(dir string) { fetched(t, server, dir) }, "refs/remotes/origin/main"},
		{"both usual names", func(dir string) {
			fetched(t, server, dir)
			git(t, dir, "update-ref", "refs/remotes/origin/master", "refs/remotes/origin/main")
		}, ""},
		{"a branch made from another", func(dir string) {
			fetched(t, server, dir)
			git(t, dir, "checkout", "-q", "-b", "work", "--track", "origin/develop")
		}, "refs/remotes/origin/develop"},
		{"a branch that was pushed", func(dir string) {
			fetched(t, server, dir)
			git(t, dir, "checkout", "-q", "feature")
		}, "refs/remotes/origin/main"},
		{"a branch made from one of this clone", func(dir string) {
			git(t, server, "clone", "-q", "--single-branch", "--branch", "feature", "file://"+server, dir)
			git(t, dir, "checkout", "-q", "-b", "work", "--track", "feature")
		}, "refs/heads/feature"},
		{"one branch of several", func(dir string) {
			git(t, server, "clone", "-q", "--single-branch", "--branch", "feature", "file://"+server, dir)
		}, ""},
		{"a linked worktree", func(dir string) {
			clone := filepath.Join(t.TempDir(), "clone")
			git(t, server, "clone", "-q", "file://"+server, clone)
			git(t, clone, "worktree", "add", "-q", "-b", "work", dir)
		}, "refs/remotes/origin/main"},
		{"no remote", func(dir string) {
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			git(t, dir, "init", "-q", "-b", "main")
			commit(t, dir, map[string]string{"a": "1"})
		}, ""},
		{"the user's own name for a first branch", func(dir string) {
			git(t, server, "clone", "-q", "--single-branch", "--branch", "feature", "file://"+server, dir)
			git(t, dir, "config", "init.defaultBranch", "feature")
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "clone")
			test.make(dir)
			r, err := gittree.Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := r.Target(t.Context()); err != nil || got != test.want {
				t.Errorf("the branch is %q, %v, want %q", got, err, test.want)
			}
		})
	}
}

// fetched makes a clone as one does by hand, which does not learn the default
// branch.
func fetched(t *testing.T, server, dir string) {
	t.Helper()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "first")
	git(t, dir, "remote", "add", "origin", "file://"+server)
	git(t, dir, "config", "remote.origin.followRemoteHEAD", "never")
	git(t, dir, "fetch", "-q", "origin")
	git(t, dir, "checkout", "-q", "--detach", "origin/feature")
}
