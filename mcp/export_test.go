package mcp

import (
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// NewFixtures builds a server with everything that stands between a client and
// a tool, and with what register adds in the place of the product's tools.
func NewFixtures(o Options, so *sdk.ServerOptions, register func(*sdk.Server)) *Server {
	s := New(o)
	s.tools = map[string]registered{}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "fixtures", Version: "1"}, so)
	s.sdk.AddReceivingMiddleware(s.gate, s.guard, s.coerce)
	register(s.sdk)
	return s
}

// ScopesFor are the scopes that a server of o wants for a method and what it
// is asked for.
func ScopesFor(o Options, method, name string) []string {
	t := target{Name: name, URI: name}
	return New(o).scopesFor(method, t)
}

// Limiter is a rate limiter whose memory can be looked at.
type Limiter struct{ *limiter }

// NewLimiter makes one.
func NewLimiter(rate, burst float64, now func() time.Time) Limiter {
	return Limiter{newLimiter(rate, burst, now)}
}

// Take takes n of a key.
func (l Limiter) Take(key string, n float64) (time.Duration, bool) { return l.take(key, n) }

// Size is how many keys it remembers.
func (l Limiter) Size() int { return len(l.buckets) }
