package mcpconfig

import (
	"fmt"
	"path"
	"strings"

	"steelyard/lint"
)

// sameName reports servers that share a name and are not the same, in the files
// of different hosts: the team's assistants then have different tools under it.
var sameName = lint.Rule{ID: "MC011", Check: checkSameName}

// entry is a server with the file it stands in.
type entry struct {
	config *Config
	server Server
	id     identity
}

func checkSameName(p *lint.Pass) {
	first := map[string]entry{}
	for _, c := range configs(p) {
		project, ok := c.project()
		if !ok {
			continue
		}
		for _, s := range c.Servers {
			one := entry{c, s, s.identity()}
			if s.Off() || one.id.kind == "" || s.Name.Value == "" {
				continue
			}
			key := project + "\x00" + strings.ToLower(s.Name.Value)
			before, seen := first[key]
			switch {
			case !seen:
				first[key] = one
			case before.config != c && before.id.differs(one.id):
				one.report(p, before)
			}
		}
	}
}

// report names both places. What another file says is masked by that file's own
// secrets only, so of it nothing is shown but what the server is.
func (e entry) report(p *lint.Pass, before entry) {
	line, column := before.config.File.Position(before.server.Name.At().Start)
	p.ReportRelated(e.config.File, e.server.Name.At(), []lint.Related{{
		Path: before.config.File.Path, Line: line, Column: column,
		Message: fmt.Sprintf("here it is %s", before.id),
	}}, "server %q is %s here and %s in %s", e.server.Name.Value, e.id, before.id, before.config.File.Path)
}

func (i identity) String() string {
	switch i.kind {
	case "host":
		return fmt.Sprintf("the remote server %q", i.host)
	case "package":
		return fmt.Sprintf("the package %q", i.name)
	}
	return fmt.Sprintf("the program %q", i.name)
}

// differs reports whether two entries are surely different servers. A remote
// server at another path of the same site is the same one, and so is a program
// that is started by an interpreter here and by itself there.
func (i identity) differs(other identity) bool {
	switch {
	case i.kind == "host" && other.kind == "host":
		return i.host != other.host && site(i.host) != site(other.host)
	case i.kind == "program" || other.kind == "program":
		return i.kind == "host" || other.kind == "host"
	}
	return i.name != other.name && shortName(i.name) != shortName(other.name)
}

// shortName is the last part of a package's name, without what only says that it
// is an MCP server.
func shortName(pkg string) string {
	parts := strings.FieldsFunc(path.Base(pkg), func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	var kept []string
	for _, part := range parts {
		if part != "mcp" && part != "server" && part != "py" && part != "js" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "-")
}

// project is the folder whose assistants read the configuration; ok is false
// where that is not known.
func (c *Config) project() (dir string, ok bool) {
	dir = path.Dir(c.File.Path)
	switch c.Host.ID {
	case "generic", "claude-desktop", "copilot-agent", "claude-agent", "devcontainer", "code-workspace":
		return "", false
	}
	for strings.HasPrefix(path.Base(dir), ".") && dir != "." || path.Base(dir) == "settings" || path.Base(dir) == "mcpServers" || path.Base(dir) == "mcp" {
		dir = path.Dir(dir)
	}
	return dir, true
}
