package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"
)

// Config is every setting with its effective value.
type Config struct {
	// File is the file that was read; empty where there is none.
	File string
	// Database is the URL of the database. It may hold a password.
	Database string
	Serve    Serve
	Lint     Lint
	Report   Report
	// Dependencies is how new dependencies are judged.
	Dependencies Dependencies
	// Servers is what is decided about MCP servers.
	Servers Servers
	// Policy is what a team has agreed on about changes.
	Policy Policy
	GitHub GitHub
	Teams  Teams
	Hours  Hours
	// Exclusions are spans that new pilots leave out.
	Exclusions []Exclusion

	origins map[string]Origin
}

// Serve is how the dashboard is served.
type Serve struct {
	Addr string
	// Admin is the address of the admin port; empty means that there is none.
	Admin string
	// PublicURL is how others reach it, "https://host" without a final slash;
	// empty means not at all.
	PublicURL string
	// Dashboard says whether there are pages beside /mcp.
	Dashboard bool
	// SignIn is who may see the dashboard.
	SignIn SignIn
	// MCP is who may call /mcp.
	MCP ServeMCP
}

// Lint is how a repository is linted.
type Lint struct {
	// FailOn is note, warning, error or never.
	FailOn       string
	Exclude      []string
	Rules        []RuleSetting // in the order of the file
	Suppressions []Suppression
}

// RuleSetting sets the severity of one rule.
type RuleSetting struct {
	Rule     string // id or name
	Severity string // off, note, warning or error
	// Line is the line of the setting in the file.
	Line int
}

// Suppression accepts findings of one rule in some files.
type Suppression struct {
	Rule string // id or name
	Path string // a glob, relative to the linted folder
	// Finding is the line of the finding; 0 means every line.
	Finding int
	Reason  string
	// Until is the last day on which it holds (UTC); zero means for good.
	Until time.Time
	// Line is the line of the suppression in the settings file.
	Line int
	// Held says that it does not count yet. Load sets it nowhere: whoever checks
	// a change does, for what the change adds.
	Held bool
}

// Report is what new pilots start from.
type Report struct {
	SmallestEffect float64
}

// Sources are the places that settings come from.
type Sources struct {
	// Dir is where the file is looked for.
	Dir fs.FS
	// Path is the file's name in Dir ([FileName] where empty); Shown is how
	// messages call it (Path where empty).
	Path, Shown string
	// MustExist makes a missing file an error.
	MustExist bool
	// Env looks up an environment variable; nil means there are none. An empty
	// variable counts as unset.
	Env func(name string) (string, bool)
	// Flags are the values given by flags.
	Flags []Flag
	// Rules are the ids and names of all rules, to find misspelt ones; empty
	// means that they are not checked.
	Rules []string
}

// Flag is a setting given on the command line.
type Flag struct {
	Key  string // a dotted path, such as [KeyDatabase]
	Name string // the flag, such as "--db"
	// Value is ignored where it is empty: the flag was not given.
	Value string
}

// Load reads the settings. Mistakes are returned as [Problems].
func Load(s Sources) (*Config, error) {
	if s.Path == "" {
		s.Path = FileName
	}
	if s.Shown == "" {
		s.Shown = s.Path
	}
	c := &Config{origins: map[string]Origin{}}
	root, err := s.parse()
	if err != nil {
		return nil, err
	}
	if root != nil {
		c.File = s.Shown
	}
	var problems Problems
	for _, l := range leaves(settings(), "") {
		c.origins[l.path] = Origin{Kind: FromDefault}
		if root != nil {
			c.fromFile(s.Shown, root, l)
		}
		if l.set != nil {
			problems = append(problems, c.scalar(s, root, l)...)
		}
	}
	c.Hours.settle()
	c.policyLines()
	problems = append(problems, c.contradictions(s.Shown, root)...)
	problems = append(problems, c.unknownRules(s)...)
	if len(problems) > 0 {
		return nil, problems
	}
	return c, nil
}

// parse reads and checks the file, and returns nil where there is none.
func (s Sources) parse() (*yaml.Node, error) {
	data, err := readFile(s.Dir, s.Path)
	if errors.Is(err, fs.ErrNotExist) && !s.MustExist {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read settings %s: %w", s.Shown, reason(err))
	}
	root, err := parse(s.Shown, data, settings())
	if err == nil && root == nil {
		root = &yaml.Node{Kind: yaml.MappingNode, Line: 1, Column: 1} // a file that says nothing
	}
	return root, err
}

// reason drops the path from a file error: the message names it already.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// readFile reads a regular file of bounded size.
func readFile(dir fs.FS, path string) ([]byte, error) {
	info, err := fs.Stat(dir, path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	f, err := dir.Open(path)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	return data, errors.Join(err, f.Close())
}

// scalar settles one scalar: default, file, environment, flag.
func (c *Config) scalar(s Sources, root *yaml.Node, l leaf) (problems Problems) {
	value := l.fallback
	if n := at(root, l.path); n != nil {
		value = n.Value
	}
	override := func(from Origin, v string) {
		if problem, hint := valueProblem(v, l.shape); problem != "" {
			problems = append(problems, Problem{File: from.Name, Text: problem, Hint: hint})
			return
		}
		value, c.origins[l.path] = v, from
	}
	if s.Env != nil && l.env != "" {
		if v, ok := s.Env(l.env); ok && v != "" {
			override(Origin{Kind: FromEnvironment, Name: l.env}, v)
		}
	}
	for _, f := range s.Flags {
		if f.Key == l.path && f.Value != "" {
			override(Origin{Kind: FromFlag, Name: f.Name}, f.Value)
		}
	}
	l.set(c, value)
	return problems
}

// fromFile takes lists from the file and notes where each value stands.
func (c *Config) fromFile(file string, root *yaml.Node, l leaf) {
	n := at(root, l.path)
	if n == nil {
		return
	}
	c.origins[l.path] = Origin{Kind: FromFile, Name: file, Line: n.Line}
	if l.take != nil {
		l.take(c, n)
	}
	switch l.path {
	case "lint.exclude":
		for _, e := range n.Content {
			c.Lint.Exclude = append(c.Lint.Exclude, e.Value)
		}
	case "lint.rules":
		for i := 0; i+1 < len(n.Content); i += 2 {
			c.Lint.Rules = append(c.Lint.Rules, RuleSetting{
				Rule: n.Content[i].Value, Severity: n.Content[i+1].Value, Line: n.Content[i].Line,
			})
		}
	case "lint.suppressions":
		for _, e := range n.Content {
			c.Lint.Suppressions = append(c.Lint.Suppressions, suppression(e))
		}
	}
}

func suppression(n *yaml.Node) Suppression {
	s := Suppression{
		Rule: scalarAt(n, "rule"), Path: scalarAt(n, "path"), Reason: scalarAt(n, "reason"), Line: n.Line,
	}
	// Both were checked: only an absent one fails here, and stays zero.
	_, _ = fmt.Sscan(scalarAt(n, "line"), &s.Finding)
	s.Until, _ = time.Parse(time.DateOnly, scalarAt(n, "until"))
	return s
}

// unknownRules reports settings for rules that do not exist.
func (c *Config) unknownRules(s Sources) (problems Problems) {
	if len(s.Rules) == 0 {
		return nil
	}
	look := func(rule string, line int) {
		if !slices.Contains(s.Rules, rule) {
			problems = append(problems, Problem{
				File: s.Shown, Line: line, Text: fmt.Sprintf("there is no rule %q", rule),
				Hint: ruleHint(rule, s.Rules),
			})
		}
	}
	for _, r := range c.Lint.Rules {
		look(r.Rule, r.Line)
	}
	for _, r := range c.Lint.Suppressions {
		look(r.Rule, r.Line)
	}
	return problems
}

func ruleHint(rule string, all []string) string {
	if s := Suggest(rule, all); s != "" {
		return fmt.Sprintf("did you mean %q?", s)
	}
	return "steelyard rules lists them"
}

// at returns the node at a dotted path, or nil where nothing was written.
func at(n *yaml.Node, path string) *yaml.Node {
	for path != "" && n != nil {
		var name string
		name, path = cut(path)
		n = child(n, name)
	}
	if n == nil || empty(n) {
		return nil
	}
	return n
}

func cut(path string) (first, rest string) {
	for i := range path {
		if path[i] == '.' {
			return path[:i], path[i+1:]
		}
	}
	return path, ""
}

func child(n *yaml.Node, name string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

func scalarAt(n *yaml.Node, path string) string {
	if n = at(n, path); n != nil {
		return n.Value
	}
	return ""
}
