package mcpconfig

import (
	"steelyard/lint"
	"steelyard/lint/launch"
)

// shellScript reports servers that a script written into the configuration
// starts.
var shellScript = lint.Rule{ID: "MC003", Check: checkShellScript}

func checkShellScript(p *lint.Pass) {
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			if script, ok := launch.ScriptOf(s.line()); ok {
				p.Reportf(c.File, script.At(), "server %q is started by a shell script inside the configuration", s.Name.Value)
			}
		}
	}
}
