package signin_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"steelyard/web"
	"steelyard/web/signin"
)

// startIDP starts a real identity provider that sends people back to callback.
func startIDP(t *testing.T, callback string) (issuer string) {
	t.Helper()
	missing := ""
	if _, err := exec.LookPath("node"); err != nil {
		missing = "node is not installed"
	} else if _, err := os.Stat("idp/node_modules"); err != nil {
		missing = "idp/node_modules is absent; make test installs it (npm ci --ignore-scripts in web/signin/idp)"
	}
	switch {
	case missing == "":
	case os.Getenv("STEELYARD_REQUIRE_NODE") == "1":
		t.Fatal(missing)
	default:
		t.Skip(missing)
	}
	cmd := exec.CommandContext(t.Context(), "node", "idp/op.mjs", callback)
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
	var p struct{ Issuer string }
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &p) != nil {
		t.Fatalf("the provider printed %q: %v\n%s", line, err, &stderr)
	}
	return p.Issuer
}

var (
	formAction = regexp.MustCompile(`<form[^>]* action="([^"]+)"`)
	formPrompt = regexp.MustCompile(`name="prompt" value="(\w+)"`)
)

// person signs in at a real provider with a browser that follows every link,
// and fills in the provider's forms.
func person(t *testing.T, b *http.Client, address, name string) (body string, res *http.Response) {
	t.Helper()
	res, body = read(t, b, http.MethodGet, address, nil)
	for range 5 {
		action, prompt := formAction.FindStringSubmatch(body), formPrompt.FindStringSubmatch(body)
		if action == nil || prompt == nil {
			return body, res
		}
		to, err := res.Request.URL.Parse(strings.ReplaceAll(action[1], "&amp;", "&"))
		if err != nil {
			t.Fatal(err)
		}
		res, body = read(t, b, http.MethodPost, to.String(), url.Values{"prompt": {prompt[1]}, "login": {name}, "password": {"x"}})
	}
	t.Fatalf("no end of forms: %s", body)
	return "", nil
}

func read(t *testing.T, b *http.Client, method, address string, form url.Values) (*http.Response, string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	if form != nil {
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := b.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var text bytes.Buffer
	if _, err := text.ReadFrom(res.Body); err != nil {
		t.Fatal(err)
	}
	return res, text.String()
}

// TestRealProvider: a viewer may read, an admin may change, a stranger gets
// nothing.
func TestRealProvider(t *testing.T) {
	var gate http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { gate.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	issuer := startIDP(t, server.URL+signin.Callback("oidc"))
	page, err := web.SignInPages("test", nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := signin.New(signin.Options{
		URL: server.URL, Secret: clientSecret, Clock: time.Now, Page: page,
		Sessions: &memory{all: map[[sha256.Size]byte]signin.Session{}},
		Roles:    signin.Roles{Viewers: []string{"engineering"}, Admins: []string{"leads"}},
		Providers: []signin.Provider{signin.NewOIDC(signin.OIDCOptions{
			Issuer: issuer, ClientID: clientID, ClientSecret: clientSecret, Scopes: []string{"groups"}, Clock: time.Now,
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	gate = g.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := signin.Visitor(r)
		_, _ = fmt.Fprintf(w, "page %s of %s, may change: %v", r.URL, v.Name, v.MayChange)
	}))
	for name, want := range map[string]string{
		"ada": "page /pilots/a?x=1 of Person ada, may change: true",
		"ben": "page /pilots/a?x=1 of Person ben, may change: false",
		"eve": "You may not see this",
	} {
		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		b := &http.Client{Jar: jar}
		_, choice := read(t, b, http.MethodGet, server.URL+"/pilots/a?x=1", nil)
		link := regexp.MustCompile(`class="button" href="([^"]+)"`).FindStringSubmatch(choice)
		if link == nil {
			t.Fatalf("no way to sign in: %s", choice)
		}
		body, res := person(t, b, server.URL+strings.ReplaceAll(link[1], "&amp;", "&"), name)
		if !strings.Contains(body, want) {
			t.Errorf("%s sees %d %s, want %q", name, res.StatusCode, body, want)
		}
	}
}
