package server_test

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"steelyard/internal/server"
)

// TestPublicNames holds that a server with a public address answers to that
// and to its own, and to nothing that a proxy merely claims.
func TestPublicNames(t *testing.T) {
	r := start(t, server.Options{
		Web: named("web"), MCP: named("mcp"), Resource: named("resource"), PublicURL: "https://steelyard.example.com",
	})
	const public = "Host: steelyard.example.com"
	for _, c := range []struct {
		name, line string
		headers    []string
		want       int
		body       string
	}{
		{"public", "GET / HTTP/1.1", []string{public}, 200, "web"},
		{"public-port", "GET / HTTP/1.1", []string{public + ":443"}, 200, "web"},
		{"public-case", "POST /mcp HTTP/1.1", []string{"Host: Steelyard.EXAMPLE.com"}, 200, "mcp"},
		{"own", "GET / HTTP/1.1", []string{"Host: " + r.addr}, 200, "web"},
		{"public-other-port", "GET / HTTP/1.1", []string{public + ":80"}, 403, ""},
		{"public-suffix", "GET / HTTP/1.1", []string{public + ".evil.example"}, 403, ""},
		{"forwarded-host", "GET / HTTP/1.1", []string{"Host: evil.example", "X-Forwarded-Host: steelyard.example.com"}, 403, ""},
		{"public-origin", "POST /mcp HTTP/1.1", []string{public, "Origin: https://steelyard.example.com"}, 200, "mcp"},
		{"public-origin-http", "POST /mcp HTTP/1.1", []string{public, "Origin: http://steelyard.example.com"}, 403, ""},
		{"foreign-origin", "POST /mcp HTTP/1.1", []string{public, "Origin: https://evil.example"}, 403, ""},
		{"metadata", "GET /.well-known/oauth-protected-resource/mcp HTTP/1.1", []string{public}, 200, "resource"},
		{"metadata-root", "GET /.well-known/oauth-protected-resource HTTP/1.1", []string{public}, 200, "resource"},
		{"metadata-other", "GET /.well-known/oauth-protected-resource/other HTTP/1.1", []string{public}, 200, "web"},
	} {
		t.Run(c.name, func(t *testing.T) {
			request := c.line + "\r\n" + strings.Join(append(c.headers, "Connection: close", "Content-Length: 0"), "\r\n") + "\r\n\r\n"
			if status, body := r.raw(t, request); status != c.want || !strings.HasPrefix(body, c.body) {
				t.Errorf("%d %q, want %d %q", status, body, c.want, c.body)
			}
		})
	}
}

// TestListenAnywhere holds that an address without a name of its own is
// answered by the public name alone.
func TestListenAnywhere(t *testing.T) {
	ln, err := server.ListenAnywhere(t.Context(), "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = server.Serve(t.Context(), ln, server.Options{Web: named("web"), PublicURL: "https://steelyard.example.com"})
	}()
	_, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{"steelyard.example.com": 200, "127.0.0.1:" + port: 403, "0.0.0.0:" + port: 403, "localhost:" + port: 403} {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+port+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Host = host
		res, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("Host %s: %d, want %d", host, res.StatusCode, want)
		}
	}
	if _, err := server.ListenAnywhere(t.Context(), ln.Addr().String()); err == nil || !strings.Contains(err.Error(), "in use by another program") {
		t.Errorf("a port in use: %v", err)
	}
}

// TestLargeBodies holds that few large bodies are held at a time, and that
// small ones do not notice.
func TestLargeBodies(t *testing.T) {
	entered, release := make(chan bool, 64), make(chan bool)
	r := start(t, server.Options{MCP: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		entered <- true
		<-release
	})})
	statuses := make(chan int, 64)
	post := func(size int) {
		go func() {
			res, err := http.Post("http://"+r.addr+"/mcp", "application/json", strings.NewReader(strings.Repeat("x", size)))
			if err != nil {
				statuses <- 0
				return
			}
			_ = res.Body.Close()
			statuses <- res.StatusCode
		}()
	}
	for range 16 {
		post(1 << 20)
	}
	for range 16 {
		<-entered
	}
	post(1 << 20)
	if status := <-statuses; status != http.StatusServiceUnavailable {
		t.Errorf("one large body more: %d", status)
	}
	post(10 << 10)
	<-entered
	close(release)
	for range 17 {
		if status := <-statuses; status != http.StatusOK {
			t.Errorf("a body within the bounds: %d", status)
		}
	}
}
