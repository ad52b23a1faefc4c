package mcpconfig

import (
	"steelyard/lint"
	"steelyard/lint/launch"
)

// Package is one package that starting a server fetches, and the file that
// names it.
type Package struct {
	File *lint.File
	launch.Fetch
}

// Packages lists what the servers of every configuration fetch, in the order
// of path and place. Servers that run an installed copy fetch nothing; a
// server that is switched off counts, because one word switches it on.
func Packages(p *lint.Pass) []Package {
	var all []Package
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			for _, f := range launch.Fetches(s.commands()) {
				if !launch.Installed(p, c.File, f) {
					all = append(all, Package{c.File, f})
				}
			}
		}
	}
	return all
}
