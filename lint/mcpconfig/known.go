package mcpconfig

import (
	"slices"
	"strings"

	"steelyard/lint/launch"
	"steelyard/rules"
)

// known returns the server's row of the table of known servers.
func (s Server) known(table []rules.KnownServer) (rules.KnownServer, bool) {
	id := s.identity()
	at := slices.IndexFunc(table, func(row rules.KnownServer) bool {
		switch id.kind {
		case "host":
			return slices.Contains(row.Hosts, id.host)
		case "package":
			return slices.Contains(row.Packages, id.name)
		default:
			return slices.Contains(row.Programs, id.name)
		}
	})
	if at < 0 {
		return rules.KnownServer{}, false
	}
	return table[at], true
}

// identity is what a server is, whatever version of it runs where.
type identity struct {
	kind string // "host", "package", "program", "" for unknown
	name string // to be compared; shows no secret
	host string // of a remote server
}

// identity tells what the entry stands for: the remote server it reaches, by
// itself or through a bridge, else the package it fetches, else the program it
// runs. A value that holds a reference is not known.
func (s Server) identity() identity {
	if list := s.reaches; len(list) > 0 {
		return list[0].identity()
	}
	commands := s.runs
	if list := s.fetches; len(list) > 0 {
		if launch.IsReference(list[0].Package.Value) || launch.IsPath(list[0].Package.Value) {
			return identity{}
		}
		return identity{kind: "package", name: list[0].Name()}
	}
	if len(commands) == 0 || len(commands[len(commands)-1].Words) == 0 {
		return identity{}
	}
	last := commands[len(commands)-1].Words[0].Value
	if launch.IsReference(last) {
		return identity{}
	}
	return identity{kind: "program", name: launch.Program(last)}
}

func (a address) identity() identity {
	if launch.IsReference(a.host) || a.host == "" {
		return identity{}
	}
	path := a.path
	if launch.IsReference(path) {
		path = ""
	}
	return identity{kind: "host", name: a.host + strings.TrimSuffix(path, "/"), host: a.host}
}
