package attribution_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"steelyard/metrics/ingest/attribution"
	"steelyard/rules"
)

// TestPage holds the manual's page to the table: every tool, level and kind.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "attribution.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	table, err := rules.AttributionTable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range table.Tools {
		if !strings.Contains(page, tool.Name+", ") && !strings.Contains(page, ", "+tool.Name) {
			t.Errorf("the page does not name %s", tool.Name)
		}
	}
	for _, level := range []rules.Level{rules.Authored, rules.CoAuthored, rules.Suggestion, rules.Inferred} {
		if !strings.Contains(page, "| `"+string(level)+"` |") {
			t.Errorf("the page does not explain the level %s", level)
		}
	}
	for _, kind := range []attribution.Kind{
		attribution.KindAuthor, attribution.KindCommitAuthor, attribution.KindBranch, attribution.KindCoAuthor,
		attribution.KindTrailer, attribution.KindFooter, attribution.KindLink, attribution.KindDisclosure, attribution.KindLabel,
	} {
		if !strings.Contains(page, "| `"+string(kind)+"` |") {
			t.Errorf("the page does not explain the kind %s", kind)
		}
	}
}
