package config_test

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"steelyard/internal/config"
)

var update = flag.Bool("update", false, "renew the published schema")

const published = "../../docs/steelyard.schema.json"

func TestPublishedSchema(t *testing.T) {
	got, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(published, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(published)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not what the code says; run the test with -update (-published +code):\n%s", published, diff)
	}
}

// TestSchemaAgrees holds the schema and the checker to the same answer.
func TestSchemaAgrees(t *testing.T) {
	schema := compiled(t)
	for _, text := range []string{
		"", "database: sqlite:a\n", "database:\n", "database: mysql://x\n", "database: 1\n", "serve: {}\n", "serve: []\n",
		"serve: {addr: '127.0.0.1:1'}\n", "serve: {adr: '127.0.0.1:1'}\n", "lint: {fail_on: never}\n", "lint: {fail_on: }\n", "lint: {fail_on: x}\n",
		"lint: {exclude: [a, b]}\n", "lint: {exclude: a}\n", "lint: {exclude: [1]}\n", "lint: {rules: {MC001: off}}\n", "lint: {rules: {MC001: on}}\n", "lint: {rules: {mc_1: off}}\n",
		"lint: {suppressions: [{rule: MC001, path: a, reason: b}]}\n", "lint: {suppressions: [{rule: MC001, path: a}]}\n",
		"lint: {suppressions: [{rule: MC001, path: a, reason: b, line: 0}]}\n", "lint: {suppressions: [{rule: MC001, path: a, reason: b, line: 7, until: '2027-01-31'}]}\n",
		"lint: {suppressions: [{rule: MC001, path: a, reason: b, until: soon}]}\n", "lint: {suppressions: [{rule: MC001, path: a, reason: }]}\n",
		"github: {}\n", "github: {repositories: [acme/payments]}\n", "github: {repositories: [payments]}\n", "github: {token_env: a-b}\n", "github: {reconcile_hour: 0}\n", "github: {reconcile_hour: 24}\n", "github: {app: {id: 1}}\n", "github: {app: {id: x}}\n",
		"teams: {placement: both}\n", "teams: {members: [{account: a, team: t, from: '2026-01-01'}]}\n", "teams: {members: [{account: a}]}\n", "hours: {from: '08:00'}\n", "hours: {from: '8:00'}\n", "hours: {weekdays: [monday]}\n", "hours: {weekdays: [Montag]}\n", "exclusions: [{from: '2026-01-01', until: '2026-01-02', reason: r}]\n", "exclusions: {}\n",
		"report: {smallest_effect: 0.1}\n", "report: {smallest_effect: 0}\n", "report: {smallest_effect: 1}\n", "report: {smallest_effect: x}\n", "x: 1\n", "a string\n",
	} {
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		_, checker := load(text)
		if bySchema := schema.Validate(value); (checker == nil) != (bySchema == nil) {
			t.Errorf("%q: the checker says %v, the schema %v", text, checker, bySchema)
		}
	}
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("steelyard.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("steelyard.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestStarter holds that the starter file means nothing until it is edited,
// and that every commented setting is right once it is uncommented.
func TestStarter(t *testing.T) {
	text := string(config.Starter(config.Found{
		MCP: []string{".mcp.json", "evil\nname: x"}, Instructions: strings.Split(strings.Repeat("AGENTS.md ", 20), " "),
		Owners: ".github/CODEOWNERS",
	}))
	c, err := load(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range c.Settings() {
		if s.Origin.Kind != config.FromDefault {
			t.Errorf("%s comes from %s", s.Key, s.Origin)
		}
	}
	var live []string
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(line, " ")
		if rest, ok := strings.CutPrefix(trimmed, "#"); ok && !strings.HasPrefix(rest, " ") || strings.HasPrefix(trimmed, "#  ") {
			line = line[:len(line)-len(trimmed)] + trimmed[1:]
		}
		live = append(live, line)
	}
	_, header, _ := strings.Cut(strings.Join(live, ""), "# Where")
	c, err = load("# Where" + header)
	if err != nil {
		t.Fatalf("%v\n%s", err, header)
	}
	for _, s := range c.Settings() {
		if s.Origin.Kind != config.FromFile {
			t.Errorf("uncommented, %s comes from %s", s.Key, s.Origin)
		}
	}
}

func TestStarterNamesWhatItFound(t *testing.T) {
	text := string(config.Starter(config.Found{Database: `sqlite:odd "name".db`, Owners: "CODEOWNERS"}))
	c, err := load(text)
	if err != nil {
		t.Fatal(err)
	}
	if c.Database != `sqlite:odd "name".db` {
		t.Errorf("database is %q", c.Database)
	}
	for _, want := range []string{"code owners: CODEOWNERS", "MCP configurations: none"} {
		if !strings.Contains(text, want) {
			t.Errorf("the file does not say %q", want)
		}
	}
}

// TestManual holds that the hand-written page names every key and variable.
func TestManual(t *testing.T) {
	page, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(config.Keys(), config.Environment()...) {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/configuration.md does not name `%s`", name)
		}
	}
}
