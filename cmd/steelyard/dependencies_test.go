package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// dependencyRun runs one command line against a registry on this machine.
type dependencyRun struct {
	code           int
	stdout, stderr string
}

// fakeNPM has "old" since years, "young" since two days, "copyleft" under the
// AGPL, and answers 403 for "refused". Every other name is not there.
func fakeNPM(t *testing.T, now time.Time, asked *atomic.Int64) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		created, licence := now.AddDate(-5, 0, 0), "MIT"
		switch r.URL.Path {
		case "/old":
		case "/young":
			created = now.AddDate(0, 0, -2)
		case "/copyleft":
			licence = "AGPL-3.0-only"
		case "/refused":
			w.WriteHeader(http.StatusForbidden)
			return
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"error":"Not found"}`))
			return
		}
		_, _ = fmt.Fprintf(w, `{"name":"x","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"license":%q}},"time":{"created":%q,"1.0.0":%[2]q}}`,
			licence, created.Format(time.RFC3339))
	}))
	t.Cleanup(s.Close)
	return s
}

// folders makes two folders with a package.json each.
func folders(t *testing.T, before, after string) (base, head string) {
	t.Helper()
	dir := t.TempDir()
	for name, list := range map[string]string{"before": before, "after": after} {
		deps := map[string]string{}
		for _, one := range strings.Fields(list) {
			deps[one] = "1.0.0"
		}
		text, err := json.Marshal(map[string]any{"dependencies": deps})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "package.json"), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "before"), filepath.Join(dir, "after")
}

func runDependencies(t *testing.T, now time.Time, env map[string]string, args ...string) dependencyRun {
	t.Helper()
	var out, errs bytes.Buffer
	p := &program{
		stdin: strings.NewReader(""), stdout: &out, stderr: &errs, now: func() time.Time { return now },
		env: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
	}
	code := p.run(t.Context(), append([]string{"dependencies"}, args...))
	return dependencyRun{code, out.String(), errs.String()}
}

func TestDependencies(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var asked atomic.Int64
	server := fakeNPM(t, now, &asked)
	env := map[string]string{"STEELYARD_REGISTRY_NPM": server.URL, "STEELYARD_DEPSDEV": "off", "STEELYARD_OSV": "off"}
	for _, c := range []struct {
		name, before, after string
		args                []string
		code                int
		says                []string
	}{
		{"nothing new", "old", "old", nil, 0, []string{"No new dependencies"}},
		{"fine", "", "old", nil, 0, []string{"ok", "first published 5 years ago", "licence MIT", "1 new or changed: 1 ok"}},
		{"missing", "", "gone old", nil, 1, []string{"block", `npm has no package "gone"`, "[DP001]"}},
		{"missing, reported alone", "", "gone", []string{"--fail-on", "never"}, 0, []string{"block"}},
		{"young", "", "young", nil, 0, []string{"ask", "first published 2 days ago"}},
		{"young, named", "", "young", []string{"--fail-on", "block,ask"}, 1, []string{"ask"}},
		{"licence", "", "copyleft", []string{"--fail-on", "legal"}, 1, []string{"legal", "network copyleft"}},
		{"refused", "", "refused", nil, 0, []string{"unverified", "403"}},
		{"refused, required", "", "refused", []string{"--require-verified"}, 1, []string{"unverified"}},
		{"refused, named", "", "refused", []string{"--fail-on", "unverified"}, 1, []string{"unverified"}},
		{"offline", "", "old gone", []string{"--offline"}, 0, []string{"2 new or changed: 2 unverified", "offline"}},
		{"offline, required", "", "old", []string{"--offline", "--require-verified"}, 1, []string{"offline"}},
		{"capped", "", "old young refused", []string{"--cap", "1"}, 0, []string{"not checked: npm:refused@1.0.0, npm:young@1.0.0 (more than 1 names are new"}},
		{"capped, required", "", "old young", []string{"--cap", "1", "--require-verified"}, 1, nil},
		{"misspelt judgement", "", "old", []string{"--fail-on", "blok"}, 2, nil},
		{"markdown", "", "gone", []string{"--format", "markdown"}, 1, []string{"### New dependencies", "| **block** | `npm:gone@1.0.0` | `package.json:1` |"}},
		{"sarif", "", "gone", []string{"--format", "sarif"}, 0, []string{`"ruleId": "DP001"`, `"version": "2.1.0"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, head := folders(t, c.before, c.after)
			got := runDependencies(t, now, env, append([]string{"--base", base, "--head", head, "--cache-dir", "off"}, c.args...)...)
			if got.code != c.code {
				t.Errorf("exit code %d, want %d\n%s%s", got.code, c.code, got.stdout, got.stderr)
			}
			for _, s := range c.says {
				if !strings.Contains(got.stdout, s) {
					t.Errorf("it does not say %q:\n%s%s", s, got.stdout, got.stderr)
				}
			}
		})
	}
	asked.Store(0)
	base, head := folders(t, "", "old")
	for range 2 {
		runDependencies(t, now, env, "--base", base, "--head", head, "--cache-dir", filepath.Join(t.TempDir(), "..", "cache"))
	}
	if asked.Load() != 1 {
		t.Errorf("asked %d times with a cache", asked.Load())
	}
}

// TestDependenciesJSON holds the form that programs read.
func TestDependenciesJSON(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var asked atomic.Int64
	server := fakeNPM(t, now, &asked)
	env := map[string]string{"STEELYARD_REGISTRY_NPM": server.URL, "STEELYARD_DEPSDEV": "off", "STEELYARD_OSV": "off"}
	base, head := folders(t, "", "gone")
	got := runDependencies(t, now, env, "--base", base, "--head", head, "--cache-dir", "off", "--format", "json")
	var r struct {
		Version int
		Added   []struct {
			Ecosystem, Name, Version, Path, Source, Judgement string
			Line                                              int
			Direct                                            bool
			Evidence                                          []string
		}
		Unchecked []any
	}
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
		t.Fatalf("%v\n%s", err, got.stdout)
	}
	if r.Version != 1 || len(r.Added) != 1 || r.Unchecked == nil {
		t.Fatalf("%+v", r)
	}
	a := r.Added[0]
	if a.Ecosystem != "npm" || a.Name != "gone" || a.Version != "1.0.0" || a.Path != "package.json" || a.Line != 1 || !a.Direct ||
		a.Source != "registry" || a.Judgement != "block" || len(a.Evidence) != 1 {
		t.Errorf("%+v", a)
	}
}

// TestDependencySettings judges by the registries and the decisions of the base,
// whichever file of the change they stand in, and by a file that no change can
// edit as it is.
func TestDependencySettings(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var asked, evil atomic.Int64
	server, hostile := fakeNPM(t, now, &asked), fakeNPM(t, now, &evil)
	base, head := folders(t, "", "young")
	write := func(file, text string) {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	settings := func(address, rest string) string {
		return "dependencies:\n  fail_on: block,ask\n  registries: {npm: '" + address + "', depsdev: off, osv: off}\n" + rest
	}
	const decided = "  allow:\n    - package: npm:young\n      reason: our own\n      owner: platform team\n      until: 2026-12-31\n"
	elsewhere := filepath.Join(t.TempDir(), "ours.yaml")
	write(elsewhere, settings(server.URL, decided))
	write(filepath.Join(head, "ci", "new.yaml"), settings(hostile.URL, decided))
	held := "note: the change edits dependencies.registries and dependencies.allow in "
	for _, test := range []struct {
		name, before, after, config string
		code                        int
		want                        []string
	}{
		{"its own", settings(server.URL, ""), settings(hostile.URL, decided), "", 1, []string{"ask ", "!our own", held + "steelyard.yaml: it is held to what counted before"}},
		{"from before", settings(server.URL, decided), settings(server.URL, decided), "", 0, []string{"allowed by platform team because our own, until 2026-12-31", "!note: the change"}},
		{"taken away", settings(server.URL, decided), settings(server.URL, ""), "", 1, []string{"!our own"}},
		{"named in the change", settings(server.URL, ""), settings(hostile.URL, decided), filepath.Join(head, "steelyard.yaml"), 1, []string{"!our own", held + filepath.Join(head, "steelyard.yaml")}},
		{"named and new", settings(server.URL, ""), settings(server.URL, ""), filepath.Join(head, "ci", "new.yaml"), 0, []string{"unverified", "!our own", "note: the change edits dependencies.registries, dependencies.fail_on and dependencies.allow"}},
		{"named elsewhere", settings(hostile.URL, ""), settings(hostile.URL, ""), elsewhere, 0, []string{"our own", "!note: the change"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			write(filepath.Join(base, "steelyard.yaml"), test.before)
			write(filepath.Join(head, "steelyard.yaml"), test.after)
			args := []string{"--base", base, "--head", head, "--cache-dir", "off"}
			if test.config != "" {
				args = append([]string{"--config", test.config}, args...)
			}
			env := map[string]string{}
			if test.name == "named and new" { // the defaults would ask the world
				args = append(args, "--offline")
			}
			got := runDependencies(t, now, env, args...)
			if got.code != test.code {
				t.Errorf("exit code %d, want %d:\n%s%s", got.code, test.code, got.stdout, got.stderr)
			}
			says(t, "the result", got.stdout+got.stderr, test.want...)
		})
	}
	if asked.Load() == 0 || evil.Load() != 0 {
		t.Errorf("asked the base's registry %d times, the change's own %d", asked.Load(), evil.Load())
	}
	write(filepath.Join(base, "steelyard.yaml"), settings(server.URL, decided))
	write(filepath.Join(head, "steelyard.yaml"), settings(server.URL, decided))
	got := runDependencies(t, now.AddDate(0, 2, 0), nil, "--base", base, "--head", head, "--cache-dir", "off")
	says(t, "after its end", got.stdout, "the decision about npm:young ended on 2026-12-31")
}

func TestDependenciesCheck(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var asked atomic.Int64
	server := fakeNPM(t, now, &asked)
	env := map[string]string{"STEELYARD_REGISTRY_NPM": server.URL, "STEELYARD_DEPSDEV": "off", "STEELYARD_OSV": "off"}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"npm:old"}, 0, "ok          npm:old"},
		{[]string{"npm:gone"}, 1, "[DP001]"},
		{[]string{"npm:old@9.9.9"}, 1, `has no version "9.9.9"`},
		{[]string{"npm:old", "--format", "json"}, 0, `"judgement": "ok"`},
		{[]string{"npm:old", "--offline"}, 0, "unverified"},
		{[]string{"npm:old", "--offline", "--require-verified"}, 1, "unverified"},
		{[]string{"left-pad"}, 2, ""},
		{[]string{"nmp:left-pad"}, 2, ""},
	} {
		got := runDependencies(t, now, env, append([]string{"check", "--cache-dir", "off"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.stdout, c.says) {
			t.Errorf("%v: exit code %d\n%s%s", c.args, got.code, got.stdout, got.stderr)
		}
	}
}

// TestDependenciesOfServers judges what MCP servers fetch like any other
// dependency.
func TestDependenciesOfServers(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var asked atomic.Int64
	server := fakeNPM(t, now, &asked)
	env := map[string]string{"STEELYARD_REGISTRY_NPM": server.URL, "STEELYARD_DEPSDEV": "off", "STEELYARD_OSV": "off"}
	base, head := folders(t, "", "")
	text := `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "gone-server@1.0.0"]}, "b": {"command": "npx", "args": ["-y", "old@1.0.0"]},
		"c": {"command": "uvx", "args": ["--from", "git+https://git.example.com/x", "x"]}, "d": {"command": "node", "args": ["./server.js"]}}}`
	if err := os.WriteFile(filepath.Join(head, ".mcp.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	got := runDependencies(t, now, env, "--base", base, "--head", head, "--cache-dir", "off")
	for _, s := range []string{"block       .mcp.json:1  npm:gone-server@1.0.0", "ok          .mcp.json:1  npm:old@1.0.0", "it comes from a git repository", "3 new or changed"} {
		if !strings.Contains(got.stdout, s) {
			t.Errorf("it does not say %q:\n%s%s", s, got.stdout, got.stderr)
		}
	}
	if got.code != 1 {
		t.Errorf("exit code %d", got.code)
	}
}

// TestDependenciesNPMRC asks where the repository's .npmrc said before the
// change; one that the change brings is not asked, but a person is.
func TestDependenciesNPMRC(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, before := range []bool{true, false} {
		var asked atomic.Int64
		server := fakeNPM(t, now, &asked)
		base, head := folders(t, "", "old")
		dirs := []string{head}
		if before {
			dirs = append(dirs, base)
		}
		for _, dir := range dirs {
			if err := os.WriteFile(filepath.Join(dir, ".npmrc"), []byte("registry="+server.URL+"/\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		env := map[string]string{"STEELYARD_DEPSDEV": "off", "STEELYARD_OSV": "off", "PATH": ""}
		got := runDependencies(t, now, env, "--base", base, "--head", head, "--cache-dir", "off")
		says := "it comes from a registry of the repository's own, which it did not name before"
		if before {
			says = "first published 5 years ago"
		}
		if !strings.Contains(got.stdout, says) || (asked.Load() == 1) != before {
			t.Errorf("reviewed %v: asked %d times\n%s%s", before, asked.Load(), got.stdout, got.stderr)
		}
	}
}

// TestDependenciesPlantedCache takes no answers that the change itself brings.
func TestDependenciesPlantedCache(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var asked atomic.Int64
	server := fakeNPM(t, now, &asked)
	env := map[string]string{"STEELYARD_REGISTRY_NPM": server.URL, "STEELYARD_DEPSDEV": "off", "STEELYARD_OSV": "off"}
	base, head := folders(t, "", "old")
	cache := filepath.Join(head, ".cache")
	args := []string{"--base", base, "--head", head, "--cache-dir", cache}
	if got := runDependencies(t, now, env, args...); got.code != 0 || asked.Load() != 1 {
		t.Fatalf("in a folder that git does not track: exit code %d\n%s", got.code, got.stderr)
	}
	for _, command := range [][]string{{"init", "-q"}, {"add", "-f", ".cache"}} {
		cmd := exec.CommandContext(t.Context(), "git", command...)
		cmd.Dir = head
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", command, err, out)
		}
	}
	if got := runDependencies(t, now, env, args...); got.code != 2 || !strings.Contains(got.stderr, "holds files of the repository") {
		t.Errorf("in one that it tracks: exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// TestDependenciesCheckSettings says who answered where a settings file, which
// nobody may have reviewed, decides it.
func TestDependenciesCheckSettings(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var asked atomic.Int64
	server := fakeNPM(t, now, &asked)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("steelyard.yaml", []byte("dependencies:\n  registries: {npm: 'registry+"+server.URL+"', depsdev: off, osv: off}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	says := "asked where the settings file says: " + strings.TrimPrefix(server.URL, "http://")
	if got := runDependencies(t, now, nil, "check", "npm:old", "--cache-dir", "off"); got.code != 0 || !strings.Contains(got.stdout, says) {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	env := map[string]string{"STEELYARD_REGISTRY_NPM": server.URL}
	if got := runDependencies(t, now, env, "check", "npm:old", "--cache-dir", "off"); got.code != 0 || strings.Contains(got.stdout, says) {
		t.Errorf("by the environment: exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}
