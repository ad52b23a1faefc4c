package mcp_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"steelyard/metrics"
)

// TestForeignClientOfTheProduct builds the product, prepares the demo, and
// holds that a foreign client over stdio and HTTP, the report as a file, and
// the dashboard's page say the same numbers. It goes through the binary, so
// that this package keeps to its walls.
func TestForeignClientOfTheProduct(t *testing.T) {
	needNode(t)
	dir := t.TempDir()
	binary := filepath.Join(dir, "steelyard")
	output(t, "go", "build", "-o", binary, "../cmd/steelyard")
	db := "sqlite:" + filepath.Join(dir, "demo.db")
	output(t, binary, "demo", "--db", db, "--no-serve")

	pilots := []string{"agents-weekly", "ai-editor-2025", "worked-example"}
	calls := []foreignCall{{"list_pilots", map[string]any{}}, {"list_findings", map[string]any{}}, {"explain_rule", map[string]any{"rule": "MC001"}}}
	fixed := len(calls)
	reports := make([]*metrics.Report, len(pilots))
	for i, id := range pilots {
		reports[i] = new(metrics.Report)
		if err := json.Unmarshal(output(t, binary, "report", id, "--db", db, "--format", "json"), reports[i]); err != nil {
			t.Fatalf("report %s: %v", id, err)
		}
		calls = append(calls, foreignCall{"get_pilot_report", map[string]any{"pilot": id}})
	}

	base := serve(t, binary, db)
	for i, id := range pilots {
		pageAgrees(t, reports[i], base+"/pilots/"+id)
	}
	for sdk, revision := range revisions {
		for transport, way := range map[string][]string{
			"stdio": {"stdio", binary, "mcp", "--db", db},
			"http":  {"http", base + "/mcp"},
		} {
			t.Run(sdk+"-"+transport, func(t *testing.T) {
				answer := foreign(t, calls, nil, sdk, way...)
				if answer.Revision != revision {
					t.Errorf("revision %q, want %q", answer.Revision, revision)
				}
				for i, c := range calls {
					res := answer.Results[i]
					if res.IsError {
						t.Errorf("%s(%v): %s", c.Name, c.Arguments, res.text())
					}
					if n := len([]rune(res.text())); n >= 2000 {
						t.Errorf("%s(%v): %d characters of text", c.Name, c.Arguments, n)
					}
					if n := len(res.StructuredContent); n >= 8<<10 {
						t.Errorf("%s(%v): %d bytes of structured content", c.Name, c.Arguments, n)
					}
				}
				listed := answer.Results[0].text()
				for i, id := range pilots {
					agrees(t, reports[i], answer.Results[fixed+i])
					if !strings.Contains(listed, id) {
						t.Errorf("list_pilots does not name %s:\n%s", id, listed)
					}
				}
				if !strings.Contains(answer.Results[1].text(), "MC001") {
					t.Errorf("list_findings: %s", answer.Results[1].text())
				}
			})
		}
	}
}

// output runs a command and returns what it printed.
func output(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, &stderr)
	}
	return out
}

// serve starts the product's server on a free port and returns the dashboard's
// address. When the test ends the server must end well on SIGTERM.
func serve(t *testing.T, binary, db string) string {
	t.Helper()
	cmd := exec.Command(binary, "serve", "--db", db, "--addr", "127.0.0.1:0")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		killed := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
		defer killed.Stop()
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("serve ended with %v\n%s", err, &stderr)
		}
	})
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if f := strings.Fields(lines.Text()); len(f) > 0 && slices.Contains(f, "dashboard") {
			go func() { _, _ = io.Copy(io.Discard, stdout) }()
			return strings.TrimSuffix(f[len(f)-1], "/")
		}
	}
	t.Fatalf("serve did not print its address\n%s", &stderr)
	return ""
}

var (
	tags   = regexp.MustCompile(`<[^>]*>`)
	spaces = regexp.MustCompile(`[\s\x{00a0}\x{202f}]+`)
)

// pageAgrees holds that the pilot's page shows the numbers of the report.
func pageAgrees(t *testing.T, r *metrics.Report, url string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %d, %v", url, res.StatusCode, err)
	}
	plain := func(s string) string {
		return strings.TrimSpace(spaces.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(s, " ")), " "))
	}
	page := plain(string(body))
	if !strings.Contains(page, plain(r.Verdict.Word)) {
		t.Errorf("%s does not say %q", url, r.Verdict.Word)
	}
	for _, m := range r.Metrics {
		for _, want := range []string{m.Headline.EstimateText, m.Headline.IntervalText, m.Pilot.ValueText, m.Comparison.ValueText} {
			if !strings.Contains(page, plain(want)) {
				t.Errorf("%s does not say %q of %s", url, want, m.Outcome.ID)
			}
		}
	}
}
