package rules

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const goodPage = `---
id: XY001
name: some-fault
title: Something is wrong
severity: warning
lifecycle: stable
fix: none
since: 0.1.0
---

## Why

Because ` + "`## Bad`" + ` things happen.

## Bad

` + "````markdown AGENTS.md" + `
A fence inside:

` + "```" + `
## Good
` + "```" + `
` + "````" + `

` + "```json .mcp.json" + `
{}
` + "```" + `

## Good

` + "```json .mcp.json" + `
{"a": 1}
` + "```" + `

## How to fix

Mend it.
`

func TestParsePage(t *testing.T) {
	got, err := parsePage("XY001.md", []byte(goodPage))
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(goodPage, "---\n\n")
	want := Page{
		ID: "XY001", Name: "some-fault", Title: "Something is wrong",
		Severity: Warning, Lifecycle: Stable, Fix: FixNone, Since: "0.1.0",
		Why: "Because `## Bad` things happen.",
		Bad: []Example{
			{Path: "AGENTS.md", Text: "A fence inside:\n\n```\n## Good\n```\n"},
			{Path: ".mcp.json", Text: "{}\n"},
		},
		Good:     []Example{{Path: ".mcp.json", Text: "{\"a\": 1}\n"}},
		HowToFix: "Mend it.", Markdown: body,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("page differs (-want +got):\n%s", diff)
	}
}

func TestParsePageRejects(t *testing.T) {
	frontAlone, _, _ := strings.Cut(goodPage, "\n## Why")
	replace := func(old, with string) string { return strings.Replace(goodPage, old, with, 1) }
	for name, test := range map[string]struct{ file, text, want string }{
		"unknown-key":        {"XY001.md", replace("fix: none", "fix: none\nowner: me"), "owner"},
		"no-front-matter":    {"XY001.md", "# Title\n", "first line"},
		"open-front-matter":  {"XY001.md", "---\nid: XY001\n", "not closed"},
		"other-file":         {"XY002.md", goodPage, `id "XY001" does not match`},
		"bad-id":             {"XY1.md", replace("XY001", "XY1"), "two letters"},
		"bad-name":           {"XY001.md", replace("some-fault", "Fault"), "hyphens"},
		"no-title":           {"XY001.md", replace("title: Something is wrong", "title: ' '"), "title"},
		"bad-severity":       {"XY001.md", replace("warning", "fatal"), "severity"},
		"bad-lifecycle":      {"XY001.md", replace("stable", "new"), "lifecycle"},
		"bad-fix":            {"XY001.md", replace("fix: none", "fix: maybe"), "fix"},
		"bad-since":          {"XY001.md", replace("0.1.0", "soon"), "since"},
		"missing-section":    {"XY001.md", replace("## How to fix\n\nMend it.\n", ""), "sections are"},
		"misplaced-section":  {"XY001.md", replace("## Why", "## How to fix"), "twice"},
		"empty-section":      {"XY001.md", replace("Mend it.\n", ""), "empty"},
		"text-before":        {"XY001.md", replace("## Why", "Hello.\n\n## Why"), "before the first section"},
		"example-no-path":    {"XY001.md", replace("```json .mcp.json", "```json"), "does not name a file"},
		"example-twice":      {"XY001.md", replace("````markdown AGENTS.md", "````markdown .mcp.json"), "twice"},
		"example-missing":    {"XY001.md", replace("```json .mcp.json\n{\"a\": 1}\n```", "none"), "no fenced block"},
		"front-matter-alone": {"XY001.md", frontAlone, "sections are"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parsePage(test.file, []byte(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestReadPagesRejectsSharedName(t *testing.T) {
	fsys := fstest.MapFS{
		"XY001.md": {Data: []byte(goodPage)},
		"XY002.md": {Data: []byte(strings.Replace(goodPage, "XY001", "XY002", 1))},
	}
	if _, err := readPages(fsys); err == nil || !strings.Contains(err.Error(), "belongs to XY001") {
		t.Errorf("error is %v, want one that names XY001", err)
	}
}

func TestGet(t *testing.T) {
	pages, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range pages {
		for _, key := range []string{want.ID, want.Name} {
			if got, ok := Get(key); !ok || got.ID != want.ID {
				t.Errorf("Get(%q) is %q, %v", key, got.ID, ok)
			}
		}
	}
	if _, ok := Get("MC999"); ok {
		t.Error("Get finds a rule that is not there")
	}
}

func TestGovernedFiles(t *testing.T) {
	if _, err := GovernedFiles(); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ text, want string }{
		"unknown-key":  {"- {path: a, kind: mcp, host: x, colour: red}", "colour"},
		"unknown-kind": {"- {path: a, kind: other}", "unknown kind"},
		"no-path":      {"- {kind: tasks}", "no path"},
		"no-host":      {"- {path: a, kind: mcp}", "host"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parseGoverned([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want one with %q", err, test.want)
			}
		})
	}
}

func FuzzParsePage(f *testing.F) {
	f.Add([]byte(goodPage))
	f.Add([]byte("---\nid: [\n---\n## Why\n```"))
	f.Fuzz(func(t *testing.T, text []byte) {
		page, err := parsePage("XY001.md", text)
		if err == nil && (page.ID != "XY001" || len(page.Bad) == 0 || len(page.Good) == 0) {
			t.Errorf("accepted an incomplete page: %+v", page)
		}
	})
}
