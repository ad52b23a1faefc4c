package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// stream serves requests whose answer may be a long stream: the body is read
// at once, within its own bounds, so that no read deadline can fall into the
// answer; the deadline for writing starts anew with each write. The request
// also ends when ended does.
func stream(ended context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rc := http.NewResponseController(w)
		_ = rc.SetReadDeadline(time.Now().Add(bodyTimeout)) // fails only in tests
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
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
