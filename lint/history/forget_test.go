package history_test

import (
	"testing"
	"time"

	"steelyard/lint"
	"steelyard/lint/history"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// TestForget holds that every scan of a repository goes, whatever hangs on it,
// and no other one; the database itself would refuse to leave a part behind.
func TestForget(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		h := history.New(db)
		for _, name := range []string{"acme/payments", "Acme/Payments", "acme/web"} {
			err := h.SaveScan(t.Context(), lint.Scan{
				Repository: name, At: time.Unix(1_800_000_000, 0), Files: 1,
				Findings: []lint.Finding{{Rule: "MC001", Name: "x", Severity: "error", Path: ".mcp.json", Message: "m"}},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, dry := range []bool{true, false} {
			if n, err := h.Forget(t.Context(), "acme/payments", dry); err != nil || n != 2 {
				t.Errorf("dry %v: %d scans, %v", dry, n, err)
			}
		}
		left, err := h.Scans(t.Context())
		if err != nil || len(left) != 1 || left[0].Repository != "acme/web" {
			t.Errorf("%+v, %v", left, err)
		}
		if n, err := h.Forget(t.Context(), "acme/payments", false); err != nil || n != 0 {
			t.Errorf("again: %d scans, %v", n, err)
		}
	})
}
