package permissions

import (
	"path"

	"steelyard/lint"
)

// forEveryone reports approvals that one person gives for all.
var forEveryone = lint.Rule{ID: "PM004", Check: checkForEveryone}

func checkForEveryone(p *lint.Pass) {
	for _, s := range settings(p) {
		if s.Host != "claude-code" {
			continue
		}
		if local(s.File) {
			p.ReportFile(s.File, nil, "%q holds one person's approvals and is shared, so they are everybody's", path.Base(s.File.Path))
		}
		if on := s.Root.Get("enableAllProjectMcpServers"); isTrue(on) {
			p.Reportf(s.File, on.At, "every server that anybody adds to .mcp.json is started on every machine without asking")
		}
	}
}
