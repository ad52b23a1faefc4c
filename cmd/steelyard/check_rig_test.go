package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
)

// shop is a repository with a base and pull requests, the GitHub that it is on
// and the registry that its packages come from.
type shop struct {
	dir    string // the upstream, with refs/pull/N/head and refs/pull/N/merge
	world  *githubtest.World
	github string
	npm    string
	now    time.Time
	base   string
	pulls  map[string]*shopPull
	asked  atomic.Int64
}

// shopPull is one pull request.
type shopPull struct {
	number      int
	head, merge string
	author      string
	kind        string // of the author's account
	assignees   []string
	body        string
	writer      string // of its commit, "NAME <MAIL>"
}

const shopToken = "ghs_only_for_tests"

// shopFiles are the base: everything is in order.
var shopFiles = map[string]string{
	"AGENTS.md":    "# Shop\n\nUse pnpm, never npm. Run `pnpm test` before you push. Use single quotes.\n",
	"package.json": "{\n  \"packageManager\": \"pnpm@10.0.0\",\n  \"scripts\": {\n    \"test\": \"vitest\"\n  },\n  \"dependencies\": {\n    \"old\": \"1.0.0\"\n  }\n}\n",
	".mcp.json":    "{\n  \"mcpServers\": {\n    \"search\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"old@1.0.0\"]\n    }\n  }\n}\n",

	".github/CODEOWNERS":               "* @acme/platform\n",
	".github/pull_request_template.md": "## What\n\n## AI assistance\n\n- [ ] an assistant wrote some of it\n- [ ] none\n",
	"src/price.ts":                     "export const price = (n: number) => n * 2;\n",
	"src/price.test.ts":                "import { price } from './price';\n\ntest('doubles', () => {\n  expect(price(2)).toBe(4);\n  expect(price(3)).toBe(6);\n});\n",
	"auth/login.ts":                    "export const login = () => true;\n",
	"steelyard.yaml": `policy:
  disclosure:
    section: AI assistance
  size:
    lines: 200
  risky_paths:
    - paths: [auth/**]
      reviewers: ["@acme/security"]
      reason: who may sign in
`,
}

const answered = "## What\n\nSome.\n\n## AI assistance\n\n- [ ] an assistant wrote some of it\n- [x] none\n"

// openShop makes the repository and opens its GitHub and its registry.
func openShop(t *testing.T) *shop {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git program")
	}
	s := &shop{dir: filepath.Join(t.TempDir(), "upstream"), now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), pulls: map[string]*shopPull{}}
	s.npm = fakeNPM(t, s.now, &s.asked).URL
	s.world = githubtest.New(githubtest.Options{Token: shopToken})
	s.world.Repository("acme/shop")
	s.world.RequireOwners("acme/shop", true)
	s.world.Account(github.Account{ID: 198982749, Login: "copilot-swe-agent", Type: "Bot"})
	s.world.Team("acme", "security", "carol")
	s.world.Team("acme", "platform", "dan")
	server, err := s.world.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	s.github = server.URL
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	gitIn(t, s.dir, "init", "-q", "-b", "main")
	s.base = commitFiles(t, s.dir, "base", shopFiles)
	return s
}

// gitIn runs git in a folder and returns what it says.
func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2026-11-01T12:00:00Z", "GIT_COMMITTER_DATE=2026-11-01T12:00:00Z")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// commitFiles writes files ("" takes one away) and commits them.
func commitFiles(t testing.TB, dir, message string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if text == "" {
			if err := os.Remove(full); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-q", "-m", message)
	return gitIn(t, dir, "rev-parse", "HEAD")
}

// open opens a pull request with some files, and makes the merge commit that
// GitHub makes.
func (s *shop) open(t *testing.T, name string, pull shopPull, files map[string]string) *shopPull {
	t.Helper()
	if pull.author == "" {
		pull.author, pull.kind = "ada", "User"
	}
	if pull.body == "" {
		pull.body = answered
	}
	gitIn(t, s.dir, "checkout", "-q", "-B", name, s.base)
	pull.head = commitFiles(t, s.dir, name, files)
	if pull.writer != "" {
		gitIn(t, s.dir, "commit", "-q", "--amend", "--author", pull.writer, "--no-edit")
		pull.head = gitIn(t, s.dir, "rev-parse", "HEAD")
	}
	gitIn(t, s.dir, "checkout", "-q", "--detach", "main")
	gitIn(t, s.dir, "merge", "-q", "--no-ff", "-m", "merge", name)
	pull.merge = gitIn(t, s.dir, "rev-parse", "HEAD")
	pull.number = s.world.Open("acme/shop", githubtest.Pull{
		Title: name, Body: pull.body, Author: pull.author, Head: name, Assignees: pull.assignees,
		Files: []github.File{{Path: "x", Additions: 1}},
	})
	s.world.Change("acme/shop", pull.number, func(p *github.PullRequest) { p.HeadOID = pull.head })
	gitIn(t, s.dir, "update-ref", fmt.Sprintf("refs/pull/%d/head", pull.number), pull.head)
	gitIn(t, s.dir, "update-ref", fmt.Sprintf("refs/pull/%d/merge", pull.number), pull.merge)
	gitIn(t, s.dir, "checkout", "-q", "main")
	s.pulls[name] = &pull
	return &pull
}

// event is the event file of a pull request.
func (s *shop) event(t *testing.T, pull *shopPull, fork bool) string {
	t.Helper()
	from := "acme/shop"
	if fork {
		from = pull.author + "/shop"
	}
	account := func(login, kind string) map[string]any {
		return map[string]any{"login": login, "id": s.world.Person(login).ID, "type": kind}
	}
	assignees := []any{}
	for _, a := range pull.assignees {
		assignees = append(assignees, account(a, "User"))
	}
	text, err := json.Marshal(map[string]any{
		"action": "synchronize", "number": pull.number,
		"repository": map[string]any{"full_name": "acme/shop", "default_branch": "main"},
		"pull_request": map[string]any{
			"number": pull.number, "title": "t", "body": pull.body, "user": account(pull.author, pull.kind), "assignees": assignees,
			"base": map[string]any{"ref": "main", "sha": s.base, "repo": map[string]any{"full_name": "acme/shop"}},
			"head": map[string]any{"ref": "x", "sha": pull.head, "repo": map[string]any{"full_name": from}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checkout clones what actions/checkout would: one commit by default, from a
// ref that GitHub keeps, on a detached head.
func (s *shop) checkout(t *testing.T, ref string, fetch ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	gitIn(t, dir, "init", "-q")
	gitIn(t, dir, "remote", "add", "origin", "file://"+s.dir)
	gitIn(t, dir, append(append([]string{"fetch", "-q", "--no-tags"}, fetch...), "origin", ref)...)
	gitIn(t, dir, "checkout", "-q", "--detach", "FETCH_HEAD")
	return dir
}

// checkRun is what one run came to.
type checkRun struct {
	code                    int
	stdout, stderr, summary string
	dir                     string
}

// check runs the command as a job of GitHub Actions would.
func (s *shop) check(t *testing.T, dir, kind, event string, env map[string]string, args ...string) checkRun {
	t.Helper()
	return s.run(t, dir, kind, event, env, append([]string{"check"}, cacheOff(args)...)...)
}

// run runs a command as a job of GitHub Actions would.
func (s *shop) run(t *testing.T, dir, kind, event string, env map[string]string, args ...string) checkRun {
	t.Helper()
	temp := t.TempDir()
	file, summary := filepath.Join(temp, "event.json"), filepath.Join(temp, "summary.md")
	if err := os.WriteFile(file, []byte(event), 0o644); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{
		"STEELYARD_REGISTRY_NPM": s.npm, "STEELYARD_DEPSDEV": "off", "STEELYARD_OSV": "off",
		"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": kind, "GITHUB_EVENT_PATH": file, "GITHUB_REPOSITORY": "acme/shop",
		"GITHUB_STEP_SUMMARY": summary, "GITHUB_SERVER_URL": s.github, "GITHUB_TOKEN": shopToken,
		"STEELYARD_GITHUB_URL": "", // as a workflow has it whose variable is not set
	}
	for name, value := range env {
		all[name] = value
	}
	if _, said := env["GITHUB_SHA"]; !said {
		all["GITHUB_SHA"] = gitIn(t, dir, "rev-parse", "HEAD")
	}
	t.Chdir(dir)
	var out, errs bytes.Buffer
	p := &program{
		stdin: strings.NewReader(""), stdout: &out, stderr: &errs, now: func() time.Time { return s.now },
		env: func(name string) (string, bool) { v, ok := all[name]; return v, ok },
	}
	code := p.run(t.Context(), args)
	written, err := os.ReadFile(summary)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return checkRun{code, out.String(), errs.String(), string(written), temp}
}

// cacheOff keeps no answers, unless a test says where.
func cacheOff(args []string) []string {
	if slices.Contains(args, "--cache-dir") {
		return args
	}
	return append([]string{"--cache-dir", "off"}, args...)
}

// says holds a text to some parts, and to the absence of those with a "!".
func says(t *testing.T, what, text string, want ...string) {
	t.Helper()
	for _, part := range want {
		if absent, ok := strings.CutPrefix(part, "!"); ok {
			if strings.Contains(text, absent) {
				t.Errorf("%s says %q:\n%s", what, absent, text)
			}
		} else if !strings.Contains(text, part) {
			t.Errorf("%s does not say %q:\n%s", what, part, text)
		}
	}
}

// person is the program as somebody runs it in a folder, outside of any CI.
func (s *shop) person(t *testing.T, dir string) (p *program, out, errs *bytes.Buffer) {
	t.Helper()
	t.Chdir(dir)
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	return &program{
		stdin: strings.NewReader(""), stdout: out, stderr: errs, now: func() time.Time { return s.now },
		env: func(string) (string, bool) { return "", false },
	}, out, errs
}
