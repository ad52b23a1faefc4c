package registry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"steelyard/lint/dependencies"
	"steelyard/lint/dependencies/registry"
)

// today is the day on which every test runs.
var today = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func daysAgo(n int) time.Time { return today.AddDate(0, 0, -n) }

// pkg is what a fake registry has under a name.
type pkg struct {
	days       int // since it was first published
	versions   int // 1.0.0, 1.1.0, …; 3 where 0
	licence    string
	none       bool // it states no licence
	downloads  int64
	deprecated string
	yanked     string
	script     string
	malicious  bool
	held       bool // security holding
	quarantine string
	withdrawn  bool // unpublished
	copied     bool // the times are those of copying
	untimed    bool // no creation time
}

func (p pkg) count() int {
	if p.versions > 0 {
		return p.versions
	}
	return 3
}

func (p pkg) numbers() []string {
	var list []string
	for i := range p.count() {
		list = append(list, fmt.Sprintf("1.%d.0", i))
	}
	return list
}

// at is the time of a version: spread between the first day and today, or all
// within a minute where they are those of copying.
func (p pkg) at(i int) time.Time {
	if p.copied {
		return today.Add(-30*time.Hour + time.Duration(i)*time.Second)
	}
	first := daysAgo(p.days)
	return first.Add(today.Sub(first) / time.Duration(p.count()+1) * time.Duration(i))
}

func (p pkg) license() string {
	if p.none {
		return ""
	}
	if p.licence == "" {
		return "MIT"
	}
	return p.licence
}

// shelf is what every fake registry has. A name's first part is the case.
var shelf = map[string]pkg{
	"existing":    {days: 1900, downloads: 9_000_000},
	"young":       {days: 2, versions: 1, downloads: 20},
	"five-years":  {days: 1830, downloads: 40_000},
	"seldom":      {days: 100, downloads: 40},
	"copyleft":    {days: 1900, downloads: 40_000, licence: "GPL-3.0-only"},
	"choice":      {days: 1900, downloads: 40_000, licence: "MIT OR GPL-3.0-only"},
	"odd-licence": {days: 1900, downloads: 40_000, licence: "SEE LICENSE IN EULA.txt"},
	"unlicensed":  {days: 1900, downloads: 40_000, none: true},
	"deprecated":  {days: 1900, downloads: 40_000, deprecated: "use something else"},
	"yanked":      {days: 1900, downloads: 40_000, yanked: "breaks everything"},
	"scripted":    {days: 1900, downloads: 40_000, script: "postinstall"},
	"malicious":   {days: 400, downloads: 40_000, malicious: true},
	"held":        {days: 900, versions: 1, held: true},
	"quarantined": {days: 90, quarantine: "under review"},
	"unpublished": {days: 300, withdrawn: true},
	"copied":      {days: 1900, versions: 8, downloads: 40_000, copied: true},
	"untimed":     {days: 1900, versions: 3, downloads: 40_000, untimed: true},
}

// reply is what a form answers about a path.
type reply struct {
	status int
	mime   string
	body   string
	header map[string]string
}

// form is how one ecosystem's registry answers.
type form struct {
	ecosystem dependencies.Ecosystem
	// name turns a case into a name of the ecosystem, and back.
	name func(string) string
	// answer answers a path; the second result is the case, "" for a path
	// that belongs to no package.
	answer func(f *fake, path string) (reply, string)
	// missing is the registry's own 404.
	missing reply
	// cases are those of the shelf that this ecosystem can have.
	cases []string
}

// fake is a registry on this machine.
type fake struct {
	*httptest.Server
	form form
}

func newFake(t testing.TB, f form) *fake {
	t.Helper()
	s := &fake{form: f}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP answers in the registry's form, or as the case in the path says.
func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/v1/querybatch" {
		osvAnswer(w, r)
		return
	}
	path := r.URL.EscapedPath()
	rep, name := f.form.answer(f, path)
	switch name {
	case "missing":
		rep = f.form.missing
	case "missing-empty":
		rep = reply{status: 404}
	case "forbidden":
		rep = reply{status: 403, body: "This package is not available."}
	case "sign-in":
		rep = reply{status: 401, header: map[string]string{"WWW-Authenticate": "Basic"}}
	case "busy":
		rep = reply{status: 429, header: map[string]string{"Retry-After": "3600"}}
	case "broken":
		rep = reply{status: 500, body: "oops"}
	case "slow":
		<-r.Context().Done()
		return
	case "truncated":
		rep, _ = f.form.answer(f, strings.ReplaceAll(path, "truncated", "existing"))
		w.Header().Set("Content-Type", rep.mime)
		w.Header().Set("Content-Length", fmt.Sprint(len(rep.body)))
		_, _ = w.Write([]byte(rep.body[:len(rep.body)/2])) // it is cut on purpose
		return
	case "garbage":
		rep = reply{status: 200, mime: "text/html", body: "<html><body>Please log in to the proxy</body></html>"}
	}
	for k, v := range rep.header {
		w.Header().Set(k, v)
	}
	if rep.mime != "" {
		w.Header().Set("Content-Type", rep.mime)
	}
	if rep.status == 0 {
		rep.status = http.StatusOK
	}
	w.WriteHeader(rep.status)
	_, _ = w.Write([]byte(rep.body)) // a client that went away is its own matter
}

// osvAnswer calls every package malicious that is named so.
func osvAnswer(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Queries []struct {
			Package struct{ Name string }
			Version string
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	type vuln struct {
		ID string `json:"id"`
	}
	type result struct {
		Vulns []vuln `json:"vulns,omitempty"`
	}
	var out struct {
		Results []result `json:"results"`
	}
	for _, one := range q.Queries {
		res := result{Vulns: []vuln{{"GHSA-aaaa-bbbb-cccc"}}}
		if strings.Contains(one.Package.Name, "malicious") && one.Version != "" {
			res.Vulns = append(res.Vulns, vuln{"MAL-2026-1"})
		}
		out.Results = append(out.Results, res)
	}
	_ = json.NewEncoder(w).Encode(out) // a client that went away is its own matter
}

// options ask the fake and nobody else. Waiting takes no time.
func (f *fake) options(address string, extra map[string]string) registry.Options {
	settings := map[string]string{
		registry.Environment(f.form.ecosystem): address,
		registry.EnvDepsDev:                    registry.Off, registry.EnvOSV: f.URL, registry.EnvNPMDownloads: f.URL,
	}
	for k, v := range extra {
		settings[k] = v
	}
	return registry.Options{
		Addresses: registry.Discover(registry.World{}, settings),
		Now:       func() time.Time { return today },
		Sleep:     func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Timeout:   time.Minute,
	}
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
