package mcpconfig

import (
	"fmt"
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/lint/launch"
)

// foreignReference reports references in another host's form: the host hands
// them to the server as they are written.
var foreignReference = lint.Rule{ID: "MC013", Check: checkForeignReference}

func checkForeignReference(p *lint.Pass) {
	for _, c := range configs(p) {
		if c.Host.known == nil {
			continue
		}
		inputs := c.inputs()
		for _, s := range c.Servers {
			for _, t := range c.Host.replaced(s) {
				for _, r := range references(t.Value) {
					c.reference(p, t, r, inputs)
				}
			}
		}
	}
}

// replaced returns the texts of a server in which references are looked for:
// not those of a shell, which has its own, nor the headers of mcp-remote, which
// replaces ${NAME} in them by itself.
func (h Host) replaced(s Server) []launch.Text {
	var all []launch.Text
	words := s.line()
	if len(words) > 0 {
		if _, script := launch.ScriptOf(words); !script && !launch.IsShell(words[0].Value) {
			all = withoutHeaders(words)
		}
	}
	if h.form == inTOML {
		all = nil // a path may well hold a dollar; what matters are the secrets
	}
	for _, list := range [][]Pair{s.Env, s.Headers} {
		for _, pair := range list {
			all = append(all, pair.Value)
		}
	}
	return append(all, s.URLs...)
}

// withoutHeaders leaves out the values of --header behind mcp-remote.
func withoutHeaders(words []launch.Text) []launch.Text {
	remote := slices.IndexFunc(words, func(w launch.Text) bool {
		name, _, _ := strings.Cut(w.Value, "@")
		return name == "mcp-remote"
	})
	if remote < 0 {
		return words
	}
	kept := slices.Clone(words[:remote])
	for i := remote; i < len(words); i++ {
		if i > remote && words[i-1].Value == "--header" || strings.HasPrefix(words[i].Value, "--header=") {
			continue
		}
		kept = append(kept, words[i])
	}
	return kept
}

func (c *Config) reference(p *lint.Pass, t launch.Text, r reference, inputs map[string]bool) {
	at := t.Sub(r.from, r.to)
	written := t.Value[r.from:r.to]
	switch {
	case c.Host.ID == "copilot-agent":
		if !strings.HasPrefix(r.name, "COPILOT_MCP_") && slices.Contains(c.Host.known, r.form) {
			p.Reportf(c.File, at, "%q is not replaced: the Copilot agent hands servers only names that start with COPILOT_MCP_", written)
		}
	case r.form == refInput && slices.Contains(c.Host.known, refInput):
		if inputs != nil && !inputs[r.name] {
			p.Reportf(c.File, at, "%q names an input that the file does not define", written)
		}
	case slices.Contains(c.Host.known, r.form):
	case r.form == refBraces && r.name != strings.ToUpper(r.name):
		// a name of small letters is some program's own
	case r.form == refPercent && c.Host.ID != "claude-code" && c.Host.ID != "cursor":
	case r.form == refCurly && c.Host.ID != "claude-code" && c.Host.ID != "vscode" && c.Host.ID != "cursor":
	default:
		c.foreign(p, at, r, written)
	}
}

func (c *Config) foreign(p *lint.Pass, at lint.Span, r reference, written string) {
	message := fmt.Sprintf("%s does not replace %q", c.Host.Name, written)
	variable := slices.Contains([]string{refBraces, refEnv, refDollar, refPercent, refCurly}, r.form) && !strings.ContainsAny(r.name, ":/. ")
	if c.Host.reference == "" || !variable || c.Host.ID == "continue" {
		if c.Host.reference != "" {
			message += "; its form is " + fmt.Sprintf(c.Host.reference, "NAME")
		}
		p.Reportf(c.File, at, "%s: the server gets it as it is written", message)
		return
	}
	own := fmt.Sprintf(c.Host.reference, r.name)
	p.ReportFix(c.File, at, lint.Fix{Edits: []lint.Edit{{At: at, New: own}}},
		"%s: the server gets it as it is written; its form is %q", message, own)
}

// inputs are the ids that a VS Code file defines, nil where it is none.
func (c *Config) inputs() map[string]bool {
	if c.Host.ID != "vscode" {
		return nil
	}
	defined := map[string]bool{}
	for _, e := range elements(c.Root.Get("inputs")) {
		if id, ok := e.Get("id").Str(); ok {
			defined[id] = true
		}
	}
	return defined
}
