package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// running is a command that serves, in this process.
type running struct {
	stdout *bufio.Reader
	stderr *lockedBuffer
	stop   context.CancelFunc
	code   chan int
}

// lockedBuffer is a buffer that may be read while it is written to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func start(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	r := &running{stdout: bufio.NewReader(out), stderr: &lockedBuffer{}, stop: stop, code: make(chan int, 1)}
	p := program{
		stdin: strings.NewReader(""), stdout: in, stderr: r.stderr,
		env: func(string) (string, bool) { return "", false }, now: time.Now,
	}
	go func() {
		r.code <- p.run(ctx, args)
		in.Close()
	}()
	t.Cleanup(stop)
	return r
}

// addresses reads the two lines that a serving command prints.
func (r *running) addresses(t *testing.T) (dashboard, mcp string) {
	t.Helper()
	found := map[string]string{}
	for range 2 {
		line, err := r.stdout.ReadString('\n')
		if err != nil {
			t.Fatalf("%v\n%s", err, r.stderr)
		}
		f := strings.Fields(line)
		found[f[0]] = f[1]
	}
	return found["dashboard"], found["mcp"]
}

// end is what a first SIGINT or SIGTERM does.
func (r *running) end(t *testing.T) {
	t.Helper()
	r.stop()
	select {
	case code := <-r.code:
		if code != exitClean {
			t.Errorf("exit code %d\n%s", code, r.stderr)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// TestServe holds that an empty database is served, says what to do next, and
// that the command ends cleanly.
func TestServe(t *testing.T) {
	db := filepath.Join(t.TempDir(), "new.db")
	r := start(t, "serve", "--addr", "127.0.0.1:0", "--db", "sqlite:"+db)
	dashboard, mcp := r.addresses(t)
	for _, path := range []string{"", "data", "guardrails", "docs/rules", "docs/rules/MC002"} {
		if status, body := get(t, dashboard+path); status != http.StatusOK || !strings.Contains(body, "</html>") {
			t.Errorf("/%s: %d", path, status)
		}
	}
	if status, _ := get(t, dashboard+"pilots/none"); status != http.StatusNotFound {
		t.Errorf("a pilot that is not there: %d", status)
	}
	answer, err := http.Post(mcp, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode == http.StatusNotFound {
		t.Error("there is nothing at /mcp")
	}
	r.end(t)
	if _, err := os.Stat(db); err != nil {
		t.Error(err)
	}
}

// TestDemoServes holds that the demo serves its pages, and leaves nothing
// behind.
func TestDemoServes(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	r := start(t, "demo", "--addr", "127.0.0.1:0")
	dashboard, _ := r.addresses(t)
	for path, want := range map[string]string{
		"":                      "worked-example",
		"pilots/worked-example": "rose for the pilot only",
		"pilots/ai-editor-2025": "Callaway",
		"pilots/agents-weekly":  "pull requests",
		"data":                  "Apache-2.0",
		"guardrails":            "MC002",
		"docs/rules/MC001":      "mcp-literal-secret",
		"pilots/worked-example/figures/three-numbers.csv": "",
	} {
		if status, body := get(t, dashboard+path); status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("/%s: %d, want %q in it", path, status, want)
		}
	}
	r.end(t)
	left, err := os.ReadDir(temp)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind in the temporary folder: %v, %v", left, err)
	}
}

// TestPortInUse holds that a port that is taken is said before any work.
func TestPortInUse(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	for _, command := range []string{"serve", "demo"} {
		db := filepath.Join(t.TempDir(), "new.db")
		r := start(t, command, "--addr", ln.Addr().String(), "--db", "sqlite:"+db)
		if code := <-r.code; code != exitFailed {
			t.Errorf("%s: exit code %d", command, code)
		}
		for _, want := range []string{"in use", "hint: --addr 127.0.0.1:PORT chooses another port", "hint: the address comes from: --addr"} {
			if !strings.Contains(r.stderr.String(), want) {
				t.Errorf("%s does not say %q: %s", command, want, r.stderr)
			}
		}
		if _, err := os.Stat(db); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s made a database first: %v", command, err)
		}
	}
}
