package mcp_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
	"time"

	"steelyard/mcp"
)

// inspectorEnv, where it is set, runs the Inspector, which starts once a call.
const inspectorEnv = "STEELYARD_MCP_INSPECTOR"

// TestInspector lists the tools with the Inspector's command line, which then
// looks for schemas that some client refuses, and calls every tool, in both
// eras.
func TestInspector(t *testing.T) {
	if os.Getenv(inspectorEnv) == "" {
		t.Skip("set " + inspectorEnv + "=1 to start the Inspector once for each tool and era")
	}
	needSuite(t, "inspector")
	o, _ := options()
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	home := t.TempDir() // it keeps a folder there
	inspect := func(era string, more ...string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		args := append([]string{"inspector/node_modules/.bin/mcp-inspector", "--cli", "--server-url", srv.URL, "--transport", "http", "--protocol-era", era}, more...)
		cmd := exec.CommandContext(ctx, "node", args...)
		cmd.Env = append(os.Environ(), "HOME="+home)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s %v: %v\n%s", era, more, err, out)
		}
	}
	for _, era := range []string{"legacy", "modern"} {
		inspect(era, "--method", "tools/list", "--strict")
		inspect(era, "--method", "resources/templates/list")
		inspect(era, "--method", "prompts/list")
		for _, call := range everyCall() {
			if call.Arguments["pilot"] == "nope" {
				continue // an error of the tool is an exit code of its own
			}
			args := []string{"--method", "tools/call", "--tool-name", call.Name}
			for name, value := range call.Arguments {
				args = append(args, "--tool-arg", fmt.Sprintf("%s=%v", name, value))
			}
			inspect(era, args...)
		}
	}
}
