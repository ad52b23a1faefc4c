package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"steelyard/lint"
	"steelyard/lint/history"
	"steelyard/migrations"
	"steelyard/rules"
)

// What the dashboard has to hold, of docs/performance.md.
const (
	pageRate     = 200 // requests a second
	pageSeconds  = 30
	scaleScans   = 500 // repositories
	pageWeight   = 150 // KB, as a browser gets it
	coldLimit    = 1500 * time.Millisecond
	warmLimit    = 100 * time.Millisecond // of the slowest in a hundred
	homeLimit    = 50 * time.Millisecond
	findingsEach = 20
)

// loadPages are what people open, by turns; the first two have limits of their
// own.
var loadPages = []string{"/", "/pilots/tools", "/pilots/tools/pull-requests", "/data", "/guardrails", "/servers", "/dependencies", "/pilots/tools"}

// BenchmarkPages serves 1,000,000 pull requests of 500 repositories with their
// scans, opens the pilot's page cold, and then asks 200 pages a second. It
// says what the slowest in a hundred took, a page apart, as ratios to the
// limits: 1.5 s cold, 100 ms for the pilot, 50 ms for the home page. It is
// long:
//
//	STEELYARD_BENCH_LONG=1 go test ./cmd/steelyard -run '^$' -bench Pages -benchtime 1x
func BenchmarkPages(b *testing.B) {
	n, seconds := scalePulls/50, pageSeconds/10
	if os.Getenv(longBenchEnv) != "" {
		n, seconds = scalePulls, pageSeconds
	}
	process, home := startPages(b, n)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}, Timeout: 30 * time.Second}
	var mu sync.Mutex
	failed := ""
	weight := map[string]float64{}
	get := func(path string) {
		q, err := http.NewRequestWithContext(b.Context(), http.MethodGet, home+path, nil)
		if err != nil {
			b.Error(err)
			return
		}
		q.Header.Set("Accept-Encoding", "gzip") // so that the weight is what a browser gets
		res, err := client.Do(q)
		if err != nil {
			mu.Lock()
			failed = err.Error()
			mu.Unlock()
			return
		}
		size, err := io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		mu.Lock()
		defer mu.Unlock()
		weight[path] = float64(size) / 1e3
		if err != nil || res.StatusCode != http.StatusOK {
			failed = fmt.Sprint(path, ": ", res.Status, " ", err)
		}
	}
	start := time.Now()
	get("/pilots/tools")
	cold := time.Since(start)
	for range 2 {
		for _, path := range loadPages {
			get(path)
		}
	}
	byPage := map[string][]time.Duration{}
	for b.Loop() {
		for i, took := range paced(pageRate*seconds, pageRate, func(i int) { get(loadPages[i%len(loadPages)]) }) {
			path := loadPages[i%len(loadPages)]
			byPage[path] = append(byPage[path], took)
		}
	}
	if failed != "" {
		b.Fatal(failed)
	}
	b.ReportMetric(cold.Seconds()*1e3, "cold-ms")
	b.ReportMetric(cold.Seconds()/coldLimit.Seconds(), "cold×limit")
	for path, all := range byPage {
		slices.Sort(all)
		p99 := all[int(0.99*float64(len(all)-1))]
		name := pageName(path)
		b.ReportMetric(all[len(all)/2].Seconds()*1e3, name+"-p50-ms")
		b.ReportMetric(p99.Seconds()*1e3, name+"-p99-ms")
		b.ReportMetric(weight[path], name+"-KB")
		switch path {
		case "/":
			b.ReportMetric(p99.Seconds()/homeLimit.Seconds(), "home×limit")
		case "/pilots/tools":
			b.ReportMetric(p99.Seconds()/warmLimit.Seconds(), "pilot×limit")
		}
		if weight[path] > pageWeight {
			b.Errorf("%s weighs %.0f KB, over %d", path, weight[path], pageWeight)
		}
	}
	b.ReportMetric(residentMB(process), "MB")
	b.ReportMetric(load1(), "load-average")
}

// pageName is a page's address as the name of a measure.
func pageName(path string) string {
	return cmp.Or(strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", "-"), "home")
}

// pagesDatabase makes the database of which pages are asked, with n pull
// requests, and returns its URL.
func pagesDatabase(b *testing.B, dir string, n int) string {
	b.Helper()
	url, file := "sqlite:"+filepath.Join(dir, "big.db"), filepath.Join(dir, "pulls.csv")
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	if err := writePulls(f, n); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	now := time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC)
	benchRun(b, now, url, "import", "pull-requests", file)
	benchRun(b, now, url, "pilot", "define", "tools", "--treated", "Team 07=2024-07-01", "--before", "2021-01-04..2024-07-01", "--after", "2024-07-01..2025-12-01",
		"--outcome", "open_to_merge", "--outcome", "time_to_first_review", "--counter", "reverts")
	saveScans(b, url)
	return url
}

// startPages makes the database and serves it.
func startPages(b *testing.B, n int) (process *exec.Cmd, home string) {
	b.Helper()
	dir := b.TempDir()
	url := pagesDatabase(b, dir, n)
	binary := filepath.Join(dir, "steelyard")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	process = exec.CommandContext(b.Context(), binary, "serve", "--addr", "127.0.0.1:0", "--db", url)
	process.Dir = dir
	out, err := process.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := process.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if at, ok := strings.CutPrefix(lines.Text(), "dashboard "); ok {
			return process, strings.TrimSuffix(strings.TrimSpace(at), "/")
		}
	}
	b.Fatal("it printed no address")
	return nil, ""
}

// saveScans stores a scan of each repository, with findings, files and servers.
func saveScans(b *testing.B, url string) {
	b.Helper()
	db, err := migrations.Open(b.Context(), url, migrations.Options{MustExist: true})
	if err != nil {
		b.Fatal(err)
	}
	kept := history.New(db)
	at := time.Date(2026, time.January, 4, 0, 0, 0, 0, time.UTC)
	for i := range scaleScans {
		s := lint.Scan{Repository: fmt.Sprintf("acme/repository-%03d", i), At: at, Files: findingsEach}
		for k, reader := range []string{"claude-code", "copilot-chat", "cursor"} {
			s.Inventory.Files = append(s.Inventory.Files, lint.SeenFile{
				Path: fmt.Sprintf("part-%d/AGENTS.md", k), Kinds: []string{"instructions"}, Readers: []string{reader}, Owners: []string{"@acme/platform"}, Line: 1, Digest: fmt.Sprint(i, k),
			})
			s.Inventory.Servers = append(s.Inventory.Servers, lint.SeenServer{
				Path: ".mcp.json", Line: k + 2, Host: "claude-code", Name: fmt.Sprint("server-", k), Kind: "package", Target: fmt.Sprintf("npm:server-%d", (i+k)%120), Secrets: "none", Command: "npx server",
			})
		}
		for k := range findingsEach {
			s.Findings = append(s.Findings, lint.Finding{
				Rule: "MC002", Name: "mcp-unpinned-server", Severity: []rules.Severity{rules.Error, rules.Warning, rules.Note}[k%3],
				Path: fmt.Sprintf("services/%02d/.mcp.json", k), Line: k + 1, Column: 1, Message: fmt.Sprintf("\"server-%d\" runs whatever version is newest", k), Related: []lint.Related{},
			})
		}
		if err := kept.SaveScan(b.Context(), s); err != nil {
			b.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
}
