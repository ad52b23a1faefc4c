package history_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/lint/history"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
	"steelyard/rules"
)

var now = time.Date(2026, time.March, 2, 9, 30, 0, 123e6, time.UTC)

func each(t *testing.T, f func(t *testing.T, h *history.History)) {
	t.Helper()
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) { f(t, history.New(db)) })
}

func finding(rule string, severity rules.Severity, path string, line int) lint.Finding {
	return lint.Finding{
		Rule: rule, Name: "name-of-" + strings.ToLower(rule), Severity: severity, Path: path, Line: line, Column: 3,
		Message: fmt.Sprintf("value %q", path), Related: []lint.Related{},
	}
}

func save(t *testing.T, h *history.History, repository string, findings ...lint.Finding) {
	t.Helper()
	s := lint.Scan{Repository: repository, Commit: "c0ffee", At: now, Files: 7, Findings: findings}
	if err := h.SaveScan(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

// lines are a page's findings in a form that is easy to compare.
func lines(t *testing.T, h *history.History, f lint.FindingFilter) []string {
	t.Helper()
	page, err := h.Findings(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{fmt.Sprint(page.Total)}
	for _, s := range page.Findings {
		all = append(all, fmt.Sprintf("%s %s:%d %s", s.Repository, s.Path, s.Line, s.Rule))
	}
	return all
}

func TestFindingRoundTrip(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		f := finding("MC001", rules.Error, ".vscode/mcp.json", 7)
		f.EndLine, f.EndColumn = 8, 2
		f.Related = []lint.Related{{Path: "CODEOWNERS", Line: 3, Column: 1, Message: "owned here"}}
		f.Snippet = "  token: ****"
		save(t, h, "acme/pay", f)
		page, err := h.Findings(t.Context(), lint.FindingFilter{})
		if err != nil {
			t.Fatal(err)
		}
		f.Snippet = ""
		want := lint.FindingPage{Total: 1, Findings: []lint.StoredFinding{{Repository: "acme/pay", Finding: f}}}
		if diff := cmp.Diff(want, page); diff != "" {
			t.Errorf("page (-want +got):\n%s", diff)
		}
	})
}

func TestNothingFound(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		page, err := h.Findings(t.Context(), lint.FindingFilter{})
		if err != nil || page.Findings == nil || len(page.Findings) != 0 || page.Total != 0 {
			t.Errorf("page %+v, %v; want an empty list", page, err)
		}
		scans, err := h.Scans(t.Context())
		if err != nil || scans == nil || len(scans) != 0 {
			t.Errorf("scans %+v, %v; want an empty list", scans, err)
		}
	})
}

func TestFindingsInOrderOfTheNewestScans(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		save(t, h, "b/b", finding("OLD01", rules.Error, "gone.md", 1))
		save(t, h, "a/a", finding("MC003", rules.Note, "a.json", 1))
		save(t, h, "b/b",
			finding("MC002", rules.Warning, "b.json", 9),
			finding("MC001", rules.Error, "b.json", 12),
			finding("MC001", rules.Error, "b.json", 9),
			finding("AG001", rules.Error, "b.json", 9),
			finding("MC001", rules.Error, "B.json", 9),
		)
		save(t, h, "A/a", finding("MC001", rules.Error, "z.json", 1))

		want := []string{
			"7",
			"A/a z.json:1 MC001",
			"b/b B.json:9 MC001",
			"b/b b.json:9 AG001",
			"b/b b.json:9 MC001",
			"b/b b.json:12 MC001",
			"b/b b.json:9 MC002",
			"a/a a.json:1 MC003",
		}
		if diff := cmp.Diff(want, lines(t, h, lint.FindingFilter{})); diff != "" {
			t.Errorf("all (-want +got):\n%s", diff)
		}
		tests := []struct {
			name string
			f    lint.FindingFilter
			want []string
		}{
			{"repository", lint.FindingFilter{Repository: "a/a"}, []string{"1", "a/a a.json:1 MC003"}},
			{"rule", lint.FindingFilter{Rule: "MC002"}, []string{"1", "b/b b.json:9 MC002"}},
			{"rule-by-name", lint.FindingFilter{Rule: "name-of-mc002"}, []string{"1", "b/b b.json:9 MC002"}},
			{"severity", lint.FindingFilter{Severity: rules.Warning}, []string{"1", "b/b b.json:9 MC002"}},
			{"older-scan", lint.FindingFilter{Rule: "OLD01"}, []string{"0"}},
			{"page", lint.FindingFilter{Limit: 2, Offset: 3}, []string{"7", "b/b b.json:9 MC001", "b/b b.json:12 MC001"}},
			{"after-the-end", lint.FindingFilter{Offset: 30}, []string{"7"}},
			{
				"all-at-once",
				lint.FindingFilter{Repository: "b/b", Rule: "MC001", Severity: rules.Error, Limit: 1, Offset: 1},
				[]string{"3", "b/b b.json:9 MC001"},
			},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				if diff := cmp.Diff(test.want, lines(t, h, test.f)); diff != "" {
					t.Errorf("findings (-want +got):\n%s", diff)
				}
			})
		}
	})
}

// The scan saved last is the newest one, also where the clock was set back.
func TestNewestScanIsTheOneSavedLast(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		for i, at := range []time.Time{now, now.Add(-24 * time.Hour)} {
			s := lint.Scan{Repository: "a/a", At: at, Findings: []lint.Finding{finding("MC001", rules.Error, fmt.Sprint(i), 1)}}
			if err := h.SaveScan(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff([]string{"1", "a/a 1:1 MC001"}, lines(t, h, lint.FindingFilter{})); diff != "" {
			t.Errorf("findings (-want +got):\n%s", diff)
		}
	})
}

func TestScans(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		save(t, h, "b/b", finding("OLD01", rules.Error, "gone.md", 1))
		save(t, h, "b/b", finding("MC001", rules.Error, "a", 1), finding("MC001", rules.Warning, "a", 2), finding("MC002", rules.Error, "a", 3))
		save(t, h, "a/a")
		got, err := h.Scans(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := []lint.ScanSummary{
			{Repository: "a/a", Commit: "c0ffee", At: now, Files: 7, Findings: map[rules.Severity]int{}, ByRule: map[string]int{}},
			{
				Repository: "b/b", Commit: "c0ffee", At: now, Files: 7,
				Findings: map[rules.Severity]int{rules.Error: 2, rules.Warning: 1},
				ByRule:   map[string]int{"MC001": 2, "MC002": 1},
			},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("scans (-want +got):\n%s", diff)
		}
	})
}

func TestLimits(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		var many []lint.Finding
		for i := range 1200 { // more than four batches
			many = append(many, finding("MC001", rules.Error, "a", i+1))
		}
		save(t, h, "a/a", many...)
		for limit, want := range map[int]int{0: history.DefaultLimit, 1: 1, 500: 500, 501: history.MaxLimit, 1 << 40: history.MaxLimit} {
			page, err := h.Findings(t.Context(), lint.FindingFilter{Limit: limit})
			if err != nil || len(page.Findings) != want || page.Total != 1200 {
				t.Errorf("limit %d: %d findings of %d, %v; want %d", limit, len(page.Findings), page.Total, err, want)
			}
		}
		for _, f := range []lint.FindingFilter{{Limit: -1}, {Offset: -1}} {
			if _, err := h.Findings(t.Context(), f); err == nil {
				t.Errorf("%+v: no error", f)
			}
		}
	})
}

func TestScanFaults(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		save(t, h, "a/a", finding("MC001", rules.Error, "a", 1))
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		tests := []struct {
			name string
			ctx  context.Context
			scan lint.Scan
			want string
		}{
			{"no-repository", t.Context(), lint.Scan{At: now}, "it names no repository"},
			{"no-date", t.Context(), lint.Scan{Repository: "a/a"}, "it has no date"},
			{
				"not-utf8", t.Context(),
				lint.Scan{Repository: "a/a", At: now, Findings: []lint.Finding{
					finding("MC002", rules.Error, "a", 1), finding("MC002", rules.Error, "caf\xe9", 1),
				}},
				`path "caf\xe9" holds a NUL character or is not valid UTF-8`,
			},
			{"cancelled", cancelled, lint.Scan{Repository: "a/a", At: now}, context.Canceled.Error()},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				err := h.SaveScan(test.ctx, test.scan)
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got %v; want %q", err, test.want)
				}
				if diff := cmp.Diff([]string{"1", "a/a a:1 MC001"}, lines(t, h, lint.FindingFilter{})); diff != "" {
					t.Errorf("findings (-want +got):\n%s", diff)
				}
			})
		}
	})
}

// A snippet may hold a secret: not a byte of it reaches the disk.
func TestSnippetIsNotStored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "steelyard.db")
	db, err := migrations.Open(t.Context(), "sqlite:"+path, migrations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := finding("MC001", rules.Error, "a", 1)
	f.Snippet = "a-secret-in-a-line"
	save(t, history.New(db), "a/a", f)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), "name-of-mc001") || strings.Contains(string(data), f.Snippet) {
		t.Error("the file does not hold the finding, or holds its snippet")
	}
}
