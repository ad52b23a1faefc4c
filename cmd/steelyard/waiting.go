package main

import (
	"context"
	"io"
	"os"
)

// A read of a terminal, a pipe or a FIFO waits for as long as nobody writes,
// and so does the opening of a FIFO. Neither listens to a context. They wait in
// a goroutine of their own, which a command that is told to end leaves behind:
// the process ends with it.

// waitingReader ends a read that waits once done is closed, with
// [context.Canceled].
type waitingReader struct {
	r    io.Reader
	done <-chan struct{}

	buffer []byte // the goroutine's, until it has answered
	left   bool   // a read was left behind: nothing more is read
}

type readAnswer struct {
	n   int
	err error
}

// Read reads at most 64 KiB.
func (w *waitingReader) Read(b []byte) (int, error) {
	if w.left {
		return 0, context.Canceled
	}
	if w.buffer == nil {
		w.buffer = make([]byte, 64<<10)
	}
	into := w.buffer[:min(len(b), len(w.buffer))]
	answer := make(chan readAnswer, 1)
	go func() {
		n, err := w.r.Read(into)
		answer <- readAnswer{n, err}
	}()
	select {
	case a := <-answer:
		return copy(b, into[:a.n]), a.err
	case <-w.done:
		w.left = true
		return 0, context.Canceled
	}
}

// interruptible is r, so that a read of it that waits ends once done is closed.
// A regular file never waits.
func interruptible(r io.Reader, done <-chan struct{}) io.Reader {
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return r
		}
	}
	return &waitingReader{r: r, done: done}
}

// openWaiting opens a file; a FIFO that nobody opens at its other end is given
// up once done is closed.
func openWaiting(path string, done <-chan struct{}) (*os.File, error) {
	type opened struct {
		f   *os.File
		err error
	}
	answer := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		answer <- opened{f, err}
	}()
	select {
	case o := <-answer:
		return o.f, o.err
	case <-done:
		return nil, context.Canceled
	}
}
