package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"steelyard/lint"
	"steelyard/rules"
)

func guardHandler(t *testing.T, o Options) http.Handler {
	t.Helper()
	o.Rules = rules.All
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestGuardPages(t *testing.T) {
	h := guardHandler(t, guardOptions(someGuards()))
	for _, c := range []struct {
		url    string
		status int
		holds  []string
		lacks  []string
	}{
		{"/guardrails", 200, []string{"8 weeks ago", "copilot-instructions.md, owned", "payments.instructions.md, nobody owns it", "GitHub Copilot", "@acme/platform", `href="/guardrails/matrix/1.csv"`, `href="/guardrails/rules.csv"`, "Both repositories here let somebody change unseen"}, []string{"@someone"}},
		{"/guardrails?rule=MC002&page=1", 200, []string{`href="/guardrails/findings.csv?rule=MC002"`}, nil},
		{"/guardrails/matrix/1.csv", 200, []string{"repository,assistant,files", "acme/ledger,Claude Code,CLAUDE.md,1"}, []string{"@someone"}},
		{"/guardrails/matrix/1.json", 200, []string{`"matrix"`}, nil},
		{"/guardrails/matrix/1.svg", 200, []string{"<svg", "Claude Code"}, nil},
		{"/guardrails/matrix/2.csv", 404, nil, nil},
		{"/guardrails/matrix/x.csv", 404, nil, nil},
		{"/guardrails/rules.csv", 200, []string{"MC001,mcp-literal-secret,error,1,1"}, nil},
		{"/guardrails/repositories.json", 200, []string{"acme/ledger"}, nil},
		{"/guardrails/findings.csv?repository=acme/ledger", 200, []string{"repository,rule"}, []string{"MC001"}},
		{"/guardrails/other.csv", 404, nil, nil},
		{"/servers", 200, []string{"3 MCP servers in use:", "two wait", "@acme/browser-server", "moves in 1 of 2 entries", "written out", "approved", "f9Qa"}, nil},
		{"/servers?pin=moves", 200, []string{"@acme/browser-server"}, []string{"mcp.sentry.example/mcp"}},
		{"/servers?approval=decided", 200, []string{"mcp.sentry.example/mcp"}, []string{"@acme/browser-server"}},
		{"/servers?repository=none", 200, []string{"No server fits"}, nil},
		{"/servers.csv?secrets=literal", 200, []string{"@acme/browser-server"}, []string{"sentry"}},
		{"/servers.json", 200, []string{"https://mcp.sentry.example/mcp"}, nil},
		{"/dependencies", 200, []string{"One waits for a person", "among 3 new dependencies", "one was refused and is still there", "react-checkout-helpers", "6 days", "41 a month", "12 million a month", "12 years", "refused by platform team"}, nil},
		{"/dependencies?state=waiting", 200, []string{"react-checkout-helpers"}, []string{"left-pad"}},
		{"/dependencies?page=9", 404, nil, nil},
		{"/dependencies.csv", 200, []string{"npm:react-checkout-helpers", "npm:left-pad"}, nil},
		{"/dependencies/decide?subject=npm:react-checkout-helpers", 200, []string{"Record the decision", "every version", "1.0.0 alone", "Nobody has decided yet"}, []string{"although it is judged block"}},
		{"/dependencies/decide?subject=npm:crossenv", 200, []string{"although it is judged block", "it is not cross-env"}, []string{"To commit"}},
		{"/dependencies/decide?subject=npm:other", 404, nil, nil},
		{"/dependencies/decide", 404, nil, nil},
		{"/servers/decide?subject=package:@acme/browser-server", 200, []string{"acme/ledger", ".mcp.json:4"}, nil},
		{"/", 200, []string{"new dependencies wait for a person"}, nil},
	} {
		t.Run(strings.NewReplacer("/", "-", "?", "-").Replace(c.url), func(t *testing.T) {
			w := get(t, h, c.url)
			if w.Code != c.status {
				t.Fatalf("status %d, want %d", w.Code, c.status)
			}
			body := w.Body.String()
			for _, s := range c.holds {
				if !strings.Contains(body, s) {
					t.Errorf("%q is missing", s)
				}
			}
			for _, s := range c.lacks {
				if strings.Contains(body, s) {
					t.Errorf("%q is there", s)
				}
			}
		})
	}
}

func post(t *testing.T, h http.Handler, address string, form url.Values, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, address, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// A decision becomes a record, a line of the trail and lines to commit.
func TestDecide(t *testing.T) {
	m := someGuards()
	h := guardHandler(t, guardOptions(m))
	const address = "/dependencies/decide?subject=npm%3Areact-checkout-helpers"
	form := url.Values{"about": {"npm:react-checkout-helpers@1.0.0"}, "verdict": {"allowed"}, "reason": {"read, 40 lines"}, "owner": {"platform team"}, "until": {"2027-01-31"}}
	w := post(t, h, address, form, "Sec-Fetch-Site", "same-origin")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != address {
		t.Fatalf("status %d to %q: %s", w.Code, w.Header().Get("Location"), w.Body)
	}
	body := get(t, h, address).Body.String()
	for _, want := range []string{"To commit", "- package: &#34;npm:react-checkout-helpers@1.0.0&#34;", "until: 2027-01-31", "read, 40 lines", "1 decision, newest first"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for name, change := range map[string]func(url.Values){
		"no reason": func(f url.Values) { f.Set("reason", "") }, "a person": func(f url.Values) { f.Set("owner", "@someone") },
		"another package": func(f url.Values) { f.Set("about", "npm:left-pad") }, "no day": func(f url.Values) { f.Set("until", "soon") },
		"over": func(f url.Values) { f.Set("until", "2020-01-01") }, "no verdict": func(f url.Values) { f.Set("verdict", "") },
	} {
		wrong := url.Values{}
		for k, v := range form {
			wrong[k] = append([]string{}, v...)
		}
		change(wrong)
		w := post(t, h, address, wrong)
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "Not recorded.") {
			t.Errorf("%s: status %d", name, w.Code)
		}
	}
	if w := post(t, h, address, form, "Sec-Fetch-Site", "cross-site"); w.Code == http.StatusSeeOther {
		t.Error("a form of another site is taken")
	}
	if n := len(*m.decisions); n != 2 {
		t.Errorf("%d decisions are recorded", n)
	}
	// Who may only read sees no form and is refused.
	o := guardOptions(m)
	o.Visitor = func(*http.Request) Visitor { return Visitor{Name: "reader"} }
	reader := guardHandler(t, o)
	if body := get(t, reader, address).Body.String(); strings.Contains(body, `method="post"`) || !strings.Contains(body, "Only an admin") {
		t.Error("a reader sees the form")
	}
	if w := post(t, reader, address, form); w.Code == http.StatusSeeOther || len(*m.decisions) != 2 {
		t.Error("a reader may decide")
	}
	// An admin's name stays out, and the form carries the token.
	o.Visitor = func(*http.Request) Visitor {
		return Visitor{Name: "someone@example.com", MayChange: true, FormToken: "t0ken"}
	}
	admin := guardHandler(t, o)
	post(t, admin, "/servers/decide?subject=host:mcp.sentry.example", url.Values{"verdict": {"refused"}, "reason": {"not needed"}, "owner": {"platform team"}})
	body = get(t, admin, "/servers/decide?subject=host:mcp.sentry.example").Body.String()
	if strings.Contains(body, "someone@") || !strings.Contains(body, "by an admin") || !strings.Contains(body, `name="token" value="t0ken"`) {
		t.Error("the trail names a person, or the token is missing")
	}
}

func TestGuardPagesWithoutAnything(t *testing.T) {
	empty := guardHandler(t, guardOptions(memoryGuard{decisions: &[]lint.Decision{}}))
	none := guardHandler(t, Options{Reports: fullReports()})
	for _, h := range []http.Handler{empty, none} {
		for address, want := range map[string]string{"/servers": "No MCP server is known yet", "/dependencies": "No dependency is watched yet"} {
			if w := get(t, h, address); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %d", address, w.Code)
			}
		}
	}
	for _, address := range []string{"/servers.csv", "/dependencies.csv", "/guardrails/rules.csv", "/guardrails/matrix/1.csv", "/servers/decide?subject=x"} {
		if w := get(t, none, address); w.Code != 404 {
			t.Errorf("%s: %d", address, w.Code)
		}
	}
	broken := someGuards()
	broken.err = errBroken
	h := guardHandler(t, guardOptions(broken))
	for _, address := range []string{"/guardrails", "/servers", "/dependencies", "/servers.csv", "/dependencies.csv", "/guardrails/matrix/1.csv", "/dependencies/decide?subject=npm:left-pad"} {
		if w := get(t, h, address); w.Code != 500 || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: %d", address, w.Code)
		}
	}
}

// Text from repositories and registries never becomes markup.
func TestGuardTextIsNeverMarkup(t *testing.T) {
	const bad = `<script>alert(1)</script>"'&`
	m := someGuards()
	for i := range m.servers {
		m.servers[i].Repository, m.servers[i].Name, m.servers[i].Command, m.servers[i].Target, m.servers[i].Version, m.servers[i].Kind = bad, bad, bad, bad, bad, "package"
	}
	for i := range m.deps {
		d := &m.deps[i]
		d.Repository, d.Name, d.Subject, d.Version, d.Evidence, d.Licences, d.Path, d.Rules = bad, bad, "npm:"+bad, bad, []string{bad}, []string{bad}, bad, []string{bad}
	}
	h := guardHandler(t, guardOptions(m))
	for _, address := range []string{"/servers", "/dependencies", "/guardrails", "/dependencies/decide?subject=" + url.QueryEscape("npm:"+bad), "/servers/decide?subject=" + url.QueryEscape("package:"+bad)} {
		w := get(t, h, address)
		if w.Code != 200 || strings.Contains(w.Body.String(), "<script>alert") {
			t.Errorf("%s: %d, text became markup", address, w.Code)
		}
	}
}

// Five hundred repositories stay pages of a size that loads.
func TestManyRepositories(t *testing.T) {
	m := someGuards()
	scans := memoryFindings{}
	one := m
	m.files, m.servers, m.deps = nil, nil, nil
	for i := range 500 {
		name := fmt.Sprintf("acme/service-%03d", i)
		s := someFindings().scans[0]
		s.Repository = name
		scans.scans = append(scans.scans, s)
		for _, f := range one.files[:3] {
			f.Repository = name
			m.files = append(m.files, f)
		}
		for _, v := range one.servers {
			v.Repository = name
			m.servers = append(m.servers, v)
		}
		for _, d := range one.deps {
			d.Repository = name
			m.deps = append(m.deps, d)
		}
	}
	o := guardOptions(m)
	o.Findings = scans
	h := guardHandler(t, o)
	const most = 150 << 10
	for _, address := range []string{"/guardrails", "/guardrails?repositories=34", "/servers", "/dependencies", "/dependencies?page=30"} {
		w := get(t, h, address)
		if w.Code != 200 || w.Body.Len() > most {
			t.Errorf("%s: status %d, %d bytes", address, w.Code, w.Body.Len())
		}
	}
	if body := get(t, h, "/guardrails?repositories=34").Body.String(); !strings.Contains(body, "acme/service-499") || !strings.Contains(body, "/guardrails/matrix/34.csv") {
		t.Error("the last page of repositories")
	}
}

var _ lint.OverviewStore = memoryGuard{}
