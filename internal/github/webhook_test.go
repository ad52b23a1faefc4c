package github_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
)

var secret = []byte("It's a Secret to Everybody")

func sign(body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

func delivery(event string, body []byte) http.Header {
	h := http.Header{}
	h.Set("X-GitHub-Event", event)
	h.Set("X-GitHub-Delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958")
	h.Set("X-Hub-Signature-256", sign(body))
	h.Set("Content-Type", "application/json")
	return h
}

// TestSignatureOfTheManual is the example of GitHub's own manual.
func TestSignatureOfTheManual(t *testing.T) {
	if got := sign([]byte("Hello, World!")); got != "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17" {
		t.Errorf("got %s", got)
	}
}

func TestDeliveriesThatAreRefused(t *testing.T) {
	body := []byte(`{"action":"opened"}`)
	legacy := hmac.New(sha1.New, secret)
	legacy.Write(body)
	for _, c := range []struct {
		name   string
		secret []byte
		body   []byte
		change func(http.Header)
		want   error
	}{
		{"as it should be", secret, body, func(http.Header) {}, nil},
		{"no secret", nil, body, func(http.Header) {}, github.ErrNoSecret},
		{"another secret", []byte("x"), body, func(http.Header) {}, github.ErrSignature},
		{"another body", secret, []byte(`{"action":"closed"}`), func(http.Header) {}, github.ErrSignature},
		{"no signature", secret, body, func(h http.Header) { h.Del("X-Hub-Signature-256") }, github.ErrSignature},
		{"not hexadecimal", secret, body, func(h http.Header) { h.Set("X-Hub-Signature-256", "sha256=xyz") }, github.ErrSignature},
		{"half a signature", secret, body, func(h http.Header) { h.Set("X-Hub-Signature-256", sign(body)[:20]) }, github.ErrSignature},
		{"SHA-1 alone", secret, body, func(h http.Header) {
			h.Del("X-Hub-Signature-256")
			h.Set("X-Hub-Signature", "sha1="+hex.EncodeToString(legacy.Sum(nil)))
		}, github.ErrSignature},
		{"no delivery id", secret, body, func(h http.Header) { h.Del("X-GitHub-Delivery") }, github.ErrDelivery},
		{"no event", secret, body, func(h http.Header) { h.Del("X-GitHub-Event") }, github.ErrDelivery},
		{"another content type", secret, body, func(h http.Header) { h.Set("Content-Type", "text/plain") }, github.ErrDelivery},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := delivery("pull_request", body)
			c.change(h)
			if _, err := github.ParseWebhook(c.secret, h, c.body); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
	huge := make([]byte, github.MaxWebhook+1)
	if _, err := github.ParseWebhook(secret, delivery("push", nil), huge); !errors.Is(err, github.ErrTooLarge) {
		t.Errorf("a huge body: %v", err)
	}
	for _, bad := range []string{"", "null}", "[1]", `"x"`, `{"pull_request":{"number":"seven"}}`} {
		if _, err := github.ParseWebhook(secret, delivery("push", []byte(bad)), []byte(bad)); !errors.Is(err, github.ErrDelivery) {
			t.Errorf("body %q: %v", bad, err)
		}
	}
}

// TestFormDelivery reads the other content type that GitHub offers.
func TestFormDelivery(t *testing.T) {
	body := []byte("payload=" + url.QueryEscape(`{"action":"closed","pull_request":{"number":7,"node_id":"PR_x"}}`))
	h := delivery("pull_request", body)
	h.Set("Content-Type", "application/x-www-form-urlencoded")
	got, err := github.ParseWebhook(secret, h, body)
	if err != nil || got.Action != "closed" || !cmp.Equal(got.PullRequests, []int{7}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestRecordedWebhooks reads all recorded payloads: each gives the parts that
// its event is read for.
func TestRecordedWebhooks(t *testing.T) {
	type example struct {
		Event   string
		Payload json.RawMessage
	}
	seen := map[string]int{}
	all := lines[example](t, "webhooks/examples.jsonl.gz")
	for _, e := range all {
		got, err := github.ParseWebhook(secret, delivery(e.Event, e.Payload), e.Payload)
		if err != nil {
			t.Errorf("%s: %v", e.Event, err)
			continue
		}
		seen[e.Event]++
		checkWebhook(t, got)
	}
	if len(all) != 109 {
		t.Errorf("read %d payloads of 109", len(all))
	}
	for _, event := range []string{"pull_request", "pull_request_review", "pull_request_review_thread", "pull_request_review_comment", "push", "installation_repositories", "repository", "membership", "team"} {
		if seen[event] == 0 {
			t.Errorf("no %s was recorded", event)
		}
	}
}

func checkWebhook(t *testing.T, w github.Webhook) {
	t.Helper()
	fail := func(what string) { t.Errorf("%s %s: %s: %+v", w.Event, w.Action, what, w) }
	repository := w.Repository.ID != "" && w.Repository.DatabaseID != 0 && w.Repository.NameWithOwner != ""
	switch w.Event {
	case "pull_request", "pull_request_review", "pull_request_review_comment", "pull_request_review_thread":
		if len(w.PullRequests) != 1 || w.PullRequests[0] == 0 || w.PullRequestID == "" || !repository || w.Action == "" {
			fail("no pull request")
		}
	case "push":
		if !repository || w.Repository.Created.IsZero() {
			fail("no repository")
		}
		if w.Branch != "" && len(w.Head) != 40 {
			fail("a branch without its head")
		}
	case "repository":
		if !repository || (w.Action == "renamed" || w.Action == "transferred") != (w.FormerName != "") {
			fail("no former name")
		}
		if w.Action == "transferred" && w.FormerName == w.Repository.NameWithOwner {
			fail("the former name is the present one")
		}
	case "installation":
		if w.Installation == 0 || len(w.Added)+len(w.Removed) == 0 && w.Action != "new_permissions_accepted" && w.Action != "suspend" && w.Action != "unsuspend" {
			fail("no installation")
		}
	case "installation_repositories":
		if w.Installation == 0 || (w.Action == "added") != (len(w.Added) > 0) || (w.Action == "removed") != (len(w.Removed) > 0) {
			fail("no repositories")
		}
		for _, r := range append(w.Added, w.Removed...) {
			if r.ID == "" || r.NameWithOwner == "" {
				fail("a repository without its id")
			}
		}
	case "membership":
		if w.Team.DatabaseID == 0 || w.Organization == "" || w.Member.ID == 0 { // a deleted team has lost its slug
			fail("no membership")
		}
	case "team", "team_add":
		if w.Team.ID == "" || w.Team.Slug == "" || w.Organization == "" {
			fail("no team")
		}
	case "organization":
		if w.Organization == "" {
			fail("no organisation")
		}
	}
}

// TestCommentOnPullRequest tells a comment on a pull request's conversation
// from one on an issue.
func TestCommentOnPullRequest(t *testing.T) {
	for body, want := range map[string][]int{
		`{"action":"created","issue":{"number":5,"pull_request":{"url":"x"}}}`: {5},
		`{"action":"created","issue":{"number":5}}`:                            nil,
		`{"action":"created","issue":{"number":5,"pull_request":null}}`:        nil,
	} {
		got, err := github.ParseWebhook(secret, delivery("issue_comment", []byte(body)), []byte(body))
		if err != nil || !cmp.Equal(got.PullRequests, want) {
			t.Errorf("%s: got %v, %v", body, got.PullRequests, err)
		}
	}
}

func FuzzWebhook(f *testing.F) {
	for _, seed := range []string{
		`{"action":"opened","pull_request":{"number":1,"node_id":"PR_x"},"repository":{"id":1,"node_id":"R_x","full_name":"a/b","created_at":1700000000}}`,
		`{"action":"renamed","changes":{"repository":{"name":{"from":"old"}}},"repository":{"full_name":"a/b"}}`,
		`{"action":"transferred","changes":{"owner":{"from":{"user":{"login":"x"}}}},"repository":{"full_name":"a"}}`,
		`{"ref":"refs/heads/main","after":"x"}`, `{"installation":{"id":1,"account":null},"repositories":[{}]}`, `[]`, `null`, `{"team":{"parent":{}}}`,
	} {
		f.Add("pull_request", "application/json", []byte(seed))
		f.Add("installation", "application/x-www-form-urlencoded", []byte("payload="+url.QueryEscape(seed)))
	}
	f.Fuzz(func(t *testing.T, event, contentType string, body []byte) {
		h := delivery(event, body)
		h.Set("Content-Type", contentType)
		w, err := github.ParseWebhook(secret, h, body)
		if err != nil && !errors.Is(err, github.ErrDelivery) {
			t.Errorf("got %v", err)
		}
		if err == nil && len(w.PullRequests) > 1 {
			t.Errorf("got %+v", w)
		}
	})
}
