package main

import (
	"context"
	"errors"
	"fmt"
	"net"

	"steelyard/internal/config"
	"steelyard/internal/server"
	"steelyard/mcp"
	"steelyard/mcp/auth"
)

// access is who reaches what is served.
type access struct {
	// public is the address that others use; empty means that nobody does.
	public string
	// dashboard says whether there are pages beside /mcp.
	dashboard bool
	// authorization says who may call /mcp; nil lets everybody.
	authorization *auth.Resource
	// perMinute bounds the calls of one identity; 0 sets no bound.
	perMinute int
}

// thisMachine lets everybody on this machine see everything.
func thisMachine() access { return access{dashboard: true} }

// checkAccess says what is missing before what the settings describe may be
// served: nothing that others reach may let in who happens to come by.
func checkAccess(s *config.Config) error {
	onlyHere := server.Loopback(s.Serve.Addr)
	if onlyHere == nil && !s.Serve.Reached() {
		return nil
	}
	f := &failure{}
	switch {
	case onlyHere != nil && !s.Serve.Reached():
		f.err = fmt.Errorf("serve on %q: others reach this address, and serve.public_url does not say by which name", s.Serve.Addr)
		f.hints = append(f.hints, "serve.public_url is the https address that others use; what stands before the server brings the certificate",
			"or serve this machine alone: --addr 127.0.0.1:PORT")
	case !s.Serve.MCP.Authorized():
		f.err = errors.New("serve beyond this machine: everybody could call /mcp")
		f.hints = append(f.hints, "serve.mcp.issuer names an identity provider whose tokens let people in",
			"serve.mcp.tokens_file names a file of service tokens; \"steelyard token\" makes one")
	case s.Serve.Dashboard && !s.Serve.SignIn.Configured():
		f.err = errors.New("serve beyond this machine: everybody could see the dashboard")
		f.hints = append(f.hints, "serve.sign_in names an identity provider and the groups that have a role",
			"serve.dashboard: false serves /mcp alone")
	default:
		return nil
	}
	f.hints = append(f.hints, fmt.Sprintf("the address comes from: %s", s.Origin(config.KeyServeAddr)))
	if s.Serve.PublicURL != "" {
		f.hints = append(f.hints, fmt.Sprintf("the public address comes from: %s", s.Origin(config.KeyPublicURL)))
	}
	return f
}

// accessOf is what [checkAccess] found fit to be served on ln.
func (p *program) accessOf(s *config.Config, ln net.Listener) (access, error) {
	a := access{public: s.Serve.PublicURL, dashboard: s.Serve.Dashboard, perMinute: s.Serve.MCP.CallsPerMinute}
	if !s.Serve.MCP.Authorized() {
		return a, nil
	}
	var err error
	a.authorization, err = auth.New(auth.Options{
		URL:    a.url(ln) + "/mcp",
		Issuer: s.Serve.MCP.Issuer, Audience: s.Serve.MCP.Audience, TokensFile: s.Serve.MCP.TokensFile,
		Scopes: mcp.Scopes(), Clock: p.now,
	})
	if err != nil {
		return a, withHint(err, "serve.mcp.tokens_file comes from: %s", s.Origin(config.KeyMCPTokensFile))
	}
	return a, nil
}

// url is how the server is reached.
func (a access) url(ln net.Listener) string {
	if a.public != "" {
		return a.public
	}
	return server.URL(ln)
}

// listenFor binds the address of settings that passed [checkAccess].
func listenFor(ctx context.Context, s *config.Config) (net.Listener, error) {
	return listenBy(s, func(addr string) (net.Listener, error) { return server.ListenAnywhere(ctx, addr) })
}
