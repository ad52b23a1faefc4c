package history_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/lint/history"
	"steelyard/rules"
)

func scanOf(repository string, day int, inventory lint.Inventory, findings ...lint.Finding) lint.Scan {
	return lint.Scan{
		Repository: repository, Commit: "c0ffee", At: now.AddDate(0, 0, day), Files: len(inventory.Files),
		Findings: findings, Inventory: inventory,
	}
}

func saveAll(t *testing.T, h *history.History, scans ...lint.Scan) {
	t.Helper()
	for _, s := range scans {
		if err := h.SaveScan(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

var (
	agents  = lint.SeenFile{Path: "AGENTS.md", Kinds: []string{"instructions"}, Readers: []string{"codex", "cursor"}, Owners: []string{"@acme/platform"}, Line: 3}
	unowned = lint.SeenFile{Path: ".mcp.json", Kinds: []string{"mcp"}, Readers: []string{}, Owners: []string{}}
	pinned  = lint.SeenServer{Path: ".mcp.json", Line: 2, Host: "claude-code", Name: "a", Kind: "package", Target: "@acme/a", Version: "1.2.3", Pinned: true}
	moving  = lint.SeenServer{Path: ".mcp.json", Line: 3, Host: "claude-code", Name: "b", Kind: "package", Target: "@acme/b"}
)

// TestInventoryOverTime keeps what was there before and shows what is there now.
func TestInventoryOverTime(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		other := moving
		other.Target = "@acme/other"
		saveAll(t, h,
			scanOf("acme/pay", 0, lint.Inventory{Files: []lint.SeenFile{unowned}, Servers: []lint.SeenServer{pinned, moving}}, finding("MC002", rules.Error, ".mcp.json", 3), finding("CO001", rules.Warning, ".mcp.json", 1)),
			scanOf("acme/web", 1, lint.Inventory{Files: []lint.SeenFile{agents}}),
			scanOf("acme/pay", 2, lint.Inventory{Files: []lint.SeenFile{agents, unowned}, Servers: []lint.SeenServer{pinned, other}}, finding("MC002", rules.Error, ".mcp.json", 3)),
		)
		inventory, err := h.Inventory(t.Context(), "acme/pay")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(lint.Inventory{Files: []lint.SeenFile{agents, unowned}, Servers: []lint.SeenServer{pinned, other}}, inventory); diff != "" {
			t.Errorf("inventory (-want +got):\n%s", diff)
		}
		servers, err := h.Servers(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		day := func(n int) time.Time { return now.AddDate(0, 0, n).Truncate(time.Millisecond) }
		if diff := cmp.Diff([]lint.StoredServer{
			{Repository: "acme/pay", SeenServer: pinned, Since: day(0)}, {Repository: "acme/pay", SeenServer: other, Since: day(2)},
		}, servers); diff != "" {
			t.Errorf("servers (-want +got):\n%s", diff)
		}
		trend, err := h.Trend(t.Context(), "acme/pay")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]lint.TrendPoint{
			{At: day(0), Commit: "c0ffee", Files: 1, Servers: 2, Unpinned: 1, Findings: map[rules.Severity]int{rules.Error: 1, rules.Warning: 1}},
			{At: day(2), Commit: "c0ffee", Files: 2, Owned: 1, Servers: 2, Unpinned: 1, Findings: map[rules.Severity]int{rules.Error: 1}},
		}, trend); diff != "" {
			t.Errorf("trend (-want +got):\n%s", diff)
		}
	})
}

func TestNoInventory(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		inventory, err := h.Inventory(t.Context(), "acme/none")
		if err != nil || len(inventory.Files) != 0 || inventory.Files == nil || inventory.Servers == nil {
			t.Errorf("inventory is %+v, %v; want empty lists", inventory, err)
		}
		servers, err := h.Servers(t.Context(), "acme/none")
		if err != nil || len(servers) != 0 || servers == nil {
			t.Errorf("servers are %v, %v", servers, err)
		}
		trend, err := h.Trend(t.Context(), "acme/none")
		if err != nil || len(trend) != 0 || trend == nil {
			t.Errorf("trend is %v, %v", trend, err)
		}
	})
}

// TestForgetInventory leaves nothing of a repository that is forgotten.
func TestForgetInventory(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		saveAll(t, h, scanOf("acme/pay", 0, lint.Inventory{Files: []lint.SeenFile{agents}, Servers: []lint.SeenServer{pinned}}))
		if n, err := h.Forget(t.Context(), "acme/pay", false); err != nil || n != 1 {
			t.Fatalf("forgot %d scans, %v", n, err)
		}
		inventory, err := h.Inventory(t.Context(), "acme/pay")
		if err != nil || len(inventory.Files)+len(inventory.Servers) != 0 {
			t.Errorf("inventory is %+v, %v", inventory, err)
		}
	})
}
