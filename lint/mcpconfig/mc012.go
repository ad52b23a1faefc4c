package mcpconfig

import (
	"fmt"
	"path"
	"slices"

	"steelyard/lint"
	"steelyard/rules"
)

// ignored reports configuration that its host does not read: under another
// host's key, in a place it does not look at, of a type it does not take.
var ignored = lint.Rule{ID: "MC012", Check: checkIgnored}

func checkIgnored(p *lint.Pass) {
	checkPlaces(p)
	for _, c := range configs(p) {
		if c.Err != nil || c.Root == nil || c.Root.Kind != lint.Object || c.File.TestData() {
			continue
		}
		c.checkRoot(p)
		for _, s := range c.Servers {
			c.checkServer(p, s)
		}
	}
}

// checkPlaces reports servers in files whose host looks for them elsewhere.
func checkPlaces(p *lint.Pass) {
	for _, f := range p.Files(rules.Permissions) {
		if f.Link != "" || f.Host(rules.Permissions) != "claude-code" || f.TestData() {
			continue
		}
		src, err := f.Bytes()
		if err != nil {
			continue
		}
		root, err := lint.ParseJSON(src)
		if err != nil || root == nil {
			continue // PM000 says so
		}
		for _, m := range root.Members {
			if m.Name == "mcpServers" && len(m.Value.Members) > 0 {
				p.Reportf(f, m.At, "Claude Code reads no servers from %s; they belong into .mcp.json", path.Base(f.Path))
			}
		}
	}
	for _, f := range p.Files(rules.MCP) {
		dir, base := path.Dir(f.Path), path.Base(f.Path)
		if path.Base(dir) == ".claude" && (base == "mcp.json" || base == ".mcp.json") && !f.TestData() {
			p.ReportFile(f, nil, "Claude Code does not read %q; it reads .mcp.json beside the folder .claude", path.Join(".claude", base))
		}
	}
}

// foreignRoots are the keys under which one host or another looks for servers.
var foreignRoots = []string{"mcpServers", "servers", "mcp_servers", "mcp", "mcp-servers", "context_servers"}

// ownRoots are the keys of the hosts that surely read no other.
var ownRoots = map[string]string{
	"claude-code": "mcpServers", "cursor": "mcpServers", "vscode": "servers", "gemini": "mcpServers", "roo": "mcpServers",
	"kiro": "mcpServers", "windsurf": "mcpServers", "claude-desktop": "mcpServers", "codex": "mcp_servers",
	"opencode": "mcp", "zed": "context_servers",
}

func (c *Config) checkRoot(p *lint.Pass) {
	own := ownRoots[c.Host.ID]
	if own == "" {
		return
	}
	for _, m := range c.Root.Members {
		switch {
		case m.Name == own && c.elsewhere(m.Value):
		case m.Name == own && m.Value.Kind != lint.Object:
			p.Reportf(c.File, m.At, "%s wants an object of servers by name under %q", c.Host.Name, own)
		case m.Name != own && slices.Contains(foreignRoots, m.Name) && holdsServers(m.Value):
			p.Reportf(c.File, m.At, "%s does not read %q; it looks for servers under %q", c.Host.Name, m.Name, own)
		}
	}
}

// elsewhere reports whether a plugin's manifest names the files that hold its
// servers, as it may: "./.mcp.json".
func (c *Config) elsewhere(n *lint.Node) bool {
	return path.Base(c.File.Path) == "plugin.json" && (n.Kind == lint.String || n.Kind == lint.Array)
}

// holdsServers reports whether an object's values look like servers, so that a
// setting that happens to be called the same is none.
func holdsServers(n *lint.Node) bool {
	return n.Kind == lint.Object && slices.ContainsFunc(n.Members, func(m lint.Member) bool {
		return m.Value.Get("command") != nil || m.Value.Get("url") != nil || m.Value.Get("httpUrl") != nil
	})
}

// wanted is the kind of value that a host takes under a key.
type wanted struct {
	kinds []lint.NodeKind
	says  string
}

var (
	aString  = wanted{[]lint.NodeKind{lint.String}, "one text"}
	aList    = wanted{[]lint.NodeKind{lint.Array}, "a list of texts"}
	anObject = wanted{[]lint.NodeKind{lint.Object}, "an object of names and texts"}
)

// wants returns what the host takes under a key; ok is false for keys that
// nothing is known about.
func (h Host) wants(key string) (w wanted, ok bool) {
	switch key {
	case "command":
		switch h.ID {
		case "opencode":
			return aList, true
		case "zed", "generic":
			return wanted{}, false
		}
		return aString, true
	case "args":
		return aList, h.ID != "zed"
	case "env", "headers", "environment":
		return anObject, h.ID != "generic"
	case "url":
		return aString, true
	}
	return wanted{}, false
}

// foreignKeys are keys of one host that others pass over without a word, with
// the hosts that know them and what is lost.
var foreignKeys = map[string]struct {
	hosts []string
	loss  string
}{
	"alwaysAllow":  {[]string{"roo", "cline", "generic"}, "approves nothing"},
	"autoApprove":  {[]string{"cline", "kiro", "amazon-q", "roo", "generic"}, "approves nothing"},
	"trust":        {[]string{"gemini", "generic"}, "trusts nothing"},
	"includeTools": {[]string{"gemini", "generic"}, "keeps no tool out"},
	"excludeTools": {[]string{"gemini", "generic"}, "keeps no tool out"},
	"disabledTools": {
		[]string{"roo", "kiro", "windsurf", "amazon-q", "cline", "generic"}, "keeps no tool out",
	},
	"httpUrl":      {[]string{"gemini", "generic"}, "names no server"},
	"serverUrl":    {[]string{"windsurf", "generic"}, "names no server"},
	"environment":  {[]string{"opencode", "generic"}, "sets no variable"},
	"env":          {[]string{"claude-code", "vscode", "gemini", "codex", "claude-desktop"}, "sets no variable"},
	"envFile":      {[]string{"vscode", "vscode-settings", "code-workspace", "devcontainer", "cursor", "generic"}, "loads no file"},
	"bearer_token": {[]string{"generic"}, "is rejected"},
}

// certain are the hosts whose keys are known well enough to call another one
// ignored.
var certain = []string{"claude-code", "vscode", "gemini", "codex", "opencode", "claude-desktop"}

func (c *Config) checkServer(p *lint.Pass, s Server) {
	starts := false // opencode lets an entry only switch a server on or off
	for _, m := range s.Entry.Members {
		starts = starts || slices.Contains([]string{"command", "url", "httpUrl", "serverUrl", "transport", "uri", "source", "extends", "gallery", "settings"}, m.Name)
		if w, ok := c.Host.wants(m.Name); ok && !slices.Contains(w.kinds, m.Value.Kind) && !c.reset(m.Value) {
			p.Reportf(c.File, m.Value.At, "%s of server %q is not %s, so %s does not start it", m.Name, s.Name.Value, w.says, c.Host.Name)
			continue
		}
		c.checkKey(p, s, m)
	}
	if !starts && !s.Off() && c.Host.ID != "generic" && c.Host.ID != "opencode" {
		p.Reportf(c.File, s.Name.At(), "server %q names neither a command nor an address", s.Name.Value)
	}
	c.checkTransport(p, s)
}

// reset reports whether a value is null, which stands for no value.
func (c *Config) reset(n *lint.Node) bool {
	return n.Kind == lint.Scalar && (n.Text == "null" || n.Text == "")
}

func (c *Config) checkKey(p *lint.Pass, s Server, m lint.Member) {
	foreign, ok := foreignKeys[m.Name]
	switch {
	case ok && slices.Contains(certain, c.Host.ID) && !slices.Contains(foreign.hosts, c.Host.ID) && says(m.Value):
		p.Reportf(c.File, m.At, "%s does not know %q: on server %q it %s", c.Host.Name, m.Name, s.Name.Value, foreign.loss)
	case m.Name == "disabled" && m.Value.Text == "true" && slices.Contains([]string{"claude-code", "vscode", "codex", "opencode"}, c.Host.ID):
		p.Reportf(c.File, m.At, "%s does not know %q: server %q is started all the same", c.Host.Name, m.Name, s.Name.Value)
	case (m.Name == "args" || m.Name == "env") && (c.Host.ID == "claude-code" || c.Host.ID == "claude-desktop"):
		c.checkTexts(p, s, m)
	}
}

// says reports whether a value says anything: an empty list or false under a
// key that is not read loses nothing.
func says(n *lint.Node) bool {
	return n.Kind == lint.String && n.Text != "" || n.Text == "true" || len(n.Elements) > 0 || len(n.Members) > 0
}

// checkTexts reports numbers and booleans where Claude Code takes texts alone:
// it then refuses the whole file.
func (c *Config) checkTexts(p *lint.Pass, s Server, m lint.Member) {
	values := m.Value.Elements
	for _, inner := range m.Value.Members {
		values = append(values, inner.Value)
	}
	for _, v := range values {
		if v.Kind == lint.Scalar {
			p.ReportFix(c.File, v.At, lint.Fix{Edits: []lint.Edit{{At: v.At, New: fmt.Sprintf("%q", v.Text)}}},
				"%s of server %q holds %s, which is no text, so %s refuses it", m.Name, s.Name.Value, v.Text, c.Host.Name)
		}
	}
}

// types are the transports that hosts name.
var types = []string{
	"stdio", "local", "http", "sse", "streamable-http", "streamableHttp", "streamable_http", "remote", "ws", "websocket", "sdk", "builtin", "platform", "inMemory",
}

// checkTransport reports a type that no host has, and in .mcp.json an address
// without a type: Claude Code takes it for a command that is missing.
func (c *Config) checkTransport(p *lint.Pass, s Server) {
	kind := s.Entry.Get("type")
	url := s.Entry.Get("url")
	switch {
	case kind != nil && kind.Kind == lint.String && !slices.Contains(types, kind.Text) && kind.Text != "":
		p.Reportf(c.File, kind.At, "server %q has the type %q, which is no transport", s.Name.Value, kind.Text)
	case c.Host.ID == "claude-code" && url != nil && kind == nil && s.Entry.Get("command") == nil:
		p.Reportf(c.File, s.Name.At(), "server %q has an address and no type, so Claude Code takes it for a program and leaves it out; add \"type\": \"http\"", s.Name.Value)
	}
}
