package server

import (
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"
)

// observe logs each request at debug, without its query, and answers for a
// handler that panics: 500 with a reference under which the log has the rest.
func observe(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec := &recorder{ResponseWriter: w}
		defer func() {
			p := recover()
			if p == http.ErrAbortHandler { //nolint:errorlint // a panic value is compared as net/http does
				panic(p) // net/http's own way to cut a connection
			}
			if p != nil {
				ref := reference()
				log.Error("handler panicked", "ref", ref, "method", r.Method, "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				if rec.status != 0 {
					panic(http.ErrAbortHandler) // half an answer must not pass for a whole one
				}
				http.Error(rec, "Internal error (ref "+ref+"). The log of the server says more under this reference.", http.StatusInternalServerError)
			}
			log.Debug("request", "method", r.Method, "path", r.URL.Path, "status", rec.status, "bytes", rec.bytes, "duration", time.Since(start))
		}()
		next.ServeHTTP(rec, r)
	})
}

// reference names one failure, for people to find it in the log.
func reference() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	status int // 0 until the header is written
	bytes  int
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && status >= 200 { // informational answers are not the answer
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += n
	return n, err
}

// FlushError implements the interface that [http.ResponseController] looks for.
func (w *recorder) FlushError() error {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Flush implements [http.Flusher] for handlers that ask for no more.
func (w *recorder) Flush() { _ = w.FlushError() }

// Unwrap lets [http.ResponseController] reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
