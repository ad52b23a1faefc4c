// Package mcpconfig checks MCP configurations: the files that tell an editor
// or agent which MCP servers to start or reach, in the dialects of the hosts
// that read them. A file is read once into [Config]; every rule of the family
// works on that.
package mcpconfig

import (
	"path"
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/lint/launch"
	"steelyard/lint/secrets"
	"steelyard/rules"
)

// Rules returns the family's rules in ID order.
func Rules() []lint.Rule {
	return []lint.Rule{
		unreadable, literalSecret, unpinned, shellScript, plainHTTP, deceptiveAddress, numericAddress, secretInQuery,
		broadFolder, looseContainer, wholeEnvironment, sameName, ignored, foreignReference, trifecta, notApproved,
	}
}

// Config is one MCP configuration as its host reads it.
type Config struct {
	File    *lint.File
	Host    Host
	Root    *lint.Node // nil where the file holds no value
	Servers []Server
	// Err is why the file cannot be read; the rest is empty then.
	Err error
	// Partial is why not all of a readable file was looked at, "" if it was.
	Partial string

	found []secrets.Secret
}

// Server is one MCP server of a configuration. Of the texts that a host allows
// in several places all are kept, so that no duplicate key hides one.
type Server struct {
	Name    launch.Text
	Entry   *lint.Node
	Command []launch.Text // the program and its first arguments, as the host writes them
	Args    []launch.Text
	Env     []Pair
	Headers []Pair
	URLs    []launch.Text
	Other   []Pair // every other text of the entry, by its key

	runs    []launch.Command // what starting it runs in the end
	fetches []launch.Fetch   // what that fetches
	reaches []address        // the remote servers it names
}

// Pair is a name and its value: an environment variable, a header, a setting.
type Pair struct{ Key, Value launch.Text }

// Off reports whether the entry switches the server off.
func (s Server) Off() bool {
	disabled, enabled := s.Entry.Get("disabled"), s.Entry.Get("enabled")
	return disabled != nil && disabled.Text == "true" || enabled != nil && enabled.Text == "false"
}

// line is the server's whole command line, nil for a remote server.
func (s Server) line() []launch.Text { return append(slices.Clone(s.Command), s.Args...) }

// commands reads what starting the server runs in the end.
func (s Server) commands() []launch.Command {
	if len(s.Command) == 1 && strings.ContainsAny(s.Command[0].Value, " \t") && !launch.IsPath(s.Command[0].Value) {
		// Some hosts split a command that is written as one line.
		split := launch.Split(s.Command[0])
		if len(split) > 0 {
			last := &split[len(split)-1]
			last.Words = append(last.Words, s.Args...)
		}
		var all []launch.Command
		for _, c := range split {
			all = append(all, launch.Unwrap(c)...)
		}
		return all
	}
	return launch.Commands(s.line())
}

// configs reads every file of the tree that holds MCP servers; links are left
// out, their target is read where it stands.
func configs(p *lint.Pass) []*Config {
	var all []*Config
	for _, f := range p.Files(rules.MCP, rules.Permissions, rules.Tasks) {
		if f.Link == "" && dialect(f).Name != "" {
			all = append(all, lint.Parsed(f, parse))
		}
	}
	return all
}

// dialect is how the file's servers are written; without a name the file is
// none that could hold any.
func dialect(f *lint.File) Host {
	switch {
	case f.Is(rules.MCP):
		return hosts[f.Host(rules.MCP)]
	case f.Is(rules.Permissions) && f.Host(rules.Permissions) == "vscode":
		return hosts["vscode-settings"]
	case f.Is(rules.Tasks) && path.Ext(f.Path) == ".md" && inFolder(f.Path, ".github", "agents"):
		return hosts["copilot-agent"]
	case f.Is(rules.Tasks) && path.Ext(f.Path) == ".md" && inFolder(f.Path, ".claude", "agents"):
		return hosts["claude-agent"]
	}
	return Host{}
}

// inFolder reports whether a path lies below outer/inner, at any depth.
func inFolder(name, outer, inner string) bool {
	return strings.Contains("/"+name, "/"+outer+"/"+inner+"/")
}
