// Package permissions checks what assistants may do unasked: the approvals,
// hooks and sandboxes in the settings of Claude Code, VS Code, Codex, Gemini
// CLI, opencode, Cursor, Zed, Roo Code and Kiro, and the tools that agents are
// given. A file is read once into [Settings]; every rule of the family works on
// that.
package permissions

import (
	"path"
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/lint/secrets"
	"steelyard/rules"
)

// Rules returns the family's rules in ID order.
func Rules() []lint.Rule {
	return []lint.Rule{
		unreadable, everything, anyCommand, anyProgram, forEveryone, cloudTools, roleTools, remoteHook, noSandbox, literalSecret,
	}
}

// Settings is one file of permissions as its host reads it.
type Settings struct {
	File *lint.File
	Host string // as rules/governed.yaml names it
	Root *lint.Node
	// Err is why the file cannot be read; Root is nil then.
	Err error

	found   []secrets.Secret
	partial bool // too much text to look for secrets in all of it
}

// settings reads the permission files of the tree, and the MCP files of hosts
// that keep approvals there; links are left out, their target is read where it
// stands.
func settings(p *lint.Pass) []*Settings {
	var all []*Settings
	for _, f := range p.Files(rules.Permissions, rules.MCP) {
		if f.Link != "" || hostOf(f) == "" || local(f) && !p.Committed(f) {
			continue // what one person keeps for themselves is theirs
		}
		all = append(all, lint.Parsed(f, parse))
	}
	return all
}

// approvers keep the approvals of a server's tools with the server.
var approvers = []string{"roo", "cline", "kiro", "amazon-q"}

func hostOf(f *lint.File) string {
	if f.Is(rules.Permissions) {
		return f.Host(rules.Permissions)
	}
	if host := f.Host(rules.MCP); slices.Contains(approvers, host) {
		return host
	}
	return ""
}

func parse(f *lint.File) *Settings {
	s := &Settings{File: f, Host: hostOf(f)}
	src, err := f.Bytes()
	if err != nil {
		s.Err = err
		f.Unchecked("PM")
		return s
	}
	form := lint.ParseJSON
	if path.Ext(f.Path) == ".toml" {
		form = lint.ParseTOML
	}
	if s.Root, s.Err = form(src); s.Err != nil {
		f.Unchecked("PM")
		return s
	}
	s.findSecrets()
	if s.partial {
		f.Unchecked("PM")
	}
	return s
}

// editor returns the VS Code settings that the file holds, nil for none.
func (s *Settings) editor() *lint.Node {
	switch s.Host {
	case "vscode":
		return s.Root
	case "code-workspace":
		return s.Root.Get("settings")
	case "devcontainer":
		return s.Root.Get("customizations", "vscode", "settings")
	}
	return nil
}

// servers returns the entries of MCP servers under a key, by name.
func (s *Settings) servers(key string) []lint.Member {
	var all []lint.Member
	for _, list := range s.Root.All(key) {
		for _, m := range list.Members {
			if m.Value.Kind == lint.Object {
				all = append(all, m)
			}
		}
	}
	return all
}

// elements returns a list's values, none for anything else.
func elements(n *lint.Node) []*lint.Node {
	if n == nil {
		return nil
	}
	return n.Elements
}

// members returns an object's members, none for anything else.
func members(n *lint.Node) []lint.Member {
	if n == nil {
		return nil
	}
	return n.Members
}

func isTrue(n *lint.Node) bool  { return n != nil && n.Kind == lint.Scalar && n.Text == "true" }
func isFalse(n *lint.Node) bool { return n != nil && n.Kind == lint.Scalar && n.Text == "false" }

// oneOf returns the node if it is one of these texts.
func oneOf(n *lint.Node, texts ...string) (string, bool) {
	text, ok := n.Str()
	return text, ok && slices.Contains(texts, text)
}

// has reports whether a list holds a text.
func has(list *lint.Node, text string) bool {
	return slices.ContainsFunc(elements(list), func(n *lint.Node) bool { return n.Is(text) })
}

// local reports whether a file is one person's and not meant to be shared.
func local(f *lint.File) bool { return strings.HasSuffix(f.Path, ".local.json") }
