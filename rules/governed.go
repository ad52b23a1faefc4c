package rules

import (
	"bytes"
	"fmt"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Kind says what a governed file decides.
type Kind string

// The kinds of governed files. A file may have several.
const (
	Instructions Kind = "instructions" // text every assistant on the team reads
	Tasks        Kind = "tasks"        // prompts, commands, agents and skills
	MCP          Kind = "mcp"          // which MCP servers run, with what
	Permissions  Kind = "permissions"  // what an assistant may do unasked
	Ownership    Kind = "ownership"    // who must review the others
	Review       Kind = "review"       // pull-request template, agent setup steps
)

// Governed is one row of the table of governed files.
type Governed struct {
	// Path is a doublestar pattern, slash-separated, relative to the tree.
	Path string `yaml:"path"`
	Kind Kind   `yaml:"kind"`
	// Host is the program that reads an MCP or permissions file.
	Host string `yaml:"host"`
	// Shared is set on files that mostly hold other things (a dev container, an
	// editor workspace): they need no owner of their own.
	Shared bool `yaml:"shared"`
}

var loadGoverned = sync.OnceValues(func() ([]Governed, error) {
	text, err := files.ReadFile("governed.yaml")
	if err != nil {
		return nil, fmt.Errorf("read governed.yaml: %w", err)
	}
	return parseGoverned(text)
})

// GovernedFiles returns the table of governed files in the order it is
// written. The caller must not change it.
func GovernedFiles() ([]Governed, error) { return loadGoverned() }

func parseGoverned(text []byte) ([]Governed, error) {
	var rows []Governed
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&rows); err != nil {
		return nil, fmt.Errorf("read governed.yaml: %w", err)
	}
	for i, row := range rows {
		if row.Path == "" {
			return nil, fmt.Errorf("governed.yaml: row %d has no path", i+1)
		}
		switch row.Kind {
		case Instructions, Tasks, MCP, Permissions, Ownership, Review:
		default:
			return nil, fmt.Errorf("governed.yaml: %s: unknown kind %q", row.Path, row.Kind)
		}
		if (row.Kind == MCP) && row.Host == "" {
			return nil, fmt.Errorf("governed.yaml: %s: an MCP file needs its host", row.Path)
		}
	}
	return rows, nil
}
