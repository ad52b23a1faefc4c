package mcpconfig

import (
	"strings"

	"steelyard/lint"
	"steelyard/lint/launch"
)

// plainHTTP reports remote servers that are reached without encryption.
var plainHTTP = lint.Rule{ID: "MC004", Check: checkPlainHTTP}

func checkPlainHTTP(p *lint.Pass) {
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			for _, a := range s.reaches {
				if (a.scheme == "http" || a.scheme == "ws") && !a.inner() && !a.local() && !launch.IsReference(a.host) && !strings.ContainsAny(a.host, `\%<>`) {
					p.Reportf(c.File, a.text.Sub(0, a.hostAt[1]), "server %q is reached over %s, so whoever is on the way to %q reads and changes what is said", s.Name.Value, a.scheme, a.host)
				}
			}
		}
	}
}
