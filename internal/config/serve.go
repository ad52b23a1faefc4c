package config

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// The dotted paths of the settings that say who reaches the server.
const (
	KeyPublicURL      = "serve.public_url"
	KeyServeDashboard = "serve.dashboard"
	KeyMCPIssuer      = "serve.mcp.issuer"
	KeyMCPTokensFile  = "serve.mcp.tokens_file"
)

// ServeMCP is who may call /mcp.
type ServeMCP struct {
	// Issuer is the identity provider whose access tokens are taken; empty
	// means none.
	Issuer string
	// Audience is what they must be made out to; empty means the address of
	// /mcp.
	Audience string
	// TokensFile holds the hashes of service tokens; empty means none.
	TokensFile string
	// CallsPerMinute bounds what one identity may ask; 0 sets no bound.
	CallsPerMinute int
}

// Authorized reports whether calls of /mcp need a token.
func (s ServeMCP) Authorized() bool { return s.Issuer != "" || s.TokensFile != "" }

// Reached reports whether others than this machine are meant to reach the
// server by its public address.
func (s Serve) Reached() bool {
	u, err := url.Parse(s.PublicURL)
	return s.PublicURL != "" && err == nil && !loopbackHost(u.Hostname())
}

func publicKeys() []key {
	return []key{
		{
			name:    "public_url",
			doc:     "The address that others reach the server by: https, the host, and nothing behind it. What stands before the server brings the certificate. Requests that name another host are refused.",
			env:     "STEELYARD_SERVE_PUBLIC_URL",
			example: "https://steelyard.example.com",
			set:     func(c *Config, v string) { c.Serve.PublicURL = canonical(v) },
			shape:   shape{valid: validPublic, want: "an address such as https://steelyard.example.com"},
		},
		{
			name:     "dashboard",
			doc:      "Whether the dashboard is served beside /mcp.",
			fallback: "true",
			env:      "STEELYARD_SERVE_DASHBOARD",
			set: func(c *Config, v string) {
				c.Serve.Dashboard, _ = strconv.ParseBool(v) // checked before
			},
			shape: shape{kind: truth},
		},
		signInKey(),
		{
			name: "mcp", doc: "Who may call /mcp. Without an issuer and a file of tokens everybody who reaches it may, and nobody beyond this machine does.",
			shape: shape{kind: table, keys: mcpKeys(), instead: map[string]string{
				"token":  "a token does not stand in this file: \"steelyard token\" makes one, and tokens_file names the file with its hash",
				"tokens": "tokens do not stand in this file: \"steelyard token\" makes one, and tokens_file names the file with its hash",
			}},
		},
	}
}

func mcpKeys() []key {
	return []key{
		{
			name:    "issuer",
			doc:     "The issuer identifier of the identity provider whose access tokens are taken, written as its metadata writes it.",
			env:     "STEELYARD_SERVE_MCP_ISSUER",
			example: "https://login.example.com",
			set:     func(c *Config, v string) { c.Serve.MCP.Issuer = v },
			shape:   shape{valid: validIssuer, want: "an https address such as https://login.example.com"},
		},
		{
			name:    "audience",
			doc:     "What an access token must be made out to, where the identity provider has another name for this server than the address of its /mcp.",
			env:     "STEELYARD_SERVE_MCP_AUDIENCE",
			example: "https://steelyard.example.com/mcp",
			set:     func(c *Config, v string) { c.Serve.MCP.Audience = v },
			shape:   shape{pattern: `^(\S{1,500})?$`, want: "a name without spaces"},
		},
		{
			name:    "tokens_file",
			doc:     "A file with the hashes of service tokens, for machines that have no identity provider; \"steelyard token\" prints its lines. A relative path starts at the working directory.",
			env:     "STEELYARD_SERVE_MCP_TOKENS_FILE",
			example: "/etc/steelyard/tokens",
			set:     func(c *Config, v string) { c.Serve.MCP.TokensFile = v },
			shape:   shape{want: "a file"},
		},
		{
			name:     "calls_per_minute",
			doc:      "How many calls one identity may make a minute on average; a tenth of them, at least 10, may come at once. 0 sets no bound.",
			fallback: "600",
			env:      "STEELYARD_SERVE_MCP_CALLS_PER_MINUTE",
			set: func(c *Config, v string) {
				c.Serve.MCP.CallsPerMinute, _ = strconv.Atoi(v) // checked before
			},
			shape: shape{kind: whole, above: -1, upTo: 1_000_000, want: "a whole number, 0 or more"},
		},
	}
}

// serveValues are the settings by their dotted path.
func (c *Config) serveValues(values map[string]any) map[string]any {
	c.signInValues(values)
	values[KeyPublicURL] = c.Serve.PublicURL
	values[KeyServeDashboard] = c.Serve.Dashboard
	values[KeyMCPIssuer] = c.Serve.MCP.Issuer
	values["serve.mcp.audience"] = c.Serve.MCP.Audience
	values[KeyMCPTokensFile] = c.Serve.MCP.TokensFile
	values["serve.mcp.calls_per_minute"] = float64(c.Serve.MCP.CallsPerMinute)
	return values
}

func validPublic(s string) error {
	if s == "" {
		return nil
	}
	u, err := validURL(s)
	switch {
	case err != nil:
		return err
	case u.Path != "" && u.Path != "/":
		return errors.New("a path behind the host is not supported: give the server a host of its own")
	}
	return nil
}

func validIssuer(s string) error {
	if s == "" {
		return nil
	}
	_, err := validURL(s)
	return err
}

// canonical is an address as browsers write it: in lower case, without the
// port that its scheme has anyway and without a final slash.
func canonical(v string) string {
	v = strings.ToLower(strings.TrimSuffix(v, "/"))
	switch u, err := url.Parse(v); {
	case err != nil:
	case u.Scheme == "https":
		v = strings.TrimSuffix(v, ":443")
	case u.Scheme == "http":
		v = strings.TrimSuffix(v, ":80")
	}
	return v
}

// validURL reads an address that trust rests on: https, or on this machine.
func validURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "" || u.Opaque != "":
		return nil, errors.New("it is not an address")
	case u.User != nil || strings.ContainsAny(s, "?#"):
		return nil, errors.New("it has a user, a query or a fragment")
	case u.Scheme == "https" || u.Scheme == "http" && loopbackHost(u.Hostname()):
		return u, nil
	}
	return nil, errors.New("it is not https")
}

// loopbackHost reports whether host names this machine alone.
func loopbackHost(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
