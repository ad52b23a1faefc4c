package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// Bodies up to smallBody are read as they come, and every sensible message is
// one. Larger ones are few at a time: otherwise many connections with a large
// body each would take the memory, before anybody asked who they are.
const (
	smallBody      = 64 << 10
	maxLargeBodies = 16
)

// errBusy is returned for one large body too many.
var errBusy = errors.New("too many large bodies at once")

// readBody reads a body within its bounds. Its memory is given back by free.
func readBody(body io.Reader, large chan struct{}) (all []byte, free func(), err error) {
	free = func() {}
	all, err = io.ReadAll(io.LimitReader(body, smallBody))
	if err != nil || len(all) < smallBody {
		return all, free, err
	}
	select {
	case large <- struct{}{}:
		free = func() { <-large }
	default:
		return nil, free, errBusy
	}
	rest, err := io.ReadAll(body)
	return append(all, rest...), free, err
}

// stream serves requests whose answer may be a long stream: the body is read
// at once, within its own bounds, so that no read deadline can fall into the
// answer; the deadline for writing starts anew with each write. The request
// also ends when ended does.
func stream(ended context.Context, next http.Handler) http.Handler {
	large := make(chan struct{}, maxLargeBodies)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rc := http.NewResponseController(w)
		_ = rc.SetReadDeadline(time.Now().Add(bodyTimeout)) // fails only in tests
		body, free, err := readBody(http.MaxBytesReader(w, r.Body, maxBodyBytes), large)
		defer free()
		if errors.Is(err, errBusy) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "Too many large requests at once; try again in a second.", http.StatusServiceUnavailable)
			return
		}
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			http.Error(w, "The request body is larger than 1 MiB.", http.StatusRequestEntityTooLarge)
			return
		}
		if err != nil {
			http.Error(w, "The request body could not be read in time.", http.StatusBadRequest)
			return
		}
		_ = rc.SetReadDeadline(time.Time{})

		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(ended, cancel)()
		r = r.WithContext(ctx)
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(&rollingWriter{w, rc}, r)
	})
}

// rollingWriter moves the write deadline before each write, so that a stream
// may last while a client that stops reading is still let go.
type rollingWriter struct {
	http.ResponseWriter
	rc *http.ResponseController
}

func (w *rollingWriter) Write(p []byte) (int, error) {
	w.extend()
	return w.ResponseWriter.Write(p)
}

// FlushError implements the interface that [http.ResponseController] looks for.
func (w *rollingWriter) FlushError() error {
	w.extend()
	return w.rc.Flush()
}

// Flush implements [http.Flusher] for handlers that ask for no more.
func (w *rollingWriter) Flush() { _ = w.FlushError() }

// Unwrap lets [http.ResponseController] reach the connection.
func (w *rollingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *rollingWriter) extend() {
	_ = w.rc.SetWriteDeadline(time.Now().Add(writeTimeout)) // fails only in tests
}
