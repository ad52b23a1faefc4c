package ingest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"steelyard/metrics/ingest"
)

// endless yields head once and then fill until size bytes were read.
type endless struct {
	head string
	fill string
	size int64
	read int64
}

func (e *endless) Read(p []byte) (int, error) {
	if e.read >= e.size {
		return 0, io.EOF
	}
	n := 0
	if e.read < int64(len(e.head)) {
		n = copy(p, e.head[e.read:])
	}
	for n < len(p) {
		from := (e.read + int64(n) - int64(len(e.head))) % int64(len(e.fill))
		n += copy(p[n:], e.fill[from:])
	}
	n = int(min(int64(n), e.size-e.read))
	e.read += int64(n)
	return n, nil
}

// allocated runs f and returns how many bytes it allocated in all, which is
// more than it ever held.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

const two = 2 << 30 // 2 GiB

// TestOneLineOf2GB reads a file that is one line of 2 GB, in each form that
// could make a reader hold it: it is refused after the first MiB.
func TestOneLineOf2GB(t *testing.T) {
	const header = "unit,time,first,y\n"
	cases := map[string]struct{ head, fill, want string }{
		"from-the-first-byte": {"", "x", "panel.csv:1: \"xxx"},
		"after-the-header":    {header, "x", "panel.csv:2: \"xxx"},
		"of-commas":           {header, ",", "panel.csv:2: \",,,"},
		"of-quotes":           {header + `"`, `""`, "panel.csv:2: "},
		"in-quotes":           {header + `"`, "x", "panel.csv:2: "},
		"of-quoted-breaks":    {header + `"`, "x\n", "panel.csv:2: \"x\\nx"},
		"of-zeros":            {header, "\x00", "panel.csv:2: "},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			in := &endless{head: c.head, fill: strings.Repeat(c.fill, 2048), size: two}
			store := newMemory()
			var err error
			used := allocated(func() {
				_, _, err = ingest.ImportPanel(context.Background(), store, in, "panel.csv", spec(), now)
			})
			var line *ingest.LineError
			if !errors.As(err, &line) || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("error = %v, want %s…", err, c.want)
			}
			if len(fmt.Sprint(err)) > 800 {
				t.Errorf("the message is %d bytes long", len(err.Error()))
			}
			if used > 16<<20 || in.read > 4<<20 {
				t.Errorf("%d bytes allocated, %d read", used, in.read)
			}
			if !store.empty() {
				t.Error("something was left behind")
			}
		})
	}
}

// TestLongFile streams 32 MB of plain and packed rows in a few MB of memory.
func TestLongFile(t *testing.T) {
	s := spec()
	s.Drop = []ingest.Filter{{Column: "unit", Value: "a"}}
	rows := strings.Repeat("a,2024-08-05,,1\n", 1000)
	t.Run("plain", func(t *testing.T) {
		in := &endless{head: "unit,time,first,y\nb,2024-08-05,,1\n", fill: rows, size: int64(34 + len(rows)*2_000)}
		var err error
		used := allocated(func() {
			_, _, err = ingest.ImportPanel(context.Background(), discard{}, in, "panel.csv", s, now)
		})
		if err != nil || used > 4<<20 {
			t.Errorf("error = %v, %d bytes allocated", err, used)
		}
	})
	t.Run("packed", func(t *testing.T) {
		packed := bombOf("unit,time,first,y\nb,2024-08-05,,1\n", rows, 2_000)
		var err error
		used := allocated(func() {
			_, _, err = ingest.ImportPanel(context.Background(), discard{}, bytes.NewReader(packed), "panel.csv", s, now)
		})
		if err != nil || used > 4<<20 {
			t.Errorf("error = %v, %d bytes allocated", err, used)
		}
	})
}

// bombOf packs head and n times block.
func bombOf(head, block string, n int) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	io.WriteString(w, head)
	for range n {
		io.WriteString(w, block)
	}
	w.Close()
	return b.Bytes()
}

func TestBomb(t *testing.T) {
	s := spec()
	s.Drop = []ingest.Filter{{Column: "unit", Value: "a"}}
	s.Limits.Unpacked = 5 << 20
	bomb := bombOf("unit,time,first,y\nb,1,,1\n", strings.Repeat("a,1,,1\n", 10_000), 150)
	var err error
	used := allocated(func() {
		_, _, err = ingest.ImportPanel(context.Background(), discard{}, bytes.NewReader(bomb), "panel.csv.gz", s, now)
	})
	if err == nil || !strings.Contains(err.Error(), "the gzip file unpacks to too much: more than 5242880 bytes; split it, or raise the limit") {
		t.Errorf("error = %v", err)
	}
	if used > 4<<20 {
		t.Errorf("%d bytes allocated", used)
	}
	t.Run("exactly-at-the-limit", func(t *testing.T) {
		text := "unit,time,first,y\nb,1,,1\n"
		s.Limits.Unpacked = int64(len(text))
		if _, _, err := importPanel(t, s, zip(text)); err != nil {
			t.Error(err)
		}
	})
	t.Run("one-line", func(t *testing.T) {
		_, _, err := importPanel(t, spec(), string(bombOf("", strings.Repeat("x", 1<<20), 100)))
		if err == nil || !strings.Contains(err.Error(), "starts a record longer than 1048576 bytes") {
			t.Errorf("error = %v", err)
		}
	})
}

// TestDamagedGzip cuts a file at every length and flips every byte: none of it
// may import a part.
func TestDamagedGzip(t *testing.T) {
	whole := zip("unit,time,first,y\na,1,2,3\nb,1,0,4\nb,2,0,5\n")
	t.Run("cut", func(t *testing.T) {
		for n := 2; n < len(whole); n++ {
			_, _, err := importPanel(t, spec(), whole[:n])
			if err == nil || !strings.Contains(err.Error(), "panel.csv") {
				t.Fatalf("cut after %d of %d bytes: error = %v", n, len(whole), err)
			}
		}
		_, _, err := importPanel(t, spec(), whole[:len(whole)-4])
		if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "read dir/panel.csv after line 4: the gzip file is cut off: copy or download it again") {
			t.Errorf("error = %v", err)
		}
	})
	t.Run("flipped", func(t *testing.T) {
		for i := 10; i < len(whole); i++ {
			bad := []byte(whole)
			bad[i] ^= 0x55
			if _, _, err := importPanel(t, spec(), string(bad)); err == nil {
				t.Errorf("byte %d flipped: no error", i)
			}
		}
	})
	t.Run("garbage-behind", func(t *testing.T) {
		if _, _, err := importPanel(t, spec(), whole+"garbage"); err == nil {
			t.Error("no error")
		}
	})
	for name, tail := range map[string]string{"a-line-break-behind": "\n", "zeros-behind": strings.Repeat("\x00", 512), "text-behind": "a,4,2,3\n"} {
		t.Run(name, func(t *testing.T) {
			_, _, err := importPanel(t, spec(), whole+tail)
			if err == nil || !strings.Contains(err.Error(), "the gzip file is whole, and bytes that are not gzip follow it: remove what was appended") {
				t.Errorf("error = %v", err)
			}
		})
	}
}

// TestEmptyLines holds that a file cannot cost minutes by holding nothing.
func TestEmptyLines(t *testing.T) {
	in := &endless{head: "unit,time,first,y\n", fill: strings.Repeat("\r\n", 2048), size: two}
	_, _, err := ingest.ImportPanel(context.Background(), newMemory(), in, "panel.csv", spec(), now)
	if err == nil || !strings.Contains(err.Error(), "panel.csv:1000002: the file has more than 1000000 empty lines; delete them") || in.read > 3<<20 {
		t.Errorf("error = %v after %d bytes", err, in.read)
	}
}

func TestCancelled(t *testing.T) {
	t.Run("before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		store := newMemory()
		_, _, err := ingest.ImportPanel(ctx, store, strings.NewReader("unit,time,first,y\na,1,2,3\n"), "panel.csv", spec(), now)
		if !errors.Is(err, context.Canceled) || !store.empty() {
			t.Errorf("error = %v", err)
		}
	})
	t.Run("while-reading", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(context.Background())
		gone := errors.New("the server stops")
		in := &endless{head: "number,repository,opened\n1,o/r,2024-05-01\n", fill: strings.Repeat("\n", 4096), size: two}
		limits := ingest.Limits{Empty: two}
		stop := &after{in, 1 << 20, func() { cancel(gone) }}
		store := newMemory()
		_, err := ingest.ImportPullRequests(ctx, store, stop, "prs.csv", ingest.PullRequestSpec{Limits: limits}, now)
		if !errors.Is(err, gone) || !store.empty() || in.read > 2<<20 {
			t.Errorf("error = %v after %d bytes", err, in.read)
		}
	})
}

// after calls do once n bytes were read.
type after struct {
	*endless
	n  int64
	do func()
}

func (a *after) Read(p []byte) (int, error) {
	n, err := a.endless.Read(p)
	if a.read > a.n && a.do != nil {
		a.do()
		a.do = nil
	}
	return n, err
}

func TestReaderFails(t *testing.T) {
	broken := errors.New("connection reset")
	in := io.MultiReader(strings.NewReader("unit,time,first,y\na,1,2,3\n"), failing{broken})
	store := newMemory()
	_, _, err := ingest.ImportPanel(context.Background(), store, in, "panel.csv", spec(), now)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "read panel.csv after line 2") || !store.empty() {
		t.Errorf("error = %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
