package history_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/lint/history"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
	"steelyard/rules"
)

// TestAnswersFollowWrites holds that what is remembered is never answered after
// a write, be it one's own or another process's, and equals what one who
// remembers nothing reads.
func TestAnswersFollowWrites(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		ctx := t.Context()
		reader, writer := history.New(db), history.New(db)
		at := time.Date(2026, time.May, 4, 0, 0, 0, 0, time.UTC)
		for i := range 4 {
			s := lint.Scan{Repository: fmt.Sprint("acme/", i%2), At: at.AddDate(0, 0, i), Files: i}
			for k := range i {
				s.Findings = append(s.Findings, finding("MC001", rules.Error, fmt.Sprintf("f%d", k), k+1))
				s.Inventory.Servers = append(s.Inventory.Servers, lint.SeenServer{Path: ".mcp.json", Line: k + 1, Name: fmt.Sprint(k), Kind: "package", Target: "npm:x"})
				s.Inventory.Files = append(s.Inventory.Files, lint.SeenFile{Path: fmt.Sprint(k, ".md")})
			}
			if err := writer.SaveScan(ctx, s); err != nil {
				t.Fatal(err)
			}
			_, err := writer.Decide(ctx, lint.Decision{
				Kind: lint.AboutServer, Subject: "package:npm:x", Verdict: lint.Allowed, Reason: "looked at", Owner: "@acme/platform", At: at.AddDate(0, 0, i),
			})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // read, then remembered
				if diff := cmp.Diff(everything(t, history.New(db)), everything(t, reader)); diff != "" {
					t.Fatalf("after write %d (-read +remembered):\n%s", i, diff)
				}
			}
		}
		if _, err := writer.Forget(ctx, "acme/0", false); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(everything(t, history.New(db)), everything(t, reader)); diff != "" {
			t.Fatalf("after forgetting (-read +remembered):\n%s", diff)
		}
	})
}

// TestAnswersAreShared asks from many goroutines while another writes, for the
// race detector.
func TestAnswersAreShared(t *testing.T) {
	db := migrationstest.Open(t, migrations.SQLite)
	h := history.New(db)
	at := time.Date(2026, time.May, 4, 0, 0, 0, 0, time.UTC)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20 {
				everything(t, h)
			}
		})
	}
	for i := range 10 {
		if err := h.SaveScan(t.Context(), lint.Scan{Repository: "acme/shop", At: at.AddDate(0, 0, i), Findings: []lint.Finding{finding("MC001", rules.Error, "a", 1)}}); err != nil {
			t.Error(err)
		}
	}
	all.Wait()
}

// everything is what a history answers.
func everything(t *testing.T, h *history.History) map[string]any {
	t.Helper()
	ctx := t.Context()
	out := map[string]any{}
	note := func(what string, answer any, err error) {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		out[what] = answer
	}
	scans, err := h.Scans(ctx)
	note("scans", scans, err)
	for _, f := range []lint.FindingFilter{{}, {Limit: 1}, {Limit: 1, Offset: 1}, {Repository: "acme/1"}, {Severity: "error"}} {
		page, err := h.Findings(ctx, f)
		note(fmt.Sprintf("findings %+v", f), page, err)
	}
	for _, repository := range []string{"", "acme/0", "acme/1"} {
		servers, err := h.Servers(ctx, repository)
		note("servers "+repository, servers, err)
		files, err := h.Files(ctx, []string{repository})
		note("files "+repository, files, err)
	}
	decided, err := h.Decisions(ctx, lint.DecisionFilter{Newest: true})
	note("decisions", decided, err)
	deps, err := h.NewDependencies(ctx, lint.DependencyFilter{Today: time.Date(2026, time.May, 4, 15, 0, 0, 0, time.UTC)})
	note("dependencies", deps, err)
	watched, err := h.DependencyScans(ctx)
	note("watched", watched, err)
	return out
}
