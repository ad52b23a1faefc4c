package mcp

import (
	"context"
	"errors"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessageBytes bounds one message of a client, on both transports. The
// largest sensible one is under a kilobyte.
const maxMessageBytes = 1 << 20

// Stdio serves one client over in and out until in ends and what it asked is
// answered, or until ctx is done; both are a good end and return nil. Nothing
// but the protocol is written to out.
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
