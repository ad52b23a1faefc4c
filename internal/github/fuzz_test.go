package github

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{"", "0", "30", "-1", "99999999999999999999", "1e9", "Mon, 02 Mar 2026 09:00:30 GMT", "Mon, 02 Mar 1926 09:00:30 GMT", " 7 ", "soon"} {
		f.Add(seed, "0", "1772442000", `{"message":"You have exceeded a secondary rate limit"}`)
	}
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, after, remaining, reset, body string) {
		h := http.Header{}
		h.Set("Retry-After", after)
		h.Set("X-RateLimit-Remaining", remaining)
		h.Set("X-RateLimit-Reset", reset)
		for _, status := range []int{http.StatusForbidden, http.StatusTooManyRequests} {
			got, ok := limited(&answer{status: status, header: h, body: []byte(body), at: now})
			if !ok && status == http.StatusTooManyRequests {
				t.Error("a 429 is always a limit")
			}
			if got.wait < 0 {
				t.Errorf("waits %s", got.wait)
			}
		}
		if d, ok := retryAfter(after, now); d < 0 || d > maxAsked || (!ok && d != 0) {
			t.Errorf("got %s, %v", d, ok)
		}
	})
}

// FuzzGraphQLAnswer lets a server answer anything: the client must come to an
// error or to a page, within its bounds.
func FuzzGraphQLAnswer(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `[]`, `{}`, `{"data":null}`, `{"data":{}}`, `{"data":{"repository":null},"errors":[{"type":"NOT_FOUND","message":"x"}]}`,
		`{"errors":[{"type":"RATE_LIMITED"}]}`, `{"errors":[{"message":"Something went wrong while executing your query"}]}`,
		`{"data":{"rateLimit":{"cost":1},"repository":{"id":"R","nameWithOwner":"a/b","defaultBranchRef":null,"pullRequests":{"totalCount":1,"pageInfo":{"hasNextPage":true,"endCursor":"x"},"nodes":[null,{"number":1,"id":"PR","createdAt":"2026-03-02T09:00:00Z"}]}}},"errors":[{"path":["repository","pullRequests","nodes",0],"message":"x"}]}`,
		`{"data":{"repository":{"pullRequests":{"nodes":[{"number":1,"commits":{"pageInfo":{"hasNextPage":true,"endCursor":"y"},"nodes":[null,{"commit":{"author":null}}]},"labels":{"nodes":null},"reviewThreads":{"nodes":[{"id":"T","comments":{"pageInfo":{"hasNextPage":true,"endCursor":"z"}}}]}}]},"lane0":{"target":{"history":{"pageInfo":{"hasNextPage":true,"endCursor":"h"},"nodes":[{"oid":"x"}]}}}}}}`,
		`{"data":{"p0":{"commits":{"pageInfo":{"hasNextPage":true,"endCursor":"y"}}},"p1":null}}`,
		`{"data":{"repository":{"pullRequest":{"number":1,"fullDatabaseId":"9223372036854775808"}}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		sent := 0
		c, err := New(Options{
			Retries: 1, MaxWait: time.Minute, Clock: func() time.Time { return time.Date(2026, 3, 2, 9, sent, 0, 0, time.UTC) },
			Sleep: noSleep, Transport: answering(func(r *http.Request) (*http.Response, error) {
				sent++
				return &http.Response{
					StatusCode: http.StatusOK, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
					Body: io.NopCloser(strings.NewReader(string(body))),
				}, nil
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		ref := RepositoryRef{Owner: "a", Name: "b"}
		page, err := c.Page(t.Context(), ref, PageQuery{Size: 4, Commits: true})
		if err == nil && page.CommitsMore && page.CommitsNext == "" {
			t.Error("more commits and no cursor")
		}
		_, _ = c.PullRequest(t.Context(), ref, 1)
		_, _ = c.Briefs(t.Context(), ref, "")
		_, _ = c.Totals(t.Context(), ref)
		if sent > 2000 {
			t.Errorf("%d requests", sent)
		}
	})
}

func FuzzCursors(f *testing.F) {
	for _, seed := range []string{"", "[]", `[{"s":"2026-03-02T09:00:00Z","a":"x"}]`, "rest:1:50", "rest:-1:0", "rest:1:1000", "x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := parseHistory(PageQuery{Commits: true, CommitsAfter: text})
		if err == nil && len(l) > maxLanes {
			t.Errorf("%d stretches", len(l))
		}
		if err == nil && text != "" {
			again, err := parseHistory(PageQuery{Commits: true, CommitsAfter: l.text()})
			if err != nil || len(again) != len(l) {
				t.Errorf("%q does not come back from %q: %v", text, l.text(), err)
			}
		}
		at, err := parseREST(text, 50)
		if err == nil && (at.Page < 1 || at.Size < 1 || at.Size > maxSize) {
			t.Errorf("got %+v", at)
		}
	})
}

func FuzzReport(f *testing.F) {
	f.Add([]byte(`{"user_id":1,"user_login":"ada","user_initiated_interaction_count":3}` + "\n" + `{"user_id":2}`))
	f.Add([]byte(`[1`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var answer *AnswerError
		if _, err := parseUsage(text); err != nil && !errors.As(err, &answer) {
			t.Errorf("got %v", err)
		}
	})
}

func FuzzEvent(f *testing.F) {
	f.Add([]byte(`{"action":"renamed","changes":{"repository":{"name":{"from":"x"}}},"repository":{"full_name":"a/b","created_at":"2026-03-02T09:00:00Z"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var e event
		if json.Unmarshal(text, &e) != nil {
			return
		}
		for _, name := range []string{"push", "installation", "repository", "x"} {
			w := Webhook{Event: name}
			e.into(&w)
		}
	})
}
