package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"steelyard/mcp"
	"steelyard/metrics"
)

const stdioOpen = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// TestStdioEndsInTheMiddle holds that input which ends in the middle of a line,
// however long that was, is the end of the session, with all answers given.
func TestStdioEndsInTheMiddle(t *testing.T) {
	for name, c := range map[string]struct {
		in   io.Reader
		want string
	}{
		"nothing":     {strings.NewReader(""), ""},
		"hello":       {strings.NewReader(stdioOpen[:60]), "-32700"},
		"call":        {strings.NewReader(stdioOpen + `{"jsonrpc":"2.0","id":2,"method":"tools/call","par`), "-32700"},
		"64 MiB":      {io.MultiReader(strings.NewReader(stdioOpen), io.LimitReader(endless('x'), 64<<20)), "1 MiB"},
		"64 MiB of [": {io.MultiReader(strings.NewReader(stdioOpen), io.LimitReader(endless('['), 64<<20)), "1 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := options()
			var out strings.Builder
			if err := mcp.New(o).Stdio(t.Context(), c.in, &out); err != nil {
				t.Fatalf("Stdio = %v", err)
			}
			if !strings.Contains(out.String(), c.want) {
				t.Errorf("no %s in:\n%.500s", c.want, out.String())
			}
			for line := range strings.Lines(out.String()) {
				if !json.Valid([]byte(line)) {
					t.Errorf("a line that is no message: %.200s", line)
				}
			}
		})
	}
}

// endless reads as one character for ever.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// TestStdioWaitsForItsReader holds that a client which asks and never reads is
// read no further, and keeps nothing in memory but what is open.
func TestStdioWaitsForItsReader(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var asked, worked atomic.Int64
	o, _ := options()
	o.Reports = reports{summaries: func(context.Context) ([]metrics.Summary, error) {
		worked.Add(1)
		return nil, nil
	}}
	in := io.MultiReader(strings.NewReader(stdioOpen), readerFunc(func(p []byte) (int, error) {
		return copy(p, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"list_pilots"}}`+"\n", 1+asked.Add(1))), nil
	}))
	unread, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- mcp.New(o).Stdio(ctx, in, out) }()
	if _, err := bufio.NewReader(unread).ReadString('\n'); err != nil {
		t.Fatal(err) // the first answer is all that is read
	}
	eventually(t, func() bool { return worked.Load() > 0 })
	time.Sleep(300 * time.Millisecond) // more than enough to read thousands
	if n, m := asked.Load(), worked.Load(); n > 300 || m > 100 {
		t.Errorf("%d requests were read and %d worked at, and not one answer was taken", n, m)
	}
	stop()
	_ = unread.Close()
	if err := <-ended; err != nil && !strings.Contains(err.Error(), "closed pipe") {
		t.Error(err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestStdioBatchOfMany holds that a batch of more than may be open at once is
// answered whole.
func TestStdioBatchOfMany(t *testing.T) {
	var calls []string
	for i := range 500 {
		calls = append(calls, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"list_pilots"}}`, 100+i))
	}
	o, _ := options()
	in := strings.NewReader(strings.Replace(stdioOpen, "2025-11-25", "2025-03-26", 1) + "[" + strings.Join(calls, ",") + "]\n")
	var out strings.Builder
	if err := mcp.New(o).Stdio(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	for i := range 500 {
		if !strings.Contains(out.String(), fmt.Sprintf(`"id":%d,`, 100+i)) {
			t.Fatalf("call %d of the batch is not answered", i)
		}
	}
	if strings.Contains(out.String(), `"error"`) {
		t.Errorf("some were refused: %.500s", out.String())
	}
}
