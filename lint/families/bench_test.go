package families_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"steelyard/lint"
	"steelyard/lint/families"
)

// largeTree writes a repository of this many files in folders of fifty, with
// 200 governed files of usual length among them.
func largeTree(b *testing.B, files int) string {
	b.Helper()
	dir := b.TempDir()
	write := func(name, text string) {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	const each, governed = 50, 200
	text := "# Working on this package\n\nNode.js 24, run `npm run test:unit` before every commit. Use single quotes.\n\n"
	for i := range 40 {
		text += fmt.Sprintf("- Handlers of part %d check what they are given and answer within the time their caller allows.\n", i)
		if i%8 == 0 {
			text += fmt.Sprintf("- What they share is in `src/file%d.ts`.\n", i)
		}
	}
	write("package.json", `{"scripts": {"test:unit": "vitest"}, "engines": {"node": ">=24"}}`)
	write("CODEOWNERS", "* @acme/all\n")
	for i := range files {
		folder := i / each
		write(fmt.Sprintf("pkg%d/src/file%d.ts", folder, i%each), "")
		if i%each == 0 && folder < governed {
			write(fmt.Sprintf("pkg%d/AGENTS.md", folder), text)
		}
	}
	return dir
}

// BenchmarkLarge lints 200 governed files among ever more others: the time
// grows with the first, and hardly with the second.
func BenchmarkLarge(b *testing.B) {
	for _, files := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(files), func(b *testing.B) {
			dir := largeTree(b, files)
			for b.Loop() {
				tree, err := lint.DirFS(dir)
				if err != nil {
					b.Fatal(err)
				}
				res, err := lint.Run(b.Context(), tree, families.All(), lint.Config{Today: today})
				if err != nil {
					b.Fatal(err)
				}
				if len(res.Findings) > 0 {
					b.Fatalf("unexpected finding: %v", res.Findings[0])
				}
			}
		})
	}
}
