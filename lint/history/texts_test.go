package history_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/lint/history"
)

func TestInstructionTexts(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		texts := []lint.SeenText{
			{Path: "AGENTS.md", Text: strings.Repeat("Use tabs. – Köln\n", 50_000)},
			{Path: "CLAUDE.md", Link: "AGENTS.md"},
		}
		saveAll(t, h, scanOf("acme/pay", 1, lint.Inventory{Texts: texts[:1]}), scanOf("acme/pay", 2, lint.Inventory{Texts: texts}), scanOf("acme/empty", 2, lint.Inventory{}))
		got, err := h.InstructionTexts(t.Context(), "acme/pay")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(texts, got.Texts); diff != "" {
			t.Errorf("texts (-want +got):\n%s", diff)
		}
		if got.Repository != "acme/pay" || !got.At.Equal(scanOf("", 2, lint.Inventory{}).At.Truncate(time.Millisecond)) {
			t.Errorf("of %q, %v", got.Repository, got.At)
		}
		if names, err := h.TextRepositories(t.Context()); err != nil || cmp.Diff([]string{"acme/pay"}, names) != "" {
			t.Errorf("repositories %q, %v", names, err)
		}
		if none, err := h.InstructionTexts(t.Context(), "acme/empty"); err != nil || len(none.Texts) != 0 || none.Repository != "" {
			t.Errorf("of a repository without instructions: %v, %v", none, err)
		}
		// A scan that sees none leaves none, and so does forgetting.
		saveAll(t, h, scanOf("acme/pay", 3, lint.Inventory{}), scanOf("acme/empty", 3, lint.Inventory{Texts: texts}))
		if _, err := h.Forget(t.Context(), "acme/empty", false); err != nil {
			t.Fatal(err)
		}
		if names, err := h.TextRepositories(t.Context()); err != nil || len(names) != 0 {
			t.Errorf("repositories %q, %v; want none", names, err)
		}
	})
}
