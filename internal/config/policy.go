package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// The words of policy.reviews and of policy.stale_approvals.
const (
	RemindReviews  = "remind"
	RequireReviews = "require"
	DismissStale   = "dismiss"
	KeepStale      = "keep"
)

// Policy is what a team has agreed on about changes and about its assistants'
// setup. Without an entry the rule behind it asks for nothing.
type Policy struct {
	// Reviews is [RemindReviews] or [RequireReviews].
	Reviews string
	// StaleApprovals is [DismissStale] or [KeepStale].
	StaleApprovals string
	Disclosure     Disclosure
	Size           Size
	Risky          []RiskyPaths
	OwnersOnly     []OwnedPaths
	Agents         Agents
	// Servers are the MCP servers that are approved; nil means that there is
	// no such list.
	Servers    []string
	Guidelines Guidelines
	// Lines are the lines of the entries in the file, by their dotted path.
	Lines map[string]int
}

// Disclosure is the part of a pull request's text that says whether an
// assistant took part.
type Disclosure struct {
	Section string // its heading; empty means that none is asked for
	Boxes   string // one, all or any
}

// Size bounds a pull request, in lines added and taken away; 0 is no bound.
type Size struct {
	Lines, Files, Tests, Docs int
	NotCounted                []string // globs
	AcceptedBy                string   // a label
}

// RiskyPaths are files whose changes need more than one pair of eyes.
type RiskyPaths struct {
	Paths     []string // globs
	Reviewers []string // @user or @organisation/team; one of them must approve
	Approvals int
	Reason    string
	Line      int
}

// OwnedPaths are files that only some people may change.
type OwnedPaths struct {
	Paths  []string // globs
	Owners []string // @user or @organisation/team
	Reason string
	Line   int
}

// Agents says who counts as an agent, who may ask one for a pull request, and
// who may approve it.
type Agents struct {
	Accounts           []string // logins, beside those that are known
	MayAsk, MayApprove []string // @user or @organisation/team; nil means everybody
}

// Guidelines says how often instructions are looked at again.
type Guidelines struct {
	ReviewEvery time.Duration // 0 means that only dates in the files count
	Paths       []string      // globs of the files that must carry a date
}

const (
	ownerPattern = `^@[A-Za-z0-9][A-Za-z0-9_-]{0,99}(/[A-Za-z0-9][A-Za-z0-9._-]{0,99})?$`
	ownerWanted  = "@user or @organisation/team"
	loginPattern = `^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$`
)

var (
	ownerShape  = shape{pattern: ownerPattern, want: ownerWanted}
	globShape   = shape{valid: validGlob, want: "a glob such as auth/**"}
	countShape  = shape{kind: whole, above: 0, upTo: 1_000_000, want: "a whole number, 1 or more"}
	reasonShape = shape{want: "a sentence"}
)

func policyKeys() []key {
	return []key{
		{
			name:     "reviews",
			doc:      "What a review that is still missing weighs: remind makes it a note, so that a pull request that was just opened does not fail; require makes it weigh what the rule weighs, for a check that must be green before the merge. In a merge queue it always does.",
			fallback: RemindReviews,
			set:      func(c *Config, v string) { c.Policy.Reviews = v },
			shape:    shape{choices: []string{RemindReviews, RequireReviews}},
		},
		{
			name:     "stale_approvals",
			doc:      "What the approval of an earlier commit is worth once more was pushed: dismiss lets only approvals of the last commit count, as the setting of branch protection does; keep lets every approval count that GitHub shows as one.",
			fallback: DismissStale,
			set:      func(c *Config, v string) { c.Policy.StaleApprovals = v },
			shape:    shape{choices: []string{DismissStale, KeepStale}},
		},
		{
			name: "disclosure", doc: "The section of the pull-request template in which people say whether an assistant took part.",
			shape: shape{kind: table, keys: disclosureKeys()},
		},
		{
			name: "size", doc: "How large a pull request may be, in lines added and taken away. Generated files and lockfiles never count.",
			shape: shape{kind: table, keys: sizeKeys()},
		},
		{
			name:    "risky_paths",
			doc:     "Files whose changes need a certain reviewer, or more than one.",
			example: "- paths: [auth/**, \"**/migrations/**\"]\n  reviewers: [\"@acme/security\"]\n  approvals: 2\n  reason: a mistake here lets strangers in",
			take:    takeRisky,
			shape:   shape{kind: list, element: &shape{kind: table, keys: riskyKeys()}},
		},
		{
			name:    "owners_only",
			doc:     "Files that only their owners may change: a pull request of anybody else that touches them is an error, whoever approves it.",
			example: "- paths: [LICENSE, release/**]\n  owners: [\"@acme/release\"]\n  reason: what we ship is signed by the release team",
			take:    takeOwnersOnly,
			shape:   shape{kind: list, element: &shape{kind: table, keys: ownersOnlyKeys()}},
		},
		{
			name: "agents", doc: "Pull requests that an agent opens. Known agents are recognised by their accounts.",
			shape: shape{kind: table, keys: agentKeys()},
		},
		{
			name:    "servers",
			doc:     "The MCP servers that are approved: a package as ECOSYSTEM:NAME (any version) or ECOSYSTEM:NAME@VERSION, an image as docker:NAME, a remote server by its host or its address, a program by its name; * stands for any part. Without the list, none is asked about.",
			example: "- npm:@modelcontextprotocol/server-*\n- mcp.example.com\n- docker:ghcr.io/acme/*",
			take: func(c *Config, n *yaml.Node) {
				c.Policy.Servers = append([]string{}, texts(n)...)
			},
			shape: shape{kind: list, element: &shape{pattern: `^\S{1,300}$`, want: "a server such as npm:@acme/search or mcp.example.com"}},
		},
		{
			name: "guidelines", doc: "When instructions are looked at again. A file says it in front matter or in a comment: review-by: 2027-01-31, or reviewed: 2026-10-31 for the interval below.",
			shape: shape{kind: table, keys: guidelineKeys()},
		},
	}
}

func disclosureKeys() []key {
	return []key{
		{
			name:    "section",
			doc:     "The heading of the section; a pull request must have it, filled in. Without one, nothing is asked for.",
			example: "AI assistance",
			set:     func(c *Config, v string) { c.Policy.Disclosure.Section = v },
			shape:   shape{pattern: `^\S(.{0,98}\S)?$`, want: "a heading of at most 100 characters"},
		},
		{
			name:     "boxes",
			doc:      "How many of the section's check boxes must be ticked: one (at least), all, or any number.",
			fallback: "one",
			set:      func(c *Config, v string) { c.Policy.Disclosure.Boxes = v },
			shape:    shape{choices: []string{"one", "all", "any"}},
		},
	}
}

func sizeKeys() []key {
	bound := func(name, doc, example string, set func(*Size, int)) key {
		return key{
			name: name, doc: doc, example: example, shape: countShape,
			set: func(c *Config, v string) {
				n, _ := strconv.Atoi(v) // checked before; empty is none
				set(&c.Policy.Size, n)
			},
		}
	}
	return []key{
		bound("lines", "Most lines of code.", "400", func(s *Size, n int) { s.Lines = n }),
		bound("files", "Most files of code.", "40", func(s *Size, n int) { s.Files = n }),
		bound("tests", "Most lines of tests; without it they are not bounded.", "1500", func(s *Size, n int) { s.Tests = n }),
		bound("docs", "Most lines of documentation; without it they are not bounded.", "1500", func(s *Size, n int) { s.Docs = n }),
		{
			name: "not_counted", doc: "Globs of further files that do not count.", example: "- \"**/*.snap\"",
			take:  func(c *Config, n *yaml.Node) { c.Policy.Size.NotCounted = texts(n) },
			shape: shape{kind: list, element: &globShape},
		},
		{
			name: "accepted_by", doc: "A label by which a reviewer accepts a pull request that is larger.", example: "large-on-purpose",
			set:   func(c *Config, v string) { c.Policy.Size.AcceptedBy = v },
			shape: shape{pattern: `^\S(.{0,98}\S)?$`, want: "a label's name"},
		},
	}
}

func riskyKeys() []key {
	return []key{
		{name: "paths", doc: "Globs of the files.", required: true, shape: shape{kind: list, element: &globShape}},
		{name: "reviewers", doc: "Who must approve: one of these people or teams. Without it, anybody counts.", shape: shape{kind: list, element: &ownerShape}},
		{name: "approvals", doc: "How many people must approve, the author aside; 1 where it is left out.", shape: shape{kind: whole, above: 0, upTo: 10, want: "a number from 1 to 10"}},
		{name: "reason", doc: "Why, for whoever is asked.", required: true, shape: reasonShape},
	}
}

func ownersOnlyKeys() []key {
	return []key{
		{name: "paths", doc: "Globs of the files.", required: true, shape: shape{kind: list, element: &globShape}},
		{name: "owners", doc: "Who may change them.", required: true, shape: shape{kind: list, element: &ownerShape}},
		{name: "reason", doc: "Why, for whoever wanted to change them.", required: true, shape: reasonShape},
	}
}

func agentKeys() []key {
	owners := func(name, doc string, set func(*Agents, []string)) key {
		return key{
			name: name, doc: doc, example: "- \"@acme/platform\"", shape: shape{kind: list, element: &ownerShape},
			take: func(c *Config, n *yaml.Node) { set(&c.Policy.Agents, texts(n)) },
		}
	}
	return []key{
		{
			name: "accounts", doc: "Accounts that count as agents beside those that are known.", example: "- acme-coder[bot]",
			take:  func(c *Config, n *yaml.Node) { c.Policy.Agents.Accounts = texts(n) },
			shape: shape{kind: list, element: &shape{pattern: loginPattern, want: "a login such as acme-coder[bot]"}},
		},
		owners("may_ask", "Who may ask an agent for a pull request; without it, everybody who can.", func(a *Agents, l []string) { a.MayAsk = l }),
		owners("may_approve", "Who may approve an agent's pull request; without it, everybody but the person who asked for it.", func(a *Agents, l []string) { a.MayApprove = l }),
	}
}

func guidelineKeys() []key {
	return []key{
		{
			name: "review_every", doc: "The longest time between two looks, in days; without it only a review-by date counts.", example: "180d",
			set: func(c *Config, v string) {
				days, _ := strconv.Atoi(strings.TrimSuffix(v, "d")) // checked before; empty is none
				c.Policy.Guidelines.ReviewEvery = time.Duration(days) * 24 * time.Hour
			},
			shape: shape{pattern: `^[1-9][0-9]{0,3}d$`, want: "days such as 180d"},
		},
		{
			name: "paths", doc: "Globs of the instructions that must carry a date.", example: "- AGENTS.md",
			take:  func(c *Config, n *yaml.Node) { c.Policy.Guidelines.Paths = texts(n) },
			shape: shape{kind: list, element: &globShape},
		},
	}
}

func takeRisky(c *Config, n *yaml.Node) {
	for _, e := range n.Content {
		r := RiskyPaths{Paths: textsAt(e, "paths"), Reviewers: textsAt(e, "reviewers"), Approvals: 1, Reason: scalarAt(e, "reason"), Line: e.Line}
		if text := scalarAt(e, "approvals"); text != "" {
			r.Approvals, _ = strconv.Atoi(text) // checked before
		}
		c.Policy.Risky = append(c.Policy.Risky, r)
	}
}

func takeOwnersOnly(c *Config, n *yaml.Node) {
	for _, e := range n.Content {
		c.Policy.OwnersOnly = append(c.Policy.OwnersOnly, OwnedPaths{
			Paths: textsAt(e, "paths"), Owners: textsAt(e, "owners"), Reason: scalarAt(e, "reason"), Line: e.Line,
		})
	}
}

// textsAt are the scalars of a list at a path; none where there is no list.
func textsAt(n *yaml.Node, path string) []string {
	if all := at(n, path); all != nil {
		return texts(all)
	}
	return nil
}

// Set reports whether the settings say anything about policy.
func (p Policy) Set() bool { return len(p.Lines) > 0 }

// policyLines notes where each entry of the policy stands.
func (c *Config) policyLines() {
	for path, from := range c.origins {
		if name, ok := strings.CutPrefix(path, "policy."); ok && from.Kind == FromFile {
			if c.Policy.Lines == nil {
				c.Policy.Lines = map[string]int{}
			}
			c.Policy.Lines[name] = from.Line
		}
	}
}

// policyValues are the settings of the policy by their dotted path.
func (c *Config) policyValues(values map[string]any) map[string]any {
	p := c.Policy
	values["policy.reviews"] = p.Reviews
	values["policy.stale_approvals"] = p.StaleApprovals
	values["policy.disclosure.section"] = p.Disclosure.Section
	values["policy.disclosure.boxes"] = p.Disclosure.Boxes
	for name, n := range map[string]int{"lines": p.Size.Lines, "files": p.Size.Files, "tests": p.Size.Tests, "docs": p.Size.Docs} {
		values["policy.size."+name] = idText(int64(n))
	}
	values["policy.size.not_counted"] = words(p.Size.NotCounted)
	values["policy.size.accepted_by"] = p.Size.AcceptedBy
	values["policy.risky_paths"] = p.riskyWords()
	values["policy.owners_only"] = p.ownersOnlyWords()
	values["policy.agents.accounts"] = words(p.Agents.Accounts)
	values["policy.agents.may_ask"] = words(p.Agents.MayAsk)
	values["policy.agents.may_approve"] = words(p.Agents.MayApprove)
	values["policy.servers"] = words(p.Servers)
	values["policy.guidelines.review_every"] = daysText(p.Guidelines.ReviewEvery)
	values["policy.guidelines.paths"] = words(p.Guidelines.Paths)
	return values
}

func daysText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}

func (p Policy) riskyWords() []string {
	all := []string{}
	for _, r := range p.Risky {
		who := "anybody"
		if len(r.Reviewers) > 0 {
			who = strings.Join(r.Reviewers, " or ")
		}
		all = append(all, fmt.Sprintf("%s: %d by %s because %s", strings.Join(r.Paths, ", "), r.Approvals, who, r.Reason))
	}
	return all
}

func (p Policy) ownersOnlyWords() []string {
	all := []string{}
	for _, o := range p.OwnersOnly {
		all = append(all, fmt.Sprintf("%s: only %s because %s", strings.Join(o.Paths, ", "), strings.Join(o.Owners, ", "), o.Reason))
	}
	return all
}
