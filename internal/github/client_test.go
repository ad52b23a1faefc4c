package github_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
)

var ref = github.RepositoryRef{Owner: "acme", Name: "api"}

const name = "acme/api"

// rig is a world, a client that reads it, and a clock that both share and that
// moves when the client waits.
type rig struct {
	*githubtest.World
	Client  *github.Client
	URL     string
	app     *github.App // whose client it is, nil for nobody's
	mu      sync.Mutex
	at      time.Time
	waits   []time.Duration
	notices []github.Notice
}

var morning = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func (r *rig) now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at
}

func (r *rig) pass(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at = r.at.Add(d)
}

func newRig(t testing.TB, change ...func(*github.Options)) *rig {
	t.Helper()
	r := &rig{at: morning}
	r.World = githubtest.New(githubtest.Options{Clock: r.now})
	server, err := r.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	r.URL = server.URL
	r.Client = r.connect(t, change...)
	return r
}

// connect makes another client of the same world.
func (r *rig) connect(t testing.TB, change ...func(*github.Options)) *github.Client {
	t.Helper()
	o := github.Options{
		BaseURL: r.URL, Clock: r.now, Seed: 1,
		Sleep: func(ctx context.Context, d time.Duration) error {
			r.pass(d)
			r.mu.Lock()
			r.waits = append(r.waits, d)
			r.mu.Unlock()
			return ctx.Err()
		},
		Notify: func(n github.Notice) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.notices = append(r.notices, n)
		},
	}
	for _, f := range change {
		f(&o)
	}
	c, err := github.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// seen returns the notices of a kind.
func (r *rig) seen(kind github.NoticeKind) []github.Notice {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []github.Notice
	for _, n := range r.notices {
		if n.Kind == kind {
			out = append(out, n)
		}
	}
	return out
}

// readAll pages through a repository and returns its pull requests by number,
// each as it was read last, and its commits by hash.
func readAll(t testing.TB, read func(github.PageQuery) (github.Page, error), q github.PageQuery) (map[int]github.PullRequest, map[string]github.Commit, []github.Skipped) {
	t.Helper()
	pulls, commits := map[int]github.PullRequest{}, map[string]github.Commit{}
	var skipped []github.Skipped
	for range 10_000 {
		page, err := read(q)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range page.PullRequests {
			pulls[p.Number] = p
		}
		for _, c := range page.Commits {
			commits[c.OID] = c
		}
		skipped = append(skipped, page.Skipped...)
		if !page.More && !page.CommitsMore {
			return pulls, commits, skipped
		}
		q.After, q.CommitsAfter, q.Commits = page.Next, page.CommitsNext, page.CommitsMore
		if !page.More {
			q.Size = -1
		}
	}
	t.Fatal("the pages have no end")
	return nil, nil, nil
}

func (r *rig) page(t testing.TB) func(github.PageQuery) (github.Page, error) {
	return func(q github.PageQuery) (github.Page, error) { return r.Client.Page(t.Context(), ref, q) }
}

func (r *rig) pageREST(t testing.TB) func(github.PageQuery) (github.Page, error) {
	return func(q github.PageQuery) (github.Page, error) { return r.Client.PageREST(t.Context(), ref, q) }
}

// wholePull is a pull request in which nothing is empty.
func wholePull(r *rig, number int) github.PullRequest {
	ada, bob, bot := r.Person("ada"), r.Person("bob"), r.Bot("coderabbitai")
	at := func(minutes int) time.Time { return morning.Add(time.Duration(minutes) * time.Minute) }
	p := github.PullRequest{
		Number: number, Title: "Weigh twice", Body: "Because once is not enough.", State: "MERGED",
		Created: at(0), Updated: at(600), Closed: at(590), Merged: at(590), Base: "main", Head: "weigh-twice", CrossRepository: true,
		Author: ada, MergedBy: bob, Assignees: []github.Account{bob}, Labels: []string{"bug", "scale"}, Comments: 3,
		Files: []github.File{{Path: "a.go", Additions: 30, Deletions: 4}, {Path: "b.go", Additions: 1, Deletions: 2}},
		Commits: []github.Commit{
			{Message: "First weight", Author: ada, Authored: at(-60), Committed: at(-59)},
			{Message: "Second weight\n\nCo-authored-by: Claude <noreply@anthropic.com>", Author: ada, Authored: at(100), Committed: at(101)},
		},
		Reviews: []github.Review{
			{Author: bot, State: "COMMENTED", Submitted: at(1)},
			{Author: bob, State: "CHANGES_REQUESTED", Submitted: at(50)},
			{Author: bob, State: "APPROVED", Submitted: at(500)},
		},
		Threads: []github.Thread{
			{Path: "a.go", Outdated: true, Comments: []github.Comment{{Author: bot, Created: at(1)}, {Author: ada, Created: at(20)}}},
			{Path: "b.go", Comments: []github.Comment{{Author: bob, Created: at(50)}}},
		},
		Events: []github.Event{
			{Kind: github.Drafted, At: at(2), Actor: ada},
			{Kind: github.Ready, At: at(40), Actor: ada},
			{Kind: github.ForcePushed, At: at(99), Actor: ada, To: "b" + "0123456789012345678901234567890123456789"[1:]},
			{Kind: github.WasClosed, At: at(110), Actor: ada},
			{Kind: github.Reopened, At: at(111), Actor: ada},
		},
	}
	return p
}

func TestPullRequestIsReadWhole(t *testing.T) {
	r := newRig(t)
	r.Put(name, wholePull(r, 7))
	r.Open(name, githubtest.Pull{Number: 8, Draft: true})
	want := r.PullRequests(name)

	t.Run("in a page", func(t *testing.T) {
		page, err := r.Client.Page(t.Context(), ref, github.PageQuery{})
		if err != nil {
			t.Fatal(err)
		}
		if len(page.PullRequests) != 2 || page.More || page.Total != 2 {
			t.Fatalf("got %d pull requests, more %v, total %d", len(page.PullRequests), page.More, page.Total)
		}
		for _, p := range page.PullRequests {
			if diff := cmp.Diff(want[p.Number-7], p); diff != "" {
				t.Errorf("#%d (-world +read):\n%s", p.Number, diff)
			}
		}
	})
	t.Run("alone", func(t *testing.T) {
		got, err := r.Client.PullRequest(t.Context(), ref, 7)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[0], got); diff != "" {
			t.Errorf("(-world +read):\n%s", diff)
		}
	})
	t.Run("by REST", func(t *testing.T) {
		got, err := r.Client.PullRequestREST(t.Context(), ref, 7)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got.Threads { // REST knows comments, not threads
			got.Threads[i].ID = want[0].Threads[i].ID
		}
		if diff := cmp.Diff(want[0], got); diff != "" {
			t.Errorf("(-world +read):\n%s", diff)
		}
	})
}
