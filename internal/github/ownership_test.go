package github_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
)

func TestOwnership(t *testing.T) {
	w := githubtest.New(githubtest.Options{})
	w.Repository("acme/api")
	server, err := w.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	c, err := github.New(github.Options{BaseURL: server.URL, Token: "ghs_only_for_tests"})
	if err != nil {
		t.Fatal(err)
	}
	ref := github.RepositoryRef{Owner: "acme", Name: "api"}
	want := []github.OwnersError{{Path: ".github/CODEOWNERS", Line: 4, Kind: "Unknown owner", Source: "/x @acme/gone", Message: "make sure the team exists"}}
	w.OwnersErrors("acme/api", want...)
	got, err := c.OwnersErrors(t.Context(), ref, "main")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("errors differ (-want +got):\n%s%v", diff, err)
	}
	if _, err := c.RequiresOwners(t.Context(), ref, "main"); !errors.Is(err, github.ErrForbidden) {
		t.Errorf("without rights: %v, want that it is refused", err)
	}
	for _, required := range []bool{true, false} {
		w.RequireOwners("acme/api", required)
		if got, err := c.RequiresOwners(t.Context(), ref, "main"); got != required || err != nil {
			t.Errorf("required is %v, %v; want %v", got, err, required)
		}
	}
	if _, err := c.OwnersErrors(t.Context(), github.RepositoryRef{Owner: "acme", Name: "none"}, ""); !errors.Is(err, github.ErrNotFound) {
		t.Errorf("no such repository: %v", err)
	}
}
