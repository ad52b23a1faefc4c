package github_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"steelyard/internal/github"
)

// recording answers REST with recorded bodies by path; lists that were not
// recorded are empty.
type recording struct {
	t      *testing.T
	bodies map[string]any // by path without its query
}

func (p *recording) RoundTrip(r *http.Request) (*http.Response, error) {
	path := strings.TrimPrefix(r.URL.Path, "/api/v3")
	body, known := p.bodies[path]
	status := http.StatusOK
	switch {
	case known:
	case strings.Count(path, "/") > 4 && !strings.Contains(path, "/commits/"):
		body = []any{}
	default:
		body, status = map[string]string{"message": "Not Found"}, http.StatusNotFound
	}
	text, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	return &http.Response{
		StatusCode: status, Request: r, Body: io.NopCloser(bytes.NewReader(text)),
		Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}},
	}, nil
}

// lines reads a file of JSON lines.
func lines[T any](t *testing.T, path string) []T {
	t.Helper()
	var out []T
	scanner := bufio.NewScanner(reference(t, path))
	scanner.Buffer(nil, 8<<20)
	for scanner.Scan() {
		var v T
		if err := json.Unmarshal(scanner.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		out = append(out, v)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

type raw = map[string]any

// recorded is a line of the DevLake tables.
type recorded struct {
	RequestURL string `json:"request_url"`
	Data       raw
}

func (l recorded) path() string {
	u, err := url.Parse(l.RequestURL)
	if err != nil {
		return ""
	}
	return u.Path
}

// ants gives the recorded REST answers of one repository by path.
func ants(t *testing.T) *recording {
	t.Helper()
	p := &recording{t: t, bodies: map[string]any{}}
	base := "/repos/panjf2000/ants"
	var all []any
	for _, l := range lines[recorded](t, "devlake_ants/pulls.jsonl.gz") {
		all = append(all, l.Data)
		p.bodies[fmt.Sprintf("%s/pulls/%v", base, l.Data["number"])] = l.Data
		p.bodies[base] = l.Data["base"].(raw)["repo"]
	}
	p.bodies[base+"/pulls"] = all
	for _, file := range []string{"reviews", "commits"} {
		for _, l := range lines[recorded](t, "devlake_ants/"+file+".jsonl.gz") {
			list, _ := p.bodies[l.path()].([]any)
			p.bodies[l.path()] = append(list, l.Data)
			if file == "commits" {
				p.bodies[fmt.Sprintf("%s/commits/%v", base, l.Data["sha"])] = l.Data
			}
		}
	}
	for _, l := range lines[recorded](t, "devlake_ants/review_comments.jsonl.gz") {
		number := l.Data["pull_request_url"].(string)
		path := base + number[strings.LastIndex(number, "/pulls/"):] + "/comments"
		list, _ := p.bodies[path].([]any)
		p.bodies[path] = append(list, l.Data)
	}
	for _, l := range lines[recorded](t, "devlake_ants/issue_events.jsonl.gz") {
		path := fmt.Sprintf("%s/issues/%v/timeline", base, l.Data["issue"].(raw)["number"])
		list, _ := p.bodies[path].([]any)
		p.bodies[path] = append(list, l.Data)
	}
	return p
}

// TestRecordedRepository reads the recorded answers of a real repository and
// checks each field that is used on at least one real object.
func TestRecordedRepository(t *testing.T) {
	c, err := github.New(github.Options{Transport: ants(t), Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	page, err := c.PageREST(t.Context(), github.RepositoryRef{Owner: "panjf2000", Name: "ants"}, github.PageQuery{Size: 100})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.PullRequests) != 50 || len(page.Skipped) != 0 { // one was recorded twice
		t.Fatalf("read %d pull requests, skipped %v", len(page.PullRequests), page.Skipped)
	}
	if r := page.Repository; r.ID == "" || r.DatabaseID != 134018330 || r.NameWithOwner != "panjf2000/ants" || r.DefaultBranch != "master" || r.Created.IsZero() {
		t.Errorf("repository %+v", r)
	}
	var reviews, commits, comments, outdated, cross, events int
	by := map[int]github.PullRequest{}
	for _, p := range page.PullRequests {
		if _, again := by[p.Number]; again {
			continue
		}
		by[p.Number] = p
		if len(p.Incomplete) > 0 {
			t.Errorf("#%d is incomplete: %q", p.Number, p.Incomplete)
		}
		if p.ID == "" || p.DatabaseID == 0 || p.Title == "" || p.Created.IsZero() || p.Updated.IsZero() || p.Base == "" || p.Head == "" || len(p.HeadOID) != 40 || p.Author.ID == 0 {
			t.Errorf("#%d lacks a field: %+v", p.Number, p)
		}
		reviews, commits, events = reviews+len(p.Reviews), commits+len(p.Commits), events+len(p.Events)
		for _, thread := range p.Threads {
			comments += len(thread.Comments)
			if thread.Outdated {
				outdated++
			}
			if thread.ID == "" || thread.Path == "" || thread.Opened().Created.IsZero() || thread.Opened().Author.Login == "" {
				t.Errorf("#%d: thread %+v", p.Number, thread)
			}
		}
		for _, r := range p.Reviews {
			if r.ID == "" || r.DatabaseID == 0 || r.State == "" || r.Submitted.IsZero() || r.Author.ID == 0 || r.Commit == "" {
				t.Errorf("#%d: review %+v", p.Number, r)
			}
		}
		for _, k := range p.Commits {
			if len(k.OID) != 40 || k.Message == "" || k.Name == "" || k.Email == "" || k.Authored.IsZero() || k.Committed.IsZero() {
				t.Errorf("#%d: commit %+v", p.Number, k)
			}
		}
		if p.CrossRepository {
			cross++
		}
	}
	if reviews != 31 || commits != 91 || comments != 16 || outdated == 0 || cross < 15 || events == 0 {
		t.Errorf("%d reviews, %d commits, %d comments, %d outdated threads, %d from forks, %d events", reviews, commits, comments, outdated, cross, events)
	}
	checkRecorded(t, by)
}

// checkRecorded compares a few real values.
func checkRecorded(t *testing.T, by map[int]github.PullRequest) {
	t.Helper()
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	first, branch := by[4], by[53]
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"state", first.State, "MERGED"},
		{"created", first.Created, at("2018-07-25T08:19:30Z")},
		{"merged", first.Merged, at("2018-07-26T02:32:41Z")},
		{"closed", first.Closed, at("2018-07-26T02:32:41Z")},
		{"author", first.Author.Login, "barryz"},
		{"author's type", first.Author.Type, "User"},
		{"base", first.Base, "master"},
		{"node id", first.ID, "MDExOlB1bGxSZXF1ZXN0MjAzNzU2NzM2"},
		{"database id", first.DatabaseID, int64(203756736)},
		{"a deleted fork", by[8].CrossRepository, true},
		{"labels", len(branch.Labels), 2},
		{"assignees", len(branch.Assignees), 1},
		{"closed without merge", by[9].State, "CLOSED"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.what, c.got, c.want)
		}
	}
	var merged, closed, forced int
	for _, p := range by {
		switch p.State {
		case "MERGED":
			merged++
			if p.Merged.IsZero() {
				t.Errorf("#%d is merged at no time", p.Number)
			}
		case "CLOSED":
			closed++
		}
		for _, e := range p.Events {
			if e.At.IsZero() || e.Actor.ID == 0 {
				t.Errorf("#%d: event %+v", p.Number, e)
			}
			if e.Kind == github.ForcePushed {
				forced++
			}
		}
	}
	if merged != 26 || closed != 19 || forced == 0 {
		t.Errorf("%d merged, %d closed, %d force pushes", merged, closed, forced)
	}
}
