// Package idp starts a real identity provider (npm oidc-provider) for the tests
// of signing in. Its accounts are ada (groups leads and engineering), ben
// (engineering) and eve (sales).
package idp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// The client that the provider knows.
const (
	ClientID     = "steelyard"
	ClientSecret = "only-in-this-test-and-long-enough"
)

// Start starts the provider, which sends people back to callback, and returns
// its issuer. Without Node, or the packages, the test skips, or fails where
// STEELYARD_REQUIRE_NODE is 1.
func Start(t *testing.T, callback string) (issuer string) {
	t.Helper()
	_, self, _, _ := runtime.Caller(0)
	dir, missing := filepath.Dir(self), ""
	if _, err := exec.LookPath("node"); err != nil {
		missing = "node is not installed"
	} else if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		missing = "web/signin/idp/node_modules is absent; make test installs it (npm ci --ignore-scripts in web/signin/idp)"
	}
	switch {
	case missing == "":
	case os.Getenv("STEELYARD_REQUIRE_NODE") == "1":
		t.Fatal(missing)
	default:
		t.Skip(missing)
	}
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(dir, "op.mjs"), callback)
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

// SignIn goes to address with a browser that follows every link, fills in the
// provider's forms as name, and returns what it ends at.
func SignIn(t *testing.T, b *http.Client, address, name string) (res *http.Response, body string) {
	t.Helper()
	res, body = Read(t, b, http.MethodGet, address, nil)
	for range 5 {
		action, prompt := formAction.FindStringSubmatch(body), formPrompt.FindStringSubmatch(body)
		if action == nil || prompt == nil {
			return res, body
		}
		to, err := res.Request.URL.Parse(strings.ReplaceAll(action[1], "&amp;", "&"))
		if err != nil {
			t.Fatal(err)
		}
		res, body = Read(t, b, http.MethodPost, to.String(), url.Values{"prompt": {prompt[1]}, "login": {name}, "password": {"x"}})
	}
	t.Fatalf("no end of forms: %s", body)
	return nil, ""
}

// Read sends a request, with form as its body unless that is nil, and reads the
// whole answer.
func Read(t *testing.T, b *http.Client, method, address string, form url.Values) (*http.Response, string) {
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
