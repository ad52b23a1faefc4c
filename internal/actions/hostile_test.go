package actions_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"steelyard/internal/actions"
)

// TestHostile gives events that nobody's GitHub sends.
func TestHostile(t *testing.T) {
	for event, want := range map[string]string{
		"<html>":                            "it is no JSON from byte 1 on",
		"":                                  "it is no JSON from byte 0 on",
		strings.Repeat("[", 20000):          "it is no JSON from byte 10001 on",
		strings.Repeat(" ", 40<<20):         "it is larger than 32 MB, and GitHub writes at most 25",
		"{}":                                "it has no pull_request with a number, as an event pull_request has",
		`{"pull_request": {"number": -7}}`:  "it has no pull_request with a number, as an event pull_request has",
		"[]":                                "it is a list, and an event is an object",
		`{"pull_request": {"number": 7.5}}`: "its field pull_request.number is the number 7.5, where GitHub writes a whole number",
		`{"pull_request": {"number": 1` + strings.Repeat("0", 5000) + `}}`: "its field pull_request.number is the number 1" + strings.Repeat("0", 59) + ", where GitHub writes a whole number",
	} {
		read := environment(t, "pull_request", event)
		file, _ := read("GITHUB_EVENT_PATH")
		if _, err := actions.Read(read); err == nil || err.Error() != "read the event "+file+": "+want {
			t.Errorf("%.40q: %v\nwant %s", event, err, want)
		}
	}
	event := strings.NewReplacer(`"ref": "door"`, `"ref": "--upload-pack=touch x"`, head, "--output=x", `"## AI assistance\n- [x] none"`, `"a`+strings.Repeat("é", 200_000)+`"`).Replace(pullEvent)
	r, err := actions.Read(environment(t, "pull_request", event))
	if err != nil {
		t.Fatal(err)
	}
	if r.HeadBranch != "" || r.HeadCommit != "" {
		t.Errorf("branch %q and commit %q are taken over", r.HeadBranch, r.HeadCommit)
	}
	if n := len(r.Pull.Body); n < 200<<10 || n > 256<<10 || strings.ToValidUTF8(r.Pull.Body, "!") != r.Pull.Body {
		t.Errorf("the body has %d bytes", n)
	}
}

func FuzzEvent(f *testing.F) {
	f.Add("pull_request", pullEvent)
	f.Add("merge_group", `{"merge_group": {"base_sha": "`+base+`"}}`)
	f.Add("push", `{"ref": "refs/heads/main", "before": "x"}`)
	f.Add("workflow_dispatch", `{}`)
	f.Add("pull_request", `{"pull_request": {"number": "7", "labels": [[]], "base": 1}}`)
	f.Add("push", `{"ref": "refs/heads/\u0000\u202e", "repository": {"full_name": "../..", "default_branch": "--upload-pack=x"}}`)
	f.Fuzz(func(t *testing.T, name, event string) {
		if strings.ContainsRune(name, 0) {
			return
		}
		r, err := actions.Read(environment(t, name, event))
		if err != nil && strings.Contains(err.Error(), "Go struct field") {
			t.Errorf("an error in words of Go: %v", err)
		}
		if err != nil || r == nil {
			return
		}
		for _, branch := range []string{r.BaseBranch, r.HeadBranch, r.Default} {
			if strings.HasPrefix(branch, "-") || strings.ContainsAny(branch, " \n\x00") {
				t.Errorf("branch %q", branch)
			}
		}
	})
}

// readFields are the fields of events that are read, with a value of the kind
// that GitHub writes.
var readFields = map[string]any{
	"repository": map[string]any{}, "repository.full_name": "acme/api", "repository.default_branch": "main",
	"ref": "refs/heads/main", "before": base, "after": head,
	"merge_group": map[string]any{}, "merge_group.base_sha": base, "merge_group.head_sha": head, "merge_group.base_ref": "refs/heads/main", "merge_group.head_ref": "refs/heads/x",
	"pull_request": map[string]any{}, "pull_request.number": 7, "pull_request.body": "Why",
	"pull_request.user": map[string]any{}, "pull_request.user.login": "ada", "pull_request.user.id": 5, "pull_request.user.type": "User",
	"pull_request.assignees": []any{}, "pull_request.assignees[].login": "bob", "pull_request.assignees[].id": 6, "pull_request.assignees[].type": "User",
	"pull_request.requested_reviewers": []any{}, "pull_request.requested_reviewers[].login": "carol", "pull_request.requested_reviewers[].id": 8, "pull_request.requested_reviewers[].type": "User",
	"pull_request.requested_teams": []any{}, "pull_request.requested_teams[].slug": "security",
	"pull_request.labels": []any{}, "pull_request.labels[].name": "feature",
	"pull_request.base": map[string]any{}, "pull_request.base.ref": "main", "pull_request.base.sha": base, "pull_request.base.repo": map[string]any{}, "pull_request.base.repo.full_name": "acme/api",
	"pull_request.head": map[string]any{}, "pull_request.head.ref": "door", "pull_request.head.sha": head, "pull_request.head.repo": map[string]any{}, "pull_request.head.repo.full_name": "ada/api",
}

// nested is an event that has one value at a path.
func nested(path string, value any) any {
	step, rest, deeper := strings.Cut(path, ".")
	name, list := strings.CutSuffix(step, "[]")
	if deeper {
		value = nested(rest, value)
	}
	if list {
		value = []any{value}
	}
	return map[string]any{name: value}
}

// TestWrongTypes gives each field that is read every other type, and wants a
// sentence that names the file and the field in GitHub's words.
func TestWrongTypes(t *testing.T) {
	values := map[string]any{"text": "x", "a number": 5, "true or false": true, "a list": []any{}, "an object": map[string]any{}}
	own := regexp.MustCompile(`\bGo\b|struct|int64|actions\.`)
	for path, right := range readFields {
		for is, value := range values {
			if fmt.Sprintf("%T", value) == fmt.Sprintf("%T", right) {
				continue
			}
			text, err := json.Marshal(nested(path, value))
			if err != nil {
				t.Fatal(err)
			}
			read := environment(t, "pull_request", string(text))
			file, _ := read("GITHUB_EVENT_PATH")
			_, err = actions.Read(read)
			want := fmt.Sprintf("read the event %s: its field %s is %s, where GitHub writes ", file, strings.ReplaceAll(path, "[]", ""), is)
			if err == nil || !strings.HasPrefix(err.Error(), want) || own.MatchString(strings.TrimPrefix(err.Error(), want)) {
				t.Errorf("%s: %v\nwant %s", text, err, want)
			}
		}
		text, err := json.Marshal(nested(path, nil))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := actions.Read(environment(t, "workflow_dispatch", string(text))); err != nil {
			t.Errorf("%s: %v, and GitHub writes null for what is not there", text, err)
		}
	}
}

// TestForeignNames gives names that would mean something else where they are
// put into commands and addresses.
func TestForeignNames(t *testing.T) {
	for _, name := range []string{"-rf", "--upload-pack=touch x", "a b", "a\nb", "a\x1b[31m", "a..b", "a@{1}", "x:y", "refs/pull/1/head", strings.Repeat("a", 300), "a\xff"} {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := actions.Read(environment(t, "pull_request", strings.NewReplacer(`"ref": "door"`, `"ref": `+string(quoted), `"default_branch": "main"`, `"default_branch": `+string(quoted)).Replace(pullEvent)))
		if err != nil || r.HeadBranch != "" || r.Default != "" {
			t.Errorf("%q: branches %q and %q, %v", name, r.HeadBranch, r.Default, err)
		}
		r, err = actions.Read(variables("GITLAB_CI=true", "CI_MERGE_REQUEST_IID=4", "CI_DEFAULT_BRANCH="+name, "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME="+name, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME="+name))
		if err != nil || r.HeadBranch != "" || r.BaseBranch != "" || r.Default != "" {
			t.Errorf("%q in GitLab: branches %q, %q and %q, %v", name, r.HeadBranch, r.BaseBranch, r.Default, err)
		}
	}
	for _, name := range []string{"acme", "acme/api/x", "../..", "acme/api?x", "acme/a b", "acme/api\n::error::x", "@acme/api"} {
		r, err := actions.Read(environment(t, "workflow_dispatch", "{}", "GITHUB_REPOSITORY="+name))
		if err != nil {
			t.Fatal(err)
		}
		if r.Repository == name {
			t.Errorf("the repository is %q", r.Repository)
		}
	}
	if r, err := actions.Read(environment(t, "workflow_dispatch", "{}")); err != nil || r.Repository != "acme/api" {
		t.Errorf("the repository is %q, %v", r.Repository, err)
	}
}
