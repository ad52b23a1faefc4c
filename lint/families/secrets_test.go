package families_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"steelyard/lint"
	"steelyard/lint/families"
	"steelyard/lint/output"
	"steelyard/rules"
)

// planted are the places in which secrets are written, each %s another one.
var planted = map[string]string{
	".mcp.json": `{
  "mcpServers": {
    "env": {"command": "npx", "args": ["-y", "@acme/a"], "env": {"A_API_KEY": "%s", "B_PASSWORD": "%s"}},
    "args": {"command": "npx", "args": ["@acme/b", "--api-key", "%s", "--token=%s", "C_TOKEN=%s"]},
    "headers": {"type": "http", "url": "http://mcp.acme.dev/mcp", "headers": {"Authorization": "Bearer %s", "X-Api-Key": "%s"}},
    "query": {"type": "http", "url": "https://mcp.acme.dev/mcp?api_key=%s&x=${env:X}"},
    "user": {"type": "http", "url": "https://app:%s@db.acme.dev@evil.test/mcp"},
    "dsn": {"command": "npx", "args": ["-y", "@acme/db", "postgresql://app:%s@db.acme.dev/app"]},
    "script": {"command": "sh", "args": ["-c", "A_API_KEY=%s npx -y @acme/c"]},
    "docker": {"command": "docker", "args": ["run", "--privileged", "-e", "A_TOKEN=%s", "acme/x:1"]}, "type": 3000,
  }
}
`,
	".cursor/mcp.json":             `{"mcpServers": {"env": {"command": "uvx", "args": ["acme-other"], "env": {"A_API_KEY": "%s", "N": 1, "R": "${A_API_KEY}"}}}}`,
	".vscode/mcp.json":             "{\n  \"servers\": {\n    // steelyard: ignore MC002 until 2020-01-01 because %s\n    \"a\": {\"command\": \"npx\", \"args\": [\"@acme/a\"], \"env\": {\"K_API_KEY\": \"%s\"}} // steelyard: ignore MC009 because no\n  }\n}\n",
	".codex/config.toml":           "approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n[mcp_servers.a]\ncommand = \"npx\"\nargs = [\"-y\", \"x\", \"--api-key\", \"%s\"]\nenv = {A_TOKEN = \"%s\"}\n[shell_environment_policy.set]\nB_TOKEN = \"%s\"\n",
	"opencode.json":                `{"plugin": ["a"], "provider": {"x": {"options": {"apiKey": "%s"}}}, "mcp": {"a": {"type": "local", "command": ["npx", "y"], "environment": {"A_API_KEY": "%s"}}}}`,
	".gemini/settings.json":        `{"mcpServers": {"env": {"command": "npx", "args": ["z"], "trust": true, "env": {"A_API_KEY": "%s"}}}}`,
	".claude/settings.json":        `{"permissions": {"allow": ["Bash", "Bash(curl -H 'Authorization: Bearer %s':*)"]}, "env": {"A_API_KEY": "%s"}, "hooks": {"Stop": [{"hooks": [{"command": "A_API_KEY=%s npx acme-hook"}]}]}}`,
	".continue/mcpServers/a.yaml":  "mcpServers:\n  - name: a\n    command: npx\n    args: [acme]\n    env:\n      A_API_KEY: %s\n",
	".github/agents/a.agent.md":    "---\nname: a\ndescription: never edits files\ntools: [\"*\"]\nmcp-servers:\n  a:\n    type: http\n    url: https://mcp.acme.dev/mcp\n    headers:\n      X-Api-Key: %s\n---\nDo it.\n",
	"broken/.mcp.json":             `{"mcpServers": {"a": {"command": "npx", "args": ["x"], "env": {"A_API_KEY": "%s"}} oops`,
	"broken/.codex/config.toml":    "[mcp_servers.a]\nenv = {A_API_KEY = \"%s\" oops}\n",
	"broken/.claude/settings.json": `{"env": {"A_API_KEY": "%s"} oops}`,
	"AGENTS.md":                    "Call it with `curl -H 'Authorization: Bearer %s' https://api.acme.dev`.\n\n<!-- steelyard: ignore MC001 because %s -->\n",
}

// secret makes up one in the form of a provider's key: reported wherever it
// stands.
func secret(draw *rand.Rand) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	var b strings.Builder
	b.WriteString("gh" + "p_")
	for range 36 {
		b.WriteByte(letters[draw.IntN(len(letters))])
	}
	return b.String()
}

// TestNoSecretLeaves plants more than thirty secrets and looks for them in
// everything that leaves: every form of output, the baseline, the diff of fixes.
func TestNoSecretLeaves(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	tree := fstest.MapFS{"CODEOWNERS": {Data: []byte("* @acme/platform\n")}}
	var secrets []string
	for name, text := range planted {
		var drawn []any
		for range strings.Count(text, "%s") {
			s := secret(draw)
			secrets, drawn = append(secrets, s), append(drawn, s)
		}
		tree[name] = &fstest.MapFile{Data: fmt.Appendf(nil, text, drawn...)}
	}
	if len(secrets) < 30 {
		t.Fatalf("%d secrets are planted, want 30", len(secrets))
	}
	res, err := lint.Run(t.Context(), tree, families.All(), lint.Config{Today: today, Committed: true, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Findings) < len(secrets) {
		t.Errorf("%d findings of %d secrets", len(res.Findings), len(secrets))
	}
	for form, text := range leaving(t, res) {
		for _, s := range secrets {
			if shown := longest(text, s); shown > 8 {
				t.Errorf("%s shows %d characters of a secret in a row", form, shown)
			}
		}
	}
}

// leaving is everything that leaves, by its form.
func leaving(t *testing.T, res lint.Result) map[string]string {
	t.Helper()
	pages, err := rules.All()
	if err != nil {
		t.Fatal(err)
	}
	changes, err := lint.Mend(res.Findings)
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) == 0 {
		t.Error("nothing is mended, so the diff shows nothing")
	}
	said := ""
	for _, c := range changes {
		said += strings.Join(c.Says, "\n")
	}
	forms := map[string]string{"advice": said}
	for form, write := range map[string]func(*bytes.Buffer) error{
		"text": func(b *bytes.Buffer) error {
			return output.Write(b, "text", output.Check{Result: res}, output.Options{})
		},
		"colour": func(b *bytes.Buffer) error {
			return output.Write(b, "text", output.Check{Result: res}, output.Options{Color: true})
		},
		"json": func(b *bytes.Buffer) error {
			return output.Write(b, "json", output.Check{Result: res}, output.Options{})
		},
		"sarif":    func(b *bytes.Buffer) error { return output.SARIF(b, res, output.SARIFOptions{Rules: pages}) },
		"diff":     func(b *bytes.Buffer) error { return output.Diff(b, changes) },
		"baseline": func(b *bytes.Buffer) error { return lint.NewBaseline(res.Findings).Write(b) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		forms[form] = b.String()
	}
	return forms
}

// longest is the length of the longest part of a secret in a text.
func longest(text, secret string) int {
	most := 0
	for i := range secret {
		for most < len(secret)-i && strings.Contains(text, secret[i:i+most+1]) {
			most++
		}
	}
	return most
}
