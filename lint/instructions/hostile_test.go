package instructions_test

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/tools/txtar"

	"steelyard/lint"
	"steelyard/lint/instructions"
)

func run(t testing.TB, tree fs.FS) lint.Result {
	t.Helper()
	res, err := lint.Run(t.Context(), tree, instructions.Rules(), lint.Config{Today: time.Date(2027, 1, 15, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// filled repeats a text up to a megabyte, in lines of at most 200 KB.
func filled(s string) string {
	const size, line = 1 << 20, 200 << 10
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(strings.Repeat(s, min(line/len(s)+1, (size-b.Len())/len(s)+1)))
		b.WriteByte('\n')
	}
	return b.String()
}

// TestHostile reads a megabyte of what costs readers most. The bound is far
// above what is measured, so that a busy machine does not fail it; what takes
// quadratic time takes hours.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("short: megabytes of hostile text")
	}
	const limit = 30 * time.Second
	for name, text := range map[string]string{
		"brackets":    filled("["),
		"links":       filled("[a](b"),
		"backticks":   filled("` "),
		"runs":        filled("` `` ``` ```` `````"),
		"quotes":      filled("> "),
		"lists":       filled("- "),
		"deep_lists":  strings.Repeat("- ", 30) + "x\n" + strings.Repeat(strings.Repeat(" ", 60)+"- y\n", 10_000),
		"comments":    filled("<!-- x --> "),
		"open":        filled("<!-- "),
		"tables":      filled("| a "),
		"rows":        "| a | b |\n| --- | --- |\n" + strings.Repeat("| `src/x.ts` | npm run y |\n", 40_000),
		"headings":    strings.Repeat("# Use single quotes\n", 50_000),
		"orders":      strings.Repeat("Use single quotes. Use double quotes.\n\n", 25_000),
		"paths":       strings.Repeat("See `src/none/a.ts` and `lib/b.ts`.\n\n", 25_000),
		"commands":    "```\n" + strings.Repeat("npm run none && make x | just y\n", 30_000) + "```\n",
		"imports":     filled("@a/b.md "),
		"versions":    filled("Node 12, Go 1.2, React 16 "),
		"invisible":   filled("\u200b"),
		"tags":        filled("\U000E0041"),
		"emphasis":    filled("*a_"),
		"sentences":   filled("a. B! "),
		"front":       "---\n" + strings.Repeat("a: b\n", 200_000) + "---\nx",
		"front_deep":  "---\na: " + strings.Repeat("[", 60_000) + "\n---\n",
		"front_bomb":  "---\na: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: &d [*c,*c]\ne: [*d,*d]\n---\n",
		"front_open":  "---\na: b\n" + filled("x"),
		"secrets":     filled("API_KEY=q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1 "),
		"cyrillic":    filled("`аc` "),
		"indent":      strings.Repeat(strings.Repeat(" ", 1000)+"x\n", 1000),
		"tilde_fence": strings.Repeat("~~~\nx\n", 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{
				"AGENTS.md": {Data: []byte(text)}, "CLAUDE.md": {Data: []byte(text)}, ".cursor/rules/x.mdc": {Data: []byte(text)},
				"package.json": {Data: []byte(`{"scripts": {"a": "b"}, "dependencies": {"react": "^19.0.0"}}`)},
				"Makefile":     {Data: []byte("a:\n")}, "src/x.ts": {}, "go.mod": {Data: []byte("module x\n\ngo 1.25\n")},
			}
			start := time.Now()
			run(t, tree)
			spent := time.Since(start)
			t.Logf("%v for three files of %d bytes", spent.Round(time.Millisecond), len(text))
			if spent > limit {
				t.Errorf("took %v, more than %v", spent, limit)
			}
		})
	}
}

// TestHostileFacts gives the readers of manifests what costs most.
func TestHostileFacts(t *testing.T) {
	if testing.Short() {
		t.Skip("short: megabytes of hostile manifests")
	}
	const limit = 30 * time.Second
	const orders = "Run `npm run x`, `make x`, `just x`, `task x`, `composer run x`, `deno task x`, `turbo run x`, `nx x y`. Indent with tabs. Node 1, Go 1.1, Python 2.0, React 1, PHP 5, Ruby 1, Java 5, Rust 1.0, Django 1.\n"
	for name, text := range map[string]string{
		"include":   strings.Repeat("include Makefile\n", 60_000),
		"variables": strings.Repeat("A = $(A)$(A)\nB := b\n$(A)%: c\n", 30_000),
		"targets":   strings.Repeat("a%b%c: d\n", 100_000),
		"nested":    strings.Repeat("{\"a\":", 200_000),
		"yaml":      "tasks: " + strings.Repeat("[", 100_000),
		"bomb":      "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: &d [*c,*c]\ntasks: {x: *d}\n",
		"scripts":   `{"scripts": {` + strings.Repeat(`"a": "b",`, 100_000) + `"x": ""}}`,
		"range":     `{"dependencies": {"react": "` + strings.Repeat("^1 || ", 100_000) + `"}, "engines": {"node": "` + strings.Repeat(">", 1000) + `"}}`,
		"sections":  strings.Repeat("[*.{a,b}]\nindent_style = tab\n", 3_000),
		"toml":      "[project]\nrequires-python = \"" + strings.Repeat(">=3,", 1000) + "\"\n" + strings.Repeat("a = 1\n", 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{"AGENTS.md": {Data: []byte(orders)}}
			for _, file := range manifests {
				tree[file] = &fstest.MapFile{Data: []byte(text)}
			}
			start := time.Now()
			run(t, tree)
			if spent := time.Since(start); spent > limit {
				t.Errorf("took %v, more than %v", spent, limit)
			}
		})
	}
}

// TestHostileImports lets hundreds of files import each other: each is looked at
// once from a document, not once for every way that leads to it.
func TestHostileImports(t *testing.T) {
	if testing.Short() {
		t.Skip("short: files that import each other")
	}
	const files, limit = 400, 30 * time.Second
	var all strings.Builder
	for i := range files {
		fmt.Fprintf(&all, "@f%d.md\n\n", i)
	}
	tree := fstest.MapFS{"CLAUDE.md": {Data: []byte("@f0.md\n\n@f399.md\n\n" + all.String())}}
	for i := range files {
		tree[fmt.Sprintf("f%d.md", i)] = &fstest.MapFile{Data: []byte(all.String() + "@CLAUDE.md\n")}
	}
	start := time.Now()
	res := run(t, tree)
	if spent := time.Since(start); spent > limit {
		t.Errorf("took %v, more than %v", spent, limit)
	}
	loops := 0
	for _, f := range res.Findings {
		if f.Rule == "IN007" && strings.Contains(f.Message, "leads back here") {
			loops++
		}
	}
	if loops != files+2 {
		t.Errorf("%d imports lead back, want all %d", loops, files+2)
	}
}

// TestLinksOutOfTree follows nothing that leads out or in a circle.
func TestLinksOutOfTree(t *testing.T) {
	link := func(target string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
	}
	tree := fstest.MapFS{
		"AGENTS.md": {Data: []byte("See `out/secret.ts`, `loop/a.ts` and `up/../x/y.ts`. @out/x.md\n")},
		"CLAUDE.md": {Data: []byte("@out/x.md @loop/y.md @../../etc/passwd.md\n")},
		"out":       link("/etc"), "loop": link("loop"), "up": link("../.."),
		"a\nb/AGENTS.md": {Data: []byte("See `src/none.ts`.\n")},
	}
	for _, f := range run(t, tree).Findings {
		if strings.Contains(f.Path, "a\nb") {
			continue
		}
		if strings.Contains(f.Message, "out/") || strings.Contains(f.Message, "loop/") || strings.Contains(f.Message, "passwd") {
			t.Errorf("a link out of the tree was judged: %v", f)
		}
	}
}

// maxSeed bounds a seed: longer ones cost time and reach nothing more.
const maxSeed = 4096

// seeds are the files of the cases, the long ones left out.
func seeds(f *testing.F) []txtar.File {
	f.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	var all []txtar.File
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range ar.Files {
			if len(file.Data) <= maxSeed && file.Name != "want" {
				all = append(all, file)
			}
		}
	}
	return all
}

// FuzzText gives any text to the readers of instructions, as two files that
// some assistant reads together; findings must stand in it.
func FuzzText(f *testing.F) {
	names := []string{"CLAUDE.md", ".cursor/rules/a.mdc", ".github/instructions/a.instructions.md", ".claude/skills/a/SKILL.md", ".github/agents/a.agent.md"}
	for i, file := range seeds(f) {
		f.Add(uint8(i), string(file.Data))
	}
	f.Fuzz(func(t *testing.T, other uint8, text string) {
		tree := fstest.MapFS{
			"package.json": {Data: []byte(`{"scripts": {"a": "b"}, "dependencies": {"react": "^19.0.0"}}`)}, "src/a.ts": {},
			"AGENTS.md": {Data: []byte(text)}, names[int(other)%len(names)]: {Data: []byte(text)},
		}
		lines := strings.Count(text, "\n") + 1
		for _, finding := range run(t, tree).Findings {
			if finding.Line < 1 || finding.Line > lines || finding.Column < 1 {
				t.Errorf("finding outside the text: %v", finding)
			}
		}
	})
}

// FuzzManifest gives any text to the reader of one manifest or settings file,
// beside instructions that make it look.
func FuzzManifest(f *testing.F) {
	for i, file := range seeds(f) {
		n := slices.Index(manifests, path.Base(file.Name))
		if n < 0 {
			n = i % len(manifests)
		}
		f.Add(uint8(n), string(file.Data))
	}
	const orders = "Run `npm run x`, `make x`, `just x`, `task x`, `composer run x`, `deno task x`, `turbo run x`, `nx x y` and `npm install`. Use single quotes. Indent with tabs.\n" +
		"Node 1, Go 1.1, Python 2.0, React 1, PHP 5, Ruby 1, Java 5, Rust 1.0, Django 1, Rails 1.\n"
	f.Fuzz(func(t *testing.T, n uint8, text string) {
		tree := fstest.MapFS{"AGENTS.md": {Data: []byte(orders)}, "turbo.json": {Data: []byte("{}")}, "nx.json": {Data: []byte("{}")}}
		tree[manifests[int(n)%len(manifests)]] = &fstest.MapFile{Data: []byte(text)}
		run(t, tree)
	})
}

// manifests are the files by which instructions are checked.
var manifests = []string{
	"package.json", "Makefile", "justfile", "Taskfile.yml", "composer.json", "deno.json", "go.mod", "pyproject.toml", "Cargo.toml", "Gemfile",
	"pom.xml", "global.json", ".nvmrc", ".tool-versions", ".prettierrc", ".editorconfig", "turbo.json", "nx.json", "project.json", ".gitmodules",
	".gitignore", "requirements.txt",
}
