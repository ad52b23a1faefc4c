package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// The sizes to hold, of docs/performance.md.
const (
	scalePulls   = 1_000_000
	importLimit  = 60 * time.Second
	reportLimit  = 1500 * time.Millisecond
	memoryLimit  = 500 // MB
	longBenchEnv = "STEELYARD_BENCH_LONG"
)

// writePulls writes n pull requests of 50 teams, 500 repositories and 3,000
// authors over five years as CSV, with everything that the catalogue measures.
func writePulls(w io.Writer, n int) error {
	r := rand.New(rand.NewPCG(4, 9))
	b := bufio.NewWriterSize(w, 1<<20)
	fmt.Fprintln(b, "id,number,repository,author,author_is_bot,team,opened,ready,first_review,merged,closed,reverted_at,additions,deletions,"+
		"base,merge_commit,first_commit,review_rounds,reviewer_comments,bot_threads,bot_threads_acted_on,assisted")
	begin := time.Date(2021, time.January, 4, 0, 0, 0, 0, time.UTC)
	at := func(t time.Time) string { return t.Format("2006-01-02T15:04:05Z") }
	for i := range n {
		opened := begin.Add(time.Duration(i) * (5 * 364 * 24 * time.Hour / time.Duration(n))).Truncate(time.Second)
		team := r.IntN(50)
		hours := func(usual float64) time.Duration {
			return time.Duration(usual*r.ExpFloat64()*3600) * time.Second
		}
		review, merged, closed, reverted, ready := "", "", "", "", ""
		wait := hours(5)
		if r.IntN(10) > 0 {
			review = at(opened.Add(wait))
		}
		ends := opened.Add(wait + hours(18))
		switch k := r.IntN(100); {
		case k < 85:
			merged, closed = at(ends), at(ends)
			if r.IntN(130) == 0 {
				reverted = at(ends.Add(hours(48)))
			}
		case k < 97:
			closed = at(ends)
		}
		if r.IntN(5) == 0 {
			ready = at(opened.Add(hours(2)))
		}
		fmt.Fprintf(b, "PR_kwDOA%08x,%d,acme/repository-%03d,U_kgDOB%05d,%t,Team %02d,%s,%s,%s,%s,%s,%s,%d,%d,main,%040x,%s,%d,%d,%d,%d,%s\n",
			uint32(i)*2654435761, i, team*10+r.IntN(10), team*60+r.IntN(60), i%25 == 0, team,
			at(opened), ready, review, merged, closed, reverted, r.IntN(700), r.IntN(300),
			uint64(i)*0x9e3779b97f4a7c15, at(opened.Add(-hours(20))), r.IntN(3), r.IntN(9), 2, r.IntN(3), []string{"", "", "", "authored"}[r.IntN(4)])
	}
	return b.Flush()
}

// BenchmarkMillion imports 1,000,000 pull requests with the command, and
// reports on a pilot that covers all of them, cold, as ratios to the limits:
// 60 s, 1.5 s and 500 MB. It is long:
//
//	STEELYARD_BENCH_LONG=1 go test ./cmd/steelyard -run '^$' -bench Million -benchtime 1x
func BenchmarkMillion(b *testing.B) {
	n := scalePulls / 50
	if os.Getenv(longBenchEnv) != "" {
		n = scalePulls
	}
	file := filepath.Join(b.TempDir(), "pulls.csv")
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
	for _, engine := range migrationstest.Engines() {
		b.Run(fmt.Sprintf("%s/%d", engine, n), func(b *testing.B) { benchScale(b, engine, file, n) })
	}
}

func benchScale(b *testing.B, engine migrations.Engine, file string, n int) {
	share := float64(n) / scalePulls
	now := time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC)
	var imports, reports time.Duration
	for b.Loop() {
		url := migrationstest.URL(b, engine)
		start := time.Now()
		benchRun(b, now, url, "import", "pull-requests", file)
		imports += time.Since(start)
		benchRun(b, now, url, "pilot", "define", "tools", "--treated", "Team 07=2024-07-01", "--before", "2021-01-04..2024-07-01", "--after", "2024-07-01..2025-12-01",
			"--outcome", "open_to_merge", "--outcome", "time_to_first_review", "--outcome", "merged_per_author_week", "--outcome", "review_rounds",
			"--outcome", "size", "--counter", "reverts")
		start = time.Now()
		out := benchRun(b, now, url, "report", "tools")
		reports += time.Since(start)
		if !strings.Contains(out, "Open to merge") {
			b.Fatalf("no report: %s", out)
		}
	}
	runs := float64(b.N)
	b.ReportMetric(imports.Seconds()/runs, "import-s")
	b.ReportMetric(imports.Seconds()/runs/(importLimit.Seconds()*share), "import×limit")
	b.ReportMetric(reports.Seconds()/runs, "report-s")
	b.ReportMetric(reports.Seconds()/runs/(reportLimit.Seconds()*share), "report×limit")
	b.ReportMetric(peakMB(), "peak-MB")
	b.ReportMetric(peakMB()/memoryLimit, "memory×limit")
}

// benchRun runs a command in this process and returns its output.
func benchRun(b *testing.B, now time.Time, url string, args ...string) string {
	b.Helper()
	var out, messages strings.Builder
	p := program{
		stdout: &out, stderr: &messages, now: func() time.Time { return now },
		env: func(name string) (string, bool) { return url, name == "STEELYARD_DATABASE" },
	}
	if code := p.run(b.Context(), args); code != exitClean {
		b.Fatalf("%v: exit code %d\n%s", args, code, &messages)
	}
	return out.String()
}

// peakMB is the most memory that the process has had so far, SQLite's own
// included; 0 where the system does not say.
func peakMB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kib float64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		return 0
	}
	return kib / 1e3
}
