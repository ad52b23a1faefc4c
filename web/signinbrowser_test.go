package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestSignInPagesInABrowser looks at the pages about signing in, and at pages
// that somebody signed in for, as TestPagesInABrowser does at the others.
func TestSignInPagesInABrowser(t *testing.T) {
	browser, axe := need(t)
	srv := signInServer(t)
	o := guardOptions(someGuards())
	o.Visitor = func(*http.Request) Visitor {
		return Visitor{Name: "vera@platform-engineering.example.com", FormToken: "a-token", SignOut: "/sign-out"}
	}
	viewer := newServer(t, o)
	o = fullOptions()
	o.Visitor = func(*http.Request) Visitor {
		return Visitor{Name: "ada", MayChange: true, FormToken: "a-token", SignOut: "/sign-out"}
	}
	admin := newServer(t, o)
	pages := []struct{ name, url string }{
		{"sign-in-choose", srv.URL + "/choose"},
		{"sign-in-out", srv.URL + "/out"},
		{"sign-in-stranger", srv.URL + "/stranger"},
		{"sign-in-failed", srv.URL + "/failed"},
		{"sign-in-form", srv.URL + "/form"},
		{"sign-in-viewer", viewer.URL + "/servers"},
		{"sign-in-admin", admin.URL + "/data"},
	}
	checkPages(t, openBrowser(t, browser), axe, pages, true)
}

// signInServer shows each page about signing in under a path of its own.
func signInServer(t *testing.T) *httptest.Server {
	t.Helper()
	show, err := SignInPages("1.2.3", nil)
	if err != nil {
		t.Fatal(err)
	}
	dashboard, err := New(fullOptions())
	if err != nil {
		t.Fatal(err)
	}
	ways := []SignInChoice{{Title: "GitHub", Address: "/sign-in/github"}, {Title: "the company’s identity provider", Address: "/sign-in/oidc"}}
	mux := http.NewServeMux()
	mux.Handle(StaticPath, dashboard)
	for path, v := range map[string]SignIn{
		"/choose":   {Status: http.StatusOK, State: SignInChoose, Choices: ways},
		"/out":      {Status: http.StatusOK, State: SignInOut, Choices: ways[:1]},
		"/stranger": {Status: http.StatusForbidden, State: SignInStranger, Choices: ways},
		"/failed":   {Status: http.StatusBadRequest, State: SignInFailed, Choices: ways, Reference: Reference()},
		"/form":     {Status: http.StatusForbidden, State: SignInForm},
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { show(w, r, v) })
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}
