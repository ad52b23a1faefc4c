//go:build unix

package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"steelyard/mcp"
	"steelyard/migrations"
	"steelyard/rules"
)

// BenchmarkServePage asks each page again and again without a network, over
// 20,000 pull requests and the scans of 500 repositories, and says what one
// costs in processor time:
//
//	go test ./cmd/steelyard -run '^$' -bench ServePage
func BenchmarkServePage(b *testing.B) {
	url := pagesDatabase(b, b.TempDir(), scalePulls/50)
	pages, _ := benchHandlers(b, url)
	for _, path := range slices.Compact(slices.Sorted(slices.Values(loadPages))) {
		b.Run(pageName(path), func(b *testing.B) {
			benchHandler(b, func() int {
				q := httptest.NewRequest(http.MethodGet, path, nil)
				q.Header.Set("Accept-Encoding", "gzip")
				w := httptest.NewRecorder()
				pages.ServeHTTP(w, q)
				if w.Code != http.StatusOK {
					b.Fatalf("%s: %d %s", path, w.Code, w.Body)
				}
				return w.Body.Len()
			})
		})
	}
}

// BenchmarkServeCall makes each call of the load again and again without a
// network, over the demo's data, and says what one costs in processor time:
//
//	go test ./cmd/steelyard -run '^$' -bench ServeCall
func BenchmarkServeCall(b *testing.B) {
	url := "sqlite:" + filepath.Join(b.TempDir(), "demo.db")
	benchRun(b, time.Now(), url, "demo", "--db", url, "--no-serve")
	_, calls := benchHandlers(b, url)
	for _, params := range loadCalls {
		name := strings.NewReplacer(`{"name":"`, "", `","arguments":{`, "(", `"`, "", "}}", ")").Replace(params)
		b.Run(name, func(b *testing.B) {
			benchHandler(b, func() int {
				q := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(callBody(params)))
				q.Header = callHeader("")
				w := httptest.NewRecorder()
				calls.ServeHTTP(w, q)
				if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"structuredContent"`) {
					b.Fatalf("%s: %d %s", params, w.Code, w.Body)
				}
				return w.Body.Len()
			})
		})
	}
}

// benchHandlers are the dashboard and /mcp as "steelyard serve" makes them, on
// an address that nobody else reaches.
func benchHandlers(b *testing.B, url string) (pages, calls http.Handler) {
	b.Helper()
	db, err := migrations.Open(b.Context(), url, migrations.Options{MustExist: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	p := &program{stdout: os.Stdout, stderr: os.Stderr, now: time.Now, env: func(string) (string, bool) { return "", false }}
	r := newRoom(db, p.now)
	if pages, err = p.pages(r, "http://127.0.0.1:8484", slog.New(slog.DiscardHandler)); err != nil {
		b.Fatal(err)
	}
	log, err := os.Create(filepath.Join(b.TempDir(), "log"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = log.Close() })
	o, err := r.withSources(p, mcp.Options{
		Reports: r.reports, Findings: r.findings, Rules: rules.All, Version: "bench", Logger: slog.New(slog.NewTextHandler(log, nil)), Clock: p.now,
	}, "")
	if err != nil {
		b.Fatal(err)
	}
	return pages, mcp.New(o).HTTP()
}

// benchHandler asks again and again; ask returns the size of the answer.
func benchHandler(b *testing.B, ask func() int) {
	for range 3 { // what is kept between requests is there afterwards
		ask()
	}
	runtime.GC()
	b.ReportAllocs()
	size, before := 0, usedCPU(b)
	for b.Loop() {
		size = ask()
	}
	b.ReportMetric((usedCPU(b)-before).Seconds()*1e3/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(size)/1e3, "KB")
}

// usedCPU is the processor time that this process took so far, of all threads.
func usedCPU(b *testing.B) time.Duration {
	b.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
