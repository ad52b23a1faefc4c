package lint

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// paths walks a tree and returns the governed paths, and what was skipped.
func paths(t *testing.T, fsys fs.FS, cfg Config) (files, skipped []string) {
	t.Helper()
	tr, err := walk(t.Context(), fsys, cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range tr.files {
		files = append(files, f.Path)
	}
	for _, s := range tr.sortedSkips() {
		skipped = append(skipped, s.Path+": "+s.Reason)
	}
	return files, skipped
}

// mapTree makes a tree of empty files; "path=text" gives one its content.
func mapTree(list ...string) fstest.MapFS {
	tree := fstest.MapFS{}
	for _, entry := range list {
		name, text, _ := strings.Cut(entry, "=")
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return tree
}

func TestWalkFindsGoverned(t *testing.T) {
	want := []string{
		".claude/agents/reviewer.md", ".claude/rules/go/style.md", ".claude/settings.json", ".clinerules", ".codex/config.toml",
		".cursor/rules/a/b.mdc", ".devcontainer/devcontainer.json", ".github/CODEOWNERS", ".github/copilot-instructions.md",
		".github/instructions/go/style.instructions.md", ".github/workflows/copilot-setup-steps.yml", ".mcp.json",
		".roo/rules-code/a.md", "AGENTS.md", "a/b/c/AGENTS.md", "opencode.jsonc", "plugins/x/.mcp.json",
		"plugins/x/skills/y/SKILL.md", "team.code-workspace",
	}
	other := []string{
		"AGENTS.md.bak", "docs/agents.md", ".cursor/rules/readme.txt", "x/.github/CODEOWNERS", "docs/instructions/a.instructions.md",
		"node_modules/x/AGENTS.md", "vendor/x/.mcp.json", ".git/AGENTS.md", "src/main.go", "settings.json",
	}
	got, skipped := paths(t, mapTree(append(want, other...)...), Config{})
	if diff := cmp.Diff(want, got); diff != "" || skipped != nil {
		t.Errorf("governed files differ (-want +got):\n%s%v", diff, skipped)
	}
}

func TestWalkIgnores(t *testing.T) {
	tree := mapTree(
		".gitignore=# comment\n/build/\n*.code-workspace\n!keep.code-workspace\n.vscode/**\n!.vscode/mcp.json\n",
		"build/AGENTS.md", "sub/build/AGENTS.md", "a.code-workspace", "keep.code-workspace",
		".vscode/mcp.json", ".vscode/settings.json",
		"sub/.gitignore=/AGENTS.md\n!a.code-workspace\n", "sub/AGENTS.md", "sub/x/AGENTS.md", "sub/a.code-workspace",
	)
	got, _ := paths(t, tree, Config{})
	want := []string{".vscode/mcp.json", "keep.code-workspace", "sub/a.code-workspace", "sub/build/AGENTS.md", "sub/x/AGENTS.md"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("governed files differ (-want +got):\n%s", diff)
	}
	if got, _ = paths(t, tree, Config{Committed: true}); len(got) != 9 {
		t.Errorf("ignore files hide committed ones: %v", got)
	}
}

func TestWalkExcludes(t *testing.T) {
	tree := mapTree("AGENTS.md", "demo/sample/AGENTS.md", "demo/AGENTS.md", "a/testdata/b/AGENTS.md")
	got, _ := paths(t, tree, Config{Exclude: []string{"demo/sample/**", "**/testdata/**"}})
	if diff := cmp.Diff([]string{"AGENTS.md", "demo/AGENTS.md"}, got); diff != "" {
		t.Errorf("governed files differ (-want +got):\n%s", diff)
	}
}

func TestWalkBounds(t *testing.T) {
	deep := mapTree("AGENTS.md", "a/b/c/d/AGENTS.md", "a/AGENTS.md")
	for name, test := range map[string]struct {
		limits  Limits
		files   int
		skipped string
	}{
		"depth":    {Limits{Depth: 2}, 2, "a/b/c: more than 2 folders deep: the rest was not looked at"},
		"entries":  {Limits{Entries: 3}, 2, "a: repository of more than 3 files and folders: the rest was not looked at"},
		"governed": {Limits{Governed: 1}, 1, "a/AGENTS.md: more than 1 governed files: the rest was not looked at"},
	} {
		t.Run(name, func(t *testing.T) {
			files, skipped := paths(t, deep, Config{Limits: test.limits})
			if len(files) != test.files || len(skipped) != 1 || skipped[0] != test.skipped {
				t.Errorf("files %v, skipped %q; want %d files, %q", files, skipped, test.files, test.skipped)
			}
		})
	}
}

func TestFileBounds(t *testing.T) {
	tree := mapTree("AGENTS.md=" + strings.Repeat("a", 100))
	for name, test := range map[string]struct {
		text   string
		limits Limits
		want   string
	}{
		"bytes": {strings.Repeat("a\n", 60), Limits{FileBytes: 100}, "more than 100 bytes"},
		"line":  {strings.Repeat("a", 100), Limits{LineBytes: 50}, "line of more than 50 bytes"},
		"nul":   {"a\x00b", Limits{}, "not UTF-8"},
		"utf8":  {"a\xffb", Limits{}, "not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			tree["AGENTS.md"].Data = []byte(test.text)
			res, err := Run(t.Context(), tree, SuppressionRules(), Config{Limits: test.limits})
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Skipped) != 1 || !strings.Contains(res.Skipped[0].Reason, test.want) {
				t.Errorf("skipped %v, want one with %q", res.Skipped, test.want)
			}
		})
	}
}

// TestWalkNeverFollowsLinks lays links to a folder and to files outside and
// inside a real tree.
func TestWalkNeverFollowsLinks(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	write(t, outside, "AGENTS.md", "outside")
	write(t, outside, "package.json", "{}")
	write(t, dir, "docs/rules.md", "inside")
	link(t, outside, filepath.Join(dir, "folder"))
	link(t, filepath.Join(outside, "AGENTS.md"), filepath.Join(dir, "AGENTS.md"))
	link(t, "docs/rules.md", filepath.Join(dir, "CLAUDE.md"))
	link(t, "..", filepath.Join(dir, "docs/up"))
	link(t, filepath.Join(outside, "package.json"), filepath.Join(dir, "package.json"))
	fsys, err := DirFS(dir)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := walk(t.Context(), fsys, Config{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range tr.files {
		text, err := f.Bytes()
		got[f.Path] = string(text)
		if f.Link != "" && err == nil {
			t.Errorf("link %s was read", f.Path)
		}
	}
	want := map[string]string{"AGENTS.md": "", "CLAUDE.md": "", "docs/rules.md": "inside"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files differ (-want +got):\n%s", diff)
	}
	for _, name := range []string{"package.json", "folder/package.json", "docs/up/docs/rules.md", "../x", "/etc/passwd"} {
		if _, ok := tr.named(name); ok {
			t.Errorf("%s was reached through a link", name)
		}
	}
}

// TestTrackedFiles wants the files that git tracks, although they are ignored,
// from a real index and from one of version 4.
func TestTrackedFiles(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	for _, version := range []string{"2", "4"} {
		t.Run("version-"+version, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				".gitignore": ".vscode/\nCLAUDE.local.md\n", ".vscode/mcp.json": "{}", ".vscode/settings.json": "{}",
				"CLAUDE.local.md": "mine", "sub/AGENTS.md": "", "sub/AGENTS.override.md": "", "main.go": "",
			} {
				write(t, dir, name, text)
			}
			for _, args := range [][]string{
				{"init", "-q"}, {"config", "index.version", version}, {"add", "-A"}, {"add", "-f", ".vscode/mcp.json"},
			} {
				cmd := exec.CommandContext(t.Context(), git, args...)
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v\n%s", args, err, out)
				}
			}
			fsys, err := DirFS(dir)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := paths(t, fsys, Config{})
			if diff := cmp.Diff([]string{".vscode/mcp.json", "sub/AGENTS.md", "sub/AGENTS.override.md"}, got); diff != "" {
				t.Errorf("governed files differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDirFSNamesTheFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "file", "")
	for _, name := range []string{"missing", "file"} {
		if _, err := DirFS(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error is %v, want one that names %q", err, name)
		}
	}
}

func TestRunStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, mapTree("AGENTS.md"), nil, Config{}); err == nil {
		t.Error("a cancelled run has no error")
	}
}

// TestIndexPathsDoNotGrow writes an index of version 4 in which every path is
// the one before and a bit more.
func TestIndexPathsDoNotGrow(t *testing.T) {
	const entries = 1000
	data := append([]byte("DIRC"), 0, 0, 0, 4)
	data = binary.BigEndian.AppendUint32(data, entries)
	for range entries {
		data = append(data, make([]byte, 62)...)
		data = append(data, 0) // keep the whole path before
		data = append(data, strings.Repeat("a", 100)...)
		data = append(data, 0)
	}
	longest := 0
	readIndex(data, func(p []byte) { longest = max(longest, len(p)) })
	if longest == 0 || longest > maxIndexPath {
		t.Errorf("longest path has %d bytes, want some and at most %d", longest, maxIndexPath)
	}
}

func FuzzGitIndex(f *testing.F) {
	head := binary.BigEndian.AppendUint32([]byte("DIRC"), 2)
	entry := append(make([]byte, 60), 0, 9)
	f.Add(append(append(binary.BigEndian.AppendUint32(head, 1), entry...), "AGENTS.md\x00"...))
	f.Fuzz(func(t *testing.T, data []byte) {
		readIndex(data, func(p []byte) {
			if len(p) > maxIndexPath || bytes.IndexByte(p, 0) >= 0 {
				t.Errorf("impossible path %q", p)
			}
		})
	})
}

func FuzzGitignore(f *testing.F) {
	f.Add("*.md\n!/a/b\nfoo/**/bar/\n[a-z]*\n\\#x\n{a,b}", "foo/x/bar")
	f.Fuzz(func(t *testing.T, text, name string) {
		var list *ignoreList
		list.with("a", text).with("a/b", text).ignored("a/b/"+name, true)
	})
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	full := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkWalk lists a tree of 100,000 files with 200 governed ones among
// them, in 5,000 folders, and reads its git index if there is one.
func BenchmarkWalk(b *testing.B) {
	dir := b.TempDir()
	write(b, dir, ".gitignore", "dist/\n*.log\n/tmp/\n")
	for i := range 5000 {
		folder := fmt.Sprintf("packages/p%02d/src/m%03d", i%50, i/50)
		for k := range 19 {
			write(b, dir, fmt.Sprintf("%s/file%02d.ts", folder, k), "")
		}
		name := "index.test.ts"
		if i%25 == 0 {
			name = "AGENTS.md"
		}
		write(b, dir, folder+"/"+name, "Run the tests.\n")
	}
	b.ResetTimer()
	for b.Loop() {
		fsys, err := DirFS(dir)
		if err != nil {
			b.Fatal(err)
		}
		res, err := Run(b.Context(), fsys, SuppressionRules(), Config{})
		if err != nil || res.Files != 200 {
			b.Fatal(res.Files, err)
		}
	}
}

// TestWalkWaitsForNoPipe holds that a pipe in the index's place, which nobody
// writes to, is passed over.
func TestWalkWaitsForNoPipe(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".git/", ".gitignore=*.json\n", ".mcp.json={}", "AGENTS.md=x"} {
		name, text, file := strings.Cut(name, "=")
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if file {
			err = os.WriteFile(path, []byte(text), 0o644)
		} else if err == nil {
			err = os.MkdirAll(path, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("mkfifo", filepath.Join(dir, ".git", "index")).CombinedOutput(); err != nil {
		t.Skipf("mkfifo: %v: %s", err, out)
	}
	fsys, err := DirFS(dir)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := walk(t.Context(), fsys, Config{})
		ended <- err
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("the walk waits for a pipe")
	}
}
