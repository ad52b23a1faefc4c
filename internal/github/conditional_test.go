package github_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github/githubtest"
)

// requests records where requests go and answers none.
type requests struct {
	urls                   []string
	version, authorization string
}

func (p *requests) RoundTrip(r *http.Request) (*http.Response, error) {
	p.urls = append(p.urls, r.URL.String())
	if v := r.Header.Get("X-GitHub-Api-Version"); v != "" {
		p.version = v
	}
	p.authorization = r.Header.Get("Authorization")
	return nil, errors.New("nobody is there")
}

// TestUnchangedAnswersCostNothing asks twice: the second time everything is
// answered 304, and comes whole, over all pages.
func TestUnchangedAnswersCostNothing(t *testing.T) {
	r := newRig(t)
	var members []string
	for i := range 250 {
		members = append(members, fmt.Sprintf("person-%03d", i))
	}
	r.Team("acme", "scales", members...)
	first, err := r.Client.TeamMembers(t.Context(), "acme", "scales")
	if err != nil {
		t.Fatal(err)
	}
	spent := r.Client.Budget().REST.Spent
	second, err := r.Client.TeamMembers(t.Context(), "acme", "scales")
	if err != nil {
		t.Fatal(err)
	}
	if len(first) != 250 || !cmp.Equal(first, second) {
		t.Errorf("read %d, then %d", len(first), len(second))
	}
	b := r.Client.Budget()
	if b.NotModified != 3 || b.REST.Spent != spent || r.Counts().NotModified != 3 || spent != 3 {
		t.Errorf("budget %+v, spent before %d, world %+v", b, spent, r.Counts())
	}

	r.Team("acme", "scales", append(members, "late")...)
	third, err := r.Client.TeamMembers(t.Context(), "acme", "scales")
	if err != nil || len(third) != 251 {
		t.Errorf("after a change read %d, %v", len(third), err)
	}
}

// TestCacheIsBounded asks for more than is kept; it must still come whole.
func TestCacheIsBounded(t *testing.T) {
	r := newRig(t)
	files := map[string]githubtest.File{}
	for i := range 2100 {
		files[fmt.Sprintf("f%d", i)] = githubtest.File{Text: fmt.Sprint("text ", i)}
	}
	r.Files(name, files)
	tree, err := r.Client.Tree(t.Context(), ref, "main")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for _, e := range tree.Entries {
			text, err := r.Client.Blob(t.Context(), ref, e.SHA)
			if err != nil || string(text) != files[e.Path].Text {
				t.Fatalf("%s: %q, %v", e.Path, text, err)
			}
		}
	}
	if n := r.Client.Budget().NotModified; n != 0 {
		t.Errorf("%d answers of an evicted cache were kept", n)
	}
}
