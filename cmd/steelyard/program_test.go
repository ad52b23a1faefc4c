package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// run runs a command line in this process.
func run(t *testing.T, ctx context.Context, stdout interface{ Write([]byte) (int, error) }, args ...string) (code int, stderr string) {
	t.Helper()
	var text bytes.Buffer
	p := program{
		stdin: strings.NewReader(""), stdout: stdout, stderr: &text,
		env: func(string) (string, bool) { return "", false }, now: time.Now,
	}
	return p.run(ctx, args), text.String()
}

// TestFailedWrite holds that output which cannot be written is a failed run.
func TestFailedWrite(t *testing.T) {
	code, stderr := run(t, t.Context(), brokenWriter{}, "rules")
	if code != exitFailed || !strings.Contains(stderr, "no space left") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestPanic holds that a fault of ours is one line, without a stack.
func TestPanic(t *testing.T) {
	code, stderr := run(t, t.Context(), panickingWriter{}, "rules")
	if code != exitFailed || !strings.HasPrefix(stderr, "steelyard: internal error: ") || strings.Contains(stderr, "goroutine") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

type panickingWriter struct{}

func (panickingWriter) Write([]byte) (int, error) { panic("a fault") }

// TestInterrupt holds that a signal before the work ends the command.
func TestInterrupt(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out bytes.Buffer
	code, stderr := run(t, ctx, &out, "lint", ".")
	if code != exitFailed || stderr != "steelyard: interrupted\n" {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

func TestShellWord(t *testing.T) {
	for s, want := range map[string]string{
		"sqlite:a.db": "sqlite:a.db", "sqlite:my file.db": "'sqlite:my file.db'", "it's": `'it'\''s'`, "": "''",
	} {
		if got := shellWord(s); got != want {
			t.Errorf("shellWord(%q) = %s, want %s", s, got, want)
		}
	}
}
