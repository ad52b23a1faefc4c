package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"steelyard/internal/github/githubtest"
	"steelyard/lint"
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

// TestScanDefaultBranch reads the branch that GitHub calls the default, says
// which, and holds what the texts say of it to that: a text that names another
// branch is wrong where that branch is not there, and is let be where it is.
func TestScanDefaultBranch(t *testing.T) {
	const name = "acme/web"
	w := githubtest.New(githubtest.Options{Token: "github_pat_of_the_test"})
	w.Repository(name)
	w.Files(name, map[string]githubtest.File{
		"AGENTS.md":     {Text: "The default branch is `develop`.\n"},
		"web/AGENTS.md": {Text: "The default branch is `main`.\n"},
		"CODEOWNERS":    {Text: "* @acme/web\n"},
	})
	server, err := w.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	env := map[string]string{
		"GITHUB_TOKEN": "github_pat_of_the_test", "STEELYARD_GITHUB_URL": server.URL, "STEELYARD_DB": "sqlite:" + t.TempDir() + "/scan.db",
	}
	scan := func() (string, []lint.Finding) {
		t.Helper()
		var out, errs bytes.Buffer
		p := &program{
			stdin: strings.NewReader(""), stdout: &out, stderr: &errs, now: time.Now,
			env: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		}
		if code := p.run(t.Context(), []string{"scan", name, "--offline"}); code != 0 {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		found, err := p.lintItem(t.Context(), hubItem+name)
		if err != nil {
			t.Fatal(err)
		}
		return out.String(), slices.DeleteFunc(found.result.Findings, func(f lint.Finding) bool { return f.Rule != "IN003" })
	}

	out, findings := scan()
	if !strings.HasPrefix(out, "read main at ") {
		t.Errorf("the scan does not say which branch it read:\n%s", out)
	}
	if len(findings) != 1 || findings[0].Path != "AGENTS.md" || !strings.HasSuffix(findings[0].Message, "contradicts the repository: GitHub says main") {
		t.Errorf("findings are %v, want one about develop", findings)
	}
	w.Open(name, githubtest.Pull{Base: "develop"})
	if _, findings := scan(); len(findings) != 0 {
		t.Errorf("there is a branch develop, and findings are %v", findings)
	}
}
