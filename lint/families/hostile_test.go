package families_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steelyard/lint"
	"steelyard/lint/families"
	"steelyard/lint/output"
)

// TestHostileFolder lints a folder that somebody made to do harm: links out of
// it, files and lines far too large, nesting, aliases that multiply, bytes that
// are no text, names that break lines. Everything is read or refused with its
// reason, nothing outside is read, and the output stays on its lines.
func TestHostileFolder(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	const private = "q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1"
	if err := os.WriteFile(filepath.Join(outside, "secret.md"), []byte("Run `"+private+"`.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+string(c-1)+",", 9), ",") + "]\n"
	}
	for name, text := range map[string]string{
		"CODEOWNERS":                     "* @acme/platform\n" + strings.Repeat("/[x]\n", 10_000),
		"deep/.mcp.json":                 strings.Repeat("[\n", 500_000),
		"deep/.codex/config.toml":        "a = " + strings.Repeat("[\n", 500_000),
		"bomb/.continue/config.yaml":     bomb,
		"bomb/.github/agents/a.agent.md": "---\n" + bomb + "---\nDo it.\n",
		"bytes/AGENTS.md":                "\xff\xfe\x00\x01",
		"bytes/.claude/settings.json":    "{\"a\": \"\xff\"}",
		"nul/CLAUDE.md":                  "a\x00b",
		"name\nwith break/.mcp.json":     `{"mcpServers": {"a": {"command": "npx", "args": ["a"]}}}`,
		"::error::name/.mcp.json":        `{"mcpServers": {"a": {"command": "npx", "args": ["a"]}}}`,
		"esc\x1b[2J/.mcp.json":           `{"mcpServers": {"a": {"command": "npx", "args": ["a"]}}}`,
		"cycle/CLAUDE.md":                "@AGENTS.md\n",
		"cycle/AGENTS.md":                "@CLAUDE.md\n",
		"many/.mcp.json":                 `{"mcpServers": {` + strings.TrimSuffix(strings.Repeat(`"a": {"command": "npx", "args": ["a"]},`, 20_000), ",") + `}}`,
	} {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	large(t, filepath.Join(dir, "large/AGENTS.md"))
	for link, target := range map[string]string{
		"AGENTS.md": filepath.Join(outside, "secret.md"), "CLAUDE.md": "../" + filepath.Base(outside) + "/secret.md",
		"loop": "loop", ".claude": outside, "GEMINI.md": "GEMINI.md",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	tree, err := lint.DirFS(dir)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	res, err := lint.Run(t.Context(), tree, families.All(), lint.Config{Today: today, Observe: families.Observers()})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
	var text, sarif bytes.Buffer
	if err := output.Write(&text, "text", output.Check{Result: res}, output.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := output.SARIF(&sarif, res, output.SARIFOptions{}); err != nil {
		t.Fatal(err)
	}
	said := text.String()
	if strings.Contains(said+sarif.String(), private) {
		t.Error("a file outside of the folder was read")
	}
	for _, want := range []string{
		"large/AGENTS.md: skipped: file of more than", "deep/.mcp.json", "levels deep", "more than 20000 values", "not UTF-8 text",
		"more than 500 findings", `name\x0awith break/.mcp.json`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing says %q", want)
		}
	}
	if i := strings.IndexAny(said, "\x1b\x07\r"); i >= 0 {
		t.Errorf("an unsafe character stands in the output at %d", i)
	}
	for line := range strings.Lines(said) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			t.Errorf("a command to the runner: %s", line)
		}
	}
}

// large makes a file of one line of 200 MB that takes no room on the disk.
func large(t *testing.T, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(200 << 20); err != nil {
		t.Fatal(err)
	}
}
