package config

import (
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// The ways in which a pull request gets its team.
const (
	ByMembership = "membership"
	ByRepository = "repository"
)

// Teams says which team a pull request belongs to.
type Teams struct {
	// Placement is [ByMembership]: the team that the author was in when it was
	// opened; or [ByRepository]: the team that owns the repository.
	Placement string
	// GitHub are the GitHub teams that count, as organisation/slug.
	GitHub []string
	// Members place people, whatever GitHub says of them.
	Members []Member
	// Repositories give repositories to teams.
	Repositories []TeamRepositories
}

// Member places a person in a team for a time.
type Member struct {
	// Account is a login.
	Account string
	Team    string
	// From is the first and Until the last day (UTC); zero is open.
	From, Until time.Time
	Line        int
}

// TeamRepositories are the repositories of a team.
type TeamRepositories struct {
	Team string
	// Repositories are owner/name.
	Repositories []string
}

// Exclusion is a span of time that new pilots leave out, and why.
type Exclusion struct {
	// From is the first and Until the last day (UTC).
	From, Until time.Time
	Reason      string
	Line        int
}

const teamWanted = "a team's name of at most 100 characters"

func teamsKeys() []key {
	return []key{
		{
			name:     "placement",
			doc:      "How a pull request gets its team: membership is the team that its author was in when it was opened, repository the team that owns the repository.",
			fallback: ByMembership,
			set:      func(c *Config, v string) { c.Teams.Placement = v },
			shape:    shape{choices: []string{ByMembership, ByRepository}},
		},
		{
			name:    "github",
			doc:     "The GitHub teams that count, as organisation/slug; the slug is the team's name. Who is in several of them at once is in none.",
			example: "- acme/payments\n- acme/web",
			take:    func(c *Config, n *yaml.Node) { c.Teams.GitHub = texts(n) },
			shape: shape{kind: list, element: &shape{
				pattern: `^[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}$`, want: "organisation/slug such as acme/payments",
			}},
		},
		{
			name:    "members",
			doc:     "People whose team is said here, whatever GitHub says: for a time before GitHub knew it, or without any GitHub teams.",
			example: "- account: octocat\n  team: payments\n  from: 2026-03-01\n  until: 2026-08-31",
			take: func(c *Config, n *yaml.Node) {
				for _, e := range n.Content {
					c.Teams.Members = append(c.Teams.Members, Member{
						Account: scalarAt(e, "account"), Team: scalarAt(e, "team"),
						From: dayAt(e, "from"), Until: dayAt(e, "until"), Line: e.Line,
					})
				}
			},
			shape: shape{kind: list, element: &shape{kind: table, keys: memberKeys()}},
		},
		{
			name:    "repositories",
			doc:     "Which repositories a team owns, for placement by repository.",
			example: "- team: payments\n  repositories: [acme/payments, acme/billing]",
			take: func(c *Config, n *yaml.Node) {
				for _, e := range n.Content {
					t := TeamRepositories{Team: scalarAt(e, "team")}
					if all := at(e, "repositories"); all != nil {
						t.Repositories = texts(all)
					}
					c.Teams.Repositories = append(c.Teams.Repositories, t)
				}
			},
			shape: shape{kind: list, element: &shape{kind: table, keys: []key{
				{name: "team", doc: "The team's name.", required: true, shape: teamName},
				{
					name: "repositories", doc: "Its repositories, as owner/name.", required: true,
					shape: shape{kind: list, element: &shape{
						pattern: repositoryName.String(), want: "owner/name such as acme/payments",
					}},
				},
			}}},
		},
	}
}

var teamName = shape{pattern: `^\S.{0,98}\S$|^\S$`, want: teamWanted}

func memberKeys() []key {
	return []key{
		{
			name: "account", doc: "The person's login.", required: true,
			shape: shape{pattern: `^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$`, want: "a login such as octocat"},
		},
		{name: "team", doc: "The team.", required: true, shape: teamName},
		{name: "from", doc: "The first day in it; without it, from the beginning.", shape: day},
		{name: "until", doc: "The last day in it; without it, until today.", shape: day},
	}
}

var day = shape{kind: date, want: "a day such as 2027-01-31"}

func exclusionKeys() []key {
	return []key{
		{name: "from", doc: "The first day.", required: true, shape: day},
		{name: "until", doc: "The last day.", required: true, shape: day},
		{name: "reason", doc: "Why, for whoever reads a report.", required: true, shape: shape{want: "a sentence"}},
	}
}

func takeExclusions(c *Config, n *yaml.Node) {
	for _, e := range n.Content {
		c.Exclusions = append(c.Exclusions, Exclusion{
			From: dayAt(e, "from"), Until: dayAt(e, "until"), Reason: scalarAt(e, "reason"), Line: e.Line,
		})
	}
}

// dayAt is a day that was checked before; zero where there is none.
func dayAt(n *yaml.Node, path string) time.Time {
	t, err := time.Parse(time.DateOnly, scalarAt(n, path))
	if err != nil {
		return time.Time{}
	}
	return t
}

// contradictions reports what only several values together show to be wrong.
func (c *Config) contradictions(file string, root *yaml.Node) (problems Problems) {
	if root == nil {
		return nil
	}
	problems = append(problems, twice(file, KeyRepositories, at(root, KeyRepositories))...)
	problems = append(problems, twice(file, KeyOrganisations, at(root, KeyOrganisations))...)
	reversed := func(what string, line int, from, until time.Time) {
		if !from.IsZero() && !until.IsZero() && until.Before(from) {
			problems = append(problems, Problem{File: file, Line: line, Text: fmt.Sprintf("%s ends on %s, before it begins on %s", what, until.Format(time.DateOnly), from.Format(time.DateOnly))})
		}
	}
	for i, m := range c.Teams.Members {
		reversed("the membership", m.Line, m.From, m.Until)
		for _, other := range c.Teams.Members[:i] {
			if strings.EqualFold(m.Account, other.Account) && overlap(m, other) {
				problems = append(problems, Problem{File: file, Line: m.Line, Text: fmt.Sprintf("%s is in two teams at once: line %d says so too", clip(m.Account), other.Line), Hint: "end one membership before the other begins"})
			}
		}
	}
	for _, e := range c.Exclusions {
		reversed("the exclusion", e.Line, e.From, e.Until)
	}
	return append(append(problems, c.Serve.SignIn.contradictions(file, at(root, KeySignIn))...), c.Hours.contradictions(file)...)
}

func overlap(a, b Member) bool {
	return (a.Until.IsZero() || b.From.IsZero() || !a.Until.Before(b.From)) &&
		(b.Until.IsZero() || a.From.IsZero() || !b.Until.Before(a.From))
}
