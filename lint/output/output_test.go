package output_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"steelyard/lint"
	"steelyard/lint/mcpconfig"
	"steelyard/lint/output"
	"steelyard/lint/owners"
	"steelyard/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample is a real result: a secret and an unpinned server on one line, an
// unowned file, a path with an escape sequence, a file over the limit.
func sample(t *testing.T) lint.Result {
	t.Helper()
	tree := fstest.MapFS{
		".mcp.json": {Data: []byte(`{
	"mcpServers": {
		"search": {"command": "npx", "args": ["-y", "@acme/search"], "env": {"API_KEY": "q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1"}}
	}
}
`)},
		".github/CODEOWNERS":                {Data: []byte("* @acme/platform\n*.md\n")},
		"AGENTS.md":                         {Data: []byte("Run the tests.\n")},
		"a\x1b[2Jb\u202ec/.cursor/mcp.json": {Data: []byte(`{"mcpServers": {"x` + "\u202e" + `": {"command": "npx", "args": ["` + "\u202e" + `evil"]}}}`)},
		"big/mcp.json":                      {Data: []byte(strings.Repeat(" ", 2000))},
	}
	list := append(owners.Rules(), mcpconfig.Rules()...)
	res, err := lint.Run(t.Context(), tree, list, lint.Config{Limits: lint.Limits{FileBytes: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// sarifOptions have two rules, so that the file can be read through.
func sarifOptions(t *testing.T) output.SARIFOptions {
	t.Helper()
	o := output.SARIFOptions{Version: "0.1.0"}
	for _, id := range []string{"CO001", "MC002"} {
		page, ok := rules.Get(id)
		if !ok {
			t.Fatalf("no page of %s", id)
		}
		o.Rules = append(o.Rules, page)
	}
	return o
}

func TestGolden(t *testing.T) {
	for name, write := range map[string]func(*bytes.Buffer, lint.Result) error{
		"text": func(b *bytes.Buffer, r lint.Result) error {
			return output.Write(b, "text", output.Check{Result: r}, output.Options{})
		},
		"text-color": func(b *bytes.Buffer, r lint.Result) error {
			return output.Write(b, "text", output.Check{Result: r}, output.Options{Color: true})
		},
		"json": func(b *bytes.Buffer, r lint.Result) error {
			return output.Write(b, "json", output.Check{Result: r}, output.Options{})
		},
		"sarif": func(b *bytes.Buffer, r lint.Result) error { return output.SARIF(b, r, sarifOptions(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := write(&got, sample(t)); err != nil {
				t.Fatal(err)
			}
			if secret := "q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1"; strings.Contains(got.String(), secret[:12]) {
				t.Errorf("the secret is shown:\n%s", got.String())
			}
			golden := "testdata/" + name + ".golden"
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("output differs (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTerminalSafety writes hostile text in every field and wants no control
// or formatting character in the output.
func TestTerminalSafety(t *testing.T) {
	hostile := "a\x1b]8;;x\x07b\rc\u202ed\u200be\x9bf\U000e0041g\u2028h"
	res := lint.Result{
		Findings: []lint.Finding{{
			Rule: "MC002", Name: "mcp-unpinned-server", Severity: rules.Error, Path: hostile, Line: 1, Column: 3,
			EndLine: 1, EndColumn: 9, Message: hostile, Snippet: hostile,
			Related: []lint.Related{{Path: hostile, Line: 1, Message: hostile}},
		}},
		Skipped: []lint.Skip{{Path: hostile, Reason: hostile}},
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text": func(b *bytes.Buffer) error {
			return output.Write(b, "text", output.Check{Result: res}, output.Options{})
		},
		"json": func(b *bytes.Buffer) error {
			return output.Write(b, "json", output.Check{Result: res}, output.Options{})
		},
		"sarif": func(b *bytes.Buffer) error { return output.SARIF(b, res, output.SARIFOptions{}) },
		"diff": func(b *bytes.Buffer) error {
			return output.Diff(b, []lint.Change{{Path: hostile, Before: "a\n" + hostile + "\n", After: "a\n" + hostile + hostile + "\n"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := write(&got); err != nil {
				t.Fatal(err)
			}
			if i := strings.IndexAny(got.String(), "\x1b\x07\r\u202e\u200b\u009b\U000e0041\u2028"); i >= 0 {
				t.Errorf("unsafe character at %d of %q", i, got.String())
			}
		})
	}
	var text bytes.Buffer
	if err := output.Write(&text, "json", output.Check{Result: res}, output.Options{}); err != nil {
		t.Fatal(err)
	}
	var doc struct{ Findings []struct{ Path string } }
	if err := json.Unmarshal(text.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if want := strings.ToValidUTF8(hostile, "\ufffd"); doc.Findings[0].Path != want {
		t.Errorf("path is %q after the round trip, want %q", doc.Findings[0].Path, want)
	}
}

// TestRunnerSafety holds that no path makes a line that a CI runner takes for a
// command.
func TestRunnerSafety(t *testing.T) {
	for _, path := range []string{"::error file=x::y", " ::stop-commands::z", "##[add-mask]x"} {
		res := lint.Result{
			Findings: []lint.Finding{{Rule: "MC002", Path: path + "/.mcp.json", Line: 1, Column: 1, Message: "m"}},
			Skipped:  []lint.Skip{{Path: path, Reason: "r"}},
		}
		var text bytes.Buffer
		if err := output.Write(&text, "text", output.Check{Result: res}, output.Options{}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text.String()) {
			if start := strings.TrimSpace(line); strings.HasPrefix(start, "::") || strings.HasPrefix(start, "##") {
				t.Errorf("a command to the runner: %s", line)
			}
		}
	}
}

// TestSchema holds real results to the published schema.
func TestSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(output.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("findings.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("findings.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, res := range map[string]lint.Result{"sample": sample(t), "clean": {}} {
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			if err := output.Write(&text, "json", output.Check{Result: res}, output.Options{}); err != nil {
				t.Fatal(err)
			}
			value, err := jsonschema.UnmarshalJSON(&text)
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(value); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWriteFailure(t *testing.T) {
	for name, err := range map[string]error{
		"text":  output.Write(full{}, "text", output.Check{Result: sample(t)}, output.Options{}),
		"json":  output.Write(full{}, "json", output.Check{Result: sample(t)}, output.Options{}),
		"sarif": output.SARIF(full{}, sample(t), output.SARIFOptions{}),
		"diff":  output.Diff(full{}, []lint.Change{{Path: "a", Before: "a\n", After: "b\n"}}),
	} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: error is %v, want the writer's", name, err)
		}
	}
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
