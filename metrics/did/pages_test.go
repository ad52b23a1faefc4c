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

// TestMethodPages holds the pages of docs/methods to the examples that the
// compiler and the test runner have seen, and the index to the pages.
func TestMethodPages(t *testing.T) {
	folder := filepath.Join("..", "..", "docs", "methods")
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
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
		shown++
		if !strings.Contains(string(index), "("+name+")") {
			t.Errorf("README.md does not name %s", name)
		}
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := withExample(t, string(page), string(source))
		if want == string(page) {
			continue
		}
		if !*update {
			t.Errorf("the example of %s is not the one in example_test.go: run this test with -update", name)
			continue
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if examples := strings.Count(string(source), "\nfunc Example"); examples != shown {
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
		t.Fatalf("no %s in example_test.go", name[1])
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
