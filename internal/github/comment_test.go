package github_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
)

const mark = "<!-- mark -->"

// commenting is a rig with a pull request, whose client speaks for an app.
func commenting(t *testing.T, change ...func(*github.Options)) *rig {
	t.Helper()
	r := newRig(t, append([]func(*github.Options){func(o *github.Options) { o.Token = "ghs_only_for_tests" }}, change...)...)
	r.Repository(name)
	r.Open(name, githubtest.Pull{Author: "ada"})
	r.Viewer(r.Bot("github-actions"))
	return r
}

func bodies(r *rig) []string {
	var all []string
	for _, c := range r.Remarks(name, 1) {
		all = append(all, c.Author.Login+": "+c.Body)
	}
	return all
}

// TestUpsertComment wants one comment however often it is written, and the
// comments of others left alone, also such as carry the marker.
func TestUpsertComment(t *testing.T) {
	r := commenting(t)
	r.Remark(name, 1, r.Person("eve"), mark+" mine now")
	r.Remark(name, 1, r.Person("github-actions"), "I only look like it")
	r.Remark(name, 1, r.Bot("github-actions"), "of another step, about "+mark)
	for i := range 250 {
		r.Remark(name, 1, r.Person("ada"), fmt.Sprint(i))
	}
	before := bodies(r)
	for _, body := range []string{"one", "two", "two"} {
		if err := r.Client.UpsertComment(t.Context(), ref.Owner, ref.Name, 1, mark, mark+body); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append(before[:len(before):len(before)], "github-actions: "+mark+body), bodies(r)); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestUpdateComment begins none.
func TestUpdateComment(t *testing.T) {
	r := commenting(t)
	for _, want := range []bool{false, true} {
		found, err := r.Client.UpdateComment(t.Context(), ref.Owner, ref.Name, 1, mark, mark+"new")
		if err != nil || found != want {
			t.Fatalf("found is %v, %v", found, err)
		}
		if !want {
			r.Remark(name, 1, r.Bot("github-actions"), mark+"old")
		}
	}
	if got := bodies(r); len(got) != 1 || !strings.HasSuffix(got[0], "new") {
		t.Errorf("comments are %q", got)
	}
}

// TestCommentIsRefused wants the error of credentials that may not write.
func TestCommentIsRefused(t *testing.T) {
	for what, arrange := range map[string]func(*rig){
		"read-only token": func(r *rig) { r.ReadOnly(true) },
		"viewer hidden":   func(r *rig) { r.Fail(githubtest.Fault{Kind: githubtest.Forbidden, On: githubtest.GraphQL, Times: -1}) },
		"bad token":       func(r *rig) { r.Fail(githubtest.Fault{Kind: githubtest.BadCredentials, Times: -1}) },
		"no repository":   func(r *rig) { r.Delete(name) },
	} {
		r := commenting(t)
		arrange(r)
		err := r.Client.UpsertComment(t.Context(), ref.Owner, ref.Name, 1, mark, mark)
		if !errors.Is(err, github.ErrMayNotComment) || !strings.Contains(err.Error(), "acme/api#1") {
			t.Errorf("%s: error is %v", what, err)
		}
	}
	r := commenting(t, func(o *github.Options) { o.Token = "" })
	if err := r.Client.UpsertComment(t.Context(), ref.Owner, ref.Name, 1, mark, mark); !errors.Is(err, github.ErrMayNotComment) {
		t.Errorf("without a token: error is %v", err)
	}
	if r.Counts().Requests != 0 {
		t.Error("it asks without a token")
	}
	if err := r.Client.UpsertComment(t.Context(), ref.Owner, ref.Name, 1, mark, "no marker"); err == nil || errors.Is(err, github.ErrMayNotComment) {
		t.Errorf("without a marker: error is %v", err)
	}
}

// lostAnswer lets the first new comment arrive and loses GitHub's answer.
type lostAnswer struct{ lost bool }

func (l *lostAnswer) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && !l.lost && r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/comments") {
		l.lost = true
		response.Body.Close()
		return nil, errors.New("connection reset")
	}
	return response, err
}

// TestCommentOnce wants no second comment where the answer to the first was
// lost.
func TestCommentOnce(t *testing.T) {
	l := &lostAnswer{}
	r := commenting(t, func(o *github.Options) { o.Transport = l })
	if err := r.Client.UpsertComment(t.Context(), ref.Owner, ref.Name, 1, mark, mark+"one"); err != nil {
		t.Fatal(err)
	}
	if got := bodies(r); !l.lost || len(got) != 1 {
		t.Errorf("comments are %q", got)
	}
}

// TestCommentWithoutGraphQL finds a person's comment by REST alone.
func TestCommentWithoutGraphQL(t *testing.T) {
	r := commenting(t)
	r.Viewer(r.Person("ada"))
	r.Fail(githubtest.Fault{Kind: githubtest.GraphQLBlocked, On: githubtest.GraphQL, Times: -1})
	for range 2 {
		if err := r.Client.UpsertComment(t.Context(), ref.Owner, ref.Name, 1, mark, mark+"one"); err != nil {
			t.Fatal(err)
		}
	}
	if got := bodies(r); len(got) != 1 {
		t.Errorf("comments are %q", got)
	}
}

// TestCommentAmongTooMany does not look for ever.
func TestCommentAmongTooMany(t *testing.T) {
	r := commenting(t)
	for range 3001 {
		r.Remark(name, 1, r.Person("ada"), "more")
	}
	err := r.Client.UpsertComment(t.Context(), ref.Owner, ref.Name, 1, mark, mark)
	var answer *github.AnswerError
	if !errors.As(err, &answer) || len(bodies(r)) != 3001 {
		t.Errorf("error is %v", err)
	}
}
