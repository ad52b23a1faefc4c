package lint_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/rules"
)

// governed lists the governed files of a tree with their kinds; "-> x" as the
// text of one makes it a link.
func governed(t *testing.T, files map[string]string, cfg lint.Config) []string {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			tree[name] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
		}
	}
	cfg.Committed = true
	var found []string
	err := lint.Inspect(t.Context(), tree, cfg, func(pass *lint.Pass) error {
		for _, f := range pass.Files() {
			if f.Link == "" {
				found = append(found, f.Path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestLinks wants nothing that a link gives a governed name to be out of sight.
func TestLinks(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		cfg   lint.Config
		want  []string
	}{
		"a file":                {map[string]string{".mcp.json": "-> x/y.txt", "x/y.txt": ""}, lint.Config{}, []string{"x/y.txt"}},
		"behind another":        {map[string]string{".mcp.json": "-> a", "a": "-> b", "b": "-> x/y.txt", "x/y.txt": ""}, lint.Config{}, []string{"x/y.txt"}},
		"above a linked folder": {map[string]string{".mcp.json": "-> d/../y.txt", "d": "-> x/z", "x/z/k": "", "x/y.txt": "", "y.txt": ""}, lint.Config{}, []string{"x/y.txt"}},
		"up and out":            {map[string]string{".mcp.json": "-> d/../../y.txt", "d": "-> x", "x/k": "", "y.txt": ""}, lint.Config{}, nil},
		"a long way":            {map[string]string{".mcp.json": "-> " + strings.Repeat("x/../", 2000) + "y.txt", "x/k": "", "y.txt": ""}, lint.Config{}, nil},
		"in a linked folder":    {map[string]string{"CLAUDE.md": "-> a/y.txt", "a": "-> x", "x/y.txt": ""}, lint.Config{}, []string{"x/y.txt"}},
		"of others":             {map[string]string{".mcp.json": "-> vendor/x/y.txt", "vendor/x/y.txt": "", "vendor/x/AGENTS.md": ""}, lint.Config{}, []string{"vendor/x/y.txt"}},
		"excluded":              {map[string]string{".mcp.json": "-> sample/y.txt", "sample/y.txt": "", "sample/AGENTS.md": ""}, lint.Config{Exclude: []string{"sample/**"}}, []string{"sample/y.txt"}},
		"a folder":              {map[string]string{".claude": "-> x", "x/settings.json": "", "x/other.json": "", "x/rules/a.md": ""}, lint.Config{}, []string{"x/rules/a.md", "x/settings.json"}},
		"a folder in a folder":  {map[string]string{"web/.cursor/rules": "-> ../../x", "x/a/b.mdc": "", "x/readme.txt": ""}, lint.Config{}, []string{"x/a/b.mdc"}},
		"folders in a row":      {map[string]string{".claude": "-> x", "x/rules": "-> ../y", "y/a.md": ""}, lint.Config{}, []string{"y/a.md"}},
		"a folder of others":    {map[string]string{".claude": "-> vendor/x", "vendor/x/settings.json": ""}, lint.Config{}, []string{"vendor/x/settings.json"}},
		"another kind":          {map[string]string{".claude/rules": "-> ../docs", "docs/AGENTS.md": "", "docs/a.md": ""}, lint.Config{}, []string{"docs/AGENTS.md", "docs/a.md"}},
		"in letters":            {map[string]string{".Claude": "-> x", "x/settings.json": ""}, lint.Config{}, []string{"x/settings.json"}},
		"in a circle":           {map[string]string{".claude": "-> x", "x/rules": "-> ../.claude", "x/settings.json": ""}, lint.Config{}, []string{"x/settings.json"}},
		"to everything":         {map[string]string{".claude": "-> .", "settings.json": ""}, lint.Config{}, []string{"settings.json"}},
		"out of the tree":       {map[string]string{".claude": "-> ../x", ".mcp.json": "-> /etc/passwd"}, lint.Config{}, nil},
		"no governed name":      {map[string]string{"docs": "-> manual", "manual/CODEOWNERS": "", "lib": "-> x", "x/settings.json": ""}, lint.Config{}, nil},
		"the link is excluded":  {map[string]string{".claude": "-> x", "x/settings.json": ""}, lint.Config{Exclude: []string{".claude"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, governed(t, test.files, test.cfg)); diff != "" {
				t.Errorf("governed files differ (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLetterCase wants what a file system without letter case gives an assistant
// governed, and a page about an assistant left alone.
func TestLetterCase(t *testing.T) {
	files := map[string]string{
		".MCP.json": "", ".Claude/Settings.json": "", ".CURSOR/rules/a.mdc": "", "web/.Vscode/MCP.json": "", "claude.md": "", "Agents.MD": "", ".GitHub/Copilot-Instructions.md": "",
		"docs/claude.md": "", "docs/Agents.md": "", "codeowners": "", ".github/codeowners": "", "src/Mcp.json": "",
	}
	want := []string{
		".CURSOR/rules/a.mdc", ".Claude/Settings.json", ".GitHub/Copilot-Instructions.md", ".MCP.json", "Agents.MD", "claude.md", "web/.Vscode/MCP.json",
	}
	if diff := cmp.Diff(want, governed(t, files, lint.Config{})); diff != "" {
		t.Errorf("governed files differ (-want +got):\n%s", diff)
	}
}

// TestManyLinks wants a bound on what links lead to, and it said.
func TestManyLinks(t *testing.T) {
	tree := fstest.MapFS{}
	for i := range 200 {
		tree[fmt.Sprintf("x/%d.txt", i)] = &fstest.MapFile{}
	}
	for i := range 1000 {
		tree[fmt.Sprintf("%d/.claude", i)] = &fstest.MapFile{Data: []byte("../x"), Mode: fs.ModeSymlink | 0o777}
	}
	result, err := lint.Run(t.Context(), tree, nil, lint.Config{Committed: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Skipped) != 1 || !strings.Contains(result.Skipped[0].Reason, "links lead to more than 100000 files") || !result.Full {
		t.Errorf("skipped %v, full %v", result.Skipped, result.Full)
	}
}

// TestLetterCaseOfHosts wants a file that any host may read to be the one's whose
// folder it lies in, in whichever letters.
func TestLetterCaseOfHosts(t *testing.T) {
	tree := fstest.MapFS{".Roo/mcp.json": {}, ".roo/mcp.json": {}, "Roo/mcp.json": {}, ".Claude/Commands/AGENTS.md": {}}
	got := map[string]string{}
	err := lint.Inspect(t.Context(), tree, lint.Config{Committed: true}, func(pass *lint.Pass) error {
		for _, f := range pass.Files() {
			got[f.Path] = f.Host(rules.MCP)
			if f.Is(rules.Tasks) {
				got[f.Path] = "a task"
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{".Roo/mcp.json": "roo", ".roo/mcp.json": "roo", "Roo/mcp.json": "generic", ".Claude/Commands/AGENTS.md": "a task"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files differ (-want +got):\n%s", diff)
	}
}

// countedLists is a tree that counts how often its folders are listed.
type countedLists struct {
	fstest.MapFS
	lists map[string]int
}

func (c countedLists) ReadDir(name string) ([]fs.DirEntry, error) {
	c.lists[name]++
	return c.MapFS.ReadDir(name)
}

// TestLinksPastBound wants no folder of other people's files listed once more
// for each of the links that are past the bound.
func TestLinksPastBound(t *testing.T) {
	tree := countedLists{fstest.MapFS{}, map[string]int{}}
	for i := range 2000 {
		tree.MapFS[fmt.Sprintf("vendor/x/%d.txt", i)] = &fstest.MapFile{}
	}
	for i := range 200 {
		tree.MapFS[fmt.Sprintf("%d/.claude", i)] = &fstest.MapFile{Data: []byte("../vendor/x"), Mode: fs.ModeSymlink | 0o777}
	}
	result, err := lint.Run(t.Context(), tree, nil, lint.Config{Committed: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := tree.lists["vendor/x"]; got < 2 || got > 52 || !result.Full {
		t.Errorf("the folder was listed %d times, full %v", got, result.Full)
	}
}

// TestTestData takes a file that a link leads to for no test data, unless the
// link is such data itself.
func TestTestData(t *testing.T) {
	link := func(to string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink | 0o777}
	}
	tree := fstest.MapFS{
		".mcp.json": link("fixtures/a.json"), "fixtures/a.json": {}, "fixtures/.mcp.json": {},
		"web/.mcp.json": link("../fixtures/web/.mcp.json"), "fixtures/web/.mcp.json": {},
		"testdata/.mcp.json": link("b.json"), "testdata/b.json": {},
	}
	got := map[string]bool{}
	err := lint.Inspect(t.Context(), tree, lint.Config{Committed: true}, func(pass *lint.Pass) error {
		for _, f := range pass.Files() {
			if f.Link == "" {
				got[f.Path] = f.TestData()
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"fixtures/a.json": false, "fixtures/.mcp.json": true, "fixtures/web/.mcp.json": false, "testdata/b.json": true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("test data differ (-want +got):\n%s", diff)
	}
}

// TestKindsOfFolders wants a link in place of a governed folder to be governed.
func TestKindsOfFolders(t *testing.T) {
	kinds, err := lint.Kinds([]string{".claude", "a/.cursor/rules", ".CURSOR", "src", "docs", "skills", ".github", "a/rules", ".vscode"})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{".claude": true, "a/.cursor/rules": true, ".CURSOR": true, ".vscode": true, ".github": true, "src": false, "docs": false, "skills": false, "a/rules": false} {
		if got := kinds[path] != nil; got != want {
			t.Errorf("%s is governed: %v, want %v", path, got, want)
		}
	}
	if got := kinds[".claude"]; !slices.Contains(got, rules.Permissions) || !slices.Contains(got, rules.Instructions) {
		t.Errorf(".claude is of the kinds %v", got)
	}
}
