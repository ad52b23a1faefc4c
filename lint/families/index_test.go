package families_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/rules"
)

// docsDir is where the rules' pages stand in the manual, beside their index
// docs/rules.md.
const docsDir = "../../docs"

// TestRuleDocs holds the manual's index of rules and its page for each rule to
// the pages in package rules; -update renews them.
func TestRuleDocs(t *testing.T) {
	pages, err := rules.All()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"rules.md": ruleIndex(pages)}
	for _, p := range pages {
		want["rules/"+p.ID+".md"] = ruleDoc(p)
	}
	if *update {
		if err := os.MkdirAll(filepath.Join(docsDir, "rules"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		full := filepath.Join(docsDir, name)
		if *update {
			if err := os.WriteFile(full, []byte(want[name]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(full)
		if err != nil {
			t.Errorf("%v; run go test ./lint/families -update", err)
			continue
		}
		if diff := cmp.Diff(want[name], string(got)); diff != "" {
			t.Errorf("%s is not what the page says; run go test ./lint/families -update (-want +got):\n%s", full, diff)
		}
	}
	leftOver, err := filepath.Glob(filepath.Join(docsDir, "rules", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range leftOver {
		if want["rules/"+filepath.Base(name)] == "" {
			t.Errorf("%s belongs to no rule", name)
		}
	}
}

// ruleDoc is a rule's page in the manual.
func ruleDoc(p rules.Page) string {
	fix := map[rules.FixSafety]string{
		rules.FixNone: "mended by hand", rules.FixSafe: "`--fix` mends what is safe", rules.FixUnsafe: "mended with a look at the result",
	}[p.Fix]
	text := fmt.Sprintf("<!-- Made from rules/%s.md by \"go test ./lint/families -update\"; do not edit. -->\n\n# %[1]s `%s`\n\n%s.\n\n%s · %s · since %s · %s · [all rules](../rules.md)\n\n%s",
		p.ID, p.Name, p.Title, p.Severity, p.Lifecycle, p.Since, fix, p.Markdown)
	if accepting := p.Accepting(); accepting != "" {
		text += "\n" + accepting
	}
	return strings.TrimRight(text, "\n") + "\n"
}

// familyNames are the headings of the index, by the letters of a rule's ID.
var familyNames = map[string]string{
	"CO": "Ownership", "DP": "New dependencies", "IN": "Instructions", "MC": "MCP configurations", "PM": "Permissions", "PR": "Pull requests", "SP": "Suppressions", "TS": "Tests",
}

func ruleIndex(pages []rules.Page) string {
	var b strings.Builder
	b.WriteString(`# Rules

What ` + "`steelyard lint`" + ` reports; [lint.md](lint.md) says how to run it and how to live with it. Each rule's page is shown by ` + "`steelyard explain RULE`" + `. This page is made from the rules' pages by ` + "`go test ./lint/families -update`" + `.

A finding is suppressed where it stands, by a comment of the file's own language on its line or the line above, with a reason and, if wanted, an end:

` + "```" + `
// steelyard: ignore MC002 until 2027-01-31 because the pin waits for their release
` + "```" + `

JSON with comments takes ` + "`//`" + `, TOML, YAML and CODEOWNERS take ` + "`#`" + `, Markdown takes ` + "`<!-- -->`" + `. A finding about a file as a whole is suppressed from anywhere in it. Plain JSON has no comments: there the configuration suppresses, under ` + "`lint.suppressions`" + `.
`)
	family := ""
	for _, p := range pages {
		if p.ID[:2] != family {
			family = p.ID[:2]
			fmt.Fprintf(&b, "\n## %s\n\n| rule | severity | name | what it says |\n| --- | --- | --- | --- |\n", familyNames[family])
		}
		fmt.Fprintf(&b, "| [%s](rules/%[1]s.md) | %s | `%s` | %s |\n", p.ID, p.Severity, p.Name, p.Title)
	}
	return b.String()
}
