package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// largeRepository is a repository of n files and a pull request of changed
// files in it, as commits.
func largeRepository(tb testing.TB, n, changed int) (dir, base, head string) {
	tb.Helper()
	dir = tb.TempDir()
	gitIn(tb, dir, "init", "-q", "-b", "main")
	gitIn(tb, dir, "config", "gc.auto", "0") // it would go on in the background
	gitIn(tb, dir, "config", "maintenance.auto", "false")
	for i := range n {
		name := filepath.Join(dir, fmt.Sprintf("module%03d/src/part%d", i/200, i%7), fmt.Sprintf("file%05d.%s", i, []string{"go", "ts", "py"}[i%3]))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(strings.Repeat(fmt.Sprintf("line of file %d\n", i), 20)), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	files := map[string]string{}
	for name, text := range shopFiles {
		files[name] = text
	}
	for i := range 200 {
		files[fmt.Sprintf("module%03d/AGENTS.md", i%(n/200))] = "Run `pnpm test` before you push.\n"
	}
	base = commitFiles(tb, dir, "base", files)
	change := map[string]string{".mcp.json": `{"mcpServers": {"extra": {"command": "npx", "args": ["-y", "old"]}}}`}
	for i := range changed {
		at := i * (n / changed)
		name := fmt.Sprintf("module%03d/src/part%d/file%05d.%s", at/200, at%7, at, []string{"go", "ts", "py"}[at%3])
		change[name] = strings.Repeat(fmt.Sprintf("line of file %d\n", at), 15) + strings.Repeat("a new line\n", 10)
	}
	head = commitFiles(tb, dir, "change", change)
	gitIn(tb, dir, "gc", "-q")
	return dir, base, head
}

// checkLarge checks the change without any network.
func checkLarge(tb testing.TB, base, head string) string {
	tb.Helper()
	var out, errs bytes.Buffer
	p := &program{
		stdin: strings.NewReader(""), stdout: &out, stderr: &errs, now: time.Now,
		env: func(string) (string, bool) { return "", false },
	}
	if code := p.run(tb.Context(), []string{"check", "--offline", "--cache-dir", "off", "--base", base, "--head", head}); code != exitFindings {
		tb.Fatalf("exit code %d:\n%s%s", code, out.String(), errs.String())
	}
	return out.String()
}

// checkLimit is what a check may take.
const checkLimit = 2 * time.Second

// BenchmarkCheck checks a pull request of 300 files in a repository of 50,000,
// or of 4,000 where nobody asked for the long benchmarks, and reports the time
// as a ratio to the limit.
func BenchmarkCheck(b *testing.B) {
	n := 4000
	if os.Getenv("STEELYARD_BENCH_LONG") != "" {
		n = 50_000
	}
	dir, base, head := largeRepository(b, n, 300)
	b.Chdir(dir)
	for b.Loop() {
		checkLarge(b, base, head)
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(checkLimit), "check×limit")
}

// TestCheckLarge wants the findings of the change alone in a repository with
// many files, with time to spare.
func TestCheckLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes a large repository")
	}
	dir, base, head := largeRepository(t, 4000, 100)
	t.Chdir(dir)
	start := time.Now()
	out := checkLarge(t, base, head)
	says(t, "the result", out, "MC002", "!module000/AGENTS.md")
	if took := time.Since(start); took > time.Minute {
		t.Errorf("it took %s", took)
	}
}
