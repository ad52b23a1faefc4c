package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
)

// fetchHintForm is the hint about missing history.
var fetchHintForm = regexp.MustCompile(`(?m)^hint: fetch it: (git fetch .*)$`)

// fetchAsTold runs the one command that a hint names, as a person would.
func fetchAsTold(t *testing.T, dir string, got checkRun) {
	t.Helper()
	m := fetchHintForm.FindStringSubmatch(got.stderr)
	if got.code != 2 || m == nil {
		t.Fatalf("exit code %d, want 2 and a fetch to run:\n%s", got.code, got.stderr)
	}
	cmd := exec.Command("sh", "-c", m[1])
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", m[1], err, out)
	}
}

// anySHA lets clones fetch any commit by its name, as GitHub does.
func (s *shop) anySHA(t *testing.T) {
	t.Helper()
	gitIn(t, s.dir, "config", "uploadpack.allowAnySHA1InWant", "true")
}

// loginChange touches a risky path.
var loginChange = map[string]string{"auth/login.ts": "export const login = (u: string) => u !== '';\n"}

// TestCheckClones checks out a pull request in every way in which jobs do, and
// wants the same answer, or the one fetch that brings what is missing.
func TestCheckClones(t *testing.T) {
	s := openShop(t)
	s.anySHA(t)
	pull := s.open(t, "risky", shopPull{}, loginChange)
	commitFiles(t, s.dir, "later", map[string]string{"src/later.ts": "export {};\n"}) // main goes on
	event := s.event(t, pull, false)
	for _, test := range []struct {
		name, kind, ref, env string
		depth                string
		missing              string // what is said to be missing, "" for nothing
	}{
		{"merge commit with its parents", "pull_request", pull.mergeRef(), "", "--depth=2", ""},
		{"merge commit in full", "pull_request", pull.mergeRef(), "", "--depth=1000", ""},
		{"merge commit alone", "pull_request", pull.mergeRef(), "", "--depth=1", "the checkout holds the merge commit alone"},
		{"head in full", "pull_request", fmt.Sprintf("refs/pull/%d/head", pull.number), "", "--depth=1000", ""},
		{"head alone", "pull_request", fmt.Sprintf("refs/pull/%d/head", pull.number), "", "--depth=1", "of the base is not here"},
		{"review of a head alone", "pull_request_review", fmt.Sprintf("refs/pull/%d/head", pull.number), "", "--depth=1", "of the base is not here"},
		{"base checked out", "pull_request_target", "refs/heads/base", "", "--depth=1", "the base is checked out and the change is not here"},
	} {
		t.Run(test.name, func(t *testing.T) {
			gitIn(t, s.dir, "branch", "-f", "base", s.base)
			dir := s.checkout(t, test.ref, test.depth)
			got := s.check(t, dir, test.kind, event, nil)
			if test.missing != "" {
				says(t, "standard error", got.stderr, test.missing)
				fetchAsTold(t, dir, got)
				got = s.check(t, dir, test.kind, event, nil)
			}
			if got.code != 0 {
				t.Errorf("exit code %d:\n%s", got.code, got.stderr)
			}
			says(t, "the result", got.stdout, "PR002", "needs the approval of @acme/security", "!later.ts")
			if test.kind == "pull_request_target" {
				says(t, "the result", got.stdout, "Left out: the event is pull_request_target, which runs with the rights of the base")
			}
		})
	}
}

// TestCheckDeletedBase checks a pull request whose base branch is gone.
func TestCheckDeletedBase(t *testing.T) {
	s := openShop(t)
	s.anySHA(t)
	pull := s.open(t, "risky", shopPull{}, loginChange)
	event := s.event(t, pull, false)
	gitIn(t, s.dir, "checkout", "-q", "--detach")
	gitIn(t, s.dir, "branch", "-D", "main")
	dir := s.checkout(t, fmt.Sprintf("refs/pull/%d/head", pull.number), "--depth=1")
	got := s.check(t, dir, "pull_request", event, nil)
	fetchAsTold(t, dir, got)
	got = s.check(t, dir, "pull_request", event, nil)
	says(t, "the result", got.stdout, "PR002")
}

// TestCheckRenamed holds that a file keeps its policy and its known findings
// under another name.
func TestCheckRenamed(t *testing.T) {
	s := openShop(t)
	pull := s.open(t, "renamed", shopPull{}, map[string]string{
		"auth/login.ts": "", "lib/login.ts": shopFiles["auth/login.ts"], "src/price.test.ts": "", "src/cost.test.ts": shopFiles["src/price.test.ts"],
	})
	got := s.check(t, s.checkout(t, pull.mergeRef(), "--depth=2"), "pull_request", s.event(t, pull, false), nil, "--output", "json")
	if found := jsonFindings(t, got.stdout); len(found) != 1 || found[0] != "PR002 note lib/login.ts" {
		t.Errorf("findings are %q", found)
	}
}

// TestCheckEvents runs the check for events that are no pull request.
func TestCheckEvents(t *testing.T) {
	s := openShop(t)
	s.anySHA(t)
	pull := s.open(t, "secret", shopPull{}, map[string]string{".mcp.json": `{"mcpServers": {"extra": {"command": "npx", "args": ["-y", "old"]}}}`})
	zeros := strings.Repeat("0", 40)
	repository := `"repository": {"full_name": "acme/shop", "default_branch": "main"}`
	for _, test := range []struct {
		name, kind, event string
		ref, depth        string
		code              int
		want              []string
	}{
		{
			"merge queue", "merge_group", fmt.Sprintf(`{"merge_group": {"base_sha": %q, "head_sha": %q, "base_ref": "refs/heads/main", "head_ref": "refs/heads/gh-readonly-queue/main/pr-%d-%s"}, %s}`, s.base, pull.merge, pull.number, s.base, repository),
			pull.mergeRef(), "--depth=1", 1,
			[]string{"MC002", ": error: what steers assistants needs the review of an owner"},
		},
		{
			"push", "push", fmt.Sprintf(`{"ref": "refs/heads/secret", "before": %q, "after": %q, %s}`, s.base, pull.head, repository),
			"refs/heads/secret", "--depth=1", 1,
			[]string{"MC002", "!PR005", "Left out: a push is no pull request"},
		},
		{
			"push of a new branch", "push", fmt.Sprintf(`{"ref": "refs/heads/secret", "before": %q, "after": %q, %s}`, zeros, pull.head, repository),
			"refs/heads/secret", "--depth=1", 1,
			[]string{"MC002"},
		},
		{
			"by hand", "workflow_dispatch", `{"ref": "refs/heads/secret", ` + repository + `}`,
			"refs/heads/secret", "--depth=1", 1,
			[]string{"MC002", "whether an owner has reviewed .mcp.json (PR005): the run is not about one pull request"},
		},
		{
			"by hand on the default branch", "workflow_dispatch", `{"ref": "refs/heads/main", ` + repository + `}`,
			pull.mergeRef(), "--depth=1", 1,
			[]string{"MC002", "Left out: the default branch itself is checked out: what is looked at is its last commit"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := s.checkout(t, test.ref, test.depth)
			got := s.check(t, dir, test.kind, test.event, nil)
			if got.code == 2 {
				fetchAsTold(t, dir, got)
				got = s.check(t, dir, test.kind, test.event, nil)
			}
			if got.code != test.code {
				t.Errorf("exit code %d, want %d:\n%s", got.code, test.code, got.stderr)
			}
			says(t, "the result", got.stdout, test.want...)
		})
	}
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	got := s.check(t, dir, "schedule", "{}", nil)
	if got.code != 2 || !strings.Contains(got.stderr, `the event is no change that could be checked: "schedule"`) {
		t.Errorf("a schedule: exit code %d:\n%s", got.code, got.stderr)
	}
	says(t, "standard error", got.stderr, "hint: the events pull_request, ", "hint: for another, name what the change starts from (--base REV; base: in the action), or look at everything (steelyard lint; command: lint in the action)")
	got = s.check(t, dir, "schedule", "{}", nil, "--base", "HEAD^1")
	says(t, "the result", got.stdout, "MC002", "!what the event says")

	const wrong = `its field pull_request.number is text, where GitHub writes a whole number`
	got = s.check(t, dir, "pull_request", `{"pull_request": {"number": "7"}}`, nil)
	if got.code != 2 {
		t.Errorf("an event with a wrong type: exit code %d", got.code)
	}
	says(t, "standard error", got.stderr, wrong, "hint: GITHUB_EVENT_PATH must name the file that GitHub wrote for this run")
	got = s.check(t, dir, "pull_request", `{"pull_request": {"number": "7"}}`, nil, "--base", "HEAD^1")
	says(t, "the result", got.stdout, "MC002", "Left out: what the event says of the pull request: read the event ", wrong)
}

// TestCheckTokens holds what is said where GitHub is not asked or refuses, and
// that nothing is guessed then.
func TestCheckTokens(t *testing.T) {
	s := openShop(t)
	pull := s.open(t, "risky", shopPull{}, loginChange)
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	whether := "Left out: whether auth/login.ts may be merged (PR002, who may sign in): "
	for _, test := range []struct {
		name string
		env  map[string]string
		args []string
		set  func()
		want string
	}{
		{"no token", map[string]string{"GITHUB_TOKEN": ""}, nil, nil, whether + "there is no token to read the reviews with; put one into GITHUB_TOKEN, and give the job the permission pull-requests: read"},
		{"offline", nil, []string{"--offline"}, nil, whether + "GitHub was not asked (--offline)"},
		{"a token that is over", map[string]string{"GITHUB_TOKEN": "ghs_expired"}, nil, nil, whether + "GitHub does not accept the token in GITHUB_TOKEN"},
		{
			"a token without the scope", nil, nil,
			func() { s.world.Fail(githubtest.Fault{Kind: githubtest.Forbidden, Times: 100}) },
			whether + "the token may not read the reviews; give the job the permission pull-requests: read",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.set != nil {
				test.set()
			}
			got := s.check(t, dir, "pull_request", s.event(t, pull, true), test.env, test.args...)
			if got.code != 0 {
				t.Errorf("exit code %d:\n%s", got.code, got.stderr)
			}
			says(t, "the result", got.stdout, test.want+"\n", "!PR002 risky-path-unreviewed")
			says(t, "the summary", got.summary, "PR002")
			says(t, "everything", got.stdout+got.stderr+got.summary, "!"+shopToken, "!ghs_expired")
		})
	}
}

// TestCheckPlantedCache refuses answers of registries that the change brings.
func TestCheckPlantedCache(t *testing.T) {
	s := openShop(t)
	pull := s.open(t, "planted", shopPull{}, map[string]string{"cache/answers/x": "{}"})
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	got := s.check(t, dir, "pull_request", s.event(t, pull, false), nil, "--cache-dir", filepath.Join(dir, "cache"))
	if got.code != 2 || !strings.Contains(got.stderr, "holds files of the repository") {
		t.Errorf("exit code %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// TestCheckAgentsCommits takes a change for an agent's where it wrote every
// commit, whoever opened the pull request.
func TestCheckAgentsCommits(t *testing.T) {
	s := openShop(t)
	workflow := map[string]string{".github/workflows/ci.yml": "on: push\njobs: {}\n"}
	pull := s.open(t, "workflow", shopPull{writer: "Copilot <198982749+Copilot@users.noreply.github.com>"}, workflow)
	got := s.check(t, s.checkout(t, pull.mergeRef(), "--depth=2"), "pull_request", s.event(t, pull, false), map[string]string{"GITHUB_TOKEN": ""})
	says(t, "the result", got.stdout, "GitHub Copilot coding agent changes what CI runs: .github/workflows/ci.yml [PR006",
		"Left out: whether somebody other than the person who asked GitHub Copilot coding agent for it has approved the pull request (PR004): there is no token")
	pull = s.open(t, "workflow2", shopPull{}, workflow)
	got = s.check(t, s.checkout(t, pull.mergeRef(), "--depth=2"), "pull_request", s.event(t, pull, false), map[string]string{"GITHUB_TOKEN": ""})
	says(t, "the result", got.stdout, "!PR006", "!PR004")
}

// TestCheckAgentsCommitsTeam asks who is in a team that may approve what agents
// write, also where only the commits say that an agent wrote it.
func TestCheckAgentsCommitsTeam(t *testing.T) {
	s := openShop(t)
	s.base = commitFiles(t, s.dir, "policy", map[string]string{"steelyard.yaml": "policy:\n  agents:\n    may_approve: [\"@acme/platform\"]\n"})
	pull := s.open(t, "price", shopPull{}, map[string]string{"src/price.ts": "export const price = (n: number) => n + n;\n"})
	agent := s.world.Person("copilot-swe-agent")
	s.world.Change("acme/shop", pull.number, func(p *github.PullRequest) {
		p.Commits = []github.Commit{{OID: pull.head, Author: agent, Name: "Copilot", Email: "198982749+Copilot@users.noreply.github.com"}}
	})
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	says(t, "before", s.check(t, dir, "pull_request", s.event(t, pull, false), nil).stdout, "it needs the approval of @acme/platform before the merge [PR009")
	s.world.Review("acme/shop", pull.number, s.world.Person("dan"), "APPROVED")
	says(t, "approved", s.check(t, dir, "pull_request", s.event(t, pull, false), nil).stdout, "!PR009")
}

// TestCheckGitLab checks a merge request of GitLab CI.
func TestCheckGitLab(t *testing.T) {
	s := openShop(t)
	pull := s.open(t, "risky", shopPull{}, loginChange)
	dir := s.checkout(t, fmt.Sprintf("refs/pull/%d/head", pull.number), "--depth=2")
	got := s.check(t, dir, "", "{}", map[string]string{
		"GITHUB_ACTIONS": "", "GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "merge_request_event", "CI_PROJECT_PATH": "acme/shop", "CI_COMMIT_SHA": pull.head,
		"CI_MERGE_REQUEST_IID": "1", "CI_MERGE_REQUEST_DIFF_BASE_SHA": s.base, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_MERGE_REQUEST_DESCRIPTION": "no section",
	})
	if got.code != 1 {
		t.Errorf("exit code %d, want 1:\n%s", got.code, got.stderr)
	}
	says(t, "the result", got.stdout, "PR001", "Left out: whether auth/login.ts may be merged (PR002, who may sign in): the reviews of merge requests in GitLab are not read", "!::error")
}
