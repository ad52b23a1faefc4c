package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"steelyard/mcp"
)

// The Inspector's exit codes that are looked for.
const (
	inspectorFine      = 0
	inspectorToolError = 5 // the tool answered with an error
)

// inspector is one way to a server in one era.
type inspector struct {
	way  []string // flags, and the server behind them
	home string   // it keeps a folder there
}

// run runs one method and returns what was printed. The server's own log is on
// standard error, so that is no failure there.
func (i inspector) run(t *testing.T, want int, more ...string) (stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := append([]string{"inspector/node_modules/.bin/mcp-inspector", "--cli"}, i.way...)
	cmd := exec.CommandContext(ctx, "node", append(args, more...)...)
	cmd.Env = append(os.Environ(), "HOME="+i.home)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	err := cmd.Run()
	code := inspectorFine
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		code = failed.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if code != want {
		t.Errorf("%v: exit code %d, want %d\n%s\n%s", more, code, want, &out, &messages)
	}
	return out.String(), messages.String()
}

// TestInspector asks for everything with the Inspector's command line, over
// stdio and HTTP and in both eras. With --strict, which it takes for the list of
// tools alone, it fails on a schema that some client refuses, and says on
// standard error what some client may not understand: there must be nothing.
func TestInspector(t *testing.T) {
	if testing.Short() {
		t.Skip("the Inspector is started with the full tests, once for each question")
	}
	needSuite(t, "inspector")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o, _ := options()
	srv := httptest.NewServer(mcp.New(o).HTTP())
	t.Cleanup(srv.Close)
	for name, way := range map[string][]string{
		"http":  {"--server-url", srv.URL, "--transport", "http"},
		"stdio": {self, "-e", fixtureServer + "=1"},
	} {
		for _, era := range []string{"legacy", "modern"} {
			t.Run(name+"-"+era, func(t *testing.T) {
				t.Parallel()
				inspectAll(t, inspector{slices.Concat(way, []string{"--protocol-era", era}), t.TempDir()})
			})
		}
	}
}

func inspectAll(t *testing.T, i inspector) {
	t.Helper()
	list, complaints := i.run(t, inspectorFine, "--method", "tools/list", "--strict")
	if complaints != "" {
		t.Errorf("--strict complains: %s", complaints)
	}
	var tools struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal([]byte(list), &tools); err != nil {
		t.Fatalf("%v: %s", err, list)
	}
	called := map[string]bool{}
	for _, call := range everyCall() {
		called[call.Name] = true
		arguments, err := json.Marshal(call.Arguments)
		if err != nil {
			t.Fatal(err)
		}
		want := inspectorFine
		if call.Arguments["pilot"] == "nope" {
			want = inspectorToolError
		}
		i.run(t, want, "--method", "tools/call", "--tool-name", call.Name, "--tool-args-json", string(arguments))
	}
	for _, tool := range tools.Tools {
		if !called[tool.Name] {
			t.Errorf("%s is not called", tool.Name)
		}
	}
	i.run(t, inspectorFine, "--method", "resources/templates/list")
	for uri, want := range everyResource {
		if text, _ := i.run(t, inspectorFine, "--method", "resources/read", "--uri", uri); !strings.Contains(text, strings.Trim(want, `"`)) {
			t.Errorf("%s: %s", uri, text)
		}
	}
	i.run(t, inspectorFine, "--method", "prompts/list")
	for prompt, arguments := range everyPrompt {
		args := []string{"--method", "prompts/get", "--prompt-name", prompt}
		for name, value := range arguments {
			args = append(args, "--prompt-args", name+"="+value)
		}
		i.run(t, inspectorFine, args...)
	}
}
