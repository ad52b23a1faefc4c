package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lint runs the command as a job of GitHub Actions would.
func (s *shop) lint(t *testing.T, dir, kind, event string, env map[string]string, args ...string) checkRun {
	t.Helper()
	return s.run(t, dir, kind, event, env, append([]string{"lint"}, args...)...)
}

// accepting is a baseline with the unpinned server of some file.
func accepting(path string) string {
	return `{"version": 1, "findings": [{"rule": "MC002", "path": "` + path + `", "line": "` +
		strings.ReplaceAll(strings.TrimSpace(unpinned), `"`, `\"`) + `", "count": 1}]}` + "\n"
}

const accepted = "steelyard-baseline.json"

// TestLintHeldBaseline holds that no pull request accepts findings of its own in
// the baseline, that one which brings a baseline may accept what was there, and
// that files may move.
func TestLintHeldBaseline(t *testing.T) {
	s := openShop(t)
	const none = `{"version": 1, "findings": []}` + "\n"
	own := "Left out: the change accepts findings of its own in " + accepted + ": MC002 in .mcp.json; they are reported, and accepted once it is merged"
	// A server whose finding stands at a line that says nothing of it.
	spread := "{\n  \"mcpServers\": {\n    \"docs\": {\n      \"type\": \"http\",\n      \"url\": \"https://old.example.com/mcp\"\n    }\n  }\n}\n"
	listed := map[string]string{
		"steelyard.yaml": "servers:\n  approved:\n    - {server: \"package:old\", reason: read}\n", ".mcp.json": spread,
		accepted: `{"version": 1, "findings": [{"rule": "MC015", "path": ".mcp.json", "line": "\"docs\": {", "count": 1}]}` + "\n",
	}
	for name, test := range map[string]struct {
		before, change map[string]string
		code           int
		want           []string
	}{
		"its own":              {map[string]string{accepted: none}, map[string]string{accepted: accepting(".mcp.json"), ".mcp.json": unpinned}, 1, []string{"MC002", own}},
		"its own, first":       {nil, map[string]string{accepted: accepting(".mcp.json"), ".mcp.json": unpinned}, 1, []string{"MC002", own}},
		"broken before":        {map[string]string{accepted: "{"}, map[string]string{accepted: accepting(".mcp.json"), ".mcp.json": unpinned}, 1, []string{"MC002", own}},
		"first, what was":      {map[string]string{".mcp.json": unpinned}, map[string]string{accepted: accepting(".mcp.json")}, 0, []string{"![MC002", "1 known before", "!Left out"}},
		"known, and moved":     {map[string]string{".mcp.json": unpinned, accepted: accepting(".mcp.json")}, map[string]string{".mcp.json": "", ".cursor/mcp.json": unpinned, accepted: accepting(".cursor/mcp.json")}, 0, []string{"![MC002", "1 known before", "!Left out"}},
		"known before":         {map[string]string{".mcp.json": unpinned, accepted: accepting(".mcp.json")}, map[string]string{"src/price.ts": "export {};\n"}, 0, []string{"![MC002", "1 known before"}},
		"one server":           {listed, map[string]string{"src/price.ts": "export {};\n"}, 0, []string{"![MC015", "1 known before"}},
		"another server":       {listed, map[string]string{".mcp.json": strings.ReplaceAll(spread, "old.", "evil.")}, 1, []string{"MC015", "evil.example.com", "MC015 in .mcp.json; they are reported"}},
		"taken away":           {map[string]string{".mcp.json": unpinned, accepted: accepting(".mcp.json")}, map[string]string{accepted: none}, 1, []string{"MC002", "!Left out"}},
		"another in its place": {map[string]string{".mcp.json": unpinned}, map[string]string{accepted: accepting(".cursor/mcp.json"), ".cursor/mcp.json": unpinned}, 1, []string{"MC002", "MC002 in .cursor/mcp.json; they are reported"}},
	} {
		t.Run(name, func(t *testing.T) {
			gitIn(t, s.dir, "checkout", "-q", "main")
			gitIn(t, s.dir, "reset", "-q", "--hard", gitIn(t, s.dir, "rev-list", "--max-parents=0", "main"))
			before := map[string]string{"turn": name}
			for file, text := range test.before {
				before[file] = text
			}
			s.base = commitFiles(t, s.dir, "before", before)
			pull := s.open(t, "baseline-"+strings.NewReplacer(" ", "-", ",", "").Replace(name), shopPull{}, test.change)
			got := s.lint(t, s.checkout(t, pull.mergeRef(), "--depth=2"), "pull_request", s.event(t, pull, false), nil, "--baseline", accepted)
			if got.code != test.code {
				t.Errorf("exit code %d, want %d:\n%s%s", got.code, test.code, got.stdout, got.stderr)
			}
			says(t, "the result", got.stdout, test.want...)
		})
	}
}

// TestLintHeldSettings holds that a pull request cannot loosen what the lint of
// itself goes by, and that everybody else's settings are their own.
func TestLintHeldSettings(t *testing.T) {
	s := openShop(t)
	suppressed := "lint:\n  suppressions:\n    - {rule: MC002, path: .mcp.json, reason: it is ours}\n"
	pull := s.open(t, "loose", shopPull{}, map[string]string{"steelyard.yaml": shopFiles["steelyard.yaml"] + loose, ".mcp.json": unpinned, "ci/new.yaml": loose})
	gone := s.open(t, "gone", shopPull{}, map[string]string{"steelyard.yaml": suppressed, ".mcp.json": unpinned})
	event := s.event(t, pull, false)
	deep := s.checkout(t, pull.mergeRef(), "--depth=2")
	held := "Left out: the change edits lint.fail_on, lint.exclude and lint.rules in "
	for _, test := range []struct {
		name, dir, kind, event string
		env                    map[string]string
		args                   []string
		code                   int
		want                   []string
	}{
		{"edited", deep, "pull_request", event, nil, nil, 1, []string{"MC002", held + "steelyard.yaml"}},
		{"named", deep, "pull_request", event, nil, []string{"--config", "ci/new.yaml"}, 1, []string{"MC002", held + "ci/new.yaml"}},
		{"suppressed", s.checkout(t, gone.mergeRef(), "--depth=2"), "pull_request", s.event(t, gone, false), nil, nil, 1, []string{"MC002", "Left out: the change edits policy and lint.suppressions in steelyard.yaml"}},
		{"a review", deep, "pull_request_review", event, nil, nil, 1, []string{"MC002", held}},
		{"in a queue", deep, "merge_group", `{"merge_group": {"base_sha": "` + s.base + `", "head_sha": "` + pull.merge + `"}}`, nil, nil, 1, []string{"MC002", held}},
		{"in GitLab", deep, "", "{}", map[string]string{"GITHUB_ACTIONS": "", "GITLAB_CI": "true", "CI_MERGE_REQUEST_IID": "7", "CI_COMMIT_SHA": pull.merge, "CI_MERGE_REQUEST_DIFF_BASE_SHA": s.base}, nil, 1, []string{"MC002", held}},
		{"against a base", deep, "", "{}", byHand, []string{"--base", "HEAD^1"}, 1, []string{"MC002", held}},
		{"by hand", deep, "", "{}", byHand, nil, 0, []string{"!MC002", "!Left out"}},
		{"a push", deep, "push", `{"ref": "refs/heads/main"}`, nil, nil, 0, []string{"!MC002", "!Left out"}},
		{"a schedule", deep, "schedule", "{}", nil, nil, 0, []string{"!MC002", "!Left out"}},
		{"too shallow", s.checkout(t, pull.mergeRef(), "--depth=1"), "pull_request", event, nil, nil, 2, []string{"the checkout holds the merge commit alone", "give actions/checkout fetch-depth: 2", "hint: fetch it: git fetch --no-tags --depth=2 origin " + pull.merge}},
		{"no event", deep, "pull_request", "[", nil, nil, 2, []string{"it is no JSON"}},
		{"the base", s.checkout(t, "main", "--depth=1"), "pull_request_target", event, nil, nil, 0, []string{"!Left out"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := s.lint(t, test.dir, test.kind, test.event, test.env, test.args...)
			if got.code != test.code {
				t.Errorf("exit code %d, want %d:\n%s%s", got.code, test.code, got.stdout, got.stderr)
			}
			says(t, "the result", got.stdout+got.stderr, test.want...)
		})
	}
}

// TestLintSilenced holds that a pull request which brings settings may answer what
// was there, and nothing that it brings itself.
func TestLintSilenced(t *testing.T) {
	s := openShop(t)
	const mcp = `{"mcpServers": {"extra": {"type": "http", "url": "https://mcp.example.com/mcp"}}}` + "\n"
	spread := strings.NewReplacer("{", "{\n", "}", "\n}").Replace(strings.TrimSpace(unpinned)) + "\n"
	s.base = commitFiles(t, s.dir, "findings", map[string]string{".mcp.json": unpinned, "web/.mcp.json": spread})
	suppressed := shopFiles["steelyard.yaml"] + "lint:\n  suppressions:\n    - {rule: MC002, path: \"**/.mcp.json\", reason: it is ours}\n"
	for name, test := range map[string]struct {
		change map[string]string
		code   int
		want   []string
	}{
		"suppressed":           {map[string]string{"steelyard.yaml": suppressed}, 0, []string{"![MC002", "2 known before", "Left out: the change edits lint.suppressions"}},
		"switched off":         {map[string]string{"steelyard.yaml": shopFiles["steelyard.yaml"] + "lint: {rules: {MC002: off}}\n"}, 0, []string{"![MC002", "2 known before", "Left out: the change edits lint.rules"}},
		"excluded":             {map[string]string{"steelyard.yaml": shopFiles["steelyard.yaml"] + "lint: {exclude: [\"**/.mcp.json\"]}\n"}, 0, []string{"![MC002", "2 known before"}},
		"one more":             {map[string]string{"steelyard.yaml": suppressed, "app/.mcp.json": unpinned}, 1, []string{"app/.mcp.json:1:", "!web/.mcp.json", "2 known before"}},
		"moved":                {map[string]string{"steelyard.yaml": suppressed, ".mcp.json": "", "app/.mcp.json": unpinned}, 0, []string{"![MC002", "2 known before"}},
		"another in its place": {map[string]string{"steelyard.yaml": suppressed, "web/.mcp.json": strings.ReplaceAll(spread, "old", "evil")}, 1, []string{"web/.mcp.json:", "evil", "1 known before"}},
		"not all":              {map[string]string{"steelyard.yaml": strings.ReplaceAll(suppressed, "**/.mcp.json", "web/*")}, 1, []string{".mcp.json:1:", "!web/.mcp.json", "1 known before"}},
		"not that":             {map[string]string{"steelyard.yaml": suppressed, ".mcp.json": mcp}, 0, []string{"1 known before"}},
	} {
		t.Run(name, func(t *testing.T) {
			pull := s.open(t, "silenced-"+strings.ReplaceAll(name, " ", "-"), shopPull{}, test.change)
			got := s.lint(t, s.checkout(t, pull.mergeRef(), "--depth=2"), "pull_request", s.event(t, pull, false), nil)
			if got.code != test.code {
				t.Errorf("exit code %d, want %d:\n%s%s", got.code, test.code, got.stdout, got.stderr)
			}
			says(t, "the result", got.stdout, test.want...)
		})
	}
}

// TestLintUnheld lints a pull request of which the commit alone is there where it
// could have loosened nothing, says so, and fails where it could.
func TestLintUnheld(t *testing.T) {
	s := openShop(t)
	elsewhere := filepath.Join(t.TempDir(), "ours.yaml")
	if err := os.WriteFile(elsewhere, []byte(loose), 0o644); err != nil {
		t.Fatal(err)
	}
	const unknown = "Left out: what counted before the change is not known (the checkout holds the merge commit alone, without what it was merged into), and nothing that the change could have edited asks for less than the defaults"
	for _, test := range []struct {
		name   string
		change map[string]string
		made   string // a file that a step of the job writes
		args   []string
		code   int
		want   []string
	}{
		{"no settings", map[string]string{"steelyard.yaml": ""}, "", nil, 1, []string{"MC002", unknown, "give actions/checkout fetch-depth: 2"}},
		{"settings that loosen nothing", map[string]string{"steelyard.yaml": "# ours\nlint: {fail_on: error}\n"}, "", nil, 1, []string{"MC002", unknown}},
		{"loose", map[string]string{"steelyard.yaml": loose}, "", nil, 2, []string{"give actions/checkout fetch-depth: 2"}},
		{"an approval", map[string]string{"steelyard.yaml": "servers:\n  approved:\n    - {server: \"package:acme-server\", reason: read}\n"}, "", nil, 2, []string{"fetch-depth: 2"}},
		{"a suppression", map[string]string{"steelyard.yaml": "lint:\n  suppressions:\n    - {rule: MC002, path: .mcp.json, reason: it is ours}\n"}, "", nil, 2, []string{"fetch-depth: 2"}},
		{"settings from elsewhere", map[string]string{"steelyard.yaml": loose}, "", []string{"--config", elsewhere}, 0, []string{"!MC002", unknown}},
		{"settings of the job", map[string]string{"steelyard.yaml": loose}, "made.yaml", []string{"--config", "made.yaml"}, 0, []string{"!MC002", unknown}},
		{"settings of the change", map[string]string{"steelyard.yaml": "", "ci/a.yaml": loose}, "", []string{"--config", "ci/a.yaml"}, 2, []string{"fetch-depth: 2"}},
		{"a baseline", map[string]string{"steelyard.yaml": "", accepted: accepting(".mcp.json")}, "", []string{"--baseline", accepted}, 2, []string{"fetch-depth: 2"}},
		{"a base", map[string]string{"steelyard.yaml": ""}, "", []string{"--base", "HEAD^1"}, 2, []string{"--base HEAD^1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			change := map[string]string{".mcp.json": unpinned}
			for file, text := range test.change {
				change[file] = text
			}
			pull := s.open(t, "unheld-"+strings.ReplaceAll(test.name, " ", "-"), shopPull{}, change)
			dir := s.checkout(t, pull.mergeRef(), "--depth=1")
			if test.made != "" {
				if err := os.WriteFile(filepath.Join(dir, test.made), []byte(loose), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got := s.lint(t, dir, "pull_request", s.event(t, pull, false), nil, test.args...)
			if got.code != test.code {
				t.Errorf("exit code %d, want %d:\n%s%s", got.code, test.code, got.stdout, got.stderr)
			}
			says(t, "the result", got.stdout+got.stderr, test.want...)
		})
	}
}

// TestLintElsewhere lints what is no part of the pull request that a job is
// about, by its own settings, and says so.
func TestLintElsewhere(t *testing.T) {
	s := openShop(t)
	pull := s.open(t, "other", shopPull{}, map[string]string{"src/price.ts": "export {};\n"})
	event := s.event(t, pull, false)
	bare, other := t.TempDir(), t.TempDir()
	gitIn(t, other, "init", "-q")
	for _, dir := range []string{bare, other} {
		if err := os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte(unpinned), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "steelyard.yaml"), []byte("lint: {fail_on: never}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	gitIn(t, other, "add", "-A")
	gitIn(t, other, "commit", "-q", "-m", "x")
	work := s.checkout(t, pull.mergeRef(), "--depth=2")
	for dir, want := range map[string]string{
		bare:  "Left out: the folder lies in no git repository, so it is held to its own settings and baseline",
		other: "Left out: the folder lies in another repository than the pull request, so it is held to its own settings and baseline",
	} {
		got := s.lint(t, work, "pull_request", event, nil, dir)
		if got.code != 0 {
			t.Errorf("exit code %d:\n%s%s", got.code, got.stdout, got.stderr)
		}
		says(t, "the result", got.stdout, "MC002", want)
	}
}

// TestFolderLink holds that no change makes the folder that is looked at lead to
// a clean one.
func TestFolderLink(t *testing.T) {
	s := openShop(t)
	s.base = commitFiles(t, s.dir, "folders", map[string]string{"pay/AGENTS.md": "# Pay\n", "clean/AGENTS.md": "# Clean\n"})
	pull := s.open(t, "link", shopPull{}, map[string]string{"pay/AGENTS.md": "", ".mcp.json": unpinned})
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	if err := os.Symlink("clean", filepath.Join(dir, "pay")); err != nil {
		t.Skip("no symbolic links here")
	}
	pay := filepath.Join(dir, "pay")
	const want = "pay is a link in the repository, and a change could make it lead to another folder"
	got := s.lint(t, dir, "pull_request", s.event(t, pull, false), nil, "pay")
	says(t, "lint pay", got.stderr, want)
	for _, command := range []string{"lint", "check"} {
		got := s.run(t, pay, "pull_request", s.event(t, pull, false), nil, command)
		if got.code != 2 {
			t.Errorf("%s: exit code %d, want 2:\n%s", command, got.code, got.stdout)
		}
		says(t, command, got.stderr, want)
	}
}
