package mcp

import (
	"context"
	"errors"
	"io"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessageBytes bounds one message of a client, on both transports. The
// largest sensible one is under a kilobyte.
const maxMessageBytes = 1 << 20

// maxHTTPRequests bounds the requests that are answered at once over HTTP;
// further ones are told to come back.
const maxHTTPRequests = 64

// HTTP answers streamable HTTP without sessions, so that any instance answers
// any request, for clients of every revision of the protocol. Whoever mounts
// it must check Host and Origin.
func (s *Server) HTTP() http.Handler {
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		Stateless:                    true,
		PropagateRequestCancellation: true,
		MaxRequestBodyBytes:          maxMessageBytes,
		Logger:                       s.o.Logger,
		// The mounting server has an allow-list of hosts; the SDK's own check
		// would also refuse a reverse proxy on this machine.
		DisableLocalhostProtection: true,
	})
	running := make(chan struct{}, maxHTTPRequests)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case running <- struct{}{}:
			defer func() { <-running }()
			if readMessage(w, r) {
				h.ServeHTTP(&ownWords{ResponseWriter: w}, r)
			}
		default:
			w.Header().Set("Retry-After", "1")
			http.Error(w, "Too many requests at once; try again in a second.", http.StatusServiceUnavailable)
		}
	})
}

// Stdio serves one client over in and out until in ends and what it asked is
// answered, or until ctx is done; both are a good end and return nil. Nothing but the protocol is written to out.
func (s *Server) Stdio(ctx context.Context, in io.Reader, out io.Writer) error {
	d := newDrain(in, out, ctx.Done(), s.o.CallTimeout)
	err := s.sdk.Run(ctx, &sdk.IOTransport{
		Reader:        io.NopCloser(d),
		Writer:        d,
		MaxLineLength: -1, // drain bounds the lines
	})
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
