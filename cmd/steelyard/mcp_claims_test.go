package main

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/tools/txtar"

	"steelyard/lint"
	"steelyard/lint/families"
	"steelyard/lint/history"
	"steelyard/mcp"
	"steelyard/migrations"
	"steelyard/rules"
)

// TestServersAndFindingsAgree holds what the descriptions of two tools say of
// each other, over every case that the rules about MCP configurations have: a
// server that list_mcp_servers calls unpinned, or says holds a literal secret,
// is one that list_findings reports under MC002 or MC001, and the other way
// round.
func TestServersAndFindingsAgree(t *testing.T) {
	db, err := migrations.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "scans.db"), migrations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	now := time.Date(2026, time.November, 30, 8, 0, 0, 0, time.UTC)
	scanCases(t, history.New(db), now)

	p := &program{now: func() time.Time { return now }}
	r := newRoom(db, p.now)
	o, err := r.withSources(p, mcp.Options{Reports: r.reports, Findings: r.findings, Rules: rules.All, Clock: p.now}, "")
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

	servers := allPages(t, cs, "list_mcp_servers", nil, "servers")
	// at is the server that a line of a file belongs to: the last before it.
	at := func(place map[string]any) string {
		found, best := "", 0.0
		for _, s := range servers {
			line := s["line"].(float64)
			if s["repository"] == place["repository"] && s["path"] == place["path"] && line <= place["line"].(float64) && line >= best {
				found, best = fmt.Sprint(s["repository"], " ", s["path"], " ", s["line"]), line
			}
		}
		return found
	}
	for problem, rule := range map[string]string{"literal_secret": "MC001", "unpinned": "MC002"} {
		inUse, reported := map[string]bool{}, map[string]bool{}
		for _, s := range allPages(t, cs, "list_mcp_servers", map[string]any{"problem": problem}, "servers") {
			inUse[at(s)] = true
		}
		for _, f := range allPages(t, cs, "list_findings", map[string]any{"rule": rule}, "findings") {
			reported[at(f)] = true
		}
		if diff := cmp.Diff(reported, inUse); diff != "" || len(inUse) < 10 {
			t.Errorf("%d servers with %s; those of %s differ (-findings +servers):\n%s", len(inUse), problem, rule, diff)
		}
	}
}

// scanCases keeps a scan of each case of the rules about MCP configurations, as
// a repository with the case's name.
func scanCases(t *testing.T, kept *history.History, now time.Time) {
	t.Helper()
	files, err := filepath.Glob("../../lint/mcpconfig/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree := fstest.MapFS{}
		for _, f := range archive.Files {
			if f.Name != "want" {
				tree[f.Name] = &fstest.MapFile{Data: f.Data}
			}
		}
		res, err := lint.Run(t.Context(), tree, families.All(), observing(lint.Config{Today: now}))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		scan := lint.Scan{
			Repository: strings.TrimSuffix(filepath.Base(file), ".txtar"), At: now,
			Files: res.Files, Findings: res.Findings, Inventory: res.Inventory,
		}
		if err := kept.SaveScan(t.Context(), scan); err != nil {
			t.Fatal(err)
		}
	}
}

// allPages walks through everything that a tool lists under a name.
func allPages(t *testing.T, cs *sdk.ClientSession, tool string, args map[string]any, list string) (all []map[string]any) {
	t.Helper()
	cursor := ""
	for {
		with := map[string]any{"limit": 100, "cursor": cursor}
		for name, value := range args {
			with[name] = value
		}
		res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: with})
		if err != nil || res.IsError {
			t.Fatalf("%s %v: %v, %+v", tool, with, err, res)
		}
		text, err := json.Marshal(res.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		var page map[string]json.RawMessage
		var some []map[string]any
		if err := json.Unmarshal(text, &page); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(page[list], &some); err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
		cursor = ""
		if raw, ok := page["next_cursor"]; ok {
			if err := json.Unmarshal(raw, &cursor); err != nil {
				t.Fatal(err)
			}
		}
		if cursor == "" {
			return all
		}
	}
}
