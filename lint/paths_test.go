package lint_test

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
)

// ask runs one question on a tree through a rule.
func ask[T any](t *testing.T, tree fstest.MapFS, question func(p *lint.Pass) T) T {
	t.Helper()
	var answer T
	rule := lint.Rule{ID: "MC002", Check: func(p *lint.Pass) { answer = question(p) }}
	if _, err := lint.Run(t.Context(), tree, []lint.Rule{rule}, lint.Config{}); err != nil {
		t.Fatal(err)
	}
	return answer
}

func pathsTree() fstest.MapFS {
	link := func(target string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
	}
	return fstest.MapFS{
		".gitignore":                  {Data: []byte("dist/\n*.log\n!keep.log\n")},
		".gitmodules":                 {Data: []byte("[submodule \"x\"]\n\tpath = deps/x\n\turl = ../x\n")},
		"src/app/main.ts":             {},
		"packages/a/src/Index.ts":     {},
		"packages/a/.gitignore":       {Data: []byte("/generated\n")},
		"packages/b/src/index.ts":     {},
		".agents/skills/e2e/SKILL.md": {},
		".claude/skills":              link("../.agents/skills"),
		"loop":                        link("loop"),
		"out":                         link("../elsewhere"),
		"vendor/m/m.go":               {},
		"README.md":                   link("src/app/main.ts"),
	}
}

func TestEntry(t *testing.T) {
	type answer struct {
		Entry lint.Entry
		Path  string
	}
	for name, want := range map[string]answer{
		"src/app/main.ts":             {lint.Regular, "src/app/main.ts"},
		"./src/app/":                  {lint.Folder, "src/app"},
		"src/app/main.ts/x":           {lint.Absent, ""},
		"src/none":                    {lint.Absent, ""},
		".claude/skills/e2e/SKILL.md": {lint.Regular, ".agents/skills/e2e/SKILL.md"},
		".claude/skills/none":         {lint.Absent, ""},
		"README.md":                   {lint.Regular, "src/app/main.ts"},
		"loop":                        {lint.Beyond, "loop"},
		"out/x":                       {lint.Beyond, ""},
		"../x":                        {lint.Beyond, ""},
		"deps/x/y":                    {lint.Beyond, ""},
		"vendor/m/m.go":               {lint.Regular, "vendor/m/m.go"},
		".":                           {lint.Folder, "."},
	} {
		got := ask(t, pathsTree(), func(p *lint.Pass) answer {
			e, at := p.Entry(name)
			return answer{e, at}
		})
		if got != want {
			t.Errorf("Entry(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestIgnored(t *testing.T) {
	for name, want := range map[string]bool{
		"dist/x.js": true, "dist": true, "packages/b/dist/": true, "a.log": true, "keep.log": false,
		"packages/a/generated/x": true, "packages/b/generated": false, "src": false, ".": false, "../x": false,
	} {
		got := ask(t, pathsTree(), func(p *lint.Pass) bool { return p.Ignored(name) })
		if got != want {
			t.Errorf("Ignored(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestEndingAndFolded(t *testing.T) {
	got := ask(t, pathsTree(), func(p *lint.Pass) []string {
		return slices.Concat(p.Ending("src/index.ts"), p.Ending("src"), p.Folded("packages/A/src/index.ts"), p.Names("src"))
	})
	want := []string{
		"packages/b/src/index.ts", "packages/a/src", "packages/b/src", "src", "packages/a/src/Index.ts", "app",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
