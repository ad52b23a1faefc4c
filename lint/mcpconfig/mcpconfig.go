// Package mcpconfig checks MCP configurations: the files that tell an editor
// or agent which MCP servers to start or reach, in the dialects of the hosts
// that read them. A file is read once into [Config]; every rule of the family
// works on that.
package mcpconfig

import (
	"steelyard/lint"
	"steelyard/rules"
)

// Rules returns the family's rules in ID order.
func Rules() []lint.Rule {
	return []lint.Rule{unreadable, literalSecret, unpinned}
}

// Config is one MCP configuration as its host reads it.
type Config struct {
	File    *lint.File
	Host    Host
	Servers []Server
	// Err is why the file cannot be read; the rest is empty then.
	Err error
	// Partial is why not all of a readable file was looked at, "" if it was.
	Partial string

	found []secret
}

// Server is one MCP server of a configuration. Of the texts that a host allows
// in several places all are kept, so that no duplicate key hides one.
type Server struct {
	Name    Text
	Command []Text // the program and its first arguments, as the host writes them
	Args    []Text
	Env     []Pair
	Headers []Pair
	URLs    []Text
	Other   []Pair // every other text of the entry, by its key
}

// Text is a string of a configuration, with its place.
type Text struct {
	Value string
	node  *lint.Node
	from  int // where Value starts in the node's text, -1 if it does not stand there as it is
}

// At is the place of the whole text, without quotes where that can be told.
func (t Text) At() lint.Span { return t.Sub(0, len(t.Value)) }

// Sub is the place of Value[from:to].
func (t Text) Sub(from, to int) lint.Span {
	if t.from < 0 {
		return t.node.At
	}
	return t.node.Sub(t.from+from, t.from+to)
}

// Cut is the part Value[from:to] as a text of its own.
func (t Text) Cut(from, to int) Text {
	cut := Text{t.Value[from:to], t.node, -1}
	if t.from >= 0 {
		cut.from = t.from + from
	}
	return cut
}

// Pair is a name and its value: an environment variable, a header, a setting.
type Pair struct{ Key, Value Text }

// configs reads every MCP configuration of the tree; links are left out, their
// target is read where it stands.
func configs(p *lint.Pass) []*Config {
	var all []*Config
	for _, f := range p.Files(rules.MCP) {
		if f.Link == "" {
			all = append(all, lint.Parsed(f, parse))
		}
	}
	return all
}
