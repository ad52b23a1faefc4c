package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// Bounds of the port. A scrape reads the database.
const (
	headerTimeout = 10 * time.Second
	writeTimeout  = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 16 << 10
	readyTimeout  = 5 * time.Second
	grace         = 5 * time.Second
)

// ErrInUse is what [Listen] wraps where another program has the port.
var ErrInUse = errors.New("the port is in use by another program")

// Listen binds addr ("host:port"); port 0 picks a free one.
func Listen(addr string) (net.Listener, error) {
	ln, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("listen on %s for the admin port: %w", addr, ErrInUse)
	case err != nil:
		return nil, fmt.Errorf("listen on %s for the admin port: %w", addr, err)
	}
	return ln, nil
}

// Options are what the port shows.
type Options struct {
	// Ready reports why the program cannot do its work; nil: it can.
	Ready func(context.Context) error
	// Meters are shown at /metrics.
	Meters *Meters
	// Logger gets failed scrapes and looks; nil discards them.
	Logger *slog.Logger
}

// Serve serves the port on ln until ctx is done. It closes ln.
func Serve(ctx context.Context, ln net.Listener, o Options) error {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	srv := &http.Server{
		Handler:           guard(ln, Handler(ctx, o)),
		ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout,
		WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(o.Logger.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve the admin port %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	end, stop := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer stop()
	if err := srv.Shutdown(end); err != nil {
		return errors.Join(fmt.Errorf("shut down the admin port: %w", err), srv.Close())
	}
	return nil
}

// Handler answers the port's requests. Once ctx is done the program is no
// longer ready.
func Handler(ctx context.Context, o Options) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if ctx.Err() != nil {
			say(w, http.StatusServiceUnavailable, "shutting down")
			return
		}
		look, done := context.WithTimeout(r.Context(), readyTimeout)
		defer done()
		if err := o.Ready(look); err != nil {
			o.Logger.Warn("not ready", "error", err)
			say(w, http.StatusServiceUnavailable, "not ready: "+err.Error())
			return
		}
		say(w, http.StatusOK, "ready")
	})
	mux.Handle("GET /metrics", o.Meters.handler())
	return mux
}

// guard refuses requests to a loopback address that came under another name:
// a foreign page that binds its own name to the address would read the port.
func guard(ln net.Listener, next http.Handler) http.Handler {
	local, err := netip.ParseAddrPort(ln.Addr().String())
	if err != nil || !local.Addr().IsLoopback() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if !strings.EqualFold(host, "localhost") && (err != nil || !ip.IsLoopback()) {
			say(w, http.StatusForbidden, "the Host header does not name this port")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n") // the client may be gone
}
