package output_test

import (
	"fmt"
	"strings"
	"testing"

	"steelyard/lint"
	"steelyard/lint/output"
	"steelyard/rules"
)

// TestGroups wants files with the same fault shown as one, with where they lie,
// and everything else as it is.
func TestGroups(t *testing.T) {
	unowned := func(path string) lint.Finding {
		return lint.Finding{
			Rule: "CO001", Name: "unowned-governed-file", Severity: rules.Warning, Path: path, Line: 1, Column: 1,
			Message: "no pattern in CODEOWNERS gives this file an owner",
		}
	}
	other := unowned("a/CLAUDE.md")
	other.Message = "line 3 of CODEOWNERS takes this file's owner away"
	findings := []lint.Finding{other, unowned("AGENTS.md")}
	for i := range 5 {
		findings = append(findings, unowned(fmt.Sprintf("web/app/p%d/AGENTS.md", i)))
	}
	var text strings.Builder
	if err := output.Write(&text, "text", output.Check{Result: lint.Result{Findings: findings, Files: 9}}, output.Options{}); err != nil {
		t.Fatal(err)
	}
	const want = `a/CLAUDE.md:1:1: warning: line 3 of CODEOWNERS takes this file's owner away [CO001 unowned-governed-file]
6 files: warning: no pattern in CODEOWNERS gives this file an owner [CO001 unowned-governed-file]
      web/app/ 5 files
      AGENTS.md
      --output json names each file

0 errors, 7 warnings, 0 notes in 9 governed files.
`
	if got := text.String(); !strings.HasPrefix(got, want) {
		t.Errorf("text is\n%s\nwant\n%s", got, want)
	}
	text.Reset()
	if err := output.Write(&text, "text", output.Check{Result: lint.Result{Findings: findings[:4]}}, output.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(text.String(), "[CO001"); got != 4 {
		t.Errorf("few findings were put together: %d heads\n%s", got, text.String())
	}
}
