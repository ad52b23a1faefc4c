package githubtest_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
)

var monday = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

func study(seed uint64) githubtest.Study {
	return githubtest.Study{
		Repository: "product", Begin: monday, Weeks: 30, Start: monday.AddDate(0, 0, 7*20), Effect: 0.6, Reviewer: "reviewbot", Seed: seed, Reverted: 0.02,
		Teams: []githubtest.StudyTeam{{Slug: "pilot", People: 20, Treated: true}, {Slug: "east", People: 20}, {Slug: "west", Median: 30 * time.Hour}},
	}
}

// TestStudyHasItsEffect builds a pilot and finds the effect that was put in,
// in the treated team after its start and nowhere else.
func TestStudyHasItsEffect(t *testing.T) {
	w := githubtest.New(githubtest.Options{})
	s := study(7)
	built := w.Build(s)
	logs := map[string][]float64{}
	for _, p := range w.PullRequests("acme/product") {
		if p.State != "MERGED" || len(p.Body) > 0 {
			continue
		}
		when := "before"
		if !p.Created.Before(s.Start) {
			when = "after"
		}
		team := p.Files[0].Path[:4]
		logs[team+when] = append(logs[team+when], math.Log(p.Merged.Sub(p.Created).Hours()))
	}
	mean := func(key string) float64 {
		sum := 0.0
		for _, v := range logs[key] {
			sum += v
		}
		return sum / float64(len(logs[key]))
	}
	pilot, east := mean("piloafter")-mean("pilobefore"), mean("eastafter")-mean("eastbefore")
	if math.Abs(pilot-built.LogEffect) > 0.15 || math.Abs(east) > 0.15 {
		t.Errorf("the pilot's logs moved by %.3f, the comparison's by %.3f; built in was %.3f", pilot, east, built.LogEffect)
	}
	if built.Reverts == 0 || built.Open == 0 || built.PullRequests != len(w.PullRequests("acme/product")) {
		t.Errorf("built %+v", built)
	}
	if diff := cmp.Diff([]string{"acme/product"}, built.Repositories); diff != "" {
		t.Error(diff)
	}
}

// TestStudyIsTheSameAgain builds twice from one seed and once from another.
func TestStudyIsTheSameAgain(t *testing.T) {
	build := func(seed uint64) []github.PullRequest {
		w := githubtest.New(githubtest.Options{Clock: func() time.Time { return monday }})
		w.Build(study(seed))
		return w.PullRequests("acme/product")
	}
	if diff := cmp.Diff(build(1), build(1)); diff != "" {
		t.Errorf("the same study builds another world:\n%s", diff)
	}
	if cmp.Equal(build(1), build(2)) {
		t.Error("another seed builds the same world")
	}
}

// TestStudyIsReadAsItIs reads a built world by the client.
func TestStudyIsReadAsItIs(t *testing.T) {
	w := githubtest.New(githubtest.Options{})
	built := w.Build(study(3))
	server, err := w.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	c, err := github.New(github.Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	ref := github.RepositoryRef{Owner: "acme", Name: "product"}
	read := 0
	for q, more := (github.PageQuery{Commits: true}), true; more; {
		page, err := c.Page(t.Context(), ref, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range page.PullRequests {
			read++
			if diff := cmp.Diff(w.PullRequest("acme/product", p.Number), p); diff != "" {
				t.Fatalf("#%d (-world +read):\n%s", p.Number, diff)
			}
		}
		more, q.After, q.CommitsAfter, q.Commits = page.More, page.Next, page.CommitsNext, page.CommitsMore
	}
	if read != built.PullRequests {
		t.Errorf("read %d of %d", read, built.PullRequests)
	}
}

// TestTableKeepsWhatItSays fills a world from a small table and finds the
// table's own columns unchanged.
func TestTableKeepsWhatItSays(t *testing.T) {
	w := githubtest.New(githubtest.Options{})
	merged := monday.Add(30 * time.Hour)
	w.FillRows("acme/api", []githubtest.Row{
		{Number: 4, MergeSHA: "0123456789ab", First: monday, Last: monday.Add(time.Hour), Merged: merged, Author: "aaaa", Merger: "bbbb", Commits: 3, Files: 2, Additions: 11, Deletions: 5, Dir: "lib", Reverted: merged.Add(time.Hour)},
		{Number: 6, MergeSHA: "fedcba987654", Squash: true, Merged: merged.Add(2 * time.Hour), Author: "cccc", Bot: true, Commits: 1, Revert: true, Form: "branch", RevertsPR: 4, RevertsSHA: "0123456789ab"},
	}, 1)
	p := w.PullRequest("acme/api", 4)
	if p.MergeCommit.OID[:12] != "0123456789ab" || len(p.Commits) != 3 || p.Additions != 11 || p.ChangedFiles != 2 || !p.Merged.Equal(merged) || p.Commits[0].Authored != monday || p.Commits[2].Authored != monday.Add(time.Hour) {
		t.Errorf("got %+v", p)
	}
	r := w.PullRequest("acme/api", 6)
	if r.Body != "Reverts acme/api#4" || !r.Author.Bot() || r.Head != "revert-4-change-4" || r.Title != `Revert "`+p.Title+`"` {
		t.Errorf("got %+v", r)
	}
	history := w.History("acme/api")
	if len(history) != 6 { // 3 commits and their merge, the direct revert, the squash
		t.Fatalf("%d commits", len(history))
	}
	if want := `Revert "` + p.Title + `"` + "\n\nThis reverts commit " + p.MergeCommit.OID + "."; history[4].Message != want {
		t.Errorf("the direct revert says %q", history[4].Message)
	}
	if len(githubtest.Invented) == 0 {
		t.Error("nothing is said to be invented")
	}
}
