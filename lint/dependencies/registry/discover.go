package registry

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"steelyard/lint/dependencies"
)

// World is what Discover looks at: the environment, the user's own settings
// files and the ecosystems' clients. Of the repository nothing is among it but
// what was reviewed before, see NPMRC.
type World struct {
	// Env looks up an environment variable.
	Env func(name string) (string, bool)
	// Home is the user's home folder; "" means that there is none.
	Home string
	// NPMRC is the text of the repository's own .npmrc as it was before the
	// change, "" for none: npm would ask where it says.
	NPMRC string
	// Run starts a client in an empty folder with the given environment alone
	// and returns what it prints; nil means that no client is started.
	Run func(ctx context.Context, env []string, name string, args ...string) (string, error)
	// Remember keeps what a client said, because starting one is slow; nil
	// keeps nothing. Now is the clock for it.
	Remember Cache
	Now      func() time.Time
}

// Discover returns the addresses of a machine: where each ecosystem's own
// client would ask. explicit are addresses from Steelyard's own settings, by
// the name of the environment variable that would set them.
func Discover(w World, explicit map[string]string) *Addresses {
	return &Addresses{world: w, explicit: explicit}
}

func (w World) env(name string) string {
	if w.Env == nil {
		return ""
	}
	v, _ := w.Env(name)
	return v
}

// The public registries, as the clients know them without configuration. What
// npm and Go use is asked of them.
const (
	pypiSimple   = "https://pypi.org/simple"
	cratesIndex  = "https://index.crates.io"
	rubygemsOrg  = "https://rubygems.org"
	nugetService = "https://api.nuget.org/v3/index.json"
	mavenCentral = "https://repo1.maven.org/maven2"
	githubAPI    = "https://api.github.com"
	dockerV2     = "https://registry-1.docker.io"
	dockerHubAPI = "https://hub.docker.com"
)

// canonical is the address of the registry itself, "" where only a client
// that is not installed knows it.
func (w World) canonical(ctx context.Context, e dependencies.Ecosystem) string {
	switch e {
	case dependencies.NPM:
		return w.npmDefault(ctx)
	case dependencies.Go:
		return firstProxy(w.goDefault(ctx))
	}
	return map[dependencies.Ecosystem]string{
		dependencies.PyPI: pypiSimple, dependencies.Cargo: cratesIndex, dependencies.RubyGems: rubygemsOrg,
		dependencies.NuGet: nugetService, dependencies.Maven: mavenCentral, dependencies.Actions: githubAPI, dependencies.Docker: dockerV2,
	}[e]
}

// discover finds out where an ecosystem's client asks.
func (w World) discover(ctx context.Context, e dependencies.Ecosystem) Address {
	if e == dependencies.Go {
		return w.goAddress(ctx)
	}
	address := w.configured(ctx, e)
	canonical := w.canonical(ctx, e)
	if address == "" {
		address = canonical
	}
	a := Address{URL: address, Canonical: address != "" && sameAddress(address, canonical), Further: w.further(e)}
	switch {
	case e == dependencies.NPM && a.Canonical:
		a.Downloads = npmDownloadsBeside(address)
	case e == dependencies.Docker:
		a.Hub = dockerHubAPI
	case e == dependencies.Actions:
		a.Token = true
	}
	return a
}

func sameAddress(a, b string) bool {
	return strings.EqualFold(strings.TrimRight(a, "/"), strings.TrimRight(b, "/"))
}

// npmDownloadsBeside is the address of the download counts, which lie on the
// host "api" beside the host "registry".
func npmDownloadsBeside(registry string) string {
	scheme, rest, ok := strings.Cut(strings.TrimRight(registry, "/"), "://registry.")
	if !ok || strings.Contains(rest, "/") {
		return ""
	}
	return scheme + "://api." + rest
}

// inputs are the values that decide where a client asks.
func (w World) inputs(e dependencies.Ecosystem) []string {
	var names, files []string
	switch e {
	case dependencies.NPM:
		names, files = []string{"npm_config_registry", "NPM_CONFIG_REGISTRY"}, []string{".npmrc"}
	case dependencies.PyPI:
		names = []string{"UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL", "UV_INDEX", "UV_EXTRA_INDEX_URL", "PIP_EXTRA_INDEX_URL"}
		files = []string{".config/uv/uv.toml", ".config/pip/pip.conf", ".pip/pip.conf"}
	case dependencies.Go:
		names, files = []string{"GOPROXY", "GOPRIVATE", "GONOPROXY"}, []string{".config/go/env"}
	case dependencies.Cargo:
		files = []string{".cargo/config.toml", ".cargo/config"}
	case dependencies.RubyGems:
		files = []string{".gemrc"}
	case dependencies.NuGet:
		files = []string{".nuget/NuGet/NuGet.Config", ".config/NuGet/NuGet.Config"}
	case dependencies.Maven:
		files = []string{".m2/settings.xml"}
	case dependencies.Actions:
		names = []string{"GITHUB_API_URL"}
	}
	var values []string
	for _, n := range names {
		values = append(values, w.env(n))
	}
	for _, f := range files {
		values = append(values, w.file(f))
	}
	if e == dependencies.NPM {
		values = append(values, npmrcRegistry(w.NPMRC))
	}
	return values
}

// file reads a settings file below the home folder, "" for none.
func (w World) file(name string) string {
	if w.Home == "" {
		return ""
	}
	info, err := os.Stat(filepath.Join(w.Home, name))
	const most = 1 << 20
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(w.Home, name))
	if err != nil {
		return ""
	}
	return string(text)
}

// configured is what the user's own settings say, "" for nothing.
func (w World) configured(ctx context.Context, e dependencies.Ecosystem) string {
	in := w.inputs(e)
	switch e {
	case dependencies.NPM:
		return cmpOr(in[0], in[1], in[3], w.userRegistry(in[2]), w.npmConfigured(ctx))
	case dependencies.PyPI:
		return cmpOr(withoutName(in[0]), in[1], in[2], uvIndex(in[6]), iniValue(in[7], "index-url"), iniValue(in[8], "index-url"))
	case dependencies.Cargo:
		return cmpOr(cargoReplacement(in[0]), cargoReplacement(in[1]))
	case dependencies.RubyGems:
		return gemSource(in[0])
	case dependencies.NuGet:
		return cmpOr(nugetSource(in[0]), nugetSource(in[1]))
	case dependencies.Maven:
		return mavenMirror(in[0])
	case dependencies.Actions:
		return in[0]
	}
	return ""
}

// further reports whether the user's settings name several registries.
func (w World) further(e dependencies.Ecosystem) bool {
	in := w.inputs(e)
	switch e {
	case dependencies.PyPI:
		return cmpOr(in[3], in[4], in[5], iniValue(in[7], "extra-index-url"), iniValue(in[8], "extra-index-url")) != "" || uvFurther(in[6])
	case dependencies.NuGet:
		return nugetSources(in[0]) > 1 || nugetSources(in[1]) > 1
	case dependencies.Maven:
		return strings.Contains(in[0], "<repository>") && mavenMirror(in[0]) == ""
	case dependencies.RubyGems:
		return strings.Count(in[0], "\n- http") > 1
	}
	return false
}

var npmVariable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// userRegistry is the registry of the user's own .npmrc, which may name
// variables. One that cannot be told stays as it is written: it cannot be
// asked, and the public registry must not be asked instead. Those of a
// repository's .npmrc are never filled in.
func (w World) userRegistry(text string) string {
	address := npmVariable.ReplaceAllStringFunc(iniValue(text, "registry"), func(v string) string {
		if value := w.env(npmVariable.FindStringSubmatch(v)[1]); value != "" {
			return value
		}
		return v
	})
	if strings.Contains(address, "${") {
		return address
	}
	return webAddress(address)
}

// withoutName is the address of an index that uv lets be written as
// "name=https://…".
func withoutName(s string) string {
	if name, address, ok := strings.Cut(s, "="); ok && !strings.Contains(name, ":") {
		return address
	}
	return s
}

func cmpOr(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
