package signin_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"steelyard/web"
	"steelyard/web/signin"
	"steelyard/web/signin/idp"
)

// TestRealProvider: a viewer may read, an admin may change, a stranger gets
// nothing.
func TestRealProvider(t *testing.T) {
	var gate http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { gate.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	issuer := idp.Start(t, server.URL+signin.Callback("oidc"))
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
		_, choice := idp.Read( //nolint:bodyclose // it is read and closed there
			t, b, http.MethodGet, server.URL+"/pilots/a?x=1", nil)
		link := regexp.MustCompile(`class="button" href="([^"]+)"`).FindStringSubmatch(choice)
		if link == nil {
			t.Fatalf("no way to sign in: %s", choice)
		}
		res, body := idp.SignIn( //nolint:bodyclose // it is read and closed there
			t, b, server.URL+strings.ReplaceAll(link[1], "&amp;", "&"), name)
		if !strings.Contains(body, want) {
			t.Errorf("%s sees %d %s, want %q", name, res.StatusCode, body, want)
		}
	}
}
