package rules

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Leg is one part of the lethal trifecta.
type Leg string

// The legs: whoever has all three can be made to send private data to a
// stranger by a text that the stranger wrote.
const (
	Private   Leg = "private"   // reads what is not public
	Untrusted Leg = "untrusted" // brings in text that strangers wrote
	Outbound  Leg = "outbound"  // sends text to where a stranger may read it
)

// KnownServer is one row of the table of MCP servers.
type KnownServer struct {
	ID string `yaml:"id"`
	// Packages, images and modules are in lower case and without a version, as
	// launch.Fetch names them.
	Packages []string `yaml:"packages"`
	Programs []string `yaml:"programs"` // installed commands
	Hosts    []string `yaml:"hosts"`    // remote servers
	// Files is set where the server's arguments are the folders it may touch.
	Files bool `yaml:"files"`
	// Bridge is set where an argument is the address of a remote server.
	Bridge bool  `yaml:"bridge"`
	Legs   []Leg `yaml:"legs"`
}

//go:embed servers.yaml
var serversText []byte

var loadServers = sync.OnceValues(func() ([]KnownServer, error) { return parseServers(serversText) })

// KnownServers returns the table of MCP servers in the order it is written. The
// caller must not change it.
func KnownServers() ([]KnownServer, error) { return loadServers() }

func parseServers(text []byte) ([]KnownServer, error) {
	var rows []KnownServer
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&rows); err != nil {
		return nil, fmt.Errorf("read servers.yaml: %w", err)
	}
	seen := map[string]bool{}
	for _, row := range rows {
		names := slices.Concat([]string{"id " + row.ID}, row.Packages, row.Programs, row.Hosts)
		for i, name := range names {
			if name == "" || name == "id " || seen[name] && !slices.Contains(names[:i], name) {
				return nil, fmt.Errorf("servers.yaml: %s: %q is empty or stands twice", row.ID, name)
			}
			seen[name] = true
		}
		if len(names) == 1 {
			return nil, fmt.Errorf("servers.yaml: %s: it says nothing by which the server is known", row.ID)
		}
		for _, leg := range row.Legs {
			if leg != Private && leg != Untrusted && leg != Outbound {
				return nil, fmt.Errorf("servers.yaml: %s: unknown leg %q", row.ID, leg)
			}
		}
	}
	return rows, nil
}
