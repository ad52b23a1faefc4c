package web

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"steelyard/lint"
	"steelyard/rules"
)

// Weeks in which nothing had been scanned are not weeks without a finding.
func TestTrendsBeforeTheFirstScan(t *testing.T) {
	trends := lint.Trends{Ends: make([]time.Time, 10), Repositories: []int{0, 0, 0, 0, 0, 0, 0, 0, 1, 1}}
	trends.Rules = []lint.RuleTrend{{Rule: "MC001", Counts: []int{0, 0, 0, 0, 0, 0, 0, 0, 3, 2}}}
	rows := []ruleRow{{Page: rules.Page{ID: "MC001"}, N: 2}}
	addTrends(rows, trends)
	if rows[0].Before != "" || !strings.Contains(rows[0].Trend, "from 3 to 2 findings in 2 weeks") || !strings.Contains(rows[0].Trend, "–, –") {
		t.Errorf("eight weeks ago %q: %s", rows[0].Before, rows[0].Trend)
	}
	if csv := rulesTable(rows, trends).Rows[0][5].Value; csv != "–, –, –, –, –, –, –, –, 3, 2" {
		t.Errorf("the file says %q", csv)
	}
	trends.Repositories = []int{0, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	addTrends(rows, trends)
	if rows[0].Before != "0" {
		t.Errorf("eight weeks ago %q, of a scan that found nothing", rows[0].Before)
	}
}

// The figure says what its letters stand for, whatever files are called.
func TestMatrixLetters(t *testing.T) {
	var m matrix
	for _, p := range []string{"AGENTS.md", "web/AGENTS.md", ".github/copilot-instructions.md", ".github/instructions/a.instructions.md", ".github/instructions/b.instructions.md", ".cursor/rules/x.mdc", ".cursorrules", "Äther.md", "\xff.md", "..."} {
		if l := letter(p); !utf8.ValidString(l) {
			t.Errorf("%q has the letter %q", p, l)
		}
		m.rows = append(m.rows, matrixRow{cells: []matrixCell{{files: []lint.StoredFile{{SeenFile: lint.SeenFile{Path: p}}}}}})
	}
	for _, want := range []string{"A is AGENTS.md", "I is copilot-instructions.md", "P is *.instructions.md", "R is *.mdc or .cursorrules", "Ä is Äther.md"} {
		if !strings.Contains(m.legend(), want) {
			t.Errorf("%q is missing: %s", want, m.legend())
		}
	}
	if (matrix{}).legend() != "" {
		t.Error("letters of nothing")
	}
}

// A finding under its title does not repeat it.
func TestUntitled(t *testing.T) {
	for finding, want := range map[string]string{
		"Reverts rose for the pilot only": "Rose for the pilot only", "Reverts: 3 → 7": "3 → 7", "Revertsx": "Revertsx", "Reverts": "Reverts", "": "",
	} {
		if got := untitled("Reverts", finding); got != want {
			t.Errorf("%q becomes %q", finding, got)
		}
	}
}
