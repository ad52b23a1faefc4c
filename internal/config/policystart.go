package config

import (
	"fmt"
	"strings"
)

// PolicyFound is what lies in a folder already that a policy would be about.
type PolicyFound struct {
	// Servers are the MCP servers there, as policy.servers calls them.
	Servers []string
	// Risky are globs of folders in which a mistake costs more.
	Risky []string
	// Owner is who owns most, as @user or @organisation/team; "" where nobody
	// does.
	Owner string
}

// PolicyStart returns the policy section of a new settings file: what most
// teams can live with from the first day, with its reasons.
func PolicyStart(f PolicyFound) []byte {
	var b strings.Builder
	b.WriteString(`# What the team has agreed on, for "steelyard check". A change is held to the
# policy from before it. "steelyard explain PR002" and its like say more.
policy:
  # A pull request that was just opened has no review yet: that is a note. Once
  # the check is required and runs on pull_request_review too, say require.
  reviews: remind

  # Whoever approved has not seen what was pushed afterwards, and an assistant
  # pushes a lot. Say keep where a new approval after each push costs more.
  stale_approvals: dismiss

  # Reviewers read generated code with other eyes, and nobody can measure what
  # nobody says. The section stands in .github/pull_request_template.md.
  disclosure:
    section: AI assistance
    boxes: one

  # Assistants write much at once, and reviewers find less in a large change.
  # Tests, documentation, generated files and lockfiles are counted apart.
  size:
    lines: 400
    files: 40
    accepted_by: large-on-purpose

`)
	f.risky(&b)
	f.agents(&b)
	f.servers(&b)
	b.WriteString(`  # Instructions age. A file that says "reviewed: 2026-10-31" in front matter or
  # in a comment is due again after this long.
  guidelines:
    review_every: 180d
`)
	return []byte(b.String())
}

func (f PolicyFound) risky(b *strings.Builder) {
	who := f.Owner
	if who == "" {
		who = "@acme/security"
	}
	if len(f.Risky) == 0 {
		fmt.Fprintf(b, `  # Folders in which a mistake costs more than elsewhere. None was recognised.
  #risky_paths:
  #  - paths: [auth/**, "**/migrations/**"]
  #    reviewers: [%s]
  #    approvals: 2
  #    reason: a mistake here lets strangers in

`, quote(who))
		return
	}
	globs := make([]string, len(f.Risky))
	for i, g := range f.Risky {
		globs[i] = quote(g)
	}
	fmt.Fprintf(b, `  # Folders in which a mistake costs more than elsewhere, by their names. Add
  # reviewers: [%s] to say who must be among the two.
  risky_paths:
    - paths: [%s]
      approvals: 2
      reason: a mistake here is hard to take back

`, quote(who), strings.Join(globs, ", "))
}

func (f PolicyFound) agents(b *strings.Builder) {
	who := f.Owner
	if who == "" {
		who = "@acme/platform"
	}
	fmt.Fprintf(b, `  # Known agents are recognised by their accounts. Whoever asked one for a pull
  # request cannot be the only one to approve it, with or without these lines.
  #agents:
  #  accounts: ["acme-coder[bot]"]
  #  may_ask: [%s]
  #  may_approve: [%[1]s]

`, quote(who))
}

func (f PolicyFound) servers(b *strings.Builder) {
	if len(f.Servers) == 0 {
		b.WriteString(`  # Every MCP server reads what the assistant gives it. With this list, one that
  # is not on it is an error.
  #servers:
  #  - npm:@modelcontextprotocol/server-*
  #  - mcp.example.com

`)
		return
	}
	b.WriteString(`  # Every MCP server reads what the assistant gives it. These are configured
  # here today: take out what nobody wants. One that is not listed is an error.
  servers:
`)
	const most = 200
	for _, s := range f.Servers[:min(len(f.Servers), most)] {
		fmt.Fprintf(b, "    - %s\n", quote(s))
	}
	b.WriteString("\n")
}

// DisclosureSection is the section of a pull-request template that the policy
// of [PolicyStart] asks for.
const DisclosureSection = `## AI assistance

<!-- One of these at least. Reviewers look at generated code with other eyes. -->

- [ ] An assistant wrote some of this, and I have read and understood every line
- [ ] An assistant helped otherwise (questions, review, completion of lines)
- [ ] No assistant took part
`

// PullRequestTemplate is a template with that section.
const PullRequestTemplate = `## What and why

<!-- What changes, and why it should. -->

## How it was tried

<!-- The command, and what it showed. -->

` + DisclosureSection
