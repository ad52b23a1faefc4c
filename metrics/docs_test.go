package metrics_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"steelyard/metrics"
)

// TestMetricsPageMatchesTheCatalogue holds docs/metrics.md to the definitions
// that reports quote.
func TestMetricsPageMatchesTheCatalogue(t *testing.T) {
	raw, err := os.ReadFile("../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	for _, o := range metrics.Catalogue() {
		m, ok := metrics.CatalogueMetric(o.ID)
		if !ok {
			t.Fatalf("%s is listed and cannot be found", o.ID)
		}
		row := fmt.Sprintf("| `%s` | %s |", m.ID, m.Definition)
		at := strings.Index(page, row)
		if at < 0 {
			t.Errorf("docs/metrics.md has no row %q", row)
			continue
		}
		line, _, _ := strings.Cut(page[at:], "\n")
		if !strings.Contains(line[len(row):], string(m.Better)) {
			t.Errorf("docs/metrics.md: the row of %s does not say %q", m.ID, m.Better)
		}
	}
}
