package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"steelyard/mcp"
	"steelyard/mcp/auth"
)

// What /mcp has to hold, of docs/performance.md.
const (
	callRate    = 500 // calls a second
	callSeconds = 30
	callLimit   = 50 * time.Millisecond // of the slowest in a hundred
	callers     = 100                   // identities, each within its allowance
)

// calls are what assistants ask, by turns.
var loadCalls = []string{
	`{"name":"list_pilots","arguments":{}}`,
	`{"name":"get_pilot_report","arguments":{"pilot":"worked-example"}}`,
	`{"name":"get_pilot_report","arguments":{"pilot":"ai-editor-2025"}}`,
	`{"name":"get_metric_series","arguments":{"pilot":"agents-weekly"}}`,
	`{"name":"list_findings","arguments":{}}`,
	`{"name":"explain_rule","arguments":{"rule":"MC002"}}`,
	`{"name":"get_data_health","arguments":{}}`,
}

// BenchmarkCalls sends 500 calls a second to the program with the demo's data,
// by tokens of 100 machines, whether or not earlier ones are answered, and
// measures each from when it was due. It says what the slowest in a hundred
// took, as a ratio to 50 ms, how the program's memory grew in the second half,
// how many calls were not answered well, how many processors the program and
// who calls it took, and how many calls a second it answers at most. The long
// form takes 30 seconds, the short one 3:
//
//	STEELYARD_BENCH_LONG=1 go test ./cmd/steelyard -run '^$' -bench Calls -benchtime 1x
func BenchmarkCalls(b *testing.B) {
	seconds := callSeconds / 10
	if os.Getenv(longBenchEnv) != "" {
		seconds = callSeconds
	}
	l := startLoad(b)
	// As much as it takes, which may be more than is let in, and then a rest:
	// what is kept between calls, and the memory that they need, is there
	// afterwards.
	ask := func(i int) bool { return l.call(b.Context(), i) }
	atMost := most(time.Duration(seconds)*time.Second/6, ask)
	time.Sleep(time.Second)
	l.failed = faults{}
	byCall := make([]latencies, len(loadCalls))
	var all latencies
	var half, end, rate float64
	use := startShares(l.process.Process.Pid)
	for b.Loop() {
		begin := time.Now()
		for range 2 {
			half = end
			for i, took := range paced(callRate*seconds/2, callRate, func(i int) { l.call(b.Context(), i) }) {
				byCall[i%len(loadCalls)] = append(byCall[i%len(loadCalls)], took)
				all = append(all, took)
			}
			end = residentMB(l.process)
		}
		rate = float64(callRate*seconds) / time.Since(begin).Seconds()
	}
	use.report(b)
	l.failed.log(b)
	b.Logf("memory: %.1f MB half way, %.1f MB at the end", half, end)
	for i, took := range byCall {
		b.Logf("%-75s %v", loadCalls[i], took)
	}
	b.ReportMetric(rate, "calls/s")
	b.ReportMetric(atMost, "most-calls/s")
	b.ReportMetric(float64(l.failed.n), "refused")
	b.ReportMetric(all.at(0.5).Seconds()*1e3, "p50-ms")
	b.ReportMetric(all.at(0.99).Seconds()*1e3, "p99-ms")
	b.ReportMetric(all.at(0.99).Seconds()/callLimit.Seconds(), "p99×limit")
	b.ReportMetric(all.at(1).Seconds()*1e3, "max-ms")
	b.ReportMetric(end, "MB")
	b.ReportMetric(end-half, "grown-MB")
	b.ReportMetric(load1(), "load-average")
	l.stop(b)
}

// load is the program in a process of its own, and who calls it.
type load struct {
	process *exec.Cmd
	at      string
	tokens  []string
	client  *http.Client
	failed  faults
}

func startLoad(b *testing.B) *load {
	b.Helper()
	dir := b.TempDir()
	binary, url := filepath.Join(dir, "steelyard"), "sqlite:"+filepath.Join(dir, "demo.db")
	for _, args := range [][]string{{"go", "build", "-o", binary, "."}, {binary, "demo", "--db", url, "--no-serve"}} {
		if out, err := exec.CommandContext(b.Context(), args[0], args[1:]...).CombinedOutput(); err != nil {
			b.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	l := &load{client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}, Timeout: 30 * time.Second}}
	var lines strings.Builder
	for i := range callers {
		token, line := auth.NewToken(fmt.Sprint("machine-", i), mcp.Scopes(), time.Now().AddDate(0, 0, 2))
		l.tokens = append(l.tokens, token)
		fmt.Fprintln(&lines, line)
	}
	file := filepath.Join(dir, "tokens")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	l.process = exec.CommandContext(b.Context(), binary, "serve", "--addr", "127.0.0.1:0", "--db", url)
	l.process.Dir = dir
	l.process.Env = append(os.Environ(), "STEELYARD_SERVE_MCP_TOKENS_FILE="+file)
	out, err := l.process.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := l.process.Start(); err != nil {
		b.Fatal(err)
	}
	for lines := bufio.NewScanner(out); l.at == "" && lines.Scan(); {
		if at, ok := strings.CutPrefix(lines.Text(), "mcp "); ok {
			l.at = strings.TrimSpace(at)
		}
	}
	return l
}

// callBody is the message of a call with these parameters.
func callBody(params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`
}

// callHeader is what goes with a call; without a token where it is empty.
func callHeader(token string) http.Header {
	h := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-11-25"},
	}
	if token != "" {
		h.Set("Authorization", "Bearer "+token)
	}
	return h
}

// call makes the i-th call, and notes where it is not answered well.
func (l *load) call(ctx context.Context, i int) (well bool) {
	body := callBody(loadCalls[i%len(loadCalls)])
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, l.at, strings.NewReader(body))
	if err != nil {
		l.failed.add("requests", err.Error())
		return false
	}
	q.Header = callHeader(l.tokens[i%callers])
	res, err := l.client.Do(q)
	if err != nil {
		l.failed.add("connections", err.Error())
		return false
	}
	text, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil || res.StatusCode != http.StatusOK || !bytes.Contains(text, []byte(`"structuredContent"`)) || bytes.Contains(text, []byte(`"isError":true`)) {
		l.failed.add(res.Status, fmt.Sprintf("%s: %v %.300s", body, err, text))
		return false
	}
	return true
}

// stop ends the program.
func (l *load) stop(b *testing.B) {
	b.Helper()
	if err := l.process.Process.Signal(syscall.SIGTERM); err != nil {
		b.Fatal(err)
	}
	if err := l.process.Wait(); err != nil {
		b.Fatal(err)
	}
}

// residentMB is the memory that a process has now; 0 where the system does not
// say.
func residentMB(process *exec.Cmd) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	var kib float64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		return 0
	}
	return kib / 1e3
}

// load1 is how many processes wanted a processor in the last minute; 0 where
// the system does not say.
func load1() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	var one float64
	if _, err := fmt.Sscan(string(text), &one); err != nil {
		return 0
	}
	return one
}
