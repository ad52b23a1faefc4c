package reverts_test

import (
	"strings"
	"testing"
	"time"

	"steelyard/metrics/ingest/reverts"
)

// TestHostileTexts reads long texts made to be slow. The bound is generous: it
// is there to fail when one of them becomes quadratic.
func TestHostileTexts(t *testing.T) {
	for name, piece := range map[string]string{
		"one_line":     "revert ",
		"prefixes":     "[x]a(b)!: ",
		"quotes":       `Revert "`,
		"lines":        "* Revert \"a\"\n",
		"trailers":     "This reverts commits 1a2b3c4, 2b3c4d5 and 3c4d5e6,\n",
		"numbers":      "reverts #1, #2, ",
		"prose":        "this reverts a b c d e f g h ",
		"numbered":     "revert (#1) ",
		"hashes":       "1a2b3c4 ",
		"merge_titles": "Merge pull request #1 from a/revert-1-b\n\nRevert \"a\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			text := "revert: " + strings.Repeat(piece, (1<<20)/len(piece))
			start := time.Now()
			c := pr(1, 2, text, body(text), head(text), commits("- "+text))
			c.Message = text
			if _, err := reverts.Find(reverts.History{Changes: []reverts.Change{pr(0, 1, "a"), c}}); err != nil {
				t.Fatal(err)
			}
			took := time.Since(start)
			t.Log(took)
			if took > 20*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}
