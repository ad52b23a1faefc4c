package signin_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"steelyard/web"
	"steelyard/web/signin"
)

// memory is a [signin.Store] in memory.
type memory struct {
	mu  sync.Mutex
	all map[[sha256.Size]byte]signin.Session
	err error
}

func (m *memory) Add(_ context.Context, id [sha256.Size]byte, s signin.Session, _ time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all[id] = s
	return m.err
}

func (m *memory) Session(_ context.Context, id [sha256.Size]byte) (signin.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.all[id]
	switch {
	case m.err != nil:
		return s, m.err
	case !ok:
		return s, signin.ErrNoSession
	}
	return s, nil
}

func (m *memory) Seen(_ context.Context, id [sha256.Size]byte, at time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.all[id]
	s.Seen = at
	m.all[id] = s
	return m.err
}

func (m *memory) Remove(_ context.Context, id [sha256.Size]byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.all, id)
	return m.err
}

func (m *memory) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.all)
}

// provider speaks just enough OpenID Connect, and can be told to lie.
type provider struct {
	*httptest.Server
	key *ecdsa.PrivateKey

	mu       sync.Mutex
	down     bool
	claims   map[string]any // changes to the ID token; nil values leave out
	alg      string
	userinfo map[string]any
	nonces   map[string]string // by code
	verifier map[string]string // the challenge by code
	now      func() time.Time
}

const (
	clientID     = "steelyard"
	clientSecret = "only-in-this-test-and-long-enough"
)

func newProvider(t *testing.T, now func() time.Time) *provider {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &provider{key: key, nonces: map[string]string{}, verifier: map[string]string{}, now: now, userinfo: map[string]any{
		"sub": "17", "name": "Person 17", "groups": []string{"engineering"},
	}}
	p.Server = httptest.NewServer(http.HandlerFunc(p.answer))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) answer(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down {
		http.Error(w, "down", http.StatusBadGateway)
		return
	}
	var answer any
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		answer = map[string]any{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/auth", "token_endpoint": p.URL + "/token",
			"jwks_uri": p.URL + "/keys", "userinfo_endpoint": p.URL + "/me", "id_token_signing_alg_values_supported": []string{"ES256"},
		}
	case "/keys":
		answer = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: "one", Algorithm: "ES256", Use: "sig"}}}
	case "/token":
		code := r.FormValue("code")
		sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
		if base64.RawURLEncoding.EncodeToString(sum[:]) != p.verifier[code] || p.verifier[code] == "" {
			w.WriteHeader(http.StatusBadRequest)
			answer = map[string]string{"error": "invalid_grant", "error_description": "secret detail"}
			break
		}
		answer = map[string]any{"access_token": "an-access-token", "token_type": "Bearer", "id_token": p.idToken(p.nonces[code])}
		delete(p.verifier, code)
	case "/me":
		answer = p.userinfo
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

func (p *provider) idToken(nonce string) string {
	claims := map[string]any{
		"iss": p.URL, "aud": clientID, "sub": "17", "nonce": nonce,
		"iat": p.now().Unix(), "exp": p.now().Add(time.Minute).Unix(),
	}
	maps.Copy(claims, p.claims)
	maps.DeleteFunc(claims, func(_ string, v any) bool { return v == nil })
	text, _ := json.Marshal(claims)
	if p.alg == "none" {
		head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`))
		return head + "." + base64.RawURLEncoding.EncodeToString(text) + "."
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: p.key, KeyID: "one"}}, nil)
	if err != nil {
		panic(err)
	}
	signed, err := signer.Sign(text)
	if err != nil {
		panic(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		panic(err)
	}
	return token
}

// agree is what the provider does when somebody agrees: it remembers the
// question and gives a code.
func (p *provider) agree(t *testing.T, address string) url.Values {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	p.mu.Lock()
	defer p.mu.Unlock()
	code := fmt.Sprintf("code-%d", len(p.nonces))
	p.nonces[code], p.verifier[code] = q.Get("nonce"), q.Get("code_challenge")
	if q.Get("code_challenge_method") != "S256" || q.Get("response_type") != "code" || q.Get("client_id") != clientID {
		t.Errorf("the provider was asked %v", q)
	}
	return url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {p.URL}}
}

func (p *provider) set(change func(*provider)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// lab is a gate before a page that says who looks at it.
type lab struct {
	provider *provider
	store    *memory
	server   *httptest.Server
	log      *bytes.Buffer

	mu sync.Mutex
	at time.Time
}

func (l *lab) now() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.at
}

func (l *lab) move(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = l.at.Add(d)
}

// lines is a log that several requests write to.
type lines struct {
	mu sync.Mutex
	b  *bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func newLab(t *testing.T, more ...signin.Provider) *lab {
	t.Helper()
	l := &lab{store: &memory{all: map[[sha256.Size]byte]signin.Session{}}, log: &bytes.Buffer{}, at: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
	l.provider = newProvider(t, l.now)
	var gate http.Handler
	l.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { gate.ServeHTTP(w, r) }))
	t.Cleanup(l.server.Close)
	logger := slog.New(slog.NewTextHandler(&lines{b: l.log}, nil))
	page, err := web.SignInPages("test", logger)
	if err != nil {
		t.Fatal(err)
	}
	g, err := signin.New(signin.Options{
		URL: l.server.URL, Secret: clientSecret, Sessions: l.store, Clock: l.now, Logger: logger, Page: page,
		Roles: signin.Roles{Viewers: []string{"engineering", "acme"}, Admins: []string{"leads", "acme/platform"}},
		Open:  []string{web.StaticPath, web.WebhookPath},
		Providers: append([]signin.Provider{signin.NewOIDC(signin.OIDCOptions{
			Issuer: l.provider.URL, ClientID: clientID, ClientSecret: clientSecret, Clock: l.now,
		})}, more...),
	})
	if err != nil {
		t.Fatal(err)
	}
	gate = g.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := signin.Visitor(r)
		_, _ = fmt.Fprintf(w, "secret page %s|%s|%v|%s", r.URL.Path, v.Name, v.MayChange, v.FormToken)
	}))
	return l
}

// browser keeps cookies and follows nothing.
type browser struct {
	t      *testing.T
	client *http.Client
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// answer is what a browser got.
type answer struct {
	status   int
	location string
	header   http.Header
	body     string
}

func (b *browser) do(q *http.Request) answer {
	b.t.Helper()
	res, err := b.client.Do(q)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header.Get("Location"), res.Header, string(text)}
}

func (b *browser) get(address string) answer {
	b.t.Helper()
	q, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.do(q)
}

func (b *browser) post(address string, form url.Values) answer {
	b.t.Helper()
	q, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, address, bytes.NewBufferString(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return b.do(q)
}

// begin goes as far as the provider and returns its address.
func (l *lab) begin(b *browser, to string) string {
	b.t.Helper()
	a := b.get(l.server.URL + "/sign-in/oidc?" + url.Values{"to": {to}}.Encode())
	if a.status != http.StatusSeeOther {
		b.t.Fatalf("begin: %d %s", a.status, a.body)
	}
	return a.location
}

// callback comes back from the provider.
func (l *lab) callback(b *browser, q url.Values) answer {
	b.t.Helper()
	return b.get(l.server.URL + "/sign-in/oidc/callback?" + q.Encode())
}

// signIn goes all the way.
func (l *lab) signIn(b *browser, to string) answer {
	b.t.Helper()
	return l.callback(b, l.provider.agree(b.t, l.begin(b, to)))
}
