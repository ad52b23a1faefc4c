package server_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"steelyard/internal/server"
)

// lockedBuffer collects a log that several goroutines write.
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

// running is a server under test.
type running struct {
	addr string
	log  *lockedBuffer
	stop context.CancelFunc
	done chan error
}

// start serves o on a free port until the test ends.
func start(t *testing.T, o server.Options) *running {
	t.Helper()
	ln, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &running{addr: ln.Addr().String(), log: &lockedBuffer{}, done: make(chan error, 1)}
	o.Logger = slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	go func() { r.done <- server.Serve(ctx, ln, o) }()
	t.Cleanup(stop)
	return r
}

// raw sends one request as it is written and returns the status and the body.
func (r *running) raw(t *testing.T, request string) (int, string) {
	t.Helper()
	conn, err := net.Dial("tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	go func() { _, _ = io.WriteString(conn, request) }()
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("read response: %v", err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("read body: %v", err)
	}
	return res.StatusCode, string(body)
}

func named(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		_, _ = fmt.Fprintf(w, "%s %s %d", name, r.URL.Path, len(body))
	})
}

func TestHostAndOrigin(t *testing.T) {
	r := start(t, server.Options{Web: named("web"), MCP: named("mcp")})
	_, port, err := net.SplitHostPort(r.addr)
	if err != nil {
		t.Fatal(err)
	}
	self := "Host: " + r.addr
	for _, c := range []struct {
		name, line string
		headers    []string
		want       int
	}{
		{"address", "GET / HTTP/1.1", []string{self}, 200},
		{"localhost", "GET / HTTP/1.1", []string{"Host: LocalHost:" + port}, 200},
		{"healthz", "GET /healthz HTTP/1.1", []string{self}, 200},
		{"rebound-name", "GET / HTTP/1.1", []string{"Host: evil.example:" + port}, 403},
		{"rebound-name-health", "GET /healthz HTTP/1.1", []string{"Host: evil.example:" + port}, 403},
		{"rebound-name-mcp", "POST /mcp HTTP/1.1", []string{"Host: evil.example:" + port}, 403},
		{"prefix-of-name", "GET / HTTP/1.1", []string{"Host: 127.0.0.1.evil.example:" + port}, 403},
		{"no-port", "GET / HTTP/1.1", []string{"Host: 127.0.0.1"}, 403},
		{"other-port", "GET / HTTP/1.1", []string{"Host: 127.0.0.1:1"}, 403},
		{"other-loopback", "GET / HTTP/1.1", []string{"Host: 127.0.0.2:" + port}, 403},
		{"empty-host", "GET / HTTP/1.1", []string{"Host:"}, 403},
		{"no-host", "GET / HTTP/1.0", nil, 403},
		{"absolute-form", "GET http://evil.example/ HTTP/1.1", []string{self}, 403},

		{"own-origin", "POST /x HTTP/1.1", []string{self, "Origin: http://" + r.addr}, 200},
		{"own-origin-by-name", "POST /x HTTP/1.1", []string{self, "Origin: http://localhost:" + port}, 200},
		{"no-origin", "POST /x HTTP/1.1", []string{self}, 200},
		{"foreign-origin", "POST /x HTTP/1.1", []string{self, "Origin: http://evil.example"}, 403},
		{"foreign-origin-get", "GET /x HTTP/1.1", []string{self, "Origin: http://evil.example"}, 403},
		{"other-port-origin", "POST /x HTTP/1.1", []string{self, "Origin: http://localhost:1"}, 403},
		{"https-origin", "POST /x HTTP/1.1", []string{self, "Origin: https://" + r.addr}, 403},
		{"null-origin", "POST /x HTTP/1.1", []string{self, "Origin: null"}, 403},
		{"two-origins", "POST /x HTTP/1.1", []string{self, "Origin: http://" + r.addr, "Origin: http://evil.example"}, 403},
		{"foreign-origin-mcp-get", "GET /mcp HTTP/1.1", []string{self, "Origin: http://evil.example"}, 403},
		{"foreign-origin-mcp-post", "POST /mcp HTTP/1.1", []string{self, "Origin: http://evil.example"}, 403},
		{"foreign-origin-mcp-delete", "DELETE /mcp HTTP/1.1", []string{self, "Origin: http://evil.example"}, 403},
		{"foreign-origin-mcp-options", "OPTIONS /mcp HTTP/1.1", []string{self, "Origin: http://evil.example"}, 403},
		{"cross-site-post", "POST /x HTTP/1.1", []string{self, "Sec-Fetch-Site: cross-site"}, 403},
		{"same-site-post", "POST /x HTTP/1.1", []string{self, "Sec-Fetch-Site: same-site"}, 403},
		{"same-origin-post", "POST /x HTTP/1.1", []string{self, "Sec-Fetch-Site: same-origin"}, 200},
		{"followed-link", "GET / HTTP/1.1", []string{self, "Sec-Fetch-Site: cross-site"}, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			request := c.line + "\r\n" + strings.Join(append(c.headers, "Connection: close", "Content-Length: 0"), "\r\n") + "\r\n\r\n"
			status, body := r.raw(t, request)
			if status != c.want {
				t.Errorf("status %d, want %d; body %q", status, c.want, body)
			}
			if status == 403 && strings.Contains(body, port) {
				t.Errorf("the refusal tells the address: %q", body)
			}
		})
	}
}

func TestRoutes(t *testing.T) {
	r := start(t, server.Options{Web: named("web"), MCP: named("mcp")})
	for path, want := range map[string]string{
		"/":           "web / 0",
		"/pilots/x":   "web /pilots/x 0",
		"/mcp":        "mcp /mcp 0",
		"/mcp/":       "web /mcp/ 0",
		"/healthz":    "ok\n",
		"/healthz/no": "web /healthz/no 0",
	} {
		_, body := r.raw(t, "GET "+path+" HTTP/1.1\r\nHost: "+r.addr+"\r\nConnection: close\r\n\r\n")
		if body != want {
			t.Errorf("GET %s = %q, want %q", path, body, want)
		}
	}
}

func TestBounds(t *testing.T) {
	r := start(t, server.Options{Web: named("web"), MCP: named("mcp")})
	post := func(path string, headers string, size int) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n%s",
			path, r.addr, headers, size, strings.Repeat("x", size))
	}
	for _, c := range []struct {
		name, request string
		want          int
	}{
		{"web-body-at-bound", post("/x", "", 1<<20), 200},
		{"web-body-over", post("/x", "", 1<<20+1), 413},
		{"mcp-body-at-bound", post("/mcp", "", 1<<20), 200},
		{"mcp-body-over", post("/mcp", "", 1<<20+1), 413},
		{"headers-over", post("/", "X-Long: "+strings.Repeat("x", 64<<10)+"\r\n", 0), 431},
	} {
		t.Run(c.name, func(t *testing.T) {
			if status, body := r.raw(t, c.request); status != c.want {
				t.Errorf("status %d, want %d; body %.80q", status, c.want, body)
			}
		})
	}
}

func TestPanicIsAnAnswerWithAReference(t *testing.T) {
	r := start(t, server.Options{Web: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/late" {
			_, _ = io.WriteString(w, "half")
			_ = http.NewResponseController(w).Flush()
		}
		panic("SELECT secret FROM table")
	})})
	status, body := r.raw(t, "GET /early?token=hidden HTTP/1.1\r\nHost: "+r.addr+"\r\nConnection: close\r\n\r\n")
	if status != 500 || strings.Contains(body, "secret") || !strings.Contains(body, "ref ") {
		t.Errorf("early panic: %d %q", status, body)
	}
	ref := strings.TrimSuffix(strings.Fields(strings.SplitAfter(body, "ref ")[1])[0], ").")
	if log := r.log.String(); !strings.Contains(log, "ref="+ref) || !strings.Contains(log, "SELECT secret") {
		t.Errorf("the log has no detail under %q:\n%s", ref, log)
	}
	if strings.Contains(r.log.String(), "hidden") {
		t.Error("the log has the query")
	}

	res, err := http.Get("http://" + r.addr + "/late")
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("a late panic passed for a whole answer: %q", b)
	}
	_ = res.Body.Close()
	if status, _ := r.raw(t, "GET /healthz HTTP/1.1\r\nHost: "+r.addr+"\r\nConnection: close\r\n\r\n"); status != 200 {
		t.Errorf("after panics /healthz = %d", status)
	}
}

func TestShutdownFinishesRequests(t *testing.T) {
	entered, release := make(chan bool), make(chan bool)
	r := start(t, server.Options{Web: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		entered <- true
		<-release
		_, _ = fmt.Fprintf(w, "whole %v", q.Context().Err())
	})})
	body := make(chan string)
	go func() {
		res, err := http.Get("http://" + r.addr + "/")
		if err != nil {
			body <- err.Error()
			return
		}
		b, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		body <- string(b)
	}()
	<-entered
	r.stop()
	select {
	case err := <-r.done:
		t.Fatalf("Serve returned %v with a request in flight", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	if got := <-body; got != "whole <nil>" {
		t.Errorf("the request in flight got %q", got)
	}
	if err := <-r.done; err != nil {
		t.Errorf("Serve = %v", err)
	}
	if _, err := net.Dial("tcp", r.addr); err == nil {
		t.Error("the port is still open")
	}
}

func TestShutdownEndsStreams(t *testing.T) {
	t.Parallel() // net/http looks every half second whether requests have ended
	entered := make(chan bool, 1)
	r := start(t, server.Options{Grace: 3 * time.Second, MCP: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_ = http.NewResponseController(w).Flush()
		entered <- true
		<-q.Context().Done()
		_, _ = io.WriteString(w, "ended")
	})})
	res, err := http.Post("http://"+r.addr+"/mcp", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	<-entered
	r.stop()
	if b, err := io.ReadAll(res.Body); err != nil || string(b) != "ended" {
		t.Errorf("the stream ended with %q, %v", b, err)
	}
	if err := <-r.done; err != nil {
		t.Errorf("Serve = %v", err)
	}
}

func TestShutdownCutsWhatDoesNotEnd(t *testing.T) {
	entered, release := make(chan bool), make(chan bool)
	r := start(t, server.Options{Grace: 100 * time.Millisecond, Web: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		entered <- true
		<-release
	})})
	defer close(release)
	go func() {
		if res, err := http.Get("http://" + r.addr + "/"); err == nil {
			_ = res.Body.Close()
		}
	}()
	<-entered
	r.stop()
	if err := <-r.done; err == nil || !strings.Contains(err.Error(), "were cut") {
		t.Errorf("Serve = %v, want it to say that requests were cut", err)
	}
}

func TestStreamSeesClientLeave(t *testing.T) {
	entered, left := make(chan bool), make(chan bool)
	r := start(t, server.Options{MCP: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_ = http.NewResponseController(w).Flush()
		entered <- true
		<-q.Context().Done()
		close(left)
	})})
	ctx, cancel := context.WithCancel(t.Context())
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+r.addr+"/mcp", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		if res, err := http.DefaultClient.Do(q); err == nil {
			_, _ = io.ReadAll(res.Body)
			_ = res.Body.Close()
		}
	}()
	<-entered
	cancel()
	select {
	case <-left:
	case <-time.After(5 * time.Second):
		t.Fatal("the handler never heard that its client left")
	}
}
