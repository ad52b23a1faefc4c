package permissions

import (
	"slices"

	"steelyard/lint"
	"steelyard/lint/launch"
	"steelyard/lint/secrets"
)

// literalSecret reports secrets written into settings, outside of MCP servers.
var literalSecret = lint.Rule{ID: "PM009", Check: checkLiteralSecret}

func checkLiteralSecret(p *lint.Pass) {
	for _, s := range settings(p) {
		for _, found := range s.found {
			p.Reportf(s.File, found.At, "%s holds a literal %s", found.Where, found.Shown())
		}
	}
}

// servers' keys are another family's to look at.
var serverKeys = []string{"mcpServers", "mcp", "servers", "mcp_servers", "context_servers", "mcp.servers", "inputs"}

// findSecrets looks through the values of the file and masks what it finds. In
// an editor's settings, which hold values of any program, only the forms of
// known providers count, not names.
func (s *Settings) findSecrets() {
	var look secrets.Finder
	var below func(key string, n *lint.Node, depth int, anyone bool)
	below = func(key string, n *lint.Node, depth int, anyone bool) {
		anyone = anyone || key == "settings" && s.Host != "claude-code" || key == "customizations"
		for _, m := range n.Members {
			if depth > 0 || !slices.Contains(serverKeys, m.Name) {
				below(m.Name, m.Value, depth+1, anyone)
			}
		}
		for _, e := range n.Elements {
			below(key, e, depth+1, anyone)
		}
		if n.Kind == lint.String {
			name := key
			if anyone {
				name = ""
			}
			where := `"` + key + `"`
			if name == "command" || name == "allow" {
				for _, c := range launch.Split(launch.TextOf(n)) {
					s.found = append(s.found, look.InWords(c.Words)...)
				}
				return
			}
			s.found = append(s.found, look.Named(where, name, name, launch.TextOf(n))...)
		}
	}
	if s.Root != nil && !slices.Contains(approvers, s.Host) {
		below("", s.Root, 0, s.Host == "vscode")
	}
	s.partial = look.Exhausted()
	for _, found := range s.found {
		s.File.Mask(found.At, found.Value)
	}
}
