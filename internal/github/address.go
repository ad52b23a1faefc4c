package github

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// addresses gives the addresses of REST (with its trailing slash) and GraphQL
// for a base URL. A GitHub Enterprise Server has them below /api, GitHub's own
// hosts (api.github.com, api.TENANT.ghe.com) at the root.
func addresses(base string) (rest, graphql *url.URL, err error) {
	if base == "" {
		base = "https://api.github.com"
	}
	u, err := url.Parse(base)
	if err != nil {
		return nil, nil, fmt.Errorf("read GitHub's base URL: it is not an address; write https://HOST")
	}
	switch {
	case u.Host == "" || u.Opaque != "":
		return nil, nil, fmt.Errorf("read GitHub's base URL %q: it names no host; write https://HOST", u.Redacted())
	case u.User != nil:
		return nil, nil, fmt.Errorf("read GitHub's base URL %q: it must hold no name or password; give the token by itself", u.Redacted())
	case u.RawQuery != "" || u.Fragment != "":
		return nil, nil, fmt.Errorf("read GitHub's base URL %q: write https://HOST without anything behind it", u.Redacted())
	case u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())):
		return nil, nil, fmt.Errorf("read GitHub's base URL %q: credentials are sent by https only; write https://%s", u.Redacted(), u.Host)
	}
	path := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/v3"), "/api")
	root := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: path + "/"}
	if strings.HasPrefix(u.Hostname(), "api.") {
		return root, root.JoinPath("graphql"), nil
	}
	return root.JoinPath("api", "v3/"), root.JoinPath("api", "graphql"), nil
}

// isLoopback reports whether host is this machine by a literal address or as
// localhost.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
