package mcpconfig

import (
	"fmt"
	"slices"

	"steelyard/lint"
	"steelyard/lint/launch"
	"steelyard/lint/secrets"
	"steelyard/rules"
)

const (
	// maxServers bounds the servers of one configuration.
	maxServers = 1000
	// maxCommands bounds the commands of one server's script.
	maxCommands = 1000
)

// parse reads a configuration and marks its secrets, so that no finding on
// their lines shows them, whichever rules run.
func parse(f *lint.File) *Config {
	c := read(f)
	if c.Partial != "" || c.Err != nil && f.Is(rules.MCP) {
		f.Unchecked("MC")
	}
	return c
}

func read(f *lint.File) *Config {
	c := &Config{File: f, Host: dialect(f)}
	src, err := f.Bytes()
	if err != nil {
		c.Err = err
		return c
	}
	if c.Root, c.Err = c.Host.form.parse(src); c.Err != nil {
		return c
	}
	for _, path := range c.Host.roots {
		for _, servers := range c.Root.All(path...) {
			c.readServers(servers)
		}
	}
	var look secrets.Finder
	c.found = secretsOf(&look, c.Servers)
	if look.Exhausted() {
		c.Partial = "too much text to look for secrets in all of it"
	}
	for _, s := range c.found {
		f.Mask(s.At, s.Value)
	}
	return c
}

// readServers reads an object of servers by name, or Continue's list of
// servers that hold their names.
func (c *Config) readServers(servers *lint.Node) {
	for _, m := range servers.Members {
		if m.Value.Kind == lint.Object {
			c.add(Server{Name: name(m), Entry: m.Value}, m.Value)
		}
	}
	for _, e := range servers.Elements {
		if e.Kind != lint.Object {
			continue
		}
		s := Server{Entry: e, Name: launch.TextOf(&lint.Node{Kind: lint.String, At: e.At})}
		if called := e.Get("name"); called != nil && called.Kind == lint.String {
			s.Name = launch.TextOf(called)
		}
		if transport := e.Get("transport"); transport != nil {
			c.add(s, transport)
			continue
		}
		c.add(s, e)
	}
}

func (c *Config) add(s Server, entry *lint.Node) {
	if len(c.Servers) == maxServers {
		c.Partial = fmt.Sprintf("more than %d servers: the rest was not looked at", maxServers)
		return
	}
	s.read(entry)
	s.runs = s.commands()
	if len(s.runs) > maxCommands {
		s.runs = s.runs[:maxCommands]
		c.Partial = fmt.Sprintf("a server of more than %d commands: the rest was not looked at", maxCommands)
	}
	s.fetches = launch.Fetches(s.runs)
	s.reaches = s.addresses()
	c.Servers = append(c.Servers, s)
}

// The keys under which hosts write the parts of a server.
var (
	envKeys    = []string{"env", "environment"}
	headerKeys = []string{"headers", "http_headers"}
	urlKeys    = []string{"url", "httpUrl", "serverUrl"}
)

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
		s.Other = append(s.Other, Pair{name(m), launch.TextOf(m.Value)})
	case lint.Object:
		for _, inner := range m.Value.Members {
			s.readOther(inner)
		}
	default:
	}
}

// texts returns a string, or the strings of an array.
func texts(n *lint.Node) []launch.Text {
	switch n.Kind {
	case lint.String:
		return []launch.Text{launch.TextOf(n)}
	case lint.Array:
		var list []launch.Text
		for _, e := range n.Elements {
			if e.Kind == lint.String {
				list = append(list, launch.TextOf(e))
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
			list = append(list, Pair{name(m), launch.TextOf(m.Value)})
		}
	}
	return list
}

func name(m lint.Member) launch.Text { return launch.TextOf(m.Key()) }

// secretsOf finds the literal secrets of every server.
func secretsOf(f *secrets.Finder, servers []Server) []secrets.Secret {
	var found []secrets.Secret
	for _, s := range servers {
		for _, p := range s.Env {
			found = append(found, f.Named(`env "`+p.Key.Value+`"`, p.Key.Value, p.Key.Value, p.Value)...)
		}
		for _, p := range s.Headers {
			found = append(found, f.Named(`header "`+p.Key.Value+`"`, p.Key.Value, "", p.Value)...)
		}
		found = append(found, f.InWords(s.Command)...)
		found = append(found, f.InWords(s.Args)...)
		for _, u := range s.URLs {
			found = append(found, f.Named("URL", "", "", u)...)
		}
		for _, p := range s.Other {
			found = append(found, f.Named(`"`+p.Key.Value+`"`, p.Key.Value, "", p.Value)...)
		}
	}
	return found
}
