package auth_test

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"steelyard/mcp/auth"
)

// lab is a resource with its provider.
type lab struct {
	*clock
	provider *provider
	key      signer
	resource *auth.Resource
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{clock: newClock(), provider: newProvider(t), key: newSigner(t, "one", jose.ES256)}
	l.provider.keys = []jose.JSONWebKey{l.key.public()}
	var err error
	l.resource, err = auth.New(auth.Options{URL: resourceURL, Issuer: l.provider.URL, Scopes: scopes, Clock: l.now})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// token is a good access token with changes.
func (l *lab) token(t *testing.T, changes map[string]any) string {
	t.Helper()
	return l.key.sign(t, "at+jwt", l.claims(l.provider.URL, changes))
}

func TestAccessToken(t *testing.T) {
	l := newLab(t)
	for name, changes := range map[string]map[string]any{
		"plain":            nil,
		"several-audience": {"aud": []string{"https://other.example", resourceURL}},
		"scope-list":       {"scope": []string{"pilots:read"}},
		"scp":              {"scope": nil, "scp": []string{"pilots:read"}},
		"scp-words":        {"scope": nil, "scp": "pilots:read"},
		"azp":              {"client_id": nil, "azp": "editor"},
		"within-skew":      {"exp": l.now().Add(-30 * time.Second).Unix(), "nbf": l.now().Add(30 * time.Second).Unix()},
		"fraction":         {"exp": float64(l.now().Add(time.Minute).UnixMilli()) / 1000},
	} {
		who, refusal := identify(t, l.resource, l.token(t, changes))
		if refusal != nil {
			t.Errorf("%s: %v", name, refusal)
			continue
		}
		who.Expires = time.Time{}
		want := &auth.Identity{Issuer: l.provider.URL, Subject: "alice", Client: "editor", Scopes: []string{"pilots:read"}}
		if diff := cmp.Diff(want, who); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

func TestRefusedTokens(t *testing.T) {
	l := newLab(t)
	good := l.claims(l.provider.URL, nil)
	parts := strings.Split(l.token(t, nil), ".")
	encoded := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	with := func(changes map[string]any) string { return l.token(t, changes) }
	stranger := newSigner(t, "one", jose.ES256)
	for name, c := range map[string]struct{ token, why string }{
		"other-audience":    {with(map[string]any{"aud": "https://other.example/mcp"}), "expected audience"},
		"audience-prefix":   {with(map[string]any{"aud": resourceURL + "/"}), "expected audience"},
		"no-audience":       {with(map[string]any{"aud": nil}), "expected audience"},
		"other-issuer":      {with(map[string]any{"iss": "https://evil.example"}), "issued by a different provider"},
		"no-issuer":         {with(map[string]any{"iss": nil}), "issued by a different provider"},
		"expired":           {with(map[string]any{"exp": l.now().Add(-2 * time.Minute).Unix()}), "ended at"},
		"no-end":            {with(map[string]any{"exp": nil}), "does not say when it ends"},
		"not-yet":           {with(map[string]any{"nbf": l.now().Add(2 * time.Minute).Unix()}), "ahead of this machine's clock"},
		"issued-later":      {with(map[string]any{"iat": l.now().Add(2 * time.Minute).Unix()}), "ahead of this machine's clock"},
		"no-subject":        {with(map[string]any{"sub": nil}), "no subject"},
		"id-token":          {l.key.sign(t, "JWT", good), "not at+jwt"},
		"no-type":           {l.key.sign(t, "", good), "not at+jwt"},
		"forged":            {stranger.sign(t, "at+jwt", good), "does not match the key"},
		"unknown-key":       {newSigner(t, "nobody", jose.ES256).sign(t, "at+jwt", good), "failed to verify signature"},
		"none":              {encoded(`{"alg":"none","typ":"at+jwt"}`) + "." + parts[1] + ".", "signature algorithm"},
		"hmac-of-key":       {sign(t, []byte(strings.Repeat("k", 32)), jose.HS256, "one", "at+jwt", good), "signature algorithm"},
		"changed-claims":    {parts[0] + "." + encoded(`{"iss":"x"}`) + "." + parts[2], "does not match the key"},
		"no-signature":      {parts[0] + "." + parts[1] + ".", "failed to verify"},
		"encrypted":         {strings.Join(append(parts, "a", "b"), "."), "compact form"},
		"json-form":         {`{"payload":"a"}`, "form of a token"},
		"opaque":            {"2YotnFZFEjr1zCsicMWpAA", "compact form"},
		"no-base64":         {"a=b.c.d", "base64url"},
		"header-no-json":    {encoded("x") + ".b.c", "not JSON"},
		"scope-number":      {with(map[string]any{"scope": 7}), "read the claims"},
		"end-in-words":      {with(map[string]any{"exp": "soon"}), "unmarshal"},
		"too-long":          {strings.Repeat("a", 9<<10), "form of a token"},
		"service-token":     {"steelyard_" + strings.Repeat("0", 64), "no file of tokens"},
		"critical-unknown":  {encoded(`{"alg":"ES256","typ":"at+jwt","crit":["x"],"x":1}`) + "." + parts[1] + "." + parts[2], "failed to verify"},
		"key-in-the-header": {encoded(`{"alg":"ES256","typ":"at+jwt","jku":"https://evil.example/keys"}`) + "." + parts[1] + "." + parts[2], "failed to verify"},
	} {
		who, refusal := identify(t, l.resource, c.token)
		if refusal == nil {
			t.Errorf("%s: let in as %+v", name, who)
			continue
		}
		if refusal.Status != http.StatusUnauthorized || refusal.Code != "invalid_token" || !strings.Contains(fmt.Sprint(refusal), c.why) {
			t.Errorf("%s: %d %s %v, want %q", name, refusal.Status, refusal.Code, refusal, c.why)
		}
		if refusal.Text != "The access token is not valid for this server, or has expired." {
			t.Errorf("%s: the answer says %q", name, refusal.Text)
		}
	}
}

// TestProviderDown holds that a provider may be down at the start and later,
// and that nobody is told that a token is bad when it could not be looked at.
func TestProviderDown(t *testing.T) {
	l := newLab(t)
	l.provider.set(func() { l.provider.down = true })
	if _, refusal := identify(t, l.resource, l.token(t, nil)); refusal == nil || refusal.Status != http.StatusServiceUnavailable {
		t.Fatalf("down at the start: %v", refusal)
	}
	l.provider.set(func() { l.provider.down = false })
	l.move(6 * time.Second)
	if _, refusal := identify(t, l.resource, l.token(t, nil)); refusal != nil {
		t.Fatalf("up again: %v", refusal)
	}
	l.provider.set(func() { l.provider.down = true })
	l.move(2 * time.Hour)
	if _, refusal := identify(t, l.resource, l.token(t, nil)); refusal != nil {
		t.Fatalf("down with keys known: %v", refusal)
	}
	l.move(25 * time.Hour)
	if _, refusal := identify(t, l.resource, l.token(t, nil)); refusal == nil || refusal.Status != http.StatusServiceUnavailable {
		t.Fatalf("down for more than a day: %v", refusal)
	}
}

// TestKeyRotation holds that a new key works at once and a withdrawn one ends
// within the hour.
func TestKeyRotation(t *testing.T) {
	l := newLab(t)
	old := l.key
	if _, refusal := identify(t, l.resource, l.token(t, nil)); refusal != nil {
		t.Fatal(refusal)
	}
	l.key = newSigner(t, "two", jose.RS256)
	l.provider.set(func() { l.provider.keys = []jose.JSONWebKey{l.key.public()} })
	l.move(6 * time.Second)
	if _, refusal := identify(t, l.resource, l.token(t, nil)); refusal != nil {
		t.Fatalf("the new key: %v", refusal)
	}
	if _, refusal := identify(t, l.resource, old.sign(t, "at+jwt", l.claims(l.provider.URL, nil))); refusal == nil {
		t.Error("the withdrawn key still counts after the keys were read again")
	}
}

// TestForgeriesDoNotAsk holds that tokens with made-up keys are no way to make
// this server ask the provider.
func TestForgeriesDoNotAsk(t *testing.T) {
	l := newLab(t)
	for i := range 200 {
		identify(t, l.resource, newKeyID(l, t, fmt.Sprint("forged-", i)))
	}
	if l.provider.asked > 1 {
		t.Errorf("the provider was asked %d times", l.provider.asked)
	}
	l.move(6 * time.Second)
	identify(t, l.resource, newKeyID(l, t, "forged-again"))
	if l.provider.asked != 2 {
		t.Errorf("after the pause it was asked %d times", l.provider.asked)
	}
}

func newKeyID(l *lab, t *testing.T, id string) string {
	t.Helper()
	s := l.key
	s.id = id
	return s.sign(t, "at+jwt", l.claims(l.provider.URL, nil))
}

// TestBrokenProvider holds that nothing a provider answers lets anybody in, or
// takes more than its bounds.
func TestBrokenProvider(t *testing.T) {
	const metadata, keys = "/.well-known/openid-configuration", "/keys"
	for name, answers := range map[string]map[string]string{
		"huge":            {metadata: `{"issuer":"` + strings.Repeat("x", 1<<20) + `"}`},
		"no-json":         {metadata: "<html>"},
		"other-issuer":    {metadata: `{"issuer":"https://other.example","jwks_uri":"https://other.example/keys"}`},
		"keys-elsewhere":  {metadata: `{"issuer":"URL","jwks_uri":"http://192.0.2.1/keys"}`},
		"keys-of-file":    {metadata: `{"issuer":"URL","jwks_uri":"file:///etc/passwd"}`},
		"no-keys":         {keys: `{"keys":[]}`},
		"odd-keys":        {keys: `{"keys":[{"kty":"oct","k":"c2VjcmV0","kid":"one"},{"kty":"new"},7]}`},
		"too-many-keys":   {keys: `{"keys":[` + strings.Repeat(`{},`, 200) + `{}]}`},
		"keys-no-json":    {keys: "[]"},
		"huge-keys":       {keys: `{"keys":["` + strings.Repeat("x", 1<<20) + `"]}`},
		"encryption-only": {keys: `{"keys":[{"kty":"EC","use":"enc","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			for path, text := range answers {
				l.provider.raw[path] = strings.ReplaceAll(text, "URL", l.provider.URL)
			}
			if _, refusal := identify(t, l.resource, l.token(t, nil)); refusal == nil || refusal.Status != http.StatusServiceUnavailable {
				t.Errorf("%v", refusal)
			}
		})
	}
}

// TestOtherMetadata holds that a provider of OAuth without OpenID Connect is
// found (RFC 8414).
func TestOtherMetadata(t *testing.T) {
	l := newLab(t)
	tenant := l.provider.URL + "/tenant"
	l.provider.raw["/.well-known/oauth-authorization-server/tenant"] = `{"issuer":"` + tenant + `","jwks_uri":"` + l.provider.URL + `/keys"}`
	resource, err := auth.New(auth.Options{URL: resourceURL, Issuer: tenant, Scopes: scopes, Clock: l.now})
	if err != nil {
		t.Fatal(err)
	}
	token := l.key.sign(t, "at+jwt", l.claims(tenant, nil))
	if _, refusal := identify(t, resource, token); refusal != nil {
		t.Fatal(refusal)
	}
}

func TestChallenges(t *testing.T) {
	l := newLab(t)
	const metadata = `resource_metadata="https://steelyard.example.com/.well-known/oauth-protected-resource/mcp"`
	const all = `scope="pilots:read findings:read dependencies:check"`
	insufficient := auth.Insufficient(&auth.Identity{Scopes: []string{"pilots:read"}}, []string{"findings:read"})
	for name, c := range map[string]struct {
		query   string
		headers []string
		refusal *auth.Refusal
		status  int
		want    string
	}{
		"no-token":    {status: 401, want: `Bearer ` + all + `, ` + metadata},
		"basic":       {headers: []string{"Basic YTpi"}, status: 401, want: `Bearer ` + all + `, ` + metadata},
		"bad-token":   {headers: []string{"Bearer x"}, status: 401, want: `Bearer error="invalid_token", error_description="The access token is not valid for this server, or has expired.", ` + all + `, ` + metadata},
		"no-value":    {headers: []string{"Bearer "}, status: 401, want: `Bearer error="invalid_token", error_description="The access token is not valid for this server, or has expired.", ` + all + `, ` + metadata},
		"query":       {query: "?access_token=secret", status: 400, want: `Bearer error="invalid_request", error_description="The access token belongs in the Authorization header, not in the address. Treat this one as disclosed.", ` + metadata},
		"query-code":  {query: "?access%5Ftoken=secret", headers: []string{"Bearer " + l.token(t, nil)}, status: 400, want: `Bearer error="invalid_request", error_description="The access token belongs in the Authorization header, not in the address. Treat this one as disclosed.", ` + metadata},
		"two-headers": {headers: []string{"Bearer a", "Bearer b"}, status: 400, want: `Bearer error="invalid_request", error_description="The request has more than one Authorization header.", ` + metadata},
		"scope":       {refusal: insufficient, status: 403, want: `Bearer error="insufficient_scope", error_description="The access token does not allow this; ask for one with the scopes findings:read.", scope="pilots:read findings:read", ` + metadata},
	} {
		refusal := c.refusal
		if refusal == nil {
			q := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp"+c.query, nil)
			q.Header["Authorization"] = c.headers
			if _, refusal = l.resource.Identify(q); refusal == nil {
				t.Errorf("%s: let in", name)
				continue
			}
		}
		w := httptest.NewRecorder()
		l.resource.Refuse(w, refusal)
		if got := w.Header().Get("WWW-Authenticate"); w.Code != c.status || got != c.want {
			t.Errorf("%s: %d %s\nwant %d %s", name, w.Code, got, c.status, c.want)
		}
		if strings.Contains(w.Body.String(), "secret") || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %s %v", name, w.Body, w.Header())
		}
	}
}

func TestMetadata(t *testing.T) {
	l := newLab(t)
	w := httptest.NewRecorder()
	l.resource.Metadata().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, auth.MetadataPath, nil))
	want := `{"authorization_servers":["` + l.provider.URL + `"],"bearer_methods_supported":["header"],"resource":"` + resourceURL + `","resource_name":"Steelyard","scopes_supported":["pilots:read","findings:read","dependencies:check"]}`
	if w.Code != http.StatusOK || w.Body.String() != want || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w = httptest.NewRecorder()
	l.resource.Metadata().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, auth.MetadataPath, nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}

// FuzzToken holds that no text but a token lets anybody in, and that none makes
// the server fall.
func FuzzToken(f *testing.F) {
	clock := newClock()
	resource, err := auth.New(auth.Options{URL: resourceURL, Issuer: "http://127.0.0.1:1", Scopes: scopes, Clock: clock.now})
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"", "a.b.c", "steelyard_0", "eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.e30.", "eyJ0eXAiOiJhdCtqd3QifQ.e30.e30"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		if who, refusal := identify(t, resource, strings.ReplaceAll(token, "\n", "")); refusal == nil {
			t.Fatalf("%q was let in as %+v", token, who)
		}
	})
}

// TestAudienceSetting holds that another name for this server replaces its
// address, and does not come beside it.
func TestAudienceSetting(t *testing.T) {
	l := newLab(t)
	resource, err := auth.New(auth.Options{URL: resourceURL, Audience: "api://steelyard", Issuer: l.provider.URL, Scopes: scopes, Clock: l.now})
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string]any{"aud": "api://steelyard"}
	if _, refusal := identify(t, resource, l.token(t, changes)); refusal != nil {
		t.Error(refusal)
	}
	maps.Copy(changes, map[string]any{"aud": resourceURL})
	if _, refusal := identify(t, resource, l.token(t, changes)); refusal == nil {
		t.Error("the address is still taken")
	}
}
