package github

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	gh "github.com/google/go-github/v60/github"
)

// TestEveryFieldOnARealObject finds, for every field that is read by REST, a
// recorded object of GitHub's that has it.
func TestEveryFieldOnARealObject(t *testing.T) {
	seen := map[string]bool{}
	note := func(field string, there bool) { seen[field] = seen[field] || there }
	notePull := func(body []byte) {
		var r gh.PullRequest
		if json.Unmarshal(body, &r) != nil || r.GetNumber() == 0 {
			return
		}
		p := pullOf(&r)
		note("body", p.Body != "")
		note("draft", p.Draft)
		note("not a draft any more", r.Draft != nil && !p.Draft)
		note("open", p.State == "OPEN" && p.Closed.IsZero())
		note("closed", p.State == "CLOSED" && !p.Closed.IsZero() && p.Merged.IsZero())
		note("merged", p.State == "MERGED" && !p.Merged.IsZero())
		note("merger", p.MergedBy.ID != 0)
		note("merge commit", r.GetMergeCommitSHA() != "" && p.State == "MERGED")
		note("additions", p.Additions > 0)
		note("deletions", p.Deletions > 0)
		note("changed files", p.ChangedFiles > 0)
		note("comments", p.Comments > 0)
		note("review comments", r.GetReviewComments() > 0)
		note("commits", r.GetCommits() > 0)
		note("labels", len(p.Labels) > 0 && p.Labels[0] != "")
		note("assignees", len(p.Assignees) > 0 && p.Assignees[0].ID != 0)
		note("author", p.Author.ID != 0 && p.Author.NodeID != "" && p.Author.Login != "" && p.Author.Type == "User")
		note("app as author", p.Author.Bot())
		note("deleted account as author", p.Author.Ghost() || p.Author.Login == "ghost")
		note("same repository", !p.CrossRepository)
		note("fork", p.CrossRepository && r.GetHead().GetRepo() != nil)
		note("deleted fork", p.CrossRepository && r.GetHead().GetRepo() == nil)
		note("head", p.Head != "" && len(p.HeadOID) == 40)
		note("base", p.Base != "")
		note("node id", p.ID != "" && p.DatabaseID != 0)
		note("updated", p.Updated.After(p.Created))
	}
	noteReview := func(n *gh.PullRequestReview) {
		if r := reviewOf(n); r.State != "PENDING" {
			note("review "+r.State, r.DatabaseID != 0 && r.ID != "" && !r.Submitted.IsZero() && r.Author.ID != 0 && r.Commit != "")
		}
	}
	noteRest := func(path string, body []byte) {
		list := func(into any) bool { return json.Unmarshal(body, into) == nil }
		switch {
		case strings.HasSuffix(path, "/timeline"):
			var all []*gh.Timeline
			if list(&all) {
				for _, n := range all {
					e, known := eventOf(n)
					note("event "+string(e.Kind), known && !e.At.IsZero() && e.Actor.ID != 0)
				}
			}
		case strings.HasSuffix(path, "/files"):
			var all []*gh.CommitFile
			note("file", list(&all) && all[0].GetFilename() != "" && all[0].Additions != nil)
		case strings.HasSuffix(path, "/reviews"):
			var all []*gh.PullRequestReview
			if list(&all) {
				for _, n := range all {
					noteReview(n)
				}
			}
		case strings.Contains(path, "/commits/") && !strings.HasSuffix(path, "/pulls"):
			var one gh.RepositoryCommit
			if list(&one) {
				c := commitOf(&one, true)
				note("commit", len(c.OID) == 40 && c.Message != "" && c.Email != "" && c.Author.ID != 0)
				note("parents", len(c.Parents) > 0 && len(c.Parents[0]) == 40)
			}
		case strings.HasSuffix(path, "/members"):
			var all []*gh.User
			note("team member", list(&all) && len(all) > 0 && accountOf(all[0]).ID != 0)
		case strings.Contains(path, "/team"):
			var one gh.Team
			note("team", list(&one) && teamOf(&one).Slug != "" && teamOf(&one).ID != "")
		case strings.Count(path, "/") == 3:
			var one gh.Repository
			if list(&one) {
				r := repositoryOf(&one)
				note("repository", r.ID != "" && r.DatabaseID != 0 && r.DefaultBranch != "" && !r.Created.IsZero())
				note("a fork", r.Fork)
				note("private", r.Private)
			}
		}
	}
	for _, file := range []string{"octokit_cassettes", "hub4j_wiremock"} {
		eachLine(t, file+"/interactions.jsonl.gz", func(line []byte) {
			var i interaction
			if json.Unmarshal(line, &i) != nil || i.Status > 201 {
				return
			}
			notePull(i.body())
			noteRest(i.path(), i.body())
		})
	}
	type line struct {
		Data    json.RawMessage
		Payload struct {
			PullRequest json.RawMessage       `json:"pull_request"`
			Review      *gh.PullRequestReview `json:"review"`
		}
	}
	for _, file := range []string{"devlake_ants/pulls.jsonl.gz", "devlake_ants/issue_events.jsonl.gz", "gharchive/2021-07-21-few-hours.json.gz", "webhooks/examples.jsonl.gz"} {
		eachLine(t, file, func(text []byte) {
			var l line
			if json.Unmarshal(text, &l) != nil {
				return
			}
			notePull(l.Data)
			notePull(l.Payload.PullRequest)
			if l.Payload.Review != nil && strings.HasPrefix(file, "gharchive") {
				noteReview(l.Payload.Review)
			}
			var n gh.Timeline
			if strings.Contains(file, "events") && json.Unmarshal(l.Data, &n) == nil {
				e, known := eventOf(&n)
				note("event "+string(e.Kind), known && !e.At.IsZero() && e.Actor.ID != 0)
			}
		})
	}
	var missing []string
	for field, there := range seen {
		if !there && field != "event " {
			missing = append(missing, field)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("no recorded object has: %s", strings.Join(missing, ", "))
	}
	for _, want := range []string{"file", "commit", "team", "team member", "repository", "review APPROVED", "review CHANGES_REQUESTED", "review COMMENTED", "event closed", "event head_ref_force_pushed"} {
		if !seen[want] {
			t.Errorf("no recorded object is a %s", want)
		}
	}
}
