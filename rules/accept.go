package rules

import "strings"

// Accepting is Markdown that says how to accept a finding of the rule; it is
// empty for the rules about suppressions, whose findings cannot be accepted.
func (p Page) Accepting() string {
	if strings.HasPrefix(p.ID, "SP") {
		return ""
	}
	return strings.ReplaceAll(accepting, "RULE", p.ID)
}

const accepting = `## How to accept a finding

With a comment of the file's own language on the finding's line or the line above, a reason and, if wanted, a last day:

` + "```" + `
// steelyard: ignore RULE until 2027-01-31 because REASON
` + "```" + `

JSON with comments takes ` + "`//`" + `, TOML, YAML and CODEOWNERS take ` + "`#`" + `, Markdown takes ` + "`<!-- -->`" + `. For plain JSON, which has no comments, and for a file that is missing, in ` + "`steelyard.yaml`" + `:

` + "```yaml" + `
lint:
  suppressions:
    - rule: RULE
      path: PATH
      reason: REASON
` + "```" + `
`
