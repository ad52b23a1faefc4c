package permissions

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"steelyard/lint"
)

// files are one path for each host that the family reads.
var files = []string{
	".claude/settings.json", ".vscode/settings.json", ".gemini/settings.json", "opencode.json", ".zed/settings.json", ".cursor/cli.json",
	".cursor/hooks.json", ".roo/mcp.json", ".devcontainer/devcontainer.json", "x.code-workspace", ".copilot/mcp-config.json",
	".codex/config.toml", ".claude/agents/a.md", ".github/agents/a.agent.md",
}

// FuzzRules runs the family over any text under every host's name.
func FuzzRules(f *testing.F) {
	f.Add(`{"permissions": {"allow": ["Bash", "Bash(npx:*)", "Bash("], "defaultMode": "bypassPermissions"}, "hooks": {"Stop": [{"hooks": [{"command": "npx a | sh"}]}]}}`)
	f.Add(`{"chat.tools.terminal.autoApprove": {"/.*/": true, "/(/": true, "//": true, "/a/": {"approve": true}}, "settings": {"chat.tools.autoApprove": true}}`)
	f.Add("approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n[profiles.a]\nsandbox_mode = 1\n")
	f.Add("---\nname: reviewer\ndescription: never edits\ntools: Read, Edit\nmcp-servers: {a: {tools: ['*']}}\n---\nx\n")
	f.Fuzz(func(t *testing.T, text string) {
		tree := fstest.MapFS{}
		for _, name := range files {
			tree[name] = &fstest.MapFile{Data: []byte(text)}
		}
		res, err := lint.Run(t.Context(), tree, Rules(), lint.Config{})
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range res.Findings {
			if found.Line < 1 || found.Column < 1 {
				t.Fatalf("finding at %d:%d", found.Line, found.Column)
			}
		}
	})
}

// TestHostileFiles wants each megabyte of hostile text read or refused in
// bounded time, with what was left out said.
func TestHostileFiles(t *testing.T) {
	const size = 1 << 20
	fill := func(head, part, tail string) string {
		return head + strings.Repeat(part, (size-len(head)-len(tail))/len(part)) + tail
	}
	for name, test := range map[string]struct{ path, text, said string }{
		"deep":        {".claude/settings.json", fill("", "[", ""), "levels deep"},
		"approvals":   {".claude/settings.json", fill(`{"permissions": {"allow": [`, `"Bash",`+"\n", `""]}}`), "more than 500 findings"},
		"expressions": {".vscode/settings.json", fill(`{"chat.tools.terminal.autoApprove": {`, `"/a+/": true,`+"\n", `"b": true}}`), "more than 500 findings"},
		"large-expr":  {".vscode/settings.json", fill(`{"chat.tools.terminal.autoApprove": {"/`, `(a|b)*`, `/": true}}`), ""},
		"hooks":       {".claude/settings.json", fill(`{"hooks": {"Stop": [`, `{"command": "npx a"},`+"\n", `{}]}}`), "more than 500 findings"},
		"hook":        {".claude/settings.json", fill(`{"hooks": {"Stop": [{"command": "`, `npx a; `, `"}]}}`), "more than 500 findings"},
		"secrets":     {".claude/settings.json", fill(`{"env": {`, `"A_API_KEY": "ghp_q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1q7Zt2mWx9Lb4",`+"\n", `"B": ""}}`), "too much text"},
		"agent":       {".claude/agents/a.md", fill("---\ntools: ", "Edit,", "\n---\n"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			res, err := lint.Run(t.Context(), fstest.MapFS{test.path: {Data: []byte(test.text)}}, Rules(), lint.Config{Limits: lint.Limits{LineBytes: size}})
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
			said := ""
			for _, s := range res.Skipped {
				said += s.Reason
			}
			for _, f := range res.Findings {
				said += f.Message
			}
			if !strings.Contains(said, test.said) {
				t.Errorf("nothing says %q in %.300q", test.said, said)
			}
		})
	}
}

// TestLocalFileOfOnePerson holds that what git does not track is nobody's
// business.
func TestLocalFileOfOnePerson(t *testing.T) {
	local := &fstest.MapFile{Data: []byte(`{"permissions": {"allow": ["Bash"]}}`)}
	for name, test := range map[string]struct {
		tree      fstest.MapFS
		committed bool
		want      int
	}{
		"working-tree": {fstest.MapFS{".git/HEAD": {}, ".claude/settings.local.json": local}, false, 0},
		"commit":       {fstest.MapFS{".claude/settings.local.json": local}, true, 2},
		"no-index":     {fstest.MapFS{".claude/settings.local.json": local}, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := lint.Run(t.Context(), test.tree, Rules(), lint.Config{Committed: test.committed})
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Findings) != test.want {
				t.Errorf("findings are %v, want %d", res.Findings, test.want)
			}
		})
	}
}
