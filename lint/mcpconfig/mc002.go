package mcpconfig

import (
	"steelyard/lint"
	"steelyard/lint/launch"
)

// unpinned reports servers started from a package that is not pinned.
var unpinned = lint.Rule{ID: "MC002", Check: checkUnpinned}

func checkUnpinned(p *lint.Pass) {
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			for _, f := range s.fetches {
				if f.Fault != "" && !launch.Installed(p, c.File, f) {
					p.Reportf(c.File, f.Package.At(), "%s fetches %q %s", f.Launcher, f.Package.Value, f.Fault)
				}
			}
		}
	}
}
