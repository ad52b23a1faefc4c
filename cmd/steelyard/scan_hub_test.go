package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"steelyard/internal/github/githubtest"
)

// TestLintItem lints what a job names: a repository on GitHub, with its own
// settings and committed files alone, or a folder.
func TestLintItem(t *testing.T) {
	w := githubtest.New(githubtest.Options{Token: "github_pat_of_the_test"})
	w.Repository("acme/web")
	w.Files("acme/web", map[string]githubtest.File{
		".gitignore":     {Text: ".mcp.json\n"},
		".mcp.json":      {Text: `{"mcpServers": {"a": {"command": "npx", "args": ["@acme/a"]}}}`},
		"CODEOWNERS":     {Text: "* @acme/web\n"},
		"steelyard.yaml": {Text: "lint: {rules: {MC002: note}}\n"},
	})
	server, err := w.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	env := map[string]string{"GITHUB_TOKEN": "github_pat_of_the_test", "STEELYARD_GITHUB_URL": server.URL}
	var out, errs bytes.Buffer
	p := &program{
		stdin: strings.NewReader(""), stdout: &out, stderr: &errs, now: time.Now,
		env: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
	}
	scan, err := p.lintItem(t.Context(), hubItem+"acme/web")
	if err != nil {
		t.Fatal(err)
	}
	result := scan.result
	if len(result.Findings) != 1 || result.Findings[0].Rule != "MC002" || result.Findings[0].Severity != "note" || len(result.Inventory.Servers) != 1 {
		t.Errorf("findings are %v, servers %v", result.Findings, result.Inventory.Servers)
	}
	if _, err := p.lintItem(t.Context(), hubItem+"acme"); err == nil {
		t.Error("an item that is no repository is linted")
	}
	if folder, err := p.lintItem(t.Context(), t.TempDir()); err != nil || folder.result.Files != 0 {
		t.Errorf("an empty folder has %d files, %v", folder.result.Files, err)
	}
}
