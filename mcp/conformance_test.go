package mcp_test

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"steelyard/internal/server"
	"steelyard/mcp"
)

// needSuite skips the test where the conformance suite cannot run, or fails it
// where it must.
func needSuite(t *testing.T, dir string) {
	t.Helper()
	missing := ""
	out, err := exec.CommandContext(t.Context(), "node", "--version").Output()
	major, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(out)), "v"), ".")
	version, numberErr := strconv.Atoi(major)
	if err != nil || numberErr != nil || version < 22 {
		missing = "node 22 or newer is not installed; make test puts one into tools/node"
	} else if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		missing = dir + "/node_modules is absent; make test installs it (npm ci --ignore-scripts in " + dir + ")"
	}
	switch {
	case missing == "":
	case os.Getenv("STEELYARD_REQUIRE_NODE") == "1":
		t.Fatal(missing)
	default:
		t.Skip(missing)
	}
}

// listening serves what options makes of its own address, as the product does,
// with its bounds and its checks of Host and Origin, and returns the address.
func listening(t *testing.T, options func(url string) server.Options) string {
	t.Helper()
	ln, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	o := options(server.URL(ln))
	o.Grace = 2 * time.Second
	go func() { done <- server.Serve(ctx, ln, o) }()
	t.Cleanup(func() {
		stop()
		<-done // a stream of a client may have had to be cut
	})
	return server.URL(ln)
}

// serving is the options of a server of one handler.
func serving(h http.Handler) func(string) server.Options {
	return func(string) server.Options { return server.Options{MCP: h} }
}

// TestConformance runs the official suite on the fixtures behind our own
// stack, and on the product's server, for both eras. What the fixtures must
// fail, and what the product must pass without the suite's own tools, stands in
// a file each; a scenario more or less that fails is an error.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("the conformance suite is run with the full tests")
	}
	needSuite(t, "conformance")
	o, _ := options()
	fixtures := listening(t, serving(fixtureTools(o).HTTP()))
	product := listening(t, serving(mcp.New(o).HTTP()))
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		t.Run("fixtures-"+revision, func(t *testing.T) {
			failures := filepath.Join("conformance", "fixtures-"+revision+".yml")
			out, err := suite(t, fixtures+"/mcp", revision, "--expected-failures", failures)
			if err != nil {
				t.Errorf("%s: %v\n%s", failures, err, out)
			}
		})
		t.Run("product-"+revision, func(t *testing.T) {
			out, _ := suite(t, product+"/mcp", revision) // it fails: the product has not the suite's tools
			for _, scenario := range listed(t, filepath.Join("conformance", "product-"+revision+".txt")) {
				// A scenario that warns alone passes with no check that passed.
				passed := regexp.MustCompile(`(?m)✓ ` + regexp.QuoteMeta(scenario) + `: [1-9][0-9]* passed, 0 failed`)
				if !passed.MatchString(out) {
					t.Errorf("%s does not pass:\n%s", scenario, out)
				}
			}
		})
	}
}

// suite runs what a revision requires.
func suite(t *testing.T, url, revision string, more ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	args := []string{
		"conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js",
		"server", "--url", url, "--requirements", revision, "-o", t.TempDir(),
	}
	out, err := exec.CommandContext(ctx, "node", append(args, more...)...).CombinedOutput()
	return string(out), err
}

// listed are the lines of a file that say something.
func listed(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s lists nothing", path)
	}
	return all
}
