package families_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"steelyard/lint"
	"steelyard/lint/families"
	"steelyard/rules"
)

var update = flag.Bool("update", false, "rewrite the want sections and docs/rules.md")

// today is the day on which every case runs.
var today = time.Date(2027, 1, 15, 0, 0, 0, 0, time.UTC)

// caseFiles returns the cases of every family.
func caseFiles(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../testdata/*.txtar", "../*/testdata/*.txtar", "../change/tests/testdata/*.txtar"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, names...)
	}
	if len(all) == 0 {
		t.Fatal("no cases")
	}
	return all
}

// TestCases lints the repository in each archive and compares the findings
// with its want section. Besides the repository's files an archive may hold
// "config" (JSON of [caseConfig]) and "links", lines of "path -> target".
func TestCases(t *testing.T) {
	for _, name := range caseFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tree, cfg := unpack(t, ar)
			res, err := lint.Run(t.Context(), tree, families.All(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(ar.Files, func(f txtar.File) bool { return f.Name == "want" })
			if at < 0 {
				t.Fatal("no want section")
			}
			got := render(res)
			if *update && got != string(ar.Files[at].Data) {
				ar.Files[at].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(ar.Files[at].Data), got); diff != "" {
				t.Errorf("findings differ (-want +got):\n%s", diff)
			}
		})
	}
}

// caseConfig is a configuration as a case writes it.
type caseConfig struct {
	Severities   map[string]rules.Severity `json:"severities"`
	Exclude      []string                  `json:"exclude"`
	Suppressions []lint.ConfigSuppression  `json:"suppressions"`
	Limits       lint.Limits               `json:"limits"`
	Committed    bool                      `json:"committed"`
	Strict       bool                      `json:"strict"`
}

func unpack(t *testing.T, ar *txtar.Archive) (fs.FS, lint.Config) {
	t.Helper()
	tree := fstest.MapFS{}
	cfg := lint.Config{Today: today}
	for _, f := range ar.Files {
		switch f.Name {
		case "want":
		case "config":
			var c caseConfig
			if err := json.Unmarshal(f.Data, &c); err != nil {
				t.Fatal(err)
			}
			cfg.Severities, cfg.Exclude, cfg.Suppressions, cfg.Limits, cfg.Committed, cfg.Strict = c.Severities, c.Exclude, c.Suppressions, c.Limits, c.Committed, c.Strict
		case "links":
			for line := range strings.Lines(string(f.Data)) {
				link, target, _ := strings.Cut(strings.TrimSpace(line), " -> ")
				tree[link] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
			}
		default:
			tree[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	cfg.Given = given(t, tree)
	return tree, cfg
}

// render is the one-line form of every finding, its other places below it, and
// what was skipped.
func render(res lint.Result) string {
	var b strings.Builder
	for _, f := range res.Findings {
		fmt.Fprintln(&b, f)
		for _, r := range f.Related {
			fmt.Fprintf(&b, "\t%s:%d:%d: %s\n", r.Path, r.Line, r.Column, r.Message)
		}
	}
	for _, s := range res.Skipped {
		fmt.Fprintf(&b, "skipped %s: %s\n", s.Path, s.Reason)
	}
	return b.String()
}

// TestParity wants a page and a case for each rule, a rule for each page, and
// for each case that is named like a rule a finding of that rule.
func TestParity(t *testing.T) {
	pages, err := rules.All()
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{}
	for _, name := range caseFiles(t) {
		id, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(name), ".txtar"), "-")
		cases[id] = name
	}
	described := map[string]bool{}
	for _, p := range pages {
		described[p.ID] = true
	}
	before := ""
	for _, r := range families.All() {
		if r.ID <= before {
			t.Errorf("rule %s is registered after %s", r.ID, before)
		}
		before = r.ID
		if !described[r.ID] {
			t.Errorf("rule %s has no page rules/%[1]s.md", r.ID)
		}
		delete(described, r.ID)
		name, ok := cases[r.ID]
		if !ok {
			t.Errorf("rule %s has no case testdata/%[1]s.txtar in its family", r.ID)
			continue
		}
		delete(cases, r.ID)
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(ar.Files[len(ar.Files)-1].Data), "["+r.ID+"]") {
			t.Errorf("case %s wants no finding of %s in its last section", name, r.ID)
		}
	}
	for id := range described {
		t.Errorf("page rules/%s.md describes a rule that is not registered", id)
	}
	for id, name := range cases {
		t.Errorf("case %s belongs to no rule %s", name, id)
	}
}

// TestPages runs what every page claims, under strict: its bad example breaks
// the rule, its good one does not.
func TestPages(t *testing.T) {
	pages, err := rules.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		t.Run(page.ID, func(t *testing.T) {
			if found := findingsOf(t, page.ID, page.Bad); len(found) == 0 {
				t.Errorf("the bad example does not break the rule")
			}
			for _, f := range findingsOf(t, page.ID, page.Good) {
				t.Errorf("the good example breaks the rule: %v", f)
			}
		})
	}
}

func findingsOf(t *testing.T, id string, example []rules.Example) []lint.Finding {
	t.Helper()
	tree := fstest.MapFS{}
	for _, file := range example {
		tree[file.Path] = &fstest.MapFile{Data: []byte(file.Text)}
	}
	res, err := lint.Run(t.Context(), tree, families.All(), lint.Config{Today: today, Strict: true, Given: given(t, tree)})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(res.Findings, func(f lint.Finding) bool { return f.Rule != id })
}
