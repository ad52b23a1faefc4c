package families_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/rules"
)

// TestRuleIndex holds docs/rules.md to the rules' pages.
func TestRuleIndex(t *testing.T) {
	const name = "../../docs/rules.md"
	pages, err := rules.All()
	if err != nil {
		t.Fatal(err)
	}
	want := ruleIndex(pages)
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is not what the pages say; run go test ./lint/families -update (-want +got):\n%s", name, diff)
	}
}

// familyNames are the headings of the index, by the letters of a rule's ID.
var familyNames = map[string]string{
	"CO": "Ownership", "IN": "Instructions", "MC": "MCP configurations", "SP": "Suppressions",
}

func ruleIndex(pages []rules.Page) string {
	var b strings.Builder
	b.WriteString(`# Rules

What ` + "`steelyard lint`" + ` reports. Each rule's page is shown by ` + "`steelyard explain RULE`" + `. This page is made from the rules' pages by ` + "`go test ./lint/families -update`" + `.

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
		fmt.Fprintf(&b, "| [%s](../rules/%[1]s.md) | %s | `%s` | %s |\n", p.ID, p.Severity, p.Name, p.Title)
	}
	return b.String()
}
