package signin_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"steelyard/web/signin"
)

// fakeGitHub is a GitHub Enterprise Server with one person, in one organisation
// and 150 teams.
func fakeGitHub(t *testing.T, status *int) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.HasPrefix(r.URL.Path, "/api/v3/") && r.Header.Get("Authorization") != "Bearer gho_token" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var answer any
		switch r.URL.Path {
		case "/login/oauth/access_token":
			if r.FormValue("client_secret") != "a-secret-of-github-apps" || r.FormValue("code") != "a-code" || r.FormValue("code_verifier") == "" {
				_, _ = fmt.Fprint(w, `{"error":"bad_verification_code"}`)
				return
			}
			answer = map[string]string{"access_token": "gho_token", "token_type": "bearer", "scope": "read:org"}
		case "/api/v3/user":
			w.WriteHeader(*status)
			answer = map[string]any{"id": 583231, "login": "octocat", "name": nil}
		case "/api/v3/user/orgs":
			answer = []map[string]string{{"login": "Acme"}}
		case "/api/v3/user/teams":
			n := 100
			if r.URL.Query().Get("page") == "2" {
				n = 50
			}
			all := []map[string]any{}
			for i := range n {
				all = append(all, map[string]any{"slug": fmt.Sprintf("team-%s-%d", r.URL.Query().Get("page"), i), "organization": map[string]string{"login": "Acme"}})
			}
			if n == 50 {
				all[49]["slug"] = "platform"
			}
			answer = all
		default:
			w.WriteHeader(http.StatusNotFound)
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(s.Close)
	return s
}

func TestGitHub(t *testing.T) {
	status := http.StatusOK
	hub := fakeGitHub(t, &status)
	l := newLab(t, signin.NewGitHub(signin.GitHubOptions{BaseURL: hub.URL, ClientID: "Iv1.1", ClientSecret: "a-secret-of-github-apps"}))
	b := newBrowser(t)
	if a := b.get(l.server.URL + "/sign-in"); !strings.Contains(a.body, "Sign in with GitHub") || strings.Count(a.body, `class="button"`) != 2 {
		t.Errorf("the choice: %s", a.body)
	}
	come := func(code string) answer {
		begin := b.get(l.server.URL + "/sign-in/github?to=/data")
		u, err := url.Parse(begin.location)
		if err != nil || !strings.HasPrefix(begin.location, hub.URL+"/login/oauth/authorize?") || u.Query().Get("scope") != "read:org" {
			t.Fatalf("GitHub is asked at %q", begin.location)
		}
		return b.get(l.server.URL + "/sign-in/github/callback?" + url.Values{"code": {code}, "state": {u.Query().Get("state")}}.Encode())
	}
	if a := come("other"); a.status != http.StatusBadGateway {
		t.Errorf("a wrong code: %d", a.status)
	}
	status = http.StatusInternalServerError
	if a := come("a-code"); a.status != http.StatusBadGateway {
		t.Errorf("GitHub fails: %d", a.status)
	}
	status = http.StatusOK
	if a := come("a-code"); a.status != http.StatusSeeOther || a.location != "/data" {
		t.Fatalf("signed in: %d %q\n%s", a.status, a.location, l.log)
	}
	if a := b.get(l.server.URL + "/"); !strings.Contains(a.body, "|octocat|true|") {
		t.Errorf("the page says %q", a.body)
	}
	t.Run("answer-of-the-other", func(t *testing.T) {
		begin := b.get(l.server.URL + "/sign-in/github")
		u, _ := url.Parse(begin.location)
		if a := l.callback(b, url.Values{"code": {"a-code"}, "state": {u.Query().Get("state")}}); a.status != http.StatusBadRequest {
			t.Errorf("%d", a.status)
		}
	})
}
