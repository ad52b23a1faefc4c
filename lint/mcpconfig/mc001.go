package mcpconfig

import (
	"bytes"
	"fmt"
	"strings"

	"steelyard/lint"
	"steelyard/lint/secrets"
)

// literalSecret reports secrets written into a configuration.
var literalSecret = lint.Rule{ID: "MC001", Check: checkLiteralSecret}

func checkLiteralSecret(p *lint.Pass) {
	for _, c := range configs(p) {
		for _, s := range c.found {
			message := fmt.Sprintf("%s holds a literal %s; %s", s.Where, s.Shown(), c.Host.cure(s.Variable))
			if fix, ok := c.moved(s); ok {
				p.ReportFix(c.File, s.At, fix, "%s", message)
				continue
			}
			p.Reportf(c.File, s.At, "%s", message)
		}
	}
}

// cure says how the host's file names a secret instead of holding it.
func (h Host) cure(variable string) string {
	if variable == "" {
		variable = "NAME"
	}
	switch {
	case h.form == inTOML:
		return h.Name + " takes the name of a variable in env_vars, env_http_headers or bearer_token_env_var"
	case h.reference == "":
		return h.Name + " has no reference for it, so let the server's start script read it"
	}
	return fmt.Sprintf("%s reads it from the environment as %q", h.Name, fmt.Sprintf(h.reference, variable))
}

// moved puts the host's reference where a secret stands, if the variable's name
// is known and the host has a reference.
func (c *Config) moved(s secrets.Secret) (lint.Fix, bool) {
	if c.Host.reference == "" || s.Variable == "" || strings.ContainsAny(s.Value, "\"\\\n") {
		return lint.Fix{}, false
	}
	own := fmt.Sprintf(c.Host.reference, s.Variable)
	if c.Host.form == inYAML || c.Host.form == inFrontMatter {
		quoted, ok := c.inYAML(s.At, own)
		if !ok {
			return lint.Fix{}, false
		}
		own = quoted
	}
	return lint.Fix{
		Edits: []lint.Edit{{At: s.At, New: own}},
		Says:  fmt.Sprintf("set %s in the environment, and revoke the %s that stood here: it stays in the history", s.Variable, s.Kind),
	}, true
}

// inYAML writes a reference so that YAML reads it as a text: its braces would
// open a table where no quotes stand around them.
func (c *Config) inYAML(at lint.Span, reference string) (text string, ok bool) {
	src, err := c.File.Bytes()
	if err != nil || at.Start == 0 || at.End > len(src) {
		return "", false
	}
	before, after := src[:at.Start], src[at.End:]
	last := before[len(before)-1]
	switch {
	case (last == '"' || last == '\'') && len(after) > 0 && after[0] == last:
		return reference, true
	case (bytes.HasSuffix(before, []byte(": ")) || bytes.HasSuffix(before, []byte("- "))) && (len(after) == 0 || after[0] == '\n' || after[0] == '\r'):
		return `"` + reference + `"`, true
	}
	return "", false
}
