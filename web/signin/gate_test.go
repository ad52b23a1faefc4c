package signin_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"steelyard/web/signin"
)

func TestNothingWithoutSession(t *testing.T) {
	l := newLab(t)
	b := newBrowser(t)
	for _, path := range []string{"/", "/pilots/a", "/data", "/guardrails.csv", "/pilots/a/figures/x.svg", "/docs", "/static", "/staticx", "/webhooks/githubx", "//static/../pilots"} {
		a := b.get(l.server.URL + path)
		if a.status == http.StatusOK || strings.Contains(a.body, "secret page") {
			t.Errorf("GET %s without session: %d %q", path, a.status, a.body)
		}
	}
	a := b.get(l.server.URL + "/pilots/a?outcome=x")
	if a.status != http.StatusSeeOther || a.location != "/sign-in?to=%2Fpilots%2Fa%3Foutcome%3Dx" {
		t.Errorf("a page leads to %d %q", a.status, a.location)
	}
	if a := b.post(l.server.URL+"/pilots/new", url.Values{}); a.status != http.StatusUnauthorized {
		t.Errorf("a form without session: %d", a.status)
	}
	if a := b.get(l.server.URL + "/static/a.css"); a.status != http.StatusOK {
		t.Errorf("a style sheet: %d", a.status)
	}
	a = b.get(l.server.URL + "/sign-in?to=/data")
	if a.status != http.StatusOK || !strings.Contains(a.body, `href="/sign-in/oidc?to=%2Fdata"`) {
		t.Errorf("the choice: %d %s", a.status, a.body)
	}
	if got := a.header.Get("Content-Security-Policy"); !strings.Contains(got, "default-src 'none'") {
		t.Errorf("the choice has policy %q", got)
	}
	for _, path := range []string{"/sign-in/other", "/sign-in/oidc/callback/x", "/sign-in/oidc/x"} {
		if a := b.get(l.server.URL + path); a.status != http.StatusNotFound {
			t.Errorf("GET %s: %d", path, a.status)
		}
	}
}

func TestSignIn(t *testing.T) {
	l := newLab(t)
	b := newBrowser(t)
	a := l.signIn(b, "/pilots/a?x=1")
	if a.status != http.StatusSeeOther || a.location != "/pilots/a?x=1" {
		t.Fatalf("signed in: %d %q\n%s%s", a.status, a.location, a.body, l.log)
	}
	a = b.get(l.server.URL + "/pilots/a")
	if a.status != http.StatusOK || !strings.HasPrefix(a.body, "secret page /pilots/a|Person 17|false|") {
		t.Fatalf("the page: %d %q", a.status, a.body)
	}
	if a.header.Get("Vary") != "Cookie" {
		t.Errorf("the page does not vary by cookie: %v", a.header)
	}
	if a := b.get(l.server.URL + "/sign-in?to=/data"); a.location != "/data" {
		t.Errorf("signing in twice leads to %q", a.location)
	}
	l.provider.set(func(p *provider) { p.userinfo["groups"] = []string{"leads"} })
	if a := l.signIn(b, "/"); a.location != "/" {
		t.Fatalf("signed in again: %d %q", a.status, a.location)
	}
	if a := b.get(l.server.URL + "/"); !strings.Contains(a.body, "|Person 17|true|") {
		t.Errorf("an admin is %q", a.body)
	}
	if l.store.count() != 1 {
		t.Errorf("%d sessions after signing in twice, want 1", l.store.count())
	}
}

func TestGroupsInTheToken(t *testing.T) {
	l := newLab(t)
	l.provider.set(func(p *provider) {
		p.claims = map[string]any{"groups": "leads", "name": "A\u202eB\x07 C"}
		p.userinfo = nil
	})
	b := newBrowser(t)
	l.signIn(b, "/")
	if a := b.get(l.server.URL + "/"); !strings.Contains(a.body, "|AB C|true|") {
		t.Errorf("the page says %q", a.body)
	}
}

func TestStranger(t *testing.T) {
	l := newLab(t)
	for name, groups := range map[string]any{"other": []string{"sales"}, "none": nil, "star": []string{"*"}, "case": "Engineering"} {
		l.provider.set(func(p *provider) { p.userinfo["groups"] = groups })
		b := newBrowser(t)
		if a := l.signIn(b, "/"); a.status != http.StatusForbidden || !strings.Contains(a.body, "You may not see this") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		if a := b.get(l.server.URL + "/"); strings.Contains(a.body, "secret page") {
			t.Errorf("%s sees a page", name)
		}
	}
	if l.store.count() != 0 {
		t.Errorf("strangers have %d sessions", l.store.count())
	}
}

// TestLies holds whatever the provider, or somebody in between, might answer.
func TestLies(t *testing.T) {
	for name, c := range map[string]struct {
		provider func(*provider)
		callback func(q url.Values)
		status   int
	}{
		"other-audience":   {provider: func(p *provider) { p.claims = map[string]any{"aud": "other"} }, status: http.StatusBadGateway},
		"other-issuer":     {provider: func(p *provider) { p.claims = map[string]any{"iss": "https://evil.example"} }, status: http.StatusBadGateway},
		"other-nonce":      {provider: func(p *provider) { p.claims = map[string]any{"nonce": "x"} }, status: http.StatusBadGateway},
		"no-nonce":         {provider: func(p *provider) { p.claims = map[string]any{"nonce": nil} }, status: http.StatusBadGateway},
		"no-subject":       {provider: func(p *provider) { p.claims = map[string]any{"sub": nil} }, status: http.StatusBadGateway},
		"expired":          {provider: func(p *provider) { p.claims = map[string]any{"exp": 1} }, status: http.StatusBadGateway},
		"unsigned":         {provider: func(p *provider) { p.alg = "none" }, status: http.StatusBadGateway},
		"other-person":     {provider: func(p *provider) { p.userinfo["sub"] = "18" }, status: http.StatusForbidden},
		"groups-of-groups": {provider: func(p *provider) { p.userinfo["groups"] = []any{[]string{"leads"}} }, status: http.StatusBadGateway},
		"groups-number":    {provider: func(p *provider) { p.userinfo["groups"] = 7 }, status: http.StatusBadGateway},
		"down":             {provider: func(p *provider) { p.down = true }, status: http.StatusBadGateway},
		"other-state":      {callback: func(q url.Values) { q.Set("state", "of-another-attempt") }, status: http.StatusBadRequest},
		"no-state":         {callback: func(q url.Values) { q.Del("state") }, status: http.StatusBadRequest},
		"other-iss":        {callback: func(q url.Values) { q.Set("iss", "https://evil.example") }, status: http.StatusBadRequest},
		"other-code":       {callback: func(q url.Values) { q.Set("code", "x") }, status: http.StatusBadGateway},
		"refused":          {callback: func(q url.Values) { q.Del("code"); q.Set("error", "access_denied") }, status: http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			b := newBrowser(t)
			q := l.provider.agree(t, l.begin(b, "/"))
			if c.provider != nil {
				l.provider.set(c.provider)
			}
			if c.callback != nil {
				c.callback(q)
			}
			a := l.callback(b, q)
			if a.status != c.status || !strings.Contains(a.body, "Signing in did not work") {
				t.Errorf("%d, want %d\n%s", a.status, c.status, l.log)
			}
			if l.store.count() != 0 {
				t.Error("there is a session")
			}
			for _, secret := range []string{"an-access-token", clientSecret, "secret detail", q.Get("state")} {
				if secret != "" && (strings.Contains(a.body, secret) || strings.Contains(l.log.String(), secret)) {
					t.Errorf("%q got out:\n%s%s", secret, a.body, l.log)
				}
			}
		})
	}
}

func TestAttempt(t *testing.T) {
	l := newLab(t)
	t.Run("other-browser", func(t *testing.T) { // an attacker's answer in a victim's browser
		q := l.provider.agree(t, l.begin(newBrowser(t), "/"))
		if a := l.callback(newBrowser(t), q); a.status != http.StatusBadRequest {
			t.Errorf("%d", a.status)
		}
	})
	t.Run("two-attempts", func(t *testing.T) {
		b := newBrowser(t)
		q := l.provider.agree(t, l.begin(b, "/"))
		l.begin(b, "/")
		if a := l.callback(b, q); a.status != http.StatusBadRequest {
			t.Errorf("the older attempt: %d", a.status)
		}
	})
	t.Run("twice", func(t *testing.T) {
		b := newBrowser(t)
		q := l.provider.agree(t, l.begin(b, "/"))
		if a := l.callback(b, q); a.status != http.StatusSeeOther {
			t.Fatalf("first: %d", a.status)
		}
		if a := l.callback(b, q); a.status != http.StatusBadRequest {
			t.Errorf("second: %d", a.status)
		}
	})
	t.Run("too-late", func(t *testing.T) {
		b := newBrowser(t)
		q := l.provider.agree(t, l.begin(b, "/"))
		l.move(11 * time.Minute)
		if a := l.callback(b, q); a.status != http.StatusBadRequest {
			t.Errorf("%d", a.status)
		}
	})
	t.Run("forged", func(t *testing.T) {
		b := newBrowser(t)
		q := l.provider.agree(t, l.begin(b, "/"))
		at, _ := url.Parse(l.server.URL)
		for _, value := range []string{"", "e30", "%00", strings.Repeat("A", 3000)} {
			b.client.Jar.SetCookies(at, []*http.Cookie{{Name: "steelyard-sign-in", Value: value, Path: "/"}})
			if a := l.callback(b, q); a.status != http.StatusBadRequest {
				t.Errorf("cookie %.10q: %d", value, a.status)
			}
		}
	})
}

// TestFixation: a session number that somebody else chose never becomes a
// session.
func TestFixation(t *testing.T) {
	l := newLab(t)
	b := newBrowser(t)
	at, _ := url.Parse(l.server.URL)
	planted := strings.Repeat("A", 43)
	b.client.Jar.SetCookies(at, []*http.Cookie{{Name: "steelyard", Value: planted, Path: "/"}})
	l.signIn(b, "/")
	for _, c := range b.client.Jar.Cookies(at) {
		if c.Name == "steelyard" && c.Value == planted {
			t.Error("the planted number is the session")
		}
	}
	other := newBrowser(t)
	other.client.Jar.SetCookies(at, []*http.Cookie{{Name: "steelyard", Value: planted, Path: "/"}})
	if a := other.get(l.server.URL + "/"); strings.Contains(a.body, "secret page") {
		t.Error("who planted the number is in")
	}
}

func TestCookies(t *testing.T) {
	l := newLab(t)
	b := newBrowser(t)
	begin := b.get(l.server.URL + "/sign-in/oidc")
	end := l.callback(b, l.provider.agree(t, begin.location))
	for _, line := range append(begin.header.Values("Set-Cookie"), end.header.Values("Set-Cookie")...) {
		for _, want := range []string{"HttpOnly", "SameSite=Lax", "Path=/"} {
			if !strings.Contains(line, want) {
				t.Errorf("%s lacks %s", line, want)
			}
		}
		if strings.Contains(line, "Domain") {
			t.Errorf("%s is for a domain", line)
		}
	}
	for _, a := range []answer{begin, end} {
		if a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("an answer may be kept: %v", a.header)
		}
	}
}

func TestForms(t *testing.T) {
	l := newLab(t)
	b := newBrowser(t)
	l.signIn(b, "/")
	page := b.get(l.server.URL + "/").body
	token := page[strings.LastIndexByte(page, '|')+1:]
	if len(token) < 40 {
		t.Fatalf("the page has token %q", token)
	}
	other := newBrowser(t)
	l.signIn(other, "/")
	page = other.get(l.server.URL + "/").body
	foreign := page[strings.LastIndexByte(page, '|')+1:]
	for name, form := range map[string]url.Values{"none": {}, "empty": {"token": {""}}, "other-session": {"token": {foreign}}, "guess": {"token": {token[:42] + "x"}}} {
		if a := b.post(l.server.URL+"/pilots/new", form); a.status != http.StatusForbidden || strings.Contains(a.body, "secret page") {
			t.Errorf("%s: %d %q", name, a.status, a.body)
		}
	}
	if a := b.post(l.server.URL+"/pilots/new?token="+token, url.Values{}); a.status != http.StatusForbidden {
		t.Errorf("a token in the address: %d", a.status)
	}
	if a := b.post(l.server.URL+"/pilots/new", url.Values{"token": {token}, "big": {strings.Repeat("x", 2<<20)}}); a.status != http.StatusForbidden {
		t.Errorf("a form of 2 MB: %d", a.status)
	}
	if a := b.post(l.server.URL+"/pilots/new", url.Values{"token": {token}}); a.status != http.StatusOK {
		t.Errorf("a good form: %d %s", a.status, a.body)
	}
	if a := b.post(l.server.URL+"/sign-out", url.Values{}); a.status != http.StatusForbidden {
		t.Errorf("signing out by another site: %d", a.status)
	}
	a := b.post(l.server.URL+"/sign-out", url.Values{"token": {token}})
	if a.status != http.StatusSeeOther || a.location != "/sign-in?out" {
		t.Errorf("signing out: %d %q", a.status, a.location)
	}
	if a := b.get(l.server.URL + "/"); a.status != http.StatusSeeOther {
		t.Errorf("after signing out: %d %q", a.status, a.body)
	}
	if a := other.get(l.server.URL + "/"); a.status != http.StatusOK {
		t.Errorf("the other session: %d", a.status)
	}
}

func TestSessionsEnd(t *testing.T) {
	l := newLab(t)
	b := newBrowser(t)
	in := func() bool { return b.get(l.server.URL+"/").status == http.StatusOK }
	l.signIn(b, "/")
	for range 3 { // visits keep it alive
		l.move(3*time.Hour + 50*time.Minute)
		if !in() {
			t.Fatal("it ended while it was used")
		}
	}
	l.move(time.Hour)
	if in() {
		t.Error("it lives longer than twelve hours")
	}
	l.signIn(b, "/")
	l.move(4*time.Hour + time.Minute)
	if in() {
		t.Error("it lives while nobody uses it")
	}
	l.signIn(b, "/")
	l.move(-48 * time.Hour)
	if in() {
		t.Error("a clock that was set back makes it longer")
	}
}

func TestStoreFails(t *testing.T) {
	l := newLab(t)
	b := newBrowser(t)
	l.signIn(b, "/")
	l.store.err = errors.New("database is locked: /var/lib/x.db")
	a := b.get(l.server.URL + "/")
	if a.status != http.StatusServiceUnavailable || strings.Contains(a.body, "/var/lib") || strings.Contains(a.body, "secret page") {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// TestProviderLater: the dashboard starts while the provider is down.
func TestProviderLater(t *testing.T) {
	l := newLab(t)
	l.provider.set(func(p *provider) { p.down = true })
	b := newBrowser(t)
	if a := b.get(l.server.URL + "/sign-in/oidc"); a.status != http.StatusBadGateway {
		t.Errorf("while it is down: %d", a.status)
	}
	l.provider.set(func(p *provider) { p.down = false })
	if a := l.signIn(b, "/"); a.status != http.StatusSeeOther {
		t.Errorf("afterwards: %d", a.status)
	}
}

func TestWhereToGo(t *testing.T) {
	l := newLab(t)
	for to, want := range map[string]string{
		"/pilots/a?x=1&y=2":             "/pilots/a?x=1&y=2",
		"":                              "/",
		"//evil.example":                "/",
		"///evil.example":               "/",
		`/\evil.example`:                "/",
		"https://evil.example":          "/",
		"javascript:alert(1)":           "/",
		"/a/..//evil.example":           "/evil.example",
		"/%2F/evil.example":             "/evil.example",
		"/.//evil.example":              "/evil.example",
		"\t//evil.example":              "/",
		"/a\r\nSet-Cookie: x=1":         "/",
		"/sign-in/oidc":                 "/",
		"/" + strings.Repeat("a", 5000): "/",
	} {
		b := newBrowser(t)
		if a := l.signIn(b, to); a.location != want {
			t.Errorf("to %.40q leads to %q, want %q", to, a.location, want)
		}
	}
}

func FuzzWhereToGo(f *testing.F) {
	for _, s := range []string{"/", "//a", `/\a`, "/a/../..//b", "/%2f%2fa", "/a?b=//c", "/;a", "/a#//b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, to string) {
		got := signin.Within(to)
		at, err := url.Parse("https://steelyard.example" + "/sign-in")
		if err != nil {
			t.Fatal(err)
		}
		u, err := at.Parse(got)
		if err != nil || u.Host != "steelyard.example" || u.Scheme != "https" || !strings.HasPrefix(got, "/") || strings.HasPrefix(got, "//") || strings.ContainsAny(got, "\\\r\n\t") {
			t.Fatalf("%q leads to %q (%v)", to, got, err)
		}
	})
}
