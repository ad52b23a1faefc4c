package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/lint"
	"steelyard/lint/history"
	"steelyard/mcp"
	"steelyard/migrations"
	"steelyard/rules"
)

// What a default answer may be long, of docs/mcp.md.
const (
	answerText  = 2000    // characters
	answerBytes = 8 << 10 // of structured content
)

// TestAnswersStayShort holds that every tool's default answer is within its
// budget over a database of 20,000 pull requests, twelve pilots and scans of 500
// repositories with hundreds of files. With STEELYARD_BENCH_LONG=1 it is over
// 1,000,000 pull requests:
//
//	STEELYARD_BENCH_LONG=1 go test ./cmd/steelyard -run AnswersStayShort -v
func TestAnswersStayShort(t *testing.T) {
	if testing.Short() {
		t.Skip("a large database is made for the full tests")
	}
	n := scalePulls / 50
	if os.Getenv(longBenchEnv) != "" {
		n = scalePulls
	}
	cs := largeDatabase(t, n)
	list, err := cs.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	deep := ""
	for k := range 12 {
		deep += fmt.Sprintf("part-%d/", k+1)
	}
	calls := map[string][]map[string]any{
		"list_pilots":        {nil},
		"get_pilot_report":   {{"pilot": "tools-07"}, {"pilot": "tools-07", "metric": "open_to_merge"}},
		"get_metric_series":  {{"pilot": "tools-07"}, {"pilot": "tools-07", "metric": "reverts"}},
		"list_pull_requests": {{"pilot": "tools-07"}, {"pilot": "tools-07", "state": "reverted", "side": "pilot", "window": "after"}},
		"get_data_health":    {nil},
		"list_findings":      {nil, {"repository": "acme/repository-007", "severity": "error"}},
		"explain_rule":       everyRule(t),
		"list_mcp_servers":   {nil, {"problem": "unpinned"}},
		"get_effective_instructions": {
			{"repository": "acme/repository-007", "surface": "claude-code", "file": deep + "main.go"},
			{"repository": "acme/repository-007", "surface": "copilot-agent", "file": deep + "main.go"},
		},
		"check_dependency": {{"package": "npm:left-pad"}},
	}
	for _, tool := range list.Tools {
		if len(calls[tool.Name]) == 0 {
			t.Errorf("%s is not called", tool.Name)
		}
		text, bytes := 0, 0
		for _, args := range calls[tool.Name] {
			res, err := patiently(t, cs, &sdk.CallToolParams{Name: tool.Name, Arguments: args})
			if err != nil || res.IsError || len(res.Content) != 1 {
				t.Errorf("%s %v: %v, %+v", tool.Name, args, err, res)
				continue
			}
			data, err := json.Marshal(res.StructuredContent)
			if err != nil {
				t.Fatal(err)
			}
			said := res.Content[0].(*sdk.TextContent).Text
			text, bytes = max(text, len([]rune(said))), max(bytes, len(data))
			if len([]rune(said)) >= answerText || len(data) >= answerBytes {
				t.Errorf("%s %v: %d characters of text, %d bytes of structured content; must be under %d and %d", tool.Name, args, len([]rune(said)), len(data), answerText, answerBytes)
			}
		}
		t.Logf("%-27s %5d characters of text (about %d tokens), %5d bytes of structured content (about %d tokens)", tool.Name, text, (text+3)/4, bytes, (bytes+3)/4)
	}
}

// patiently calls once more where a call was stopped, as its answer asks: twelve
// reports over all pull requests may take longer than one call when nothing is
// known yet.
func patiently(t *testing.T, cs *sdk.ClientSession, q *sdk.CallToolParams) (*sdk.CallToolResult, error) {
	t.Helper()
	for start := time.Now(); ; {
		res, err := cs.CallTool(t.Context(), q)
		if err == nil && res.IsError && strings.Contains(res.Content[0].(*sdk.TextContent).Text, "Call once more") && time.Since(start) < 5*time.Minute {
			t.Logf("%s %v was stopped", q.Name, q.Arguments)
			continue
		}
		return res, err
	}
}

// everyRule are calls that explain every rule there is.
func everyRule(t *testing.T) (calls []map[string]any) {
	t.Helper()
	pages, err := rules.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		calls = append(calls, map[string]any{"rule": p.ID})
	}
	return calls
}

// largeDatabase makes one with n pull requests and much of everything else, and
// returns a client of the MCP server over it.
func largeDatabase(t *testing.T, n int) *sdk.ClientSession {
	t.Helper()
	dir := t.TempDir()
	url, file := "sqlite:"+filepath.Join(dir, "large.db"), filepath.Join(dir, "pulls.csv")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := writePulls(f, n); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC)
	command := func(args ...string) {
		t.Helper()
		var messages strings.Builder
		p := program{stdout: &messages, stderr: &messages, now: func() time.Time { return now }, env: func(string) (string, bool) { return "", false }}
		if code := p.run(t.Context(), append(args, "--db", url)); code != exitClean {
			t.Fatalf("%v: exit code %d\n%s", args, code, &messages)
		}
	}
	command("import", "pull-requests", file)
	for team := 7; team < 19; team++ {
		command("pilot", "define", fmt.Sprintf("tools-%02d", team), "--title", fmt.Sprintf("Tools of many names for team %02d and all who work with it", team),
			"--treated", fmt.Sprintf("Team %02d=2024-07-01", team), "--before", "2021-01-04..2024-07-01", "--after", "2024-07-01..2025-12-01",
			"--outcome", "open_to_merge", "--outcome", "time_to_first_review", "--outcome", "merged_per_author_week", "--outcome", "review_rounds",
			"--outcome", "size", "--counter", "reverts")
	}
	db, err := migrations.Open(t.Context(), url, migrations.Options{MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for i := range 500 {
		if err := history.New(db).SaveScan(t.Context(), largeScan(i, now)); err != nil {
			t.Fatal(err)
		}
	}
	p := &program{now: func() time.Time { return now }}
	r := newRoom(db, p.now)
	o, err := r.withSources(p, mcp.Options{Reports: r.reports, Findings: r.findings, Rules: rules.All, Clock: p.now, Dependencies: wordy{}, BaseURL: "https://steelyard.example.com"}, "")
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(mcp.New(o).HTTP())
	t.Cleanup(h.Close)
	cs, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: h.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cs.Close() })
	return cs
}

// largeScan is a scan of one repository of many, with more than one answer may
// hold of everything.
func largeScan(i int, at time.Time) lint.Scan {
	s := lint.Scan{Repository: fmt.Sprintf("acme/repository-%03d", i), Commit: fmt.Sprintf("%040x", i+1), At: at, Files: 100}
	folder := ""
	for k := range 30 {
		text := lint.SeenText{Path: folder + "AGENTS.md", Text: fmt.Sprintf("# Part %d\n\n%s\n", k, strings.Repeat("Always use tabs. Never use tabs. Run the tests with make. ", 20))}
		s.Inventory.Texts = append(s.Inventory.Texts, text, lint.SeenText{Path: folder + "CLAUDE.md", Text: "@AGENTS.md\n\nUse spaces. Commit to main.\n"})
		if k < 12 {
			folder += fmt.Sprintf("part-%d/", k+1)
		} else {
			folder = fmt.Sprintf("beside-%d/", k)
		}
		s.Inventory.Servers = append(s.Inventory.Servers, lint.SeenServer{
			Path: fmt.Sprintf("part-%d/.mcp.json", k), Line: k + 2, Host: "claude-code", Name: fmt.Sprint("server-with-a-long-name-", k), Kind: "package",
			Target: fmt.Sprintf("npm:@acme-internal/tools-server-%d", (i+k)%120), Secrets: "literal", Command: "npx -y server",
		})
		s.Findings = append(s.Findings, lint.Finding{
			Rule: "MC002", Name: "mcp-unpinned-server", Severity: []rules.Severity{rules.Error, rules.Warning, rules.Note}[k%3],
			Path: fmt.Sprintf("services/%02d/.mcp.json", k), Line: k + 1, Column: 1, Message: fmt.Sprintf("\"server-%d\" runs whatever version is newest", k),
			Related: []lint.Related{{Path: "docs/setup.md", Line: 3}, {Path: "docs/more.md", Line: 4}},
		})
	}
	return s
}

// wordy judges packages with more reasons than an answer holds. Real ones come
// from registries, not from the database.
type wordy struct{}

func (wordy) CheckDependency(_ context.Context, pkg string) (mcp.DependencyVerdict, error) {
	v := mcp.DependencyVerdict{Package: pkg, Judgement: "ask", Rules: []string{"DEP003"}}
	for range 40 {
		v.Evidence = append(v.Evidence, strings.Repeat("The package is younger than the policy wants. ", 9))
	}
	return v, nil
}
