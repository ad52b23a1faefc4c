package instructions_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"steelyard/lint"
	"steelyard/lint/instructions"
)

// TestPatternBombs wants no run to hang on patterns whose alternatives spell out
// more forms than anybody could try.
func TestPatternBombs(t *testing.T) {
	bomb := strings.Repeat("{a,a}", 40) + "{,}" + strings.Repeat("{,}", 40) + "b*"
	tree := fstest.MapFS{
		".cursor/rules/a.mdc":                    {Data: []byte("---\nglobs: \"" + bomb + "\"\n---\nUse tabs.\n")},
		".github/instructions/a.instructions.md": {Data: []byte("---\napplyTo: \"" + bomb + "\"\n---\nUse tabs.\n")},
		"AGENTS.md":                              {Data: []byte("Indent Python with 2 spaces. Use tabs for indentation.\n")},
		".editorconfig":                          {Data: []byte("[" + strings.Repeat("{,}", 40) + "*z]\nindent_style = tab\n[*]\nindent_style = space\nindent_size = 4\n")},
		strings.Repeat("a", 100) + ".py":         {},
	}
	start := time.Now()
	if _, err := lint.Run(t.Context(), tree, instructions.Rules(), lint.Config{}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("the run took %v", took)
	}
}
