package github_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
)

// TestDrift changes the repository before every request: what was there at the
// beginning is read whichever way the rows move, and what moved is read as it
// is after its last change or comes again in the next run.
func TestDrift(t *testing.T) {
	reads := map[string]func(*rig, *testing.T) func(github.PageQuery) (github.Page, error){
		"GraphQL": func(r *rig, t *testing.T) func(github.PageQuery) (github.Page, error) { return r.page(t) },
		"REST":    func(r *rig, t *testing.T) func(github.PageQuery) (github.Page, error) { return r.pageREST(t) },
	}
	for way, read := range reads {
		for _, newest := range []bool{false, true} {
			t.Run(way+map[bool]string{false: " oldest first", true: " newest first"}[newest], func(t *testing.T) {
				r := newRig(t)
				fill(r, 30)
				start := r.now()
				r.pass(time.Minute)
				changes := 0
				r.Watch(func(q githubtest.Request) {
					if changes++; changes > 200 {
						return
					}
					r.pass(time.Second)
					r.Touch(name, 1+(changes*7)%30)
					if changes%10 == 0 {
						r.Open(name, githubtest.Pull{})
						r.Commit(name, github.Commit{Message: "Meanwhile"})
					}
				})
				pulls, commits, _ := readAll(t, read(r, t), github.PageQuery{Size: 4, Newest: newest, Commits: true})
				r.Watch(nil)
				for n := 1; n <= 30; n++ {
					if _, ok := pulls[n]; !ok && r.PullRequest(name, n).Updated.Before(start) {
						t.Errorf("#%d did not move and was not read", n)
					}
				}
				for _, p := range r.update(t, start) { // the next run, from the start of this one
					pulls[p.Number] = p
				}
				r.holds(t, pulls)
				for _, c := range r.History(name) {
					if _, ok := commits[c.OID]; !ok && c.Committed.Before(start) {
						t.Errorf("commit %q was not read", c.Message)
					}
				}
			})
		}
	}
}

// TestRenamedAndTransferred reads a repository by the name it had: its id
// stays, its name is the new one.
func TestRenamedAndTransferred(t *testing.T) {
	for _, to := range []string{"acme/scales", "other/api"} {
		t.Run(to, func(t *testing.T) {
			r := newRig(t)
			fill(r, 3)
			before, err := r.Client.Repository(t.Context(), ref)
			if err != nil {
				t.Fatal(err)
			}
			r.Rename(name, to)
			after, err := r.Client.Repository(t.Context(), ref)
			if err != nil {
				t.Fatal(err)
			}
			want := before
			want.NameWithOwner = to
			if diff := cmp.Diff(want, after); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for way, read := range map[string]func(github.PageQuery) (github.Page, error){"GraphQL": r.page(t), "REST": r.pageREST(t)} {
				page, err := read(github.PageQuery{Commits: true})
				if err != nil || len(page.PullRequests) != 3 || len(page.Commits) == 0 || page.Repository != want {
					t.Errorf("%s: read %d pull requests of %+v: %v", way, len(page.PullRequests), page.Repository, err)
				}
			}
		})
	}
}

// TestDeleted tells a repository that is gone, or a pull request that never
// was, from a fault.
func TestDeleted(t *testing.T) {
	r := newRig(t)
	fill(r, 1)
	if _, err := r.Client.PullRequest(t.Context(), ref, 99); !errors.Is(err, github.ErrNotFound) {
		t.Errorf("a pull request that is not there: %v", err)
	}
	if _, err := r.Client.PullRequestREST(t.Context(), ref, 99); !errors.Is(err, github.ErrNotFound) {
		t.Errorf("a pull request that is not there, by REST: %v", err)
	}
	r.Delete(name)
	_, err1 := r.Client.Repository(t.Context(), ref)
	_, err2 := r.Client.Page(t.Context(), ref, github.PageQuery{})
	_, err3 := r.Client.PageREST(t.Context(), ref, github.PageQuery{})
	_, err4 := r.Client.Totals(t.Context(), ref)
	_, err5 := r.Client.Briefs(t.Context(), ref, "")
	for i, err := range []error{err1, err2, err3, err4, err5} {
		if !errors.Is(err, github.ErrNotFound) {
			t.Errorf("read %d of a deleted repository: %v", i, err)
		}
	}
}

// TestGhosts keeps what deleted accounts did, as nobody's.
func TestGhosts(t *testing.T) {
	r := newRig(t)
	p := wholePull(r, 1)
	for i := range p.Commits { // an address that names no account
		p.Commits[i].Name, p.Commits[i].Email = "Ada", "ada@example.com"
	}
	r.Put(name, p)
	r.DeleteFork(name, 1)
	r.DeleteAccount("ada")
	want := r.PullRequest(name, 1)
	if !want.Author.Ghost() || !want.CrossRepository {
		t.Fatal("the world has no ghost")
	}
	page, err := r.Client.Page(t.Context(), ref, github.PageQuery{})
	if err != nil {
		t.Fatal(err)
	}
	byREST, err := r.Client.PullRequestREST(t.Context(), ref, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range byREST.Threads {
		byREST.Threads[i].ID = want.Threads[i].ID
	}
	for way, got := range map[string]github.PullRequest{"GraphQL": page.PullRequests[0], "REST": byREST} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-world +read):\n%s", way, diff)
		}
	}
}

// TestLongLists reads every list of a pull request to its end, both ways.
func TestLongLists(t *testing.T) {
	r := newRig(t)
	r.Put(name, longPull(r, 1))
	r.Put(name, longPull(r, 2))
	pulls, _, _ := readAll(t, r.page(t), github.PageQuery{})
	r.holds(t, pulls)
	if got := r.Counts().Requests; got > 8 {
		t.Errorf("it took %d requests", got)
	}
	got, err := r.Client.PullRequestREST(t.Context(), ref, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := r.PullRequest(name, 2)
	if len(got.Commits) != len(want.Commits) || len(got.Reviews) != len(want.Reviews) || len(got.Threads) != len(want.Threads) ||
		len(got.Files) != len(want.Files) || len(got.Events) != len(want.Events) || len(got.Incomplete) > 0 {
		t.Errorf("by REST: %d commits, %d reviews, %d threads, %d files, %d events, incomplete %q",
			len(got.Commits), len(got.Reviews), len(got.Threads), len(got.Files), len(got.Events), got.Incomplete)
	}
}

// TestListsThatGitHubEnds says which commits of a very long pull request it
// could not see, both ways.
func TestListsThatGitHubEnds(t *testing.T) {
	r := newRig(t)
	p := wholePull(r, 1)
	for len(p.Commits) < 300 {
		p.Commits = append(p.Commits, github.Commit{Message: fmt.Sprint("Weight ", len(p.Commits)), Author: p.Author, Authored: p.Created})
	}
	r.Put(name, p)
	a, err := r.Client.PullRequest(t.Context(), ref, 1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Client.PullRequestREST(t.Context(), ref, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []github.PullRequest{a, b} {
		if len(got.Commits) != 250 || !cmp.Equal(got.Incomplete, []string{"commits: GitHub gives 250 of 300"}) {
			t.Errorf("%d commits, incomplete %q", len(got.Commits), got.Incomplete)
		}
	}
}

// TestManyAtOnce reads with many goroutines through a limit: all wait for it,
// none loses anything.
func TestManyAtOnce(t *testing.T) {
	r := newRig(t)
	fill(r, 30)
	r.Limit(5000, 20)
	var group sync.WaitGroup
	for n := 1; n <= 30; n++ {
		group.Go(func() {
			got, err := r.Client.PullRequest(t.Context(), ref, n)
			if err != nil || got.Number != n {
				t.Errorf("#%d: read %d, %v", n, got.Number, err)
			}
		})
	}
	group.Wait()
	if len(r.seen(github.WaitingForLimit)) == 0 {
		t.Error("nobody waited")
	}
}

// TestFollowUpThatFails makes a pull request incomplete, and no more.
func TestFollowUpThatFails(t *testing.T) {
	r := newRig(t)
	r.Put(name, longPull(r, 1))
	r.Open(name, githubtest.Pull{Number: 2})
	r.Fail(githubtest.Fault{Kind: githubtest.ServerError, Match: "More", Times: -1})
	page, err := r.Client.Page(t.Context(), ref, github.PageQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range page.PullRequests {
		if whole := len(p.Incomplete) == 0; whole != (p.Number == 2) {
			t.Errorf("#%d: incomplete %q", p.Number, p.Incomplete)
		}
	}
}

// TestEmptyRepository has neither a default branch nor anything else.
func TestEmptyRepository(t *testing.T) {
	r := newRig(t)
	r.Repository(name)
	for way, read := range map[string]func(github.PageQuery) (github.Page, error){"GraphQL": r.page(t), "REST": r.pageREST(t)} {
		page, err := read(github.PageQuery{Commits: true})
		if err != nil || page.More || page.CommitsMore || len(page.PullRequests) > 0 || len(page.Commits) > 0 {
			t.Errorf("%s: %+v, %v", way, page, err)
		}
	}
}

// TestTotalsAndBriefs agree with the world and with each other, also without
// GraphQL.
func TestTotalsAndBriefs(t *testing.T) {
	r := newRig(t)
	fill(r, 230)
	r.Close(name, 2, "bob")
	for _, blocked := range []bool{false, true} {
		if blocked {
			r.Fail(githubtest.Fault{Kind: githubtest.GraphQLBlocked, On: githubtest.GraphQL, Times: -1})
		}
		totals, err := r.Client.Totals(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		if totals.Open != 114 || totals.Closed != 1 || totals.Merged != 115 || totals.Repository.NameWithOwner != name {
			t.Errorf("blocked %v: totals %+v", blocked, totals)
		}
		var got []github.Brief
		for after, more := "", true; more; {
			page, err := r.Client.Briefs(t.Context(), ref, after)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, page.Briefs...)
			after, more = page.Next, page.More
		}
		var want []github.Brief
		for _, p := range r.PullRequests(name) {
			want = append(want, github.Brief{ID: p.ID, Number: p.Number, State: p.State, Updated: p.Updated})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("blocked %v (-world +read):\n%s", blocked, diff)
		}
	}
}

// TestOpenOnly leaves out what is closed, both ways.
func TestOpenOnly(t *testing.T) {
	r := newRig(t)
	fill(r, 9)
	for way, read := range map[string]func(github.PageQuery) (github.Page, error){"GraphQL": r.page(t), "REST": r.pageREST(t)} {
		pulls, _, _ := readAll(t, read, github.PageQuery{Size: 3, OpenOnly: true})
		if len(pulls) != 4 {
			t.Errorf("%s: read %d open pull requests of 4", way, len(pulls))
		}
	}
}

// TestHistoryInStretches reads years of commits, whatever the order of their
// dates, and goes on from any cursor.
func TestHistoryInStretches(t *testing.T) {
	r := newRig(t)
	r.Repository(name)
	for i := range 730 {
		at := morning.AddDate(-2, 0, i)
		if i%5 == 0 {
			at = at.AddDate(-4, 0, 0) // an old branch, merged late
		}
		r.Commit(name, github.Commit{Message: "A day", Authored: at})
	}
	_, commits, _ := readAll(t, r.page(t), github.PageQuery{Size: -1, Commits: true})
	if len(commits) != 730 {
		t.Errorf("read %d commits of 730", len(commits))
	}
	since := morning.AddDate(-1, 0, 0)
	_, commits, _ = readAll(t, r.page(t), github.PageQuery{Size: -1, Commits: true, CommitsSince: since})
	want := 0
	for _, c := range r.History(name) {
		if !c.Committed.Before(since) {
			want++
		}
	}
	if len(commits) != want || want == 0 {
		t.Errorf("since %s read %d commits of %d", since, len(commits), want)
	}
	for _, bad := range []string{"x", `[{"a":"` + string(make([]byte, 3000)) + `"}]`, `[{},{},{}]`} {
		if _, err := r.Client.Page(t.Context(), ref, github.PageQuery{Commits: true, CommitsAfter: bad}); err == nil {
			t.Errorf("the cursor %.20q was taken", bad)
		}
	}
}
