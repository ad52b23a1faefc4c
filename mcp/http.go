package mcp

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"time"

	sdkauth "github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/mcp/auth"
)

// maxHTTPRequests bounds the requests that are answered at once over HTTP;
// further ones wait for maxHTTPWait and are then told to come back.
const (
	maxHTTPRequests = 64
	maxHTTPWait     = time.Second
)

// HTTP answers streamable HTTP without sessions, so that any instance answers
// any request, for clients of every revision of the protocol. Whoever mounts
// it must check Host and Origin. With [Options.Authorization] every request
// needs a token that is valid here and allows what it asks for.
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
	d := &door{s: s, next: known(h), refusals: newLimiter(10, 50, s.o.Clock)}
	if s.o.CallsPerMinute > 0 {
		perMinute := float64(s.o.CallsPerMinute)
		d.calls = newLimiter(perMinute/60, max(10, perMinute/10), s.o.Clock)
	}
	running := make(chan struct{}, maxHTTPRequests)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !enter(r.Context(), running) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "Too many requests at once; try again in a second.", http.StatusServiceUnavailable)
			return
		}
		defer func() { <-running }()
		d.serve(w, r)
	})
}

// enter waits for a place among those that are answered, for maxHTTPWait at most
// and for no client that has gone.
func enter(ctx context.Context, running chan<- struct{}) bool {
	select {
	case running <- struct{}{}: // nearly always there is one
		return true
	default:
	}
	late := time.NewTimer(maxHTTPWait)
	defer late.Stop()
	select {
	case running <- struct{}{}:
		return true
	case <-late.C:
	case <-ctx.Done():
	}
	return false
}

// door lets requests in: those of whom the token allows them, one message
// each, and not too many of one identity.
type door struct {
	s        *Server
	next     http.Handler
	calls    *limiter // by identity; nil lets any number in
	refusals *limiter // bounds the log's lines about refusals
}

func (d *door) serve(w http.ResponseWriter, r *http.Request) {
	var who *auth.Identity
	if a := d.s.o.Authorization; a != nil {
		i, refusal := a.Identify(r)
		if refusal != nil {
			d.refuse(w, r, nil, refusal)
			return
		}
		who = i
	}
	body, messages, ok := readMessage(w, r)
	if !ok {
		return
	}
	if who != nil {
		if needed := d.s.scopesOf(messages); len(who.Lacks(needed)) > 0 {
			d.refuse(w, r, who, auth.Insufficient(who, needed))
			return
		}
	}
	if wait, ok := d.admit(who, len(messages)); !ok {
		d.note(r, who, "rate_limit", nil)
		tooMany(w, body, wait)
		return
	}
	d.next.ServeHTTP(&ownWords{ResponseWriter: w}, r.WithContext(context.WithValue(r.Context(), identityKey{}, who)))
}

// admit takes n messages out of an identity's allowance.
func (d *door) admit(who *auth.Identity, n int) (wait time.Duration, ok bool) {
	if d.calls == nil {
		return 0, true
	}
	return d.calls.take(nameOf(who), float64(max(n, 1)))
}

// tooMany answers what goes beyond the allowance, under the message's own id.
func tooMany(w http.ResponseWriter, body []byte, wait time.Duration) {
	seconds := int(wait/time.Second) + 1
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	answerRefusal(w, http.StatusTooManyRequests, body, codeTooMany, "too many calls; wait "+strconv.Itoa(seconds)+" s, then go on more slowly")
}

// codeTooMany is in the range that JSON-RPC leaves to servers.
const codeTooMany = -32029

// refuse answers a request that is not let in, and notes it.
func (d *door) refuse(w http.ResponseWriter, r *http.Request, who *auth.Identity, refusal *auth.Refusal) {
	why := refusal.Code
	switch {
	case refusal.Status == http.StatusServiceUnavailable:
		why = "unavailable"
	case why == "":
		why = "no_token"
	}
	d.note(r, who, why, refusal.Cause)
	d.s.o.Authorization.Refuse(w, refusal)
}

// note writes the audit line of a request that was not let in. A flood of them
// must not fill the disk: those beyond ten a second are written for who looks
// closely alone.
func (d *door) note(r *http.Request, who *auth.Identity, why string, err error) {
	if _, ok := d.refusals.take("", 1); !ok {
		d.s.o.Logger.DebugContext(r.Context(), "request refused", "why", why)
		return
	}
	host, _, splitErr := net.SplitHostPort(r.RemoteAddr)
	if splitErr != nil {
		host = r.RemoteAddr
	}
	name := nameOf(who)
	if who == nil && d.s.o.Authorization != nil {
		name = "unknown"
	}
	attrs := []any{"why", why, "who", line(name, 128), "from", host}
	if via := r.Header.Get("X-Forwarded-For"); via != "" {
		attrs = append(attrs, "forwarded_for", line(via, 64))
	}
	if err != nil {
		attrs = append(attrs, "detail", line(err.Error(), 300))
	}
	d.s.o.Logger.WarnContext(r.Context(), "request refused", attrs...)
}

type identityKey struct{}

// known hands the identity that the door found to the SDK, which passes it on
// to whatever handles the request.
func known(next http.Handler) http.Handler {
	verified := func(ctx context.Context, _ string, _ *http.Request) (*sdkauth.TokenInfo, error) {
		i, ok := ctx.Value(identityKey{}).(*auth.Identity)
		if !ok || i == nil {
			return nil, sdkauth.ErrInvalidToken
		}
		return &sdkauth.TokenInfo{
			UserID: i.Key(), Scopes: i.Scopes, Expiration: i.Expires,
			Extra: map[string]any{identityField: i},
		}, nil
	}
	// The door judged the token, its end included, by its own clock.
	protected := sdkauth.RequireBearerToken(verified, &sdkauth.RequireBearerTokenOptions{ClockSkew: 100 * 365 * 24 * time.Hour})(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if i, _ := r.Context().Value(identityKey{}).(*auth.Identity); i != nil {
			protected.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

const identityField = "steelyard"

// identityOf is who sent a request; nil over stdio, and over HTTP without
// authorization.
func identityOf(req sdk.Request) *auth.Identity {
	extra := req.GetExtra()
	if extra == nil || extra.TokenInfo == nil {
		return nil
	}
	i, _ := extra.TokenInfo.Extra[identityField].(*auth.Identity)
	return i
}

// nameOf names an identity in the audit log, and where one stands for all.
func nameOf(i *auth.Identity) string {
	if i == nil {
		return "local"
	}
	return i.Key()
}

// requestsOf are the requests of a body, which [readMessage] found to be well
// formed.
func requestsOf(messages []jsonrpc.Message) []*jsonrpc.Request {
	var all []*jsonrpc.Request
	for _, m := range messages {
		if r, ok := m.(*jsonrpc.Request); ok {
			all = append(all, r)
		}
	}
	return all
}
