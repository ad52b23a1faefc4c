package main

import (
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"steelyard/web/signin"
	"steelyard/web/signin/idp"
)

var formToken = regexp.MustCompile(`name="token" value="([^"]+)"`)

// TestSignInOfTheProduct serves with a real identity provider: a viewer may
// read, an admin may change, a stranger gets nothing.
func TestSignInOfTheProduct(t *testing.T) {
	dir := t.TempDir()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := ln.Addr().String()
	if err := ln.Close(); err != nil { // the provider must know the port before it is served
		t.Fatal(err)
	}
	issuer := idp.Start(t, "http://"+addr+signin.Callback("oidc"))
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	settings := write("steelyard.yaml", "database: sqlite:"+filepath.Join(dir, "s.db")+"\nserve:\n  addr: "+addr+"\n  sign_in:\n    issuer: "+issuer+
		"\n    client_id: "+idp.ClientID+"\n    client_secret_file: "+write("secret", idp.ClientSecret)+
		"\n    scopes: [groups]\n    viewers: [engineering]\n    admins: [leads]\n")
	r := start(t, "serve", "--config", settings)
	home, _ := r.addresses(t)
	home = strings.TrimSuffix(home, "/")
	defer r.end(t)

	for name, c := range map[string]struct {
		sees string
		post int // what a form to define a pilot is answered with
	}{
		"ada": {"Signed in as Person ada (admin)", http.StatusUnprocessableEntity}, // the form is empty
		"ben": {"Signed in as Person ben (viewer)", http.StatusForbidden},
		"eve": {"You may not see this", http.StatusUnauthorized},
	} {
		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		b := &http.Client{Jar: jar}
		_, body := idp.SignIn(t, b, home+"/sign-in/oidc?to=/data", name)
		if !strings.Contains(body, c.sees) {
			t.Errorf("%s sees %s, want %q", name, body, c.sees)
		}
		form := url.Values{}
		if token := formToken.FindStringSubmatch(body); token != nil {
			form.Set("token", token[1])
		}
		if res, body := idp.Read(t, b, http.MethodPost, home+"/pilots/new", form); res.StatusCode != c.post {
			t.Errorf("%s sends a form: %d, want %d\n%s", name, res.StatusCode, c.post, body)
		}
		if res, _ := idp.Read(t, b, http.MethodPost, home+"/pilots/new", url.Values{"id": {"x"}}); res.StatusCode != http.StatusForbidden && res.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s sends a form without token: %d", name, res.StatusCode)
		}
	}
	forged, err := http.NewRequestWithContext(t.Context(), http.MethodGet, home+"/sign-in", nil)
	if err != nil {
		t.Fatal(err)
	}
	forged.Host = "evil.example"
	res, err := http.DefaultClient.Do(forged)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil || res.StatusCode != http.StatusForbidden {
		t.Errorf("a forged Host: %d", res.StatusCode)
	}
}
