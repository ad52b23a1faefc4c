package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"steelyard/lint"
	"steelyard/lint/families"
)

// hostConfig is a configuration in the manual and the file it belongs into.
var hostConfig = regexp.MustCompile("(?ms)^```[a-z]+ config=(\\S+)\n(.*?)^```$")

// TestHostConfigurationsPassTheLint holds that every configuration the manual
// tells people to copy is read by the lint as a server, and found fault with by
// no rule.
func TestHostConfigurationsPassTheLint(t *testing.T) {
	manual, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	found := hostConfig.FindAllStringSubmatch(string(manual), -1)
	seen := map[string]bool{}
	for _, m := range found {
		name, text := m[1], m[2]
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{
				name:         {Data: []byte(text)},
				"CODEOWNERS": {Data: []byte("* @example/platform\n")},
			}
			res, err := lint.Run(t.Context(), tree, families.All(), lint.Config{Committed: true, Observe: families.Observers()})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range res.Findings {
				t.Errorf("%s: %s", f.Rule, f.Message)
			}
			if len(res.Inventory.Servers) == 0 || len(res.Skipped) > 0 {
				t.Errorf("the lint sees no server in it: %v", res.Skipped)
			}
			for _, s := range res.Inventory.Servers {
				if !s.Pinned || s.Secrets == "literal" {
					t.Errorf("%s: pinned %v, secrets %q", s.Name, s.Pinned, s.Secrets)
				}
				seen[s.Host] = true
			}
			if strings.HasSuffix(name, ".json") && !json.Valid([]byte(text)) {
				t.Error("it is no JSON")
			}
		})
	}
	for _, host := range []string{"vscode", "claude-code", "claude-desktop", "cursor", "codex", "gemini", "generic"} {
		if !seen[host] {
			t.Errorf("the manual has no configuration for %s", host)
		}
	}
}

// registryEntry is what the registry of MCP servers reads.
type registryEntry struct {
	Schema      string `json:"$schema"`
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Version     string `json:"version"`
	Packages    []struct {
		RegistryType string `json:"registryType"`
		Identifier   string `json:"identifier"`
		Transport    struct {
			Type string `json:"type"`
		} `json:"transport"`
		PackageArguments []struct {
			Type, Name, Value string
		} `json:"packageArguments"`
	} `json:"packages"`
}

// TestRegistryEntry holds the entry for the registry to its bounds, and to the
// command and the program's name.
func TestRegistryEntry(t *testing.T) {
	text, err := os.ReadFile("../../deploy/mcp-registry/server.json")
	if err != nil {
		t.Fatal(err)
	}
	var e registryEntry
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^[a-zA-Z0-9.-]+/steelyard$`).MatchString(e.Name) || len(e.Description) > 100 || e.Description == "" || len(e.Packages) != 1 {
		t.Errorf("entry %+v", e)
	}
	p := e.Packages[0]
	if p.RegistryType != "oci" || !strings.HasSuffix(p.Identifier, "/steelyard:"+e.Version) || p.Transport.Type != "stdio" || p.PackageArguments[0].Value != "mcp" {
		t.Errorf("package %+v", p)
	}
}
