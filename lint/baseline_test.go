package lint_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
)

func found(rule, path string, line int, text string) lint.Finding {
	return lint.Finding{Rule: rule, Path: path, Line: line, Column: 1, Snippet: text}
}

// paths are the places of findings, in their order.
func placesOf(findings []lint.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		b.WriteString(f.Rule + " " + f.Path + "|")
	}
	return b.String()
}

// TestBaseline wants known findings known wherever their line moves, and every
// other one new.
func TestBaseline(t *testing.T) {
	before := []lint.Finding{
		found("MC002", ".mcp.json", 3, `  "a": {"command": "npx"}`), found("MC002", ".mcp.json", 4, `  "a": {"command": "npx"}`),
		found("CO001", "AGENTS.md", 1, ""), found("IN006", "old/AGENTS.md", 9, "See docs/x.md."),
	}
	var file bytes.Buffer
	if err := lint.NewBaseline(before).Write(&file); err != nil {
		t.Fatal(err)
	}
	base, err := lint.ReadBaseline(&file)
	if err != nil {
		t.Fatal(err)
	}
	gone := func(path string) bool { return strings.HasPrefix(path, "old/") }
	for name, test := range map[string]struct {
		now   []lint.Finding
		gone  func(string) bool
		fresh string
		left  int
	}{
		"same":      {before, nil, "", 0},
		"moved":     {[]lint.Finding{found("MC002", ".mcp.json", 30, "\t\"a\":  {\"command\": \"npx\"}  ")}, nil, "", 3},
		"third":     {append([]lint.Finding{found("MC002", ".mcp.json", 5, `"a": {"command": "npx"}`)}, before...), nil, "MC002 .mcp.json|", 0},
		"other":     {[]lint.Finding{found("MC002", ".mcp.json", 3, `"b": {"command": "npx"}`)}, nil, "MC002 .mcp.json|", 4},
		"rule":      {[]lint.Finding{found("MC003", ".mcp.json", 3, `"a": {"command": "npx"}`)}, nil, "MC003 .mcp.json|", 4},
		"whole":     {[]lint.Finding{found("CO001", "CLAUDE.md", 1, "")}, gone, "CO001 CLAUDE.md|", 4},
		"renamed":   {[]lint.Finding{found("IN006", "new/AGENTS.md", 2, "See docs/x.md.")}, gone, "", 3},
		"copied":    {[]lint.Finding{found("IN006", "new/AGENTS.md", 2, "See docs/x.md.")}, nil, "IN006 new/AGENTS.md|", 4},
		"all-fixed": {nil, nil, "", 4},
	} {
		t.Run(name, func(t *testing.T) {
			fresh, known, left := base.Split(test.now, test.gone)
			if got := placesOf(fresh); got != test.fresh || left != test.left || len(fresh)+len(known) != len(test.now) {
				t.Errorf("new are %q, %d known, %d left; want %q and %d left", got, len(known), left, test.fresh, test.left)
			}
		})
	}
}

func TestBaselineFile(t *testing.T) {
	var file bytes.Buffer
	err := lint.NewBaseline([]lint.Finding{found("CO001", "b.md", 1, ""), found("MC001", "a.json", 2, `  "k": "****6Pj1"`), found("CO001", "b.md", 1, "")}).Write(&file)
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "version": 1,
  "findings": [
    {"rule":"MC001","path":"a.json","line":"\"k\": \"****6Pj1\"","count":1},
    {"rule":"CO001","path":"b.md","count":2}
  ]
}
`
	if diff := cmp.Diff(want, file.String()); diff != "" {
		t.Errorf("file differs (-want +got):\n%s", diff)
	}
	for name, test := range map[string]struct{ text, want string }{
		"no-json":     {"findings", "not what --write-baseline writes"},
		"version":     {`{"version": 9, "findings": []}`, "version is 9"},
		"unknown-key": {`{"version": 1, "findings": [], "x": 1}`, `unknown field "x"`},
		"no-rule":     {`{"version": 1, "findings": [{"path": "a", "count": 1}]}`, "finding 1 needs a rule"},
		"no-count":    {`{"version": 1, "findings": [{"rule": "MC001", "path": "a"}]}`, "finding 1 needs"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := lint.ReadBaseline(strings.NewReader(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want one with %q", err, test.want)
			}
		})
	}
}

func FuzzReadBaseline(f *testing.F) {
	f.Add(`{"version": 1, "findings": [{"rule": "MC001", "path": "a", "line": "x", "count": 2}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := lint.ReadBaseline(strings.NewReader(text))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := b.Write(&out); err != nil {
			t.Fatal(err)
		}
		if _, err := lint.ReadBaseline(&out); err != nil {
			t.Errorf("what was written cannot be read: %v", err)
		}
	})
}

// TestBaselineOr counts what both know once.
func TestBaselineOr(t *testing.T) {
	same := func(n int) (list []lint.Finding) {
		for range n {
			list = append(list, found("MC002", ".mcp.json", 3, `"a": {}`))
		}
		return list
	}
	other := found("IN006", "AGENTS.md", 9, "See docs/x.md.")
	both := lint.NewBaseline(same(2)).Or(lint.NewBaseline(append(same(1), other)))
	fresh, known, left := both.Split(append(same(3), other), nil)
	if placesOf(fresh) != "MC002 .mcp.json|" || len(known) != 3 || left != 0 {
		t.Errorf("new are %s of %d known, %d left", placesOf(fresh), len(known), left)
	}
	if fresh, _, _ := (lint.Baseline{}).Or(lint.Baseline{}).Split(same(1), nil); len(fresh) != 1 {
		t.Error("nothing knows something")
	}
}
