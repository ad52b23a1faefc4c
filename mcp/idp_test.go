package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	sdkauth "github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"steelyard/internal/server"
	"steelyard/mcp"
	"steelyard/mcp/auth"
)

// idp is a real identity provider, and another one that is not trusted.
type idp struct{ Issuer, Other string }

// callback is where the provider sends a browser in the end; nobody listens.
const callback = "http://127.0.0.1:1/callback"

func startIDP(t *testing.T) idp {
	t.Helper()
	needSuite(t, "auth/idp")
	cmd := exec.CommandContext(t.Context(), "node", "auth/idp/op.mjs")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	var p idp
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &p) != nil {
		t.Fatalf("the provider printed %q: %v\n%s", line, err, &stderr)
	}
	return p
}

// machineToken asks a provider for a token of the client's own.
func machineToken(t *testing.T, issuer, resource, scope string) string {
	t.Helper()
	answer := tokenEndpoint(t, issuer, url.Values{"grant_type": {"client_credentials"}, "resource": {resource}, "scope": {scope}}, true)
	if answer.AccessToken == "" {
		t.Fatalf("no access token: %+v", answer)
	}
	return answer.AccessToken
}

type tokens struct {
	AccessToken string `json:"access_token"`
	IDToken     string `json:"id_token"`
	Error       string `json:"error"`
	Description string `json:"error_description"`
}

func tokenEndpoint(t *testing.T, issuer string, form url.Values, secret bool) tokens {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, issuer+"/token", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if secret {
		q.SetBasicAuth("machine", "only-in-this-test")
	}
	res, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var answer tokens
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

var (
	formAction = regexp.MustCompile(`<form[^>]* action="([^"]+)"`)
	formPrompt = regexp.MustCompile(`name="prompt" value="(\w+)"`)
)

// signIn is a person in a browser who signs in and agrees.
func signIn(ctx context.Context, address, redirect, login string) (*url.URL, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	browser := &http.Client{Jar: jar, CheckRedirect: func(q *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(q.URL.String(), redirect) {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	for range 4 { // signing in, agreeing, and one to spare
		res, err := browser.Do(q)
		if err != nil {
			return nil, err
		}
		page, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil {
			return nil, err
		}
		if to, err := res.Location(); err == nil {
			return to, nil
		}
		action, prompt := formAction.FindSubmatch(page), formPrompt.FindSubmatch(page)
		if action == nil || prompt == nil {
			return nil, fmt.Errorf("%s: %s has no form: %s", address, res.Request.URL, page)
		}
		form := url.Values{"prompt": {string(prompt[1])}, "login": {login}, "password": {"any"}}
		if q, err = http.NewRequestWithContext(ctx, http.MethodPost, string(action[1]), strings.NewReader(form.Encode())); err != nil {
			return nil, err
		}
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return nil, fmt.Errorf("%s: the provider asks on and on", address)
}

// movable is a clock that runs ahead of the machine's.
type movable struct {
	mu    sync.Mutex
	ahead time.Duration
}

func (m *movable) now() time.Time { return time.Now().Add(m.by()) }

func (m *movable) by() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ahead
}

func (m *movable) move(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ahead += d
}

// guarded serves the product's tools to whom the provider lets in.
func guarded(t *testing.T, issuer string, clock func() time.Time) (url string, log *logBuffer) {
	t.Helper()
	o, log := options()
	o.Clock = clock
	url = listening(t, func(url string) server.Options {
		resource, err := auth.New(auth.Options{URL: url + "/mcp", Issuer: issuer, Scopes: mcp.Scopes(), Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		o.Authorization = resource
		return server.Options{MCP: mcp.New(o).HTTP(), Resource: resource.Metadata()}
	})
	return url, log
}

// TestIdentityProvider goes the whole way with a real provider and a client
// that knows nothing but the address: the refusal, the metadata, registering,
// signing in with PKCE, a token for this server, and a call.
func TestIdentityProvider(t *testing.T) {
	p := startIDP(t)
	at, log := guarded(t, p.Issuer, time.Now)
	handler, err := sdkauth.NewAuthorizationCodeHandler(&sdkauth.AuthorizationCodeHandlerConfig{
		RedirectURL: callback,
		DynamicClientRegistrationConfig: &sdkauth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "a client of the test", RedirectURIs: []string{callback}, TokenEndpointAuthMethod: "none",
			GrantTypes: []string{"authorization_code"}, ResponseTypes: []string{"code"},
		}},
		AuthorizationCodeFetcher: func(ctx context.Context, args *sdkauth.AuthorizationArgs) (*sdkauth.AuthorizationResult, error) {
			back, err := signIn(ctx, args.URL, callback, "alice")
			if err != nil {
				return nil, err
			}
			v := back.Query()
			return &sdkauth.AuthorizationResult{Code: v.Get("code"), State: v.Get("state"), Iss: v.Get("iss")}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	cs, err := sdk.NewClient(&sdk.Implementation{Name: "oauth", Version: "1"}, nil).
		Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: at + "/mcp", OAuthHandler: handler}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cs.Close() }()
	if res := call(t, cs, "get_pilot_report", map[string]any{"pilot": "worked-example"}); res.IsError {
		t.Errorf("%s", textOf(res))
	}
	if !strings.Contains(log.String(), `"who":"`+p.Issuer+` alice"`) {
		t.Errorf("the audit log does not name alice:\n%s", log)
	}
}

// TestProviderTokens sends tokens that a real provider signed, each wrong in
// one thing.
func TestProviderTokens(t *testing.T) {
	p, clock := startIDP(t), &movable{}
	at, log := guarded(t, p.Issuer, clock.now)
	resource, all := at+"/mcp", strings.Join(mcp.Scopes(), " ")
	good := machineToken(t, p.Issuer, resource, all)
	narrow := machineToken(t, p.Issuer, resource, mcp.ScopePilots)
	metadata := `resource_metadata="` + at + auth.MetadataPath + `/mcp"`
	invalid := []string{`Bearer error="invalid_token"`, `scope="` + all + `"`, metadata}
	pilots, findings := `{"name":"list_pilots","arguments":{}}`, `{"name":"list_findings","arguments":{}}`

	for _, c := range []struct {
		name, query, token, params string
		status                     int
		challenge                  []string
	}{
		{name: "good", token: good, params: findings, status: 200},
		{name: "narrow-within", token: narrow, params: pilots, status: 200},
		{name: "none", params: pilots, status: 401, challenge: []string{`Bearer scope="` + all + `"`, metadata}},
		{name: "wrong-audience", token: machineToken(t, p.Issuer, "https://other.example/mcp", all), params: pilots, status: 401, challenge: invalid},
		{name: "wrong-issuer", token: machineToken(t, p.Other, resource, all), params: pilots, status: 401, challenge: invalid},
		{name: "alg-none", token: unsigned(t, good), params: pilots, status: 401, challenge: invalid},
		{name: "id-token", token: idToken(t, p.Issuer), params: pilots, status: 401, challenge: invalid},
		{name: "missing-scope", token: narrow, params: findings, status: 403, challenge: []string{`Bearer error="insufficient_scope"`, `scope="pilots:read findings:read"`, metadata}},
		{name: "in-the-query", query: "?access_token=" + good, params: pilots, status: 400, challenge: []string{`Bearer error="invalid_request"`, metadata}},
	} {
		status, header, body := sendToken(t, resource+c.query, c.token, c.params)
		if status != c.status || status == 200 && strings.Contains(body, `"isError":true`) {
			t.Errorf("%s: %d %s, want %d", c.name, status, body, c.status)
		}
		for _, want := range c.challenge {
			if got := header.Get("WWW-Authenticate"); !strings.Contains(got, want) {
				t.Errorf("%s: challenge %s, want %q in it", c.name, got, want)
			}
		}
	}
	clock.move(20 * time.Minute)
	if status, header, _ := sendToken(t, resource, good, pilots); status != 401 || !strings.HasPrefix(header.Get("WWW-Authenticate"), invalid[0]) {
		t.Errorf("expired: %d %s", status, header.Get("WWW-Authenticate"))
	}
	for _, secret := range []string{good, narrow} {
		if strings.Contains(log.String(), secret[len(secret)-40:]) {
			t.Error("the log has a token")
		}
	}
	if n := strings.Count(log.String(), `"msg":"request refused"`); n != 8 {
		t.Errorf("%d refusals in the log, want 8:\n%s", n, log)
	}
}

// sendToken sends one call with a token.
func sendToken(t *testing.T, at, token, params string) (int, http.Header, string) {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-11-25"}}
	if token != "" {
		q.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(text)
}

// unsigned is a token with its signature taken off and its header saying that
// there is none.
func unsigned(t *testing.T, token string) string {
	t.Helper()
	parts := strings.Split(token, ".")
	raw, err := base64.RawURLEncoding.DecodeString(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	var header map[string]any
	if err := json.Unmarshal(raw, &header); err != nil {
		t.Fatal(err)
	}
	header["alg"] = "none"
	if raw, err = json.Marshal(header); err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(raw) + "." + parts[1] + "."
}

// idToken signs alice in for an editor and returns what that learns of her.
func idToken(t *testing.T, issuer string) string {
	t.Helper()
	answer := signedIn(t, issuer, "alice", url.Values{"scope": {"openid"}})
	if answer.IDToken == "" {
		t.Fatalf("no ID token: %+v", answer)
	}
	return answer.IDToken
}

// personToken signs somebody in for an editor that calls resource.
func personToken(t *testing.T, issuer, login, resource string) string {
	t.Helper()
	answer := signedIn(t, issuer, login, url.Values{"scope": {strings.Join(mcp.Scopes(), " ")}, "resource": {resource}})
	if answer.AccessToken == "" {
		t.Fatalf("no access token: %+v", answer)
	}
	return answer.AccessToken
}

// signedIn is what an editor gets when somebody signs in for what it wants.
func signedIn(t *testing.T, issuer, login string, wants url.Values) tokens {
	t.Helper()
	const verifier = "a-verifier-of-more-than-forty-three-characters-x"
	challenge := sha256.Sum256([]byte(verifier))
	v := url.Values{
		"client_id": {"editor"}, "response_type": {"code"}, "redirect_uri": {callback}, "state": {"s"},
		"code_challenge_method": {"S256"}, "code_challenge": {base64.RawURLEncoding.EncodeToString(challenge[:])},
	}
	maps.Copy(v, wants)
	back, err := signIn(t.Context(), issuer+"/auth?"+v.Encode(), callback, login)
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"editor"}, "redirect_uri": {callback},
		"code": {back.Query().Get("code")}, "code_verifier": {verifier},
	}
	if resource, ok := wants["resource"]; ok {
		form["resource"] = resource
	}
	return tokenEndpoint(t, issuer, form, false)
}
