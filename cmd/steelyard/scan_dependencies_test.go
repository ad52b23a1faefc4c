package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"steelyard/lint"
	"steelyard/lint/history"
	"steelyard/migrations"
)

// npmOf is an npm registry that knows two packages and counts its requests.
func npmOf(t *testing.T, asked *atomic.Int64) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		created := map[string]string{"/old": "2015-01-01T00:00:00Z", "/young": "2026-02-27T00:00:00Z"}[r.URL.Path]
		if created == "" {
			w.WriteHeader(http.StatusNotFound)
			_, _ = fmt.Fprint(w, `{"error": "Not found"}`)
			return
		}
		_, _ = fmt.Fprintf(w, `{"name": %q, "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": {"license": "MIT", "dist": {}}}, "time": {"created": %q, "1.0.0": %q}}`, r.URL.Path[1:], created, created)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// Dependencies that the scan before did not see are judged, and again until
// they are fine or gone.
func TestScanTellsNewDependencies(t *testing.T) {
	var asked atomic.Int64
	db := filepath.Join(t.TempDir(), "steelyard.db")
	dir := t.TempDir()
	now := time.Date(2026, time.March, 2, 9, 30, 0, 0, time.UTC)
	env := map[string]string{
		"STEELYARD_REGISTRY_NPM": npmOf(t, &asked), "STEELYARD_REGISTRY_NPM_DOWNLOADS": "off", "STEELYARD_DEPSDEV": "off", "STEELYARD_OSV": "off",
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	scan := func(flags ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		p := &program{
			stdin: strings.NewReader(""), stdout: &out, stderr: &errs, now: func() time.Time { return now },
			env: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		}
		if code := p.run(t.Context(), append([]string{"scan", dir, "--repository", "acme/web", "--db", "sqlite:" + db}, flags...)); code != 0 {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		return out.String()
	}
	stand := func() string {
		t.Helper()
		d, err := migrations.Open(t.Context(), "sqlite:"+db, migrations.Options{MustExist: true})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		page, err := history.New(d).NewDependencies(t.Context(), lint.DependencyFilter{Today: now})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, n := range page.Dependencies {
			all = append(all, fmt.Sprintf("%s %s %s", n.Subject, n.Judgement, n.State))
		}
		return strings.Join(all, "; ")
	}
	says := func(step, got, want string) {
		t.Helper()
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q does not hold %q", step, got, want)
		}
	}

	write("package.json", `{"dependencies": {"here-before": "1.0.0"}}`)
	says("first", scan(), "told from the next scan on")
	says("first", stand(), "")
	write("package.json", `{"dependencies": {"here-before": "1.0.0", "old": "1.0.0", "young": "1.0.0", "nowhere": "1.0.0"}}`)
	says("offline", scan("--offline"), "3 judged: 3 unverified")
	if n := asked.Load(); n != 0 {
		t.Errorf("offline, %d requests were made", n)
	}
	says("online", scan(), "3 judged: 1 block, 1 ask, 1 ok")
	says("online", stand(), "npm:nowhere block waiting; npm:young ask waiting; npm:old ok ok")
	before := asked.Load()
	says("again", scan(), "2 judged: 1 block, 1 ask")
	if n := asked.Load(); n != before {
		t.Errorf("what is in the database was asked again: %d requests", n-before)
	}
	write("steelyard.yaml", "dependencies:\n  allow:\n    - package: npm:young\n      reason: read\n      owner: platform team\n")
	write("package.json", `{"dependencies": {"here-before": "1.0.0", "old": "1.0.0", "young": "1.0.0"}}`)
	scan()
	says("decided and gone", stand(), "npm:old ok ok; npm:young ok ok; npm:nowhere block gone")
	says("none", scan(), "none is new")
	now = now.Add(365 * 24 * time.Hour)
	base := t.TempDir()
	says("base", scan("--base", base), "3 judged: 1 block, 2 ok") // the first scan took one for granted
}
