package families_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/lint/families"
)

func TestInventory(t *testing.T) {
	const secret = "q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1"
	tree := fstest.MapFS{
		".github/CODEOWNERS": {Data: []byte("* @acme/platform\n/web/\n.mcp.json @acme/tools one@acme.example\n")},
		"AGENTS.md":          {Data: []byte("Run `make test`.\n")},
		"web/CLAUDE.md":      {Data: []byte("Run `make test`.\n")},
		".mcp.json": {Data: []byte(`{"mcpServers": {
  "pinned": {"command": "npx", "args": ["-y", "@acme/a@1.2.3"]},
  "moving": {"command": "uvx", "args": ["acme-b@latest", "--api-key", "` + secret + `"]},
  "remote": {"type": "http", "url": "https://mcp.acme.dev/mcp?api_key=` + secret + `"},
  "program": {"command": "./bin/c"},
  "unknown": {"command": "${TOOL}"}
}}`)},
		".cursor/mcp.json": {Data: []byte(`{"mcpServers": {"off": {"command": "npx", "args": ["@acme/a"], "disabled": true}}}`)},
	}
	res, err := lint.Run(t.Context(), tree, families.All(), lint.Config{Today: today, Observe: families.Observers()})
	if err != nil {
		t.Fatal(err)
	}
	want := []lint.SeenServer{
		{Path: ".cursor/mcp.json", Line: 1, Host: "cursor", Name: "off", Kind: "package", Target: "@acme/a", Off: true, Command: "npx @acme/a", Secrets: "none"},
		{Path: ".mcp.json", Line: 2, Host: "claude-code", Name: "pinned", Kind: "package", Target: "@acme/a", Version: "1.2.3", Pinned: true, Command: "npx -y @acme/a@1.2.3", Secrets: "none"},
		{Path: ".mcp.json", Line: 3, Host: "claude-code", Name: "moving", Kind: "package", Target: "acme-b", Version: "latest", Command: "uvx acme-b@latest --api-key " + strings.Repeat("*", 20) + secret[20:], Secrets: "literal"},
		{Path: ".mcp.json", Line: 4, Host: "claude-code", Name: "remote", Kind: "host", Target: "mcp.acme.dev", Pinned: true, Command: "https://mcp.acme.dev/mcp", Secrets: "literal"},
		{Path: ".mcp.json", Line: 5, Host: "claude-code", Name: "program", Kind: "program", Target: "c", Pinned: true, Command: "./bin/c", Secrets: "none"},
		{Path: ".mcp.json", Line: 6, Host: "claude-code", Name: "unknown", Pinned: true, Command: "${TOOL}", Secrets: "none"},
	}
	if diff := cmp.Diff(want, res.Inventory.Servers); diff != "" {
		t.Errorf("servers differ (-want +got):\n%s", diff)
	}
	owners := map[string]string{}
	for _, f := range res.Inventory.Files {
		owners[f.Path] = strings.Join(f.Kinds, "+") + ": " + strings.Join(f.Owners, " ")
		if f.Path == "web/CLAUDE.md" && (f.Line != 2 || len(f.Readers) == 0) {
			t.Errorf("web/CLAUDE.md is %+v", f)
		}
	}
	if diff := cmp.Diff(map[string]string{
		".github/CODEOWNERS": "ownership: @acme/platform", "AGENTS.md": "instructions: @acme/platform", "web/CLAUDE.md": "instructions: ",
		".mcp.json": "mcp: @acme/tools one@acme.example", ".cursor/mcp.json": "mcp: @acme/platform",
	}, owners); diff != "" {
		t.Errorf("files differ (-want +got):\n%s", diff)
	}
	text, err := json.Marshal(res.Inventory)
	if err != nil || strings.Contains(string(text), secret[:10]) {
		t.Errorf("the inventory holds a secret: %s, %v", text, err)
	}
}
