package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// byHand is the environment of a person's machine.
var byHand = map[string]string{"GITHUB_ACTIONS": "", "GITHUB_EVENT_NAME": "", "GITHUB_STEP_SUMMARY": "", "GITHUB_TOKEN": ""}

// unpinnedServer is a change that a check must find.
var unpinnedServer = map[string]string{".mcp.json": `{"mcpServers": {"extra": {"command": "npx", "args": ["-y", "old"]}}}`}

// workIn commits a change on a branch of a clone.
func workIn(t *testing.T, dir, branch string) {
	t.Helper()
	gitIn(t, dir, "checkout", "-q", "-B", branch)
	commitFiles(t, dir, "unpinned", unpinnedServer)
}

// TestCheckFindsTheDefaultBranch runs the check without --base in clones that
// people have. What it compares with is the default branch, or it refuses; it
// never compares a change with itself.
func TestCheckFindsTheDefaultBranch(t *testing.T) {
	s := openShop(t)
	s.anySHA(t)
	gitIn(t, s.dir, "branch", "topic", s.base)
	from := "file://" + s.dir
	clone := func(t *testing.T, args ...string) string {
		t.Helper()
		dir := filepath.Join(t.TempDir(), "clone")
		gitIn(t, s.dir, append(append([]string{"clone", "-q"}, args...), from, dir)...)
		return dir
	}
	for _, test := range []struct {
		name string
		make func(t *testing.T) string
		base string // what the text names, "" where the clone cannot know it
	}{
		{"clone", func(t *testing.T) string {
			dir := clone(t)
			workIn(t, dir, "work")
			return dir
		}, "origin/main"},
		{"init, remote and fetch", func(t *testing.T) string {
			dir := filepath.Join(t.TempDir(), "clone")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			gitIn(t, dir, "init", "-q")
			gitIn(t, dir, "remote", "add", "origin", from)
			gitIn(t, dir, "config", "remote.origin.followRemoteHEAD", "never")
			gitIn(t, dir, "fetch", "-q", "origin")
			gitIn(t, dir, "checkout", "-q", "-b", "work", "--no-track", "origin/main")
			workIn(t, dir, "work")
			return dir
		}, "origin/main"},
		{"one branch, the default", func(t *testing.T) string {
			dir := clone(t, "--single-branch", "--branch", "main")
			gitIn(t, dir, "update-ref", "--no-deref", "-d", "refs/remotes/origin/HEAD")
			workIn(t, dir, "work")
			return dir
		}, "origin/main"},
		{"linked worktree", func(t *testing.T) string {
			dir := filepath.Join(t.TempDir(), "tree")
			gitIn(t, clone(t), "worktree", "add", "-q", "-b", "work", dir)
			workIn(t, dir, "work")
			return dir
		}, "origin/main"},
		{"one branch, another", func(t *testing.T) string {
			dir := clone(t, "--single-branch", "--branch", "topic")
			workIn(t, dir, "topic")
			return dir
		}, ""},
		{"one branch, another, shallow", func(t *testing.T) string {
			dir := clone(t, "--depth=1", "--branch", "topic")
			workIn(t, dir, "topic")
			return dir
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := test.make(t)
			got := s.check(t, dir, "", "{}", byHand)
			if test.base == "" {
				if got.code != 2 {
					t.Errorf("exit code %d, want 2:\n%s", got.code, got.stdout)
				}
				says(t, "standard error", got.stderr, "this clone knows no default branch of origin", "hint: name it, such as --base origin/main;")
				got = s.check(t, dir, "", "{}", byHand, "--base", "origin/main")
				says(t, "standard error", got.stderr, `there is no commit "origin/main" here`, "origin +refs/heads/main:refs/remotes/origin/main\n")
				fetchAsTold(t, dir, got)
				got, test.base = s.check(t, dir, "", "{}", byHand, "--base", "origin/main"), "origin/main"
			}
			if got.code != 1 {
				t.Errorf("exit code %d, want 1:\n%s", got.code, got.stderr)
			}
			says(t, "the result", got.stdout, "MC002", "Looked at what changed from "+s.base[:12]+" ("+test.base+") to the working directory.\n")
			got = s.check(t, dir, "", "{}", byHand, "--output", "json")
			says(t, "the JSON", got.stdout, `"base": "`+s.base+`"`, `"base_name": "`+test.base+`"`, `"head": "the working directory"`)
		})
	}
}

// TestCheckMissingBase names a base that the clone has not, in each of its
// forms, and does what it is told.
func TestCheckMissingBase(t *testing.T) {
	s := openShop(t)
	s.anySHA(t)
	gitIn(t, s.dir, "branch", "topic", s.base)
	tip := commitFiles(t, s.dir, "later", map[string]string{"src/later.ts": "export {};\n"})
	for _, test := range []struct {
		name, base string
		depth      string
		hints      []string
		then       string // the base that works after the fetch
	}{
		{"a branch of origin", "origin/main", "--depth=1000", []string{"hint: or name another base\n"}, "origin/main"},
		{"its full name", "refs/remotes/origin/main", "--depth=1", nil, "refs/remotes/origin/main"},
		{"a branch without origin", "main", "--depth=1000", []string{"hint: it is --base origin/main then\n"}, "origin/main"},
		{"a commit", tip, "--depth=1", nil, tip},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "clone")
			gitIn(t, s.dir, "clone", "-q", "--single-branch", "--branch", "topic", test.depth, "file://"+s.dir, dir)
			workIn(t, dir, "topic")
			got := s.check(t, dir, "", "{}", byHand, "--base", test.base)
			says(t, "standard error", got.stderr, append(test.hints, "!actions/checkout", "!GIT_DEPTH")...)
			fetchAsTold(t, dir, got)
			got = s.check(t, dir, "", "{}", byHand, "--base", test.then)
			says(t, "the result", got.stdout, "MC002", "!later.ts")
		})
	}
}

// TestCheckMissingHead names a change that the clone has not, in each of its
// forms, and does what it is told.
func TestCheckMissingHead(t *testing.T) {
	s := openShop(t)
	s.anySHA(t)
	pull := s.open(t, "topic", shopPull{}, map[string]string{".mcp.json": unpinned})
	gitIn(t, s.dir, "tag", "v1", "topic")
	for _, command := range []string{"check", "dependencies"} {
		for _, test := range []struct {
			name, head string
			hints      []string
			then       string // the head that works after the fetch
		}{
			{"a branch of origin", "origin/topic", nil, "origin/topic"},
			{"a branch", "topic", []string{"hint: it is --head origin/topic then\n"}, "origin/topic"},
			{"its full name", "refs/heads/topic", []string{"origin +refs/heads/topic:refs/remotes/origin/topic\n", "hint: it is --head origin/topic then\n"}, "origin/topic"},
			{"a tag", "refs/tags/v1", []string{"origin +refs/tags/v1:refs/tags/v1\n"}, "refs/tags/v1"},
			{"a commit", pull.head, nil, pull.head},
			{"a pull request", strings.TrimPrefix(pull.mergeRef(), "refs/"), []string{"origin " + pull.mergeRef() + "\n", "hint: it is --head FETCH_HEAD then\n"}, "FETCH_HEAD"},
		} {
			t.Run(command+", "+test.name, func(t *testing.T) {
				dir := s.checkout(t, "main", "--depth=1000")
				got := s.run(t, dir, "", "{}", byHand, command, "--cache-dir", "off", "--base", "HEAD", "--head", test.head)
				if got.code != 2 {
					t.Errorf("exit code %d, want 2:\n%s", got.code, got.stdout)
				}
				says(t, "standard error", got.stderr, append(test.hints, "--head: there is no commit", "hint: or name another head\n", "!another base")...)
				fetchAsTold(t, dir, got)
				got = s.run(t, dir, "", "{}", byHand, command, "--cache-dir", "off", "--offline", "--base", "HEAD", "--head", test.then)
				if got.code == 2 {
					t.Errorf("after the fetch: exit code 2:\n%s", got.stderr)
				}
			})
		}
	}
}

// TestCheckNothingCommitted says what to do in a repository without a commit.
func TestCheckNothingCommitted(t *testing.T) {
	s := openShop(t)
	dir := t.TempDir()
	gitIn(t, dir, "init", "-q")
	if err := os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte("Run the tests.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"--base", "origin/main"}, {"--base", "HEAD"}} {
		p, out, errs := s.person(t, dir)
		if code := p.run(t.Context(), append([]string{"check", "--cache-dir", "off"}, args...)); code != 2 {
			t.Errorf("check %q: exit code %d, want 2:\n%s", args, code, out)
		}
		says(t, "standard error", errs.String(), "steelyard: check: nothing is committed here yet\nhint: commit something first, or look at everything as it is: steelyard lint\n")
	}
}

// TestBaseHints holds every command that takes --base to the same cure.
func TestBaseHints(t *testing.T) {
	s := openShop(t)
	for _, args := range [][]string{
		{"check", "--cache-dir", "off"}, {"lint"}, {"dependencies", "--cache-dir", "off"}, {"scan", ".", "--offline", "--db", "sqlite:" + filepath.Join(t.TempDir(), "x.db")},
	} {
		p, _, errs := s.person(t, s.dir)
		if code := p.run(t.Context(), append(args, "--base", "nope")); code != 2 {
			t.Errorf("%s: exit code %d, want 2", args[0], code)
		}
		says(t, args[0], errs.String(), `there is no commit "nope" here`, "hint: fetch it: git fetch origin +refs/heads/nope:refs/remotes/origin/nope\nhint: it is --base origin/nope then\nhint: or name another base\n")
		if n := strings.Count(errs.String(), "--base:"); n > 1 {
			t.Errorf("%s names the flag %d times:\n%s", args[0], n, errs.String())
		}
	}
}

// TestCheckGitLabDepth names GitLab's own setting there.
func TestCheckGitLabDepth(t *testing.T) {
	s := openShop(t)
	s.anySHA(t)
	pull := s.open(t, "unpinned", shopPull{}, unpinnedServer)
	dir := s.checkout(t, "refs/heads/unpinned", "--depth=1")
	env := map[string]string{
		"GITHUB_ACTIONS": "", "GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "merge_request_event", "CI_COMMIT_SHA": pull.head,
		"CI_MERGE_REQUEST_IID": "1", "CI_MERGE_REQUEST_DIFF_BASE_SHA": s.base, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
	}
	got := s.check(t, dir, "", "{}", env)
	says(t, "standard error", got.stderr, `hint: in .gitlab-ci.yml, give the job the variable GIT_DEPTH: "0"`, "!actions/checkout")
	fetchAsTold(t, dir, got)
	got = s.check(t, dir, "", "{}", env)
	says(t, "the result", got.stdout, "MC002")
	got = s.check(t, dir, "", "{}", env, "--base", "origin/main")
	says(t, "standard error", got.stderr, `GIT_DEPTH: "0"`, "!actions/checkout")
}
