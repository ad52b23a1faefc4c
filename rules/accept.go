package rules

import "strings"

// Accepting is Markdown that says how to accept a finding of the rule; it is
// empty for the rules about suppressions, whose findings cannot be accepted.
func (p Page) Accepting() string {
	switch {
	case strings.HasPrefix(p.ID, "SP"):
		return ""
	case strings.HasPrefix(p.ID, "DP"):
		return acceptingDependency
	case strings.HasPrefix(p.ID, "TS"):
		return strings.ReplaceAll(acceptingTest, "RULE", p.ID)
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

// acceptingDependency is for findings about a package: what is decided about
// it holds in every manifest, most of which have no comments.
const acceptingDependency = `## How to accept a finding

With a decision about the package in ` + "`steelyard.yaml`" + `, with its reason and, if wanted, who decided and a last day. A ` + "`block`" + ` is answered only where ` + "`for`" + ` names it:

` + "```yaml" + `
dependencies:
  allow:
    - package: ECOSYSTEM:NAME
      for: [ask]
      reason: REASON
      owner: WHO
      until: 2027-01-31
` + "```" + `

A file that is no manifest is left out with ` + "`lint.exclude`" + `.
`

// acceptingTest is for findings about a change to tests: comments of source
// code are not read, and what is accepted is one change.
const acceptingTest = `## How to accept a finding

In ` + "`steelyard.yaml`" + `, with a reason and a last day, which may be the day of the merge. Comments in source code are not read:

` + "```yaml" + `
lint:
  suppressions:
    - rule: RULE
      path: PATH
      reason: REASON
      until: 2027-01-31
` + "```" + `
`
