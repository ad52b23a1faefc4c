package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A decision that is committed to servers.approved is on the list that the rule
// goes by, until it is over; what is on neither list is a finding.
func TestCommittedApprovals(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".mcp.json": `{"mcpServers": {
  "tools": {"command": "npx", "args": ["-y", "@acme/tools@1.0.0"]},
  "old": {"command": "npx", "args": ["-y", "@acme/old@1.0.0"]},
  "remote": {"type": "http", "url": "https://mcp.acme.example/mcp"},
  "other": {"command": "npx", "args": ["-y", "@acme/other@1.0.0"]}
}}`,
		"steelyard.yaml": `policy:
  servers: [mcp.acme.example]
servers:
  approved:
    - {server: "package:@acme/tools", reason: read, owner: platform team, until: 2027-01-31}
    - {server: "package:@acme/old", reason: read, until: 2025-01-31}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Date(2026, time.March, 2, 9, 30, 0, 0, time.UTC)
	p := &program{now: func() time.Time { return now }, env: func(string) (string, bool) { return "", false }, stderr: os.Stderr}
	s, err := p.lintFolder(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	scan := s.asScan("acme/web", now)
	var approved, found []string
	for _, v := range scan.Inventory.Servers {
		if v.Approval != nil {
			approved = append(approved, v.Name+" "+v.Approval.Owner+v.Approval.Until)
		}
	}
	for _, f := range scan.Findings {
		if f.Rule == notApprovedRule {
			found = append(found, f.Message)
		}
	}
	if got := strings.Join(approved, ", "); got != "tools platform team2027-01-31, remote " {
		t.Errorf("approved: %q", got)
	}
	if got := strings.Join(found, "\n"); len(found) != 2 || !strings.Contains(got, `"old"`) || !strings.Contains(got, `"other"`) {
		t.Errorf("found: %s", got)
	}
}
