package mcpconfig

import (
	"path"
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// trifecta reports a host whose assistants may, without asking, read private
// data, read what strangers wrote, and send text out: a stranger's text then can
// have the private data sent.
var trifecta = lint.Rule{ID: "MC014", Check: checkTrifecta}

func checkTrifecta(p *lint.Pass) {
	table, err := rules.KnownServers()
	if err != nil {
		return // the table's own test holds it to nil
	}
	for _, c := range configs(p) {
		unasked := c.unasked(p)
		legs := map[rules.Leg][]string{}
		for _, s := range c.Servers {
			row, ok := s.known(table)
			if !ok || s.Off() || !unasked(s) {
				continue
			}
			for _, leg := range row.Legs {
				legs[leg] = append(legs[leg], s.Name.Value)
			}
		}
		if len(legs) == 3 {
			p.ReportFile(c.File, nil, "without asking, assistants may read private data (%s), read what strangers wrote (%s) and send it out (%s)",
				quoted(legs[rules.Private]), quoted(legs[rules.Untrusted]), quoted(legs[rules.Outbound]))
		}
	}
}

func quoted(names []string) string {
	const most = 3
	list := names[:min(most, len(names))]
	text := `"` + strings.Join(list, `", "`) + `"`
	if len(names) > most {
		text += " …"
	}
	return text
}

// unasked returns whether a server's tools run without a confirmation, as far as
// the repository's own files say so.
func (c *Config) unasked(p *lint.Pass) func(Server) bool {
	switch c.Host.ID {
	case "gemini":
		return func(s Server) bool { return isTrue(s.Entry.Get("trust")) }
	case "roo", "cline", "kiro", "amazon-q":
		return func(s Server) bool {
			return holds(s.Entry.Get("alwaysAllow"), "*") || holds(s.Entry.Get("autoApprove"), "*")
		}
	case "copilot-agent":
		// The cloud agent asks about no tool at all.
		return func(s Server) bool {
			tools := s.Entry.Get("tools")
			return tools == nil || holds(tools, "*")
		}
	case "codex":
		return always(c.Root.Get("approval_policy").Is("never"))
	case "opencode":
		permission := c.Root.Get("permission")
		return always(permission.Is("allow") || permission.Get("*").Is("allow"))
	case "zed":
		return always(isTrue(c.Root.Get("agent", "always_allow_tool_actions")))
	case "vscode":
		settings := c.beside(p, "settings.json")
		return always(isTrue(settings.Get("chat.tools.global.autoApprove")) || isTrue(settings.Get("chat.tools.autoApprove")))
	case "claude-code":
		return c.claudeUnasked(p)
	}
	return always(false)
}

// claudeUnasked reads the shared settings that stand beside .mcp.json.
func (c *Config) claudeUnasked(p *lint.Pass) func(Server) bool {
	settings := c.beside(p, ".claude/settings.json")
	if settings.Get("permissions", "defaultMode").Is("bypassPermissions") {
		return always(true)
	}
	allow := settings.Get("permissions", "allow")
	guards := append(elements(settings.Get("permissions", "ask")), elements(settings.Get("permissions", "deny"))...)
	return func(s Server) bool {
		tool := "mcp__" + s.Name.Value
		if slices.ContainsFunc(guards, func(n *lint.Node) bool { return strings.HasPrefix(n.Text, tool) }) {
			return false
		}
		return holds(allow, tool) || holds(allow, tool+"__*") || holds(allow, "mcp__*")
	}
}

// beside parses a JSON file next to the configuration, nil where there is none.
func (c *Config) beside(p *lint.Pass, name string) *lint.Node {
	f, ok := p.Named(path.Join(path.Dir(c.File.Path), name))
	if !ok {
		return nil
	}
	src, err := f.Bytes()
	if err != nil {
		return nil
	}
	root, err := lint.ParseJSON(src)
	if err != nil {
		return nil
	}
	return root
}

func always(yes bool) func(Server) bool { return func(Server) bool { return yes } }

func isTrue(n *lint.Node) bool { return n != nil && n.Kind == lint.Scalar && n.Text == "true" }

// holds reports whether a list, or a single text, holds a text.
func holds(n *lint.Node, text string) bool {
	return n.Is(text) || slices.ContainsFunc(elements(n), func(e *lint.Node) bool { return e.Is(text) })
}
