package mcpconfig

import (
	"fmt"

	"steelyard/lint"
)

// literalSecret reports secrets written into a configuration.
var literalSecret = lint.Rule{ID: "MC001", Check: checkLiteralSecret}

func checkLiteralSecret(p *lint.Pass) {
	for _, c := range configs(p) {
		for _, s := range c.found {
			shown := ""
			if tail := lint.Tail(s.value); tail != "" {
				shown = fmt.Sprintf(" ending in %q", tail)
			}
			p.Reportf(c.File, s.At, "%s holds a literal %s%s; %s", s.where, s.kind, shown, c.Host.cure(s.name))
		}
	}
}

// cure says how the host's file names a secret instead of holding it.
func (h Host) cure(variable string) string {
	if variable == "" {
		variable = "NAME"
	}
	switch {
	case h.TOML:
		return h.Name + " takes the name of a variable in env_vars, env_http_headers or bearer_token_env_var"
	case h.reference == "":
		return h.Name + " has no reference for it, so let the server's start script read it"
	}
	return fmt.Sprintf("%s reads it from the environment as %q", h.Name, fmt.Sprintf(h.reference, variable))
}
