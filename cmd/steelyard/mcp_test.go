package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMCP holds a conversation over standard input and output: every line of
// output is protocol, and the command ends when the host goes away.
func TestMCP(t *testing.T) {
	db := "sqlite:" + filepath.Join(t.TempDir(), "steelyard.db")
	var out bytes.Buffer
	code, stderr := run(t, t.Context(), &out, "pilot", "define", "payments", "--db", db,
		"--treated", "payments=2026-03-02", "--outcome", "open_to_merge")
	if code != exitClean {
		t.Fatalf("pilot define: %d, %s", code, stderr)
	}

	in, toServer := io.Pipe()
	fromServer, stdout := io.Pipe()
	var logs lockedBuffer
	p := program{
		stdin: in, stdout: stdout, stderr: &logs,
		env: func(string) (string, bool) { return "", false }, now: time.Now,
	}
	ended := make(chan int, 1)
	go func() {
		ended <- p.run(t.Context(), []string{"mcp", "--db", db})
		stdout.Close()
	}()
	lines := bufio.NewScanner(fromServer)
	lines.Buffer(nil, 1<<20)
	ask := func(message string) string {
		t.Helper()
		if _, err := io.WriteString(toServer, message+"\n"); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(message, `"id"`) {
			return ""
		}
		if !lines.Scan() {
			t.Fatalf("no answer to %s: %v\n%s", message, lines.Err(), &logs)
		}
		if !json.Valid(lines.Bytes()) {
			t.Errorf("not protocol: %s", lines.Text())
		}
		return lines.Text()
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	tools := ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	for _, name := range []string{"list_pilots", "get_pilot_report", "list_findings", "explain_rule"} {
		if !strings.Contains(tools, `"`+name+`"`) {
			t.Errorf("there is no tool %s", name)
		}
	}
	pilots := ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_pilots","arguments":{}}}`)
	if !strings.Contains(pilots, "payments") {
		t.Errorf("list_pilots does not name the pilot: %s", pilots)
	}
	toServer.Close()
	select {
	case code := <-ended:
		if code != exitClean {
			t.Errorf("exit code %d: %s", code, &logs)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
}
