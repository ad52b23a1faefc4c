package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// TestInterruptedWait holds that a command which waits for its input ends with
// the signal, and that it leaves no trace in the database.
func TestInterruptedWait(t *testing.T) {
	panel := []string{"import", "panel", "FILE", "--pilot", "p", "--unit", "team", "--time", "week", "--outcome", "hours", "--start", "a=2026-03-02"}
	header := "team,week,hours\na,2026-02-02,1\n"
	for name, c := range map[string]struct {
		args    []string
		fifo    bool
		written string
	}{
		"panel":        {args: panel},
		"panel_begun":  {args: panel, written: header},
		"panel_fifo":   {args: panel, fifo: true},
		"pulls":        {args: []string{"import", "pull-requests", "FILE"}},
		"pilot_define": {args: []string{"pilot", "define", "--file", "FILE"}},
		"define_fifo":  {args: []string{"pilot", "define", "--file", "FILE"}, fifo: true},
		"mcp":          {args: []string{"mcp"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			makeDatabase(t)
			file := "-"
			if c.fifo {
				file = "fifo"
				makeFIFO(t, file)
			}
			args := append([]string(nil), c.args...)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "FILE", file)
			}
			in, w := io.Pipe()
			defer w.Close()
			if c.written != "" {
				go func() { _, _ = io.WriteString(w, c.written) }()
			}
			ctx, stop := context.WithCancel(t.Context())
			time.AfterFunc(200*time.Millisecond, stop)
			ended := make(chan int, 1)
			var stderr bytes.Buffer
			go func() {
				p := program{
					stdin: in, stdout: io.Discard, stderr: &stderr,
					env: func(string) (string, bool) { return "", false }, now: time.Now,
				}
				ended <- p.run(ctx, args)
			}()
			select {
			case code := <-ended:
				if name == "mcp" {
					return // a server that is told to end has ended well
				}
				if code != exitFailed || stderr.String() != "steelyard: interrupted\n" {
					t.Errorf("exit code %d, %q", code, stderr.String())
				}
			case <-time.After(5 * time.Second):
				t.Fatal("the command still waits for its input")
			}
			var list bytes.Buffer
			if code, stderr := run(t, t.Context(), &list, "pilot", "show", "p"); code == exitClean {
				t.Errorf("there is a pilot: %s%s", list.String(), stderr)
			}
		})
	}
}

// makeDatabase makes the default database, with one pull request.
func makeDatabase(t *testing.T) {
	t.Helper()
	if err := os.WriteFile("one.csv", []byte("id,opened\n1,2026-02-02\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, stderr := run(t, t.Context(), io.Discard, "import", "pull-requests", "one.csv"); code != exitClean {
		t.Fatal(stderr)
	}
}
