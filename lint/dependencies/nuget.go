package dependencies

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"

	"steelyard/lint"
)

var (
	msbuildItems = map[string]bool{
		"PackageReference": true, "PackageVersion": true, "GlobalPackageReference": true,
		"DotNetCliToolReference": true, "PackageDownload": true,
	}
	nugetExact = regexp.MustCompile(`^\[?([0-9]+(\.[0-9]+){1,3}([-+][0-9A-Za-z.+-]+)?)\]?$`)
)

// readMSBuild reads the package references of a project file, and the versions
// that are kept centrally.
func readMSBuild(f *file) error {
	sources := f.nugetSources()
	return f.eachElement(func(path []*xmlElement) {
		e := path[len(path)-1]
		if sdk := e.attrs["Sdk"]; e.name == "Project" && strings.Contains(sdk, "/") {
			name, version, _ := strings.Cut(sdk, "/")
			f.addNuGet("Sdk", name, version, e.at, sources)
		}
		if !msbuildItems[e.name] {
			return
		}
		version := e.attrs["Version"]
		for _, other := range []string{e.children["Version"], e.attrs["VersionOverride"]} {
			if version == "" {
				version = other
			}
		}
		name := e.attrs["Include"]
		if name == "" {
			name = e.attrs["Update"]
		}
		for one := range strings.SplitSeq(name, ";") {
			f.addNuGet(e.name, strings.TrimSpace(one), version, e.at, sources)
		}
	})
}

// readPackagesConfig reads the older packages.config.
func readPackagesConfig(f *file) error {
	sources := f.nugetSources()
	return f.eachElement(func(path []*xmlElement) {
		if e := path[len(path)-1]; e.name == "package" {
			f.addNuGet("package", e.attrs["id"], e.attrs["version"], e.at, sources)
		}
	})
}

func (f *file) addNuGet(table, name, version string, at int, sources nugetSources) {
	if name == "" || strings.Contains(name, "$(") || strings.ContainsAny(name, "@%*") {
		return
	}
	d := Dependency{Ecosystem: NuGet, Name: name, Spec: version, Table: table, Direct: true}
	if m := nugetExact.FindStringSubmatch(strings.TrimSpace(version)); m != nil {
		d.Version = m[1]
	}
	sources.apply(&d)
	if i := bytes.Index(f.src[min(at, len(f.src)):], []byte(name)); i >= 0 {
		at += i
	}
	f.add(lint.Span{Start: at, End: at + len(name)}, d)
}

// nugetSources is what the repository's own nuget.config decides.
type nugetSources struct {
	private bool // no public source is left
	further bool // there are others beside the public one
	// registries are their addresses.
	registries []string
}

func (s nugetSources) apply(d *Dependency) {
	if s.private {
		d.Source = FromPrivate
	}
	d.Elsewhere = s.further
	d.Registry = strings.Join(s.registries, " ")
}

func (f *file) nugetSources() nugetSources {
	for _, name := range []string{"nuget.config", "NuGet.config", "NuGet.Config"} {
		if texts := f.tree.upward(f.path, name); len(texts) > 0 {
			return readNuGetConfig(texts[0], f.tree)
		}
	}
	return nugetSources{}
}

func readNuGetConfig(text []byte, r *reading) nugetSources {
	var s nugetSources
	public, cleared := false, false
	in := &file{path: "nuget.config", src: text, tree: r}
	err := in.eachElement(func(path []*xmlElement) {
		n := len(path)
		if n < 2 || path[n-2].name != "packageSources" {
			return
		}
		switch e := path[n-1]; e.name {
		case "clear":
			cleared = true
		case "add":
			if isNuGetOrg(e.attrs["value"]) || r.public(NuGet, e.attrs["value"]) {
				public = true
			} else {
				s.further = true
				s.registries = append(s.registries, r.names(NuGet, e.attrs["value"]))
			}
		}
	})
	s.private = err == nil && cleared && s.further && !public
	return s
}

func isNuGetOrg(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host == "api.nuget.org" || host == "www.nuget.org" || host == "nuget.org"
}

// readNuGetLock reads a packages.lock.json: packages by target framework.
func readNuGetLock(f *file) error {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(f.src, []byte("\ufeff"))))
	shift := len(f.src) - len(bytes.TrimPrefix(f.src, []byte("\ufeff")))
	seen := map[string]bool{}
	return eachJSONMember(dec, func(key string, _ int) error {
		if key != "dependencies" {
			return skipJSON(dec)
		}
		return eachJSONMember(dec, func(string, int) error {
			return eachJSONMember(dec, func(name string, end int) error {
				var p struct {
					Type, Resolved, ContentHash string
				}
				if err := dec.Decode(&p); err != nil {
					return errJSON
				}
				d := Dependency{
					Ecosystem: NuGet, Name: name, Version: p.Resolved, Spec: p.Resolved, Table: strings.ToLower(p.Type),
					NoIntegrity: p.ContentHash == "",
				}
				if p.Type == "Project" {
					d.Source = FromLocal
				}
				if key := name + "\x00" + p.Resolved; !seen[key] {
					seen[key] = true
					f.add(lint.Span{Start: end + shift - len(name) - 2, End: end + shift}, d)
				}
				return nil
			})
		})
	})
}

var errJSON = errors.New("not valid JSON")

// eachJSONMember walks over the members of the object that comes next and
// calls take with each name and the offset behind it; take reads the value.
// Any other value is skipped.
func eachJSONMember(dec *json.Decoder, take func(name string, end int) error) error {
	token, err := dec.Token()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil
		}
		return errJSON
	}
	if token != json.Delim('{') {
		if token == json.Delim('[') {
			return skipRest(dec, 1)
		}
		return nil
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return errJSON
		}
		key, ok := name.(string)
		if !ok {
			return errJSON
		}
		if err := take(key, int(dec.InputOffset())); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return errJSON
	}
	return nil
}

// skipJSON reads over the next value without keeping it.
func skipJSON(dec *json.Decoder) error { return skipRest(dec, 0) }

func skipRest(dec *json.Decoder, depth int) error {
	for {
		token, err := dec.Token()
		if err != nil {
			return errJSON
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth <= 0 {
			return nil
		}
	}
}
