package mcpconfig

import (
	"fmt"
	"slices"

	"steelyard/lint"
	"steelyard/rules"
)

// maxServers bounds the servers of one configuration.
const maxServers = 1000

// parse reads a configuration and marks its secrets, so that no finding on
// their lines shows them, whichever rules run.
func parse(f *lint.File) *Config {
	c := read(f)
	if c.Err != nil || c.Partial != "" {
		f.Unchecked("MC")
	}
	return c
}

func read(f *lint.File) *Config {
	c := &Config{File: f, Host: hosts[f.Host(rules.MCP)]}
	src, err := f.Bytes()
	if err != nil {
		c.Err = err
		return c
	}
	form := lint.ParseJSON
	if c.Host.TOML {
		form = lint.ParseTOML
	}
	root, err := form(src)
	if err != nil {
		c.Err = err
		return c
	}
	for _, path := range c.Host.roots {
		for _, servers := range root.All(path...) {
			c.readServers(servers)
		}
	}
	var look finder
	c.found = look.secrets(c.Servers)
	if look.exhausted() {
		c.Partial = "too much text to look for secrets in all of it"
	}
	for _, s := range c.found {
		f.Mask(s.At, s.value)
	}
	return c
}

func (c *Config) readServers(servers *lint.Node) {
	for _, m := range servers.Members {
		if m.Value.Kind != lint.Object {
			continue
		}
		if len(c.Servers) == maxServers {
			c.Partial = fmt.Sprintf("more than %d servers: the rest was not looked at", maxServers)
			return
		}
		c.Servers = append(c.Servers, readServer(m))
	}
}

// The keys under which hosts write the parts of a server.
var (
	envKeys    = []string{"env", "environment"}
	headerKeys = []string{"headers", "http_headers"}
	urlKeys    = []string{"url", "httpUrl", "serverUrl"}
)

func readServer(m lint.Member) Server {
	s := Server{Name: name(m)}
	s.read(m.Value)
	return s
}

func (s *Server) read(entry *lint.Node) {
	for _, m := range entry.Members {
		switch {
		case m.Name == "command" && m.Value.Kind == lint.Object:
			s.readCommand(m.Value)
		case m.Name == "command":
			s.Command = append(s.Command, texts(m.Value)...)
		case m.Name == "args":
			s.Args = append(s.Args, texts(m.Value)...)
		case slices.Contains(envKeys, m.Name):
			s.Env = append(s.Env, pairs(m.Value)...)
		case slices.Contains(headerKeys, m.Name):
			s.Headers = append(s.Headers, pairs(m.Value)...)
		case slices.Contains(urlKeys, m.Name):
			s.URLs = append(s.URLs, texts(m.Value)...)
		default:
			s.readOther(m)
		}
	}
}

// readCommand reads Zed's older form, an object with path, args and env.
func (s *Server) readCommand(command *lint.Node) {
	for _, m := range command.Members {
		switch m.Name {
		case "path":
			s.Command = append(s.Command, texts(m.Value)...)
		case "args", "env":
			s.read(&lint.Node{Kind: lint.Object, Members: []lint.Member{m}})
		}
	}
}

// readOther keeps the texts of keys that only some hosts know (authentication,
// inputs), at any depth.
func (s *Server) readOther(m lint.Member) {
	switch m.Value.Kind {
	case lint.String:
		s.Other = append(s.Other, Pair{name(m), text(m.Value)})
	case lint.Object:
		for _, inner := range m.Value.Members {
			s.readOther(inner)
		}
	default:
	}
}

// texts returns a string, or the strings of an array.
func texts(n *lint.Node) []Text {
	switch n.Kind {
	case lint.String:
		return []Text{text(n)}
	case lint.Array:
		var list []Text
		for _, e := range n.Elements {
			if e.Kind == lint.String {
				list = append(list, text(e))
			}
		}
		return list
	default:
		return nil
	}
}

// pairs returns the strings of an object by their names.
func pairs(n *lint.Node) []Pair {
	var list []Pair
	for _, m := range n.Members {
		if m.Value.Kind == lint.String {
			list = append(list, Pair{name(m), text(m.Value)})
		}
	}
	return list
}

func text(n *lint.Node) Text { return Text{n.Text, n, 0} }

func name(m lint.Member) Text { return text(m.Key()) }
