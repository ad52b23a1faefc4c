package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// The bounds of every server. A stream on /mcp may live longer than
// writeTimeout; there it bounds each single write.
const (
	maxHeaderBytes = 32 << 10
	maxBodyBytes   = 1 << 20
	headerTimeout  = 10 * time.Second
	bodyTimeout    = 15 * time.Second
	writeTimeout   = 60 * time.Second
	idleTimeout    = 2 * time.Minute
)

// Grace is how long a shutdown waits for what has begun.
const Grace = 20 * time.Second

// Options are what [Serve] serves.
type Options struct {
	// Web answers everything but /mcp and /healthz.
	Web http.Handler
	// MCP answers /mcp; nil leaves the endpoint out.
	MCP http.Handler
	// Resource answers where clients of /mcp look for who hands out tokens
	// (RFC 9728); nil leaves that to Web.
	Resource http.Handler
	// PublicURL is how other machines reach the server, "https://host"; empty
	// means that they do not.
	PublicURL string
	// Logger gets panics, warnings, and each request at debug; nil discards.
	Logger *slog.Logger
	// Grace is how long a shutdown waits for requests in flight; 0 means
	// [Grace]. Streams on /mcp are told to end after three quarters of it.
	Grace time.Duration
}

// Serve serves on ln until ctx is done; then it takes no
// new requests, finishes the ones in flight and returns nil. It closes ln. An
// error says what could not be served or which requests had to be cut.
func Serve(ctx context.Context, ln net.Listener, o Options) error {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Grace == 0 {
		o.Grace = Grace
	}
	// Requests outlive ctx: they end by themselves or are cut by us.
	requests, cutRequests := context.WithCancel(context.WithoutCancel(ctx))
	defer cutRequests()
	streams, cutStreams := context.WithCancel(context.WithoutCancel(ctx))
	defer cutStreams()

	srv := &http.Server{
		Handler:           handler(streams, namesOf(ln, o.PublicURL), o),
		ReadHeaderTimeout: headerTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(o.Logger.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return requests },
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}

	end, stop := context.WithTimeout(context.WithoutCancel(ctx), o.Grace)
	defer stop()
	defer time.AfterFunc(o.Grace*3/4, cutStreams).Stop()
	if err := srv.Shutdown(end); err != nil {
		cutRequests()
		closeErr := srv.Close()
		return errors.Join(fmt.Errorf("shut down %s: requests were still running after %v and were cut: %w", ln.Addr(), o.Grace, err), closeErr)
	}
	return nil
}

// resourcePath is where metadata of a protected resource stands, alone and
// before the resource's own path.
const resourcePath = "/.well-known/oauth-protected-resource"

// handler is everything between a connection and the handlers of o.
func handler(streams context.Context, names Names, o Options) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", healthz)
	if o.MCP != nil {
		mux.Handle("/mcp", stream(streams, o.MCP))
	}
	if o.Resource != nil {
		resource := bounded(o.Resource)
		mux.Handle(resourcePath, resource)
		mux.Handle(resourcePath+"/mcp", resource)
	}
	if o.Web != nil {
		mux.Handle("/", bounded(o.Web))
	}
	return observe(o.Logger, Guard(names, mux))
}

// healthz answers that the process lives.
func healthz(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, "ok\n") // the client may be gone
}

// bounded limits the body of a short request, in size and time.
func bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBodyBytes)
		if r.ContentLength != 0 {
			// A connection that cannot take a deadline is one of a test.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
		}
		next.ServeHTTP(w, r)
	})
}
