package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// The bounds of a conversation with an identity provider.
const (
	issuerTimeout = 10 * time.Second
	maxAnswer     = 512 << 10 // bytes
	maxKeys       = 100
	maxRedirects  = 3
)

// newClient asks identity providers. It follows few redirects, and none that
// leaves https.
func newClient() *http.Client {
	return &http.Client{
		Timeout: issuerTimeout,
		CheckRedirect: func(q *http.Request, via []*http.Request) error {
			switch {
			case len(via) > maxRedirects:
				return errors.New("too many redirects")
			case via[0].URL.Scheme == "https" && q.URL.Scheme != "https":
				return errors.New("a redirect leaves https")
			}
			return nil
		},
	}
}

// checkKeysAddress says what is wrong with the address of an issuer's keys: it
// must be https, or lie on this machine, where people try things.
func checkKeysAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		return errors.New("it is not an address")
	case u.Scheme == "https":
		return nil
	case u.Scheme == "http" && onThisMachine(u.Hostname()):
		return nil
	}
	return errors.New("it is not https")
}

// onThisMachine reports whether host is localhost or a literal loopback
// address.
func onThisMachine(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// discovery asks an issuer for its keys.
type discovery struct {
	issuer string
	client *http.Client
}

// keys reads the issuer's metadata and the key set that it names.
func (d *discovery) keys(ctx context.Context) ([]jose.JSONWebKey, error) {
	var errs []error
	for _, at := range metadataAddresses(d.issuer) {
		var metadata struct {
			Issuer string `json:"issuer"`
			Keys   string `json:"jwks_uri"`
		}
		switch err := d.get(ctx, at, &metadata); {
		case err != nil:
			errs = append(errs, err)
			if ctx.Err() != nil || isDialError(err) {
				return nil, errors.Join(errs...) // the other address is on the same host
			}
			continue
		case metadata.Issuer != d.issuer:
			errs = append(errs, fmt.Errorf("read %s: it is the metadata of issuer %q; serve.mcp.issuer must be written just so", at, metadata.Issuer))
			continue
		}
		if err := checkKeysAddress(metadata.Keys); err != nil {
			return nil, fmt.Errorf("read %s: jwks_uri %q: %w", at, metadata.Keys, err)
		}
		return d.keySet(ctx, metadata.Keys)
	}
	return nil, errors.Join(errs...)
}

// metadataAddresses are where an issuer's metadata may be: OpenID Connect
// Discovery's place, then RFC 8414's.
func metadataAddresses(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil {
		return nil
	}
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	host := u.Scheme + "://" + u.Host
	return []string{
		host + path + "/.well-known/openid-configuration",
		host + "/.well-known/oauth-authorization-server" + path,
	}
}

// keySet reads a JSON Web Key Set and takes the public keys that may sign.
func (d *discovery) keySet(ctx context.Context, at string) ([]jose.JSONWebKey, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := d.get(ctx, at, &set); err != nil {
		return nil, err
	}
	if len(set.Keys) > maxKeys {
		return nil, fmt.Errorf("read %s: more than %d keys", at, maxKeys)
	}
	var keys []jose.JSONWebKey
	for _, raw := range set.Keys {
		var key jose.JSONWebKey
		// A key of a kind that is not known here is none of ours (RFC 7517,
		// section 5).
		if json.Unmarshal(raw, &key) != nil || !key.Valid() || !key.IsPublic() || key.Use != "" && key.Use != "sig" {
			continue
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// get reads one bounded JSON document.
func (d *discovery) get(ctx context.Context, at string, into any) error {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return fmt.Errorf("ask the identity provider: %w", err)
	}
	q.Header.Set("Accept", "application/json")
	res, err := d.client.Do(q)
	if err != nil {
		return fmt.Errorf("ask the identity provider: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("ask the identity provider: GET %s: %s", at, res.Status)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return fmt.Errorf("ask the identity provider: GET %s: %w", at, err)
	case len(body) > maxAnswer:
		return fmt.Errorf("ask the identity provider: GET %s: the answer is larger than %d KiB", at, maxAnswer>>10)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("ask the identity provider: GET %s: %w", at, err)
	}
	return nil
}

func isDialError(err error) bool {
	op := (*net.OpError)(nil)
	return errors.As(err, &op) && op.Op == "dial"
}
