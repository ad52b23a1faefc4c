package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/mcp"
	"steelyard/metrics"
)

var update = flag.Bool("update", false, "rewrite golden files")

// logBuffer collects a log that several goroutines write.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// options are a server's options on fixtures, its log in the buffer.
func options() (mcp.Options, *logBuffer) {
	log := &logBuffer{}
	return mcp.Options{
		Reports:  reports{all: []*metrics.Report{second(), workedExample()}},
		Findings: sampleFindings(),
		Rules:    rulePages,
		Pulls:    samplePulls(), Inventory: sampleServers(), Decisions: sampleDecisions(), Instructions: sampleInstructions(), Dependencies: verdicts{}, Methods: methodNotes,
		Clock:   func() time.Time { return at(20) },
		Version: "0.0.0-test",
		BaseURL: "http://127.0.0.1:8484",
		Logger:  slog.New(slog.NewJSONHandler(log, nil)),
	}, log
}

// connect serves o over a pair of pipes, as stdio does, until the test ends,
// and returns the SDK's client to it.
func connect(t *testing.T, o mcp.Options) *sdk.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- mcp.New(o).Stdio(context.WithoutCancel(t.Context()), toServer, fromServer)
		_ = fromServer.Close()
	}()
	cs, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cs.Close()
		if err := <-ended; err != nil {
			t.Errorf("Stdio = %v, want nil once the client has closed", err)
		}
	})
	return cs
}

// call calls a tool and returns its result; a protocol error ends the test.
func call(t *testing.T, cs *sdk.ClientSession, tool string, args any) *sdk.CallToolResult {
	t.Helper()
	res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s(%v): %v", tool, args, err)
	}
	return res
}

func textOf(res *sdk.CallToolResult) string {
	var b strings.Builder
	for _, c := range res.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

// structured is a result's structured content as JSON.
func structured(t *testing.T, res *sdk.CallToolResult) []byte {
	t.Helper()
	b, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// golden compares got with a file under testdata, or writes it with -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run go test ./mcp -update", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); run go test ./mcp -update if that is meant:\n%s", path, diff)
	}
}
