package github_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"steelyard/internal/github"
)

// rewrite changes the answers to one GraphQL operation on their way.
func rewrite(operation string, change func(data map[string]any)) func(*github.Options) {
	return func(o *github.Options) {
		o.Transport = transport(func(r *http.Request) (*http.Response, error) {
			asked, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			r.Body = io.NopCloser(bytes.NewReader(asked))
			response, err := http.DefaultTransport.RoundTrip(r)
			if err != nil || !bytes.Contains(asked, []byte(`"operationName":"`+operation+`"`)) {
				return response, err
			}
			defer response.Body.Close()
			var answer map[string]any
			if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
				return nil, err
			}
			change(answer["data"].(map[string]any)["repository"].(map[string]any))
			text, err := json.Marshal(answer)
			if err != nil {
				return nil, err
			}
			response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
			response.Header.Del("Content-Length")
			return response, nil
		})
	}
}

func pullsOf(repository map[string]any) map[string]any {
	return repository["pullRequests"].(map[string]any)
}

func firstOf(list map[string]any) map[string]any { return list["nodes"].([]any)[0].(map[string]any) }

// TestListsThatGetNoFurther holds that a list which says that it goes on, from
// where it was read, is refused and not read for ever.
func TestListsThatGetNoFurther(t *testing.T) {
	// stuck says that a list goes on where it ends, and there again.
	var end any
	stuck := func(list map[string]any) {
		at := list["pageInfo"].(map[string]any)
		if at["endCursor"] != nil {
			end = at["endCursor"]
		}
		at["hasNextPage"], at["endCursor"] = true, end
	}
	history := func(repository map[string]any) map[string]any {
		return repository["lane0"].(map[string]any)["target"].(map[string]any)["history"].(map[string]any)
	}
	for what, c := range map[string]struct {
		operation string
		change    func(map[string]any)
	}{
		"pull requests":                {"Page", func(r map[string]any) { stuck(pullsOf(r)) }},
		"pull requests without cursor": {"Page", func(r map[string]any) { stuck(pullsOf(r)); pullsOf(r)["pageInfo"].(map[string]any)["endCursor"] = nil }},
		"commits":                      {"Page", func(r map[string]any) { stuck(history(r)) }},
		"briefs":                       {"Briefs", func(r map[string]any) { stuck(pullsOf(r)) }},
	} {
		t.Run(what, func(t *testing.T) {
			r := newRig(t)
			fill(r, 3)
			r.Commit(name, github.Commit{Message: "One", Authored: morning})
			client := r.connect(t, rewrite(c.operation, c.change))
			q := github.PageQuery{Commits: what == "commits"}
			after := ""
			var err error
			for range 5 {
				if c.operation == "Briefs" {
					var page github.BriefPage
					page, err = client.Briefs(t.Context(), ref, after)
					after = page.Next
				} else {
					var page github.Page
					page, err = client.Page(t.Context(), ref, q)
					q.After, q.CommitsAfter = page.Next, page.CommitsNext
				}
				if err != nil {
					break
				}
			}
			var answer *github.AnswerError
			if !errors.As(err, &answer) || !strings.Contains(err.Error(), "without getting any further") {
				t.Errorf("error is %v", err)
			}
		})
	}
}

// TestUnusablePullRequestIsReadAlone holds that one pull request without what
// it cannot be kept by does not stop its page: it is asked for alone.
func TestUnusablePullRequestIsReadAlone(t *testing.T) {
	for what, spoil := range map[string]func(map[string]any){
		"no id":       func(n map[string]any) { n["id"] = nil },
		"id with NUL": func(n map[string]any) { n["id"] = "PR\x00" },
		"no number":   func(n map[string]any) { n["number"] = -4 },
		"no time":     func(n map[string]any) { n["createdAt"] = nil },
		"not a time":  func(n map[string]any) { n["createdAt"] = "yesterday" },
		"wrong shape": func(n map[string]any) { n["title"] = []any{1} },
	} {
		t.Run(what, func(t *testing.T) {
			r := newRig(t)
			fill(r, 3)
			client := r.connect(t, rewrite("Page", func(repository map[string]any) { spoil(firstOf(pullsOf(repository))) }))
			page, err := client.Page(t.Context(), ref, github.PageQuery{})
			if err != nil || len(page.PullRequests) != 3 || len(page.Skipped) != 0 {
				t.Fatalf("%d pull requests, %v skipped, error %v", len(page.PullRequests), page.Skipped, err)
			}
		})
	}
}

// TestWithheldListsAreNoEmptyOnes holds that a list that is null neither stands
// for an empty one nor for a repository that is gone.
func TestWithheldListsAreNoEmptyOnes(t *testing.T) {
	for what, spoil := range map[string]func(map[string]any){
		"list":  func(repository map[string]any) { repository["pullRequests"] = nil },
		"nodes": func(repository map[string]any) { pullsOf(repository)["nodes"] = nil },
	} {
		for _, operation := range []string{"Page", "Briefs"} {
			r := newRig(t)
			fill(r, 2)
			client := r.connect(t, rewrite(operation, spoil))
			_, err := client.Page(t.Context(), ref, github.PageQuery{})
			if operation == "Briefs" {
				_, err = client.Briefs(t.Context(), ref, "")
			}
			var answer *github.AnswerError
			if !errors.As(err, &answer) || errors.Is(err, github.ErrNotFound) {
				t.Errorf("%s of %s: error is %v", what, operation, err)
			}
		}
	}
}

// TestOddCommits holds that a commit without a hash is left out, and one whose
// dates are none is kept without them.
func TestOddCommits(t *testing.T) {
	r := newRig(t)
	kept := r.Commit(name, github.Commit{Message: "One", Authored: morning})
	r.Commit(name, github.Commit{Message: "Two", Authored: morning})
	client := r.connect(t, rewrite("Page", func(repository map[string]any) {
		nodes := repository["lane0"].(map[string]any)["target"].(map[string]any)["history"].(map[string]any)["nodes"].([]any)
		nodes[0].(map[string]any)["oid"] = nil
		nodes[1].(map[string]any)["authoredDate"] = "292277026596-12-04T15:30:08Z"
	}))
	page, err := client.Page(t.Context(), ref, github.PageQuery{Commits: true})
	if err != nil || len(page.Commits) != 1 || page.Commits[0].OID != kept || !page.Commits[0].Authored.IsZero() || page.Commits[0].Committed.IsZero() {
		t.Errorf("commits %+v, error %v", page.Commits, err)
	}
}

// TestWordsOfGitHubAreOneLine holds that what GitHub says in an error cannot
// steer a terminal, hide, or turn a line round.
func TestWordsOfGitHubAreOneLine(t *testing.T) {
	r := newRig(t, func(o *github.Options) {
		o.Transport = transport(func(q *http.Request) (*http.Response, error) {
			text, _ := json.Marshal(map[string]string{"message": "go\x1b[2Jne\u202e for\u200b \n ever" + strings.Repeat(" x", 9000)})
			return &http.Response{
				StatusCode: http.StatusForbidden, Header: http.Header{"Content-Type": {"application/json"}},
				Body: io.NopCloser(bytes.NewReader(text)), Request: q,
			}, nil
		})
	})
	_, err := r.Client.Repository(t.Context(), ref)
	if !errors.Is(err, github.ErrForbidden) || strings.ContainsAny(err.Error(), "\x1b\u202e\u200b\n") || len(err.Error()) > 500 || !strings.Contains(err.Error(), "go[2Jne for ever x") {
		t.Errorf("error is %q", err)
	}
}

// TestCredentialsThatComeBack holds that a server which repeats the credential
// in what it says does not bring it into errors.
func TestCredentialsThatComeBack(t *testing.T) {
	const secret = "ghp_ComesBackInEveryAnswer"
	for what, say := range map[string]struct {
		status int
		body   string
	}{
		"forbidden":     {http.StatusForbidden, `{"message":"not for SECRET"}`},
		"unprocessable": {http.StatusUnprocessableEntity, `{"message":"not for SECRET"}`},
		"broken":        {http.StatusInternalServerError, `{"message":"not for SECRET"}`},
		"in a 200":      {http.StatusOK, `{"data":null,"errors":[{"message":"not for SECRET"}]}`},
	} {
		t.Run(what, func(t *testing.T) {
			var told []string
			r := newRig(t, func(o *github.Options) {
				o.Token = secret
				o.Notify = func(n github.Notice) { told = append(told, n.Reason) }
				o.Transport = transport(func(q *http.Request) (*http.Response, error) {
					return &http.Response{
						StatusCode: say.status, Header: http.Header{"Content-Type": {"application/json"}}, Request: q,
						Body: io.NopCloser(strings.NewReader(strings.ReplaceAll(say.body, "SECRET", secret))),
					}, nil
				})
			})
			_, err := r.Client.Page(t.Context(), ref, github.PageQuery{})
			_, other := r.Client.TeamMembers(t.Context(), "acme", "pay")
			text := strings.Join(append(told, fmt.Sprint(err, other)), "\n")
			if err == nil || strings.Contains(text, secret) || !strings.Contains(text, "not for [credential]") {
				t.Errorf("it says %s", text)
			}
		})
	}
}
