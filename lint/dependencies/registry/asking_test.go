package registry_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"steelyard/lint/dependencies"
	"steelyard/lint/dependencies/registry"
)

func npmForm() form { return forms()[0] }

func npmQuery(name string) dependencies.Query {
	return dependencies.Query{Ecosystem: dependencies.NPM, Name: name}
}

// TestRetryAfter waits as long as the registry says where that is short, and
// gives up where it is long, for every further name as well.
func TestRetryAfter(t *testing.T) {
	var asked atomic.Int64
	wait := "2"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := asked.Add(1); n == 1 || wait != "2" {
			w.Header().Set("Retry-After", wait)
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		rep, _ := npmAnswer(nil, r.URL.Path)
		_, _ = io.WriteString(w, rep.body)
	}))
	defer server.Close()
	f := &fake{Server: server, form: npmForm()}
	o := f.options(server.URL, map[string]string{registry.EnvOSV: registry.Off, registry.EnvNPMDownloads: ""})
	var waited time.Duration
	o.Sleep = func(_ context.Context, d time.Duration) error { waited += d; return nil }
	if v := judged(t, o, npmQuery("existing")); v.Judgement != dependencies.OK || waited != 2*time.Second {
		t.Errorf("%s after %s: %s", v.Judgement, waited, v.Reasons())
	}
	wait, waited = "3600", 0
	asked.Store(0)
	facts := registry.New(o).Lookup(t.Context(), slices.Repeat([]dependencies.Query{npmQuery("existing")}, 100))
	if waited != 0 || asked.Load() > 40 {
		t.Errorf("waited %s and asked %d times", waited, asked.Load())
	}
	for _, f := range facts {
		if f.Existence != dependencies.Unknown || !strings.Contains(f.Why, "429") {
			t.Fatalf("%+v", f)
		}
	}
}

// TestCrossCheck proves an absence by two sources where the registry's own
// words are missing, and takes an age where the registry has none.
func TestCrossCheck(t *testing.T) {
	server := newFake(t, npmForm())
	depsdev := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch name := filepath.Base(r.URL.Path); name {
		case "untimed":
			_, _ = fmt.Fprintf(w, `{"versions":[{"versionKey":{"version":"1.0.0"},"publishedAt":%q},{"versionKey":{"version":"1.1.0"},"publishedAt":%q}]}`,
				daysAgo(700).Format(time.RFC3339), daysAgo(300).Format(time.RFC3339))
		case "forbidden", "hidden":
			_, _ = io.WriteString(w, `{"versions":[{"versionKey":{"version":"1.0.0"}}]}`)
		case "wordless":
			w.WriteHeader(http.StatusNotFound)
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"code":5, "message":"package not found", "details":[]}`)
		}
	}))
	defer depsdev.Close()
	with := map[string]string{registry.EnvDepsDev: depsdev.URL, registry.EnvOSV: registry.Off}
	for _, c := range []struct {
		name, address string
		want          dependencies.Judgement
		says          string
	}{
		{"missing-empty", server.URL, dependencies.Block, "deps.dev has none either"},
		{"missing", "mirror+" + server.URL, dependencies.Block, "deps.dev has none either"},
		{"forbidden", server.URL, dependencies.Unverified, "403"}, // nobody said that it is not there
		{"broken", server.URL, dependencies.Unverified, "500"},
		{"untimed", server.URL, dependencies.OK, "its age is deps.dev's"},
		{"existing", server.URL, dependencies.OK, ""},
	} {
		v := judged(t, server.options(c.address, with), npmQuery(c.name))
		if v.Judgement != c.want || !strings.Contains(v.Reasons(), c.says) {
			t.Errorf("%s: %s, %s", c.name, v.Judgement, v.Reasons())
		}
	}
	alone := map[string]string{registry.EnvDepsDev: depsdev.URL, registry.EnvOSV: registry.Off}
	o := server.options("", alone) // no registry is configured, no client is installed
	for name, want := range map[string]dependencies.Judgement{"nowhere": dependencies.Unverified, "wordless": dependencies.Unverified, "untimed": dependencies.OK} {
		if v := judged(t, o, npmQuery(name)); v.Judgement != want {
			t.Errorf("by deps.dev alone %s: %s, %s", name, v.Judgement, v.Reasons())
		}
	}
}

// TestFurther believes no absence where the settings name registries that are
// not asked.
func TestFurther(t *testing.T) {
	var pypi form
	for _, f := range forms() {
		if f.ecosystem == dependencies.PyPI {
			pypi = f
		}
	}
	server := newFake(t, pypi)
	home := t.TempDir()
	conf := filepath.Join(home, ".config", "pip", "pip.conf")
	if err := os.MkdirAll(filepath.Dir(conf), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(conf, []byte("[global]\nindex-url = "+server.URL+"/simple\nextra-index-url = https://more.example/simple\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o := server.options("", map[string]string{registry.EnvOSV: registry.Off})
	o.Addresses = registry.Discover(registry.World{Home: home}, map[string]string{registry.EnvDepsDev: registry.Off, registry.EnvOSV: registry.Off})
	for version, says := range map[string]string{"": "further registries", "9.9.9": "a mirror may leave versions out"} {
		name := "missing"
		if version != "" {
			name = "existing"
		}
		v := judged(t, o, dependencies.Query{Ecosystem: dependencies.PyPI, Name: name, Version: version})
		if v.Judgement != dependencies.Unverified || !strings.Contains(v.Reasons(), says) {
			t.Errorf("%s %s: %s, %s", name, version, v.Judgement, v.Reasons())
		}
	}
}

// TestDown stops asking a host that cannot be reached.
func TestDown(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	address := server.URL
	server.Close()
	f := &fake{Server: server, form: npmForm()}
	o := f.options(address, map[string]string{registry.EnvOSV: registry.Off})
	facts := registry.New(o).Lookup(t.Context(), slices.Repeat([]dependencies.Query{npmQuery("existing")}, 200))
	for _, f := range facts {
		if f.Existence != dependencies.Unknown || !strings.Contains(f.Why, "could not be reached") || strings.Contains(f.Why, "127.0.0.1") {
			t.Fatalf("%+v", f)
		}
	}
}

// TestCache keeps what is known for its time, and nothing else.
func TestCache(t *testing.T) {
	folder, err := registry.NewFolder(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	for name, cache := range map[string]registry.Cache{"memory": &registry.Memory{}, "folder": folder} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			f := newFake(t, npmForm())
			counted := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				f.ServeHTTP(w, r)
			}))
			defer counted.Close()
			o := f.options(counted.URL, map[string]string{registry.EnvOSV: registry.Off, registry.EnvNPMDownloads: ""})
			now := today
			o.Cache, o.Now = cache, func() time.Time { return now }
			count := func(query string) int64 {
				asked.Store(0)
				judged(t, o, npmQuery(query))
				return asked.Load()
			}
			steps := []struct {
				name  string
				after time.Duration
				want  int64
			}{
				{"existing", 0, 1},
				{"existing", 23 * time.Hour, 0},
				{"existing", 25 * time.Hour, 1},
				{"existing", -time.Hour, 1}, // the clock was set back
				{"missing", 0, 1},
				{"missing", 9 * time.Minute, 0},
				{"missing", 11 * time.Minute, 1},
				{"forbidden", 0, 1},
				{"forbidden", time.Second, 1},
			}
			for _, s := range steps {
				now = today.Add(s.after)
				if got := count(s.name); got != s.want {
					t.Errorf("%s after %s: asked %d times, want %d", s.name, s.after, got, s.want)
				}
			}
			now = today.Add(time.Minute)
			count("existing")
			o.Offline = true
			if v := judged(t, o, npmQuery("existing")); v.Judgement != dependencies.OK {
				t.Errorf("offline, what is kept is %s: %s", v.Judgement, v.Reasons())
			}
			if v := judged(t, o, npmQuery("young")); v.Judgement != dependencies.Unverified || !strings.Contains(v.Reasons(), "offline") {
				t.Errorf("offline, what is not kept is %s: %s", v.Judgement, v.Reasons())
			}
		})
	}
}

// TestSecretsStayOut sends a password of an address to its host and shows it
// nowhere.
func TestSecretsStayOut(t *testing.T) {
	var user string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, _, _ = r.BasicAuth()
		w.WriteHeader(http.StatusForbidden)
	}))
	defer server.Close()
	f := &fake{Server: server, form: npmForm()}
	address := "mirror+" + strings.Replace(server.URL, "://", "://someone:hunter2secret@", 1)
	v := judged(t, f.options(address, map[string]string{registry.EnvOSV: registry.Off}), npmQuery("left-pad"))
	if user != "someone" {
		t.Errorf("asked as %q", user)
	}
	if strings.Contains(v.Reasons(), "hunter2secret") || strings.Contains(v.Reasons(), "someone") {
		t.Errorf("shown: %s", v.Reasons())
	}
}

// TestHugeDocument reads a document of 60 MB and holds its memory to a bound.
func TestHugeDocument(t *testing.T) {
	const size = 60 << 20
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { writeHuge(w, size) }))
	defer server.Close()
	f := &fake{Server: server, form: npmForm()}
	o := f.options(server.URL, map[string]string{registry.EnvOSV: registry.Off, registry.EnvNPMDownloads: ""})
	var peak atomic.Uint64
	stop := make(chan struct{})
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peak.Store(max(peak.Load(), m.HeapAlloc))
			}
		}
	}()
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	facts := registry.New(o).Lookup(t.Context(), []dependencies.Query{npmQuery("huge")})
	close(stop)
	done.Wait()
	if facts[0].Existence != dependencies.Exists || facts[0].First.IsZero() || facts[0].InstallScript != "postinstall" {
		t.Fatalf("%+v", facts[0])
	}
	grown := int64(peak.Load()) - int64(before.HeapAlloc)
	t.Logf("%d MB were read with at most %d MB of heap", size>>20, grown>>20)
	if grown > 40<<20 {
		t.Errorf("the heap grew by %d MB", grown>>20)
	}
}

func writeHuge(w io.Writer, size int) {
	padding := strings.Repeat("x", 20<<10)
	_, _ = io.WriteString(w, `{"name":"huge","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"license":"MIT","scripts":{"postinstall":"x"}}`)
	n := 0
	for written := 0; written < size; written += len(padding) {
		n++
		_, _ = fmt.Fprintf(w, `,"0.0.%d":{"license":"MIT","description":%q,"dependencies":{"a":"1"}}`, n, padding)
	}
	_, _ = fmt.Fprintf(w, `},"time":{"created":%q,"1.0.0":%[1]q}}`, daysAgo(900).Format(time.RFC3339))
}

// slowRegistry answers after 50 ms and has every name.
func slowRegistry(t testing.TB) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(50 * time.Millisecond)
		if strings.HasPrefix(r.URL.Path, "/downloads/") {
			_, _ = io.WriteString(w, `{"downloads":50000}`)
			return
		}
		rep, _ := npmAnswer(nil, "/existing")
		_, _ = io.WriteString(w, rep.body)
	}))
	t.Cleanup(s.Close)
	return s
}

func threeHundred() []dependencies.Query {
	var queries []dependencies.Query
	for i := range 300 {
		queries = append(queries, npmQuery(fmt.Sprintf("package-%d", i)))
	}
	return queries
}

// TestThreeHundred asks about 300 names at a registry with 50 ms of latency,
// and again.
func TestThreeHundred(t *testing.T) {
	server := slowRegistry(t)
	f := &fake{Server: server, form: npmForm()}
	o := f.options(server.URL, map[string]string{registry.EnvOSV: registry.Off})
	folder, err := registry.NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o.Cache = folder
	for _, c := range []struct {
		what string
		most time.Duration
	}{{"first", 5 * time.Second}, {"second", 300 * time.Millisecond}} {
		start := time.Now()
		facts := registry.New(o).Lookup(t.Context(), threeHundred())
		took := time.Since(start)
		t.Logf("the %s run took %s", c.what, took)
		for _, f := range facts {
			if f.Existence != dependencies.Exists {
				t.Fatalf("%+v", f)
			}
		}
		// The machine may be busy with other tests: ten times the bound is a
		// fault, the bound itself is held by the benchmark.
		if took > 10*c.most {
			t.Errorf("the %s run took %s", c.what, took)
		}
	}
}

func BenchmarkThreeHundred(b *testing.B) {
	server := slowRegistry(b)
	f := &fake{Server: server, form: npmForm()}
	o := f.options(server.URL, map[string]string{registry.EnvOSV: registry.Off})
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			o.Cache = nil
			registry.New(o).Lookup(b.Context(), threeHundred())
		}
	})
	b.Run("second", func(b *testing.B) {
		folder, err := registry.NewFolder(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		o.Cache = folder
		registry.New(o).Lookup(b.Context(), threeHundred())
		for b.Loop() {
			registry.New(o).Lookup(b.Context(), threeHundred())
		}
	})
}

// TestDiscover finds where each client asks, from its own settings.
func TestDiscover(t *testing.T) {
	home := t.TempDir()
	for name, text := range map[string]string{
		".npmrc":                    "//npm.example/:_authToken=x\nregistry=https://npm.example/\n",
		".config/pip/pip.conf":      "[global]\nindex-url = https://pip.example/simple\n",
		".cargo/config.toml":        "[source.crates-io]\nreplace-with = \"ours\"\n[source.ours]\nregistry = \"sparse+https://cargo.example/index/\"\n",
		".gemrc":                    "---\n:sources:\n- https://gems.example/\n",
		".nuget/NuGet/NuGet.Config": `<configuration><packageSources><add key="o" value="https://nuget.example/v3/index.json"/></packageSources></configuration>`,
		".m2/settings.xml":          "<settings><mirrors><mirror><mirrorOf>central</mirrorOf><url>https://maven.example/maven2</url></mirror></mirrors></settings>",
	} {
		full := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(_ context.Context, env []string, name string, args ...string) (string, error) {
		bare := slices.Contains(env, "GOENV=off")
		switch name + " " + strings.Join(args, " ") {
		case "npm config get registry":
			return "https://registry.npm.example/\n", nil
		case "go env GOPROXY":
			if bare {
				return "https://proxy.go.example,direct\n", nil
			}
			return "https://goproxy.example|direct\n", nil
		case "go env GONOPROXY":
			return "git.example.com/*\n", nil
		}
		return "", fmt.Errorf("unexpected %s %v", name, args)
	}
	env := map[string]string{"GITHUB_API_URL": "https://github.example/api/v3"}
	lookup := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	configured := registry.Discover(registry.World{Env: lookup, Home: home, Run: run}, nil)
	plain := registry.Discover(registry.World{Run: func(ctx context.Context, e []string, name string, args ...string) (string, error) {
		return run(ctx, append(e, "GOENV=off"), name, args...)
	}}, nil)
	for _, c := range []struct {
		ecosystem   dependencies.Ecosystem
		mirror, own string
	}{
		{dependencies.NPM, "https://npm.example", "https://registry.npm.example"},
		{dependencies.PyPI, "https://pip.example/simple", "https://pypi.org/simple"},
		{dependencies.Go, "https://goproxy.example", "https://proxy.go.example"},
		{dependencies.Cargo, "https://cargo.example/index", "https://index.crates.io"},
		{dependencies.RubyGems, "https://gems.example", "https://rubygems.org"},
		{dependencies.NuGet, "https://nuget.example/v3/index.json", "https://api.nuget.org/v3/index.json"},
		{dependencies.Maven, "https://maven.example/maven2", "https://repo1.maven.org/maven2"},
		{dependencies.Actions, "https://github.example/api/v3", "https://api.github.com"},
	} {
		if a := configured.Of(t.Context(), c.ecosystem); a.URL != c.mirror || a.Canonical {
			t.Errorf("%s configured: %+v", c.ecosystem, a)
		}
		if a := plain.Of(t.Context(), c.ecosystem); a.URL != c.own || !a.Canonical {
			t.Errorf("%s plain: %+v", c.ecosystem, a)
		}
	}
	reviewed := registry.Discover(registry.World{Env: lookup, Home: home, Run: run, NPMRC: "registry=https://ours.example/npm/\n"}, nil)
	if a := reviewed.Of(t.Context(), dependencies.NPM); a.URL != "https://ours.example/npm" || a.Canonical {
		t.Errorf("by the repository's own settings: %+v", a)
	}
	further := registry.Discover(registry.World{Env: func(name string) (string, bool) {
		v, ok := map[string]string{"PIP_EXTRA_INDEX_URL": "https://more.example/simple"}[name]
		return v, ok
	}}, nil)
	if a := further.Of(t.Context(), dependencies.PyPI); !a.Canonical || !a.Further {
		t.Errorf("with a further index: %+v", a)
	}
	if a := plain.Of(t.Context(), dependencies.NPM); a.Downloads != "https://api.npm.example" {
		t.Errorf("downloads at %q", a.Downloads)
	}
	if p := configured.Private(t.Context()); p != "git.example.com/*" {
		t.Errorf("private: %q", p)
	}
	public := configured.Public(t.Context())
	if !public(dependencies.NPM, "https://npm.example/") || !public(dependencies.NPM, "https://registry.npm.example") || public(dependencies.NPM, "https://other.example/") {
		t.Error("public addresses are wrong")
	}
	nothing := registry.Discover(registry.World{}, map[string]string{registry.EnvDepsDev: registry.Off})
	if a := nothing.Of(t.Context(), dependencies.NPM); a.URL != "" {
		t.Errorf("without npm: %+v", a)
	}
}
