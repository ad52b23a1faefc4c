package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// auditLine is a whole line of the audit log: it begins with its time and ends
// with how long the call took.
var auditLine = regexp.MustCompile(`^time=\S+ level=INFO msg="tool call" tool=\S+ (arguments\.\S+ )*who=local client=\S+ outcome=ok duration=\S+$`)

// TestAuditOfAKilledServer holds that a server which is killed in the middle of
// its work leaves a log of whole lines: each is written at once.
func TestAuditOfAKilledServer(t *testing.T) {
	if testing.Short() {
		t.Skip("a server is killed five times in the full tests")
	}
	program := binary(t)
	dir := t.TempDir()
	db := "sqlite:" + filepath.Join(dir, "demo.db")
	if out, err := exec.CommandContext(t.Context(), program, "demo", "--no-serve", "--db", db).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for round := range 5 {
		path := filepath.Join(dir, fmt.Sprintf("log-%d", round))
		log, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), program, "mcp", "--db", db)
		cmd.Stderr = log
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		go ask(in)
		lines := 0
		for start := time.Now(); lines < 50*(round+1) && time.Since(start) < time.Minute; time.Sleep(5 * time.Millisecond) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines = bytes.Count(text, []byte("\n"))
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = log.Close()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasSuffix(text, []byte("\n")) || lines == 0 {
			t.Errorf("round %d: the log has %d lines and ends in the middle of one: …%.200s", round, lines, text[max(0, len(text)-200):])
		}
		for line := range bytes.Lines(text) {
			if line = bytes.TrimRight(line, "\n"); !auditLine.Match(line) {
				t.Errorf("round %d: a torn line: %s", round, line)
			}
		}
	}
}

// ask calls tools until nobody listens.
func ask(in io.WriteCloser) {
	_, err := io.WriteString(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"killed","version":"1"}}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	for id := 1; err == nil; id++ {
		_, err = fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"list_findings","arguments":{"limit":%d}}}`+"\n", id, 1+id%100)
	}
	_ = in.Close()
}
