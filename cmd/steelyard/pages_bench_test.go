package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
// limits: 1.5 s cold, 100 ms for the pilot, 50 ms for the home page; how many
// processors the program and who asks it took; and how many pages a second it
// answers at most. It is long:
//
//	STEELYARD_BENCH_LONG=1 go test ./cmd/steelyard -run '^$' -bench 'Pages$' -benchtime 1x
func BenchmarkPages(b *testing.B) {
	n, seconds := scalePulls/50, pageSeconds/10
	if os.Getenv(longBenchEnv) != "" {
		n, seconds = scalePulls, pageSeconds
	}
	process, home := startPages(b, n)
	v := &visitor{home: home, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}, Timeout: 30 * time.Second}, weight: map[string]float64{}}
	ask := func(i int) bool { return v.get(b.Context(), loadPages[i%len(loadPages)]) == http.StatusOK }
	start := time.Now()
	v.until(b.Context(), "/pilots/tools")
	cold := time.Since(start)
	v.until(b.Context(), "/")
	for i := range 2 * len(loadPages) {
		ask(i)
	}
	v.warm.Store(true)
	byPage := map[string]latencies{}
	var rate float64
	use := startShares(process.Process.Pid)
	for b.Loop() {
		begin := time.Now()
		for i, took := range paced(pageRate*seconds, pageRate, func(i int) { ask(i) }) {
			path := loadPages[i%len(loadPages)]
			byPage[path] = append(byPage[path], took)
		}
		rate = float64(pageRate*seconds) / time.Since(begin).Seconds()
	}
	use.report(b)
	b.ReportMetric(residentMB(process), "MB")
	v.failed.log(b)
	heaviest := 0.0
	var all latencies
	for _, path := range slices.Sorted(maps.Keys(byPage)) {
		b.Logf("%-30s %6.1f KB, %v", path, v.weight[path], byPage[path])
		heaviest = max(heaviest, v.weight[path])
		all = append(all, byPage[path]...)
	}
	b.ReportMetric(rate, "pages/s")
	b.ReportMetric(float64(v.failed.n), "failed")
	b.ReportMetric(cold.Seconds()*1e3, "cold-ms")
	b.ReportMetric(cold.Seconds()/coldLimit.Seconds(), "cold×limit")
	b.ReportMetric(all.at(0.5).Seconds()*1e3, "p50-ms")
	b.ReportMetric(all.at(0.99).Seconds()*1e3, "p99-ms")
	b.ReportMetric(byPage["/"].at(0.99).Seconds()*1e3, "home-p99-ms")
	b.ReportMetric(byPage["/"].at(0.99).Seconds()/homeLimit.Seconds(), "home×limit")
	b.ReportMetric(byPage["/pilots/tools"].at(0.99).Seconds()*1e3, "pilot-p99-ms")
	b.ReportMetric(byPage["/pilots/tools"].at(0.99).Seconds()/warmLimit.Seconds(), "pilot×limit")
	b.ReportMetric(heaviest, "heaviest-KB")
	b.ReportMetric(heaviest/pageWeight, "weight×limit")
	b.ReportMetric(load1(), "load-average")
	b.ReportMetric(most(time.Duration(seconds)*time.Second/6, ask), "most-pages/s")
}

// visitor asks for pages.
type visitor struct {
	home   string
	client *http.Client
	failed faults
	warm   atomic.Bool // each page has been there before

	mu     sync.Mutex
	weight map[string]float64 // by page, in KB, as a browser gets it
}

// until asks for a page until it is there and not what stands in its place while
// reports are computed.
func (v *visitor) until(ctx context.Context, path string) {
	for v.get(ctx, path) == http.StatusAccepted {
		time.Sleep(50 * time.Millisecond)
	}
}

// get asks for a page and returns the status of the answer, 0 where there was
// none.
func (v *visitor) get(ctx context.Context, path string) int {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, v.home+path, nil)
	if err != nil {
		v.failed.add("requests", err.Error())
		return 0
	}
	q.Header.Set("Accept-Encoding", "gzip")
	res, err := v.client.Do(q)
	if err != nil {
		v.failed.add("connections", err.Error())
		return 0
	}
	size, err := io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	switch {
	case err == nil && res.StatusCode == http.StatusAccepted && !v.warm.Load():
	case err != nil || res.StatusCode != http.StatusOK:
		v.failed.add(res.Status, fmt.Sprint(path, ": ", err))
	default:
		v.mu.Lock()
		defer v.mu.Unlock()
		v.weight[path] = float64(size) / 1e3
	}
	return res.StatusCode
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
	for i, pilot := range []string{"tools", "editors", "agents"} {
		benchRun(b, now, url, "pilot", "define", pilot, "--treated", fmt.Sprintf("Team %02d=2024-07-01", 7+10*i), "--before", "2021-01-04..2024-07-01", "--after", "2024-07-01..2025-12-01",
			"--outcome", "open_to_merge", "--outcome", "time_to_first_review", "--counter", "reverts")
	}
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

// saveScans stores two scans of each repository, with findings, files, servers
// and new dependencies, and decisions about some of them.
func saveScans(b *testing.B, url string) {
	b.Helper()
	db, err := migrations.Open(b.Context(), url, migrations.Options{MustExist: true})
	if err != nil {
		b.Fatal(err)
	}
	known, err := rules.All()
	if err != nil {
		b.Fatal(err)
	}
	kept := history.New(db)
	at := time.Date(2026, time.January, 4, 0, 0, 0, 0, time.UTC)
	for i := range 2 * scaleScans {
		if err := kept.SaveScan(b.Context(), scaleScan(i%scaleScans, at.AddDate(0, 0, 60*(i/scaleScans)-60), known)); err != nil {
			b.Fatal(err)
		}
	}
	for i := range 60 {
		for kind, subject := range map[lint.DecisionKind]string{lint.AboutServer: "package:npm:server-%d", lint.AboutDependency: "npm:library-%d"} {
			_, err := kept.Decide(b.Context(), lint.Decision{Kind: kind, Subject: fmt.Sprintf(subject, i), Verdict: lint.Allowed, Reason: "looked at its source", Owner: "@acme/platform", At: at})
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
}

// scaleScan is a scan of the i-th repository.
func scaleScan(i int, at time.Time, known []rules.Page) lint.Scan {
	s := lint.Scan{Repository: fmt.Sprintf("acme/repository-%03d", i), Commit: fmt.Sprintf("%040x", i), At: at, Files: findingsEach, Dependencies: &lint.DependencyScan{}}
	for k, reader := range []string{"claude-code", "copilot-chat", "cursor"} {
		s.Inventory.Files = append(s.Inventory.Files, lint.SeenFile{
			Path: fmt.Sprintf("part-%d/AGENTS.md", k), Kinds: []string{"instructions"}, Readers: []string{reader}, Owners: []string{"@acme/platform"}, Line: 1, Digest: fmt.Sprint(i, k),
		})
		s.Inventory.Servers = append(s.Inventory.Servers, lint.SeenServer{
			Path: ".mcp.json", Line: k + 2, Host: "claude-code", Name: fmt.Sprint("server-", k), Kind: "package", Target: fmt.Sprintf("npm:server-%d", (i+k)%120), Secrets: "none", Command: "npx server",
		})
	}
	for k := range findingsEach {
		rule := known[(i+k*k)%len(known)]
		s.Findings = append(s.Findings, lint.Finding{
			Rule: rule.ID, Name: rule.Name, Severity: rule.Severity, Path: fmt.Sprintf("services/%02d/.mcp.json", k), Line: k + 1, Column: 1,
			Message: fmt.Sprintf("\"server-%d\" runs whatever version is newest", k), Related: []lint.Related{},
		})
	}
	for k, judgement := range []string{"block", "ask", "legal", "unverified", "ok", "ok", "ok", "ok"} {
		name := fmt.Sprintf("library-%d", (i*3+k*7)%900)
		s.Dependencies.Judged = append(s.Dependencies.Judged, lint.NewDependency{
			Item: "npm " + name, Subject: "npm:" + name, Versioned: "npm:" + name + "@1.2.3", Ecosystem: "npm", Name: name, Version: "1.2.3",
			Path: "package.json", Line: k + 10, Direct: true, Source: "registry", Change: "added", Judgement: judgement, Evidence: []string{"published 12 days ago"}, Rules: []string{"DP001"}, Licences: []string{"MIT"},
		})
	}
	return s
}
