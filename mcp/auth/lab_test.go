package auth_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"steelyard/mcp/auth"
)

// provider is an identity provider that a test can break.
type provider struct {
	*httptest.Server
	mu       sync.Mutex
	keys     []jose.JSONWebKey // public ones
	down     bool
	asked    int               // for keys
	document map[string]any    // nil: the right one
	raw      map[string]string // answers by path, instead of the right ones
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	p := &provider{raw: map[string]string{}}
	p.Server = httptest.NewServer(http.HandlerFunc(p.answer))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) answer(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if text, ok := p.raw[r.URL.Path]; ok {
		_, _ = fmt.Fprint(w, text)
		return
	}
	if p.down {
		http.Error(w, "down", http.StatusBadGateway)
		return
	}
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		document := p.document
		if document == nil {
			document = map[string]any{"issuer": p.URL, "jwks_uri": p.URL + "/keys"}
		}
		_ = json.NewEncoder(w).Encode(document)
	case "/keys":
		p.asked++
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: p.keys})
	default:
		http.NotFound(w, r)
	}
}

// set changes the provider.
func (p *provider) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

// signer is one key of a provider.
type signer struct {
	id  string
	alg jose.SignatureAlgorithm
	key crypto.Signer
}

func newSigner(t *testing.T, id string, alg jose.SignatureAlgorithm) signer {
	t.Helper()
	s := signer{id: id, alg: alg}
	var err error
	if alg == jose.ES256 {
		s.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	} else {
		s.key, err = rsa.GenerateKey(rand.Reader, 2048)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s signer) public() jose.JSONWebKey {
	return jose.JSONWebKey{Key: s.key.Public(), KeyID: s.id, Algorithm: string(s.alg), Use: "sig"}
}

// sign makes a token of a type.
func (s signer) sign(t *testing.T, typ string, claims map[string]any) string {
	t.Helper()
	return sign(t, s.key, s.alg, s.id, typ, claims)
}

func sign(t *testing.T, key any, alg jose.SignatureAlgorithm, id, typ string, claims map[string]any) string {
	t.Helper()
	o := (&jose.SignerOptions{}).WithHeader("kid", id)
	if typ != "" {
		o = o.WithType(jose.ContentType(typ))
	}
	made, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, o)
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := made.Sign(body)
	if err != nil {
		t.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// clock is a time that a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

const resourceURL = "https://steelyard.example.com/mcp"

var scopes = []string{"pilots:read", "findings:read", "dependencies:check"}

// claims are what a good token says at the clock's time, and the changes; nil
// takes a claim away.
func (c *clock) claims(issuer string, changes map[string]any) map[string]any {
	all := map[string]any{
		"iss": issuer, "aud": resourceURL, "sub": "alice", "client_id": "editor", "scope": "pilots:read other",
		"iat": c.now().Unix(), "exp": c.now().Add(10 * time.Minute).Unix(), "jti": "1",
	}
	maps.Copy(all, changes)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	return all
}

// identify sends a token to a resource.
func identify(t *testing.T, r *auth.Resource, token string) (*auth.Identity, *auth.Refusal) {
	t.Helper()
	q := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", nil)
	if token != "" {
		q.Header.Set("Authorization", "Bearer "+token)
	}
	return r.Identify(q)
}
