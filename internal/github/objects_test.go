package github

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	gh "github.com/google/go-github/v60/github"
)

// openRecorded opens a packed file of the reference data, or skips.
func openRecorded(t *testing.T, path string) io.Reader {
	t.Helper()
	root := os.Getenv("STEELYARD_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(root, "github", path))
	if err != nil {
		t.Skipf("the reference data is not there: set STEELYARD_DATA to its folder (looked for %s)", path)
	}
	t.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func eachLine(t *testing.T, path string, read func([]byte)) {
	t.Helper()
	scanner := bufio.NewScanner(openRecorded(t, path))
	scanner.Buffer(nil, 8<<20)
	for scanner.Scan() {
		read(scanner.Bytes())
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
}

// kinds are the REST objects that are read, by their address.
var kinds = []struct {
	kind string
	path *regexp.Regexp
	read func([]byte) error
}{
	{"repository", regexp.MustCompile(`^/(user/repos|repos/[^/]+/[^/]+|orgs/[^/]+/repos)$`), object(func(r *gh.Repository) error {
		return need(repositoryOf(r), func(v Repository) bool { return v.DatabaseID != 0 && v.NameWithOwner != "" })
	})},
	{"pull request", regexp.MustCompile(`^/repos/[^/]+/[^/]+/(pulls|pulls/\d+|commits/[^/]+/pulls|pulls/\d+/requested_reviewers)$`), object(readPull)},
	{"review", regexp.MustCompile(`/pulls/\d+/reviews(/\d+|/\d+/events)?$`), object(func(r *gh.PullRequestReview) error {
		return need(reviewOf(r), func(v Review) bool { return v.DatabaseID != 0 && v.State != "" && (v.Author.ID != 0 || r.User == nil) })
	})},
	{"review comment", regexp.MustCompile(`/pulls/(comments/\d+|\d+/comments|comments|\d+/reviews/\d+/comments)$`), object(func(r *gh.PullRequestComment) error {
		return need(threadsOf([]*gh.PullRequestComment{r})[0], func(v Thread) bool { return v.Path != "" && !v.Opened().Created.IsZero() })
	})},
	{"commit", regexp.MustCompile(`/(pulls/\d+/commits|commits/[0-9a-f]{40})$`), object(func(r *gh.RepositoryCommit) error {
		return need(commitOf(r, true), func(v Commit) bool {
			return len(v.OID) == 40 && v.Message != "" && !v.Committed.IsZero() && v.Email != ""
		})
	})},
	{"file", regexp.MustCompile(`/pulls/\d+/files$`), object(func(r *gh.CommitFile) error {
		return need(r, func(v *gh.CommitFile) bool { return v.GetFilename() != "" && v.Additions != nil && v.Deletions != nil })
	})},
	{"event", regexp.MustCompile(`/issues/\d+/timeline$`), object(func(r *gh.Timeline) error {
		_, _ = eventOf(r)
		return need(r, func(v *gh.Timeline) bool { return v.GetEvent() != "" })
	})},
	{"account", regexp.MustCompile(`^/(user|users/[^/]+|teams/[^/]+/members|organizations/\d+/team/\d+/members)$`), object(func(r *gh.User) error {
		return need(accountOf(r), func(v Account) bool { return v.ID != 0 && v.Login != "" && v.Type != "" })
	})},
	{"team", regexp.MustCompile(`^/(orgs/[^/]+/teams(/[^/]+)?|organizations/\d+/team/\d+)$`), object(func(r *gh.Team) error {
		return need(teamOf(r), func(v Team) bool { return v.DatabaseID != 0 && v.Slug != "" })
	})},
}

func readPull(r *gh.PullRequest) error {
	return need(pullOf(r), func(v PullRequest) bool {
		return v.DatabaseID != 0 && v.Number != 0 && v.Title != "" && v.State != "" && !v.Created.IsZero() && v.Base != "" && v.Head != "" && v.HeadOID != ""
	})
}

func need[T any](v T, ok func(T) bool) error {
	if !ok(v) {
		return fmt.Errorf("a field is missing: %+v", v)
	}
	return nil
}

// object reads one value or a list of them.
func object[T any](check func(*T) error) func([]byte) error {
	return func(body []byte) error {
		if strings.HasPrefix(strings.TrimSpace(string(body)), "[") {
			var all []*T
			if err := json.Unmarshal(body, &all); err != nil {
				return err
			}
			for _, v := range all {
				if err := check(v); err != nil {
					return err
				}
			}
			return nil
		}
		v := new(T)
		if err := json.Unmarshal(body, v); err != nil {
			return err
		}
		return check(v)
	}
}

// interaction is a recorded request and its answer.
type interaction struct {
	Test, Cassette string
	Method         string
	URL, URI       string
	Status         int
	Headers        map[string]any
	Body           json.RawMessage
}

// redacted is what a recording has in the place of names and numbers.
var redacted = regexp.MustCompile(`<[A-Z_]+>`)

func (i interaction) body() []byte {
	text := string(i.Body)
	_ = json.Unmarshal(i.Body, &text)
	return redacted.ReplaceAll([]byte(text), []byte("11"))
}

func (i interaction) path() string {
	u, err := url.Parse(strings.NewReplacer("<", "_", ">", "_").Replace(i.URL + i.URI))
	if err != nil {
		return ""
	}
	return u.Path
}

// TestRecordedObjects reads every recorded answer of a kind that is used.
func TestRecordedObjects(t *testing.T) {
	counts := map[string]int{}
	for _, file := range []string{"octokit_cassettes", "hub4j_wiremock"} {
		eachLine(t, file+"/interactions.jsonl.gz", func(line []byte) {
			var i interaction
			if err := json.Unmarshal(line, &i); err != nil {
				t.Fatal(err)
			}
			if i.Status != 200 && i.Status != 201 || len(i.body()) == 0 {
				return
			}
			for _, k := range kinds {
				asked := i.Method == http.MethodGet && strings.HasSuffix(i.path(), "/requested_reviewers") // of people, not of pull requests
				if k.path.MatchString(i.path()) && !asked {
					counts[k.kind]++
					if err := k.read(i.body()); err != nil {
						t.Errorf("%s %s %s: %v", k.kind, i.Method, i.path(), err)
					}
					return
				}
			}
		})
	}
	t.Logf("read %v", counts)
	for _, k := range kinds {
		if counts[k.kind] == 0 {
			t.Errorf("no %s was recorded", k.kind)
		}
	}
}

// TestArchivedEvents reads the pull requests, reviews and comments of a sample
// of GH Archive: the whole form, with sums and with bots.
func TestArchivedEvents(t *testing.T) {
	var pulls, reviews, comments, bots, merged, sized, ghosts int
	eachLine(t, "gharchive/2021-07-21-few-hours.json.gz", func(line []byte) {
		var e struct {
			Type    string
			Payload struct {
				PullRequest *gh.PullRequest        `json:"pull_request"`
				Review      *gh.PullRequestReview  `json:"review"`
				Comment     *gh.PullRequestComment `json:"comment"`
			}
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		switch e.Type {
		case "PullRequestEvent":
			pulls++
			if err := readPull(e.Payload.PullRequest); err != nil {
				t.Error(err)
			}
			p := pullOf(e.Payload.PullRequest)
			if p.Author.Bot() {
				bots++
				if strings.HasSuffix(p.Author.Login, "[bot]") {
					t.Errorf("login %q keeps its suffix", p.Author.Login)
				}
			}
			if p.State == "MERGED" {
				merged++
				if p.MergedBy.ID == 0 || p.Merged.IsZero() {
					t.Errorf("#%d was merged by %+v", p.Number, p.MergedBy)
				}
			}
			if p.Additions+p.Deletions > 0 && p.ChangedFiles > 0 {
				sized++
			}
			if e.Payload.PullRequest.GetHead().Repo == nil && p.CrossRepository {
				ghosts++
			}
		case "PullRequestReviewEvent":
			reviews++
			if r := reviewOf(e.Payload.Review); r.ID == "" || r.Author.ID == 0 || r.State == "" || r.Submitted.IsZero() || r.State != strings.ToUpper(r.State) {
				t.Errorf("review %+v", r)
			}
		case "PullRequestReviewCommentEvent":
			comments++
			if th := threadsOf([]*gh.PullRequestComment{e.Payload.Comment}); len(th) != 1 || th[0].ID == "" || th[0].Opened().Author.ID == 0 {
				t.Errorf("threads %+v", th)
			}
		}
	})
	if pulls != 64 || reviews != 28 || comments != 10 || merged != 25 || bots == 0 || sized == 0 {
		t.Errorf("%d pull requests (%d merged, %d by bots, %d with sums), %d reviews, %d comments", pulls, merged, bots, sized, reviews, comments)
	}
}

// TestRecordedLimits recognises every recorded limit, and how long it asks to
// wait.
func TestRecordedLimits(t *testing.T) {
	now := time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC)
	fill := func(v string) string { // the recordings hold templates of their simulator
		switch {
		case strings.HasPrefix(v, "{{now offset='8 seconds'"):
			return now.Add(8 * time.Second).Format(http.TimeFormat)
		case strings.Contains(v, "offset='3 seconds' format='unix'"):
			return fmt.Sprint(now.Add(3 * time.Second).Unix())
		case strings.HasPrefix(v, "{{now timezone"):
			return now.Format(http.TimeFormat)
		}
		return v
	}
	seen := 0
	eachLine(t, "hub4j_wiremock/interactions.jsonl.gz", func(line []byte) {
		var i interaction
		if err := json.Unmarshal(line, &i); err != nil {
			t.Fatal(err)
		}
		if i.Status != http.StatusForbidden && i.Status != http.StatusTooManyRequests {
			return
		}
		seen++
		a := &answer{status: i.Status, header: http.Header{}, body: i.body(), at: now}
		for name, v := range i.Headers {
			a.header.Set(name, fill(fmt.Sprint(v)))
		}
		got, ok := limited(a)
		want := unasked
		switch after := a.header.Get("Retry-After"); {
		case after == "2", after == "3", after == "30", after == "8":
			want = time.Duration(atoi(after)) * time.Second
		case after != "":
			want = 8 * time.Second
		case a.header.Get("X-RateLimit-Remaining") == "0":
			want = 4 * time.Second
		}
		if !ok || got.wait != want || got.secondary != (a.header.Get("X-RateLimit-Remaining") != "0") {
			t.Errorf("%s (%d): limit %v %+v, want %s", i.Test, i.Status, ok, got, want)
		}
	})
	if seen != 15 {
		t.Errorf("saw %d limits of 15", seen)
	}
}

func atoi(s string) (n int) {
	_, _ = fmt.Sscan(s, &n)
	return n
}
