package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"steelyard/internal/github/githubtest"
)

// unpinned is an MCP configuration with a fault.
const unpinned = `{"mcpServers": {"extra": {"command": "npx", "args": ["-y", "old"]}}}`

// loose are settings that would free a change from everything.
const loose = `lint:
  fail_on: never
  exclude: ["**"]
  rules: {MC002: off, PR002: off}
`

// elsewhere is a GitHub that nobody should ask.
func elsewhere(t *testing.T) (address string, asked *[]string) {
	t.Helper()
	asked = new([]string)
	world := githubtest.New(githubtest.Options{})
	world.Watch(func(r githubtest.Request) { *asked = append(*asked, r.Path) })
	server, err := world.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return server.URL, asked
}

// TestCheckHostileSettings holds that a change cannot loosen what it is held
// to, nor send the token elsewhere.
func TestCheckHostileSettings(t *testing.T) {
	s := openShop(t)
	address, asked := elsewhere(t)
	pull := s.open(t, "loose", shopPull{}, map[string]string{
		"steelyard.yaml": loose + "policy:\n  reviews: remind\ngithub:\n  base_url: " + address + "\n  token_env: STEELYARD_OTHER\ndependencies:\n  registries: {npm: " + address + "}\n  licences: {allow: [GPL-3.0-only]}\n",
		".mcp.json":      unpinned,
		"auth/login.ts":  loginChange["auth/login.ts"],
	})
	got := s.check(t, s.checkout(t, pull.mergeRef(), "--depth=2"), "pull_request", s.event(t, pull, false),
		map[string]string{"STEELYARD_OTHER": "another secret", "GITHUB_SERVER_URL": s.github}, "--comment", "always")
	if got.code != 1 {
		t.Errorf("exit code %d, want 1:\n%s", got.code, got.stderr)
	}
	says(t, "the result", got.stdout, "MC002", "PR002",
		"Left out: the change edits lint.fail_on, lint.exclude, lint.rules, dependencies.registries, dependencies.licences and policy in steelyard.yaml: it is held to what counted before, and the new counts once it is merged")
	if len(*asked) > 0 {
		t.Errorf("another host was asked: %q", *asked)
	}
}

// TestCheckFirstSettings holds that the first settings of a repository do not
// free the change that brings them, though their policy counts.
func TestCheckFirstSettings(t *testing.T) {
	s := openShop(t)
	s.base = commitFiles(t, s.dir, "no settings", map[string]string{"steelyard.yaml": ""})
	pull := s.open(t, "first", shopPull{body: "no section"}, map[string]string{
		"steelyard.yaml": loose + "policy:\n  disclosure: {section: AI assistance}\n", ".mcp.json": unpinned,
	})
	got := s.check(t, s.checkout(t, pull.mergeRef(), "--depth=2"), "pull_request", s.event(t, pull, false), nil)
	if got.code != 1 {
		t.Errorf("exit code %d, want 1:\n%s", got.code, got.stderr)
	}
	says(t, "the result", got.stdout, "MC002", "PR001", "Left out: the change edits lint.fail_on, lint.exclude and lint.rules in steelyard.yaml: it is held")
}

// TestCheckAccepts holds that no change accepts its own faults in the settings,
// that one which takes an acceptance away is not held to it, and that the result
// says which comments answer findings.
func TestCheckAccepts(t *testing.T) {
	s := openShop(t)
	approved := shopFiles["steelyard.yaml"] + "servers:\n  approved:\n    - {server: \"package:old\", reason: read}\n"
	suppressed := "lint:\n  suppressions:\n    - {rule: MC002, path: .mcp.json, reason: it is ours}\n"
	packages := strings.Replace(shopFiles["package.json"], "\"old\": \"1.0.0\"", "\"old\": \"1.0.0\",\n    \"copyleft\": \"1.0.0\"", 1)
	remote := `{"mcpServers": {"extra": {"type": "http", "url": "https://mcp.example.com/mcp"}}}`
	// A server whose finding stands at a line that says nothing of it.
	spread := "{\n  \"mcpServers\": {\n    \"docs\": {\n      \"type\": \"http\",\n      \"url\": \"https://old.example.com/mcp\"\n    }\n  }\n}\n"
	s.base = commitFiles(t, s.dir, "a server", map[string]string{"web/.mcp.json": spread})
	held := func(keys string) string {
		return "Left out: the change edits " + keys + " in steelyard.yaml: it is held to what counted before, and the new counts once it is merged"
	}
	for name, test := range map[string]struct {
		before, after string // steelyard.yaml
		files         map[string]string
		code          int
		want          []string
	}{
		"suppression": {approved, approved + suppressed, map[string]string{".mcp.json": unpinned}, 1, []string{"MC002", held("lint.suppressions")}},
		"suppression without a reason": {
			approved, approved + "lint:\n  suppressions:\n    - {rule: MC002, path: .mcp.json}\n",
			map[string]string{".mcp.json": unpinned},
			1,
			[]string{"MC002", "warning: suppression of MC002 is not applied: it gives no reason [SP001", held("lint.suppressions")},
		},
		"reason taken away": {
			approved + suppressed, approved + strings.Replace(suppressed, ", reason: it is ours", "", 1), nil, 0,
			[]string{"SP001", held("lint.suppressions")},
		},
		"suppression of nothing": {
			approved, approved + "lint:\n  suppressions:\n    - {rule: MC002, path: .mcp.json, reason: it is ours}\n    - {rule: MC002, path: \"*.json\", reason: past, until: 2020-01-01}\n", nil, 0,
			[]string{"suppresses nothing [SP003", "suppression of MC002 ended on 2020-01-01 [SP002", held("lint.suppressions")},
		},
		"comment without a reason": {
			approved, approved,
			map[string]string{"CLAUDE.md": "# Shop\n\n<!-- steelyard: ignore IN002 -->\nAlways use double quotes.\n"},
			1,
			[]string{"IN002", "suppression of IN002 is not applied: it gives no reason [SP001"},
		},
		"suppression from before": {
			approved + suppressed, "# Moved.\n" + approved + suppressed,
			map[string]string{".mcp.json": unpinned},
			0,
			[]string{"![MC002 ", "!Left out: the change edits"},
		},
		"suppression taken away": {approved + suppressed, approved, map[string]string{".mcp.json": unpinned}, 1, []string{"MC002", "!SP0", "!Left out: the change edits"}},
		"comment": {
			approved, approved,
			map[string]string{"CLAUDE.md": "# Shop\n\n<!-- steelyard: ignore IN002 because both are fine -->\nAlways use double quotes.\n"},
			0,
			[]string{"!error:", "Left out: suppressions answer findings of the change itself: IN002 in CLAUDE.md; read"},
		},
		"package": {
			approved, approved + "dependencies:\n  allow:\n    - {package: \"npm:copyleft\", reason: legal looked}\n",
			map[string]string{"package.json": packages},
			0,
			[]string{"DP015", held("dependencies.allow")},
		},
		"server": {
			approved, approved + "    - {server: \"host:mcp.example.com\", reason: read}\n",
			map[string]string{".mcp.json": remote},
			1,
			[]string{"MC015", held("servers.approved")},
		},
		"servers by a first policy": {
			"servers:\n  approved:\n    - {server: \"package:old\", reason: read}\n", "servers:\n  approved:\n    - {server: \"package:old\", reason: read}\npolicy:\n  stale_approvals: keep\n  servers: [\"*\"]\n",
			map[string]string{".mcp.json": remote},
			1,
			[]string{"MC015", held("policy.stale_approvals and policy.servers")},
		},
		"another server in its place": {
			approved, approved,
			map[string]string{"web/.mcp.json": strings.ReplaceAll(spread, "old.", "evil.")},
			1,
			[]string{"web/.mcp.json:3:", "MC015", "evil.example.com"},
		},
		"all servers": {
			approved, shopFiles["steelyard.yaml"], map[string]string{".mcp.json": remote}, 1, []string{"MC015", held("servers.approved")},
		},
		"nothing": {approved, approved, map[string]string{"src/price.ts": "export const price = (n: number) => n + n;\n"}, 0, []string{"!Left out: the change edits", "!suppressions"}},
	} {
		t.Run(name, func(t *testing.T) {
			gitIn(t, s.dir, "checkout", "-q", "main")
			s.base = commitFiles(t, s.dir, "settings", map[string]string{"steelyard.yaml": test.before, "turn": name})
			files := map[string]string{}
			maps.Copy(files, test.files)
			if test.after != test.before {
				files["steelyard.yaml"] = test.after
			}
			pull := s.open(t, "accepts-"+strings.ReplaceAll(name, " ", "-"), shopPull{}, files)
			got := s.check(t, s.checkout(t, pull.mergeRef(), "--depth=2"), "pull_request", s.event(t, pull, false), nil, "--output", "text")
			if got.code != test.code {
				t.Errorf("exit code %d, want %d:\n%s", got.code, test.code, got.stderr)
			}
			says(t, "the result", got.stdout, test.want...)
		})
	}
}

// TestCheckNamedSettings holds settings that --config names in the repository to
// the same, and trusts those that no change can edit.
func TestCheckNamedSettings(t *testing.T) {
	s := openShop(t)
	address, asked := elsewhere(t)
	s.base = commitFiles(t, s.dir, "settings elsewhere", map[string]string{"steelyard.yaml": "", "ci/checks.yaml": shopFiles["steelyard.yaml"]})
	pull := s.open(t, "named", shopPull{}, map[string]string{
		"ci/checks.yaml": loose + "github:\n  base_url: " + address + "\n", "ci/new.yaml": loose, ".mcp.json": unpinned, "auth/login.ts": loginChange["auth/login.ts"],
	})
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	for _, test := range []struct {
		name, config string
		code         int
		want         []string
	}{
		{"edited", "ci/checks.yaml", 1, []string{"MC002", "PR002", "Left out: the change edits lint.fail_on, lint.exclude, lint.rules and policy in ci/checks.yaml"}},
		{"edited, from its root", filepath.Join(dir, "ci", "checks.yaml"), 1, []string{"MC002", "PR002"}},
		{"new", "ci/new.yaml", 1, []string{"MC002", "Left out: the change edits lint.fail_on, lint.exclude and lint.rules in ci/new.yaml"}},
		{"made by the job", "made.yaml", 0, []string{"!MC002", "!Left out: the change"}},
		{"outside", filepath.Join(t.TempDir(), "ours.yaml"), 0, []string{"!MC002", "!Left out: the change"}},
		{"a link", "link.yaml", 2, []string{"link.yaml is a link, and a change could make it lead elsewhere"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := test.config
			if !filepath.IsAbs(file) {
				file = filepath.Join(dir, file)
			}
			switch test.name {
			case "made by the job", "outside":
				if err := os.WriteFile(file, []byte(loose), 0o644); err != nil {
					t.Fatal(err)
				}
			case "a link":
				if err := os.Symlink("ci/checks.yaml", file); err != nil {
					t.Skip("no symbolic links here")
				}
			}
			got := s.check(t, dir, "pull_request", s.event(t, pull, false), nil, "--config", test.config)
			if got.code != test.code {
				t.Errorf("exit code %d, want %d:\n%s%s", got.code, test.code, got.stdout, got.stderr)
			}
			says(t, "the result", got.stdout+got.stderr, test.want...)
		})
	}
	if len(*asked) > 0 {
		t.Errorf("another host was asked: %q", *asked)
	}
}

// TestCheckNamedBesideFolder holds settings in the change to those of a folder
// that it starts from.
func TestCheckNamedBesideFolder(t *testing.T) {
	s := openShop(t)
	s.base = commitFiles(t, s.dir, "settings elsewhere", map[string]string{"steelyard.yaml": "", "ci/checks.yaml": shopFiles["steelyard.yaml"], "pay/AGENTS.md": "# Pay\n"})
	pull := s.open(t, "named", shopPull{}, map[string]string{"ci/checks.yaml": loose, "ci/new.yaml": loose, "pay/.mcp.json": unpinned, ".mcp.json": unpinned})
	dir, before := s.checkout(t, pull.mergeRef(), "--depth=2"), s.checkout(t, "main", "--depth=1")
	elsewhere := filepath.Join(t.TempDir(), "ours.yaml")
	for _, file := range []string{elsewhere, filepath.Join(dir, "made.yaml")} {
		if err := os.WriteFile(file, []byte(loose), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name, in, config string
		args             []string
		code             int
		want             []string
	}{
		{"edited", ".", "ci/checks.yaml", []string{"--base", before}, 1, []string{"MC002", "Left out: the change edits lint.fail_on, lint.exclude, lint.rules"}},
		{"edited, of a commit", ".", "ci/checks.yaml", []string{"--base", before, "--head", "HEAD"}, 1, []string{"MC002", "Left out: the change edits lint.fail_on"}},
		{"edited, of a folder", "..", filepath.Join(filepath.Base(dir), "ci/checks.yaml"), []string{"--base", before, "--head", dir}, 1, []string{"MC002", "Left out: the change edits lint.fail_on"}},
		{"new", ".", "ci/new.yaml", []string{"--base", before}, 1, []string{"MC002", "in ci/new.yaml: it is held"}},
		{"made by the job", ".", "made.yaml", []string{"--base", before}, 0, []string{"!MC002", "!Left out: the change edits"}},
		{"outside", ".", elsewhere, []string{"--base", before}, 0, []string{"!MC002", "!Left out: the change edits"}},
		{"above the folder", "pay", "../ci/checks.yaml", []string{"--base", filepath.Join(before, "pay")}, 2, []string{"it belongs to the repository of the change, and what it was before cannot be told from a folder", "hint: name a revision as the base, or a file outside of the repository"}},
		{"above the folder, by a revision", "pay", "../ci/checks.yaml", []string{"--base", "HEAD^1"}, 1, []string{"MC002", "in ../ci/checks.yaml: it is held"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := s.check(t, filepath.Join(dir, test.in), "", "{}", map[string]string{"GITHUB_ACTIONS": "", "GITHUB_SHA": "x"}, append([]string{"--config", test.config}, test.args...)...)
			if got.code != test.code {
				t.Errorf("exit code %d, want %d:\n%s%s", got.code, test.code, got.stdout, got.stderr)
			}
			says(t, "the result", got.stdout+got.stderr, test.want...)
		})
	}
}

// TestCheckLinkedSettings follows a link that the settings were, and goes by none
// where they could not be read: in no case by those of the change.
func TestCheckLinkedSettings(t *testing.T) {
	s := openShop(t)
	for name, test := range map[string]struct {
		before map[string]string
		link   string
		want   []string
	}{
		"a link":         {map[string]string{"ci/checks.yaml": shopFiles["steelyard.yaml"]}, "ci/checks.yaml", []string{"MC002", "PR002", "Left out: the change edits lint.fail_on, lint.exclude, lint.rules and policy in steelyard.yaml"}},
		"a broken link":  {nil, "nowhere.yaml", []string{"MC002", "Left out: the change edits lint.fail_on, lint.exclude and lint.rules in steelyard.yaml"}},
		"a link outside": {nil, "../x.yaml", []string{"MC002", "Left out: the steelyard.yaml that the change starts from cannot be read, so the change is held to the defaults"}},
		"no YAML":        {map[string]string{"steelyard.yaml": "{"}, "", []string{"MC002", "cannot be read, so the change is held to the defaults", "Left out: the change edits lint.fail_on"}},
	} {
		t.Run(name, func(t *testing.T) {
			gitIn(t, s.dir, "checkout", "-q", "main")
			before := map[string]string{"turn": name}
			maps.Copy(before, test.before)
			settings := filepath.Join(s.dir, "steelyard.yaml")
			if test.link != "" {
				if err := os.Remove(settings); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(test.link, settings); err != nil {
					t.Skip("no symbolic links here")
				}
			}
			s.base = commitFiles(t, s.dir, "settings", before)
			if err := os.Remove(settings); err != nil {
				t.Fatal(err)
			}
			pull := s.open(t, "linked-"+strings.ReplaceAll(name, " ", "-"), shopPull{}, map[string]string{"steelyard.yaml": loose, ".mcp.json": unpinned, "auth/login.ts": loginChange["auth/login.ts"]})
			got := s.check(t, s.checkout(t, pull.mergeRef(), "--depth=2"), "pull_request", s.event(t, pull, false), nil)
			if got.code != 1 {
				t.Errorf("exit code %d, want 1:\n%s%s", got.code, got.stdout, got.stderr)
			}
			says(t, "the result", got.stdout, test.want...)
		})
	}
}
