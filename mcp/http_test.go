package mcp_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/mcp"
	"steelyard/metrics"
)

// post sends one JSON-RPC message as a client of the revision does and returns
// the status and the JSON of the answer.
func post(ctx context.Context, t *testing.T, url, revision, method, params string) (int, string) {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json, text/event-stream")
	q.Header.Set("MCP-Protocol-Version", revision)
	if revision >= "2026-07-28" {
		q.Header.Set("Mcp-Method", method)
		var p struct{ Name string }
		if json.Unmarshal([]byte(params), &p) == nil && p.Name != "" {
			q.Header.Set("Mcp-Name", p.Name)
		}
	}
	res, err := http.DefaultClient.Do(q)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err.Error()
	}
	text := string(all)
	for l := range strings.Lines(text) { // the last event of a stream
		if data, ok := strings.CutPrefix(l, "data: "); ok && strings.TrimSpace(data) != "" {
			text = strings.TrimSpace(data)
		}
	}
	return res.StatusCode, text
}

const meta2026 = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

func TestHTTPServesBothEras(t *testing.T) {
	o, log := options()
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	for _, c := range []struct {
		name, revision, method, params string
		want                           []string
	}{
		{"initialize", "2025-11-25", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}`, []string{`"protocolVersion":"2025-11-25"`, `"capabilities":{"completions":{},"prompts":{},"resources":{},"tools":{}}`}},
		{"legacy-call", "2025-11-25", "tools/call", `{"name":"get_pilot_report","arguments":{"pilot":"worked-example"}}`, []string{"−17 points, 95 % interval −41 to +9", `"estimate":-16.666666666666668`}},
		{"discover", "2026-07-28", "server/discover", `{` + meta2026 + `}`, []string{`"supportedVersions"`, `"cacheScope":"private"`, `"resultType":"complete"`}},
		{"modern-list", "2026-07-28", "tools/list", `{` + meta2026 + `}`, []string{`"get_pilot_report"`, `"cacheScope":"private"`}},
		{"modern-call", "2026-07-28", "tools/call", `{` + meta2026 + `,"name":"get_pilot_report","arguments":{"pilot":"worked-example"}}`, []string{"−17 points, 95 % interval −41 to +9", `"estimate":-16.666666666666668`, `"resultType":"complete"`}},
		{"modern-refusal", "2026-07-28", "tools/call", `{` + meta2026 + `,"name":"get_pilot_report","arguments":{"pilot":"nope"}}`, []string{`"isError":true`, "There is no pilot", `"resultType":"complete"`}},
		{"modern-bad-arguments", "2026-07-28", "tools/call", `{` + meta2026 + `,"name":"list_findings","arguments":{"limit":0}}`, []string{`"isError":true`, "Bad arguments", `"resultType":"complete"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, body := post(t.Context(), t, srv.URL, c.revision, c.method, c.params)
			for _, want := range c.want {
				if status != http.StatusOK || !strings.Contains(body, want) {
					t.Errorf("%d %s\nwant %q in it", status, body, want)
				}
			}
		})
	}
	if !strings.Contains(log.String(), `"client":"raw"`) {
		t.Errorf("the audit does not name the client: %s", log)
	}
}

// TestStreamsAtOnce holds that calls of one client are answered side by side in
// both eras, each on its own stream: none of them ends before all have begun.
func TestStreamsAtOnce(t *testing.T) {
	for revision, params := range map[string]string{
		"2025-11-25": `{"name":"list_pilots","arguments":{}}`,
		"2026-07-28": `{` + meta2026 + `,"name":"list_pilots","arguments":{}}`,
	} {
		t.Run(revision, func(t *testing.T) {
			const streams = 3
			var begun sync.WaitGroup
			begun.Add(streams)
			o, _ := options()
			o.CallTimeout = time.Minute
			o.Reports = reports{summaries: func(context.Context) ([]metrics.Summary, error) {
				begun.Done()
				begun.Wait()
				return nil, nil
			}}
			srv := httptest.NewServer(mcp.New(o).HTTP())
			defer srv.Close()
			var ended sync.WaitGroup
			for range streams {
				ended.Go(func() {
					if status, body := post(t.Context(), t, srv.URL, revision, "tools/call", params); status != http.StatusOK || !strings.Contains(body, "No pilot is defined yet") {
						t.Errorf("%d %s", status, body)
					}
				})
			}
			ended.Wait()
		})
	}
}

func TestHTTPRefusals(t *testing.T) {
	o, _ := options()
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		q, err := http.NewRequestWithContext(t.Context(), method, srv.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusMethodNotAllowed || res.Header.Get("Allow") != "POST" {
			t.Errorf("%s: %d, Allow %q", method, res.StatusCode, res.Header.Get("Allow"))
		}
	}
	huge := `{"name":"list_findings","arguments":{"repository":"` + strings.Repeat("x", 1<<20) + `"}}`
	if status, _ := post(t.Context(), t, srv.URL, "2025-11-25", "tools/call", huge); status != http.StatusRequestEntityTooLarge {
		t.Errorf("huge body: %d", status)
	}
	if status, _ := post(t.Context(), t, srv.URL, "2026-07-28", "logging/setLevel", `{`+meta2026+`,"level":"debug"}`); status != http.StatusNotFound {
		t.Errorf("removed method: %d", status)
	}
	if status, body := post(t.Context(), t, srv.URL, "2025-11-25", "tools/call", `{"name":"list_pilots","arguments":[1]}`); status != http.StatusOK || !strings.Contains(body, "Bad arguments") {
		t.Errorf("arguments that are no object: %d %s", status, body)
	}
}

// TestHTTPMalformed answers what is no message in our own words.
func TestHTTPMalformed(t *testing.T) {
	o, _ := options()
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	for name, c := range map[string]struct{ body, want string }{
		"no-json":       {`{"jsonrpc":`, `{"error":{"code":-32700,"message":"the body is not JSON; send one message of JSON-RPC 2.0"},"id":null,"jsonrpc":"2.0"}`},
		"empty":         {"", `"code":-32700`},
		"number":        {`7`, `"code":-32600`},
		"version":       {`{"jsonrpc":2,"id":7,"method":"ping"}`, `{"error":{"code":-32600,"message":"the message is not one of JSON-RPC 2.0"},"id":7,"jsonrpc":"2.0"}`},
		"method":        {`{"jsonrpc":"2.0","id":7,"method":1}`, `"code":-32600`},
		"empty-batch":   {`[]`, `the batch is empty`},
		"bad-batch":     {`[1]`, `"code":-32600`},
		"params":        {`{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":1}}`, `"code":-32602`},
		"params-number": {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":5}`, `"code":-32602`},
	} {
		for _, revision := range []string{"2025-03-26", "2025-11-25", "2026-07-28"} {
			t.Run(name+"/"+revision, func(t *testing.T) {
				q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL, strings.NewReader(c.body))
				if err != nil {
					t.Fatal(err)
				}
				q.Header.Set("Content-Type", "application/json")
				q.Header.Set("Accept", "application/json, text/event-stream")
				q.Header.Set("MCP-Protocol-Version", revision)
				res, err := http.DefaultClient.Do(q)
				if err != nil {
					t.Fatal(err)
				}
				all, err := io.ReadAll(res.Body)
				_ = res.Body.Close()
				if err != nil || res.StatusCode >= 500 || strings.Contains(string(all), "json:") || strings.Contains(string(all), "Go ") {
					t.Errorf("%d %s %v", res.StatusCode, all, err)
				}
				if (revision == "2025-11-25" || !strings.HasPrefix(name, "params")) && !strings.Contains(string(all), c.want) {
					t.Errorf("%d %s, want %s", res.StatusCode, all, c.want)
				}
			})
		}
	}
}

// TestHTTPPanicLeavesTheServerUp goes through HTTP, where the SDK runs tools
// outside the goroutine that net/http would protect.
func TestHTTPPanicLeavesTheServerUp(t *testing.T) {
	o, _ := options()
	o.Reports = reports{summaries: func(context.Context) ([]metrics.Summary, error) { panic("boom") }}
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	for range 2 {
		status, body := post(t.Context(), t, srv.URL, "2025-11-25", "tools/call", `{"name":"list_pilots"}`)
		if status != http.StatusOK || !strings.Contains(body, "Internal error (ref ") || strings.Contains(body, "boom") {
			t.Errorf("%d %s", status, body)
		}
	}
	_, body := post(t.Context(), t, srv.URL, "2026-07-28", "tools/call", `{`+meta2026+`,"name":"list_pilots"}`)
	if !strings.Contains(body, "Internal error (ref ") || !strings.Contains(body, `"resultType":"complete"`) {
		t.Errorf("newest revision: %s", body)
	}
}

// TestHTTPClientLeaves holds that a call ends when its client is gone; clients
// of older revisions cannot tell, theirs end by the deadline.
func TestHTTPClientLeaves(t *testing.T) {
	o, log := options()
	entered := make(chan bool, 1)
	o.Reports = reports{summaries: func(ctx context.Context) ([]metrics.Summary, error) {
		entered <- true
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-entered
		cancel()
	}()
	start := time.Now()
	post(ctx, t, srv.URL, "2026-07-28", "tools/call", `{`+meta2026+`,"name":"list_pilots"}`)
	eventually(t, func() bool { return strings.Contains(log.String(), `"outcome":"cancelled"`) })
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("the call lived on for %v", d)
	}
}

func TestHTTPRequestsAreBounded(t *testing.T) {
	o, _ := options()
	o.CallTimeout = 2 * time.Minute
	release := make(chan bool)
	o.Reports = reports{summaries: func(context.Context) ([]metrics.Summary, error) { <-release; return nil, nil }}
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	status := make(chan int, 80)
	for range 80 {
		go func() {
			s, _ := post(context.WithoutCancel(t.Context()), t, srv.URL, "2025-11-25", "tools/call", `{"name":"list_pilots"}`)
			status <- s
		}()
	}
	busy := 0
	for range 16 { // 80 less the 64 that are let in
		if s := <-status; s == http.StatusServiceUnavailable {
			busy++
		}
	}
	if busy != 16 {
		t.Errorf("%d requests were told to come back, want 16", busy)
	}
	close(release)
	for range 64 {
		if s := <-status; s != http.StatusOK {
			t.Errorf("a request that was let in got %d", s)
		}
	}
}

func TestHTTPWithSDKClient(t *testing.T) {
	o, _ := options()
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	cs, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: srv.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cs.Close() }()
	if res := call(t, cs, "list_findings", map[string]any{"limit": 1}); res.IsError || !strings.Contains(textOf(res), "1 of 2 findings") {
		t.Errorf("%s", textOf(res))
	}
}

// TestStdioWritesTheProtocolOnly holds that every line on stdout is a message,
// and that the server ends with its input or its context.
func TestStdioWritesTheProtocolOnly(t *testing.T) {
	o, _ := options()
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_pilot_report","arguments":{"pilot":"nope"}}}
`
	reader, writer := io.Pipe()
	outReader, outWriter := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- mcp.New(o).Stdio(context.WithoutCancel(t.Context()), reader, outWriter)
		_ = outWriter.Close()
	}()
	go func() { _, _ = io.WriteString(writer, in) }()
	dec := json.NewDecoder(outReader)
	for range 2 {
		var m struct {
			JSONRPC string `json:"jsonrpc"`
			ID      int    `json:"id"`
		}
		if err := dec.Decode(&m); err != nil || m.JSONRPC != "2.0" || m.ID == 0 {
			t.Fatalf("a line that is no message: %+v, %v", m, err)
		}
	}
	_ = writer.Close()
	if rest, err := io.ReadAll(io.MultiReader(dec.Buffered(), outReader)); err != nil || strings.TrimSpace(string(rest)) != "" {
		t.Errorf("more on stdout: %q, %v", rest, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("Stdio at the end of input = %v", err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	idle, _ := io.Pipe()
	go func() { ended <- mcp.New(o).Stdio(ctx, idle, io.Discard) }()
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("Stdio of a cancelled context = %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("Stdio did not end with its context")
	}
}

// TestStdioAnswersAllThatWasAsked pipes a whole conversation in and ends the
// input at once, as a script does.
func TestStdioAnswersAllThatWasAsked(t *testing.T) {
	o, _ := options()
	in := strings.NewReader(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"script","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_pilots","arguments":{}}}`,
	}, "\n") + "\n")
	var out strings.Builder
	if err := mcp.New(o).Stdio(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{`"id":1`, `"id":2`, `"id":3`} {
		if !strings.Contains(out.String(), id) {
			t.Errorf("no answer to %s in:\n%s", id, out.String())
		}
	}
}

// TestStdioOutlivesWhatIsNoMessage holds that a line that is no message gets
// JSON-RPC's error, and that the session goes on after it and ends with the
// input.
func TestStdioOutlivesWhatIsNoMessage(t *testing.T) {
	open := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	last := `{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"list_pilots","arguments":{}}}`
	ask := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/list"}` }
	for name, c := range map[string]struct{ in, want string }{
		"cut off":          {`{"jsonrpc":` + "\n", `"id":null`},
		"bytes":            {"\x00\xff\xfe\n", "-32700"},
		"two on a line":    {ask("2") + ask("3") + "\n", "-32700"},
		"scalar":           {"5\nnull\n\"x\"\n", "-32600"},
		"other version":    {`{"jsonrpc":"1.0","id":7,"method":"tools/list"}` + "\n", `"id":7`},
		"method no text":   {`{"jsonrpc":"2.0","id":"q","method":5}` + "\n", `"id":"q"`},
		"id an object":     {ask(`{"a":1}`) + "\n", `"id":null`},
		"id null":          {ask("null") + "\n", ""},
		"too deep":         {strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "\n", "-32"},
		"too long":         {`{"a":"` + strings.Repeat("a", 3<<20) + `"}` + "\n", "1 MiB"},
		"empty batch":      {"[]\n", "-32600"},
		"batch":            {"[" + ask("21") + ",5," + ask("22") + "]\n", `"id":22`},
		"blank lines":      {"\n\r\n  \n", ""},
		"answer to nobody": {`{"jsonrpc":"2.0","id":7,"result":{}}` + "\n", ""},
		"asked twice":      {ask("5") + "\n" + ask("5") + "\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, end := range []string{"", "\n"} {
				o, _ := options()
				var out strings.Builder
				ended := make(chan error, 1)
				go func() { ended <- mcp.New(o).Stdio(t.Context(), strings.NewReader(open+c.in+last+end), &out) }()
				select {
				case err := <-ended:
					if err != nil {
						t.Fatalf("Stdio = %v", err)
					}
				case <-time.After(time.Minute):
					t.Fatal("Stdio did not end with its input")
				}
				for _, want := range []string{`"id":1,`, `"id":99,`, c.want} {
					if !strings.Contains(out.String(), want) {
						t.Errorf("no %s in:\n%s", want, out.String())
					}
				}
				for line := range strings.Lines(out.String()) {
					if !json.Valid([]byte(line)) {
						t.Errorf("a line that is no message: %s", line)
					}
				}
			}
		})
	}
}
