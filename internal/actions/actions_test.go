package actions_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/actions"
)

const (
	base = "1111111111111111111111111111111111111111"
	head = "2222222222222222222222222222222222222222"
	sha  = "3333333333333333333333333333333333333333"
)

// environment is GitHub Actions' own with an event.
func environment(t *testing.T, name, event string, more ...string) func(string) (string, bool) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(file, []byte(event), 0o644); err != nil {
		t.Fatal(err)
	}
	return variables(append([]string{
		"GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=" + name, "GITHUB_EVENT_PATH=" + file,
		"GITHUB_REPOSITORY=acme/api", "GITHUB_SHA=" + sha,
	}, more...)...)
}

func variables(all ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, one := range all {
			if key, value, _ := strings.Cut(one, "="); key == name {
				return value, true
			}
		}
		return "", false
	}
}

const pullEvent = `{
	"action": "opened",
	"pull_request": {
		"number": 7, "title": "Add a door", "body": "## AI assistance\n- [x] none", "draft": true, "milestone": null,
		"user": {"login": "ada", "id": 5, "type": "User"},
		"assignees": [{"login": "bob", "id": 6, "type": "User"}],
		"requested_reviewers": [{"login": "carol", "id": 8, "type": "User"}],
		"requested_teams": [{"slug": "security"}],
		"labels": [{"name": "feature"}],
		"base": {"ref": "main", "sha": "` + base + `", "repo": {"full_name": "acme/api"}},
		"head": {"ref": "door", "sha": "` + head + `", "repo": {"full_name": "ada/api"}}
	},
	"repository": {"full_name": "acme/api", "default_branch": "main"}
}`

func TestPullRequest(t *testing.T) {
	for _, name := range []string{"pull_request", "pull_request_target", "pull_request_review"} {
		event := pullEvent
		if name == "pull_request_review" {
			event = strings.Replace(event, `"action": "opened",`, `"review": {"state": "approved", "user": {"login": "carol", "id": 8, "type": "User"}},`, 1)
		}
		r, err := actions.Read(environment(t, name, event, "GITHUB_STEP_SUMMARY=/tmp/summary"))
		if err != nil {
			t.Fatal(err)
		}
		want := &actions.Run{
			Kind: actions.Kind(name), Event: name, GitHub: true, Repository: "acme/api", Number: 7, Commit: sha,
			BaseCommit: base, HeadCommit: head, BaseBranch: "main", HeadBranch: "door", Default: "main", Fork: true,
			SummaryFile: "/tmp/summary",
			Pull: &actions.Pull{
				Body: "## AI assistance\n- [x] none", Author: actions.Account{ID: 5, Login: "ada", Type: "User"},
				Assignees: []actions.Account{{ID: 6, Login: "bob", Type: "User"}}, Requested: []actions.Account{{ID: 8, Login: "carol", Type: "User"}},
				RequestedTeams: []string{"security"}, Labels: []string{"feature"},
			},
		}
		if diff := cmp.Diff(want, r); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestOtherEvents(t *testing.T) {
	for _, test := range []struct {
		name, event string
		want        actions.Run
	}{
		{
			"merge_group", `{"merge_group": {"base_sha": "` + base + `", "head_sha": "` + head + `", "base_ref": "refs/heads/main", "head_ref": "refs/heads/gh-readonly-queue/main/pr-12-` + base + `"}}`,
			actions.Run{Kind: actions.MergeGroup, Number: 12, BaseCommit: base, HeadCommit: head, BaseBranch: "main", HeadBranch: "gh-readonly-queue/main/pr-12-" + base},
		},
		{
			"push", `{"ref": "refs/heads/main", "before": "` + base + `", "after": "` + head + `", "repository": {"default_branch": "main"}}`,
			actions.Run{Kind: actions.Push, BaseCommit: base, HeadCommit: head, BaseBranch: "main", HeadBranch: "main", Default: "main"},
		},
		{ // a new branch
			"push", `{"ref": "refs/heads/door", "before": "` + strings.Repeat("0", 40) + `", "after": "` + head + `", "repository": {"default_branch": "main"}}`,
			actions.Run{Kind: actions.Push, HeadCommit: head, BaseBranch: "door", HeadBranch: "door", Default: "main"},
		},
		{
			"workflow_dispatch", `{"ref": "refs/heads/door", "inputs": {"a": "b"}, "repository": {"default_branch": "main"}}`,
			actions.Run{Kind: actions.Dispatch, BaseBranch: "main", HeadBranch: "door", Default: "main"},
		},
		{ // a fork that was deleted, and who opened it with it
			"pull_request", `{"pull_request": {"number": 7, "user": null, "body": null, "base": {"ref": "main", "sha": "` + base + `"}, "head": {"ref": "door", "sha": "` + head + `", "repo": null}}}`,
			actions.Run{Kind: actions.PullRequest, Number: 7, BaseCommit: base, HeadCommit: head, BaseBranch: "main", HeadBranch: "door", Fork: true, Pull: &actions.Pull{}},
		},
	} {
		r, err := actions.Read(environment(t, test.name, test.event))
		if err != nil {
			t.Fatal(err)
		}
		test.want.GitHub, test.want.Event, test.want.Repository, test.want.Commit = true, test.name, "acme/api", sha
		if diff := cmp.Diff(&test.want, r); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestGitLab(t *testing.T) {
	r, err := actions.Read(variables("GITLAB_CI=true", "CI_PIPELINE_SOURCE=merge_request_event", "CI_PROJECT_PATH=acme/api",
		"CI_COMMIT_SHA="+head, "CI_DEFAULT_BRANCH=main", "CI_MERGE_REQUEST_IID=4", "CI_MERGE_REQUEST_DIFF_BASE_SHA="+base,
		"CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=door", "CI_MERGE_REQUEST_TITLE=Add a door",
		"CI_MERGE_REQUEST_DESCRIPTION=Why", "CI_MERGE_REQUEST_LABELS=a, b", "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH=ada/api", "CI_MERGE_REQUEST_PROJECT_PATH=acme/api"))
	if err != nil {
		t.Fatal(err)
	}
	want := &actions.Run{
		Kind: actions.MergeRequest, Event: "merge_request_event", Repository: "acme/api", Number: 4, Commit: head, BaseCommit: base, HeadCommit: head,
		BaseBranch: "main", HeadBranch: "door", Default: "main", Fork: true,
		Pull: &actions.Pull{Body: "Why", Labels: []string{"a", "b"}},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOutside(t *testing.T) {
	if r, err := actions.Read(variables()); r != nil || err != nil {
		t.Errorf("outside of CI: %v, %v", r, err)
	}
	if _, err := actions.Read(environment(t, "schedule", "{}")); !errors.Is(err, actions.ErrUnknownEvent) {
		t.Errorf("a schedule: %v, want an unknown event", err)
	}
}
