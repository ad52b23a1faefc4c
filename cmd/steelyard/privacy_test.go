package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"steelyard/internal/github/githubtest"
	"steelyard/lint/history"
	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/rules"
	"steelyard/web"
)

// Logins that can be nothing else. Two people are a team of their own, which is
// too small to be shown.
func logins() (alpha, beta, tiny []string) {
	for i := range 6 {
		alpha = append(alpha, fmt.Sprintf("qqalpha%dxy", i))
		beta = append(beta, fmt.Sprintf("qqbeta%dxy", i))
	}
	return alpha, beta, []string{"qqtiny0xy", "qqtiny1xy"}
}

var anyLogin = regexp.MustCompile(`(?i)qq(alpha|beta|tiny|rev)\w*xy`)

// peopled is a database that was read from a GitHub full of people: authors,
// reviewers, people named in titles, texts and commits.
func peopled(t *testing.T) string {
	t.Helper()
	w := githubtest.New(githubtest.Options{Token: "github_pat_of_the_test"})
	alpha, beta, tiny := logins()
	from := time.Date(2026, 2, 2, 9, 0, 0, 0, time.UTC)
	for k, people := range [][]string{alpha, beta, tiny} {
		name := "acme/" + []string{"alpha", "beta", "gamma"}[k]
		w.Repository(name)
		for i := range 20 * len(people) {
			author := people[i%len(people)]
			n := w.Open(name, githubtest.Pull{
				Author: author, Title: "Change by " + author, Body: "Asked for by @" + author, Created: from.Add(time.Duration(i) * 23 * time.Hour),
				Labels: []string{"of-" + author}, Assignees: []string{author},
			})
			w.Review(name, n, w.Person("qqrev0xy"), "APPROVED")
			if i%7 > 0 {
				w.Merge(name, n, "qqrev0xy", "Merged for "+author)
			}
		}
	}
	s, err := w.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	var members strings.Builder
	for k, people := range [][]string{alpha, beta, tiny} {
		for _, p := range people {
			fmt.Fprintf(&members, "    - {account: %s, team: %s}\n", p, []string{"alpha", "beta", "gamma"}[k])
		}
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "steelyard.yaml")
	if err := os.WriteFile(config, []byte("teams:\n  members:\n"+members.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	db := "sqlite:" + filepath.Join(dir, "people.db")
	env := map[string]string{"STEELYARD_GITHUB_URL": s.URL, "GITHUB_TOKEN": "github_pat_of_the_test"}
	for _, args := range [][]string{
		{"ingest", "acme/alpha", "acme/beta", "acme/gamma"},
		{"pilot", "define", "alpha", "--treated", "alpha=2026-04-06", "--outcome", "open_to_merge", "--outcome", "size", "--counter", "reverts"},
		{"pilot", "define", "gamma", "--treated", "gamma=2026-03-09", "--outcome", "open_to_merge"},
	} {
		var out, log bytes.Buffer
		p := program{
			stdin: strings.NewReader(""), stdout: &out, stderr: &log, now: time.Now,
			env: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		}
		if code := p.run(t.Context(), append([]string{"--config", config, args[0]}, append(args[1:], "--db", db)...)); code != exitClean {
			t.Fatalf("%v: %d\n%s\n%s", args, code, &out, &log)
		}
	}
	return db
}

// TestNobodyIsNamed searches everything that the dashboard serves, and every
// report and digest, for the people of a database that is full of them; and
// for the numbers of a team that is too small.
func TestNobodyIsNamed(t *testing.T) {
	url := peopled(t)
	if raw, err := os.ReadFile(strings.TrimPrefix(url, "sqlite:")); err != nil || len(anyLogin.FindAll(raw, -1)) < 14 {
		t.Fatalf("the database holds no people: %v", err)
	}
	db, err := migrations.Open(t.Context(), url, migrations.Options{MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	st := store.New(db, time.Now)
	reports := metrics.NewReporter(st)
	o := web.Options{Reports: reports, Findings: history.New(db), Rules: rules.All}
	pageSources{db: db, store: st, reports: reports, now: time.Now}.fill(&o)
	pages, err := web.New(o)
	if err != nil {
		t.Fatal(err)
	}
	seen := crawl(t, pages)
	if len(seen) < 100 {
		t.Errorf("only %d addresses were searched", len(seen))
	}
	for _, must := range []string{"/pilots/alpha/pull-requests.csv", "/pilots/alpha/pull-requests", "/data", "/pilots/alpha/edit", "/pilots/alpha/figures/spread/open_to_merge.csv"} {
		if _, ok := seen[must]; !ok {
			t.Errorf("%s was not searched", must)
		}
	}
	for address, body := range seen {
		if who := anyLogin.FindString(body); who != "" {
			at := strings.Index(body, who)
			t.Errorf("%s names %s: …%s…", address, who, body[max(0, at-80):min(len(body), at+40)])
		}
	}
	if body := seen["/pilots/gamma"]; !strings.Contains(body, "The group is too small to be shown") || strings.Contains(body, "data-v=") {
		t.Error("a team of two has numbers")
	}
	if body := seen["/pilots/alpha/pull-requests.csv"]; strings.Contains(body, "gamma") || strings.Count(body, "\n") < 100 {
		t.Errorf("the list holds a team of two, or nothing: %.300s", body)
	}
	for _, args := range [][]string{
		{"report", "alpha"},
		{"report", "alpha", "--format", "md"},
		{"report", "alpha", "--format", "json"},
		{"report", "alpha", "--format", "html"},
		{"digest", "--days", "200"},
		{"pilot", "show", "alpha"},
	} {
		var out bytes.Buffer
		code, stderr := run(t, t.Context(), &out, append(args, "--db", url)...)
		if code != exitClean {
			t.Errorf("%v: %d, %s", args, code, stderr)
		}
		if who := anyLogin.FindString(out.String()); who != "" {
			t.Errorf("%v names %s", args, who)
		}
	}
}

var address = regexp.MustCompile(`(?:href|src|action|data-poll)="(/[^"]*)"`)

// crawl asks for everything that the first page leads to, and what is asked
// for without a link.
func crawl(t *testing.T, h http.Handler) map[string]string {
	t.Helper()
	seen := map[string]string{}
	queue := []string{"/", "/pilots/new", "/pilots/alpha/edit", "/data/work", "/pilots/alpha/pull-requests?state=open", "/pilots/alpha/pull-requests?team=gamma", "/figures/pilots.json"}
	for len(queue) > 0 && len(seen) < 1500 {
		to := queue[0]
		queue = queue[1:]
		if i := strings.IndexByte(to, '#'); i >= 0 {
			to = to[:i]
		}
		if _, ok := seen[to]; ok {
			continue
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, to, nil))
		if w.Code >= 500 {
			t.Errorf("%s: status %d", to, w.Code)
		}
		seen[to] = fmt.Sprint(w.Header()) + "\n" + unpacked(w)
		if strings.HasPrefix(to, "/docs/") { // the manual names nobody; one level of it is enough
			continue
		}
		for _, m := range address.FindAllStringSubmatch(seen[to], -1) {
			link := html.UnescapeString(m[1])
			if _, err := url.Parse(link); err == nil {
				queue = append(queue, link)
			}
		}
	}
	return seen
}

func unpacked(w *httptest.ResponseRecorder) string {
	if w.Header().Get("Content-Encoding") == "gzip" {
		if z, err := gzip.NewReader(w.Body); err == nil {
			if b, err := io.ReadAll(z); err == nil {
				return string(b)
			}
		}
	}
	return w.Body.String()
}
