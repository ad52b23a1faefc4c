package families_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/lint/families"
)

const sampleDir = "../../internal/demo/sample"

// TestSample holds the sample repository to its three faults.
func TestSample(t *testing.T) {
	tree, err := lint.DirFS(sampleDir)
	if err != nil {
		t.Fatal(err)
	}
	res, err := lint.Run(t.Context(), tree, families.All(), lint.Config{Today: today})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.TrimPrefix(`
.mcp.json:6:28: env "SEARCH_API_KEY" holds a literal API key ending in "6Pj1"; Claude Code reads it from the environment as "${SEARCH_API_KEY}" [MC001]
.vscode/mcp.json:8:23: npx fetches "@acme/browser-server@latest" without an exact version: "latest" is a floating tag [MC002]
web/AGENTS.md:1:1: line 5 of .github/CODEOWNERS takes this file's owner away [CO001]
	.github/CODEOWNERS:5:1: "/web/" names no owner
`, "\n")
	if diff := cmp.Diff(want, render(res)); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
}

func BenchmarkSample(b *testing.B) {
	for b.Loop() {
		tree, err := lint.DirFS(sampleDir)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := lint.Run(b.Context(), tree, families.All(), lint.Config{Today: today}); err != nil {
			b.Fatal(err)
		}
	}
}
