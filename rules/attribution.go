package rules

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Level says what a signal of an assistant claims. The levels are kept apart,
// never added up.
type Level string

// The levels, the strongest first.
const (
	Authored   Level = "authored"    // written under the assistant's own account
	CoAuthored Level = "co-authored" // the assistant says that it took part
	Suggestion Level = "suggestion"  // an AI reviewer's suggestion was accepted
	Inferred   Level = "inferred"    // a name that a person could have chosen too
)

// Role says what an account does that is no person's.
type Role string

// The roles.
const (
	Agent    Role = "agent"    // opens pull requests and writes commits
	Reviewer Role = "reviewer" // comments and suggests
	Bot      Role = "bot"      // automation without an assistant
)

// Attribution is the table of signals by which a pull request shows that an
// assistant took part. Every row has its source. The caller must not change it.
type Attribution struct {
	Tools     []Tool       `yaml:"tools"`
	Accounts  []AccountRow `yaml:"accounts"`
	Mailboxes []MailboxRow `yaml:"mailboxes"`
	Names     []NameRow    `yaml:"names"`
	Branches  []BranchRow  `yaml:"branches"`
	Footers   []FooterRow  `yaml:"footers"`
	Links     []LinkRow    `yaml:"links"`
	Trailers  []TrailerRow `yaml:"trailers"`
	Labels    []LabelRow   `yaml:"labels"`
}

// Tool is an assistant. Aliases are what a trailer's value may call it, lower
// case.
type Tool struct {
	ID      string   `yaml:"id"`
	Name    string   `yaml:"name"`
	Aliases []string `yaml:"aliases"`
}

// AccountRow is an account that is no person's. Login is as GraphQL writes it,
// without "[bot]"; ID is 0 where it is not known; User is set where GitHub says
// that the account is a User's. Tool is empty for a bot without an assistant.
type AccountRow struct {
	Tool   string `yaml:"tool"`
	Login  string `yaml:"login"`
	ID     int64  `yaml:"id"`
	User   bool   `yaml:"user"`
	Role   Role   `yaml:"role"`
	Source string `yaml:"source"`
}

// MailboxRow is an exact mailbox, lower case.
type MailboxRow struct {
	Tool    string `yaml:"tool"`
	Address string `yaml:"address"`
	Level   Level  `yaml:"level"`
	Source  string `yaml:"source"`
}

// NameRow is the end of a commit author's name.
type NameRow struct {
	Tool   string `yaml:"tool"`
	Suffix string `yaml:"suffix"`
	Level  Level  `yaml:"level"`
	Source string `yaml:"source"`
}

// BranchRow is the beginning of a head branch, with its slash.
type BranchRow struct {
	Tool   string `yaml:"tool"`
	Prefix string `yaml:"prefix"`
	Level  Level  `yaml:"level"`
	Source string `yaml:"source"`
}

// FooterRow is text that the tool writes into the body.
type FooterRow struct {
	Tool   string `yaml:"tool"`
	Text   string `yaml:"text"`
	Level  Level  `yaml:"level"`
	Source string `yaml:"source"`
}

// LinkRow is an address, without its scheme, under which the tool's sessions
// lie.
type LinkRow struct {
	Tool    string `yaml:"tool"`
	Address string `yaml:"address"`
	Level   Level  `yaml:"level"`
	Source  string `yaml:"source"`
}

// TrailerRow is a trailer "Key: value". An empty Value takes any; an empty Tool
// is read from the value.
type TrailerRow struct {
	Tool   string `yaml:"tool"`
	Key    string `yaml:"key"`
	Value  string `yaml:"value"`
	Level  Level  `yaml:"level"`
	Source string `yaml:"source"`
}

// LabelRow is a label's exact name, lower case. Tool may be empty.
type LabelRow struct {
	Tool   string `yaml:"tool"`
	Name   string `yaml:"name"`
	Level  Level  `yaml:"level"`
	Source string `yaml:"source"`
}

var loadAttribution = sync.OnceValues(func() (Attribution, error) {
	text, err := files.ReadFile("attribution.yaml")
	if err != nil {
		return Attribution{}, fmt.Errorf("read attribution.yaml: %w", err)
	}
	return parseAttribution(text)
})

// AttributionTable returns the table of signals. It is decoded once; an error
// names the row and what is wrong with it. The caller must not change it.
func AttributionTable() (Attribution, error) { return loadAttribution() }

func parseAttribution(text []byte) (Attribution, error) {
	var a Attribution
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&a); err != nil {
		return Attribution{}, fmt.Errorf("read attribution.yaml: %w", err)
	}
	if err := a.check(); err != nil {
		return Attribution{}, fmt.Errorf("attribution.yaml: %w", err)
	}
	return a, nil
}

// check wants known tools, levels and roles, a source on every row, no row
// twice, and values in the form in which they are compared.
func (a Attribution) check() error {
	tools := map[string]bool{}
	for _, t := range a.Tools {
		if t.ID == "" || t.Name == "" || tools[t.ID] {
			return fmt.Errorf("tool %q: needs a name and an id of its own", t.ID)
		}
		tools[t.ID] = true
	}
	c := rowCheck{tools: tools, seen: map[string]bool{}}
	for _, r := range a.Accounts {
		c.row("account", fmt.Sprint(r.Login, " ", r.ID), r.Tool, Authored, r.Source, r.Role != Bot)
		c.want(r.Role == Agent || r.Role == Reviewer || r.Role == Bot, "account", r.Login, "unknown role %q", r.Role)
		c.want(!strings.HasSuffix(r.Login, "[bot]"), "account", r.Login, "write the login without [bot]")
	}
	for _, r := range a.Mailboxes {
		c.row("mailbox", r.Address, r.Tool, r.Level, r.Source, true)
		c.want(strings.Count(r.Address, "@") == 1 && r.Address == strings.ToLower(r.Address), "mailbox", r.Address, "not a mailbox in lower case")
	}
	for _, r := range a.Names {
		c.row("name", r.Suffix, r.Tool, r.Level, r.Source, true)
	}
	for _, r := range a.Branches {
		c.row("branch", r.Prefix, r.Tool, r.Level, r.Source, true)
		c.want(strings.HasSuffix(r.Prefix, "/"), "branch", r.Prefix, "a prefix ends in a slash")
	}
	for _, r := range a.Footers {
		c.row("footer", r.Text, r.Tool, r.Level, r.Source, true)
	}
	for _, r := range a.Links {
		c.row("link", r.Address, r.Tool, r.Level, r.Source, true)
		c.want(strings.Contains(r.Address, "/") && !strings.Contains(r.Address, "://"), "link", r.Address, "needs a host and a path, no scheme")
	}
	for _, r := range a.Trailers {
		c.row("trailer", r.Key+": "+r.Value, r.Tool, r.Level, r.Source, r.Value != "")
	}
	for _, r := range a.Labels {
		c.row("label", r.Name, r.Tool, r.Level, r.Source, false)
		c.want(r.Name == strings.ToLower(r.Name), "label", r.Name, "not in lower case")
	}
	return errors.Join(c.problems...)
}

type rowCheck struct {
	tools    map[string]bool
	seen     map[string]bool
	problems []error
}

func (c *rowCheck) row(kind, value, tool string, level Level, source string, needsTool bool) {
	key := kind + "\x00" + strings.ToLower(value)
	c.want(strings.Trim(value, " :") != "", kind, value, "is empty")
	c.want(!c.seen[key], kind, value, "stands twice")
	c.want(source != "", kind, value, "has no source")
	c.want(c.tools[tool] || (tool == "" && !needsTool), kind, value, "unknown tool %q", tool)
	switch level {
	case Authored, CoAuthored, Suggestion, Inferred:
	default:
		c.want(false, kind, value, "unknown level %q", level)
	}
	c.seen[key] = true
}

func (c *rowCheck) want(ok bool, kind, value, problem string, args ...any) {
	if !ok {
		c.problems = append(c.problems, fmt.Errorf("%s %q: "+problem, append([]any{kind, value}, args...)...))
	}
}
