package dependencies_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"steelyard/lint/dependencies"
)

// TestHostileFiles reads a megabyte of what could make a reader slow: long
// lines, long chains, values that hold each other many times over.
func TestHostileFiles(t *testing.T) {
	const size = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	numbered := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, files := range map[string]map[string]string{
		"continued lines":      {"requirements.txt": fill("a\\\n")},
		"comments":             {"requirements.txt": "a\n" + fill("# via\n")},
		"one line of flow":     {"pnpm-workspace.yaml": "catalog: {" + numbered("a%d: 1, ") + "z: 1}"},
		"many steps":           {".github/workflows/a.yml": "jobs: {a: {steps: [" + numbered("{uses: a/b%d}, ") + "{uses: a/b}]}}"},
		"properties":           {"pom.xml": "<project><properties><v>" + strings.Repeat("x", size/2) + "</v></properties><dependencies>" + strings.Repeat("<dependency><groupId>"+strings.Repeat("${v}", 50)+"</groupId><artifactId>a</artifactId></dependency>", 1500) + "</dependencies></project>"},
		"build arguments":      {"Dockerfile": "ARG A=" + strings.Repeat("x", size/2) + "\nFROM " + strings.Repeat("${A}", size/8) + "\n"},
		"nested JSON":          {"package.json": `{"overrides": ` + fill(`{"a":`)},
		"nested lockfile":      {"package-lock.json": fill(`{"dependencies":{"a":`)},
		"nested XML":           {"a.csproj": fill("<a>")},
		"nested YAML":          {"action.yml": fill("[")},
		"aliases":              {"action.yml": "a: &a [x]\n" + numbered("b%d: &b%[1]d [*a, *a]\n")},
		"many tables":          {"pyproject.toml": numbered("[a%d]\n")},
		"catalogs":             {"package.json": `{"catalogs": {` + strings.TrimSuffix(numbered(`"c%d": {"a": "1"},`), ",") + `}, "dependencies": {"a": "catalog:c9"}}`},
		"names":                {"yarn.lock": numbered("a%d@1:\n  version \"1.0.0\"\n")},
		"one long name":        {"go.sum": fill("a"), "Gemfile": `gem "` + fill("a") + `"`},
		"packages":             {"Cargo.lock": numbered("[[package]]\nname = \"a%d\"\nversion = \"1\"\n")},
		"globs of a workspace": workspaces(strings.Repeat("{a,a}", 24) + "**"),
		"many globs":           workspaces(strings.Repeat("{*,**}", 9) + "x"),
		"files that name each": {"requirements.txt": numbered("-r requirements%d.txt\n")},
	} {
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{}
			for path, text := range files {
				tree[path] = &fstest.MapFile{Data: []byte(text)}
			}
			start := time.Now()
			found, err := dependencies.Read(t.Context(), tree, dependencies.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			dependencies.Compare(dependencies.Tree{}, found)
			took := time.Since(start)
			t.Logf("%d entries, %d unread, in %s", len(found.Dependencies), len(found.Unread), took.Round(time.Millisecond))
			if took > 20*time.Second { // a second where the machine is its own
				t.Errorf("took %s", took)
			}
		})
	}
}

// workspaces nests folders of packages that all have the globs of a workspace
// and depend on each other.
func workspaces(glob string) map[string]string {
	files := map[string]string{}
	globs := strings.TrimSuffix(strings.Repeat(fmt.Sprintf("%q,", glob), 100), ",")
	for i := range 60 {
		dir := strings.Repeat("a/", i)
		files[dir+"package.json"] = fmt.Sprintf(`{"name": "w%d", "workspaces": [%s], "dependencies": {"w%d": "1"}}`, i, globs, i)
		for j := range 30 {
			files[fmt.Sprintf("%sp%d/package.json", dir, j)] = fmt.Sprintf(`{"name": "p%d", "dependencies": {"p%d": "1"}}`, j, i%30)
		}
	}
	return files
}

// TestExclude refuses patterns that name nothing, or too much to be tried.
func TestExclude(t *testing.T) {
	tree := fstest.MapFS{"a/go.mod": {Data: []byte("module a\nrequire b.example/c v1.0.0\n")}}
	for pattern, want := range map[string]bool{
		"a/**": true, "{a,b}/**": true, strings.Repeat("{a,a}", 24): false, "[": false, "": true,
	} {
		if _, err := dependencies.Read(t.Context(), tree, dependencies.ReadOptions{Exclude: []string{pattern}}); (err == nil) != want {
			t.Errorf("exclude %.40q: %v, want it accepted: %v", pattern, err, want)
		}
	}
}
