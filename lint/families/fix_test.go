package families_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"steelyard/lint"
	"steelyard/lint/families"
	"steelyard/rules"
)

// trees are the repositories of every case and of every page's examples, with
// the configuration they are linted with.
func trees(t *testing.T) (all map[string]fs.FS, configs map[string]lint.Config) {
	t.Helper()
	all, configs = map[string]fs.FS{}, map[string]lint.Config{}
	for _, name := range caseFiles(t) {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		key := strings.TrimSuffix(filepath.Base(name), ".txtar")
		all[key], configs[key] = unpack(t, ar)
	}
	pages, err := rules.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		for kind, example := range map[string][]rules.Example{"bad": page.Bad, "good": page.Good} {
			tree := fstest.MapFS{}
			for _, file := range example {
				tree[file.Path] = &fstest.MapFile{Data: []byte(file.Text)}
			}
			all[page.ID+"-page-"+kind], configs[page.ID+"-page-"+kind] = tree, lint.Config{Today: today}
		}
	}
	return all, configs
}

func lintTree(t *testing.T, tree fs.FS, cfg lint.Config) []lint.Finding {
	t.Helper()
	res, err := lint.Run(t.Context(), tree, families.All(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return res.Findings
}

// mended applies fixes until none is left.
func mended(t *testing.T, tree fs.FS, cfg lint.Config) map[string][]byte {
	t.Helper()
	texts := map[string][]byte{}
	for range 20 {
		changes, err := lint.Mend(lintTree(t, lint.Overlay{Below: tree, Files: texts}, cfg))
		if err != nil {
			t.Fatal(err)
		}
		if len(changes) == 0 {
			return texts
		}
		for _, c := range changes {
			texts[c.Path] = c.Text
		}
	}
	t.Fatal("mending does not come to an end")
	return nil
}

// TestFixes mends every case and every example. Nothing that can be mended may
// be left, and nothing may be found that was not found before: a fix that took a
// guard away would show as a finding. A page says that its rule's findings can
// be mended if and only if one of them is.
func TestFixes(t *testing.T) {
	all, configs := trees(t)
	fixed := map[string]bool{}
	for name, tree := range all {
		t.Run(name, func(t *testing.T) {
			before := lintTree(t, tree, configs[name])
			for _, f := range before {
				fixed[f.Rule] = fixed[f.Rule] || f.Fix != nil
			}
			texts := mended(t, tree, configs[name])
			for file, text := range texts {
				stillYAML(t, tree, file, text)
			}
			after := lintTree(t, lint.Overlay{Below: tree, Files: texts}, configs[name])
			for _, f := range after {
				if f.Fix != nil {
					if _, err := fs.ReadFile(tree, f.Path); err == nil && texts[f.Path] != nil {
						t.Errorf("left after mending: %v", f)
					}
				}
			}
			if n, m := len(before), len(after); m > n {
				t.Errorf("%d findings before mending, %d after", n, m)
			}
			for rule, n := range perRule(after) {
				if n > perRule(before)[rule] {
					t.Errorf("mending brings findings of %s: %d before, %d after", rule, perRule(before)[rule], n)
				}
			}
		})
	}
	pages, err := rules.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		if says := page.Fix == rules.FixSafe; says != fixed[page.ID] {
			t.Errorf("the page of %s says %q, and a case that is mended is there: %v", page.ID, page.Fix, fixed[page.ID])
		}
	}
}

func perRule(findings []lint.Finding) map[string]int {
	n := map[string]int{}
	for _, f := range findings {
		n[f.Rule]++
	}
	return n
}

// stillYAML holds that what was YAML before a fix is so after it: no rule of a
// configuration reports front matter that broke.
func stillYAML(t *testing.T, tree fs.FS, name string, text []byte) {
	t.Helper()
	read := map[string]func([]byte) (*lint.Node, error){".md": lint.ParseFrontMatter, ".yaml": lint.ParseYAML, ".yml": lint.ParseYAML}[filepath.Ext(name)]
	before, err := fs.ReadFile(tree, name)
	if read == nil || err != nil {
		return
	}
	if _, err := read(before); err != nil {
		return
	}
	if _, err := read(text); err != nil {
		t.Errorf("%s is no YAML after mending: %v\n%s", name, err, text)
	}
}
