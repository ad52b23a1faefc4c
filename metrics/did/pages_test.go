package did_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the examples of docs/methods")

var (
	exampleName = regexp.MustCompile("`(Example\\w+)` in")
	goBlock     = regexp.MustCompile("(?s)```go\n.*?```")
	textBlock   = regexp.MustCompile("(?s)```text\n.*?```")
)

// withoutExample are the pages that are about no single method.
var withoutExample = map[string]bool{"deviations.md": true, "size.md": true, "speed.md": true}

// exampleSource is the text of all files of examples.
func exampleSource(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("*example*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, path := range files {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(source)
	}
	return all.String()
}

// TestMethodPages holds the pages of docs/methods to the examples that the
// compiler and the test runner have seen, and the index to the pages.
func TestMethodPages(t *testing.T) {
	folder := filepath.Join("..", "..", "docs", "methods")
	source := exampleSource(t)
	index, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, path := range pages {
		name := filepath.Base(path)
		if name == "README.md" {
			continue
		}
		if !strings.Contains(string(index), "("+name+")") {
			t.Errorf("README.md does not name %s", name)
		}
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if withoutExample[name] {
			continue
		}
		shown++
		want := withExample(t, string(page), source)
		if want == string(page) {
			continue
		}
		if !*update {
			t.Errorf("the example of %s is not the one in the example files: run this test with -update", name)
			continue
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if examples := strings.Count(source, "\nfunc Example"); examples != shown {
		t.Errorf("%d pages for %d examples", shown, examples)
	}
}

// withExample puts the named example and its output into a page.
func withExample(t *testing.T, page, source string) string {
	t.Helper()
	name := exampleName.FindStringSubmatch(page)
	if name == nil {
		t.Fatalf("page names no example:\n%s", page)
	}
	_, body, ok := strings.Cut(source, "\nfunc "+name[1]+"() {\n")
	if !ok {
		t.Fatalf("no %s in the example files", name[1])
	}
	body, _, _ = strings.Cut(body, "\n}\n")
	code, output, ok := strings.Cut(body, "\t// Output:\n")
	if !ok {
		t.Fatalf("%s has no output", name[1])
	}
	code = strings.ReplaceAll("\n"+code, "\n\t", "\n")[1:]
	output = strings.ReplaceAll("\n"+output, "\n\t// ", "\n")[1:]
	page = goBlock.ReplaceAllLiteralString(page, "```go\n"+code+"```")
	return textBlock.ReplaceAllLiteralString(page, "```text\n"+output+"\n```")
}
