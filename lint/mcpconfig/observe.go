package mcpconfig

import (
	"steelyard/lint"
	"steelyard/lint/launch"
)

// Observe lists the servers of every configuration.
func Observe(p *lint.Pass, inventory *lint.Inventory) {
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			id := s.identity()
			line, _ := c.File.Position(s.Name.At().Start)
			seen := lint.SeenServer{
				Path: c.File.Path, Line: line, Host: c.Host.ID, Name: c.File.Plain(s.Name.Value),
				Kind: id.kind, Target: c.File.Plain(id.name), Pinned: true, Off: s.Off(),
				Command: c.startLine(s), Secrets: secretsIn(s),
			}
			if id.kind == "host" {
				seen.Target = c.File.Plain(id.host)
			}
			if id.kind == "package" {
				f := s.fetches[0]
				seen.Version = c.File.Plain(f.Version())
				seen.Pinned = f.Fault == "" || launch.Installed(p, c.File, f)
			}
			inventory.Servers = append(inventory.Servers, seen)
		}
	}
}
