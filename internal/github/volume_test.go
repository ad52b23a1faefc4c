package github_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
)

// reference opens a file of the reference data, unpacked, or skips.
func reference(t testing.TB, path string) io.Reader {
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
	if filepath.Ext(path) != ".gz" {
		return f
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestRequestsForARealRepository reads 22,718 real pull requests and the
// default branch's commits, and then only what has changed.
func TestRequestsForARealRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("short: 22,718 pull requests")
	}
	r := newRig(t)
	r.pass(365 * 24 * time.Hour) // the table ends in August 2026
	n, err := r.FillTable(name, reference(t, "pr_rails.csv.gz"), 1)
	if err != nil {
		t.Fatal(err)
	}
	if n != 22718 {
		t.Fatalf("the table has %d pull requests", n)
	}
	start := r.Counts()
	pulls, commits, skipped := readAll(t, r.page(t), github.PageQuery{Commits: true})
	backfill := r.Counts()
	t.Logf("backfill: %d requests, %d points", backfill.Requests-start.Requests, backfill.Points-start.Points)
	if got := backfill.Requests - start.Requests; got > 500 {
		t.Errorf("the backfill took %d requests, more than 500", got)
	}
	if len(skipped) > 0 {
		t.Errorf("skipped %v", skipped)
	}
	differ := 0
	for _, want := range r.PullRequests(name) {
		if reflect.DeepEqual(want, pulls[want.Number]) {
			continue // a hundred times faster than a difference
		}
		if diff := cmp.Diff(want, pulls[want.Number], sameCommits); diff != "" {
			if differ++; differ < 4 {
				t.Errorf("#%d (-world +read):\n%s", want.Number, diff)
			}
		}
	}
	for _, want := range r.History(name) {
		if _, ok := commits[want.OID]; !ok {
			t.Fatalf("commit %s was not read", want.OID)
		}
	}
	if len(commits) != len(r.History(name)) {
		t.Errorf("read %d commits of %d", len(commits), len(r.History(name)))
	}

	watermark := r.now()
	r.pass(time.Hour)
	if got := r.update(t, watermark); len(got) != 0 {
		t.Errorf("without a change %d pull requests came", len(got))
	}
	quiet := r.Counts()
	if got := quiet.Requests - backfill.Requests; got > 3 {
		t.Errorf("a second sync without a change took %d requests, more than 3", got)
	}
	for i := range 10 {
		r.Touch(name, r.PullRequests(name)[i*1000].Number)
	}
	if got := r.update(t, watermark); len(got) != 10 {
		t.Errorf("of ten changed pull requests %d came", len(got))
	}
	changed := r.Counts()
	t.Logf("no change: %d requests, %d points; ten changed: %d requests, %d points", quiet.Requests-backfill.Requests,
		quiet.Points-backfill.Points, changed.Requests-quiet.Requests, changed.Points-quiet.Points)
	if got := changed.Requests - quiet.Requests; got > 5 {
		t.Errorf("ten changed pull requests took %d requests, more than 5", got)
	}
}

// sameCommits lets node ids of apps as authors of commits be absent: GraphQL
// gives no account for them, only the address tells it.
var sameCommits = cmp.Transformer("commits", func(all []github.Commit) []commitView {
	var out []commitView
	for _, c := range all {
		if c.Author.Bot() {
			c.Author.NodeID = ""
		}
		out = append(out, commitView(c))
	}
	return out
})

type commitView github.Commit

// update reads what was updated since, newest first, with the commits.
func (r *rig) update(t testing.TB, since time.Time) []github.PullRequest {
	t.Helper()
	var out []github.PullRequest
	q := github.PageQuery{Newest: true, Commits: true, CommitsSince: since}
	for {
		page, err := r.Client.Page(t.Context(), ref, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range page.PullRequests {
			if p.Updated.Before(since) {
				return out
			}
			out = append(out, p)
		}
		if !page.More {
			return out
		}
		q.After, q.CommitsAfter, q.Commits = page.Next, page.CommitsNext, page.CommitsMore
	}
}
