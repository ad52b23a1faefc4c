package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckPartialClone names the fetch that a partial clone needs, and finds
// what there is to find after it.
func TestCheckPartialClone(t *testing.T) {
	s := openShop(t)
	s.anySHA(t)
	gitIn(t, s.dir, "config", "uploadpack.allowFilter", "true")
	pull := s.open(t, "risky", shopPull{}, loginChange)
	dir := filepath.Join(t.TempDir(), "work")
	gitIn(t, s.dir, "clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+s.dir, dir)
	gitIn(t, dir, "config", "gc.auto", "0") // in the background it would outlive the test
	gitIn(t, dir, "config", "maintenance.auto", "false")
	gitIn(t, dir, "fetch", "-q", "origin", pull.mergeRef())
	gitIn(t, dir, "checkout", "-q", "--detach", "FETCH_HEAD")
	got := s.check(t, dir, "pull_request", s.event(t, pull, false), nil)
	says(t, "standard error", got.stderr, "the clone is a partial one and lacks some of the files", "hint: in a workflow, give actions/checkout neither filter nor sparse-checkout")
	fetchAsTold(t, dir, got)
	got = s.check(t, dir, "pull_request", s.event(t, pull, false), nil)
	says(t, "the result", got.stdout, "PR002")
}

// TestCheckSparseCheckout takes no file for deleted that a sparse checkout left
// out.
func TestCheckSparseCheckout(t *testing.T) {
	s := openShop(t)
	pull := s.open(t, "risky", shopPull{}, loginChange)
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	gitIn(t, dir, "sparse-checkout", "set", "--no-cone", "/*.md", "/*.yaml", "/auth/")
	commitFiles(t, dir, "more", map[string]string{"auth/more.ts": "export {};\n"})
	outside := map[string]string{"GITHUB_ACTIONS": ""}
	got := s.check(t, dir, "", "{}", outside, "--base", "HEAD^1", "--offline")
	says(t, "the result", got.stdout, "!TS001", "Left out: the checkout is sparse: ", "!DP")
	if strings.Contains(got.stdout, "src/price.test.ts") {
		t.Errorf("a file that is not checked out is reported:\n%s", got.stdout)
	}
}
