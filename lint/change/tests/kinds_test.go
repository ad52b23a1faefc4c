package tests_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"steelyard/lint/change/tests"
)

// TestKinds reads archives of small changes. A file is called
// "RULES/NAME/base/PATH" before its change and "RULES/NAME/PATH" after; RULES
// are those that the change breaks, joined by "+", or "none".
func TestKinds(t *testing.T) {
	archives, err := filepath.Glob("testdata/kinds/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives of kinds: %v", err)
	}
	for _, name := range archives {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		changes := map[string]map[string]*tests.File{}
		for _, f := range txtar.Parse(content).Files {
			parts := strings.SplitN(f.Name, "/", 3)
			if len(parts) < 3 {
				t.Fatalf("%s: %q is not RULES/NAME/PATH", name, f.Name)
			}
			key := parts[0] + "/" + parts[1]
			if changes[key] == nil {
				changes[key] = map[string]*tests.File{}
			}
			path, before := strings.CutPrefix(parts[2], "base/")
			if changes[key][path] == nil {
				changes[key][path] = &tests.File{Path: path}
			}
			if before {
				changes[key][path].Old = f.Data
			} else {
				changes[key][path].New = f.Data
			}
		}
		for _, key := range slices.Sorted(maps.Keys(changes)) {
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+key, func(t *testing.T) {
				rules, _, _ := strings.Cut(key, "/")
				want := strings.ReplaceAll(strings.TrimPrefix(rules, "none"), "+", " ")
				var files []tests.File
				for _, path := range slices.Sorted(maps.Keys(changes[key])) {
					files = append(files, *changes[key][path])
				}
				if got := broken(files); got != want {
					t.Errorf("got %q, want %q\n%v", got, want, tests.Compare(files))
				}
			})
		}
	}
}
