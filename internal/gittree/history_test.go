package gittree_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/gittree"
)

// TestHistory reads parents, common commits and messages, of a full and of a
// shallow clone.
func TestHistory(t *testing.T) {
	dir := repository(t, map[string]string{"a": "1"})
	git(t, dir, "checkout", "-q", "-b", "change")
	commit(t, dir, map[string]string{"a": "2"})
	git(t, dir, "checkout", "-q", "main")
	commit(t, dir, map[string]string{"b": "3"})
	git(t, dir, "merge", "-q", "--no-ff", "-m", "merge\n\nCo-authored-by: ada <1+ada@users.noreply.github.com>", "change")
	r, err := gittree.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	name := func(rev string) string {
		t.Helper()
		found, err := r.Resolve(t.Context(), rev)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	parents, err := r.Parents(t.Context(), "HEAD")
	if diff := cmp.Diff([]string{name("HEAD^1"), name("HEAD^2")}, parents); diff != "" || err != nil {
		t.Errorf("parents (-want +got):\n%s%v", diff, err)
	}
	if common, err := r.Common(t.Context(), "HEAD^1", "change"); common != name("HEAD~2") || err != nil {
		t.Errorf("common is %s, %v", common, err)
	}
	commits, err := r.Commits(t.Context(), "HEAD~2", "HEAD")
	if err != nil || len(commits) != 2 {
		t.Errorf("commits are %v, %v; want both but for the merge", commits, err)
	}
	for _, c := range commits {
		if c.AuthorEmail == "" || c.Message == "" || c.AuthorName == "" {
			t.Errorf("commit %+v", c)
		}
	}
	shallow := filepath.Join(t.TempDir(), "shallow")
	git(t, dir, "clone", "-q", "--depth", "1", "file://"+dir, shallow)
	s, err := gittree.Open(t.Context(), shallow)
	if err != nil {
		t.Fatal(err)
	}
	parents, err = s.Parents(t.Context(), "HEAD")
	if len(parents) != 2 || err != nil || s.Has(t.Context(), parents[0]) || !s.Shallow(t.Context()) || r.Shallow(t.Context()) {
		t.Errorf("of a shallow clone the parents are %v, %v", parents, err)
	}
	git(t, dir, "checkout", "-q", "--orphan", "other")
	commit(t, dir, map[string]string{"c": "4"})
	if _, err := r.Common(t.Context(), "other", "main"); !errors.Is(err, gittree.ErrNothingCommon) {
		t.Errorf("error is %v, want nothing in common", err)
	}
	for _, rev := range []string{"--all", "", strings.Repeat("ab", 20)} {
		if _, err := r.Parents(t.Context(), rev); err == nil {
			t.Errorf("parents of %q", rev)
		}
		if _, err := r.Commits(t.Context(), rev, "HEAD"); err == nil {
			t.Errorf("commits since %q", rev)
		}
	}
}
